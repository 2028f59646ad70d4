import { describe, expect, it } from 'vitest'
import * as exported from '../../src/core/constraints/index.js'
import type { Columns, ConstraintKind, EvaluatedKind, Rows } from '../../src/core/constraints/kind.js'
import { quaternionToMatrix } from '../../src/core/math/rotation.js'
import { Random, seeds } from '../support/draw.js'
import { motionOf } from '../support/laws.js'
import { maximiser, overlap } from '../support/rotations.js'

/** Every kind that index.ts exports: a new one is held to the contracts without a line here. */
const kinds: ConstraintKind[] = Object.values(exported)
const evaluated = kinds.filter((kind): kind is EvaluatedKind => kind.contract !== 'goal')
const blocks = evaluated.filter(({ contract }) => contract === 'scalar' || contract === 'block')
const rigids = evaluated.filter(({ contract }) => contract === 'rigid')
const energies = evaluated.filter(({ contract }) => contract === 'energy')
// What is cautious gets there by and by, if at all; its own tests tell how far.
const rigidScalars = evaluated.filter(
  ({ contract, parameters, cautious }) => contract === 'scalar' && parameters.compliance && !cautious,
)
const goals = kinds.filter((kind) => kind.contract === 'goal')
const internals = kinds.filter((kind) => kind.internal)

/** One row over all particles of a random configuration. */
interface Case<Kind extends ConstraintKind = ConstraintKind> {
  kind: Kind
  rows: Rows
  columns: Columns
  rest: Float64Array
}

/** A setting whose compliances over h^2, at h = 1, are near `softness`; exactly that where the kind has one compliance. */
function settingOf({ parameters, ways }: ConstraintKind, softness: number, random: Random): Record<string, number> {
  if (parameters.compliance) return { compliance: softness }
  const value = (name: string) => {
    const { min = 0, max = 1 } = parameters[name]!
    return max <= 1 ? random.uniform(min, max) : Math.max(min, 1 / Math.max(softness, 0.01))
  }
  return Object.fromEntries(ways[0]!.map((name) => [name, value(name)]))
}

function draw<Kind extends ConstraintKind>(
  kind: Kind,
  random: Random,
  options: { softness: number; pins: boolean; unitCompliance?: number },
): Case<Kind> {
  const { arity, multipleOf = 1 } = kind
  const n = arity === 'variable' ? multipleOf * random.integer(Math.ceil(4 / multipleOf), 12 / multipleOf) : arity
  const masses = Float64Array.from({ length: n }, () => random.scale(0.05, 20))
  // Between pins a rigid row of many constraints may ask for what cannot be: only its start is pinned.
  const many = 'constraintsOf' in kind && options.softness === 0
  const isPinned = (k: number) => options.pins && (many ? k < 2 : random.uniform() < 0.4)
  const inverseMasses = masses.map((m, k) => (isPinned(k) ? 0 : 1 / m))
  const rest = kind.restOn === 'line' ? line(n, random) : random.array(3 * n)
  // A row of many constraints is met at once where moves are small, and bodies turn along tangents.
  const isNear = 'constraintsOf' in kind || kind.contract === 'rigid'
  const positions = isNear ? rest.map((x) => x + 1e-3 * random.uniform(-1, 1)) : random.array(3 * n)
  const indices = Uint32Array.from({ length: n }, (_, k) => k)
  const blocks = kind.arity === 'variable' ? n : 1
  const restValues = new Float64Array(blocks * kind.restSize)
  kind.measure(rest, indices, 0, n, masses, restValues, 0)
  const material = new Float64Array(kind.materialSize)
  const setting = settingOf(kind, options.softness, random)
  const { unitCompliance = 1 } = options
  const context = { unitCompliance, bodyMass: 1, h: 1, inverseMasses, rest: restValues, restAt: 0 }
  kind.bake(setting, context, material, 0)
  return {
    kind,
    rest,
    rows: {
      count: 1,
      indices,
      offsets: Uint32Array.of(0, n),
      rest: restValues,
      material,
      lambda: new Float64Array(blocks * kind.lambdaSize),
      iterated: true,
      rotations: Uint32Array.of(0),
    },
    columns: { positions, previous: positions.slice(), inverseMasses, masses, rotations: Float64Array.of(0, 0, 0, 1) },
  }
}

/** [3 n] points in order on a line, a tenth to one apart. */
function line(n: number, random: Random): Float64Array {
  const [x, y, z] = random.direction()
  const points = new Float64Array(3 * n)
  for (let k = 1; k < n; k++) {
    const length = random.uniform(0.1, 1)
    points.set(
      [x, y, z].map((part, d) => points[(k - 1) * 3 + d]! + length * part),
      k * 3,
    )
  }
  return points
}

const sweep = ({ kind, rows, columns }: Case) => kind.project(rows, 0, 1, columns)
const largest = (values: ArrayLike<number>) =>
  Array.from(values).reduce((most, value) => Math.max(most, Math.abs(value)), 0)

/** `x` [3 n] turned by `q` and moved by `shift`. */
function placed(x: Float64Array, q: readonly number[], shift: readonly number[]): Float64Array {
  const R = new Float64Array(9)
  quaternionToMatrix(Float64Array.from(q), 0, R)
  return x.map((_, k) => {
    const [p, d] = [k - (k % 3), k % 3]
    return shift[d]! + R[d * 3]! * x[p]! + R[d * 3 + 1]! * x[p + 1]! + R[d * 3 + 2]! * x[p + 2]!
  })
}

it('finds kinds of every contract', () => {
  expect(new Set(kinds.map(({ contract }) => contract))).toEqual(
    new Set(['scalar', 'block', 'rigid', 'energy', 'goal']),
  )
})

/** x where A x = b, by elimination with pivots. */
function solve(A: number[][], b: number[]): number[] {
  const rows = A.map((row, i) => [...row, b[i]!])
  for (let k = 0; k < rows.length; k++) {
    const best = rows
      .slice(k)
      .reduce((most, row, i) => (Math.abs(row[k]!) > Math.abs(rows[most]![k]!) ? k + i : most), k)
    ;[rows[k], rows[best]] = [rows[best]!, rows[k]!]
    rows.forEach((row, i) => {
      const factor = i === k ? 0 : row[k]! / rows[k]![k]!
      for (let j = k; j < row.length; j++) row[j]! -= factor * rows[k]![j]!
    })
  }
  return rows.map((row, k) => row[rows.length]! / row[k]!)
}

describe.each(blocks)('$contract kind $name', (kind) => {
  for (const softness of [0, 0.3, 20]) {
    for (const pins of [false, true]) {
      it(`projects as XPBD of its own evaluate does, softness ${softness}${pins ? ', some pinned' : ''}, seeds 1 to 40`, () => {
        let whole = 0
        for (const seed of seeds(40)) {
          const one = draw(kind, new Random(seed), { softness, pins })
          const { rows, columns } = one
          const x = columns.positions
          const w = (k: number) => columns.inverseMasses[Math.floor(k / 3)]!
          const count = rows.offsets[1]!
          const size = kind.constraintsOf?.(count) ?? kind.lambdaSize
          const evaluate = () => {
            const C = new Float64Array(size)
            kind.evaluate(rows, 0, x, C)
            return Array.from(C)
          }
          const lambda: number[] = Array.from({ length: size }, () => 0)
          for (let round = 0; round < 2; round++) {
            const C = evaluate()
            const step = 1e-6
            const J = C.map(() => new Float64Array(x.length))
            for (let k = 0; k < x.length; k++) {
              const value = x[k]!
              x[k] = value + step
              const above = evaluate()
              x[k] = value - step
              const below = evaluate()
              x[k] = value
              for (let r = 0; r < size; r++) J[r]![k] = (above[r]! - below[r]!) / (2 * step)
            }
            // (J W J^T + alphaTilde) change = -C - alphaTilde lambda
            const alpha = (r: number) => rows.material[kind.constraintsOf ? 0 : r]!
            const system = J.map((row, r) =>
              J.map(
                (other, q) =>
                  row.reduce((sum, slope, k) => sum + w(k) * slope * other[k]!, 0) + (r === q ? alpha(r) : 0),
              ),
            )
            // A constraint all of whose particles are pinned has no say.
            const free = J.map((row) => row.some((slope, k) => slope !== 0 && w(k) > 0))
            const sides = C.map((value, r) => (free[r] ? -value - alpha(r) * lambda[r]! : 0))
            system.forEach((row, r) => {
              row.forEach((_, q) => {
                if (!free[r] || !free[q]) row[q] = r === q ? 1 : 0
              })
            })
            const change = solve(system, sides)
            // The last constraint turns by no more than it may; the others follow.
            const last = size - 1
            const turn = Math.abs(C[last]! + alpha(last) * (lambda[last]! + change[last]!))
            const mostTurn = kind.mostTurn?.(rows, 0) ?? Number.POSITIVE_INFINITY
            if (turn > mostTurn) {
              const turned = (change[last]! * mostTurn) / turn
              const others = sides.slice(0, last).map((side, r) => side - system[r]![last]! * turned)
              change.splice(
                0,
                size,
                ...solve(
                  system.slice(0, last).map((row) => row.slice(0, last)),
                  others,
                ),
                turned,
              )
            }
            const moves = x.map((_, k) => w(k) * change.reduce((sum, value, r) => sum + value * J[r]![k]!, 0))
            const before = x.slice()
            sweep(one)
            // The part of the step that was taken, no more than all of it.
            const share =
              kind.cautious && change[0] !== 0 ? Math.min(1, Math.abs((rows.lambda[0]! - lambda[0]!) / change[0]!)) : 1
            if (share > 1 - 1e-5) whole++
            change.forEach((value, r) => (lambda[r]! += share * value))
            const expected = before.map((value, k) => value + share * moves[k]!)
            // Central differences are good to step^2 = 1e-12 and rounding / step = 1e-10 of slopes; a light particle's
            // weight, at most 20, and what the rows of a block cancel of each other multiply that.
            const scale = J.reduce((sum, row, r) => sum + Math.abs(change[r]!) * largest(row), 1)
            const floor = 1e-7 * scale * largest(columns.inverseMasses)
            x.forEach((value, k) => expect(Math.abs(value - expected[k]!)).toBeLessThan(floor + 1e-12))
            lambda.forEach((value, r) =>
              expect(Math.abs(rows.lambda[r]! - value)).toBeLessThan(1e-5 * (1 + Math.abs(value))),
            )
          }
        }
        expect(whole).toBeGreaterThan(0) // of 80 sweeps
      })
    }
  }
})

describe.each(rigids)('rigid kind $name', (kind) => {
  /** The six ways of a group to move, one unit of each, as moves of its particles about its centre [3 n]. */
  const ways = (masses: Float64Array, x: Float64Array, members: readonly number[]) => {
    const own = Float64Array.from(masses, (m, i) => (members.includes(i) ? m : 0))
    const { center } = motionOf(
      own,
      x,
      x.map(() => 0),
    )
    return Array.from({ length: 6 }, (_, way) => {
      const moves = new Float64Array(x.length)
      for (const i of members) {
        const q = center.map((c, d) => x[i * 3 + d]! - c)
        const axis = [0, 1, 2].map((d) => (d === way % 3 ? 1 : 0))
        const turned = [0, 1, 2].map((d) => axis[(d + 1) % 3]! * q[(d + 2) % 3]! - axis[(d + 2) % 3]! * q[(d + 1) % 3]!)
        moves.set(way < 3 ? axis : turned, i * 3)
      }
      return moves
    })
  }

  for (const softness of [0, 0.3, 20]) {
    it(`projects as XPBD of rigid bodies does, softness ${softness}, seeds 1 to 30`, () => {
      let groupsSeen = 0
      for (const seed of seeds(30)) {
        const one = draw(kind, new Random(seed), { softness, pins: false })
        const { rows, columns } = one
        const { positions: x, masses } = columns
        const n = masses.length
        if (n < 8) continue // two or three particles may lie on a line
        groupsSeen++
        const half = n / 2
        const members = [0, 1].map((g) => Array.from({ length: half }, (_, k) => g * half + k))
        const C = new Float64Array(1)
        const evaluate = () => {
          kind.evaluate(rows, 0, x, C)
          return C[0]!
        }
        let lambda = 0
        for (let round = 0; round < 2; round++) {
          const value = evaluate()
          const all = members.flatMap((group) => ways(masses, x, group))
          const slopes = all.map((moves) => {
            const before = x.slice()
            const shifted = (step: number) => {
              x.set(before.map((p, k) => p + step * moves[k]!))
              return evaluate()
            }
            const slope = (shifted(1e-6) - shifted(-1e-6)) / 2e-6
            x.set(before)
            return slope
          })
          // M of the six ways of each group; (J M^-1 J^T + alphaTilde) change = -C - alphaTilde lambda.
          const M = all.map((a) =>
            all.map((b) => a.reduce((sum, p, k) => sum + masses[Math.floor(k / 3)]! * p * b[k]!, 0)),
          )
          const answer = solve(M, slopes)
          const weight = slopes.reduce((sum, slope, k) => sum + slope * answer[k]!, 0)
          const alpha = rows.material[0]!
          const change = (-value - alpha * lambda) / (weight + alpha)
          lambda += change
          const expected = x.map(
            (p, k) => p + change * all.reduce((sum, moves, way) => sum + answer[way]! * moves[k]!, 0),
          )
          sweep(one)
          x.forEach((p, k) => expect(Math.abs(p - expected[k]!)).toBeLessThan(1e-6 * (1 + Math.abs(change) * weight)))
          expect(Math.abs(rows.lambda[0]! - lambda)).toBeLessThan(1e-5 * (1 + Math.abs(lambda)))
        }
      }
      expect(groupsSeen).toBeGreaterThan(10)
    })
  }
})

describe.each(energies)('energy kind $name', (kind) => {
  it('moves by -w grad of C^T C / (2 alphaTilde) where that is little, seeds 1 to 40', () => {
    for (const seed of seeds(40)) {
      const random = new Random(seed)
      // A flat tetrahedron answers up to 1e6 times as much as it is wide, and one drawn out is held by 1.5 times that.
      const one = draw(kind, random, { softness: random.scale(0.01, 10), pins: seed % 4 === 0, unitCompliance: 1e12 })
      const { rows, columns, rest } = one
      const { positions: x, inverseMasses } = columns
      const bend = random.array(rest.length)
      x.set(placed(rest, random.rotation(), random.vector(1)).map((value, k) => value + 0.3 * bend[k]!))
      const start = x.slice()
      const C = new Float64Array(kind.lambdaSize)
      const energy = () => {
        kind.evaluate(rows, 0, x, C)
        return C.reduce((sum, value, r) => sum + (value * value) / (2 * rows.material[kind.compliances![r]!]!), 0)
      }
      const step = 1e-5
      const expected = x.map((value, k) => {
        x[k] = value + step
        const above = energy()
        x[k] = value - step
        const below = energy()
        x[k] = value
        return (inverseMasses[Math.floor(k / 3)]! * (below - above)) / (2 * step)
      })
      sweep(one)
      // Differences are good to step^2 of slopes that grow as strains do.
      const most = largest(expected)
      x.forEach((value, k) => expect(Math.abs(value - start[k]! - expected[k]!)).toBeLessThan(1e-4 * most + 1e-15))
    }
  })
})

describe.each(rigidScalars)('rigid $name', (kind) => {
  it('is met at once where nothing curves, seeds 1 to 20', () => {
    for (const seed of seeds(20)) {
      const one = draw(kind, new Random(seed), { softness: 0, pins: false })
      for (let k = 0; k < 60; k++) sweep(one)
      const C = new Float64Array(1)
      kind.evaluate(one.rows, 0, one.columns.positions, C)
      expect(Math.abs(C[0]!)).toBeLessThan(1e-9)
    }
  })
})

describe.each(goals)('goal kind $name', (kind) => {
  const weightedDistance = (x: Float64Array, g: Float64Array, m: Float64Array) =>
    x.reduce((sum, value, k) => sum + m[Math.floor(k / 3)]! * (value - g[k]!) ** 2, 0)

  it('has goals that are a proper rigid placement of the rest shape, the nearest by mass, seeds 1 to 30', () => {
    for (const seed of seeds(30)) {
      const random = new Random(seed)
      const one = draw(kind, random, { softness: 0, pins: false })
      const { masses, positions } = one.columns
      const n = masses.length
      if (seed % 3 === 0) for (let k = 0; k < n; k++) positions[k * 3] = -one.rest[k * 3]! // mirrored
      const x = positions.slice()
      sweep(one) // rigid: every particle goes to its goal
      const g = positions
      const zero = new Float64Array(3 * n)
      const center = motionOf(masses, x, zero).center
      const restCenter = motionOf(masses, one.rest, zero).center
      const q = one.rest.map((value, k) => value - restCenter[k % 3]!)
      const a = Array.from({ length: 9 }, () => 0)
      const b = Array.from({ length: 9 }, () => 0)
      for (let k = 0; k < n; k++) {
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j < 3; j++) {
            a[i * 3 + j]! += masses[k]! * (x[k * 3 + i]! - center[i]!) * q[k * 3 + j]!
            b[i * 3 + j]! += masses[k]! * (g[k * 3 + i]! - center[i]!) * q[k * 3 + j]!
          }
        }
      }
      const spread =
        weightedDistance(
          x,
          x.map((_, k) => center[k % 3]!),
          masses,
        ) + weightedDistance(q, zero, masses)
      // sum m |x - c - R q|^2 = spread - 2 tr(R^T A), least at the maximiser.
      const { rotation, maximum, gap } = maximiser(a)
      const distance = weightedDistance(x, g, masses)
      expect(Math.abs(distance - (spread - 2 * maximum))).toBeLessThan(1e-9 * spread)
      // Near a tie the nearest placement is not the only one: there the distance above is all that is asked for.
      const sure = gap > 0.01
      g.forEach((value, k) => {
        const [p, d] = [k - (k % 3), k % 3]
        const R = rotation!.slice(d * 3, d * 3 + 3)
        const goal = center[d]! + R[0]! * q[p]! + R[1]! * q[p + 1]! + R[2]! * q[p + 2]!
        expect(sure ? Math.abs(value - goal) : 0).toBeLessThan(1e-5)
      })
      // Proper and rigid: lengths between goals are those at rest, and their overlap with the rest shape is a rotation's.
      for (let k = 1; k < n; k++) {
        const between = (y: Float64Array) => Math.hypot(y[k * 3]! - y[0]!, y[k * 3 + 1]! - y[1]!, y[k * 3 + 2]! - y[2]!)
        expect(between(g)).toBeCloseTo(between(q), 10)
      }
      expect(overlap(maximiser(b).rotation!, b)).toBeCloseTo(weightedDistance(q, zero, masses), 9)
      // No other placement is nearer, near by or far away.
      for (let trial = 0; trial < 40; trial++) {
        const turn = random.rotation()
        const far = placed(q, turn, center)
        const small = random.vector(0.02)
        const near = placed(
          g.map((value, k) => value - center[k % 3]!),
          [...small, Math.sqrt(1 - small[0] ** 2 - small[1] ** 2 - small[2] ** 2)],
          center,
        )
        const moved = far.map((value, k) => value + [0.01, 0, -0.02][k % 3]!)
        for (const other of [far, near, moved])
          expect(weightedDistance(x, other, masses)).toBeGreaterThan(distance - 1e-9 * spread)
      }
    }
  })

  for (const softness of [0.2, 5]) {
    it(`makes compliant moves, mass by mass, softness ${softness}, seeds 1 to 20`, () => {
      for (const seed of seeds(20)) {
        const rigid = draw(kind, new Random(seed), { softness: 0, pins: true })
        const soft = draw(kind, new Random(seed), { softness, pins: true })
        const { positions: x, masses, inverseMasses: w } = soft.columns
        const lambda = new Float64Array(x.length)
        for (let round = 0; round < 2; round++) {
          // Goals: where a body without pins or compliance goes.
          rigid.columns.positions.set(x)
          rigid.columns.inverseMasses.set(masses.map((m) => 1 / m))
          rigid.rows.lambda.fill(0)
          sweep(rigid)
          const expected = x.map((value, k) => {
            const i = Math.floor(k / 3)
            if (w[i] === 0) return value
            // XPBD of one particle held to its goal, with alpha_i / h^2 = softness / m_i.
            const alpha = softness / masses[i]!
            const change = (rigid.columns.positions[k]! - value - alpha * lambda[k]!) / (w[i]! + alpha)
            lambda[k]! += change
            return value + w[i]! * change
          })
          sweep(soft)
          x.forEach((value, k) => expect(Math.abs(value - expected[k]!)).toBeLessThan(1e-12))
        }
      }
    })
  }
})

describe.each(kinds)('every kind: $name', (kind) => {
  it('moves nothing at rest, however placed, seeds 1 to 30', () => {
    for (const seed of seeds(30)) {
      const random = new Random(seed)
      for (const softness of [0, 2]) {
        const one = draw(kind, random, { softness, pins: seed % 2 === 0 })
        one.columns.positions.set(placed(one.rest, random.rotation(), random.vector(5)))
        const before = one.columns.positions.slice()
        sweep(one)
        sweep(one)
        // Rounding of coordinates up to 7, times the largest inverse mass, 20, over gradients and rest volumes that may be small.
        one.columns.positions.forEach((value, k) => expect(Math.abs(value - before[k]!)).toBeLessThan(1e-10))
      }
    }
  })

  it('moves nothing that is pinned, seeds 1 to 20', () => {
    for (const seed of seeds(20)) {
      const one = draw(kind, new Random(seed), { softness: 0.1, pins: true })
      const before = one.columns.positions.slice()
      sweep(one)
      const pinned = (x: Float64Array) => x.filter((_, k) => one.columns.inverseMasses[Math.floor(k / 3)] === 0)
      expect(pinned(one.columns.positions)).toEqual(pinned(before))
    }
  })

  it('names its parameters with their units', () => {
    expect(Object.keys(kind.parameters).length).toBeGreaterThan(0)
    for (const { quantity, unit } of Object.values(kind.parameters))
      expect(quantity.length * unit.length).toBeGreaterThan(0)
  })
})

describe.each(internals)('internal kind $name', (kind) => {
  for (const softness of [0, 1]) {
    it(`keeps linear and angular momentum in every projection, softness ${softness}, seeds 1 to 60`, () => {
      for (const seed of seeds(60)) {
        // Energies keep it where a substep resolves them.
        const unitCompliance = kind.contract === 'energy' ? 1e8 : 1
        const one = draw(kind, new Random(seed), { softness, pins: false, unitCompliance })
        for (let round = 0; round < 2; round++) {
          const x = one.columns.positions.slice()
          sweep(one)
          const moves = one.columns.positions.map((value, k) => value - x[k]!)
          const { momentum, angularMomentum, momentumSize, angularSize } = motionOf(
            one.columns.masses,
            x,
            moves,
            [0, 0, 0],
          )
          // Rounding of positions near one, weighed by mass, is the floor: 1e-16 each.
          const floor = 1e-15 * one.columns.masses.reduce((sum, m) => sum + m, 0)
          expect(largest(momentum)).toBeLessThan(1e-12 * momentumSize + floor)
          expect(largest(angularMomentum)).toBeLessThan(1e-12 * angularSize + floor)
        }
      }
    })
  }
})

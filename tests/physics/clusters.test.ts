import { describe, expect, it } from 'vitest'
import { clusterGroups } from '../../src/core/bodies/clusters.js'
import type { Columns, Rows } from '../../src/core/constraints/kind.js'
import { quaternionToMatrix } from '../../src/core/math/rotation.js'
import {
  type Body,
  type Model,
  ModelBuilder,
  runToEnd,
  shapeMatching,
  tetMeshModel,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { ballLattice, boxLattice } from '../support/lattice.js'
import { bodyMotion, expectHealthy, motionOf, positionsOf, rmsSpeed, run } from '../support/laws.js'
import { maximiser } from '../support/rotations.js'

const LENGTH = 2
const barMesh = boxLattice([LENGTH, 0.4, 0.4], [16, 2, 2])
const bar = (clusters: number): Model => tetMeshModel(barMesh, undefined, { clusters }).model
const shapeOf = (model: Model) => model.sets.find(({ name }) => name === 'shape')!
/** The members of each group. */
const groupsOf = (model: Model): number[][] => {
  const { indices, offsets, count } = shapeOf(model)
  return Array.from({ length: count }, (_, g) => Array.from(indices.slice(offsets[g], offsets[g + 1])))
}

const floating = (model: Model, shape: Record<string, number>, shapeDamping = 0) => {
  const world = new World({ gravity: [0, 0, 0] })
  const elastic = { edges: false, neoHookean: false, volumes: false, shape } as const
  return { world, body: world.addBody(model, { elastic, shapeDamping }) }
}

/** Puts every particle at `x` [3 n] m, at rest. */
function put(world: World, body: Body, x: Float64Array): void {
  const all = Array.from({ length: body.particleCount }, (_, i) => i)
  body.pin(all)
  world.flush()
  for (const i of all) body.movePin(i, [x[i * 3]!, x[i * 3 + 1]!, x[i * 3 + 2]!])
  world.step()
  body.unpin()
  body.setVelocity([0, 0, 0])
}

/** Root of the mean square distance of the particles from the nearest rigid placement of their rest shape [m]. */
function misfit(body: Body): number {
  const shares = body.model.massShares
  const x = positionsOf(body)
  const q = body.model.positions
  const zero = new Float64Array(x.length)
  const [c, o] = [motionOf(shares, x, zero).center, motionOf(shares, q, zero).center]
  const A = Array.from({ length: 9 }, () => 0)
  let sum = 0
  for (let i = 0; i < shares.length; i++) {
    for (let a = 0; a < 3; a++) {
      const p = x[i * 3 + a]! - c[a]!
      sum += shares[i]! * (p * p + (q[i * 3 + a]! - o[a]!) ** 2)
      for (let b = 0; b < 3; b++) A[a * 3 + b]! += shares[i]! * p * (q[i * 3 + b]! - o[b]!)
    }
  }
  return Math.sqrt(Math.max(0, sum - 2 * maximiser(A).maximum))
}

/** A bar along x, bent to an arc of `angle` and twisted by as much from end to end. */
function bent(rest: Float64Array, angle: number): Float64Array {
  const out = rest.slice()
  for (let p = 0; p < out.length; p += 3) {
    const t = (angle * rest[p]!) / LENGTH
    const [y, z] = [
      rest[p + 1]! * Math.cos(t) - rest[p + 2]! * Math.sin(t),
      rest[p + 1]! * Math.sin(t) + rest[p + 2]! * Math.cos(t),
    ]
    const radius = LENGTH / angle
    out[p] = (radius - y) * Math.sin(t)
    out[p + 1] = radius - (radius - y) * Math.cos(t)
    out[p + 2] = z
  }
  return out
}

/** All groups of a model as a backend bakes them, with columns of their own. */
function baked(model: Model, positions: Float64Array, material: readonly [number, number]): [Rows, Columns] {
  const { indices, offsets, rest, count } = shapeOf(model)
  const size = shapeMatching.materialSize
  const rows: Rows = {
    count,
    indices,
    offsets,
    rest,
    material: Float64Array.from({ length: size * count }, (_, k) => material[k % size] ?? 0),
    lambda: new Float64Array(rest.length),
    iterated: true,
    rotations: Uint32Array.from({ length: count }, (_, k) => k),
  }
  const masses = model.massShares.map((share) => 10 * share)
  const inverseMasses = masses.map((mass) => 1 / mass)
  const rotations = Float64Array.from({ length: 4 * count }, (_, k) => (k % 4 === 3 ? 1 : 0))
  return [rows, { positions: positions.slice(), previous: positions.slice(), masses, inverseMasses, rotations }]
}

describe('groups', () => {
  for (const [name, mesh] of Object.entries({ bar: barMesh, ball: ballLattice(0.5, 6) })) {
    for (const clusters of [2, 4, 7, 16]) {
      it(`cover a ${name} in ${clusters} cells, and share what lies between them`, () => {
        const { model } = tetMeshModel(mesh, undefined, { clusters })
        const groups = groupsOf(model)
        const of = Array.from({ length: model.particleCount }, (): Set<number> => new Set())
        groups.forEach((members, g) => {
          expect(new Set(members).size).toBe(members.length)
          for (const i of members) of[i]!.add(g)
        })
        for (const own of of) expect(own.size).toBeGreaterThan(0)
        // Both ends of an edge are in a group together: so no group of a connected body stands alone.
        for (let e = 0; e < model.edges.length; e += 2) {
          const [a, b] = [of[model.edges[e]!]!, of[model.edges[e + 1]!]!]
          expect([...a].some((g) => b.has(g))).toBe(true)
        }
        const whole = new Set<number>()
        for (let t = 0; t < model.tets.length; t += 4) {
          const [first, ...others] = Array.from(model.tets.slice(t, t + 4), (i) => of[i]!)
          for (const g of first!) if (others.every((one) => one.has(g))) whole.add(g)
        }
        expect(whole.size).toBe(groups.length)
      })
    }
  }

  it('of a bar in 4 cells are 4, each with half of its neighbours', () => {
    const model = bar(4)
    const groups = groupsOf(model).sort((a, b) => a[0]! - b[0]!)
    const spans = groups.map((members) => {
      const x = members.map((i) => model.positions[i * 3]!)
      return [Math.min(...x), Math.max(...x)]
    })
    expect(spans).toEqual([
      [-1, -0.25],
      [-0.75, 0.25],
      [-0.25, 0.75],
      [0.25, 1],
    ])
  })

  it('soften each other by how many of them hold a particle, in the mean of the mass', () => {
    const model = bar(4)
    const { unitCompliance } = shapeOf(model)
    const groups = groupsOf(model)
    groups.forEach((members, g) => {
      const mass = members.reduce((sum, i) => sum + model.massShares[i]!, 0)
      const held = members.map((i) => model.massShares[i]! * groups.filter((one) => one.includes(i)).length)
      expect(unitCompliance[g]).toBeCloseTo(held.reduce((sum, value) => sum + value, 0) / mass, 12)
      expect(unitCompliance[g]).toBeGreaterThan(1.5)
    })
  })

  it('do not join limbs that lie side by side', () => {
    // Two chains of 20 particles, a millimetre apart.
    const positions = Float64Array.from({ length: 120 }, (_, k) => [((k / 3) | 0) % 20, k < 60 ? 0 : 0.001, 0][k % 3]!)
    const links = Array.from({ length: 19 }, (_, i) => [i, i + 1, i + 20, i + 21]).flat()
    const { indices, offsets } = runToEnd(
      clusterGroups(positions, Uint32Array.from(links), new Float64Array(40).fill(1), 4),
    )
    expect(offsets.length - 1).toBe(8)
    for (let g = 0; g < 8; g++) {
      const members = indices.slice(offsets[g], offsets[g + 1])
      expect(new Set(members.map((i) => Number(i >= 20))).size).toBe(1)
    }
  })

  it('of one cell are the body as a whole', () => {
    expect(groupsOf(bar(1))).toEqual([Array.from({ length: bar(1).particleCount }, (_, i) => i)])
    expect(shapeOf(bar(1)).unitCompliance).toEqual(Float64Array.of(1))
  })

  it('are refused in a number out of range', () => {
    for (const clusters of [0, 1.5, 17]) expect(() => bar(clusters)).toThrow(/<SoftBody> clusters=/)
  })

  it('that are one body twice over are as stiff as one', () => {
    const all = Array.from({ length: 8 }, (_, i) => i)
    const corners = Float64Array.from({ length: 24 }, (_, k) => (((k / 3) | 0) >> (k % 3)) & 1)
    const speeds = [1, 2].map((times) => {
      const model = new ModelBuilder(corners)
        .with({ elastic: { shape: { rate: 10 } } })
        .constrain('shape', shapeMatching, Uint32Array.from(Array.from({ length: times }, () => all).flat()), {
          offsets: Uint32Array.from({ length: times + 1 }, (_, g) => 8 * g),
          unitCompliance: () => times,
        })
        .build()
      const world = new World({ gravity: [0, 0, 0] })
      const body = world.addBody(model)
      put(
        world,
        body,
        corners.map((x) => 1.1 * x),
      )
      run(world, 0.05)
      return rmsSpeed(body)
    })
    // Equal but for what the second row sees of the first one's move, (h rate)^2 = 3e-4 of it.
    expect(Math.abs(speeds[1]! / speeds[0]! - 1)).toBeLessThan(1e-3)
  })
})

const starts: Record<string, (x: number, d: number, random: Random) => number> = {
  'in one point': () => 0.3,
  'in one line': (x, d) => (d === 0 ? x : 0),
  'in one plane': (x, d) => (d === 1 ? 0 : x),
  mirrored: (x, d) => (d === 0 ? -x : x),
  'at random': (_x, _d, random) => random.uniform(-0.5, 0.5),
}
describe('a body of clusters', () => {
  for (const clusters of [1, 4, 8]) {
    for (const linear of [0, 0.7]) {
      const title = `${clusters} cells, linear ${linear}`

      it(`stays at rest however it is turned, ${title}`, () => {
        const random = new Random(clusters)
        const { world, body } = floating(bar(clusters), { rate: 200, linear })
        body.teleport(random.vector(3), random.rotation())
        world.flush()
        const before = positionsOf(body)
        run(world, 0.5)
        // Rounding of coordinates up to 3, 4e-16, over h is a speed of 3e-13 in every one of 300 substeps.
        positionsOf(body).forEach((value, k) => expect(Math.abs(value - before[k]!)).toBeLessThan(1e-10))
        expectHealthy(world)
      })

      it(`keeps its momentum row by row and sweep by sweep, ${title}, seeds 1 to 5`, () => {
        for (const seed of seeds(5)) {
          const random = new Random(seed)
          const model = bar(clusters)
          const x = model.positions.map((value) => value + random.uniform(-0.2, 0.2))
          for (const softness of [0, 3]) {
            const [rows, columns] = baked(model, x, [softness, linear])
            for (let row = 0; row < rows.count; row++) {
              const before = columns.positions.slice()
              shapeMatching.project(rows, row, row + 1, columns)
              const moves = columns.positions.map((value, k) => value - before[k]!)
              const { momentum, angularMomentum, momentumSize, angularSize } = motionOf(
                columns.masses,
                before,
                moves,
                [0, 0, 0],
              )
              for (let d = 0; d < 3; d++) {
                expect(Math.abs(momentum[d]!)).toBeLessThan(1e-12 * momentumSize)
                expect(Math.abs(angularMomentum[d]!)).toBeLessThan(1e-12 * angularSize)
              }
            }
          }
        }
      })

      it(`is the same from every side, ${title}, seeds 1 to 5`, () => {
        for (const seed of seeds(5)) {
          const random = new Random(seed)
          const model = bar(clusters)
          const R = new Float64Array(9)
          quaternionToMatrix(Float64Array.from(random.rotation()), 0, R)
          const turned = (x: Float64Array) =>
            x.map((_, k) => {
              const [p, d] = [k - (k % 3), k % 3]
              return R[d * 3]! * x[p]! + R[d * 3 + 1]! * x[p + 1]! + R[d * 3 + 2]! * x[p + 2]!
            })
          const x = model.positions.map((value) => value + random.uniform(-0.05, 0.05))
          const [rows, straight] = baked(model, x, [1, linear])
          const [others, other] = baked(model, turned(x), [1, linear])
          for (let sweep = 0; sweep < 3; sweep++) {
            shapeMatching.project(rows, 0, rows.count, straight)
            shapeMatching.project(others, 0, others.count, other)
          }
          const expected = turned(straight.positions)
          other.positions.forEach((value, k) => expect(Math.abs(value - expected[k]!)).toBeLessThan(1e-11))
        }
      })

      it(`keeps its linear momentum over a run, ${title}`, () => {
        const { world, body } = floating(bar(clusters), { rate: 60, linear })
        put(world, body, bent(body.model.positions, 1.5))
        body.setVelocity([1, 2, -3], [0.5, 1, 2])
        world.flush()
        const before = bodyMotion(body)
        run(world, 2)
        const after = bodyMotion(body)
        for (let d = 0; d < 3; d++) {
          expect(Math.abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(1e-9 * before.momentumSize)
        }
        expectHealthy(world)
      })
    }
  }

  for (const linear of [0, 0.5]) {
    it(`bends and twists and comes back, linear ${linear}`, () => {
      const { world, body } = floating(bar(4), { rate: 60, linear }, 2)
      put(world, body, bent(body.model.positions, 2))
      expect(misfit(body)).toBeGreaterThan(0.05 * LENGTH)
      run(world, 3)
      expect(misfit(body)).toBeLessThan(0.01 * LENGTH)
      expectHealthy(world)
    })
  }

  it('resists a bend less, the more cells there are', () => {
    const speeds = [1, 2, 4].map((clusters) => {
      const { world, body } = floating(bar(clusters), { rate: 60 })
      put(world, body, bent(body.model.positions, 1))
      world.step()
      return rmsSpeed(body)
    })
    // A group of half the length has a quarter of the sagitta; groups at the ends are shorter, and twist adds to it.
    expect(speeds[1]! / speeds[0]!).toBeLessThan(0.8)
    expect(speeds[2]! / speeds[1]!).toBeLessThan(0.6)
  })

  for (const [start, place] of Object.entries(starts)) {
    for (const clusters of [1, 4, 8]) {
      for (const linear of [0, 0.7]) {
        it(`comes back when it starts ${start}, ${clusters} cells, linear ${linear}, seed 3`, () => {
          const random = new Random(3)
          const { world, body } = floating(bar(clusters), { rate: 60, linear }, 2)
          put(
            world,
            body,
            body.model.positions.map((x, k) => place(x, k % 3, random)),
          )
          run(world, 10)
          expect(misfit(body)).toBeLessThan(1e-3 * LENGTH)
          expectHealthy(world)
        })
      }
    }
  }
})

describe('linear shape matching', () => {
  /** Where particles of any masses go in one rigid sweep, and the parts that the goals are made of. */
  function matched(seed: number, beta: number, grown = 0) {
    const random = new Random(seed)
    const n = random.integer(5, 12)
    const masses = Float64Array.from({ length: n }, () => random.scale(0.1, 10))
    const indices = Uint32Array.from({ length: n }, (_, i) => i)
    const rest = new Float64Array(3 * n)
    shapeMatching.measure(random.array(3 * n), indices, 0, n, masses, rest, 0)
    const x = random.array(3 * n)
    const rows: Rows = {
      count: 1,
      indices,
      offsets: Uint32Array.of(0, n),
      rest,
      material: Float64Array.of(0, beta, 0, grown),
      lambda: new Float64Array(3 * n),
      iterated: true,
      rotations: Uint32Array.of(0),
    }
    const columns: Columns = {
      positions: x.slice(),
      previous: x.slice(),
      masses,
      inverseMasses: masses.map((m) => 1 / m),
      rotations: Float64Array.of(0, 0, 0, 1),
    }
    shapeMatching.project(rows, 0, 1, columns)
    return { random, masses, rest, x, goals: columns.positions, center: motionOf(masses, x, x).center }
  }
  const distance = (x: Float64Array, g: Float64Array, m: Float64Array) =>
    x.reduce((sum, value, k) => sum + m[Math.floor(k / 3)]! * (value - g[k]!) ** 2, 0)

  for (const grown of [0, 0.3]) {
    it(`has goals that are the nearest of all linear maps that keep the volume, grown by ${grown}, seeds 1 to 30`, () => {
      for (const seed of seeds(30)) {
        const { random, masses, rest, x, goals, center } = matched(seed, 1, grown)
        const centred = Float64Array.from(goals, (value, k) => value - center[k % 3]!)
        expect(distanceFromMap(rest, centred)).toBeLessThan(1e-9)
        const volume = det(moments(centred, rest, masses)) / det(moments(rest, rest, masses))
        expect(Math.abs(volume / (1 + grown) ** 3 - 1)).toBeLessThan(1e-9)
        const size = masses.reduce((sum, m) => sum + m, 0)
        const least = distance(x, goals, masses)
        for (let trial = 0; trial < 40; trial++) {
          const D = random.array(9, trial < 20 ? 0.1 : 2).map((value, k) => value + (k % 4 === 0 ? 1 : 0))
          const scale = 1 / Math.cbrt(det(D))
          const other = goals.map((_, k) => {
            const [p, d] = [k - (k % 3), k % 3]
            const [a, b, c] = [centred[p]!, centred[p + 1]!, centred[p + 2]!]
            return center[d]! + scale * (D[d * 3]! * a + D[d * 3 + 1]! * b + D[d * 3 + 2]! * c)
          })
          expect(distance(x, other, masses)).toBeGreaterThan(least - 1e-11 * size)
        }
      }
    })
  }

  const deformed: typeof starts = { ...starts, crushed: (x, d) => (d === 1 ? x / 2 : x) }
  for (const clusters of [1, 4]) {
    for (const [start, place] of Object.entries(deformed)) {
      it(`alone keeps the volume of a body that starts ${start}, ${clusters} cells, seed 3`, () => {
        const random = new Random(3)
        const { world, body } = floating(bar(clusters), { rate: 60, linear: 1 }, 2)
        put(
          world,
          body,
          body.model.positions.map((x, k) => place(x, k % 3, random)),
        )
        run(world, 10)
        expect(Math.abs(body.volume() / body.model.volume - 1)).toBeLessThan(0.01)
        expectHealthy(world)
      })
    }
  }

  it('mixes that map with the nearest rigid placement, seeds 1 to 30', () => {
    for (const seed of seeds(30)) {
      const [rigid, mixed, free] = [0, 0.3, 1].map((beta) => matched(seed, beta).goals) as [
        Float64Array,
        Float64Array,
        Float64Array,
      ]
      mixed.forEach((value, k) => expect(Math.abs(value - (0.7 * rigid[k]! + 0.3 * free[k]!))).toBeLessThan(1e-11))
    }
  })

  it('is rigid where the rest shape is flat, and never anything but a number', () => {
    for (const flat of [1, 2, 3]) {
      const q = Float64Array.from({ length: 15 }, (_, k) => (k % 3 < 3 - flat ? ((k * 7) % 5) - 2 : 0))
      const moved = [0, 1].map((linear) => {
        const model = new ModelBuilder(q)
          .with({ elastic: { shape: { rate: 60, linear } } })
          .constrain('shape', shapeMatching, Uint32Array.of(0, 1, 2, 3, 4), { offsets: Uint32Array.of(0, 5) })
          .build()
        const world = new World({ gravity: [0, 0, 0] })
        const body = world.addBody(model)
        put(
          world,
          body,
          q.map((x, k) => x + 0.2 * Math.sin(k)),
        )
        run(world, 1)
        expectHealthy(world)
        return positionsOf(body)
      })
      expect(moved[0]!.every(Number.isFinite)).toBe(true)
      expect(moved[1]).toEqual(moved[0])
    }
  })

  for (const linear of [0.5, 0.9]) {
    it(`gains no energy, ${linear}`, () => {
      const { world, body } = floating(bar(4), { rate: 20, linear })
      put(
        world,
        body,
        body.model.positions.map((x, k) => (k % 3 === 1 ? 0.1 * x : x)),
      )
      let highest = 0
      run(world, 1, () => (highest = Math.max(highest, rmsSpeed(body))))
      expect(highest).toBeGreaterThan(0.05)
      run(world, 15, () => expect(rmsSpeed(body)).toBeLessThan(1.05 * highest))
      expectHealthy(world)
    })
  }
})

/** sum m a b^T, row by row. */
const moments = (a: Float64Array, b: Float64Array, m: Float64Array) =>
  Float64Array.from({ length: 9 }, (_, k) =>
    m.reduce((sum, mass, i) => sum + mass * a[i * 3 + ((k / 3) | 0)]! * b[i * 3 + (k % 3)]!, 0),
  )

const det = (A: Float64Array) =>
  A[0]! * (A[4]! * A[8]! - A[5]! * A[7]!) -
  A[1]! * (A[3]! * A[8]! - A[5]! * A[6]!) +
  A[2]! * (A[3]! * A[7]! - A[4]! * A[6]!)

/** How far `g` is from a linear map of `q`, by least squares over its own normal equations. */
function distanceFromMap(q: Float64Array, g: Float64Array): number {
  const n = q.length / 3
  const Q = Array.from({ length: 9 }, () => 0)
  for (let i = 0; i < n; i++) for (let a = 0; a < 9; a++) Q[a]! += q[i * 3 + ((a / 3) | 0)]! * q[i * 3 + (a % 3)]!
  const cof = (a: number, b: number) => {
    const [r, s, u, v] = [(a + 1) % 3, (a + 2) % 3, (b + 1) % 3, (b + 2) % 3]
    return Q[r * 3 + u]! * Q[s * 3 + v]! - Q[r * 3 + v]! * Q[s * 3 + u]!
  }
  const det = Q[0]! * cof(0, 0) + Q[1]! * cof(0, 1) + Q[2]! * cof(0, 2)
  let worst = 0
  for (let d = 0; d < 3; d++) {
    const b = [0, 1, 2].map((a) => g.reduce((sum, value, k) => (k % 3 === d ? sum + value * q[k - d + a]! : sum), 0))
    const map = [0, 1, 2].map((a) => (cof(0, a) * b[0]! + cof(1, a) * b[1]! + cof(2, a) * b[2]!) / det)
    for (let i = 0; i < n; i++) {
      const value = map[0]! * q[i * 3]! + map[1]! * q[i * 3 + 1]! + map[2]! * q[i * 3 + 2]!
      worst = Math.max(worst, Math.abs(value - g[i * 3 + d]!))
    }
  }
  return worst
}

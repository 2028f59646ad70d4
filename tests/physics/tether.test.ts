import { describe, expect, it } from 'vitest'
import { nearSources } from '../../src/core/mesh/geodesics.js'
import { type Body, clothMeshModel, clothModel, type Model, SettingError, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { mechanicalEnergy } from '../support/energy.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, expectHealthy, positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { irregularSheet } from '../support/sheets.js'

const { hypot, max, min, sqrt, PI, SQRT1_2 } = Math
const between = (x: ArrayLike<number>, i: number, j: number) =>
  hypot(x[i * 3]! - x[j * 3]!, x[i * 3 + 1]! - x[j * 3 + 1]!, x[i * 3 + 2]! - x[j * 3 + 2]!)
const square = (cells: number) => clothModel({ width: 1, height: 1, segmentsX: cells, segmentsY: cells }).model
const topRow = (cells: number) => Array.from({ length: cells + 1 }, (_, i) => i)

/** Errors of the ways found, as parts of the true ones: the most that one is too long, and too short. */
function errors(x: Float64Array, triangles: Uint32Array, pins: number[], way: (i: number, j: number) => number) {
  const { points, sources, distances } = nearSources(x, triangles, pins, 4)
  const parts = Array.from(points, (point, k) => distances[k]! / way(point, sources[k]!) - 1)
  return { rows: points.length, long: max(0, ...parts), short: -min(0, ...parts) }
}

describe('ways along a mesh', () => {
  it('are straight on a flat grid, from corners, an edge, its middle', () => {
    for (const cells of [5, 24]) {
      const {
        positions: x,
        triangles,
        particleCount,
      } = clothModel({
        width: 1,
        height: 1.3,
        segmentsX: cells,
        segmentsY: cells,
      }).model
      for (const pins of [[0, cells], topRow(cells), [particleCount >> 1], [0, particleCount - 1, cells]]) {
        const { rows, long, short } = errors(x, triangles, pins, (i, j) => between(x, i, j))
        const groups = pins === undefined || pins.length > 3 ? 1 : pins.length
        expect(rows).toBe(groups * (particleCount - pins.length))
        expect(max(long, short)).toBeLessThan(1e-9)
      }
    }
  })

  it('are straight on a flat irregular mesh, seeds 1 to 3', () => {
    for (const seed of seeds(3)) {
      const { model } = clothMeshModel(irregularSheet(1, 1, 20, 20, 0.4, new Random(seed)))
      const { positions: x, triangles } = model
      const one = errors(x, triangles, [0], (i, j) => between(x, i, j))
      expect(max(one.long, one.short)).toBeLessThan(1e-8)
      const top = Array.from({ length: model.particleCount }, (_, i) => i).filter((i) => x[i * 3 + 1]! > 0.499)
      const many = errors(x, triangles, top, (i, j) => between(x, i, j))
      expect(many.short).toBeLessThan(1e-9)
      expect(many.long).toBeLessThan(0.005)
    }
  })

  it('go round a cylinder, not through it', () => {
    const [around, up, radius] = [40, 20, 0.3]
    const positions: number[] = []
    const index: number[] = []
    for (let j = 0; j <= up; j++) {
      for (let i = 0; i < around; i++) {
        positions.push(radius * Math.cos((2 * PI * i) / around), j / up, radius * Math.sin((2 * PI * i) / around))
        const [a, b] = [j * around + i, j * around + ((i + 1) % around)]
        if (j < up) index.push(a, b, a + around, b, b + around, a + around)
      }
    }
    const facet = 2 * radius * Math.sin(PI / around)
    const { long, short } = errors(Float64Array.from(positions), Uint32Array.from(index), [0], (i) => {
      const column = i % around
      return hypot(min(column, around - column) * facet, Math.floor(i / around) / up)
    })
    expect(max(long, short)).toBeLessThan(1e-9)
  })

  it('bend round a notch: no shorter than they are, and at most 1% longer', () => {
    const n = 24
    const x = new Float64Array((n + 1) * (n + 1) * 3)
    const index: number[] = []
    for (let j = 0; j <= n; j++) {
      for (let i = 0; i <= n; i++) {
        x.set([i / n, j / n, 0], (j * (n + 1) + i) * 3)
        const a = j * (n + 1) + i
        if (i === n || j === n || (i >= n / 2 && j >= n / 2)) continue
        if ((i + j) % 2) index.push(a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1)
        else index.push(a, a + 1, a + n + 2, a, a + n + 2, a + n + 1)
      }
    }
    const source = n * (n + 1) + n / 2
    const { long, short, rows } = errors(x, Uint32Array.from(index), [source], (i) => {
      const [px, py] = [x[i * 3]!, x[i * 3 + 1]!]
      return px <= 0.5 ? hypot(px - 0.5, py - 1) : 0.5 + hypot(px - 0.5, py - 0.5)
    })
    expect(rows).toBe(new Set(index).size - 1)
    expect(short).toBeLessThan(1e-9)
    expect(long).toBeLessThan(0.01)
  })

  it('lead nowhere from pins of another piece', () => {
    const x = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0)
    const { points, sources } = nearSources(x, Uint32Array.of(0, 1, 2, 3, 4, 5), [3], 4)
    expect(Array.from(points)).toEqual([4, 5])
    expect(Array.from(sources)).toEqual([3, 3])
    expect(nearSources(x, Uint32Array.of(0, 1, 2), [], 4).points.length).toBe(0)
  })
})

/** Largest and root mean square strain of the edges, without sign in the second. */
function strains(body: Body): [largest: number, rms: number] {
  const { edges, positions } = body.model
  const x = positionsOf(body)
  let largest = 0
  let squares = 0
  for (let e = 0; e < edges.length; e += 2) {
    const strain = between(x, edges[e]!, edges[e + 1]!) / between(positions, edges[e]!, edges[e + 1]!) - 1
    largest = max(largest, strain)
    squares += strain * strain
  }
  return [largest, sqrt((2 * squares) / edges.length)]
}

const cells = 64
const fine = square(cells)
type Hold = [what: string, pins: number[]]
const holds: Hold[] = [['its upper corners', [0, cells]], ...long<Hold>(['its upper edge', topRow(cells)])]

describe.each(holds)(`a cloth of ${cells} x ${cells} cells held at %s, at the default substeps`, (_, pins) => {
  it('is strained by less than 2% at rest with a tether of 1, 0.3% in the mean', () => {
    const world = new World()
    const body = world.addBody(fine, { tether: 1, damping: 4 })
    body.pin(pins)
    body.applyImpulse([0, 0, 0.001])
    run(world, 1.5)
    const [largest, rms] = strains(body)
    expect(largest).toBeLessThan(0.02)
    expect(rms).toBeLessThan(0.003)
    expectHealthy(world)
  })

  it('is strained by less than 15% where it is dropped from the level, and gains no energy', () => {
    const world = new World()
    const body = world.addBody(fine, { tether: 1, rotation: [SQRT1_2, 0, 0, SQRT1_2] })
    body.pin(pins)
    const start = mechanicalEnergy(world, body)
    run(world, 1, () => {
      expect(strains(body)[0]).toBeLessThan(0.15)
      expect(mechanicalEnergy(world, body)).toBeLessThan(start + 1e-6)
    })
    expectHealthy(world)
  })
})

describe('a tether', () => {
  const small = square(8)

  it('does not hinder folding, and holds no farther out than its slack', () => {
    for (const tether of [1, 1.2]) {
      const world = new World()
      const body = world.addBody(small, { tether, elastic: { membrane: false, bend: false } })
      body.pin([0])
      run(world, 2)
      const x = positionsOf(body)
      for (let i = 1; i < small.particleCount; i++) {
        const rest = between(small.positions, i, 0)
        // Nothing else holds them: they hang straight below, as far as they may.
        expect(between(x, i, 0)).toBeLessThan(tether * rest + 1e-9)
      }
      expect(between(x, 80, 0)).toBeGreaterThan(0.9 * tether * SQRT1_2 * 2)
      // Brought together they meet nothing.
      const other = new World({ gravity: [0, 0, 0] })
      const folded = other.addBody(small, { tether, elastic: { membrane: false, bend: false } })
      folded.pin([0, 8])
      folded.movePin(8, [-0.5, 0.5, 0])
      run(other, 0.5)
      expectHealthy(other)
      expect(between(positionsOf(folded), 1, 0)).toBeLessThan(0.125 * tether + 1e-9)
    }
  })

  it('goes with its pin: unpinned a cloth falls freely, pinned elsewhere it hangs from there', () => {
    const world = new World()
    const body = world.addBody(small, { tether: 1 })
    body.pin([0, 8])
    run(world, 0.5)
    body.unpin()
    const before = bodyMotion(body).momentum[1]!
    run(world, 0.2)
    expect(bodyMotion(body).momentum[1]! - before).toBeCloseTo(-9.81 * 0.2 * body.mass, 6)
    body.pin([40])
    run(world, 3)
    const x = positionsOf(body)
    for (let i = 0; i < small.particleCount; i++) {
      expect(between(x, i, 40)).toBeLessThan(between(small.positions, i, 40) + 1e-9)
    }
    expectHealthy(world)
  })

  it('goes on the same from a snapshot taken with other pins', () => {
    const world = new World()
    const body = world.addBody(small, { tether: 1 })
    body.pin([0, 8])
    run(world, 0.3)
    const snapshot = world.snapshot()
    run(world, 0.3)
    const first = positionsOf(body)
    body.unpin()
    body.pin([72])
    run(world, 0.3)
    world.restore(snapshot)
    run(world, 0.3)
    expect(positionsOf(body)).toEqual(first)
  })
})

describe('a limit of strain', () => {
  it('keeps momentum where nothing holds the cloth, and is met, seeds 1 to 3', () => {
    for (const seed of seeds(3)) {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0] })
      const model = square(10)
      const body = world.addBody(model, {
        strainLimit: 0.02,
        elastic: { membrane: { stretchModulus: 5, shearModulus: 1 }, bend: false },
      })
      body.setVelocity(random.vector(1), random.vector(8))
      world.flush()
      const before = bodyMotion(body)
      run(world, 1)
      const after = bodyMotion(body)
      // A place is rounded by some 1e-16 m, a speed by 1e-13 m/s of 3 m/s, in each of a thousand substeps: 1e-12 by chance.
      before.momentum.forEach((value, d) =>
        expect(Math.abs(after.momentum[d]! - value)).toBeLessThan(4e-12 * before.momentumSize),
      )
      expect(strains(body)[0]).toBeLessThan(0.03)
      expectHealthy(world)
    }
  })

  it('holds a soft cloth at its pins', () => {
    const hung = (strainLimit: number) => {
      const world = new World()
      const body = world.addBody(square(16), {
        strainLimit,
        damping: 4,
        elastic: { membrane: { stretchModulus: 20, shearModulus: 2 } },
      })
      body.pin([0, 16])
      run(world, 2)
      expectHealthy(world)
      return strains(body)[0]
    }
    expect(hung(Number.POSITIVE_INFINITY)).toBeGreaterThan(0.2)
    expect(hung(0.05)).toBeLessThan(0.07)
  })
})

describe('a cloth far too soft for its weight', () => {
  it('is drawn out and does not explode', () => {
    const world = new World()
    const body = world.addBody(square(64), { damping: 4 })
    body.pin([0, 64])
    run(world, 0.6)
    expectHealthy(world)
    expect(strains(body)[0]).toBeLessThan(6)
  })
})

describe('what is no cloth', () => {
  it.each(['tether', 'strainLimit'] as const)('refuses %s', (prop) => {
    const model: Model = cube(1, 1)
    expect(() => new World().addBody(model, { [prop]: 1 })).toThrow(SettingError)
    expect(() => new World().addBody(square(2), { [prop]: -1 })).toThrow(prop)
  })
})

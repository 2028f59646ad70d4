// A cloth put through a solid that stands on something, or within it: it comes out, where the ground does not stop it.
import { describe, expect, it } from 'vitest'
import { type Body, clothMeshModel, clothModel, plane, type Quat, World } from '../../src/headless.js'
import { between, within } from '../fuzz/overlaps.js'
import { playSheet, putThrough } from '../fuzz/sheets.js'
import { Random, seeds } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { cube } from '../support/lattice.js'
import { largestSpeed, lowest, positionsOf, run, velocityOf } from '../support/laws.js'
import { long } from '../support/long.js'
import { planeSheet } from '../support/sheets.js'

const flat: Quat = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]
const sheet = (width: number, n: number) => clothModel({ width, height: width, segmentsX: n, segmentsY: n }).model
const jelly = { elastic: material(8e4, 0.45), shapeDamping: 3, friction: 0.6 }

const highest = (body: Body) =>
  positionsOf(body).reduce((top, y, p) => (p % 3 === 1 ? Math.max(top, y) : top), -Infinity)

/** Ground, a solid on it whose middle is that high, and a cloth through that. */
function standing(solid: Body['model'], half: number, cloth: Body['model'], height: number): [World, Body, Body] {
  const world = new World()
  world.addCollider(plane())
  const stood = world.addBody(solid, { ...jelly, position: [0, half + 0.005, 0] })
  return [world, stood, world.addBody(cloth, { position: [0.02, height, 0.03], rotation: flat, drag: 1, lift: 1 })]
}

describe('a cloth through a cube that stands on the ground', () => {
  it.each([0.05, 0.15, 0.25])('comes out within 2 s, %d m above the ground', (height) => {
    const [world, solid, cloth] = standing(cube(0.3, 4), 0.15, sheet(1.2, 12), height)
    expect(between(cloth, solid)).toBeGreaterThan(0)
    run(world, 2)
    expect(between(cloth, solid)).toBe(0)
    expect(world.stats).toMatchObject({ contactClamps: 0, speedClamps: 0 })
  })
})

describe('the way out', () => {
  it('does not press a ball into the ground, though that is shorter, seed 16', () => {
    const { world, cloth, solids, name } = putThrough(16)
    expect(name).toContain('cloth pinned, ball')
    const solid = solids[0]!
    const tall = highest(solid) - lowest(solid)
    run(world, 0.2, () => {
      // Its way leads up: nothing flattens it.
      expect(highest(solid) - lowest(solid)).toBeGreaterThan(0.95 * tall)
      expect(Math.max(largestSpeed(solid), largestSpeed(cloth))).toBeLessThan(3)
    })
    expect(between(cloth, solid)).toBe(0)
  })
})

describe('a solid that runs through a pinned cloth at 5 m/s', () => {
  it('is not stopped: that is left to contact', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const solid = world.addBody(cube(0.4, 4), { position: [0.03, 0.02, 0.1], shapeDamping: 3 })
    solid.setVelocity([0, 0, -5])
    const cloth = world.addBody(sheet(1, 10))
    cloth.pin([0, 10, 110, 120])
    world.step()
    expect(between(cloth, solid)).toBeGreaterThan(0)
    expect(velocityOf(solid)[2]).toBeLessThan(-4.9)
  })
})

describe('a cloth about a cube that is held by its foot', () => {
  // It falls against its way out, and its edges cut the corners: in 0.15 s it is out, or hooked for good.
  it.each([
    [0.3, 0],
    [0.3, 0.03],
    [0.4, 0],
    [0.4, 0.01],
    [0.4, 0.09],
  ])('of %d m, %d m off its middle, comes out within 0.5 s', (size, off) => {
    const world = new World()
    const solid = world.addBody(cube(size, 3), { ...jelly, elastic: material(1e5, 0.4), position: [0, size / 2, 0] })
    const x = positionsOf(solid)
    solid.pin(Array.from({ length: solid.particleCount }, (_, i) => i).filter((i) => x[i * 3 + 1]! < 0.1 * size))
    const position = [off, size === 0.3 ? 0.18 : 0.2, 0.03] as const
    const cloth = world.addBody(sheet(3 * size, size === 0.3 ? 10 : 12), { position, rotation: flat, drag: 1, lift: 1 })
    expect(between(cloth, solid)).toBeGreaterThan(0)
    run(world, 0.5)
    expect(between(cloth, solid) + within(cloth, solid)).toBe(0)
  })
})

describe('a cloth within a solid', () => {
  it('comes out, also where it lies just beneath a side and crosses nothing', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const solid = world.addBody(cube(0.8, 4), { shapeDamping: 3 })
    const cloth = world.addBody(sheet(0.5, 7), { position: [0.03, 0.02, 0.386] })
    expect(within(cloth, solid)).toBe(cloth.particleCount)
    expect(between(cloth, solid)).toBe(0)
    run(world, 1)
    expect(within(cloth, solid) + between(cloth, solid)).toBe(0)
  })
})

describe('what crosses', () => {
  it('does not sleep while it does, where no way out is short', () => {
    // Three sheets in a row are one body: past all three the way is longer than the cube.
    const rows = [-0.6, 0, 0.6].map((z) => ({ z, n: 6, size: 1.6 }))
    const positions = rows.flatMap(({ z, n, size }) =>
      Array.from({ length: (n + 1) ** 2 }, (_, k) => [
        ((k % (n + 1)) / n - 0.5) * size,
        (Math.floor(k / (n + 1)) / n - 0.5) * size,
        z,
      ]).flat(),
    )
    const index = rows.flatMap(({ n }, row) =>
      Array.from({ length: n * n }, (_, k) => {
        const a = row * (n + 1) ** 2 + Math.floor(k / n) * (n + 1) + (k % n)
        return [a, a + 1, a + n + 2, a, a + n + 2, a + n + 1]
      }).flat(),
    )
    const world = new World({ gravity: [0, 0, 0] })
    const cloth = world.addBody(clothMeshModel({ positions, index }).model)
    cloth.pin(Uint32Array.from({ length: cloth.particleCount }, (_, i) => i))
    // Damped so much that it is calm.
    const solid = world.addBody(cube(0.2, 2), { position: [0.03, 0.02, 0], damping: 200, shapeDamping: 3 })
    run(world, 4, () => expect(solid.asleep && between(cloth, solid) > 0).toBe(false))
  })
})

describe('a cloth put through solids at random', () => {
  it.each([6, 17, ...long(33, 40, 89)])('comes out within 3 s, at a walk, seed %i', (seed) => {
    const report = playSheet(seed)
    expect(report.before).toBeGreaterThan(0)
    expect(report).toMatchObject({ crossed: 0, within: 0, slept: false, speedClamps: 0, contactClamps: 0 })
    expect(report.nonFiniteRescues).toBe(0)
  })
})

it('two cloths in one plane, pinned, whose edges lie in the triangles that they cross, stay finite, seeds 1 to 20', () => {
  let crossed = 0
  for (const seed of seeds(20)) {
    const random = new Random(seed)
    const world = new World({ gravity: [0, 0, 0] })
    const rotation = random.rotation()
    const [across, up] = [random.uniform(0.05, 0.3), random.uniform(0.05, 0.3)]
    const { positions, index } = planeSheet(1, 1, 3, 3)
    for (let k = 0; k < 2; k++) {
      const shifted = positions.map((x, p) => x + k * [across, up, 0][p % 3]!)
      world.addBody(clothMeshModel({ positions: shifted, index }).model, { rotation }).pin([0, 3])
    }
    run(world, 0.05, () => {
      crossed = Math.max(crossed, world.stats.crossings)
    })
    expect(world.stats.nonFiniteRescues).toBe(0)
  }
  expect(crossed).toBeGreaterThan(0)
})

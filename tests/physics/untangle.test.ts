// What is in each other without a particle to tell, or through each other: it comes apart along the shortest way out.
import { describe, expect, it } from 'vitest'
import {
  type Body,
  clothModel,
  type Quat,
  ropeModel,
  softBodyModel,
  tetMeshModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { between, playOverlap, within } from '../fuzz/overlaps.js'
import { boxLattice, cube } from '../support/lattice.js'
import { centerOf, largestSpeed, run } from '../support/laws.js'
import { realMesh } from '../support/meshes.js'
import { ring } from '../support/rings.js'
import { sized } from '../support/sized.js'

const still = { gravity: [0, 0, 0] } as const
const box = (size: Vec3, cells: Vec3) => tetMeshModel(boxLattice(size, cells)).model
const about = (axis: number, angle: number): Quat => {
  const q: [number, number, number, number] = [0, 0, 0, Math.cos(angle / 2)]
  q[axis] = Math.sin(angle / 2)
  return q
}

/** Comes apart within 3 s, at less than 6 m/s, and keeps the momentum, none, and the mean place of all mass. */
function expectApart(world: World, one: Body, other: Body): void {
  expect(between(one, other)).toBeGreaterThan(0)
  const mass = one.mass + other.mass
  const middle = () => centerOf(one).map((at, d) => (one.mass * at + other.mass * centerOf(other)[d]!) / mass)
  const before = middle()
  run(world, 3, () => expect(Math.max(largestSpeed(one), largestSpeed(other))).toBeLessThan(6))
  expect(between(one, other) + within(one, other) + within(other, one)).toBe(0)
  middle().forEach((at, d) => expect(Math.abs(at - before[d]!)).toBeLessThan(1e-9))
  expect(world.stats).toMatchObject({ contactClamps: 0, speedClamps: 0 })
}

describe('solids of which none has a particle in the other come apart', () => {
  const bar = box([1, 0.2, 0.2], [3, 1, 1])
  const block = box([0.4, 0.4, 0.4], [1, 1, 1])
  const pairs: Record<string, () => [World, Body, Body]> = {
    'bars laid across each other, one eight times as heavy': () => {
      const world = new World(still)
      return [
        world,
        world.addBody(bar),
        world.addBody(bar, { rotation: about(1, Math.PI / 2), position: [0.03, 0.02, 0.01], density: 8000 }),
      ]
    },
    'a cube and one turned by 45 degrees': () => {
      const world = new World(still)
      return [
        world,
        world.addBody(block),
        world.addBody(block, { rotation: about(2, Math.PI / 4), position: [0.02, 0.01, 0.03] }),
      ]
    },
    'two sharp rims between the particles of each other': () => {
      const world = new World(still)
      const one = world.addBody(box([0.4, 0.4, 1], [1, 1, 1]), { rotation: about(2, Math.PI / 4) })
      const rotation = about(1, Math.PI / 4)
      const other = world.addBody(box([0.4, 1, 0.4], [1, 1, 1]), { rotation, position: [0.4, 0.05, 0.02] })
      return [world, one, other]
    },
  }
  it.each(Object.keys(pairs))('%s', (name) => {
    const [world, one, other] = pairs[name]!()
    expect(within(one, other) + within(other, one)).toBe(0)
    expectApart(world, one, other)
  })
})

describe('what is thin comes out of what it goes through', () => {
  const line = (y: number, segments: number) =>
    ropeModel({
      points: [
        [-0.5, y, 0],
        [0.5, y, 0],
      ],
      segments,
    }).model

  it.each([4, 12, 40])('a rope of %i pieces, put through a cube: sideways, where it is nearest', (segments) => {
    const world = new World(still)
    const solid = world.addBody(cube(0.4, 3))
    const rope = world.addBody(line(0.12, segments), { position: [0.02, 0, 0.03] })
    expectApart(world, rope, solid)
    const [a, b] = [centerOf(rope), centerOf(solid)]
    expect(a[1] - b[1]).toBeGreaterThan(0.2)
    expect(Math.abs(a[0] - b[0])).toBeLessThan(0.2)
  })

  it('a rope through the middle of a cloth: by its nearer end', () => {
    const world = new World(still)
    const cloth = world.addBody(clothModel({ width: 1, height: 1, segmentsX: 9, segmentsY: 9 }).model)
    const rope = world.addBody(line(0, 16), { rotation: about(1, Math.PI / 2), position: [0.03, 0.02, 0.15] })
    expectApart(world, rope, cloth)
    expect(centerOf(rope)[2] - centerOf(cloth)[2]).toBeGreaterThan(0.4)
  })

  it('a cloth through a cube', () => {
    const world = new World(still)
    const solid = world.addBody(cube(0.4, 3))
    const cloth = world.addBody(clothModel({ width: 1, height: 1, segmentsX: 10, segmentsY: 10 }).model, {
      position: [0.03, 0.02, 0.05],
    })
    expectApart(world, cloth, solid)
  })

  it('a cube that was pulled through a cloth held at its top, and let go', () => {
    const world = new World()
    const { model } = clothModel({ width: 1, height: 1, segmentsX: 10, segmentsY: 10 })
    const cloth = world.addBody(model, { damping: 1 })
    cloth.pin(Uint32Array.from({ length: 11 }, (_, i) => i))
    // Too near to the middle for any corner to be the way out.
    const solid = world.addBody(cube(0.3, 2), { position: [0.02, -0.05, 0.04], gravityScale: 0, damping: 1 })
    expect(between(cloth, solid)).toBeGreaterThan(0)
    // From sixteen places up to 3 cm from here, particles get to 2 to 9 m/s, and it is out within 0.25 s.
    run(world, 3, () => expect(Math.max(largestSpeed(cloth), largestSpeed(solid))).toBeLessThan(12))
    expect(between(cloth, solid)).toBe(0)
    expect(world.stats).toMatchObject({ contactClamps: 0, speedClamps: 0 })
  })
})

describe('a ring about a bar is no tangle', () => {
  it('and stays where it is, to the last bit', () => {
    const world = new World(still)
    const bar = world.addBody(box([1, 0.2, 0.2], [5, 1, 1]))
    const hoop = world.addBody(softBodyModel(ring(0.35, 0.08), { tetCount: 300 }).model, {
      rotation: about(1, Math.PI / 2),
    })
    expect(between(bar, hoop)).toBe(0)
    const before = [bar, hoop].map(centerOf)
    run(world, 1)
    const after = [bar, hoop].map(centerOf)
    after.forEach((at, b) => at.forEach((value, d) => expect(Math.abs(value - before[b]![d]!)).toBeLessThan(1e-9)))
  })
})

describe('two bodies put into each other at random', async () => {
  const bunny = sized(await realMesh('bunny'), 0.7)
  it.each([10, 22, 55, 59, 100])('come apart within 3 s and keep their momentum, seed %i', (seed) => {
    const report = playOverlap(seed, bunny)
    expect(report).toMatchObject({ crossed: 0, within: 0, speedClamps: 0, contactClamps: 0 })
    expect(report.fastest).toBeLessThan(9)
    expect(report.momentum).toBeLessThan(1e-9)
    expect(report.angular).toBeLessThan(1e-9)
  })

  it('come apart where hardly anything touches, seed 108', () => {
    const { crossed, within: inside, momentum, fastest } = playOverlap(108, bunny)
    expect({ crossed, inside }).toEqual({ crossed: 0, inside: 0 })
    expect(momentum).toBeLessThan(1e-9)
    expect(fastest).toBeLessThan(5)
  })
})

// Solids that were put through each other: they go one way until nothing is common, and through nothing else.
import { describe, expect, it } from 'vitest'
import {
  type Body,
  box as boxShape,
  clothModel,
  type Quat,
  ropeModel,
  softBodyModel,
  tetMeshModel,
  type Vec3,
  World,
} from '../../src/headless.js'
import { between, type OverlapKind, playOverlap, within } from '../fuzz/overlaps.js'
import { boxLattice } from '../support/lattice.js'
import { centerOf, largestSpeed, positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { realMesh } from '../support/meshes.js'
import { ring } from '../support/rings.js'
import { sized } from '../support/sized.js'

const bunny = sized(await realMesh('bunny'), 0.7)
const still = { gravity: [0, 0, 0], sleeping: false } as const
const box = (size: Vec3, cells: Vec3) => tetMeshModel(boxLattice(size, cells)).model
const about = (axis: number, angle: number): Quat => {
  const q: [number, number, number, number] = [0, 0, 0, Math.cos(angle / 2)]
  q[axis] = Math.sin(angle / 2)
  return q
}
const common = (one: Body, other: Body) => between(one, other) + within(one, other) + within(other, one)

/** Speed that two are given to go apart [m/s]. */
const SPEED = 1.8

const plate = box([0.8, 0.05, 0.6], [6, 1, 5])

/** Two plates at a height, of which no particle is in the other; a corner of each is near a face of the other: they touch. */
function crosswise(world: World, y = 0): [Body, Body] {
  const one = world.addBody(plate, { position: [0, y, 0] })
  const other = world.addBody(plate, { rotation: about(2, 1.4), position: [0.066, y + 0.03, 0.13] })
  expect(within(one, other) + within(other, one)).toBe(0)
  expect(between(one, other)).toBeGreaterThan(20)
  return [one, other]
}

describe('two at random come apart without a throw, and keep momentum and angular momentum', () => {
  // 0.8 m at most, and 1.8 m/s after 0.05 s. Each part of a body may spin as fast as the whole goes.
  const cases: [OverlapKind, OverlapKind, number[]][] = [
    ['plate', 'plate', [4, ...long(15, 16, 20)]],
    ['ring', 'bar', [7, ...long(9, 20)]],
  ]
  const each = cases.flatMap(([first, second, seeds]) => seeds.map((seed) => [first, second, seed] as const))
  it.each(each)('%s and %s, seed %i', (first, second, seed) => {
    const report = playOverlap(seed, bunny, [first, second])
    expect(report.before).toBeGreaterThan(40)
    expect(report).toMatchObject({ crossed: 0, within: 0, speedClamps: 0, contactClamps: 0 })
    expect(report.apart).toBeLessThan(0.5)
    expect(report.fastest).toBeLessThan(2 * SPEED)
    expect(report.momentum).toBeLessThan(1e-9)
    expect(report.angular).toBeLessThan(1e-9)
  })

  it.each([208, ...long(210, 225)])('any two, seed %i', (seed) => {
    const { crossed, within: inside, momentum, fastest } = playOverlap(seed, bunny)
    expect({ crossed, inside }).toEqual({ crossed: 0, inside: 0 })
    expect(momentum).toBeLessThan(1e-9)
    expect(fastest).toBeLessThan(2 * SPEED)
  })
})

describe('plates through each other', () => {
  it('of which no particle is in the other go until nothing is common, and stop', () => {
    const world = new World(still)
    const [one, other] = crosswise(world)
    let steps = 0
    while (common(one, other) > 0) {
      world.step()
      expect(++steps).toBeLessThan(30)
    }
    world.step()
    const apart = () => Math.hypot(...centerOf(one).map((at, d) => at - centerOf(other)[d]!))
    const before = apart()
    run(world, 0.5, () => expect(Math.max(largestSpeed(one), largestSpeed(other))).toBeLessThan(SPEED))
    // What they have been given is gone; what is left of it is spin.
    expect(Math.abs(apart() - before)).toBeLessThan(0.25 * SPEED * 0.5)
  })

  it('go on from a snapshot with the same bits', () => {
    const world = new World(still)
    const [one, other] = crosswise(world)
    run(world, 0.05)
    expect(common(one, other)).toBeGreaterThan(0)
    const half = world.snapshot()
    const play = () => {
      run(world, 0.5)
      return [...positionsOf(one), ...positionsOf(other)]
    }
    const first = play()
    world.restore(half)
    expect(play()).toEqual(first)
  })

  it('one of which is put elsewhere half way: the other forgets it', () => {
    const world = new World(still)
    const [one, other] = crosswise(world)
    run(world, 0.05)
    one.teleport([0, 5, 0])
    other.teleport([0, 0, 0])
    run(world, 1)
    expect(centerOf(other)).toEqual([0, 0, 0].map((at) => expect.closeTo(at, 9)))
  })
})

describe('what is about them is in the way, as it is for whatever moves', () => {
  it('a closed box of colliders', () => {
    const world = new World(still)
    const [one, other] = crosswise(world)
    const room: Vec3 = [0.45, 0.45, 0.5]
    const wall = 0.05
    for (let d = 0; d < 3; d++) {
      const size = room.map((half, e) => (e === d ? wall : 2 * half + 2 * wall)) as unknown as Vec3
      for (const side of [-1, 1]) {
        const position = [0, 1, 2].map((e) => (e === d ? side * (room[d]! + wall / 2) : 0)) as unknown as Vec3
        world.addCollider(boxShape(size), { position })
      }
    }
    let apart = false
    run(world, 3, () => {
      apart ||= common(one, other) === 0
      expect(Math.max(largestSpeed(one), largestSpeed(other))).toBeLessThan(2 * SPEED)
      for (const body of [one, other]) {
        positionsOf(body).forEach((at, k) => expect(Math.abs(at)).toBeLessThan(room[k % 3]!))
      }
    })
    expect(apart).toBe(true)
    expect(world.stats).toMatchObject({ contactClamps: 0, speedClamps: 0 })
  })

  it.each(long('a net'))('%s that they fall into, and are thrown up by', () => {
    const world = new World({ sleeping: false })
    const count = 11
    const { model } = clothModel({ width: 2, height: 2, segmentsX: count - 1, segmentsY: count - 1 })
    const net = world.addBody(model, { rotation: about(0, -Math.PI / 2), position: [0, 1.2, 0], damping: 1 })
    const rim = (k: number) => k % count === 0 || (k + 1) % count === 0 || k < count || k >= count * (count - 1)
    net.pin(Array.from({ length: count * count }, (_, k) => k).filter(rim))
    const [one, other] = crosswise(world, 1.62)
    let apart = false
    let step = 0
    run(world, 3, () => {
      if (step++ % 6 > 0) return
      apart ||= common(one, other) === 0
      expect(between(one, net) + between(other, net)).toBe(0)
    })
    expect(apart).toBe(true)
    expect(world.stats).toMatchObject({ contactClamps: 0, speedClamps: 0 })
  })
})

it('a ring about a bar, with its rim in the bar, goes aside and stays about it', () => {
  const world = new World(still)
  const bar = world.addBody(box([1, 0.2, 0.2], [6, 1, 1]))
  const hoop = world.addBody(softBodyModel(ring(0.35, 0.08), { tetCount: 300 }).model, {
    rotation: about(1, Math.PI / 2),
    position: [0.02, 0.24, 0.01],
  })
  expect(between(bar, hoop)).toBeGreaterThan(0)
  run(world, 1)
  expect(common(bar, hoop)).toBe(0)
  // The ring has a hole of 0.27 m about its axis, which is along the bar.
  const [a, b] = [centerOf(bar), centerOf(hoop)]
  expect(Math.hypot(a[1] - b[1], a[2] - b[2])).toBeLessThan(0.27)
  expect(Math.abs(a[0] - b[0])).toBeLessThan(0.3)
})

it.each([8, ...long(3, 4)])(
  'a rope that lies exactly in a cloth of %i cells, as where no place is given, falls with it',
  (cells) => {
    const world = new World()
    const cloth = world.addBody(clothModel({ width: 1, height: 1, segmentsX: cells, segmentsY: cells }).model)
    const rope = world.addBody(ropeModel().model)
    // Each step does all the work that it may: the rope meets the cloth all along, in one plane.
    run(world, 0.1)
    expect(world.stats).toMatchObject({ nonFiniteRescues: 0, speedClamps: 0 })
    // v = g t of both together: what parts them takes no side.
    const [down, swept] = [cloth.velocity([0, 0, 0])[1], rope.velocity([0, 0, 0])[1]]
    expect((cloth.mass * down + rope.mass * swept) / (cloth.mass + rope.mass)).toBeCloseTo(-9.81 * 0.1, 9)
  },
)

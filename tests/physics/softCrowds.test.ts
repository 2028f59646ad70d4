// Many bodies put into one place: they cost little, come apart, and keep their momentum.
import { describe, expect, it } from 'vitest'
import { type Body, plane, softBodyModel, World, type WorldSettings } from '../../src/headless.js'
import { within } from '../fuzz/overlaps.js'
import { Random } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, centerOf, expectHealthy, largestSpeed, run, velocityOf } from '../support/laws.js'
import { long } from '../support/long.js'
import { ring } from '../support/rings.js'

const SIZE = 0.4
const model = cube(SIZE, 2)
const still = { gravity: [0, 0, 0] } as const

/** So many cubes in one place, up to `spread` off it, each coordinate. */
function crowd(count: number, spread: number, settings: Partial<WorldSettings> = {}): World {
  const world = new World(settings)
  const random = new Random(count)
  for (let k = 0; k < count; k++) {
    const [x, y, z] = random.vector(spread)
    world.addBody(model, { position: [x, 0.6 + y, z], canSleep: false })
  }
  return world
}

const distance = (one: Body, other: Body) => {
  const [a, b] = [centerOf(one), centerOf(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

/** The most particles that any body has within another one. */
function deepest({ bodies }: World): number {
  const pairs = bodies.flatMap((one) =>
    bodies.filter((other) => other !== one && distance(one, other) < 2 * SIZE).map((other) => within(one, other)),
  )
  return Math.max(0, ...pairs)
}

/** Mass, centre, momentum and angular momentum about the origin of all bodies. */
function motion({ bodies }: World) {
  const sum = { mass: 0, center: [0, 0, 0], momentum: [0, 0, 0], angular: [0, 0, 0] }
  const motions = bodies.map((body) => bodyMotion(body))
  for (const { mass } of motions) sum.mass += mass
  for (const { mass, center: c, momentum: p, angularMomentum } of motions) {
    for (let d = 0; d < 3; d++) {
      const [u, v] = [(d + 1) % 3, (d + 2) % 3]
      sum.center[d]! += (c[d]! * mass) / sum.mass
      sum.momentum[d]! += p[d]!
      sum.angular[d]! += angularMomentum[d]! + c[u]! * p[v]! - c[v]! * p[u]!
    }
  }
  return sum
}

describe('what is listed grows no faster than the pairs of bodies', () => {
  // By contact alone each particle would meet a side of every other cube: hundreds for one pair of bodies. While they come
  // apart, sixteen seeds of ten cubes list 5 to 13; where each pair comes apart on its own, three of them 18 to 31.
  it.each([10, ...long(40)])('%i cubes in one place: at most fifteen pairs of elements for one of bodies', (count) => {
    const world = crowd(count, 0.005)
    world.addCollider(plane())
    let most = 0
    run(world, 1.5, () => {
      most = Math.max(most, world.stats.surfaceCandidates)
    })
    expect(most).toBeLessThan(15 * count * count)
    expectHealthy(world)
  })
})

describe('a crowd disperses', () => {
  it('twenty cubes on the ground: apart within 3 s, at 5 m/s at most, no particle above 15 m/s', () => {
    const world = crowd(20, 0.005)
    world.addCollider(plane())
    expect(deepest(world)).toBeGreaterThan(5)
    run(world, 3, () => {
      for (const body of world.bodies) {
        expect(Math.hypot(...velocityOf(body))).toBeLessThan(5)
        expect(largestSpeed(body)).toBeLessThan(15)
      }
    })
    // Cubes that lie on each other have a corner in each other now and then.
    expect(deepest(world)).toBeLessThan(3)
    expectHealthy(world)
  })

  it.each([0, 0.005, 0.02])(
    'and keeps its centre, momentum and angular momentum: twelve cubes, up to %d m off',
    (spread) => {
      const world = crowd(12, spread, still)
      const random = new Random(1)
      for (const body of world.bodies) body.setVelocity(random.vector(), random.vector())
      world.step()
      const before = motion(world)
      // Within half a second they come apart; what they then change as they strike each other is 2e-5 a kilogramme at worst.
      for (const [time, turn] of [
        [0.5, 1e-9],
        [1, 1e-4],
      ] as const) {
        run(world, 0.5)
        const after = motion(world)
        for (let d = 0; d < 3; d++) {
          const way = (before.momentum[d]! / before.mass) * time
          expect(Math.abs(after.center[d]! - before.center[d]! - way)).toBeLessThan(1e-9)
          expect(Math.abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(1e-9 * before.mass)
          expect(Math.abs(after.angular[d]! - before.angular[d]!)).toBeLessThan(turn * before.mass)
        }
      }
      run(world, 1)
      expect(deepest(world)).toBe(0)
      expectHealthy(world)
    },
  )

  it('to all sides: no way is twice as long as another', () => {
    const world = crowd(30, 0, still)
    run(world, 1)
    const sides = [0, 1, 2].map((d) => {
      const places = world.bodies.map((body) => centerOf(body)[d]!)
      return Math.max(...places) - Math.min(...places)
    })
    expect(Math.max(...sides)).toBeLessThan(2 * Math.min(...sides))
  })

  it('about one that is pinned, which stays', () => {
    const world = crowd(8, 0.005, still)
    const pinned = world.bodies[3]!
    pinned.pin([0])
    run(world, 2)
    expect(deepest(world)).toBe(0)
    expect(distance(pinned, world.bodies[0]!)).toBeGreaterThan(0.3)
    expectHealthy(world)
  })
})

describe('what lies in the hollow of another is no crowd', () => {
  it('four cubes in the hole of a ring stay where they are', () => {
    const world = new World(still)
    world.addBody(softBodyModel(ring(0.35, 0.08), { tetCount: 300 }).model)
    const small = cube(0.08, 1)
    for (const x of [-0.085, 0.085]) {
      world.addBody(small, { position: [x, 0, 0] })
      world.addBody(small, { position: [0, x, 0] })
    }
    const before = world.bodies.map(centerOf)
    run(world, 0.5)
    world.bodies.forEach((body, b) => {
      centerOf(body).forEach((at, d) => expect(Math.abs(at - before[b]![d]!)).toBeLessThan(1e-9))
    })
  })
})

describe('two that are deep in each other', () => {
  it.each([0.5, 3])('and run into each other at %d m/s stop, and part, each to its own side', (speed) => {
    const world = new World(still)
    const [left, right] = [0, 0.1].map((x) => world.addBody(cube(SIZE, 3), { position: [x, 0.01, 0] }))
    left!.setVelocity([speed, 0, 0])
    right!.setVelocity([-speed, 0, 0])
    world.step()
    // By contact they would burst apart at 4 m/s and more, and unstopped go through each other.
    run(world, 0.3, () => expect(Math.max(largestSpeed(left!), largestSpeed(right!))).toBeLessThan(1))
    expect(within(left!, right!) + within(right!, left!)).toBe(0)
    expect(centerOf(right!)[0] - centerOf(left!)[0]).toBeGreaterThan(SIZE)
    expectHealthy(world)
  })
})

// A pile that comes to rest sleeps as a whole, and wakes where it is touched or loses what bears it.
import { beforeAll, describe, expect, it } from 'vitest'
import { ballMesh } from '../../scenes/index.js'
import { clothModel, type Model, plane, type Snapshot, softBodyModel, type Vec3, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { invertedTets } from '../support/inverted.js'
import { cube, ball as latticeBall } from '../support/lattice.js'
import { centerOf, expectHealthy } from '../support/laws.js'
import { long } from '../support/long.js'
import { mixed, pour as pourMixed } from '../support/pile.js'
import { pit } from '../support/pit.js'
import { ring } from '../support/rings.js'

const ball = softBodyModel(ballMesh(0.2, 6), { tetCount: 150 }).model
const models = [ball, cube(0.3, 3)]
const coarseRing = softBodyModel(ring(0.16, 0.08), { tetCount: 120 }).model
const settings = { shapeDamping: 6, friction: 0.6, elastic: material(2e5, 0.45) }

/** Bodies in four columns on each other, turned at random; `node bench/piles.mjs` pours a hundred, of 500 tetrahedra. */
function pour(world: World, count: number, seed: number, models: readonly Model[], rollingFriction = 0): World {
  world.addCollider(plane())
  const random = new Random(seed)
  const place = () => random.uniform(0, 0.05)
  for (let k = 0; k < count; k++) {
    const position: Vec3 = [(k % 2) * 0.45 + place(), 0.3 + Math.floor(k / 4) * 0.5, ((k >> 1) % 2) * 0.45 + place()]
    world.addBody(models[k % models.length]!, { ...settings, rollingFriction, rotation: random.rotation(), position })
  }
  return world
}

/** Steps until all sleep; fails after `most` seconds. */
function untilAllSleep(world: World, most: number): void {
  const end = world.time + most
  while (world.stats.sleeping < world.bodies.length) {
    world.step()
    expect(world.time).toBeLessThan(end)
  }
}

describe('five coarse rings in a narrow pit, held by the rims of each other', () => {
  for (const seed of [11, ...long(0, 1, 2, 14)]) {
    it(`sleep within 8 s, seed ${seed}`, () => {
      const world = pit(-0.28, 0.28)
      world.addCollider(plane())
      const random = new Random(seed)
      const place = () => random.uniform(-0.02, 0.02)
      for (let k = 0; k < 5; k++) {
        world.addBody(coarseRing, {
          ...settings,
          rotation: random.rotation(),
          position: [place(), 0.4 + k * 0.5, place()],
        })
      }
      untilAllSleep(world, 8)
      expectHealthy(world)
    })
  }
})

describe('sixteen balls in a pit, seed 7', () => {
  const world = pour(pit(), 16, 7, [ball])
  let asleep: Snapshot

  beforeAll(() => {
    untilAllSleep(world, 20)
    asleep = world.snapshot()
  })

  it('sleeps within 20 s, without an inverted tetrahedron', () => {
    expect(world.bodies.map(invertedTets)).toEqual(Array(16).fill(0))
    expectHealthy(world)
  })

  it('costs nothing then', () => {
    world.restore(asleep)
    world.step()
    expect(world.stats).toMatchObject({ sleeping: 16, constraints: 0, candidates: 0, surfaceCandidates: 0 })
  })

  it('wakes by a touch', () => {
    world.restore(asleep)
    const highest = Math.max(...world.bodies.map((body) => body.bounds(new Float64Array(6))[4]!))
    const touching = world.addBody(ball, { ...settings, position: [0.2, highest + 0.25, 0.2] })
    for (let k = 0; k < 60; k++) world.step()
    expect(world.stats.sleeping).toBeLessThan(10)
    touching.remove()
  })

  it.each(long('the lowest'))('sinks where %s are taken out, and sleeps again', () => {
    world.restore(asleep)
    const byHeight = [...world.bodies].sort((a, b) => centerOf(a)[1] - centerOf(b)[1])
    const before = byHeight.map((body) => centerOf(body)[1])
    for (const gone of byHeight.splice(0, 4)) gone.remove()
    world.step()
    expect(world.stats.sleeping).toBe(0)
    untilAllSleep(world, 20)
    // Some may stay, wedged between walls.
    expect(Math.max(...byHeight.map((body, k) => before[k + 4]! - centerOf(body)[1]))).toBeGreaterThan(0.1)
    expect(world.bodies.map(invertedTets)).toEqual(Array(12).fill(0))
  })
})

it.each(long(7))(
  'a hundred of some 500 tetrahedra sleep within 20 s, without an inverted one, seed %i',
  (seed) => {
    const world = new World()
    world.addCollider(plane())
    pourMixed(world, 100, seed, mixed)
    untilAllSleep(world, 20)
    expect(world.bodies.map(invertedTets)).toEqual(Array(100).fill(0))
    expectHealthy(world)
  },
  1_800_000,
)

// A corner that is pressed deep into another ball is pushed out by all steps or by none: else it hammers for ever.
it.each(long(1))('sixteen balls of forty tetrahedra in a pit sleep within 15 s, seed %i', (seed) => {
  const world = pour(pit(), 16, seed, [latticeBall(0.22, 2)])
  untilAllSleep(world, 15)
  expect(world.bodies.map(invertedTets)).toEqual(Array(16).fill(0))
  expectHealthy(world)
})

it.each(long(5))('eight balls and cubes sleep within 20 s, seed %i', (seed) => {
  const world = pour(new World(), 8, seed, models)
  untilAllSleep(world, 20)
  expectHealthy(world)
})

it.each(long(6))('a cloth over a pile of %i sleeps with it, seed 1', (count) => {
  const world = pour(new World(), count, 1, models, 0.2)
  const { model } = clothModel({ width: 1.2, height: 1.2, segmentsX: 10, segmentsY: 10 })
  // Without damping a corner that nothing holds swings on.
  world.addBody(model, { damping: 1, position: [0.2, 1.5, 0.2], rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] })
  untilAllSleep(world, 20)
  expectHealthy(world)
})

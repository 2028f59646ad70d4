// A pile that comes to rest sleeps as a whole, and wakes where it is touched or loses what bears it.
import { beforeAll, describe, expect, it } from 'vitest'
import { ballMesh } from '../../scenes/index.js'
import { type Body, clothModel, plane, type Snapshot, softBodyModel, type Vec3, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { invertedTets } from '../support/inverted.js'
import { cube } from '../support/lattice.js'
import { centerOf, expectHealthy } from '../support/laws.js'

const models = [softBodyModel(ballMesh(0.2, 6), { tetCount: 150 }).model, cube(0.3, 3)]
const settings = { shapeDamping: 6, friction: 0.6, elastic: material(2e5, 0.45) }

/** Balls and cubes in four columns on each other, in a pit of 1.1 m; \`node bench/piles.mjs\` pours a hundred, of 500 tetrahedra. */
function pour(count: number, seed: number): World {
  const world = new World()
  world.addCollider(plane())
  const r = Math.SQRT1_2
  world.addCollider(plane(), { position: [-0.33, 0, 0], rotation: [0, 0, -r, r] })
  world.addCollider(plane(), { position: [0.77, 0, 0], rotation: [0, 0, r, r] })
  world.addCollider(plane(), { position: [0, 0, -0.33], rotation: [r, 0, 0, r] })
  world.addCollider(plane(), { position: [0, 0, 0.77], rotation: [-r, 0, 0, r] })
  const random = new Random(seed)
  for (let k = 0; k < count; k++) {
    const place = () => random.uniform(0, 0.05)
    const position: Vec3 = [(k % 2) * 0.45 + place(), 0.3 + Math.floor(k / 4) * 0.5, ((k >> 1) % 2) * 0.45 + place()]
    world.addBody(models[k % 2]!, { ...settings, rotation: random.rotation(), position })
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

describe('a pile of 25, seed 7', () => {
  const world = pour(25, 7)
  let asleep: Snapshot

  beforeAll(() => {
    untilAllSleep(world, 20)
    asleep = world.snapshot()
  }, 60_000)

  /** The lowest body in the middle of the pile. */
  const lowest = (): Body => {
    const places = world.bodies.map(centerOf)
    const middle = [0, 2].map((d) => places.reduce((sum, place) => sum + place[d]!, 0) / places.length)
    const from = places.map(([x, y, z]) => Math.hypot(x - middle[0]!, y, z - middle[1]!))
    return world.bodies[from.indexOf(Math.min(...from))]!
  }

  it('sleeps within 20 s, without an inverted tetrahedron', () => {
    expect(world.bodies.map(invertedTets)).toEqual(Array(25).fill(0))
    expectHealthy(world)
  })

  it('costs nothing then', () => {
    world.restore(asleep)
    world.step()
    expect(world.stats).toMatchObject({ sleeping: 25, constraints: 0, candidates: 0, surfaceCandidates: 0 })
  })

  it('wakes by a touch', () => {
    world.restore(asleep)
    const highest = Math.max(...world.bodies.map((body) => body.bounds(new Float64Array(6))[4]!))
    const [x, , z] = centerOf(lowest())
    const ball = world.addBody(models[0]!, { ...settings, position: [x, highest + 0.25, z] })
    for (let k = 0; k < 60; k++) world.step()
    expect(world.stats.sleeping).toBeLessThan(20)
    ball.remove()
  })

  it('sinks where a body is taken out from below, and sleeps again', () => {
    world.restore(asleep)
    const before = world.bodies.map((body) => centerOf(body)[1])
    const gone = lowest()
    const at = world.bodies.indexOf(gone)
    const others = world.bodies.filter((body) => body !== gone)
    gone.remove()
    world.step()
    expect(world.stats.sleeping).toBeLessThan(20)
    untilAllSleep(world, 20)
    const fallen = others.map((body, k) => before[k < at ? k : k + 1]! - centerOf(body)[1])
    expect(Math.max(...fallen)).toBeGreaterThan(0.05)
    expect(world.bodies.map(invertedTets)).toEqual(Array(24).fill(0))
  })
})

it('a cloth over a pile of six sleeps with it, seed 3', () => {
  const world = pour(6, 3)
  const { model } = clothModel({ width: 1.2, height: 1.2, segmentsX: 10, segmentsY: 10 })
  // Without damping a corner that nothing holds swings on.
  world.addBody(model, { damping: 1, position: [0.2, 1.5, 0.2], rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] })
  untilAllSleep(world, 20)
  expectHealthy(world)
}, 60_000)

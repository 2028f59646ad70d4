import { describe, expect, it } from 'vitest'
import { plane, type Snapshot, World } from '../../src/headless.js'
import { material } from '../support/elastic.js'
import { cube } from '../support/lattice.js'
import { centerOf, expectHealthy, positionsOf, rmsSpeed, run } from '../support/laws.js'

const stiff = material(2e6, 0.45)

describe('stacks stand without sleeping', () => {
  it('a tower of five cubes, for 20 s, within 5% of an edge', () => {
    const world = new World({ sleeping: false })
    world.addCollider(plane())
    const model = cube(1, 2)
    const tower = Array.from({ length: 5 }, (_, k) =>
      world.addBody(model, { position: [0, 0.5025 + k * 1.005, 0], elastic: stiff }),
    )
    run(world, 20)
    for (const body of tower) {
      expect(Math.abs(centerOf(body)[0])).toBeLessThan(0.05)
      expect(Math.abs(centerOf(body)[2])).toBeLessThan(0.05)
    }
    expectHealthy(world)
  }, 60_000)

  it('three stiff cubes move by less than 4 mm/s after 10 s', () => {
    const world = new World({ sleeping: false })
    world.addCollider(plane())
    const model = cube(0.5, 3)
    const stack = Array.from({ length: 3 }, (_, k) =>
      world.addBody(model, { position: [0, 0.252 + k * 0.503, 0], shapeDamping: 6, elastic: stiff }),
    )
    run(world, 10)
    for (const body of stack) expect(rmsSpeed(body)).toBeLessThan(4e-3)
    expectHealthy(world)
  })
})

describe('the state is all that the contacts of soft bodies keep', () => {
  it('a snapshot within a collision goes on with the same bits', () => {
    const build = () => {
      const world = new World()
      world.addCollider(plane())
      const model = cube(0.4, 2)
      const bodies = [0, 1, 2].map((k) =>
        world.addBody(model, { position: [0.05 * k, 0.25 + k * 0.45, 0.03 * k], elastic: stiff }),
      )
      return { world, bodies }
    }
    const { world, bodies } = build()
    run(world, 0.4)
    const snapshot: Snapshot = world.snapshot()
    run(world, 0.3)
    const once = bodies.map(positionsOf)
    world.restore(snapshot)
    run(world, 0.3)
    expect(bodies.map(positionsOf)).toEqual(once)
    const again = build()
    run(again.world, 0.7)
    expect(again.bodies.map(positionsOf)).toEqual(once)
  })
})

import { describe, expect, it } from 'vitest'
import { shapeMatchedBoxes } from '../../scenes/index.js'
import { World } from '../../src/headless.js'
import { putThrough } from '../fuzz/sheets.js'
import { seeds } from '../support/draw.js'
import { run } from '../support/laws.js'
import { woundCloth } from '../support/wound.js'

/** A world that is played on from a snapshot, twice, gives the same bits. */
function expectReplayed(world: World): void {
  const run = () => {
    for (let k = 0; k < 30; k++) world.step()
    return world.bodies.map((body) => body.readPositions(new Float64Array(body.particleCount * 3)))
  }
  const snapshot = world.snapshot()
  const first = run()
  world.restore(snapshot)
  expect(run()).toEqual(first)
}

describe('a snapshot', () => {
  // The rotation of a shape starts from the last one, and the bits of the answer show where it started.
  it('of shape matching bodies gives the same bits again, their rotations included', () => {
    const world = new World()
    shapeMatchedBoxes(world)
    for (let k = 0; k < 30; k++) world.step()
    expectReplayed(world)
  })

  for (const seed of seeds(5)) {
    it(`of what is put through each other gives the same bits again, what has grown since included, seed ${seed}`, () => {
      expectReplayed(putThrough(seed).world)
    })
  }

  // Coarser grids leave it alone as long as it is wound up: the first substep asks whether it was in the one before.
  it('of a cloth that is wound up in itself until it is strung gives the same bits again, with a step from before in between', () => {
    const { world, body, wind } = woundCloth(14, 24)
    const start = world.snapshot()
    run(world, 1.2, (time) => wind(Math.min(time, 1)))
    expect(world.stats.surfaceContacts).toBeGreaterThan(0)
    const snapshot = world.snapshot()
    const next = () => {
      world.step()
      return body.readPositions(new Float64Array(body.particleCount * 3))
    }
    const first = next()
    world.restore(start)
    world.step()
    world.restore(snapshot)
    expect(next()).toEqual(first)
  })
})

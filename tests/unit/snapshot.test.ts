import { describe, expect, it } from 'vitest'
import { shapeMatchedBoxes } from '../../scenes/index.js'
import { World } from '../../src/headless.js'
import { putThrough } from '../fuzz/sheets.js'
import { seeds } from '../support/draw.js'

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
})

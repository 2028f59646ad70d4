import { describe, expect, it } from 'vitest'
import { shapeMatchedBoxes } from '../../scenes/index.js'
import { World } from '../../src/headless.js'

describe('a snapshot', () => {
  // The rotation of a shape starts from the last one, and the bits of the answer show where it started.
  it('of shape matching bodies gives the same bits again, their rotations included', () => {
    const world = new World()
    shapeMatchedBoxes(world)
    const run = () => {
      for (let k = 0; k < 30; k++) world.step()
      return world.bodies.map((body) => body.readPositions(new Float64Array(body.particleCount * 3)))
    }
    run()
    const snapshot = world.snapshot()
    const first = run()
    world.restore(snapshot)
    expect(run()).toEqual(first)
  })
})

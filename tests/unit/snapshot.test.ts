import { describe, expect, it } from 'vitest'
import { shapeMatchedBoxes } from '../../scenes/index.js'
import { presets, World } from '../../src/headless.js'
import { cube } from '../support/lattice.js'

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

  // A substep starts from the stress of the last one.
  it('of an elastic body that swings gives the same bits again, its stresses included', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(cube(1, 2), { ...presets.jelly })
    body.applyImpulse([body.mass / 8, 0, 0], { particles: Uint32Array.of(0), weights: Float64Array.of(1) })
    const run = () => {
      for (let k = 0; k < 10; k++) world.step()
      return body.readPositions(new Float64Array(body.particleCount * 3))
    }
    run()
    const snapshot = world.snapshot()
    const first = run()
    world.restore(snapshot)
    expect(run()).toEqual(first)
    world.reset()
    body.applyImpulse([body.mass / 8, 0, 0], { particles: Uint32Array.of(0), weights: Float64Array.of(1) })
    run()
    expect(run()).toEqual(first)
  })
})

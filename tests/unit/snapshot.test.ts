import { describe, expect, it } from 'vitest'
import { shapeMatchedBoxes } from '../../scenes/index.js'
import { box, clothModel, World } from '../../src/headless.js'
import { putThrough } from '../fuzz/sheets.js'
import { run } from '../support/laws.js'
import { long } from '../support/long.js'
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

  for (const seed of [1, 2, ...long(3, 4, 5)]) {
    it(`of what is put through each other gives the same bits again, what has grown since included, seed ${seed}`, () => {
      expectReplayed(putThrough(seed).world)
    })
  }

  // Ways that meet before anything was near are settled by masses that only contacts were asked for once.
  it('of two sheets before a fast paddle gives the same bits again, with contacts from before in between', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const paddle = world.addCollider(box([0.6, 0.02, 0.6]), { position: [0, -0.05, 0] })
    const { model } = clothModel({ width: 1, height: 1, segmentsX: 4, segmentsY: 4 })
    const level = { rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], drag: 0, lift: 0 } as const
    world.addBody(model, level)
    const upper = world.addBody(model, { ...level, position: [0.03, 0.025, 0.02], mass: 2 })
    const start = world.snapshot()
    const batted = () => {
      for (let step = 1; step <= 8; step++) {
        paddle.setPose([0, 0.5 * step - 0.05, 0], [0, 0, 0, 1]) // 30 m/s
        world.step()
      }
      return world.bodies.map((body) => body.readPositions(new Float64Array(body.particleCount * 3)))
    }
    const first = batted()
    expect(world.stats.nonFiniteRescues).toBe(0)
    for (const positions of first) expect(positions[1]).toBeGreaterThan(3.95)
    world.restore(start)
    upper.setVelocity([0, -2, 0])
    let contacts = 0
    run(world, 0.2, () => (contacts += world.stats.surfaceContacts))
    expect(contacts).toBeGreaterThan(0)
    world.restore(start)
    expect(batted()).toEqual(first)
  })

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

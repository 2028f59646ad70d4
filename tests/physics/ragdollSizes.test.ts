import { describe, expect, it } from 'vitest'
import { ragdollModel, room, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { faultsOf } from '../support/figures.js'
import { expectHealthy, run } from '../support/laws.js'

/** Tumbles a figure in a drum that turns by 2.2 rad/s and is as wide as said [m]; the worst that is seen of its joints. */
function tumble(height: number, seed: number, half: number, seconds: number, substeps = 10) {
  const doll = ragdollModel({ height })
  const world = new World({ substeps })
  const drum = world.addCollider(room([half, half, half]))
  const body = world.addBody(doll.model, {
    position: [0.1 * height, -0.6 * height, 0],
    damping: 0.5,
    friction: 0.6,
  })
  body.setVelocity([0, 0, 0], new Random(seed).vector(4))
  const worst = { beyond: 0, askew: 0, apart: 0 }
  let steps = 0
  run(world, seconds, (time) => {
    drum.setPose([0, 0, 0], [0, 0, Math.sin(1.1 * time), Math.cos(1.1 * time)])
    if (steps++ % 2 > 0) return
    const now = faultsOf(doll, body, height)
    for (const key of ['beyond', 'askew', 'apart'] as const) worst[key] = Math.max(worst[key], now[key])
  })
  expectHealthy(world)
  expect(worst.apart).toBeLessThan(0.01 * height)
  return worst
}

describe('ragdolls of every size', () => {
  it.each([
    [0.15, 2],
    [0.3, 2],
    [0.6, 2],
    [1, 3],
    [1.7, 2],
    [3, 3],
  ])('keep their joints within 5 degrees in a drum as wide as they are tall: %d m, seed %d', (height, seed) => {
    const worst = tumble(height, seed, 0.9 * height, 3.5)
    expect(worst.beyond).toBeLessThan(5)
    expect(worst.askew).toBeLessThan(5)
  })

  it.each([8, 20])('do so in %d substeps, 0.3 m tall, seed 4', (substeps) => {
    expect(tumble(0.3, 4, 0.27, 2, substeps).beyond).toBeLessThan(5)
  })
})

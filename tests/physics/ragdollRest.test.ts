import { describe, expect, it } from 'vitest'
import { type Body, plane, ragdollModel, World } from '../../src/headless.js'
import { Random } from '../support/draw.js'
import { positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'

const HEIGHTS = [0.3, 1, 1.75] as const

/** Heights [m] and seeds of falls in which limbs that contacts had bent were thrown up again and again. */
const THROWN = [[0.3, 3], [1, 8], ...long([1.75, 14], [0.3, 29], [0.3, 44], [0.3, 48], [1.75, 35])] as const

/** A figure that falls on the floor from a random pose, spinning. */
function fallen(world: World, height: number, seed: number, damping: number) {
  const random = new Random(seed)
  world.addCollider(plane())
  const body = world.addBody(ragdollModel({ height }).model, {
    position: [0, 0.6 * height, 0],
    rotation: random.rotation(),
    damping,
  })
  body.setVelocity(random.vector(1), random.vector(4))
  return body
}

/** The most that a particle gets along in a step, as a speed [m/s], within so many seconds. */
function fastest(world: World, body: Body, seconds: number): number {
  let before = positionsOf(body)
  let most = 0
  run(world, seconds, () => {
    const now = positionsOf(body)
    for (let p = 0; p < now.length; p += 3) {
      const way = Math.hypot(now[p]! - before[p]!, now[p + 1]! - before[p + 1]!, now[p + 2]! - before[p + 2]!)
      most = Math.max(most, 60 * way)
    }
    before = now
  })
  return most
}

describe('a ragdoll that has fallen', () => {
  for (const height of HEIGHTS) {
    for (const seed of [1, ...long(2, 3)]) {
      // A head that swings freely below its neck loses half of `damping` a second, and is the last to rest.
      it(`sleeps within 20 s: ${height} m, seed ${seed}`, () => {
        const world = new World()
        const body = fallen(world, height, seed, 0.5)
        for (let step = 0; step < 20 * 60 && !body.asleep; step++) world.step()
        expect(body.asleep).toBe(true)
      })
    }
  }

  for (const height of [0.3, ...long(1, 1.75)]) {
    it(`lies still though nothing may sleep: ${height} m, seed 2`, () => {
      const world = new World({ sleeping: false })
      const body = fallen(world, height, 2, 2)
      run(world, 10)
      expect(fastest(world, body, 1)).toBeLessThan(0.02)
    })
  }

  it.each(THROWN)('is not thrown about where it lies: %d m, seed %d', (height, seed) => {
    const world = new World()
    const body = fallen(world, height, seed, 0.5)
    run(world, 6)
    // No faster than a head swings.
    expect(fastest(world, body, 6)).toBeLessThan(0.5)
  })
})

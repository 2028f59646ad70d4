import { describe, expect, it } from 'vitest'
import { ropeModel, type Vec3, World } from '../../src/headless.js'
import { expectHealthy, run } from '../support/laws.js'

const radius = 0.02

describe('the end of a rope', () => {
  it('stands on the middle of another rope, which has no triangles that would tell of it', () => {
    const world = new World({ sleeping: false })
    const line = (from: Vec3, to: Vec3) => ropeModel({ points: [from, to], radius, segments: 2 }).model
    const across = world.addBody(line([-0.3, 0, 0], [0.3, 0, 0]))
    across.pin([0, 1, 2])
    const down = world.addBody(line([0.15, 0.45, 0], [0.15, 0.05, 0]))
    const at: [number, number, number] = [0, 0, 0]
    let nearest = 1
    // It falls 1 cm, and begins to topple only later.
    run(world, 0.2, () => {
      nearest = Math.min(nearest, down.getPosition(2, at)[1])
    })
    expect(nearest).toBeLessThan(2 * radius + 0.002)
    expect(nearest).toBeGreaterThan(2 * radius - 0.002)
    expectHealthy(world)
  })
})

import { describe, expect, it } from 'vitest'
import { plane, ropeModel, World } from '../../src/headless.js'
import { expectHealthy, positionsOf, run } from '../support/laws.js'

const { hypot, max } = Math

describe('a rope that falls on the ground', () => {
  // Long and short, thick and thin; upright, nearly so, and slanting.
  for (const [length, radius] of [
    [1, 0.01],
    [0.3, 0.003],
    [3, 0.005],
    [0.01, 0.0002],
  ] as const) {
    for (const slant of [0, 0.05, 0.5]) {
      it(`lies as long as it is: ${length} m of ${radius} m, ${slant} aside`, () => {
        const world = new World()
        world.addCollider(plane())
        const points = [
          [0, 2 * length, 0],
          [slant * length, length, 0],
        ] as const
        const rope = world.addBody(ropeModel({ points, radius }).model)
        run(world, 1 + 2 * length)
        const x = positionsOf(rope)
        let way = 0
        let top = 0
        for (let p = 3; p < x.length; p += 3) {
          way += hypot(x[p]! - x[p - 3]!, x[p + 1]! - x[p - 2]!, x[p + 2]! - x[p - 1]!)
          top = max(top, x[p + 1]!)
        }
        // What its own bending leaves: 1e-3 N m^2 is that of a steel wire where the rope is a centimetre long.
        expect(Math.abs(way / (length * hypot(1, slant)) - 1)).toBeLessThan(0.005)
        expect(rope.maxStrain()).toBeLessThan(0.05)
        expect(top).toBeLessThan(1.5 * radius)
        expectHealthy(world)
      })
    }
  }
})

describe('a straight rope', () => {
  it('that turns over end for end within a substep stays finite: it has no inertia about itself', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 1, maxSpeed: 1e4 })
    const rope = world.addBody(
      ropeModel({
        points: [
          [0, 0.5, 0],
          [0, -0.5, 0],
        ],
        segments: 8,
      }).model,
      { mass: 1 },
    )
    const h = world.settings.timeStep
    const x = positionsOf(rope)
    rope.addForces(x.map((r, k) => (-2 * r * rope.model.massShares[Math.floor(k / 3)]!) / (h * h)))
    world.step()
    const y = positionsOf(rope)
    y.forEach((r, k) => expect(r).toBeCloseTo(-x[k]!, 9))
    expect(world.stats.nonFiniteRescues).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { centerOf, expectHealthy, particle, run, substepOf } from '../support/laws.js'

describe('free fall', () => {
  for (const far of [0, 100, 1000]) {
    for (const seed of seeds(3)) {
      it(`falls by g t^2 / 2 at ${far} m from the origin, seed ${seed}`, () => {
        const random = new Random(seed)
        const [dx, dy, dz] = random.direction()
        const position: Vec3 = [dx * far, dy * far, dz * far]
        const gravity = random.uniform(1, 20)
        const world = new World({ gravity: [0, -gravity, 0], substeps: random.integer(1, 20) })
        const mass = random.scale(0.01, 1000)
        const aside: Vec3 = [position[0] + 3, position[1], position[2]]
        const bodies = [
          world.addBody(particle(), { position, mass }),
          world.addBody(cube(1, 2), { position: aside, mass }),
        ]
        const start = bodies.map((body) => centerOf(body))
        const seconds = 1
        run(world, seconds)
        const h = substepOf(world)
        const fall = (gravity * seconds * seconds) / 2
        bodies.forEach((body, k) => {
          const now = centerOf(body)
          const error = start[k]![1] - now[1] - fall
          // v first, then x: n substeps fall g h^2 n (n + 1) / 2, which is g h t / 2 too far.
          expect(Math.abs(error)).toBeLessThan((gravity * h * seconds) / 2 + 0.001 * fall)
          // The rest is rounding: 1e-13 m a substep at 1 km, divided by h into velocity and summed over a second.
          expect(error).toBeCloseTo((gravity * h * seconds) / 2, 6)
          expect(Math.hypot(now[0] - start[k]![0], now[2] - start[k]![2])).toBeLessThan(1e-6)
        })
        expectHealthy(world)
      })
    }
  }

  it('falls by its share of gravity', () => {
    const world = new World()
    const bodies = [1, 0.5, 0, -2].map((gravityScale) => world.addBody(particle(), { gravityScale }))
    run(world, 0.5)
    const falls = bodies.map((body) => -centerOf(body)[1])
    for (const [k, share] of [1, 0.5, 0, -2].entries()) expect(falls[k]).toBeCloseTo(share * falls[0]!, 10)
    expectHealthy(world)
  })

  it('moves by F t^2 / (2 m) under a force, and by J / m under an impulse', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const pushed = world.addBody(cube(0.5, 2), { mass: 3 })
    const hit = world.addBody(cube(0.5, 2), { mass: 3, position: [5, 0, 0] })
    world.onBeforeStep(() => pushed.addForce([0, 0, 6]))
    hit.applyImpulse([0, 9, 0])
    run(world, 1)
    // Semi-implicit: F h t / (2 m) too far.
    expect(centerOf(pushed)[2]).toBeCloseTo(1 + substepOf(world), 9)
    expect(centerOf(hit)[1]).toBeCloseTo(3, 9)
    expectHealthy(world)
  })
})

import { describe, expect, it } from 'vitest'
import { type Body, World, type WorldSettings } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { expectHealthy, positionsOf, run, springPair } from '../support/laws.js'

const g = 9.81

/** A mass that hangs from a pin, led to `extension` m below its rest length, at rest there. */
function hang(
  length: number,
  mass: number,
  compliance: number,
  extension: number,
  settings: Partial<WorldSettings>,
): { world: World; body: Body } {
  const world = new World({ ...settings, gravity: [0, 0, 0] })
  // Both particles have half of the body's mass.
  const body = world.addBody(springPair(length), { mass: 2 * mass, elastic: { spring: { compliance } } })
  body.pin([0, 1])
  body.movePin(0, [0, extension, 0])
  run(world, 2 * world.settings.timeStep)
  body.unpin([1])
  world.set({ gravity: [0, -g, 0] })
  return { world, body }
}

const extensionOf = (body: Body, length: number) => {
  const x = positionsOf(body)
  return x[1]! - x[4]! - length
}

describe('a hanging mass', () => {
  for (const substeps of [1, 2, 5, 10, 20, 40]) {
    for (const iterations of [1, 2, 4, 16]) {
      it(`stays at compliance x force with ${substeps} substeps of ${iterations} iterations, seed ${substeps + iterations}`, () => {
        const random = new Random(substeps + iterations)
        const length = random.uniform(0.5, 2)
        const mass = random.scale(0.1, 100)
        const extension = random.uniform(0.01, 0.3) * length
        const { world, body } = hang(length, mass, extension / (mass * g), extension, { substeps, iterations })
        // The static state is a fixed point of XPBD, and one row is solved by one iteration: only rounding is left.
        run(world, 1, () => expect(Math.abs(extensionOf(body, length) / extension - 1)).toBeLessThan(1e-6))
        expectHealthy(world)
      })
    }
  }

  for (const seed of seeds(4)) {
    it(`comes to rest at compliance x force, twice as low at twice the compliance, seed ${seed}`, () => {
      const random = new Random(seed)
      const mass = random.scale(0.1, 100)
      const compliance = random.uniform(0.01, 0.1) / (mass * g)
      const [once, twice] = [compliance, 2 * compliance].map((value) => {
        const world = new World({ sleeping: false })
        const body = world.addBody(springPair(1), {
          mass: 2 * mass,
          damping: 8,
          elastic: { spring: { compliance: value } },
        })
        body.pin([0])
        run(world, 5)
        expectHealthy(world)
        return extensionOf(body, 1)
      }) as [number, number]
      // Ten to forty time constants of the damping have passed.
      expect(once / (compliance * mass * g)).toBeCloseTo(1, 4)
      expect(twice / once).toBeCloseTo(2, 4)
    })
  }

  it('does not stretch at compliance 0', () => {
    const { world, body } = hang(1, 5, 0, 0, {})
    run(world, 1, () => expect(Math.abs(extensionOf(body, 1))).toBeLessThan(1e-12))
    expectHealthy(world)
  })
})

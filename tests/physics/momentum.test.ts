import { describe, expect, it } from 'vitest'
import { presets, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, expectHealthy, positionsOf, run } from '../support/laws.js'

describe('a free body', () => {
  for (const seed of seeds(4)) {
    it(`keeps its momentum while it wobbles, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0] })
      const name = (['jelly', 'rubber', 'firm'] as const)[seed % 3]!
      const body = world.addBody(cube(random.uniform(0.3, 1.5), 3), { ...presets[name], rotation: random.rotation() })
      body.setVelocity(random.vector(5), random.vector(3))
      const corner = positionsOf(body).slice(0, 3)
      body.applyImpulse(random.vector(body.mass), body.region([corner[0]!, corner[1]!, corner[2]!], 0.3))
      world.flush()
      const before = bodyMotion(body)
      run(world, 5)
      const after = bodyMotion(body)
      for (let d = 0; d < 3; d++) {
        // Projections keep it to rounding; 3000 substeps of x / h add up to far less than this.
        expect(Math.abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(1e-5 * before.momentumSize)
      }
      expectHealthy(world)
    })
  }
})

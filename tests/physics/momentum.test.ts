import { describe, expect, it } from 'vitest'
import { presets, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, expectHealthy, positionsOf, run, substepOf } from '../support/laws.js'

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

  for (const substeps of [5, 10, 20]) {
    it(`spins on as w0 / sqrt(1 + 2 w0^2 h t), ${substeps} substeps`, () => {
      const world = new World({ gravity: [0, 0, 0], substeps })
      const body = world.addBody(cube(0.5, 2), { ...presets.firm, shapeDamping: 0 })
      const w0 = 2 * Math.PI
      body.setVelocity([0, 0, 0], [0, w0, 0])
      world.flush()
      const spin = bodyMotion(body).angularMomentum[1]!
      const h = substepOf(world)
      for (const seconds of [1, 5, 10]) {
        run(world, seconds - world.time)
        // An implicit step along a chord of the circle loses w^2 h of the spin's square; a soft body adds a little.
        const predicted = 1 / Math.sqrt(1 + 2 * w0 * w0 * h * seconds)
        expect(Math.abs(bodyMotion(body).angularMomentum[1]! / spin - predicted)).toBeLessThan(0.03)
      }
      expectHealthy(world)
    })
  }
})

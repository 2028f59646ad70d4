import { describe, expect, it } from 'vitest'
import { bodySettings } from '../../src/core/bodySettings.js'
import { dampShape } from '../../src/core/damping.js'
import { State } from '../../src/core/state.js'
import { defaultsOf } from '../../src/core/validation.js'
import { type BodySettings, ModelBuilder } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { motionOf } from '../support/laws.js'

/** Kinetic energy of particles with masses m [n] and velocities v [3 n], twice [J]. */
const energyOf = (m: ArrayLike<number>, v: Float64Array) =>
  v.reduce((sum, speed, k) => sum + m[Math.floor(k / 3)]! * speed * speed, 0)

describe('one application of shapeDamping', () => {
  for (const seed of seeds(20)) {
    it(`removes wobble, and keeps momentum and spin to 1e-12, seed ${seed}`, () => {
      const random = new Random(seed)
      const n = random.integer(4, 40)
      const state = new State()
      const masses = random.array(n).map((m) => Math.abs(m) + 0.01)
      const body = state.addBody(new ModelBuilder(random.array(3 * n)).weights(masses).build(), {
        ...(defaultsOf(bodySettings) as BodySettings),
        mass: random.scale(0.01, 100),
        elastic: {},
      })
      state.velocities.set(random.array(3 * n, 5), body.start * 3)
      const [x, v] = [state.positions.slice(0, 3 * n), state.velocities.slice(0, 3 * n)]
      const m = state.masses.slice(0, n)
      const before = motionOf(m, x, v)
      const share = random.uniform(0.01, 1)
      dampShape(state, body, Float64Array.of(share), { count: 0, points: new Float64Array(0) })
      const damped = state.velocities.slice(0, 3 * n)
      const after = motionOf(m, x, damped)
      for (let d = 0; d < 3; d++) {
        expect(Math.abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(1e-12 * before.momentumSize)
        expect(Math.abs(after.angularMomentum[d]! - before.angularMomentum[d]!)).toBeLessThan(
          1e-12 * before.angularSize,
        )
      }
      // What goes is wobble: the rigid part has the least energy that these momenta can have.
      state.velocities.set(v, body.start * 3)
      dampShape(state, body, Float64Array.of(1), { count: 0, points: new Float64Array(0) })
      const rigid = energyOf(m, state.velocities.slice(0, 3 * n))
      const wobble = energyOf(m, v) - rigid
      expect((energyOf(m, damped) - rigid) / wobble).toBeCloseTo((1 - share) ** 2, 9)
    })
  }
})

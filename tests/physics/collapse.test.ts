import { describe, expect, it } from 'vitest'
import type { World } from '../../src/headless.js'
import { type Outcome, type Start, type StartModel, settle, startModels, starts } from '../fuzz/starts.js'
import { seeds } from '../support/draw.js'
import { long } from '../support/long.js'

/** Ten seeds of the least mesh here; of the others every start once. `npm run fuzz -- --starts` runs ten of each. */
const seedsOf: Record<StartModel, number[]> = { '500 tetrahedra': seeds(10), '2,000 tetrahedra': [1], bunny: [2] }
/** Draws nothing but the turn before it is flattened or the place of the point. */
const few = (start: Start, all: number[]) => (start === 'random' ? all : all.slice(0, 2))

/** Nothing is inverted, the volume is there, and it lies in no fold, a rest of another shape: there a tenth of the size is missing. */
const whole = ({ inverted, volume, rms }: Outcome) => inverted === 0 && Math.abs(volume - 1) < 0.01 && rms < 0.01

/** What unfolds alone is counted as well; no other guard acts. */
function expectCounted({ stats }: World) {
  expect(stats.inversionRescues).toBeGreaterThan(0)
  expect(stats).toMatchObject({ speedClamps: 0, nonFiniteRescues: 0, contactClamps: 0 })
}

describe('a body without its shape gets it back', () => {
  for (const name of ['500 tetrahedra', '2,000 tetrahedra', ...long('bunny')] satisfies StartModel[]) {
    for (const start of starts) {
      const chosen = few(start, seedsOf[name])
      it(`${name}, ${start}, neo-Hookean with its rescue, seeds ${chosen.join(', ')}`, async () => {
        const model = await startModels[name]()
        for (const seed of chosen) {
          const { world, ...outcome } = settle(model, 'neo-Hookean, rescued', start, seed, 3, whole)
          expect({ seed, ...outcome }).toSatisfy(whole)
          expect(world.stats.inversionRescues).toBeGreaterThan(0)
          expect(world.stats.nonFiniteRescues).toBe(0)
        }
      })

      it(`${name}, ${start}, neo-Hookean with the rescue off, seeds ${chosen.join(', ')}`, async () => {
        const model = await startModels[name]()
        for (const seed of chosen) {
          const { world, ...outcome } = settle(model, 'neo-Hookean', start, seed, 5, whole)
          expect({ seed, ...outcome }).toSatisfy(whole)
          expectCounted(world)
        }
      })
    }
  }

  // Drawn out, it resists a change of volume by lambda + mu, and at rest by nothing.
  it.each(starts)('2,000 tetrahedra, %s, neo-Hookean without a Poisson ratio, rescue off, seed 1', async (start) => {
    const model = await startModels['2,000 tetrahedra']()
    const { world, ...outcome } = settle(model, 'neo-Hookean, a stiff cork', start, 1, 5, whole)
    expect(outcome).toSatisfy(whole)
    expectCounted(world)
  })

  it.each(starts)('500 tetrahedra, %s, edges and volumes with the rescue off, seed 1', async (start) => {
    const { world, inverted, volume, rms } = settle(
      await startModels['500 tetrahedra'](),
      'edges and volumes',
      start,
      1,
      3,
    )
    expect(inverted).toBe(0)
    expect(Math.abs(volume - 1)).toBeLessThan(0.01)
    expect(rms).toBeLessThan(0.01)
    expectCounted(world)
  })

  for (const start of starts) {
    it(`500 tetrahedra, ${start}, shape matching alone, seeds 1 to 3`, async () => {
      const model = await startModels['500 tetrahedra']()
      for (const seed of seeds(3)) {
        const { world, inverted, rms } = settle(model, 'shape matching', start, seed, 3)
        expect({ seed, inverted }).toEqual({ seed, inverted: 0 })
        expect(rms).toBeLessThan(0.01)
        expect(world.stats.inversionRescues).toBe(0)
      }
    })
  }
})

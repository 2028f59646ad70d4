import { expect, it } from 'vitest'
import { exp } from '../../src/core/math/elementary.js'
import { Random, seeds } from '../support/draw.js'

it('exp is that of the platform to a few parts in 1e15, seeds 1 to 500', () => {
  for (const seed of seeds(500)) {
    const random = new Random(seed)
    for (const x of [
      random.uniform(-40, 40),
      random.uniform(-1, 1),
      random.uniform(-1e-6, 1e-6),
      random.uniform(-600, 600),
    ]) {
      // x itself is known to 1e-16 of its size, and that is what the answer then is uncertain by.
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-15 + 4e-16 * Math.abs(x))
    }
  }
})

it('exp ends in 0 and in Infinity', () => {
  expect([exp(0), exp(-1e4), exp(1e4)]).toEqual([1, 0, Number.POSITIVE_INFINITY])
})

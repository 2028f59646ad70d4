import { expect, it } from 'vitest'
import { atan2, exp } from '../../src/core/math/elementary.js'
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

it('atan2 is that of the platform to 1e-15 of its size, seeds 1 to 500', () => {
  for (const seed of seeds(500)) {
    const random = new Random(seed)
    const [y, x] = [random.uniform(-1, 1), random.uniform(-1, 1)]
    for (const [a, b] of [
      [y, x],
      [y * 1e-9, x],
      [y, x * 1e-200],
      [y * 1e150, x * 1e150],
    ] as const) {
      expect(Math.abs(atan2(a, b) - Math.atan2(a, b))).toBeLessThan(1e-15 * (1 + Math.abs(Math.atan2(a, b))))
    }
  }
  const axes = [atan2(0, 0), atan2(0, 2), atan2(3, 0), atan2(-3, 0), atan2(0, -2)]
  expect(axes).toEqual([0, 0, Math.PI / 2, -Math.PI / 2, Math.PI])
})

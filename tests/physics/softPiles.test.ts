import { describe, expect, it } from 'vitest'
import { playPile } from '../fuzz/piles.js'
import { long } from '../support/long.js'

/** `npm run fuzz -- --piles` drops many more. */
const seeds = [4, ...long(24, 60)]

describe('bodies and cloths dropped on each other cross nothing, and no guard fires', () => {
  for (const seed of seeds) {
    it(`seed ${seed}`, () => {
      const { bodies, speed, ...rest } = playPile(seed, 6)
      expect(bodies).toBeGreaterThan(3)
      expect(rest).toEqual({
        finite: true,
        crossed: 0,
        below: 0,
        contactClamps: 0,
        speedClamps: 0,
        inversionRescues: 0,
      })
      // A ball may still roll.
      expect(speed).toBeLessThan(0.5)
    })
  }
})

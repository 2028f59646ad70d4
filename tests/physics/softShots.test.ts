import { describe, expect, it } from 'vitest'
import { playShot, shotName } from '../fuzz/shots.js'

/** Each kind of shot at each kind of target, and some of the hardest; `npm run fuzz -- --shots` plays hundreds. */
const seeds = [
  7, 8, 10, 15, 19, 28, 30, 33, 37, 40, 43, 44, 47, 49, 50, 51, 52, 53, 56, 59, 60, 62, 65, 66, 70, 71, 72, 93, 95, 115,
]

describe('what is thrown at 10 to 40 m/s does not pass through a cloth or a thin mesh', () => {
  for (const seed of seeds) {
    it(`${shotName(seed)}, seed ${seed}`, () => {
      const { touched, gained, ...rest } = playShot(seed)
      expect(rest).toMatchObject({ crossed: 0, contactClamps: 0, speedClamps: 0 })
      expect(touched).toBeGreaterThan(0)
      // Nothing but the shot moves at first: contact makes no energy, to the rounding of the sums.
      expect(gained).toBeLessThan(1e-9)
    })
  }
})

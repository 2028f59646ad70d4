import { describe, expect, it } from 'vitest'
import { moodOf, playCase } from './cases.js'
import { playInvalid } from './invalid.js'

/** `npm run fuzz` plays 10,000; one by its number with `npm run fuzz -- --seed N`. */
const VALID = 40
const INVALID = 300

describe('fuzz', () => {
  for (const mood of ['calm', 'wild'] as const) {
    it(`valid ${mood} settings, meshes and operations, seeds to ${VALID}`, () => {
      let played = 0
      for (let seed = 1; seed <= VALID; seed++) {
        if (moodOf(seed) !== mood) continue
        playCase(seed)
        played++
      }
      expect(played).toBe(VALID / 2)
    })
  }

  it(`whatever is outside its range is refused by its name, seeds to ${INVALID}`, () => {
    for (let seed = 1; seed <= INVALID; seed++) playInvalid(seed)
  })
})

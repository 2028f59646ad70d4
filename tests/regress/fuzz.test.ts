import { describe, expect, it } from 'vitest'
import { work } from '../../src/core/collision/soft/work.js'
import { playCase } from '../fuzz/cases.js'
import { long } from '../support/long.js'

describe('cases of the fuzz test that have failed once', () => {
  // The force of a hold was not a number after its body had been put back; nor was what slept beside such a body.
  for (const seed of [147, 2909]) it(`seed ${seed}`, () => playCase(seed))

  // Particles that are thrown through each other at hundreds of meters a second kept a step busy for seconds.
  it.each(long(751))('a step that has done what it may about impacts soon ends: seed %i', (seed) => {
    let most = 0
    playCase(seed, () => {
      if (work[0]! > 0) most = Math.max(most, work[0]! / work[1]!)
      // What is in hand is still brought to an end, in each substep that is left. Without an end it were up to 3.0 times as
      // much as it may be; asked in each step, since those without an end take minutes.
      expect(most).toBeLessThan(1.8)
    })
    expect(most).toBeGreaterThan(1)
  })
})

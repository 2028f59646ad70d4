import { describe, it } from 'vitest'
import { playCase } from '../fuzz/cases.js'

describe('cases of the fuzz test that have failed once', () => {
  // The force of a hold was not a number after its body had been put back.
  for (const seed of [147]) it(`seed ${seed}`, () => playCase(seed))
})

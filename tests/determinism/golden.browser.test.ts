import { describe, it } from 'vitest'
import { expectGolden, goldenHashes } from './golden.js'

describe('golden hash in the browser', () => {
  it('every scene gives the stored bits', () => expectGolden(goldenHashes()))
})

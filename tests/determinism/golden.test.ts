import { writeFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { expectGolden, goldenHashes } from './golden.js'

describe('golden hash in Node', () => {
  if (process.env.UPDATE_GOLDEN) {
    it('is stored anew', () => {
      writeFileSync(new URL('golden.json', import.meta.url), `${JSON.stringify(goldenHashes(), null, 2)}\n`)
    })
  } else {
    it('every scene gives the stored bits', () => expectGolden(goldenHashes()))
  }
})

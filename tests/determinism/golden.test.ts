import { writeFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { expectGolden, goldenHashes } from './golden.js'

const update = (hashes: Record<string, string>) =>
  writeFileSync(new URL('golden.json', import.meta.url), `${JSON.stringify(hashes, null, 2)}\n`)
const check = process.env.UPDATE_GOLDEN ? update : expectGolden

describe('golden hash in Node', () => {
  it('every scene gives the stored bits', () => check(goldenHashes()))
})

import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { Soaked } from '../fuzz/soak.js'

/** A collection leaves this much more or less from time to time. */
const NOISE = 256 * 1024

describe('soak', () => {
  it('ten bodies thrown about for a minute stay in their room, call no guard and leave the heap flat', () => {
    // In a process of its own: a test runner's heap is not flat. `npm run fuzz -- --soak` takes 30 minutes.
    const out = execFileSync(process.execPath, ['scripts/fuzz.mjs', '--soak', '1'], { encoding: 'utf8' })
    const soaked = JSON.parse(out.slice(out.indexOf('{'))) as Soaked
    expect(soaked).toMatchObject({ steps: 3600, finite: true, speedClamps: 0, nonFiniteRescues: 0 })
    expect(soaked.outside).toBeLessThan(0.01)
    const { heap } = soaked
    expect(heap).toHaveLength(10)
    // The first tenths hold what is compiled on the way.
    expect(heap.at(-1)! - heap[4]!).toBeLessThan(NOISE)
  })
})

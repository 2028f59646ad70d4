import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { faultsOf, type Soaked } from '../fuzz/soak.js'

describe('soak', () => {
  it('ten bodies thrown about for 20 seconds stay in their room, call no guard and leave the heap flat', () => {
    // In a process of its own, which fails by itself: a test runner's heap is not flat. `npm run fuzz -- --soak` goes on
    // for 30 minutes.
    const out = execFileSync(process.execPath, ['scripts/fuzz.mjs', '--soak', String(1 / 3)], { encoding: 'utf8' })
    const soaked = JSON.parse(out.slice(out.indexOf('{'))) as Soaked
    expect(soaked.steps).toBe(1200)
    expect(soaked.heap).toHaveLength(10)
    expect(faultsOf(soaked)).toEqual([])
    const solids = soaked.tets.filter((count) => count > 0)
    expect(solids.length).toBe(8)
    expect(Math.min(...solids)).toBeGreaterThanOrEqual(100)
  })

  const sound: Soaked = {
    minutes: 1,
    steps: 3600,
    tets: [135],
    finite: true,
    speedClamps: 0,
    contactClamps: 0,
    nonFiniteRescues: 0,
    inversionRescues: 3,
    outside: -0.001,
    heap: [1, 2, 3, 4, 5, 5, 5, 5, 5, 5].map((tenth) => 1e6 + tenth),
  }

  it.each([
    [{}, []],
    [{ finite: false, outside: Number.NaN }, ['not finite', 'outside']],
    [{ outside: 0.05 }, ['outside']],
    [{ speedClamps: 1, contactClamps: 1, nonFiniteRescues: 1 }, ['speedClamps', 'contactClamps', 'nonFiniteRescues']],
    [{ heap: sound.heap.map((bytes, k) => bytes + 2e5 * k) }, ['the heap grows']],
  ] as [Partial<Soaked>, string[]][])('fails by %o', (change, faults) => {
    expect(faultsOf({ ...sound, ...change })).toEqual(faults)
  })
})

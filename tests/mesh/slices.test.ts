import { SphereGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { softBodyModelSteps } from '../../src/core/bodies/solid.js'
import { embed } from '../../src/core/mesh/embed.js'
import { createSkin } from '../../src/core/mesh/skin.js'
import { runInSlices, runToEnd } from '../../src/core/mesh/slices.js'
import { tetrahedralize } from '../../src/core/mesh/tetrahedralize.js'
import { weld } from '../../src/core/mesh/weld.js'
import { fromGeometry } from '../support/meshes.js'

function* countTo(limit: number, log: number[]): Generator<void, number> {
  for (let i = 1; i <= limit; i++) {
    log.push(i)
    yield
  }
  return limit
}

const yieldsOf = (work: Generator<void, unknown>): number => {
  let count = 0
  while (!work.next().done) count++
  return count
}

describe('slices', () => {
  it('cut all of the building of a body, the rows of its constraints too', () => {
    const mesh = fromGeometry(new SphereGeometry(1, 16, 8))
    const whole = yieldsOf(softBodyModelSteps(mesh, { resolution: 16 }))
    const surface = runToEnd(weld(mesh))
    const filled = runToEnd(tetrahedralize(surface, { resolution: 16 }))
    const stages = [
      weld(mesh),
      tetrahedralize(surface, { resolution: 16 }),
      embed(filled, surface.positions),
      createSkin(mesh, surface, runToEnd(embed(filled, surface.positions))),
    ]
    const meshing = stages.reduce((sum, stage) => sum + yieldsOf(stage), 0)
    expect(whole - meshing).toBeGreaterThan(filled.report.tetCount / 1024)
  })

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

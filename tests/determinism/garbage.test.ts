import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'
import { features } from './garbage/features.js'
import type { Heap } from './garbage/watch.js'

type Program = Awaited<ReturnType<typeof bundle>>

/** Fresh processes, one of which must come to rest. */
const RUNS = 5

describe('garbage', () => {
  let scene: Program
  let feature: Program
  beforeAll(async () => {
    scene = await bundle('tests/determinism/garbage/scene.ts')
    feature = await bundle('tests/determinism/garbage/feature.ts')
  }, 60_000)
  afterAll(() => {
    scene.remove()
    feature.remove()
  })

  // V8 compiles what has run through so many bytes: a small budget makes it compile soon.
  const watched = (program: readonly string[]): Heap =>
    JSON.parse(
      execFileSync(process.execPath, ['--expose-gc', '--interrupt-budget=16000', ...program], {
        encoding: 'utf8',
        timeout: 300_000,
      }),
    )
  // What it makes of the same code depends on when it gets to it, on a busy machine now and then numbers that are boxed for
  // good. What the engine itself allocates is in every run.
  const expectQuiet = (...program: string[]) => {
    let heap = watched(program)
    for (let run = 1; run < RUNS && !isQuiet(heap); run++) heap = watched(program)
    const { growth, limit } = heap
    expect(growth.length, 'windows').toBeGreaterThan(0)
    expect(growth.at(-1) ?? Number.NaN, `growth of each window [bytes]: ${growth.join(', ')}`).toBeLessThan(limit)
  }
  const isQuiet = ({ growth, limit }: Heap) => (growth.at(-1) ?? Number.NaN) < limit

  it('steps of bodies, cloth, contacts, grips, moving colliders and skins come to leave nothing behind', () => {
    expectQuiet(scene.file)
  }, 1_520_000)

  // Of several at once engines see as many kinds of bodies as there are. One brings a room, in which there is no place for
  // the others, and one tears: bodies that could meet the pieces are looked up anew then.
  const worlds = [
    ['pile', 'fabric', 'belts', 'weather'],
    ['joints', 'ropes', 'ragdolls', 'clay'],
    ['strikes', 'pins', 'sleepers', 'crowds'],
    ['forces'],
    ['rags'],
  ]
  it.each(worlds.map((names) => [names]))(
    'steps of %s, in one world, come to leave nothing behind',
    (names) => {
      expectQuiet(feature.file, ...names)
    },
    1_520_000,
  )

  it('has a world for each feature', () => {
    expect(worlds.flat().sort()).toEqual(Object.keys(features).sort())
  })
})

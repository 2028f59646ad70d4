// One stored hash a scene, the same on every machine, in Node and in browsers.
import { expect } from 'vitest'
import { scenes } from '../../scenes/index.js'
import golden from './golden.json'
import { sceneHash } from './hash.js'

/** Three seconds: bodies have fallen, rubbed, bounced and been dragged. */
const STEPS = 180

export function goldenHashes(): Record<string, string> {
  return Object.fromEntries(Object.entries(scenes).map(([name, scene]) => [name, sceneHash(scene, STEPS)]))
}

export function expectGolden(found: Record<string, string>): void {
  const stored: Record<string, string> = golden
  const names = [...new Set([...Object.keys(found), ...Object.keys(stored)])]
  const changed = names.filter((name) => found[name] !== stored[name])
  expect(
    changed,
    `These scenes no longer give the bits that tests/determinism/golden.json holds: ${changed.join(', ')}. ` +
      'Where the engine was meant to change, run `UPDATE_GOLDEN=1 npm test -- --project node tests/determinism` and commit the file; ' +
      'where only this machine or this browser differs, the engine is not deterministic.',
  ).toEqual([])
}

// Whether two bodies are in one place: by what a solid holds, and by what leads through a surface.
import { expect, it } from 'vitest'
import { wholeBodySettings } from '../../src/core/checks.js'
import { shareSpace } from '../../src/core/collision/soft/sharedSpace.js'
import { State } from '../../src/core/state.js'
import { clothModel, type Model, type Quat, ropeModel, tetMeshModel, type Vec3 } from '../../src/headless.js'
import { ball, boxLattice, cube } from '../support/lattice.js'

const bar = tetMeshModel(boxLattice([1.4, 0.14, 0.14], [1, 1, 1])).model
const rope = ropeModel({ points: [[-0.5, 0, 0] as const, [0.5, 0, 0] as const], radius: 0.01, segments: 1 }).model
const cloth = clothModel({ width: 1, height: 1, segmentsX: 2, segmentsY: 2 }).model
const upright: Quat = [0, Math.SQRT1_2, 0, Math.SQRT1_2]

it.each<[string, Model, Model, Vec3, Quat, boolean]>([
  ['a ball within a cube', ball(0.1, 2), cube(1, 2), [0.2, 0.1, 0.1], [0, 0, 0, 1], true],
  ['a ball at the corner of a cube', ball(0.3, 4), cube(1, 2), [0.71, 0.71, 0.71], [0, 0, 0, 1], false],
  ['a bar through a cube, no particle in it', bar, cube(0.5, 3), [0.01, 0.01, 0.02], [0, 0, 0, 1], true],
  ['a bar past a cube', bar, cube(0.5, 3), [0.01, 0.33, 0.02], [0, 0, 0, 1], false],
  ['a rope through a cube', rope, cube(0.5, 3), [0.01, 0.01, 0.02], [0, 0, 0, 1], true],
  ['a cloth about a rope', cloth, rope, [0.1, 0.2, 0.1], upright, true],
  ['a cloth beside a rope', cloth, rope, [0.1, 0.2, 0.6], upright, false],
  ['a cloth across a cloth', cloth, cloth, [0.3, 0.1, 0.1], upright, true],
  ['a cloth beside a cloth', cloth, cloth, [0, 0, 0.3], [0, 0, 0, 1], false],
])('%s', (_, one, other, position, rotation, shared) => {
  const state = new State()
  const a = state.addBody(one, wholeBodySettings(one, { position: [0, 0, 0], rotation }))
  const b = state.addBody(other, wholeBodySettings(other, { position }))
  state.place(a, [0, 0, 0], rotation)
  state.place(b, position, [0, 0, 0, 1])
  expect(shareSpace(state, a, b)).toBe(shared)
  expect(shareSpace(state, b, a)).toBe(shared)
})

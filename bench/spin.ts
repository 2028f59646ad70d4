// Bodies that tumble and touch nothing, for spin.mjs: their spin is restored in each substep, or never.

import { tetBox } from '../scenes/index.js'
import { ReferenceSolver } from '../src/backends/reference/step.js'
import type { Spin } from '../src/core/spin.js'
import { World } from '../src/core/world.js'
import { presets, tetMeshModel } from '../src/headless.js'

const BODIES = 8

/** What stands in for the restoring of spins where it is left out. */
const idle: { readonly [Method in keyof Spin]: () => void } = {
  begin() {},
  remember() {},
  restore() {},
  forget() {},
  rememberWay() {},
}

/** Cubes of 64 cells in free space, far from each other. */
export function tumbling(restored: boolean): World {
  const solver = new ReferenceSolver()
  if (!restored) Object.assign(solver, { spin: idle })
  const world = new World({ gravity: [0, 0, 0], sleeping: false }, solver)
  const { model } = tetMeshModel(tetBox([1, 1, 1], [4, 4, 4]))
  for (let k = 0; k < BODIES; k++) {
    world.addBody(model, { ...presets.rubber, position: [5 * k, 0, 0] }).setVelocity([0, 0, 0], [1, 2, 3])
  }
  return world
}

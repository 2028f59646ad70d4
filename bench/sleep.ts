// A field of bodies that rest, for sleep.mjs: awake because they may not sleep, or asleep.
import { tetBox } from '../scenes/index.js'
import { plane, presets, tetMeshModel, World } from '../src/headless.js'

const ROWS = 10

/** A hundred cubes of 64 cells that have come to rest on the ground. */
export function field(sleeping: boolean): World {
  const world = new World({ sleeping })
  world.addCollider(plane())
  const { model } = tetMeshModel(tetBox([0.5, 0.5, 0.5], [4, 4, 4]))
  for (let k = 0; k < ROWS * ROWS; k++) {
    const [x, z] = [k % ROWS, Math.floor(k / ROWS)]
    world.addBody(model, { ...presets.rubber, position: [x, 0.252, z] })
  }
  for (let step = 0; step < 120; step++) world.step()
  return world
}

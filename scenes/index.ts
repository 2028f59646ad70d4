// Scenes without a renderer: each fills an empty world, and gives the same bits wherever it runs.
import type { World } from '../src/headless.js'
import { drapedCloth, hangingCloth } from './clothSheets.js'
import { grabs } from './grabs.js'
import { jellyCubes } from './jellyCubes.js'
import { meshedBall } from './meshedBall.js'
import { movingPlates } from './movingPlates.js'
import { shapeMatchedBoxes } from './shapeMatchedBoxes.js'

export { ballMesh } from './meshedBall.js'
export { type TetBox, tetBox } from './tetBox.js'
export { wave } from './wave.js'
export { drapedCloth, grabs, hangingCloth, jellyCubes, meshedBall, movingPlates, shapeMatchedBoxes }

/** Fills an empty world. */
export type Scene = (world: World) => void

/** Every scene by its name. */
export const scenes: Readonly<Record<string, Scene>> = {
  jellyCubes,
  hangingCloth,
  drapedCloth,
  movingPlates,
  grabs,
  shapeMatchedBoxes,
  meshedBall,
}

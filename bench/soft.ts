// Cost of contact between soft bodies: bundled and run by `node bench/soft.mjs`.
import { tetBox } from '../scenes/index.js'
import { tetMeshModel, World } from '../src/headless.js'

const { model } = tetMeshModel(tetBox([1, 1, 1], [4, 4, 4]))

/** Boxes in layers, each a little above the next, so that all that are neighbours nearly touch: some `count` particles. */
export function crowd(count: number, apart: number): World {
  const world = new World({ gravity: [0, 0, 0], sleeping: false })
  const bodies = Math.max(2, Math.round(count / model.particleCount))
  const side = Math.ceil(bodies ** (1 / 3))
  for (let k = 0; k < bodies; k++) {
    const place = [k % side, Math.floor(k / side) % side, Math.floor(k / (side * side))]
    world.addBody(model, { position: place.map((at) => at * apart) as [number, number, number] })
  }
  return world
}

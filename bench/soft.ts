// Cost of contact between soft bodies: bundled and run by `node bench/soft.mjs`.
import { tetBox } from '../scenes/index.js'
import { type Quat, tetMeshModel, World } from '../src/headless.js'
import { Random } from '../tests/support/draw.js'

const large = tetMeshModel(tetBox([1, 1, 1], [4, 4, 4])).model
const small = tetMeshModel(tetBox([0.5, 0.5, 0.5], [1, 1, 1])).model

/** Boxes in layers, each a little above the next, so that all that are neighbours nearly touch: some `count` particles. */
export function crowd(count: number, apart: number): World {
  const world = new World({ gravity: [0, 0, 0], sleeping: false })
  const bodies = Math.max(2, Math.round(count / large.particleCount))
  const side = Math.ceil(bodies ** (1 / 3))
  for (let k = 0; k < bodies; k++) {
    const place = [k % side, Math.floor(k / side) % side, Math.floor(k / (side * side))]
    world.addBody(large, { position: place.map((at) => at * apart) as [number, number, number] })
  }
  return world
}

/** How cubes of eight particles stand: in a wall across an axis, in a cube, or tilted so that their boxes overlap. */
export const layouts = ['wall x', 'wall y', 'wall z', 'cube', 'heap'] as const

/** Some `count` particles in the smallest bodies, of which none touches another: what it costs to find that out. */
export function field(count: number, layout: (typeof layouts)[number]): World {
  const world = new World({ gravity: [0, 0, 0], sleeping: false, substeps: 2 })
  const random = new Random(1)
  const bodies = Math.round(count / small.particleCount)
  const flat = layout.startsWith('wall')
  const side = Math.ceil(bodies ** (flat ? 1 / 2 : 1 / 3))
  for (let k = 0; k < bodies; k++) {
    const [u, v, w] = [k % side, Math.floor(k / side) % side, Math.floor(k / (side * side))]
    const apart = layout === 'heap' ? 0.9 : 0.8
    const place = { 'wall x': [0, u, v], 'wall y': [u, 0, v], 'wall z': [u, v, 0], cube: [u, v, w], heap: [u, v, w] }[
      layout
    ]
    const rotation: Quat = layout === 'heap' ? random.rotation() : [0, 0, 0, 1]
    world.addBody(small, { position: place.map((at) => at * apart) as [number, number, number], rotation })
  }
  return world
}

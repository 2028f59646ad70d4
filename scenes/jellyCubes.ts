import { type PresetName, plane, presets, tetMeshModel, type World } from '../src/headless.js'
import { tetBox } from './tetBox.js'

const materials: readonly PresetName[] = ['jelly', 'rubber', 'firm']

/** Tilted cubes of every preset fall on the ground, bounce and come to rest; they share one model. */
export function jellyCubes(world: World): void {
  const { model } = tetMeshModel(tetBox([1, 1, 1], [4, 4, 4]))
  world.addCollider(plane(), { name: 'ground' })
  materials.forEach((material, k) => {
    world.addBody(model, {
      ...presets[material],
      name: material,
      position: [2 * k - 2, 1.5, 0],
      rotation: [0.6, 0, 0, 0.8],
    })
  })
}

import { plane, tetMeshModel, type World } from '../src/headless.js'
import { tetBox } from './tetBox.js'

/** Boxes held by shape matching alone, soft to stiff, tumble down a slope; the last bounces. */
export function shapeMatchedBoxes(world: World): void {
  const { model } = tetMeshModel(tetBox([0.8, 0.5, 0.5], [3, 2, 2]))
  world.addCollider(plane(), { name: 'slope', rotation: [0, 0, -0.28, 0.96] })
  ;[20, 60, 200].forEach((rate, k) => {
    const body = world.addBody(model, {
      name: `box ${rate}`,
      position: [0, 1.5, 1.5 * k],
      restitution: k === 2 ? 0.5 : 0,
      elastic: { neoHookean: false, shape: { rate } },
    })
    body.setVelocity([1, 0, 0], [k, 2, 3])
  })
}

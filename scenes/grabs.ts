import { clothModel, plane, presets, tetMeshModel, type World } from '../src/headless.js'
import { tetBox } from './tetBox.js'
import { wave } from './wave.js'

/** Bars are dragged about by rigid, springy and weak grips; a flag's pins are led in circles. */
export function grabs(world: World): void {
  const { model } = tetMeshModel(tetBox([1.2, 0.4, 0.4], [6, 2, 2]))
  world.addCollider(plane(), { name: 'ground' })
  const grips = [{}, { compliance: 1e-4, damping: 200 }, { compliance: 1e-5, maxForce: 1500 }].map((options, k) => {
    const body = world.addBody(model, { ...presets.rubber, name: `bar ${k}`, position: [0, 0.6 + 0.6 * k, 0] })
    return body.attach(body.region([-0.6, 0.6 + 0.6 * k, 0], 0.3), options)
  })
  const flag = world.addBody(clothModel({ width: 1, height: 1, segmentsX: 10, segmentsY: 10 }).model, {
    name: 'flag',
    position: [2, 1.5, 0],
    damping: 1,
  })
  flag.pin([0, 10])
  const corner: [number, number, number] = [1.5, 2, 0]
  world.onBeforeStep(({ time }) => {
    for (let k = 0; k < grips.length; k++) {
      grips[k]!.setTarget(0.4 * wave(time / 2) - 0.6, 0.9 + 0.6 * k + 0.3 * wave(time + 0.25), 0.2 * wave(time / 3))
    }
    corner[0] = 1.5 + 0.1 * wave(time)
    corner[2] = 0.1 * wave(time + 0.25)
    flag.movePin(0, corner)
    corner[0] += 1
    flag.movePin(10, corner)
  })
}

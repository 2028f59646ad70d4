import { box, plane, presets, tetMeshModel, type World } from '../src/headless.js'
import { tetBox } from './tetBox.js'
import { wave } from './wave.js'

/** A plate presses a cube on the ground, rubs it to and fro, tilts and lets go, every two seconds. */
export function movingPlates(world: World): void {
  const { model } = tetMeshModel(tetBox([1, 1, 1], [4, 4, 4]))
  world.addCollider(plane(), { name: 'ground' })
  const plate = world.addCollider(box([1, 0.1, 1]), { name: 'plate', position: [0, 1.6, 0], friction: 0.8 })
  world.addBody(model, { ...presets.rubber, name: 'cube', position: [0, 0.51, 0], shapeDamping: 5 })
  const position: [number, number, number] = [0, 1.6, 0]
  const rotation: [number, number, number, number] = [0, 0, 0, 1]
  world.onBeforeStep(({ time }) => {
    position[0] = 0.25 * wave(time)
    position[1] = 1.2 + 0.35 * wave(time / 2 + 0.25)
    const tilt = 0.05 * wave(time / 3)
    rotation[2] = tilt
    rotation[3] = Math.sqrt(1 - tilt * tilt)
    plate.setPose(position, rotation)
  })
}

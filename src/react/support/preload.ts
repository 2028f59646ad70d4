import { type BufferGeometry, Group, Matrix4, type Object3D } from 'three'
import { SettingError } from '../../headless.js'
import { softBodyProps, validateProp } from '../props.js'
import type { PreloadOptions } from '../types.js'
import { readSource } from './bodySource.js'
import { solidLater, statedResolution } from './modelCache.js'
import { namedError } from './propKeeper.js'
import { restPose } from './restPose.js'
import { clustersOf } from './settings.js'

/**
 * Builds the tetrahedra of a geometry, or of the scene that is to be an `object`, ahead, in slices between frames, so that
 * a `<SoftBody>` of it with the same resolution, crease angle, clusters and scale starts at once.
 * @throws SettingError for an option out of range, and Error for a geometry that cannot be simulated
 */
export async function preload(shown: BufferGeometry | Object3D, options: PreloadOptions = {}): Promise<void> {
  const { tetCount, creaseAngle = 30, scale = 1, shapeMatching } = options
  const resolution = statedResolution(options)
  validateProp('preload', 'resolution', resolution, softBodyProps.resolution)
  validateProp('preload', 'tetCount', tetCount, softBodyProps.tetCount)
  validateProp('preload', 'creaseAngle', creaseAngle, softBodyProps.creaseAngle)
  validateProp('preload', 'shapeMatching', shapeMatching, softBodyProps.shapeMatching)
  const [x, y, z] = typeof scale === 'number' ? [scale, scale, scale] : scale
  const pose = restPose(new Matrix4().makeScale(x, y, z))
  if (!pose) throw new SettingError('preload', 'scale', scale, 'flattens the body', 'Use scales other than 0.')
  try {
    const geometry = 'isObject3D' in shown ? sceneGeometry(shown) : shown
    await solidLater(geometry, { resolution, tetCount, creaseAngle, clusters: clustersOf(shapeMatching) }, pose).done
  } catch (error) {
    throw namedError('preload', error)
  }
}

/** The geometry that a body makes of a scene: the body's group stands where the scene does. */
function sceneGeometry(scene: Object3D): BufferGeometry {
  const object = scene.clone()
  return readSource('preload', new Group().add(object), { prop: 'object', object }).geometry
}

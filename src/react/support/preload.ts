import { type BufferGeometry, Matrix4 } from 'three'
import { SettingError } from '../../headless.js'
import { softBodyProps, validateProp } from '../props.js'
import type { PreloadOptions } from '../types.js'
import { solidLater } from './modelCache.js'
import { namedError } from './propKeeper.js'
import { restPose } from './restPose.js'

/**
 * Builds the tetrahedra of a geometry ahead, in slices between frames, so that a `<SoftBody>` with the same geometry,
 * resolution, crease angle and scale starts at once.
 * @throws SettingError for an option out of range, and Error for a geometry that cannot be simulated
 */
export async function preload(geometry: BufferGeometry, options: PreloadOptions = {}): Promise<void> {
  const { resolution = 10, creaseAngle = 30, scale = 1 } = options
  validateProp('preload', 'resolution', resolution, softBodyProps.resolution)
  validateProp('preload', 'creaseAngle', creaseAngle, softBodyProps.creaseAngle)
  const [x, y, z] = typeof scale === 'number' ? [scale, scale, scale] : scale
  const pose = restPose(new Matrix4().makeScale(x, y, z))
  if (!pose) throw new SettingError('preload', 'scale', scale, 'flattens the body', 'Use scales other than 0.')
  try {
    await solidLater(geometry, { resolution, creaseAngle }, pose).done
  } catch (error) {
    throw namedError('preload', error)
  }
}

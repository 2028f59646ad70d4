import { type BufferGeometry, Group, Matrix4, type Object3D } from 'three'
import { checkGroup } from '../../core/validation.js'
import { SettingError } from '../../headless.js'
import { softBodyProps, validateProp } from '../props.js'
import type { PreloadOptions } from '../types.js'
import { namesOf, readSource } from './bodySource.js'
import { meshError, type Named, namedGeometry } from './meshChecks.js'
import { solidLater, statedResolution } from './modelCache.js'
import { restPose } from './restPose.js'
import { clustersOf } from './settings.js'

const preloadOptions: Record<keyof PreloadOptions, true> = {
  resolution: true,
  tetCount: true,
  scale: true,
  creaseAngle: true,
  shapeMatching: true,
}

/**
 * Builds the tetrahedra of a geometry, or of the scene that is to be an `object`, ahead, in slices between frames, so that
 * a `<SoftBody>` of it with the same resolution, crease angle, clusters and scale starts at once.
 * @throws SettingError for an option out of range, one that there is not, two that exclude each other, and for what cannot be simulated
 */
export async function preload(shown: BufferGeometry | Object3D, options: PreloadOptions = {}): Promise<void> {
  checkGroup('preload', 'settings', options, preloadOptions)
  const { tetCount, creaseAngle = 30, scale = 1, shapeMatching } = options
  const resolution = statedResolution(options)
  validateProp('preload', 'resolution', resolution, softBodyProps.resolution)
  validateProp('preload', 'tetCount', tetCount, softBodyProps.tetCount)
  if (resolution !== undefined && tetCount !== undefined) {
    throw new SettingError(
      'preload',
      'tetCount',
      tetCount,
      'cannot be given together with resolution',
      'Give one of them.',
    )
  }
  validateProp('preload', 'creaseAngle', creaseAngle, softBodyProps.creaseAngle)
  validateProp('preload', 'shapeMatching', shapeMatching, softBodyProps.shapeMatching)
  const [x, y, z] = typeof scale === 'number' ? [scale, scale, scale] : scale
  const pose = restPose(new Matrix4().makeScale(x, y, z))
  if (!pose) throw new SettingError('preload', 'scale', scale, 'flattens the body', 'Use scales other than 0.')
  const { geometry, prop, meshes } = sourceOf(shown)
  try {
    await solidLater(geometry, { resolution, tetCount, creaseAngle, clusters: clustersOf(shapeMatching) }, pose).done
  } catch (error) {
    throw meshError('preload', prop, meshes, error)
  }
}

/** What a body is made of: for a scene, its group stands where the scene does. */
function sourceOf(shown: BufferGeometry | Object3D): { geometry: BufferGeometry; prop: string; meshes: Named[] } {
  if (typeof shown === 'object' && shown !== null && 'isObject3D' in shown) {
    const object = shown.clone()
    const { geometry, parts } = readSource('preload', new Group().add(object), { prop: 'object', object })
    return { geometry, prop: 'object', meshes: namesOf(parts) }
  }
  validateProp('preload', 'geometry', shown, softBodyProps.geometry)
  return { geometry: shown, prop: 'geometry', meshes: [namedGeometry('preload', shown)] }
}

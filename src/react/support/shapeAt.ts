import type { Object3D } from 'three'
import { type ColliderShape, scaled, type Vec3 } from '../../headless.js'
import type { ColliderOptions } from './colliderTracker.js'

/** A collider's shape at a scale; what is read from the scene is read from below `object`. */
export function shapeAt(options: ColliderOptions, scale: Vec3, object: Object3D): ColliderShape {
  return options.read ? scaled(options.read(object), scale[0]) : options.shape(scale)
}

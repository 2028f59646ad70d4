import type { BufferGeometry } from 'three'
import type { BodySettings, Model } from '../../headless.js'
import type { ClothHandlers, PinSelector } from '../types.js'
import type { MeshOrigin } from './bodySource.js'
import type { Shape } from './modelCache.js'
import type { RestPose } from './restPose.js'

/** Makes the shape of a body from the geometry that its meshes show together. */
export interface ShapeBuilder {
  /** Equal for equal shapes of one geometry: another key is a rebuild. */
  readonly key: string
  /** Tetrahedra that are wanted, if any number is. */
  readonly tetCount?: number | undefined
  /** The shape if it can be had at once. */
  now(geometry: BufferGeometry, pose: RestPose): Shape | undefined
  /** The shape otherwise; undefined after `leave`. */
  later(geometry: BufferGeometry, pose: RestPose): { done: Promise<Shape | undefined>; leave: () => void }
}

/** What the props say of a body, renewed with every render. */
export interface BodyOptions {
  readonly builder: ShapeBuilder
  /** Where the meshes come from; by default from the children. */
  readonly origin?: MeshOrigin
  /** Equal while position, rotation and scale props are: another key is a teleport, or a rebuild for the scale. */
  readonly poseKey: string
  settings(model: Model): Partial<BodySettings>
  readonly pins: PinSelector | undefined
  readonly handlers: ClothHandlers
  readonly grabbable: boolean
  readonly pokeForce: number
  readonly grabForce: number | undefined
}

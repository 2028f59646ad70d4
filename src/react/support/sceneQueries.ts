import type { Object3D } from 'three'
import type { Body, Collider, MutableVec3, Overlap, QueryOptions, RaycastOptions, RayHit } from '../../headless.js'
import type { BodyRef, SceneHit, SceneOverlap, Vec3Like } from '../types.js'
import { refOf } from './bodyRef.js'
import { vec3 } from './vectorLike.js'
import type { WorldRuntime } from './worldRuntime.js'

const from: MutableVec3 = [0, 0, 0]
const along: MutableVec3 = [0, 0, 0]

/** What a ray meets first, with what shows it; null for nothing, and once the world is unmounted. */
export function castRay(
  runtime: WorldRuntime,
  origin: Vec3Like,
  direction: Vec3Like,
  options?: RaycastOptions,
): SceneHit | null {
  const hit: RayHit | null = runtime.mounted
    ? runtime.world.raycast(vec3(origin, from), vec3(direction, along), options)
    : null
  return hit && { ...hit, ref: refIn(runtime, hit.body), object: objectIn(runtime, hit.body ?? hit.collider!) }
}

/** What reaches into a sphere, with what shows it. */
export function findInSphere(
  runtime: WorldRuntime,
  center: Vec3Like,
  radius: number,
  options?: QueryOptions,
): SceneOverlap {
  if (!runtime.mounted) return { bodies: [], colliders: [] }
  const { bodies, colliders }: Overlap = runtime.world.overlapSphere(vec3(center, from), radius, options)
  return {
    bodies: bodies.map(({ body, particles }) => ({
      body,
      particles,
      ref: refIn(runtime, body),
      object: objectIn(runtime, body),
    })),
    colliders: colliders.map((collider) => ({ collider, object: objectIn(runtime, collider) })),
  }
}

/** The ref of a body that a component shows; null for another. */
export function refIn({ owners }: WorldRuntime, body: Body | null): BodyRef | null {
  const owner = body && owners.get(body)
  return owner && !('isObject3D' in owner) ? refOf(owner) : null
}

/** The first mesh of a body, the group of a collider; null for what the scene does not know. */
/** The body's first mesh, or the collider's group; null where no component shows it. */
export function objectIn({ owners }: WorldRuntime, target: Body | Collider): Object3D | null {
  const owner = owners.get(target)
  if (!owner) return null
  return 'isObject3D' in owner ? owner : (owner.meshes[0] ?? null)
}

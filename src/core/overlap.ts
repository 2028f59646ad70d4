import type { Body } from './body.js'
import { checkVector } from './checks.js'
import type { Collider } from './collider.js'
import type { Events } from './events.js'
import { quaternionToMatrix } from './math/rotation.js'
import { radiusOf } from './measures.js'
import { NearestPoint } from './nearest.js'
import { type QueryOptions, seer } from './query.js'
import type { ColliderRecord } from './records.js'
import type { State } from './state.js'
import { SettingError } from './validation.js'
import type { Vec3 } from './vectors.js'

/** A body that reaches into a sphere: with its surface as it is deformed, a rope or free particles with their radius. */
export interface BodyOverlap {
  readonly body: Body
  /**
   * Its particles within, ascending, those of a rope and free ones as far as their radius reaches; none where only its surface
   * reaches in, or the sphere lies between them.
   */
  readonly particles: Uint32Array
}

/** What reaches into a sphere. */
export interface Overlap {
  readonly bodies: readonly BodyOverlap[]
  readonly colliders: readonly Collider[]
}

const nearest = new NearestPoint()
const query = new Float64Array(7)
const R = new Float64Array(9)

/** @throws SettingError for a centre that is not finite, a radius that is not above 0, or options that are none */
export function overlapSphere(
  state: State,
  handles: Events,
  center: Vec3,
  radius: number,
  options: QueryOptions = {},
): Overlap {
  checkVector('SoftBodyWorld', 'overlapSphere.center', center)
  if (!(Number.isFinite(radius) && radius > 0)) {
    throw new SettingError('SoftBodyWorld', 'overlapSphere.radius', radius, 'must be above 0', 'Use metres.')
  }
  const sees = seer(handles, 'overlapSphere', options)
  const bodies: BodyOverlap[] = []
  for (const record of state.bodies.live) {
    if (!sees(record.settings.collisionGroups, record, null)) continue
    const reach = radius + radiusOf(record)
    const particles = within(state.positions, record.start, record.model.particleCount, center, reach)
    if (particles.length === 0) {
      nearest.find(state, record, center)
      if (!(nearest.distance < reach)) continue
    }
    bodies.push({ body: handles.bodyOf(record), particles })
  }
  const colliders: Collider[] = []
  for (const record of state.colliders.live) {
    if (distanceTo(record, center) >= radius || !sees(record.collisionGroups, null, record)) continue
    colliders.push(handles.colliderOf(record))
  }
  return { bodies, colliders }
}

function within(x: Float64Array, start: number, count: number, center: Vec3, radius: number): Uint32Array {
  const found: number[] = []
  for (let i = 0; i < count; i++) {
    const p = (start + i) * 3
    const dx = x[p]! - center[0]
    const dy = x[p + 1]! - center[1]
    const dz = x[p + 2]! - center[2]
    if (dx * dx + dy * dy + dz * dz < radius * radius) found.push(i)
  }
  return Uint32Array.from(found)
}

/** Signed distance of a point from a collider [m]. */
export function distanceTo({ shape, pose }: ColliderRecord, [x, y, z]: Vec3): number {
  quaternionToMatrix(pose, 3, R)
  const rx = x - pose[0]!
  const ry = y - pose[1]!
  const rz = z - pose[2]!
  for (let d = 0; d < 3; d++) query[d] = R[d]! * rx + R[3 + d]! * ry + R[6 + d]! * rz
  shape.distance(query)
  return query[3]!
}

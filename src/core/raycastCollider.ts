import type { ColliderShape } from './collision/shape.js'
import { quaternionToMatrix } from './math/rotation.js'
import { clip, span } from './rayBox.js'
import type { ColliderRecord } from './records.js'
import type { Vec3 } from './vectors.js'

/** How near a ray comes to a collider's surface to have met it: [m], and as a share of the way. */
const TOUCH = 1e-9
/** Looks at most so often at the distance on one way, and so far [m]. */
const LOOKS = 512
const FARTHEST = 1e9

/** Origin and unit direction of the ray in the collider's frame. */
const local = new Float64Array(6)
const R = new Float64Array(9)
const query = new Float64Array(7)

/** Takes a ray into the frame of a collider. */
function toLocal({ pose }: ColliderRecord, ray: Float64Array): void {
  quaternionToMatrix(pose, 3, R)
  for (let d = 0; d < 3; d++) {
    local[d] = 0
    local[3 + d] = 0
    for (let e = 0; e < 3; e++) {
      local[d] = local[d]! + R[e * 3 + d]! * (ray[e]! - pose[e]!)
      local[3 + d] = local[3 + d]! + R[e * 3 + d]! * ray[3 + e]!
    }
  }
}

/** Distance and normal at `far` along the ray in the shape's frame, into `query`. */
function look(shape: ColliderShape, far: number): void {
  for (let d = 0; d < 3; d++) query[d] = local[d]! + far * local[3 + d]!
  shape.distance(query)
}

/**
 * True where the ray meets the collider nearer than what was hit so far, which `nearest` then holds. The step is the
 * distance itself (sphere tracing, Hart 1996); towards a convex shape from outside it is Newton's, which is longer and
 * passes no zero, since the distance along a line is convex there. A ray that starts inside meets the way out.
 */
export function castAtCollider(record: ColliderRecord, ray: Float64Array, nearest: Float64Array): boolean {
  const { shape } = record
  toLocal(record, ray)
  span[0] = 0
  span[1] = Math.min(nearest[0]!, FARTHEST)
  if (shape.bounds && !clip(local, shape.bounds, 0)) return false
  const end = span[1]
  let far = span[0]
  let away = far > 0
  for (let k = 0; k < LOOKS; k++) {
    look(shape, far)
    const gap = query[3]!
    const closing = -(query[4]! * local[3]! + query[5]! * local[4]! + query[6]! * local[5]!)
    const touches = Math.abs(gap) <= TOUCH * (1 + far)
    // A ray that starts on the surface and leaves it does not meet it there.
    if (touches && (closing > 0 || away)) {
      nearest[0] = far
      return true
    }
    away ||= !touches
    if (shape.convex && gap > 0) {
      if (!(closing > 0)) return false
      far += gap / closing
    } else far += Math.max(Math.abs(gap), TOUCH * (1 + far))
    if (!(far <= end)) return false
  }
  return false
}

/** The outward unit normal of a collider where the ray meets it, nearest[0] along its way [m]. */
export function normalThere(record: ColliderRecord, ray: Float64Array, nearest: Float64Array): Vec3 {
  toLocal(record, ray)
  look(record.shape, nearest[0]!)
  const n = [0, 3, 6].map((row) => R[row]! * query[4]! + R[row + 1]! * query[5]! + R[row + 2]! * query[6]!)
  return n as unknown as Vec3
}

import { castAt, FROM, MET, RAY, TO } from './collision/cast.js'
import { quaternionToMatrix } from './math/rotation.js'
import type { ColliderRecord } from './records.js'
import type { Vec3 } from './vectors.js'

/** The ray in the collider's frame. */
const local = new Float64Array(RAY)
const R = new Float64Array(9)
const query = new Float64Array(7)
/** The outward unit normal where a ray has last met a collider. */
const normal = new Float64Array(3)

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

/**
 * True where the ray meets the collider nearer than what was hit so far, which `nearest` then holds. A ray that starts
 * inside meets the way out.
 */
export function castAtCollider(record: ColliderRecord, ray: Float64Array, nearest: Float64Array): boolean {
  toLocal(record, ray)
  local[FROM] = 0
  local[TO] = nearest[0]!
  if (!castAt(record.shape, local, query) || local[MET]! > nearest[0]!) return false
  nearest[0] = local[MET]!
  for (let d = 0; d < 3; d++) {
    const row = d * 3
    normal[d] = R[row]! * query[4]! + R[row + 1]! * query[5]! + R[row + 2]! * query[6]!
  }
  return true
}

/** The outward unit normal where a ray has last met a collider. */
export const lastNormal = (): Vec3 => [normal[0]!, normal[1]!, normal[2]!]

import { quaternionToMatrix } from '../math/rotation.js'
import type { ColliderRecord } from '../records.js'

const q = new Float64Array(4)
/** A collider's way in a step, see `findWay` [m]. */
export const way = new Float64Array(1)

/** The matrix of a pose's rotation. */
export function turnOf(pose: Float64Array, R: Float64Array): void {
  for (let k = 0; k < 4; k++) q[k] = pose[3 + k]!
  quaternionToMatrix(q, 0, R)
}

/** Writes a place of the world into out[0..2], in the frame of a pose whose rotation is R. */
export function toFrame(place: Float64Array, pose: Float64Array, R: Float64Array, out: Float64Array): void {
  const rx = place[0]! - pose[0]!
  const ry = place[1]! - pose[1]!
  const rz = place[2]! - pose[2]!
  for (let d = 0; d < 3; d++) out[d] = R[d]! * rx + R[3 + d]! * ry + R[6 + d]! * rz
}

/** How far a collider moves in the coming step what of it is within radius[0] of a place at most [m], into `way`. */
export function findWay({ pose, target }: ColliderRecord, place: Float64Array, radius: Float64Array): void {
  let shift = 0
  let off = 0
  let dot = 0
  for (let d = 0; d < 3; d++) {
    shift += (target[d]! - pose[d]!) * (target[d]! - pose[d]!)
    off += (place[d]! - pose[d]!) * (place[d]! - pose[d]!)
  }
  for (let k = 3; k < 7; k++) dot += pose[k]! * target[k]!
  // That is the cosine of half the angle of the turn: twice its sine is the way of a point 1 m off.
  const sine = Math.sqrt(Math.max(0, 1 - dot * dot))
  way[0] = Math.sqrt(shift) + 2 * sine * (Math.sqrt(off) + radius[0]!)
}

/** True where the coming step moves a collider. */
export function isMoving({ pose, target }: ColliderRecord): boolean {
  for (let k = 0; k < 7; k++) if (pose[k] !== target[k]) return true
  return false
}

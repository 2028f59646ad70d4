import type { Frame } from '../jointRecord.js'
import { interpolateQuaternions } from '../math/quaternion.js'
import { quaternionToMatrix } from '../math/rotation.js'
import type { ColliderRecord } from '../records.js'

/** Numbers a collider has in `Poses.data`: position and rotation at the substep's start, then at its end. */
export const POSE = 24
const START_ROTATION = 3
export const END_POSITION = 12
export const END_ROTATION = 15

const q = new Float64Array(4)
const end = new Float64Array(4)
const R = new Float64Array(9)

/** Where each collider is at the start and at the end of a substep. Moving ones sweep evenly over the step. */
export class Poses {
  data = new Float64Array(0)
  /** By collider, the velocity at which its surface carries what rubs on it, in the world [m/s]. */
  private carried = new Float64Array(0)

  /** Takes the colliders' poses after `from` and after `to` of the step's `parts` equal parts. */
  set(colliders: readonly Pick<Frame, 'pose' | 'target'>[], from: number, to: number, parts: number): void {
    if (this.data.length < colliders.length * POSE) this.data = new Float64Array(colliders.length * POSE * 2)
    for (let c = 0; c < colliders.length; c++) {
      write(colliders[c]!, from, parts, this.data, c * POSE, c * POSE + START_ROTATION)
      write(colliders[c]!, to, parts, this.data, c * POSE + END_POSITION, c * POSE + END_ROTATION)
    }
  }

  /** Takes the colliders' surface velocities, as they are turned at the end of the substep that was set last. */
  setCarried(colliders: readonly Pick<ColliderRecord, 'surfaceVelocity'>[]): void {
    if (this.carried.length < colliders.length * 3) this.carried = new Float64Array(colliders.length * 6)
    for (let c = 0; c < colliders.length; c++) {
      const u = colliders[c]!.surfaceVelocity
      for (let d = 0; d < 3; d++) {
        const row = c * POSE + END_ROTATION + 3 * d
        this.carried[3 * c + d] = this.data[row]! * u[0] + this.data[row + 1]! * u[1] + this.data[row + 2]! * u[2]
      }
    }
  }

  /** How far the collider's matter that is at a place at the end of the substep has come in it [m], into out[at..at + 2]. */
  shift(collider: number, place: Float64Array, out: Float64Array, at: number): void {
    const { data } = this
    const o = collider * POSE
    const rx = place[0]! - data[o + 12]!
    const ry = place[1]! - data[o + 13]!
    const rz = place[2]! - data[o + 14]!
    const q0 = data[o + 15]! * rx + data[o + 18]! * ry + data[o + 21]! * rz
    const q1 = data[o + 16]! * rx + data[o + 19]! * ry + data[o + 22]! * rz
    const q2 = data[o + 17]! * rx + data[o + 20]! * ry + data[o + 23]! * rz
    for (let d = 0; d < 3; d++) {
      const from = o + 3 + d * 3
      out[at + d] = place[d]! - (data[o + d]! + data[from]! * q0 + data[from + 1]! * q1 + data[from + 2]! * q2)
    }
  }

  /**
   * Adds what a collider's surface carries along in time[0] seconds to out[at..at + 2], less what of it is along the
   * normal, at normal[0..2]: the surface runs in itself, the shape stays where it is.
   */
  carry(collider: number, time: Float64Array, normal: Float64Array, out: Float64Array, at: number): void {
    const c = 3 * collider
    const x = this.carried[c]!
    const y = this.carried[c + 1]!
    const z = this.carried[c + 2]!
    if (x === 0 && y === 0 && z === 0) return
    const along = x * normal[0]! + y * normal[1]! + z * normal[2]!
    for (let d = 0; d < 3; d++) out[at + d] = out[at + d]! + time[0]! * (this.carried[c + d]! - along * normal[d]!)
  }
}

function write(
  { pose, target }: Pick<Frame, 'pose' | 'target'>,
  part: number,
  parts: number,
  out: Float64Array,
  positionAt: number,
  rotationAt: number,
): void {
  const t = part / parts
  for (let d = 0; d < 3; d++) out[positionAt + d] = part === parts ? target[d]! : pose[d]! + t * (target[d]! - pose[d]!)
  for (let k = 0; k < 4; k++) {
    q[k] = pose[3 + k]!
    end[k] = target[3 + k]!
  }
  if (part > 0) interpolateQuaternions(q, end, t, q)
  quaternionToMatrix(q, 0, R)
  for (let k = 0; k < 9; k++) out[rotationAt + k] = R[k]!
}

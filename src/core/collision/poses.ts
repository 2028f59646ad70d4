import type { Frame } from '../jointRecord.js'
import { interpolateQuaternions } from '../math/quaternion.js'
import { quaternionToMatrix } from '../math/rotation.js'

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

  /** Takes the colliders' poses after `from` and after `to` of the step's `parts` equal parts. */
  set(colliders: readonly Pick<Frame, 'pose' | 'target'>[], from: number, to: number, parts: number): void {
    if (this.data.length < colliders.length * POSE) this.data = new Float64Array(colliders.length * POSE * 2)
    for (let c = 0; c < colliders.length; c++) {
      write(colliders[c]!, from, parts, this.data, c * POSE, c * POSE + START_ROTATION)
      write(colliders[c]!, to, parts, this.data, c * POSE + END_POSITION, c * POSE + END_ROTATION)
    }
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

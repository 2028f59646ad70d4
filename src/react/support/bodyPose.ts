import { extractRotation } from '../../core/math/rotation.js'
import type { Body, MutableVec3, Quat, Vec3 } from '../../headless.js'
import type { RestPose } from './restPose.js'

/** Where a body is as a whole, and how fast. */
export interface LivePose {
  readonly position: Vec3
  readonly rotation: Quat
  readonly velocity: Vec3
}

/**
 * The rigid pose that fits a body best: the rotation R that maximises tr(R^T sum m (x - c) (q - q0)^T), about the
 * centre of mass; the position is where the rest shape's origin comes to lie.
 */
export function capturePose(body: Body): LivePose {
  const { positions: rest, massShares } = body.model
  const now = body.readPositions(new Float64Array(rest.length))
  const center = body.centerOfMass([0, 0, 0])
  const restCenter: MutableVec3 = [0, 0, 0]
  for (let k = 0; k < rest.length; k++) restCenter[k % 3]! += massShares[Math.floor(k / 3)]! * rest[k]!
  const moments = new Float64Array(9)
  for (let k = 0; k < rest.length; k += 3) {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        moments[3 * i + j]! += massShares[k / 3]! * (now[k + i]! - center[i]!) * (rest[k + j]! - restCenter[j]!)
      }
    }
  }
  const q = Float64Array.from(body.settings.rotation)
  extractRotation(moments, q, 0)
  const rotation: Quat = [q[0]!, q[1]!, q[2]!, q[3]!]
  const turned = rotate(rotation, restCenter)
  return {
    position: [center[0] - turned[0], center[1] - turned[1], center[2] - turned[2]],
    rotation,
    velocity: body.velocity([0, 0, 0]),
  }
}

/** v turned by the unit quaternion: v + 2 w (u x v) + 2 u x (u x v). */
function rotate([x, y, z, w]: Quat, [a, b, c]: Vec3): Vec3 {
  const tx = 2 * (y * c - z * b)
  const ty = 2 * (z * a - x * c)
  const tz = 2 * (x * b - y * a)
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx]
}

/** `kept` is the pose of a frame that rests at `from`; this is the one of a frame that rests at `to`, carried along. */
export function reframed(kept: LivePose, from: RestPose, to: RestPose): LivePose {
  const back = conjugate(from.rotation)
  const turn = multiply(kept.rotation, back)
  const [x, y, z] = rotate(turn, [
    to.position[0] - from.position[0],
    to.position[1] - from.position[1],
    to.position[2] - from.position[2],
  ])
  const [px, py, pz] = kept.position
  return { ...kept, position: [px + x, py + y, pz + z], rotation: multiply(turn, to.rotation) }
}

function conjugate([x, y, z, w]: Quat): Quat {
  return [-x, -y, -z, w]
}

function multiply([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat): Quat {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ]
}

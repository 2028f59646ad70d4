import { addInertia, INERTIA_SIZE, solveInertia } from '../../core/math/inertia.js'
import { extractRotation } from '../../core/math/rotation.js'
import type { Body, MutableVec3, Quat, Vec3 } from '../../headless.js'
import type { RestPose } from './restPose.js'

/** Where a body is as a whole, and how fast. */
export interface LivePose {
  readonly position: Vec3
  readonly rotation: Quat
  /** Of the centre of mass [m/s]. */
  readonly velocity: Vec3
  /** About it [rad/s]. */
  readonly spin: Vec3
}

/** Share that is left to what is not pinned: it tells what pins do not, as how a sheet hangs from a row of them. */
const LOOSE = 1e-6

/**
 * The rigid pose that fits a body best: the rotation R that maximises tr(R^T sum w (x - c) (q - q0)^T), about the centre
 * by the weights w; the position is where the rest shape's origin comes to lie. Weights are masses, but where particles
 * are pinned: then the rest shape is to have these where they are, however far the rest hangs down.
 */
export function capturePose(body: Body): LivePose {
  const { positions: rest, massShares } = body.model
  const now = body.readPositions(new Float64Array(rest.length))
  const pins = pinShares(body)
  const center = meanOf(now, pins ?? massShares)
  const restCenter = meanOf(rest, pins ?? massShares)
  const moments = new Float64Array(9)
  for (let k = 0; k < rest.length; k += 3) {
    const weight = pins ? pins[k / 3]! + LOOSE * massShares[k / 3]! : massShares[k / 3]!
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        moments[3 * i + j]! += weight * (now[k + i]! - center[i]!) * (rest[k + j]! - restCenter[j]!)
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
    spin: spinOf(body, now),
  }
}

/** Equal shares of the pinned particles, and none of the others; undefined where none is pinned. */
function pinShares(body: Body): Float64Array | undefined {
  const pinned = Float64Array.from({ length: body.particleCount }, (_, i) => Number(body.isPinned(i)))
  const count = pinned.reduce((sum, one) => sum + one)
  return count === 0 ? undefined : pinned.map((one) => one / count)
}

/** The mean of points [3 n] by shares that sum to 1. */
function meanOf(points: Float64Array, shares: Float64Array): MutableVec3 {
  const mean: MutableVec3 = [0, 0, 0]
  for (let k = 0; k < points.length; k++) mean[k % 3]! += shares[Math.floor(k / 3)]! * points[k]!
  return mean
}

/** The spin of the rigid body that has a body's inertia and angular momentum; none where it lies along a line. */
function spinOf(body: Body, positions: Float64Array): Vec3 {
  const { massShares } = body.model
  const center = body.centerOfMass([0, 0, 0])
  const velocities = body.readVelocities(new Float64Array(positions.length))
  const inertia = new Float64Array(INERTIA_SIZE)
  const momentum = new Float64Array(3)
  const r = new Float64Array(3)
  for (let i = 0; i < massShares.length; i++) {
    const [vx, vy, vz] = velocities.subarray(3 * i)
    for (let d = 0; d < 3; d++) r[d] = positions[3 * i + d]! - center[d]!
    momentum[0]! += massShares[i]! * (r[1]! * vz! - r[2]! * vy!)
    momentum[1]! += massShares[i]! * (r[2]! * vx! - r[0]! * vz!)
    momentum[2]! += massShares[i]! * (r[0]! * vy! - r[1]! * vx!)
    addInertia(inertia, 0, r, massShares, i)
  }
  const spin = new Float64Array(3)
  return solveInertia(inertia, 0, momentum, spin) ? [spin[0]!, spin[1]!, spin[2]!] : [0, 0, 0]
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

import type { Quat } from '../vectors.js'

/** Writes from turned towards to by the share t, the shorter way, normalised. */
export function interpolateQuaternions(from: Float64Array, to: Float64Array, t: number, out: Float64Array): void {
  const dot = from[0]! * to[0]! + from[1]! * to[1]! + from[2]! * to[2]! + from[3]! * to[3]!
  const u = dot < 0 ? -t : t
  let sum = 0
  for (let k = 0; k < 4; k++) {
    out[k] = from[k]! * (1 - t) + to[k]! * u
    sum += out[k]! * out[k]!
  }
  const scale = 1 / Math.sqrt(sum)
  for (let k = 0; k < 4; k++) out[k] = out[k]! * scale
}

/** A unit quaternion out of one that is nearly so. */
export function normalized(q: Quat): Quat {
  const scale = 1 / Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  return [q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale]
}

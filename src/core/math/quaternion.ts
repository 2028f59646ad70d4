import type { Quat } from '../vectors.js'

/** Writes a b, the turn b followed by the turn a; x, y, z, w. */
export function multiplyQuaternions(a: ArrayLike<number>, b: ArrayLike<number>, out: Float64Array): void {
  const [ax, ay, az, aw] = [a[0]!, a[1]!, a[2]!, a[3]!]
  const [bx, by, bz, bw] = [b[0]!, b[1]!, b[2]!, b[3]!]
  out[0] = aw * bx + ax * bw + ay * bz - az * by
  out[1] = aw * by - ax * bz + ay * bw + az * bx
  out[2] = aw * bz + ax * by - ay * bx + az * bw
  out[3] = aw * bw - ax * bx - ay * by - az * bz
}

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

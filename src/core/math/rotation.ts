/**
 * The proper rotation R that maximises tr(R^T A), for any 3 x 3 matrix A: also for mirrored and singular ones.
 *
 * Horn's quaternion form (1987): tr(R(q)^T A) = q^T N q with a symmetric 4 x 4 matrix N, so the best q is the
 * eigenvector of N's largest eigenvalue. Cyclic Jacobi rotations find it without a start value that could trap it.
 * A is first turned into the frame of the warm start: N is then nearly diagonal, a sweep or two are enough, and
 * where the maximiser is not unique (a rod, a point, a mirrored sphere) the answer stays near the last one.
 */

const N = new Float64Array(16)
const V = new Float64Array(16)
const R = new Float64Array(9)
const B = new Float64Array(9)

/** Writes the rotation matrix of the unit quaternion q[o..o+3], row by row. */
export function quaternionToMatrix(q: Float64Array, o: number, out: Float64Array): void {
  const x = q[o]!
  const y = q[o + 1]!
  const z = q[o + 2]!
  const w = q[o + 3]!
  out[0] = 1 - 2 * (y * y + z * z)
  out[1] = 2 * (x * y - z * w)
  out[2] = 2 * (x * z + y * w)
  out[3] = 2 * (x * y + z * w)
  out[4] = 1 - 2 * (x * x + z * z)
  out[5] = 2 * (y * z - x * w)
  out[6] = 2 * (x * z - y * w)
  out[7] = 2 * (y * z + x * w)
  out[8] = 1 - 2 * (x * x + y * y)
}

/**
 * @param A 3 x 3, row by row
 * @param q the warm start (a unit quaternion x, y, z, w) at q[o..o+3]; receives the answer
 */
export function extractRotation(A: Float64Array, q: Float64Array, o: number): void {
  quaternionToMatrix(q, o, R)
  // B = R^T A
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      B[i * 3 + j] = R[i]! * A[j]! + R[3 + i]! * A[3 + j]! + R[6 + i]! * A[6 + j]!
    }
  }
  // Order w, x, y, z.
  N[0] = B[0]! + B[4]! + B[8]!
  N[5] = B[0]! - B[4]! - B[8]!
  N[10] = B[4]! - B[0]! - B[8]!
  N[15] = B[8]! - B[0]! - B[4]!
  N[1] = N[4] = B[7]! - B[5]!
  N[2] = N[8] = B[2]! - B[6]!
  N[3] = N[12] = B[3]! - B[1]!
  N[6] = N[9] = B[1]! + B[3]!
  N[7] = N[13] = B[2]! + B[6]!
  N[11] = N[14] = B[5]! + B[7]!
  jacobi()
  // Ties go to the first, which is no turn at all.
  let best = 0
  for (let k = 1; k < 4; k++) if (N[k * 5]! > N[best * 5]!) best = k
  const sign = V[best]! < 0 ? -1 : 1
  const dw = sign * V[best]!
  const dx = sign * V[4 + best]!
  const dy = sign * V[8 + best]!
  const dz = sign * V[12 + best]!
  const x = q[o]!
  const y = q[o + 1]!
  const z = q[o + 2]!
  const w = q[o + 3]!
  const nx = w * dx + x * dw + y * dz - z * dy
  const ny = w * dy - x * dz + y * dw + z * dx
  const nz = w * dz + x * dy - y * dx + z * dw
  const nw = w * dw - x * dx - y * dy - z * dz
  const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz + nw * nw)
  q[o] = nx * scale
  q[o + 1] = ny * scale
  q[o + 2] = nz * scale
  q[o + 3] = nw * scale
}

/** Diagonalises N in place by cyclic Jacobi rotations; V receives the eigenvectors as columns. */
function jacobi(): void {
  V.fill(0)
  V[0] = V[5] = V[10] = V[15] = 1
  for (let sweep = 0; sweep < 12; sweep++) {
    let off = 0
    let size = 0
    for (let p = 0; p < 4; p++) {
      size += N[p * 5]! * N[p * 5]!
      for (let r = p + 1; r < 4; r++) off += N[p * 4 + r]! * N[p * 4 + r]!
    }
    if (off <= 1e-32 * size || off === 0) return
    for (let p = 0; p < 3; p++) {
      for (let r = p + 1; r < 4; r++) {
        const apr = N[p * 4 + r]!
        if (apr === 0) continue
        const theta = (N[r * 5]! - N[p * 5]!) / (2 * apr)
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        const s = t * c
        for (let k = 0; k < 4; k++) {
          const kp = N[k * 4 + p]!
          const kr = N[k * 4 + r]!
          N[k * 4 + p] = c * kp - s * kr
          N[k * 4 + r] = s * kp + c * kr
        }
        for (let k = 0; k < 4; k++) {
          const pk = N[p * 4 + k]!
          const rk = N[r * 4 + k]!
          N[p * 4 + k] = c * pk - s * rk
          N[r * 4 + k] = s * pk + c * rk
          const vp = V[k * 4 + p]!
          const vr = V[k * 4 + r]!
          V[k * 4 + p] = c * vp - s * vr
          V[k * 4 + r] = s * vp + c * vr
        }
      }
    }
  }
}

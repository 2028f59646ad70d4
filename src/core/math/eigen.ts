/** Sweeps of rotations: each squares what is left off the diagonal. */
const SWEEPS = 8

/**
 * Diagonalises the symmetric matrix A [9] in place by cyclic Jacobi rotations: its diagonal becomes the eigenvalues, the
 * columns of V [9] their eigenvectors.
 */
export function diagonalise(A: Float64Array, V: Float64Array): void {
  V.fill(0)
  V[0] = V[4] = V[8] = 1
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (A[1] === 0 && A[2] === 0 && A[5] === 0) return
    for (let pair = 0; pair < 3; pair++) {
      const p = pair === 2 ? 1 : 0
      const q = pair === 0 ? 1 : 2
      const apq = A[p * 3 + q]!
      const app = A[p * 4]!
      const aqq = A[q * 4]!
      if (Math.abs(apq) <= 1e-17 * (Math.abs(app) + Math.abs(aqq))) {
        A[p * 3 + q] = 0
        A[q * 3 + p] = 0
        continue
      }
      const theta = (aqq - app) / (2 * apq)
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
      const c = 1 / Math.sqrt(t * t + 1)
      const s = t * c
      const r = 3 - p - q
      const arp = A[r * 3 + p]!
      const arq = A[r * 3 + q]!
      A[p * 4] = app - t * apq
      A[q * 4] = aqq + t * apq
      A[p * 3 + q] = A[q * 3 + p] = 0
      A[r * 3 + p] = A[p * 3 + r] = c * arp - s * arq
      A[r * 3 + q] = A[q * 3 + r] = s * arp + c * arq
      for (let k = 0; k < 9; k += 3) {
        const vp = V[k + p]!
        const vq = V[k + q]!
        V[k + p] = c * vp - s * vq
        V[k + q] = s * vp + c * vq
      }
    }
  }
}

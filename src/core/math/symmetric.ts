/**
 * Factors the symmetric n x n matrix whose rows start at A[o] into L D L^T in its place: D on the diagonal, L below it;
 * what is above is neither read nor written. Its pivots must not be 0.
 */
export function factor(A: Float64Array, o: number, n: number): void {
  for (let c = 0; c < n; c++) {
    const pivot = A[o + c * n + c]!
    for (let r = c + 1; r < n; r++) {
      const share = A[o + r * n + c]! / pivot
      for (let e = c + 1; e <= r; e++) A[o + r * n + e] = A[o + r * n + e]! - share * A[o + e * n + c]!
    }
    for (let r = c + 1; r < n; r++) A[o + r * n + c] = A[o + r * n + c]! / pivot
  }
}

/** Solves A x = b for a matrix that `factor` has factored; b starts at b[at] and becomes x. */
export function solveFactored(A: Float64Array, o: number, n: number, b: Float64Array, at: number): void {
  for (let r = 1; r < n; r++) {
    let sum = b[at + r]!
    for (let c = 0; c < r; c++) sum -= A[o + r * n + c]! * b[at + c]!
    b[at + r] = sum
  }
  for (let r = n - 1; r >= 0; r--) {
    let sum = b[at + r]! / A[o + r * n + r]!
    for (let c = r + 1; c < n; c++) sum -= A[o + c * n + r]! * b[at + c]!
    b[at + r] = sum
  }
}

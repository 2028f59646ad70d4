/** 3 x 3 matrices row by row, on plain arrays: an independent answer to compare the engine's rotations with. */
export type Matrix = readonly number[]

const column = (a: Matrix, j: number) => [a[j]!, a[3 + j]!, a[6 + j]!]
const dot = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
export const cross = (a: readonly number[], b: readonly number[]) => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
]
export const determinant = (a: Matrix) => dot(column(a, 0), cross(column(a, 1), column(a, 2)))
export const transpose = (a: Matrix): Matrix => [0, 1, 2].flatMap((j) => column(a, j))
export const multiply = (a: Matrix, b: Matrix): Matrix =>
  [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => dot(a.slice(i * 3, i * 3 + 3), column(b, j))))
export const norm = (a: readonly number[]) => Math.hypot(...a)
/** tr(R^T A) */
export const overlap = (r: Matrix, a: Matrix) => r.reduce((sum, value, k) => sum + value * a[k]!, 0)

/** Singular values of A, largest first, with their vectors, by one-sided Jacobi rotations (Hestenes 1958). */
function singular(a: Matrix): { values: number[]; left: number[][]; right: number[][] } {
  const b = [0, 1, 2].map((j) => column(a, j))
  const v = [0, 1, 2].map((j) => [0, 1, 2].map((i) => (i === j ? 1 : 0)))
  for (let sweep = 0; sweep < 60; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const off = dot(b[p]!, b[q]!)
      if (off === 0) continue
      const zeta = (dot(b[q]!, b[q]!) - dot(b[p]!, b[p]!)) / (2 * off)
      const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta))
      const c = 1 / Math.sqrt(1 + t * t)
      for (const columns of [b, v]) {
        for (let i = 0; i < 3; i++) {
          const [x, y] = [columns[p]![i]!, columns[q]![i]!]
          columns[p]![i] = c * (x - t * y)
          columns[q]![i] = c * (t * x + y)
        }
      }
    }
  }
  const order = [0, 1, 2].sort((i, j) => norm(b[j]!) - norm(b[i]!))
  const values = order.map((j) => norm(b[j]!))
  return { values, left: order.map((j, k) => b[j]!.map((x) => x / values[k]!)), right: order.map((j) => v[j]!) }
}

export interface Maximiser {
  /** The proper rotation that maximises tr(R^T A), by the SVD (Kabsch 1976); absent where A has rank one or less. */
  rotation: Matrix | undefined
  /** The maximum itself: s1 + s2 + sign(det A) s3. */
  maximum: number
  /** (s2 + sign(det A) s3) / s1: how surely the maximiser is the only one. */
  gap: number
}

export function maximiser(a: Matrix): Maximiser {
  const { values, left, right } = singular(a)
  const [s1, s2, s3] = values as [number, number, number]
  // Scaled, so that a determinant of tiny or huge entries keeps its sign.
  const sign = s1 === 0 ? 0 : Math.sign(determinant(a.map((x) => x / s1)))
  const gap = s1 === 0 ? 0 : (s2 + sign * s3) / s1
  if (s2 === 0) return { rotation: undefined, maximum: s1, gap }
  // The third axes by cross products: proper whatever the sign of det A.
  const u = [left[0]!, left[1]!, cross(left[0]!, left[1]!)]
  const v = [right[0]!, right[1]!, cross(right[0]!, right[1]!)]
  const rotation = [0, 1, 2].flatMap((i) =>
    [0, 1, 2].map((j) => u.reduce((sum, axis, k) => sum + axis[i]! * v[k]![j]!, 0)),
  )
  return { rotation, maximum: s1 + s2 + sign * s3, gap }
}

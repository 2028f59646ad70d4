/**
 * Writes the adjugate of a 3 x 3 matrix M [9], row by row, and det M after it: M^-1 = out[0..8] / out[9].
 * @param out [10]
 */
export function adjugate(M: ArrayLike<number>, out: Float64Array): void {
  const a = M[0]!
  const b = M[1]!
  const c = M[2]!
  const d = M[3]!
  const e = M[4]!
  const f = M[5]!
  const g = M[6]!
  const h = M[7]!
  const i = M[8]!
  out[0] = e * i - f * h
  out[1] = c * h - b * i
  out[2] = b * f - c * e
  out[3] = f * g - d * i
  out[4] = a * i - c * g
  out[5] = c * d - a * f
  out[6] = d * h - e * g
  out[7] = b * g - a * h
  out[8] = a * e - b * d
  out[9] = a * out[0] + b * out[3] + c * out[6]
}

/**
 * The same of a symmetric matrix, whose entries xx, yy, zz, xy, yz, zx begin at S[o]: S^-1 = out[0..5] / out[6], in the same
 * order, and symmetric to the last bit, on which angular momentum depends.
 * @param out [7]
 */
export function symmetricAdjugate(S: Float64Array, o: number, out: Float64Array): void {
  const xx = S[o]!
  const yy = S[o + 1]!
  const zz = S[o + 2]!
  const xy = S[o + 3]!
  const yz = S[o + 4]!
  const zx = S[o + 5]!
  out[0] = yy * zz - yz * yz
  out[1] = xx * zz - zx * zx
  out[2] = xx * yy - xy * xy
  out[3] = yz * zx - xy * zz
  out[4] = xy * zx - xx * yz
  out[5] = xy * yz - yy * zx
  out[6] = xx * out[0] + xy * out[3] + zx * out[5]
}

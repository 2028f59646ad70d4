import { bakeCompliance, type Columns, complianceOrModulus, type EvaluatedKind, type Rows } from './kind.js'

/** A tetrahedron keeps its signed volume: C = V - V0 [m^3], compliance [m^5/N]. */
export const volume: EvaluatedKind = {
  name: 'volume',
  arity: 4,
  contract: 'scalar',
  bounds: 'equality',
  internal: true,
  ...complianceOrModulus('m^5/N', 'Pa'),
  restSize: 1,
  lambdaSize: 1,
  materialSize: 1,
  bake: bakeCompliance,

  measure(x, indices, at, _count, _m, rest, restAt) {
    rest[restAt] = tetVolume(x, indices, at)
  },

  evaluate({ indices, rest }, row, x, C) {
    C[0] = tetVolume(x, indices, row * 4) - rest[row]!
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, rest, material, lambda } = rows
    const x = columns.positions
    const w = columns.inverseMasses
    for (let row = start; row < end; row++) {
      const at = row * 4
      const i0 = indices[at]!
      const i1 = indices[at + 1]!
      const i2 = indices[at + 2]!
      const i3 = indices[at + 3]!
      const p0 = i0 * 3
      const p1 = i1 * 3
      const p2 = i2 * 3
      const p3 = i3 * 3
      const x0 = x[p0]!
      const y0 = x[p0 + 1]!
      const z0 = x[p0 + 2]!
      const ax = x[p1]! - x0
      const ay = x[p1 + 1]! - y0
      const az = x[p1 + 2]! - z0
      const bx = x[p2]! - x0
      const by = x[p2 + 1]! - y0
      const bz = x[p2 + 2]! - z0
      const cx = x[p3]! - x0
      const cy = x[p3 + 1]! - y0
      const cz = x[p3 + 2]! - z0
      // Six times the gradients: of V = a . (b x c) / 6.
      const g1x = by * cz - bz * cy
      const g1y = bz * cx - bx * cz
      const g1z = bx * cy - by * cx
      const g2x = cy * az - cz * ay
      const g2y = cz * ax - cx * az
      const g2z = cx * ay - cy * ax
      const g3x = ay * bz - az * by
      const g3y = az * bx - ax * bz
      const g3z = ax * by - ay * bx
      const g0x = -g1x - g2x - g3x
      const g0y = -g1y - g2y - g3y
      const g0z = -g1z - g2z - g3z
      const w0 = w[i0]!
      const w1 = w[i1]!
      const w2 = w[i2]!
      const w3 = w[i3]!
      const weight =
        (w0 * (g0x * g0x + g0y * g0y + g0z * g0z) +
          w1 * (g1x * g1x + g1y * g1y + g1z * g1z) +
          w2 * (g2x * g2x + g2y * g2y + g2z * g2z) +
          w3 * (g3x * g3x + g3y * g3y + g3z * g3z)) /
        36
      const alpha = material[row]!
      if (weight === 0) continue // pinned, or collapsed so far that no direction is left
      const C = (ax * g1x + ay * g1y + az * g1z) / 6 - rest[row]!
      const deltaLambda = (-C - alpha * lambda[row]!) / (weight + alpha)
      lambda[row] = lambda[row]! + deltaLambda
      const s = deltaLambda / 6
      x[p0] = x0 + w0 * s * g0x
      x[p0 + 1] = y0 + w0 * s * g0y
      x[p0 + 2] = z0 + w0 * s * g0z
      x[p1] = x[p1]! + w1 * s * g1x
      x[p1 + 1] = x[p1 + 1]! + w1 * s * g1y
      x[p1 + 2] = x[p1 + 2]! + w1 * s * g1z
      x[p2] = x[p2]! + w2 * s * g2x
      x[p2 + 1] = x[p2 + 1]! + w2 * s * g2y
      x[p2 + 2] = x[p2 + 2]! + w2 * s * g2z
      x[p3] = x[p3]! + w3 * s * g3x
      x[p3 + 1] = x[p3 + 1]! + w3 * s * g3y
      x[p3 + 2] = x[p3 + 2]! + w3 * s * g3z
    }
  },
}

/** Signed volume of the tetrahedron whose corners start at indices[at] [m^3]. */
export function tetVolume(x: ArrayLike<number>, indices: ArrayLike<number>, at: number): number {
  const p0 = indices[at]! * 3
  const p1 = indices[at + 1]! * 3
  const p2 = indices[at + 2]! * 3
  const p3 = indices[at + 3]! * 3
  const ax = x[p1]! - x[p0]!
  const ay = x[p1 + 1]! - x[p0 + 1]!
  const az = x[p1 + 2]! - x[p0 + 2]!
  const bx = x[p2]! - x[p0]!
  const by = x[p2 + 1]! - x[p0 + 1]!
  const bz = x[p2 + 2]! - x[p0 + 2]!
  const cx = x[p3]! - x[p0]!
  const cy = x[p3 + 1]! - x[p0 + 1]!
  const cz = x[p3 + 2]! - x[p0 + 2]!
  return (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6
}

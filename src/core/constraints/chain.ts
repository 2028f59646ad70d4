import { bakeCompliance, type Columns, complianceOrModulus, type EvaluatedKind, lengthOf, type Rows } from './kind.js'

/** A pivot below this share of its row's weights is none: what is left of the row follows from the others. */
const NO_PIVOT = 1e-12

/** By segment: direction [3], then multiplier's change, upper entry and right side of the system. */
let directions = new Float64Array(0)
let upper = new Float64Array(0)
let change = new Float64Array(0)

/**
 * Particles in a row, each at its distance from the next: C_k = |x_(k+1) - x_k| - L_k [m], compliance [m/N] of each
 * segment. All of a row are solved at once: J W J^T is tridiagonal, so that this takes as long as one by one (Deul,
 * Kugelstadt, Weiler and Bender 2018 do so for rods), and a load at one end is felt at the other within the substep. A
 * chain drawn taut between pins, where nothing can give way, is left as it is.
 *
 * Rest values are L_k at a row's particles, the last one's is not used; multipliers likewise.
 */
export const chain: EvaluatedKind = {
  name: 'chain',
  arity: 'variable',
  contract: 'block',
  bounds: 'equality',
  internal: true,
  ...complianceOrModulus('m/N', 'N'),
  restSize: 1,
  lambdaSize: 1,
  materialSize: 1,
  bake: bakeCompliance,
  constraintsOf: (count) => count - 1,

  measure(x, indices, at, count, _m, rest, restAt) {
    for (let k = 0; k < count; k++) {
      rest[restAt + k] = k + 1 < count ? lengthOf(x, indices[at + k]!, indices[at + k + 1]!) : 0
    }
  },

  evaluate({ indices, offsets, rest }, row, x, C) {
    const from = offsets[row]!
    for (let k = from; k + 1 < offsets[row + 1]!; k++) C[k - from] = lengthOf(x, indices[k]!, indices[k + 1]!) - rest[k]!
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, offsets, rest, material, lambda } = rows
    const x = columns.positions
    const w = columns.inverseMasses
    for (let row = start; row < end; row++) {
      const from = offsets[row]!
      const count = offsets[row + 1]! - from - 1
      if (directions.length < count * 3) {
        directions = new Float64Array(count * 6)
        upper = new Float64Array(count * 2)
        change = new Float64Array(count * 2)
      }
      const alpha = material[row]!
      // Down: what is left of each equation once the ones before are solved.
      let above = 0
      for (let k = 0; k < count; k++) {
        const i = indices[from + k]!
        const j = indices[from + k + 1]!
        const dx = x[j * 3]! - x[i * 3]!
        const dy = x[j * 3 + 1]! - x[i * 3 + 1]!
        const dz = x[j * 3 + 2]! - x[i * 3 + 2]!
        const l = Math.sqrt(dx * dx + dy * dy + dz * dz)
        const scale = l > 0 ? 1 / l : 0
        const d = k * 3
        directions[d] = dx * scale
        directions[d + 1] = dy * scale
        directions[d + 2] = dz * scale
        const weight = l > 0 ? w[i]! + w[j]! : 0 // two in one place have no direction to part in
        let side = l > 0 ? rest[from + k]! - l - alpha * lambda[from + k]! : 0
        let pivot = weight + alpha
        if (k > 0) {
          // Entry k, k - 1 of the matrix.
          const link =
            -w[i]! *
            (directions[d]! * directions[d - 3]! +
              directions[d + 1]! * directions[d - 2]! +
              directions[d + 2]! * directions[d - 1]!)
          upper[k - 1] = link * above
          pivot -= link * upper[k - 1]!
          side -= link * change[k - 1]!
        }
        above = weight > 0 && pivot > NO_PIVOT * (weight + alpha) ? 1 / pivot : 0 // else pinned, or taut
        change[k] = side * above
      }
      for (let k = count - 2; k >= 0; k--) change[k] = change[k]! - upper[k]! * change[k + 1]!
      for (let k = 0; k < count; k++) {
        const deltaLambda = change[k]!
        lambda[from + k] = lambda[from + k]! + deltaLambda
        const a = indices[from + k]!
        const b = indices[from + k + 1]!
        const sa = w[a]! * deltaLambda
        const sb = w[b]! * deltaLambda
        for (let d = 0; d < 3; d++) {
          const n = directions[k * 3 + d]!
          x[a * 3 + d] = x[a * 3 + d]! - sa * n
          x[b * 3 + d] = x[b * 3 + d]! + sb * n
        }
      }
    }
  },
}

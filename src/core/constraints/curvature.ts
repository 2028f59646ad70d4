import { bakeCompliance, type Columns, complianceOrModulus, type EvaluatedKind, lengthOf, type Rows } from './kind.js'

/** A pivot below this share of its diagonal is none: all that the row could move is pinned. */
const NO_PIVOT = 1e-12

/** By inner particle: inverse pivot, the two entries of L beside its diagonal, and the multiplier's change [3]. */
let inverse = new Float64Array(0)
let near = new Float64Array(0)
let far = new Float64Array(0)
let change = new Float64Array(0)

/**
 * Particles in a row that lie on a straight line at rest resist being bent: C_k = (x_(k+1) - x_k) / L_k -
 * (x_k - x_(k-1)) / L_(k-1), three rows at each inner particle, the change of the unit tangent, compliance [rad/(N m)].
 * With 1 / alpha = B / l, l the length that is nearer to the particle than to others, the energy is that of a rod of
 * bending rigidity B [N m^2]. C is linear, all of a row are solved at once, and J W J^T is the same five diagonals
 * for x, y and z: a stiff rod costs no more than a limp one and needs no more substeps.
 *
 * Momentum: the torque of all rows is sum C_k x lambda_k with lambda = -A^-1 C and A symmetric, which is nothing.
 *
 * Rest values are L_k at a row's particles; three multipliers for each inner particle begin at the row's own start.
 */
export const curvature: EvaluatedKind = {
  name: 'curvature',
  arity: 'variable',
  contract: 'block',
  bounds: 'equality',
  internal: true,
  restOn: 'line',
  ...complianceOrModulus('rad/(N m)', 'N m^2', {
    quantity: 'bending rigidity',
    default: 1e-3,
    min: 0,
    remedy: 'Use 1e-3 N m^2 for a rope, 0 for no bending stiffness.',
  }),
  restSize: 1,
  lambdaSize: 3,
  materialSize: 1,
  bake: bakeCompliance,
  constraintsOf: (count) => 3 * (count - 2),

  measure(x, indices, at, count, _m, rest, restAt) {
    for (let k = 0; k < count; k++) {
      rest[restAt + k] = k + 1 < count ? lengthOf(x, indices[at + k]!, indices[at + k + 1]!) : 0
    }
  },

  evaluate({ indices, offsets, rest }, row, x, C) {
    const from = offsets[row]!
    for (let k = from + 1; k + 1 < offsets[row + 1]!; k++) {
      for (let d = 0; d < 3; d++) {
        const at = (k - 1 - from) * 3 + d
        C[at] = (x[indices[k + 1]! * 3 + d]! - x[indices[k]! * 3 + d]!) / rest[k]!
        C[at] -= (x[indices[k]! * 3 + d]! - x[indices[k - 1]! * 3 + d]!) / rest[k - 1]!
      }
    }
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, offsets, rest, material, lambda } = rows
    const x = columns.positions
    const w = columns.inverseMasses
    for (let row = start; row < end; row++) {
      const from = offsets[row]!
      const count = offsets[row + 1]! - from - 2
      if (count < 1) continue
      if (inverse.length < count) {
        inverse = new Float64Array(count * 2)
        near = new Float64Array(count * 2)
        far = new Float64Array(count * 2)
        change = new Float64Array(count * 6)
      }
      const alpha = material[row]!
      // L D L^T of the five diagonals, and L^-1 of the right sides, in one way down.
      for (let k = 0; k < count; k++) {
        const o = from + k
        const h = indices[o]!
        const i = indices[o + 1]!
        const j = indices[o + 2]!
        const a = 1 / rest[o]!
        const c = 1 / rest[o + 1]!
        const b = -a - c
        const weight = w[h]! * a * a + w[i]! * b * b + w[j]! * c * c
        let pivot = weight + alpha
        near[k] = 0
        far[k] = 0
        if (k > 0) {
          // What the rows share: the middle of the one before is the first here, its last is the middle.
          const before = 1 / rest[o - 1]!
          let beside = w[i]! * b * a - w[h]! * a * (before + a)
          if (k > 1) {
            const beyond = w[h]! * a * before
            far[k] = beyond * inverse[k - 2]!
            beside -= beyond * near[k - 1]!
            pivot -= beyond * far[k]!
          }
          near[k] = beside * inverse[k - 1]!
          pivot -= beside * near[k]!
        }
        inverse[k] = weight > 0 && pivot > NO_PIVOT * (weight + alpha) ? 1 / pivot : 0 // else pinned
        const l = o * 3
        for (let d = 0; d < 3; d++) {
          const bend = a * x[h * 3 + d]! + b * x[i * 3 + d]! + c * x[j * 3 + d]!
          let side = -bend - alpha * lambda[l + d]!
          if (k > 0) side -= near[k]! * change[(k - 1) * 3 + d]!
          if (k > 1) side -= far[k]! * change[(k - 2) * 3 + d]!
          change[k * 3 + d] = side
        }
      }
      // Up: D^-1, then L^-T.
      for (let k = count - 1; k >= 0; k--) {
        for (let d = 0; d < 3; d++) {
          let value = change[k * 3 + d]! * inverse[k]!
          if (k + 1 < count) value -= near[k + 1]! * change[(k + 1) * 3 + d]!
          if (k + 2 < count) value -= far[k + 2]! * change[(k + 2) * 3 + d]!
          change[k * 3 + d] = value
        }
      }
      for (let k = 0; k < count; k++) {
        const o = from + k
        const h = indices[o]!
        const i = indices[o + 1]!
        const j = indices[o + 2]!
        const a = 1 / rest[o]!
        const c = 1 / rest[o + 1]!
        for (let d = 0; d < 3; d++) {
          const deltaLambda = change[k * 3 + d]!
          const l = o * 3 + d
          lambda[l] = lambda[l]! + deltaLambda
          x[h * 3 + d] = x[h * 3 + d]! + w[h]! * a * deltaLambda
          x[i * 3 + d] = x[i * 3 + d]! - w[i]! * (a + c) * deltaLambda
          x[j * 3 + d] = x[j * 3 + d]! + w[j]! * c * deltaLambda
        }
      }
    }
  },
}

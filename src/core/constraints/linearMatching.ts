import { symmetricAdjugate } from '../math/adjugate.js'

/** det Q relative to the cube of its mean eigenvalue, below which a rest shape counts as flat. */
const FLAT = 1e-12

const inverse = new Float64Array(7)

/** Q = sum m q q^T of the rest shape q of indices[from..to]: its entries xx, yy, zz, xy, yz, zx. */
export function momentsOf(
  rest: Float64Array,
  indices: Uint32Array,
  from: number,
  to: number,
  m: Float64Array,
  out: Float64Array,
): void {
  out.fill(0)
  for (let k = from; k < to; k++) {
    const mass = m[indices[k]!]!
    const x = rest[k * 3]!
    const y = rest[k * 3 + 1]!
    const z = rest[k * 3 + 2]!
    out[0] = out[0]! + mass * x * x
    out[1] = out[1]! + mass * y * y
    out[2] = out[2]! + mass * z * z
    out[3] = out[3]! + mass * x * y
    out[4] = out[4]! + mass * y * z
    out[5] = out[5]! + mass * x * z
  }
}

/**
 * Linear shape matching (Mueller et al. 2005): R <- R + beta (L - R), with beta = betas[at] and L = A Q^-1, of all linear
 * maps the one that brings the rest shape nearest to the particles.
 *
 * Goals T q keep angular momentum where T A^T is symmetric. R A^T is and L A^T = A Q^-1 A^T is, so their mix is. Both
 * goals are nearest ones, so both pulls come from a potential: linear deformations are resisted by 1 - beta of the
 * stiffness, all others by all of it. That is why L is not scaled to the volume of the rest shape here: such a goal is
 * nearest to nothing, its pull comes from no potential, and a crushed body would gain energy from it without end. Hold
 * the volume by a constraint of its own beside it.
 *
 * A flat rest shape says nothing of what happens across it: it is matched rigidly.
 */
export function stretch(A: Float64Array, Q: Float64Array, betas: Float64Array, at: number, R: Float64Array): void {
  symmetricAdjugate(Q, 0, inverse)
  const det = inverse[6]!
  const mean = (Q[0]! + Q[1]! + Q[2]!) / 3
  if (!(det > FLAT * mean * mean * mean)) return
  const beta = betas[at]!
  const share = beta / det
  const axx = inverse[0]!
  const ayy = inverse[1]!
  const azz = inverse[2]!
  const axy = inverse[3]!
  const ayz = inverse[4]!
  const azx = inverse[5]!
  for (let i = 0; i < 9; i += 3) {
    const x = A[i]!
    const y = A[i + 1]!
    const z = A[i + 2]!
    R[i] = share * (x * axx + y * axy + z * azx) + (1 - beta) * R[i]!
    R[i + 1] = share * (x * axy + y * ayy + z * ayz) + (1 - beta) * R[i + 1]!
    R[i + 2] = share * (x * azx + y * ayz + z * azz) + (1 - beta) * R[i + 2]!
  }
}

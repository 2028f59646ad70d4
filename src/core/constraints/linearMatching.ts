import { diagonalise } from '../math/eigen.js'
import { extractRotation, quaternionToMatrix } from '../math/rotation.js'

/** det Q relative to the cube of its mean eigenvalue, below which a rest shape counts as flat. */
const FLAT = 1e-12

/** Halvings of what the smallest stretch may be: to the last bit. */
const HALVINGS = 60

const D = new Float64Array(9)
const V = new Float64Array(9)
const M = new Float64Array(9)
const P = new Float64Array(9)
const q = new Float64Array(4)
/** Q^(-1/2). */
const inverse = new Float64Array(9)
/** Roots of the eigenvalues of Q, and their product: its volume, as it were. */
const roots = new Float64Array(3)
const volume = new Float64Array(1)
/** Principal stretches. */
const s = new Float64Array(3)

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
 * Linear shape matching (Mueller et al. 2005): R <- R + beta (T - R), with beta = material[at] and T, of all linear maps
 * that keep the volume, the one that brings the rest shape nearest to the particles.
 *
 * The best of all linear maps is L = A Q^-1, and sum m |x - c - T q|^2 is |L - T|^2 in the metric of Q and what no T
 * changes. So N = T Q^(1/2) is the matrix of det N = det Q^(1/2) nearest to M = L Q^(1/2): with M = P V s V^T, P the best
 * rotation, N = P V D V^T, where D are the numbers of that product nearest to s.
 *
 * Goals T q keep angular momentum where T A^T is symmetric. R A^T is, and so is T A^T = N M^T. Both goals are nearest
 * ones, so both pulls come from a potential: linear deformations that keep the volume are resisted by 1 - beta of the
 * stiffness, all others by all of it. L scaled to the volume, as the paper has it, is nearest to nothing: its pull comes
 * from no potential, and is without bounds where the particles are in a plane. N is found for all places, also in a
 * point or mirrored, where R says which way.
 *
 * A shape that has grown, by material[at + 2] of its size, is matched as one of its first size by all that is smaller.
 * A flat rest shape says nothing of what happens across it: it is matched rigidly.
 *
 * @param rotations R as a quaternion at `slot`
 */
export function stretch(
  A: Float64Array,
  Q: Float64Array,
  material: Float64Array,
  at: number,
  rotations: Float64Array,
  slot: number,
  R: Float64Array,
): void {
  if (!findRoots(Q)) return
  const beta = material[at]!
  const size = 1 + material[at + 2]!
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) {
      M[i + j] = (A[i]! * inverse[j]! + A[i + 1]! * inverse[3 + j]! + A[i + 2]! * inverse[6 + j]!) / size
    }
  }
  for (let k = 0; k < 4; k++) q[k] = rotations[slot + k]!
  extractRotation(M, q, 0)
  quaternionToMatrix(q, 0, P)
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) D[i * 3 + j] = P[i]! * M[j]! + P[3 + i]! * M[3 + j]! + P[6 + i]! * M[6 + j]!
  }
  diagonalise(D, V)
  for (let k = 0; k < 3; k++) s[k] = D[k * 4]!
  keepVolume()
  // T = P V D V^T Q^(-1/2), from the right.
  for (let k = 0; k < 3; k++) {
    for (let j = 0; j < 3; j++) {
      M[k * 3 + j] = s[k]! * (V[k]! * inverse[j]! + V[3 + k]! * inverse[3 + j]! + V[6 + k]! * inverse[6 + j]!)
    }
  }
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) D[i + j] = V[i]! * M[j]! + V[i + 1]! * M[3 + j]! + V[i + 2]! * M[6 + j]!
  }
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) {
      const t = P[i]! * D[j]! + P[i + 1]! * D[3 + j]! + P[i + 2]! * D[6 + j]!
      R[i + j] = beta * t + (1 - beta) * R[i + j]!
    }
  }
}

/** Sets `roots`, `volume` and `inverse` by Q; false where it is flat. */
function findRoots(Q: Float64Array): boolean {
  D[0] = Q[0]!
  D[4] = Q[1]!
  D[8] = Q[2]!
  D[1] = D[3] = Q[3]!
  D[5] = D[7] = Q[4]!
  D[2] = D[6] = Q[5]!
  diagonalise(D, V)
  const det = D[0] * D[4] * D[8]
  const mean = (D[0] + D[4] + D[8]) / 3
  if (!(det > FLAT * mean * mean * mean)) return false
  volume[0] = Math.sqrt(det)
  inverse.fill(0)
  for (let k = 0; k < 3; k++) {
    const root = Math.sqrt(D[k * 4]!)
    roots[k] = root
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        inverse[i * 3 + j] = inverse[i * 3 + j]! + (V[i * 3 + k]! * V[j * 3 + k]!) / root
      }
    }
  }
  return true
}

/**
 * Turns s into the numbers D of the product `volume` nearest to them. D_k (D_k - s_k) is then the same for all k, by
 * Lagrange: each is the larger root of that, but for the smallest, which may be either and is searched. From s / 2 on all
 * grow with it; below lies what is nearest to more than eight times the volume.
 */
function keepVolume(): void {
  let least = 0
  for (let k = 1; k < 3; k++) if (s[k]! < s[least]!) least = k
  const a = s[(least + 1) % 3]!
  const b = s[(least + 2) % 3]!
  const c = s[least]!
  let low = 0
  // Of mean and product, the mean is never less.
  let high = Math.max(c, 0) + (roots[0]! + roots[1]! + roots[2]!) / 3
  let x = a
  let y = b
  let z = c > 0 ? c / 2 : high
  for (let n = 0; n < HALVINGS; n++) {
    const shift = 4 * z * (z - c)
    x = (a + Math.sqrt(Math.max(0, a * a + shift))) / 2
    y = (b + Math.sqrt(Math.max(0, b * b + shift))) / 2
    if (x * y * z < volume[0]!) low = z
    else high = z
    z = (low + high) / 2
  }
  s[(least + 1) % 3] = x
  s[(least + 2) % 3] = y
  s[least] = z
}

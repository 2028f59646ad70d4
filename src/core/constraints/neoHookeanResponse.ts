import { diagonalise } from '../math/eigen.js'
import type { BakeContext, RowSet } from './kind.js'

/**
 * Least share of its own response that what is far stiffer than a substep resolves is solved with, for its shape and for its
 * volume, alone at a surface and inside a body, where others hold it as well: at 1/2 a sweep would undo what the one before
 * it did (successive over-relaxation), at 1 all is too soft. What is alone needs 3/4. Of a way x of a particle a sweep leaves
 * r x then, r = 1 - 1 / share; the particle has brought that way with it, x' = r (2 x - x before), which goes to and fro for
 * ever where r is below -1/3: the corner of a ball, which weighs a hundredth of the others, would hum, and a ball roll.
 */
const SHAPE_ALONE = 1 / 1.325
const SHAPE_INSIDE = 1 / 1.4
const VOLUME_ALONE = 1 / 1.28
const VOLUME_INSIDE = 1 / 1.5

/** Least and most of R against M. Corners of a body ask for -1 and 15; beyond 2 what lies on the ground trembles. */
const LEAST = -0.5
const MOST = 1.75

/** Up to this q, lambda taken to be mu at least, a change of volume is solved with what is exact; from UNRESOLVED on not. */
const RESOLVED = 1
const UNRESOLVED = 1.3

/** Eigenvalues of M below this share of the largest are those of corners that are all pinned. */
const ROUNDING = 1e-12

/** How F answers to what a tetrahedron does itself: xx, yy, zz, xy, yz, zx. */
export const M = new Float64Array(6)
/** By how much its change of volume is solved with more than R times lambda / mu near rest, (lambda + mu) / mu far from it. */
export const more = new Float64Array(2)

/** Of the tetrahedron in hand: its alpha, lambda / mu, and q for RESOLVED. By array, since a call with a number allocates. */
export const stiffness = new Float64Array(3)

const B = new Float64Array(3)
const S = new Float64Array(3)
const Later = new Float64Array(6)
const Around = new Float64Array(6)
const A = new Float64Array(9)
const V = new Float64Array(9)
const Z = new Float64Array(9)
const U = new Float64Array(9)
const T = new Float64Array(9)

/** Sets M to sum w B B^T over a tetrahedron's corners, B0 = -B1 - B2 - B3: how F answers to what it does itself. */
export function findResponse(context: BakeContext): void {
  M.fill(0)
  for (let k = 0; k < 4; k++) {
    findCorner(context, k)
    addProduct(M, context.inverseMasses, k, B, B)
  }
}

/**
 * Sets R [6] to the response that a tetrahedron is solved with. M has been found, and `stiffness` set.
 *
 * One sweep from nothing, (R + alpha) lambda = -C for one tetrahedron after the other, ends with an error
 * (M - R) lambda + what those after it do to it. With R = M all are too soft. Where the stress is even, each
 * lambda_i is V_i times the same stress, and what comes later is known: R = M + sum w (sum_i V_i B_i) B^T / V over the
 * corners and over the later tetrahedra i at each of them. Of this the symmetric part is taken. Inside a body it is 0 for
 * the first at a particle and M for the last, M / 2 in the mean.
 *
 * With q the largest response of its stress over the compliance of that, the eigenvalues of R against M are held between
 * s - (1 - s) / q, so that R + alpha is no less than s (M + alpha), and as far above 1 / 2, so that the mean stays 1 / 2:
 * what is soft gets what is exact, what is stiff the mean, or where that is too little, s.
 *
 * The share s is that of shape, and for a change of volume that of volume: it is the one for what is alone where N, the
 * response to all tetrahedra at the corners, M itself among them, is no less than M, and the one inside a body where N is 0.
 *
 * At a surface the exact R is up to 15 M, and with that a body on the ground would tremble. It does not where all beyond
 * MOST goes to the change of volume: see `findMore`.
 */
export function findSolved(context: BakeContext, R: Float64Array): void {
  const alpha = stiffness[0]!
  const ratio = stiffness[1]!
  findLater(context, Later, 0)
  A[0] = M[0]!
  A[4] = M[1]!
  A[8] = M[2]!
  A[1] = A[3] = M[3]!
  A[5] = A[7] = M[4]!
  A[2] = A[6] = M[5]!
  diagonalise(A, V)
  // Z = M^-1/2 (M / 2 + later) M^-1/2 in the frame of M; nothing where pins leave M no response.
  const most = Math.max(A[0], A[4], A[8])
  for (let d = 0; d < 9; d += 4) if (!(A[d]! > ROUNDING * most)) A[d] = 0
  const trace = M[0]! + M[1]! + M[2]!
  const q = (2 * most + ratio * trace) / alpha
  stiffness[2] = (2 * most + Math.max(1, ratio) * trace) / alpha
  for (let i = 0; i < 3; i++) for (let j = i; j < 3; j++) setEntry(i, j)
  diagonalise(Z, U)
  findLater(context, Around, 12)
  const alone = Math.min(1, Math.abs(Around[0]! + Around[1]! + Around[2]!) / trace)
  const shape = SHAPE_INSIDE + alone * (SHAPE_ALONE - SHAPE_INSIDE)
  const volume = VOLUME_INSIDE + alone * (VOLUME_ALONE - VOLUME_INSIDE)
  const middle = Math.max(0.5, shape - ((1 - shape) * alpha) / (2 * most))
  const reach = Math.max(0, 0.5 - shape + (1 - shape) / q)
  more[0] = (ratio * Math.max(0, volume - (1 - volume) / q - middle) * trace) / 3
  more[1] = (1 + ratio) * (1 - LEAST) * most
  for (let k = 0; k < 3; k++) {
    const z = Math.max(LEAST - 0.5, Math.min(MOST - 0.5, Z[k * 4]!))
    // At a surface R can be more than M, and the mean is not 1 / 2.
    const beyond = Math.max(0, z - Math.max(0.5, reach)) * Math.min(1, 2 * reach)
    Z[k * 4] = middle + Math.max(-reach, Math.min(reach, z)) + beyond
  }
  turnBack(R)
  findMore(R)
}

/**
 * Sets `more` so that R answers to an even pressure as M and all that comes later do together: 3 more = (2/3 + lambda / mu)
 * tr(exact - R). The mean of what is exact in this order and in its reverse, tr(M + N) / 2, is no guess: N is 0 inside a
 * body. So where what is exact is not stable, `least`, as much is taken from what is above the mean, and the error of a body
 * stays small. That ends where a substep resolves too little.
 */
function findMore(R: Float64Array): void {
  const ratio = stiffness[1]!
  const q = stiffness[2]!
  const trace = M[0]! + M[1]! + M[2]!
  const later = Later[0]! + Later[1]! + Later[2]!
  const mean = (trace + Around[0]! + Around[1]! + Around[2]!) / 2
  const least = (VOLUME_ALONE - (1 - VOLUME_ALONE) / q) * trace
  const reach = Math.max(0, mean - least)
  const exact = Math.max(least, mean + Math.max(-reach, Math.min(reach, trace + later - mean)))
  const resolved = ((2 + 3 * ratio) * (exact - R[0]! - R[1]! - R[2]!)) / 9
  const share = Math.max(0, Math.min(1, (UNRESOLVED - q) / (UNRESOLVED - RESOLVED)))
  more[0] = more[0]! + share * (resolved - more[0]!)
  more[1] = Math.max(more[0], more[1]!)
}

/** Sets B to the gradient at corner k. */
function findCorner({ rest, restAt }: BakeContext, k: number): void {
  for (let d = 0; d < 3; d++) {
    const o = restAt + d
    B[d] = k === 0 ? -rest[o]! - rest[o + 3]! - rest[o + 6]! : rest[o + (k - 1) * 3]!
  }
}

/** Adds to `sum` the weight of corner k times the symmetric part of a b^T. */
function addProduct(sum: Float64Array, weights: ArrayLike<number>, k: number, a: Float64Array, b: Float64Array): void {
  const w = weights[k]!
  for (let d = 0; d < 3; d++) {
    const e = d === 2 ? 0 : d + 1
    sum[d] = sum[d]! + w * a[d]! * b[d]!
    sum[3 + d] = sum[3 + d]! + 0.5 * w * (a[d]! * b[e]! + a[e]! * b[d]!)
  }
}

/**
 * Sets `out` to the symmetric part of what other tetrahedra add to the response: those after it, which `laterOf` tells from
 * `at` = 0 on, or all at its corners, from 12 on. Where nothing is known, later ones are taken to add -M / 2, all together 0.
 */
function findLater(context: BakeContext, out: Float64Array, at: 0 | 12): void {
  const { inverseMasses: w, rest, restAt, later, laterAt } = context
  out.fill(0)
  if (later === undefined) {
    if (at === 0) for (let e = 0; e < 6; e++) out[e] = -0.5 * M[e]!
    return
  }
  for (let k = 0; k < 4; k++) {
    findCorner(context, k)
    const o = laterAt! + at + k * 3
    for (let d = 0; d < 3; d++) {
      S[d] =
        later[o]! * rest[restAt + d]! + later[o + 1]! * rest[restAt + 3 + d]! + later[o + 2]! * rest[restAt + 6 + d]!
    }
    addProduct(out, w, k, S, B)
  }
}

/** Sets entries i, j and j, i of Z, by V^T Later V. */
function setEntry(i: number, j: number): void {
  let sum = 0
  for (let d = 0; d < 3; d++) {
    const e = d === 2 ? 0 : d + 1
    sum += Later[d]! * V[d * 3 + i]! * V[d * 3 + j]!
    sum += Later[3 + d]! * (V[d * 3 + i]! * V[e * 3 + j]! + V[e * 3 + i]! * V[d * 3 + j]!)
  }
  const size = Math.sqrt(A[i * 4]! * A[j * 4]!)
  const entry = size > 0 ? sum / size + (i === j ? 0.5 : 0) : 0
  Z[i * 3 + j] = entry
  Z[j * 3 + i] = entry
}

/** Sets R to V A^1/2 U Z U^T A^1/2 V^T, A and Z by their diagonals. */
function turnBack(R: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      T[i * 3 + k] = 0
      for (let j = 0; j < 3; j++) {
        T[i * 3 + k] = T[i * 3 + k]! + V[i * 3 + j]! * Math.sqrt(A[j * 4]!) * U[j * 3 + k]!
      }
    }
  }
  for (let d = 0; d < 3; d++) {
    const e = d === 2 ? 0 : d + 1
    R[d] = 0
    R[3 + d] = 0
    for (let k = 0; k < 3; k++) {
      R[d] = R[d]! + T[d * 3 + k]! * Z[k * 4]! * T[d * 3 + k]!
      R[3 + d] = R[3 + d]! + T[d * 3 + k]! * Z[k * 4]! * T[e * 3 + k]!
    }
  }
}

/**
 * For each corner of each row, sum V_i B_i / V over the rows i after it that share the corner, and then over all of them:
 * three numbers, as a sum of the row's B1, B2 and B3, so that they go with a rest shape that flows.
 */
export function laterOf({ count, indices, rest, unitCompliance }: RowSet, particleCount: number): Float64Array {
  const later = new Float64Array(24 * count)
  const sums = new Float64Array(3 * particleCount)
  const tell = (row: number, at: number) => {
    const b = rest.subarray(row * 9, row * 9 + 9)
    const minor = (i: number, j: number, k: number, l: number) => b[i]! * b[l]! - b[j]! * b[k]!
    // Edges from the first corner, whose inverse B is.
    const edges = [
      [minor(4, 5, 7, 8), minor(5, 3, 8, 6), minor(3, 4, 6, 7)],
      [minor(7, 8, 1, 2), minor(8, 6, 2, 0), minor(6, 7, 0, 1)],
      [minor(1, 2, 4, 5), minor(2, 0, 5, 3), minor(0, 1, 3, 4)],
    ]
    const determinant = b[0]! * edges[0]![0]! + b[1]! * edges[0]![1]! + b[2]! * edges[0]![2]!
    for (let k = 0; k < 4; k++) {
      const p = indices[row * 4 + k]! * 3
      edges.forEach((edge, e) => {
        const along = edge[0]! * sums[p]! + edge[1]! * sums[p + 1]! + edge[2]! * sums[p + 2]!
        later[row * 24 + at + k * 3 + e] = (along * unitCompliance[row]!) / determinant
      })
    }
  }
  for (let row = count - 1; row >= 0; row--) {
    tell(row, 0)
    for (let k = 0; k < 4; k++) {
      const p = indices[row * 4 + k]! * 3
      for (let d = 0; d < 3; d++) {
        const o = row * 9 + d
        const gradient = k === 0 ? -rest[o]! - rest[o + 3]! - rest[o + 6]! : rest[o + (k - 1) * 3]!
        sums[p + d] = sums[p + d]! + gradient / unitCompliance[row]!
      }
    }
  }
  for (let row = 0; row < count; row++) tell(row, 12)
  return later
}

import type { BakeContext } from './kind.js'

/** |F| at rest. */
export const REST = Math.sqrt(3)
/** |F| below which a tetrahedron counts as collapsed. */
export const COLLAPSED = 0.6 * REST
/** |F| below which it has no direction left to unfold in. */
export const POINT = 1e-6
/** |F| above which it is drawn out so far that nothing of its stress is kept. */
export const FAR = 2 * REST
/** det F below which nothing of its stress is kept: F^-1 would make much of little. */
export const THIN = 0.1

/** Hessian of the rest shape against that of C_D = F alone. */
export const STIFFER = 0.5

/** Largest strain that a stress which is kept may make by itself in a tetrahedron; more would overshoot. */
const MOST = 0.25

/**
 * What `bake` writes of a row, from `row * MATERIAL` on: the compliances over h^2 of C_D and C_H, then
 */
export const MATERIAL = 64
/** h^2 [s^2], */
export const SQUARE_H = 2
/** mu V [N m], */
export const MU = 3
/** lambda' / mu, */
export const RATIO = 4
/** the square of the largest stress to keep, times the volume [N^2 m^2], */
export const LARGEST = 5
/** six times the volume [m^3], */
export const SIX_VOLUMES = 6
/** mu V B B^T [N/m], */
export const REST_STRESS = 7
/** lambda M : (1 + 2 mu L)^-1 as a form over the six entries, */
export const BULK = 13
/** (1 + 2 mu L)^-1, L X = (X M + M X) / 2, six by six over entries aa, bb, cc, ab, bc, ca, */
export const INVERSE = 19
/** Q = (M + alpha)^-1, */
export const FREE = 55
/** and the squares of the rest edges [m^2]. */
export const SQUARES = 61

/** Two indices of each of the six entries of a symmetric matrix. */
const I = [0, 1, 2, 0, 1, 2] as const
const J = [0, 1, 2, 1, 2, 0] as const
const SQRT2 = Math.sqrt(2)
/** 1 + 2 mu L and then its inverse, 6 x 6, of symmetric matrices with their off-diagonal entries times sqrt 2. */
const A = new Float64Array(36)
/** Six entries of B X B^T from those of X, and back. */
const T = new Float64Array(36)
const U = new Float64Array(36)
const AU = new Float64Array(36)
/** Rest edges by columns, the inverse of B. */
const E = new Float64Array(9)
/**
 * Writes what the sweeps need of a row at material[at], from its compliances, which stand there, and its response M: xx, yy,
 * zz, xy, yz, zx. What flows is baked in each step: nothing is allocated.
 */
export function bakeRow(context: BakeContext, M: Float64Array, material: Float64Array, at: number): void {
  const { rest, restAt } = context
  const alphaD = material[at]!
  const alphaH = material[at + 1]!
  const mean = (M[0]! + M[1]! + M[2]!) / 3
  const ratio = alphaD / alphaH
  const hh = context.h * context.h
  material[at + SQUARE_H] = hh
  material[at + MU] = 1 / (alphaD * hh)
  material[at + RATIO] = ratio
  const largest = (2 * MOST) / (mean * hh)
  material[at + LARGEST] = largest * largest
  material[at + SIX_VOLUMES] = findEdges(rest, restAt)
  for (let e = 0; e < 6; e++) {
    let sum = 0
    for (let d = 0; d < 3; d++) sum += rest[restAt + I[e]! * 3 + d]! * rest[restAt + J[e]! * 3 + d]!
    material[at + REST_STRESS + e] = sum / (alphaD * hh)
  }
  for (let k = 0; k < 3; k++) material[at + SQUARES + k] = E[k]! * E[k]! + E[3 + k]! * E[3 + k]! + E[6 + k]! * E[6 + k]!
  findResponse(M, material, at)
  invert()
  const bulk = (ratio - 1) / alphaD
  findChanges(rest, restAt)
  multiply(AU, A, U)
  for (let i = 0; i < 6; i++) {
    let sum = 0
    for (let j = 0; j < 6; j++) {
      sum += M[j]! * AU[j * 6 + i]! * (j < 3 ? 1 : SQRT2)
      let entry = 0
      for (let k = 0; k < 6; k++) entry += T[i * 6 + k]! * AU[k * 6 + j]!
      material[at + INVERSE + i * 6 + j] = entry
    }
    material[at + BULK + i] = bulk * sum
  }
}

/** Sets E to the inverse of B; returns its determinant. */
function findEdges(rest: Float64Array, r: number): number {
  for (let i = 0; i < 3; i++) {
    const p = r + ((i + 1) % 3) * 3
    const q = r + ((i + 2) % 3) * 3
    for (let j = 0; j < 3; j++) {
      const k = (j + 1) % 3
      const l = (j + 2) % 3
      E[j * 3 + i] = rest[p + k]! * rest[q + l]! - rest[p + l]! * rest[q + k]!
    }
  }
  const inverse = 1 / (rest[r]! * E[0]! + rest[r + 1]! * E[3]! + rest[r + 2]! * E[6]!)
  for (let k = 0; k < 9; k++) E[k] = E[k]! * inverse
  return inverse
}

/** Sets A to 1 + shear L. */
function findResponse(M: Float64Array, material: Float64Array, at: number): void {
  const shear = 2 / material[at]!
  A.fill(0)
  for (let d = 0; d < 3; d++) {
    const e = 3 + d
    const a = d
    const b = (d + 1) % 3
    const f = 3 + b
    const g = 3 + ((d + 2) % 3)
    A[d * 7] = 1 + shear * M[d]!
    A[e * 7] = 1 + (shear * (M[a]! + M[b]!)) / 2
    A[a * 6 + e] = A[e * 6 + a] = A[b * 6 + e] = A[e * 6 + b] = (shear * M[e]!) / SQRT2
    // (X M + M X)_xy holds X_yz M_zx and X_zx M_yz.
    A[e * 6 + f] = (shear * M[g]!) / 2
    A[e * 6 + g] = (shear * M[f]!) / 2
  }
}

/** Sets T to X -> B X B^T, from entries with the factor sqrt 2 to entries without, and U to the way back. */
function findChanges(rest: Float64Array, r: number): void {
  for (let e = 0; e < 6; e++) {
    const i = I[e]!
    const j = J[e]!
    for (let f = 0; f < 6; f++) {
      const k = I[f]!
      const l = J[f]!
      const straight = rest[r + i * 3 + k]! * rest[r + j * 3 + l]!
      const crossed = rest[r + i * 3 + l]! * rest[r + j * 3 + k]!
      T[e * 6 + f] = f < 3 ? straight : (straight + crossed) / SQRT2
      const back = E[i * 3 + k]! * E[j * 3 + l]!
      const backCrossed = E[i * 3 + l]! * E[j * 3 + k]!
      U[e * 6 + f] = (f < 3 ? back : back + backCrossed) * (e < 3 ? 1 : SQRT2)
    }
  }
}

function multiply(out: Float64Array, a: Float64Array, b: Float64Array): void {
  for (let i = 0; i < 6; i++) {
    for (let j = 0; j < 6; j++) {
      let sum = 0
      for (let k = 0; k < 6; k++) sum += a[i * 6 + k]! * b[k * 6 + j]!
      out[i * 6 + j] = sum
    }
  }
}

/** Gauss-Jordan; A is positive definite and needs no pivots. */
function invert(): void {
  for (let k = 0; k < 6; k++) {
    const pivot = 1 / A[k * 7]!
    A[k * 7] = 1
    for (let j = 0; j < 6; j++) A[k * 6 + j] = A[k * 6 + j]! * pivot
    for (let i = 0; i < 6; i++) {
      if (i === k) continue
      const factor = A[i * 6 + k]!
      A[i * 6 + k] = 0
      for (let j = 0; j < 6; j++) A[i * 6 + j] = A[i * 6 + j]! - factor * A[k * 6 + j]!
    }
  }
}

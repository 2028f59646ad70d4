import { bakeCompliance, type Columns, complianceOrModulus, type EvaluatedKind, lengthOf, type Rows } from './kind.js'

/** A pivot below this share of its row's weights is none: what is left of the row follows from the others. */
const NO_PIVOT = 1e-12

/**
 * Largest move of a segment's ends against each other, in its length, for which directions stay what they were: in a rope
 * under tension that is h^2 T (w_i + w_j) / l, and above 2 waves across it would grow.
 */
const RESOLVED = 1
/** Passes of that length at most, and sweeps one by one where they do not get there. */
const PASSES = 12
const SWEEPS = 16

/** By segment: direction [3], then multiplier's change, upper entry and right side of the system. */
let directions = new Float64Array(0)
let upper = new Float64Array(0)
let change = new Float64Array(0)
/** How much of it is gone in a pass. */
const share = new Float64Array(1)

/**
 * Particles in a row, each at its distance from the next: C_k = |x_(k+1) - x_k| - L_k [m], compliance [m/N] of each
 * segment. All of a row are solved at once: J W J^T is tridiagonal, so that this takes as long as one by one (Deul,
 * Kugelstadt, Weiler and Bender 2018 do so for rods), and a load at one end is felt at the other within the substep. A
 * chain drawn taut between pins, where nothing can give way, is left as it is. Where the tension is more than a substep
 * resolves, the directions have to follow the moves: then part of the way is gone and the rest is solved anew, and what
 * does not get there so is solved segment by segment.
 *
 * Rest values are L_k at a row's particles, the last one's is not used; multipliers likewise.
 */
export const chain: EvaluatedKind = {
  name: 'chain',
  arity: 'variable',
  contract: 'block',
  bounds: 'equality',
  internal: true,
  ...complianceOrModulus('m/N', 'N', {
    quantity: 'tension over strain',
    remedy: 'Use 1e5 N for a rope, false to switch it off.',
  }),
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
    for (let k = from; k + 1 < offsets[row + 1]!; k++)
      C[k - from] = lengthOf(x, indices[k]!, indices[k + 1]!) - rest[k]!
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, offsets } = rows
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
      share[0] = 0
      for (let pass = 0; pass < PASSES && share[0] < 1; pass++) {
        solve(rows, row, x, w)
        limit(indices, x, w, from, count)
        move(rows, row, x, w)
      }
      if (share[0] < 1) sweepOneByOne(rows, row, x, w)
    }
  },
}

/** Sets `directions` of a row's segments, and `change` to what solves all of its constraints at once. */
function solve(
  { indices, offsets, rest, material, lambda }: Rows,
  row: number,
  x: Float64Array,
  w: Float64Array,
): void {
  const from = offsets[row]!
  const count = offsets[row + 1]! - from - 1
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
        (directions[d] * directions[d - 3]! +
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
}

/** Sets `share` to how much of `change` moves the ends of no segment by more than `RESOLVED` of its length. */
function limit(indices: Uint32Array, x: Float64Array, w: Float64Array, from: number, count: number): void {
  let most = 0
  for (let k = 0; k < count; k++) {
    const i = indices[from + k]!
    const j = indices[from + k + 1]!
    let square = 0
    for (let d = 0; d < 3; d++) square += (x[j * 3 + d]! - x[i * 3 + d]!) * (x[j * 3 + d]! - x[i * 3 + d]!)
    const move = change[k]! * (w[i]! + w[j]!)
    if (move * move > most * square) most = (move * move) / square
  }
  share[0] = most > RESOLVED * RESOLVED ? RESOLVED / Math.sqrt(most) : 1
}

/** Goes `share` of `change`. */
function move({ indices, offsets, lambda }: Rows, row: number, x: Float64Array, w: Float64Array): void {
  const from = offsets[row]!
  const count = offsets[row + 1]! - from - 1
  for (let k = 0; k < count; k++) {
    const deltaLambda = share[0]! * change[k]!
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

/** Solves a row's segments one after the other, there and back. */
function sweepOneByOne(
  { indices, offsets, rest, material, lambda }: Rows,
  row: number,
  x: Float64Array,
  w: Float64Array,
): void {
  const from = offsets[row]!
  const count = offsets[row + 1]! - from - 1
  const alpha = material[row]!
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let l = 0; l < count; l++) {
      const k = from + ((sweep & 1) === 0 ? l : count - 1 - l)
      const i = indices[k]!
      const j = indices[k + 1]!
      const weight = w[i]! + w[j]!
      if (weight === 0) continue // both pinned
      const dx = x[j * 3]! - x[i * 3]!
      const dy = x[j * 3 + 1]! - x[i * 3 + 1]!
      const dz = x[j * 3 + 2]! - x[i * 3 + 2]!
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
      if (length === 0) continue // no direction to part in
      const deltaLambda = (rest[k]! - length - alpha * lambda[k]!) / (weight + alpha)
      lambda[k] = lambda[k]! + deltaLambda
      const si = (w[i]! * deltaLambda) / length
      const sj = (w[j]! * deltaLambda) / length
      x[i * 3] = x[i * 3]! - si * dx
      x[i * 3 + 1] = x[i * 3 + 1]! - si * dy
      x[i * 3 + 2] = x[i * 3 + 2]! - si * dz
      x[j * 3] = x[j * 3]! + sj * dx
      x[j * 3 + 1] = x[j * 3 + 1]! + sj * dy
      x[j * 3 + 2] = x[j * 3 + 2]! + sj * dz
    }
  }
}

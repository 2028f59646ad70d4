import { bakeCompliance, type Columns, complianceOrModulus, type EvaluatedKind, type Rows } from './kind.js'

/** From the second point of a row to the first [m]. */
const gap = new Float64Array(3)

/**
 * Two points of a body's matter stay between a least and a most distance: D = sum b_i x_i with sum b_i = 0, and
 * C = |D| less what is allowed [m], 0 in between; compliance [m/N]. Each point is a mean of particles with the weights
 * b_i, those of the second one below zero, and what pulls at a point is spread over its particles in that proportion:
 * with the weights of `pointOf` a whole limb is moved and turned, not one particle of it. Least and most 0 is a ball
 * joint, two of them a hinge, a least distance alone bounds an angle.
 *
 * Rest values are b_i at a row's particles, then at the first one the least, at the second the most distance.
 */
export const span: EvaluatedKind = {
  name: 'span',
  arity: 'variable',
  multipleOf: 2,
  contract: 'scalar',
  bounds: 'equality',
  internal: true,
  ...complianceOrModulus('m/N', 'N/m'),
  restSize: 2,
  lambdaSize: 1,
  materialSize: 1,
  bake: bakeCompliance,

  // Unless told otherwise: the centre of mass of the first half of the particles at its distance from that of the rest.
  measure(x, indices, at, count, m, rest, restAt) {
    const half = count / 2
    let first = 0
    let second = 0
    for (let k = 0; k < half; k++) {
      first += m[indices[at + k]!]!
      second += m[indices[at + half + k]!]!
    }
    for (let k = 0; k < half; k++) {
      rest[restAt + k * 2] = m[indices[at + k]!]! / first
      rest[restAt + (half + k) * 2] = -m[indices[at + half + k]!]! / second
    }
    findGap(x, indices, at, at + count, rest, restAt)
    const length = lengthOfGap()
    rest[restAt + 1] = length
    rest[restAt + 3] = length
  },

  evaluate({ indices, offsets, rest }, row, x, C) {
    const from = offsets[row]!
    findGap(x, indices, from, offsets[row + 1]!, rest, from * 2)
    const length = lengthOfGap()
    C[0] = length - Math.min(Math.max(length, rest[from * 2 + 1]!), rest[from * 2 + 3]!)
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, offsets, rest, material, lambda } = rows
    const x = columns.positions
    const w = columns.inverseMasses
    for (let row = start; row < end; row++) {
      const from = offsets[row]!
      const to = offsets[row + 1]!
      findGap(x, indices, from, to, rest, from * 2)
      const gx = gap[0]!
      const gy = gap[1]!
      const gz = gap[2]!
      const length = Math.sqrt(gx * gx + gy * gy + gz * gz)
      const least = rest[from * 2 + 1]!
      const most = rest[from * 2 + 3]!
      if (length === 0 || (length >= least && length <= most)) continue // no direction to part in, or free
      const C = length < least ? length - least : length - most
      let weight = 0
      for (let k = from; k < to; k++) weight += w[indices[k]!]! * rest[k * 2]! * rest[k * 2]!
      const alpha = material[row]!
      if (weight + alpha === 0) continue // pinned
      const deltaLambda = (-C - alpha * lambda[from]!) / (weight + alpha)
      lambda[from] = lambda[from]! + deltaLambda
      const scale = deltaLambda / length
      for (let k = from; k < to; k++) {
        const i = indices[k]!
        const s = scale * w[i]! * rest[k * 2]!
        x[i * 3] = x[i * 3]! + s * gx
        x[i * 3 + 1] = x[i * 3 + 1]! + s * gy
        x[i * 3 + 2] = x[i * 3 + 2]! + s * gz
      }
    }
  },
}

function findGap(
  x: Float64Array,
  indices: ArrayLike<number>,
  from: number,
  to: number,
  rest: Float64Array,
  restAt: number,
): void {
  let gx = 0
  let gy = 0
  let gz = 0
  // Against the first particle: sum b = 0, and no digits are lost far from the origin.
  const o = indices[from]! * 3
  for (let k = from; k < to; k++) {
    const b = rest[restAt + (k - from) * 2]!
    const p = indices[k]! * 3
    gx += b * (x[p]! - x[o]!)
    gy += b * (x[p + 1]! - x[o + 1]!)
    gz += b * (x[p + 2]! - x[o + 2]!)
  }
  gap[0] = gx
  gap[1] = gy
  gap[2] = gz
}

function lengthOfGap(): number {
  return Math.sqrt(gap[0]! * gap[0]! + gap[1]! * gap[1]! + gap[2]! * gap[2]!)
}

import { type Columns, complianceOrModulus, type EvaluatedKind, type Rows } from './kind.js'

/** Gradient of a particle and whether it has been counted, [4] a particle; zero between rows. */
let scratch = new Float64Array(0)
const center = new Float64Array(3)

/** The most of its rest volume that is left in a substep of what a sweep adds or takes, so that a ratio that leaps throws nothing. */
const QUICKEST = 0.01
/** The volume below which it takes less than that, in rest volumes: what something holds against it is crushed there. */
const LEAST = 0.5

/**
 * A closed surface encloses `ratio` times its rest volume (Mueller et al. 2007): C = V - ratio V0 [m^3], compliance
 * [m^5/N]. The gauge pressure is lambda / h^2 = (ratio V0 - V) / alpha [Pa]; with a bulk modulus K [Pa] of what is
 * inside, alpha = V0 / K, it is K (ratio - V / V0). `ratio` alone is rigid. A ratio that leaps is gone to over some substeps.
 * What holds a body bears of it what it can, see `Inflation`.
 *
 * The particles of a row are the corners of its triangles, three and three, counter-clockwise seen from outside; corners
 * repeat. V is the sum of the tetrahedra from the mean of all corners to each triangle: that is the enclosed volume, and
 * a surface with holes is closed by cones to that point, so that C depends on the shape alone and keeps momentum.
 *
 * The first of a row's rest values is V0. Material is alpha / h^2 and `ratio`.
 */
export const pressure: EvaluatedKind = {
  name: 'pressure',
  arity: 'variable',
  multipleOf: 3,
  contract: 'scalar',
  cautious: true,
  bounds: 'equality',
  internal: true,
  parameters: {
    ...complianceOrModulus('m^5/N', 'Pa').parameters,
    ratio: {
      quantity: 'volume over rest volume',
      unit: '1',
      type: 'number',
      default: 1,
      min: 0.01,
      max: 10,
      remedy: 'Use 1 for the rest volume, 1.5 to inflate, 0.7 to deflate.',
    },
  },
  ways: [['ratio'], ['compliance'], ['modulus'], ['ratio', 'compliance'], ['ratio', 'modulus']],
  restSize: 1,
  lambdaSize: 1,
  materialSize: 2,

  bake({ compliance, modulus, ratio }, { unitCompliance, h }, material, at) {
    const alpha = compliance ?? (modulus === undefined ? 0 : unitCompliance / modulus)
    material[at] = alpha / (h * h)
    material[at + 1] = ratio ?? 1
  },

  measure(x, indices, at, count, _m, rest, restAt) {
    rest[restAt] = enclosedVolume(x, indices, at, at + count)
  },

  evaluate({ indices, offsets, rest, material }, row, x, C) {
    const from = offsets[row]!
    C[0] = enclosedVolume(x, indices, from, offsets[row + 1]!) - material[row * 2 + 1]! * rest[from]!
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, offsets, rest, material, lambda } = rows
    const x = columns.positions
    const w = columns.inverseMasses
    if (scratch.length < 4 * w.length) scratch = new Float64Array(4 * w.length)
    const g = scratch
    for (let row = start; row < end; row++) {
      const from = offsets[row]!
      const to = offsets[row + 1]!
      findCenter(x, indices, from, to)
      const ox = center[0]!
      const oy = center[1]!
      const oz = center[2]!
      // Six times the volume, and its gradients by the corners with the centre held.
      let volume = 0
      let sx = 0
      let sy = 0
      let sz = 0
      for (let k = from; k < to; k += 3) {
        const i0 = indices[k]!
        const i1 = indices[k + 1]!
        const i2 = indices[k + 2]!
        const ax = x[i0 * 3]! - ox
        const ay = x[i0 * 3 + 1]! - oy
        const az = x[i0 * 3 + 2]! - oz
        const bx = x[i1 * 3]! - ox
        const by = x[i1 * 3 + 1]! - oy
        const bz = x[i1 * 3 + 2]! - oz
        const cx = x[i2 * 3]! - ox
        const cy = x[i2 * 3 + 1]! - oy
        const cz = x[i2 * 3 + 2]! - oz
        const g0x = by * cz - bz * cy
        const g0y = bz * cx - bx * cz
        const g0z = bx * cy - by * cx
        const g1x = cy * az - cz * ay
        const g1y = cz * ax - cx * az
        const g1z = cx * ay - cy * ax
        const g2x = ay * bz - az * by
        const g2y = az * bx - ax * bz
        const g2z = ax * by - ay * bx
        volume += ax * g0x + ay * g0y + az * g0z
        sx += g0x + g1x + g2x
        sy += g0y + g1y + g2y
        sz += g0z + g1z + g2z
        g[i0 * 4] = g[i0 * 4]! + g0x
        g[i0 * 4 + 1] = g[i0 * 4 + 1]! + g0y
        g[i0 * 4 + 2] = g[i0 * 4 + 2]! + g0z
        g[i1 * 4] = g[i1 * 4]! + g1x
        g[i1 * 4 + 1] = g[i1 * 4 + 1]! + g1y
        g[i1 * 4 + 2] = g[i1 * 4 + 2]! + g1z
        g[i2 * 4] = g[i2 * 4]! + g2x
        g[i2 * 4 + 1] = g[i2 * 4 + 1]! + g2y
        g[i2 * 4 + 2] = g[i2 * 4 + 2]! + g2z
      }
      // The centre moves with its corners, by 1 / n each. Nothing but rounding where the surface is closed.
      const share = 1 / (to - from)
      sx *= share
      sy *= share
      sz *= share
      for (let k = from; k < to; k++) {
        const o = indices[k]! * 4
        g[o] = g[o]! - sx
        g[o + 1] = g[o + 1]! - sy
        g[o + 2] = g[o + 2]! - sz
      }
      let sum = 0
      for (let k = from; k < to; k++) {
        const i = indices[k]!
        const o = i * 4
        if (g[o + 3] !== 0) continue // a corner of a triangle before
        g[o + 3] = 1
        const square = g[o]! * g[o]! + g[o + 1]! * g[o + 1]! + g[o + 2]! * g[o + 2]!
        sum += w[i]! * square
      }
      const alpha = material[row * 2]!
      const weight = sum / 36 + alpha
      let change = 0
      // Sum 0: all pinned, or all in one point.
      if (sum !== 0) {
        const C = volume / 6 - material[row * 2 + 1]! * rest[from]!
        change = (-C - alpha * lambda[from]!) / weight
        // The volume grows by sum / 36 times that.
        if (Math.abs(change) * sum > 36 * QUICKEST * rest[from]!) {
          const before = enclosedVolume(columns.previous, indices, from, to)
          const added = Math.max(0, before + QUICKEST * rest[from]! - volume / 6)
          const least = Math.max(before - QUICKEST * rest[from]!, LEAST * rest[from]!)
          const taken = Math.max(0, volume / 6 - least)
          change = Math.max((-36 * taken) / sum, Math.min((36 * added) / sum, change))
        }
        lambda[from] = lambda[from]! + change
      }
      const step = change / 6
      for (let k = from; k < to; k++) {
        const i = indices[k]!
        const p = i * 3
        const o = i * 4
        const s = w[i]! * step
        x[p] = x[p]! + s * g[o]!
        x[p + 1] = x[p + 1]! + s * g[o + 1]!
        x[p + 2] = x[p + 2]! + s * g[o + 2]!
        g[o] = g[o + 1] = g[o + 2] = g[o + 3] = 0 // so it moves once, and the next row finds zeros
      }
    }
  },
}

/** Mean of the corners indices[from..to], into `center`. */
function findCenter(x: Float64Array, indices: ArrayLike<number>, from: number, to: number): void {
  let cx = 0
  let cy = 0
  let cz = 0
  for (let k = from; k < to; k++) {
    const p = indices[k]! * 3
    cx += x[p]!
    cy += x[p + 1]!
    cz += x[p + 2]!
  }
  center[0] = cx / (to - from)
  center[1] = cy / (to - from)
  center[2] = cz / (to - from)
}

/** Volume of the tetrahedra from the mean of all corners to each of the triangles indices[from..to] [m^3]. */
function enclosedVolume(x: Float64Array, indices: ArrayLike<number>, from: number, to: number): number {
  findCenter(x, indices, from, to)
  const ox = center[0]!
  const oy = center[1]!
  const oz = center[2]!
  let six = 0
  for (let k = from; k < to; k += 3) {
    const a = indices[k]! * 3
    const b = indices[k + 1]! * 3
    const c = indices[k + 2]! * 3
    const bx = x[b]! - ox
    const by = x[b + 1]! - oy
    const bz = x[b + 2]! - oz
    const cx = x[c]! - ox
    const cy = x[c + 1]! - oy
    const cz = x[c + 2]! - oz
    six += (x[a]! - ox) * (by * cz - bz * cy)
    six += (x[a + 1]! - oy) * (bz * cx - bx * cz)
    six += (x[a + 2]! - oz) * (bx * cy - by * cx)
  }
  return six / 6
}

/** Sets the ratio that row `row` is led to, instead of the one that it was baked with. */
export function lead({ material }: Rows, row: number, ratio: number): void {
  material[row * 2 + 1] = ratio
}

import type { ConstraintSet, Model } from '../model.js'

/** Places that differ by less than this part of the sheet's size are one. */
const SAME = 1e-6

/** A rectangular sheet whose points stand in rows and columns along its threads, none of them missing. */
export interface ThreadGrid {
  /** Places of the columns along u and of the rows along v [m]. */
  readonly columns: Float64Array
  readonly rows: Float64Array
  /** Which point stands in a column of a row: points[row * columns.length + column]. */
  readonly points: Uint32Array
}

/** The grid of a sheet with these rows of the membrane; undefined where it is none, or bent, or has threads across. */
export function threadGridOf(model: Model, membraneRows: ConstraintSet): ThreadGrid | undefined {
  const { positions: x, particleCount } = model
  const u = new Float64Array(3)
  const v = new Float64Array(3)
  const threads = new Float64Array(6)
  for (let row = 0; row < membraneRows.count; row++) {
    threadsOf(x, membraneRows, row, threads)
    for (let d = 0; d < 3; d++) {
      if (row === 0) u[d] = threads[d]!
      if (row === 0) v[d] = threads[3 + d]!
      if (Math.abs(u[d]! - threads[d]!) > SAME || Math.abs(v[d]! - threads[3 + d]!) > SAME) return undefined
    }
  }
  const along = (axis: Float64Array) =>
    Float64Array.from({ length: particleCount }, (_, i) => {
      const p = i * 3
      return axis[0]! * x[p]! + axis[1]! * x[p + 1]! + axis[2]! * x[p + 2]!
    })
  const [us, vs] = [along(u), along(v)]
  const columns = distinct(us, SAME * model.size)
  const rows = distinct(vs, SAME * model.size)
  const area = (columns.at(-1)! - columns[0]!) * (rows.at(-1)! - rows[0]!)
  if (columns.length * rows.length !== particleCount || Math.abs(area - model.measure) > SAME * area) return undefined
  const points = new Uint32Array(particleCount)
  const stands = new Uint8Array(particleCount)
  for (let i = 0; i < particleCount; i++) {
    const place = nearest(rows, vs[i]!) * columns.length + nearest(columns, us[i]!)
    if (stands[place] === 1) return undefined
    stands[place] = 1
    points[place] = i
  }
  return { columns, rows, points }
}

/** The threads of a triangle at rest, unit vectors: sum u_i x_i and sum v_i x_i. */
function threadsOf(x: Float64Array, { indices, rest }: ConstraintSet, row: number, out: Float64Array): void {
  const [a, b, c] = [indices[row * 3]! * 3, indices[row * 3 + 1]! * 3, indices[row * 3 + 2]! * 3]
  for (let d = 0; d < 3; d++) {
    const [one, two] = [x[b + d]! - x[a + d]!, x[c + d]! - x[a + d]!]
    out[d] = one * rest[row * 4]! + two * rest[row * 4 + 2]!
    out[3 + d] = one * rest[row * 4 + 1]! + two * rest[row * 4 + 3]!
  }
}

/** Values in rising order, of those that are the same only the first. */
function distinct(values: Float64Array, same: number): Float64Array {
  const rising = values.slice().sort()
  return rising.filter((value, k) => k === 0 || value - rising[k - 1]! > same)
}

/** Number of the value in a rising list that is nearest. */
function nearest(list: Float64Array, value: number): number {
  let low = 0
  let high = list.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (list[middle]! <= value) low = middle
    else high = middle
  }
  return value - list[low]! <= list[high]! - value ? low : high
}

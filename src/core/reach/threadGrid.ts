import { isSliver } from '../constraints/membrane.js'
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

/** By particle: its place along both threads at rest [m], where the sheet is flat and these are the same all over it. */
export interface Threads {
  readonly u: Float64Array
  readonly v: Float64Array
  /** By triangle: 1 for a sliver that has threads of its own. */
  readonly askew: Uint8Array
}

export function threadsOf({ positions: x, particleCount }: Model, membraneRows: ConstraintSet): Threads | undefined {
  const threads = new Float64Array(6)
  const others = new Float64Array(6)
  const { count, indices } = membraneRows
  const askew = new Uint8Array(count)
  const isLean = (row: number) => isSliver(x, indices[row * 3]!, indices[row * 3 + 1]!, indices[row * 3 + 2]!)
  let first = 0
  while (first + 1 < count && isLean(first)) first++
  threadsAt(x, membraneRows, isLean(first) ? 0 : first, threads)
  for (let row = 0; row < count; row++) {
    threadsAt(x, membraneRows, row, others)
    if (threads.every((along, d) => Math.abs(along - others[d]!) <= SAME)) continue
    if (!isLean(row)) return undefined
    askew[row] = 1
  }
  const along = (at: number) =>
    Float64Array.from({ length: particleCount }, (_, i) => {
      const p = i * 3
      return threads[at]! * x[p]! + threads[at + 1]! * x[p + 1]! + threads[at + 2]! * x[p + 2]!
    })
  return { u: along(0), v: along(3), askew }
}

/** The grid of a sheet with these rows of the membrane; undefined where it is none, or bent, or has threads across. */
export function threadGridOf(model: Model, membraneRows: ConstraintSet): ThreadGrid | undefined {
  const { particleCount } = model
  const threads = threadsOf(model, membraneRows)
  if (!threads) return undefined
  const { u: us, v: vs } = threads
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
function threadsAt(x: Float64Array, { indices, rest }: ConstraintSet, row: number, out: Float64Array): void {
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

import type { Columns, Rows } from './constraints/kind.js'
import { grow, shapeMatching } from './constraints/shapeMatching.js'
import { type BodyRecord, RESCUE } from './records.js'
import type { State } from './state.js'
import { placesAt } from './unflowed.js'

const columns: { -readonly [K in keyof Columns]: Columns[K] } = {
  positions: new Float64Array(0),
  previous: new Float64Array(0),
  inverseMasses: new Float64Array(0),
  masses: new Float64Array(0),
  rotations: new Float64Array(0),
}

/** The whole body as one row of shape matching, whose warm start is in the body's record; it follows what flows. */
export function wholeBody({ model, start, plastic }: BodyRecord): Rows {
  const count = model.particleCount
  const indices = Uint32Array.from({ length: count }, (_, i) => i)
  let rest: Float64Array = new Float64Array(3 * count)
  if (plastic.length > 0) rest = plastic.subarray(placesAt(model))
  else shapeMatching.measure(model.positions, indices, 0, count, model.massShares, rest, 0)
  return {
    count: 1,
    indices: indices.map((i) => start + i),
    offsets: Uint32Array.of(0, count),
    rest,
    material: new Float64Array(shapeMatching.materialSize),
    lambda: new Float64Array(3 * count),
    iterated: false,
    rotations: Uint32Array.of(RESCUE.ROTATION / 4),
  }
}

/** Draws a body towards its shape where that fits best, by its row of shape matching. `grown`, `b`: see `Inflation`. */
export function drawToShape(state: State, body: BodyRecord, rows: Rows, grown: Float64Array, b: number): void {
  columns.positions = state.positions
  columns.previous = state.previous
  columns.inverseMasses = state.inverseMasses
  columns.masses = state.masses
  columns.rotations = body.rescue
  grow(rows, 0, 1, grown, b)
  rows.lambda.fill(0)
  shapeMatching.project(rows, 0, 1, columns)
}

import { edgeLengths } from '../mesh/edges.js'
import { runToEnd } from '../mesh/slices.js'
import { type ConstraintSet, distinctEdges, type Model } from '../model.js'
import type { LevelSource } from './coarseGrid.js'
import type { Level } from './coarseLevel.js'
import type { BorneRows } from './gridRows.js'
import { convexOutline } from './outline.js'
import { scatteredLevel } from './scatteredLevel.js'
import { ScatteredRows } from './scatteredRows.js'
import { type Threads, threadsOf } from './threadGrid.js'

/** Sides of the grid over scattered points, in mean edges of these. */
const SPACING = 1.75
/** Cells along the shorter side of a sheet: a narrower strip is left to its own sweep. */
const FEWEST = 4

/** How a sheet lies in its plane, and a grid over it. */
interface Layout {
  readonly threads: Threads
  readonly outline: readonly number[]
  readonly columns: Float64Array
  readonly rows: Float64Array
}

const layouts = new WeakMap<Model, Layout | null>()

/** The grid over a flat convex sheet whose points stand anyhow. */
export function scatteredGround(
  model: Model,
  membraneRows: ConstraintSet,
  masses: Float64Array,
  pins: Uint8Array,
): { finest: LevelSource; first: Level; borne: BorneRows } | undefined {
  if (!layouts.has(model)) layouts.set(model, layoutOf(model, membraneRows))
  const layout = layouts.get(model)
  if (!layout) return undefined
  const { threads, outline, columns, rows } = layout
  const finest: LevelSource = {
    columns,
    rows,
    points: Uint32Array.from(masses, (_, i) => i),
    u: threads.u,
    v: threads.v,
    masses,
    free: Float64Array.from(pins, (pin) => (pin === 0 ? 1 : 0)),
  }
  const first = scatteredLevel(finest, outline)
  return { finest, first, borne: new ScatteredRows(first, membraneRows, threads) }
}

/** Found once a model, whose pins may change. */
function layoutOf(model: Model, membraneRows: ConstraintSet): Layout | null {
  const threads = threadsOf(model, membraneRows)
  const outline = threads && convexOutline(model, threads)
  if (!outline) return null
  const lengths = edgeLengths(runToEnd(distinctEdges(model.triangles, 3)), model.positions)
  const spacing = (SPACING * lengths.reduce((sum, length) => sum + length, 0)) / lengths.length
  const columns = evenly(threads.u, spacing)
  const rows = evenly(threads.v, spacing)
  return Math.min(columns.length, rows.length) > FEWEST ? { threads, outline, columns, rows } : null
}

/** Places from the first to the last of some, about `spacing` apart. */
function evenly(places: Float64Array, spacing: number): Float64Array {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const place of places) {
    low = Math.min(low, place)
    high = Math.max(high, place)
  }
  // Two or three cells, doubled as often as comes nearest: coarser grids then halve them evenly.
  const wanted = (high - low) / spacing
  let cells = 1
  for (let next = 2; next < 2 * wanted; next = (next & (next - 1)) === 0 ? (next * 3) / 2 : (next * 4) / 3) {
    if (unlike(next, wanted) < unlike(cells, wanted)) cells = next
  }
  return Float64Array.from({ length: cells + 1 }, (_, k) => low + ((high - low) * k) / cells)
}

const unlike = (a: number, b: number) => Math.max(a / b, b / a)

import type { ConstraintSet } from '../model.js'
import type { Level } from './coarseLevel.js'
import type { ThreadGrid } from './threadGrid.js'

/** What the finest level bears of the rows of a membrane. */
export interface BorneRows {
  /** Sets the multipliers of the membrane's rows from `row` on to what the level bears of them. */
  give(level: Level, lambda: Float64Array, row: number): void
}

/** Of a cloth whose points stand in rows and columns. */
export class GridRows implements BorneRows {
  /** By row of the membrane: its area at rest [m^2]. */
  private readonly areas: Float64Array
  /** By row of the membrane: the sides of the grid along u and v that its triangle has, and the cell [3 r]. */
  private readonly places: Uint32Array
  /** By side and by cell of the grid: what the levels bear of it, multipliers per area. */
  private readonly given: Float64Array
  private readonly givenShear: Float64Array

  constructor(grid: ThreadGrid, set: ConstraintSet) {
    const [width, height] = [grid.columns.length, grid.rows.length]
    this.areas = set.unitCompliance.map((inverse) => 1 / inverse)
    this.places = placesOfRows(grid, set)
    this.given = new Float64Array((width - 1) * height + width * (height - 1))
    this.givenShear = new Float64Array((width - 1) * (height - 1))
  }

  give(level: Level, lambda: Float64Array, row: number): void {
    const { areas, places, given, givenShear } = this
    level.tell(given)
    level.shear.tell(givenShear)
    for (let r = 0; r < areas.length; r++) {
      const at = (row + r) * 3
      lambda[at] = areas[r]! * given[places[r * 3]!]!
      lambda[at + 1] = areas[r]! * given[places[r * 3 + 1]!]!
      lambda[at + 2] = areas[r]! * givenShear[places[r * 3 + 2]!]!
    }
  }
}

/** Half of a cell of a grid has one side of it along u and one along v. */
function placesOfRows({ columns, rows, points }: ThreadGrid, { count, indices }: ConstraintSet): Uint32Array {
  const placeOf = new Uint32Array(points.length)
  points.forEach((point, place) => (placeOf[point] = place))
  const places = new Uint32Array(3 * count)
  const along = (columns.length - 1) * rows.length
  for (let r = 0; r < count; r++) {
    const corners = [0, 1, 2].map((c) => placeOf[indices[r * 3 + c]!]!)
    const is = corners.map((place) => place % columns.length)
    const js = corners.map((place) => Math.floor(place / columns.length))
    const [i, j] = [Math.min(...is), Math.min(...js)]
    const row = js.filter((k) => k === j).length === 2 ? j : j + 1
    const column = is.filter((k) => k === i).length === 2 ? i : i + 1
    places[r * 3] = i * rows.length + row
    places[r * 3 + 1] = along + j * columns.length + column
    places[r * 3 + 2] = j * (columns.length - 1) + i
  }
  return places
}

/** Which triangles or tetrahedra overlap each cell of a uniform grid about as fine as themselves. */
export interface SimplexGrid {
  readonly origin: readonly [number, number, number]
  readonly size: readonly [number, number, number]
  /** Side of a cell [m]. */
  readonly cell: number
  /** [cells + 1] where each cell's items start. */
  readonly starts: Int32Array
  /** Items cell by cell, in ascending order. */
  readonly items: Int32Array
}

/**
 * @param positions [3 n] points
 * @param simplices [arity m] corners of each item
 */
export function* simplexGrid(
  positions: Float64Array,
  simplices: Uint32Array,
  arity: number,
): Generator<void, SimplexGrid> {
  const count = simplices.length / arity
  // [6 m] min and max corner of each item.
  const boxes = new Float64Array(6 * count)
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  let extent = 0
  for (let item = 0; item < count; item++) {
    let widest = 0
    for (let axis = 0; axis < 3; axis++) {
      let low = Infinity
      let high = -Infinity
      for (let corner = 0; corner < arity; corner++) {
        const value = positions[3 * simplices[arity * item + corner]! + axis]!
        if (value < low) low = value
        if (value > high) high = value
      }
      boxes[6 * item + axis] = low
      boxes[6 * item + 3 + axis] = high
      if (low < min[axis]!) min[axis] = low
      if (high > max[axis]!) max[axis] = high
      widest = Math.max(widest, high - low)
    }
    extent += widest / count
    if ((item & 0xfff) === 0xfff) yield
  }

  const sides = min.map((low, axis) => max[axis]! - low)
  let cell = extent
  let size = sides.map((side) => Math.floor(side / cell) + 1)
  while (size[0]! * size[1]! * size[2]! > 4 * count + 64) {
    cell *= 1.25
    size = sides.map((side) => Math.floor(side / cell) + 1)
  }
  const [sizeX, sizeY, sizeZ] = size as [number, number, number]
  const starts = new Int32Array(sizeX * sizeY * sizeZ + 1)
  let items = new Int32Array(0)
  // The first pass counts the items of each cell, the second puts them in.
  for (let pass = 0; pass < 2; pass++) {
    for (let item = 0; item < count; item++) {
      const k1 = Math.floor((boxes[6 * item + 5]! - min[2]!) / cell)
      const j1 = Math.floor((boxes[6 * item + 4]! - min[1]!) / cell)
      const i1 = Math.floor((boxes[6 * item + 3]! - min[0]!) / cell)
      for (let k = Math.floor((boxes[6 * item + 2]! - min[2]!) / cell); k <= k1; k++) {
        for (let j = Math.floor((boxes[6 * item + 1]! - min[1]!) / cell); j <= j1; j++) {
          for (let i = Math.floor((boxes[6 * item]! - min[0]!) / cell); i <= i1; i++) {
            const at = (k * sizeY + j) * sizeX + i
            if (pass === 1) items[starts[at]!] = item
            starts[at] = starts[at]! + 1
          }
        }
      }
      if ((item & 0x7ff) === 0x7ff) yield
    }
    // Counts become starts; in the second pass the starts, now at their cells' ends, move on by one cell.
    let sum = 0
    for (let at = 0; at < starts.length; at++) {
      const value = starts[at]!
      starts[at] = sum
      sum = pass === 0 ? sum + value : value
    }
    if (pass === 0) items = new Int32Array(sum)
  }
  return { origin: min as [number, number, number], size: [sizeX, sizeY, sizeZ], cell, starts, items }
}

/** The cell along one axis that holds a coordinate, or the nearest one. */
export function cellAlong(grid: SimplexGrid, axis: 0 | 1 | 2, coordinate: number): number {
  const cell = Math.floor((coordinate - grid.origin[axis]) / grid.cell)
  return Math.max(0, Math.min(grid.size[axis] - 1, cell))
}

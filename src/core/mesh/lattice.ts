/**
 * The body-centred cubic lattice that is cut to the surface. Its vertices have integer coordinates (X, Y, Z), in units
 * of half a cell: corners of the cells are all even, centres all odd. Every vertex has 14 edges: 6 long ones of 2 units
 * along the axes and 8 short ones of sqrt 3 units along the diagonals.
 */
export interface Lattice {
  /** Half a cell [m]. */
  readonly unit: number
  /** Place of (0, 0, 0) [m]. */
  readonly origin: readonly [number, number, number]
  /** Coordinates run from 0 to size - 1, size odd; one cell on each side lies outside the surface. */
  readonly size: readonly [number, number, number]
  /** Vertices per row along X, two neighbours of one row being 2 units apart. */
  readonly rowLength: number
  readonly vertexCount: number
  /** [7] step in vertex numbers along an edge of each direction from even X; from odd X a diagonal adds one more. */
  readonly strides: Int32Array
}

/** Directions of edges, from the lower X (or Y, Z) up: three along the axes, then four diagonals with these Y and Z. */
export const DIRECTION_COUNT = 7
export const DIAGONAL_Y = [0, 0, 0, 1, 1, -1, -1] as const
export const DIAGONAL_Z = [0, 0, 0, 1, -1, 1, -1] as const

/** Part of a cell by which a side may exceed whole cells and still count as whole: above rounding, below sight. */
const SIDE_ROUNDING = 1e-6

/**
 * A lattice symmetric about the centre of the box, so that a box of whole cells has its faces, edges and corners on
 * lattice vertices and comes out exactly, and a sphere comes out with the symmetry of a cube.
 * @param resolution cells along the longest side of the box
 */
export function createLattice(min: readonly number[], max: readonly number[], resolution: number): Lattice {
  const sides = min.map((low, axis) => max[axis]! - low)
  const cell = Math.max(...sides) / resolution
  const unit = cell / 2
  const size: [number, number, number] = [0, 0, 0]
  const origin: [number, number, number] = [0, 0, 0]
  for (let axis = 0; axis < 3; axis++) {
    const cells = Math.max(1, Math.ceil(sides[axis]! / cell - SIDE_ROUNDING)) + 2
    size[axis] = 2 * cells + 1
    origin[axis] = (min[axis]! + max[axis]!) / 2 - cells * unit
  }
  const rowLength = (size[0] + 1) / 2
  const layer = rowLength * size[1]
  const strides = Int32Array.of(1, 2 * rowLength, 2 * layer, 0, 0, 0, 0)
  for (let d = 3; d < DIRECTION_COUNT; d++) strides[d] = DIAGONAL_Y[d]! * rowLength + DIAGONAL_Z[d]! * layer
  return { unit, origin, size, rowLength, vertexCount: layer * size[2], strides }
}

/** Number of the vertex (x, y, z), all even or all odd. */
export function vertexAt(lattice: Lattice, x: number, y: number, z: number): number {
  return (z * lattice.size[1] + y) * lattice.rowLength + (x >> 1)
}

/** 1 for a vertex of odd coordinates, 0 for one of even ones. */
export function parityOf(lattice: Lattice, vertex: number): number {
  return Math.floor(vertex / (lattice.rowLength * lattice.size[1])) & 1
}

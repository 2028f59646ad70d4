import type { TetReport } from './quality.js'
import type { Surface } from './weld.js'

/** Tetrahedra that share their vertices. */
export interface TetMesh {
  /** [3 n] rest coordinates [m]. */
  readonly positions: Float64Array
  /** [4 m] vertices of each tetrahedron, det[x1 - x0, x2 - x0, x3 - x0] > 0. */
  readonly tets: Uint32Array
  /** [3 b] boundary triangles, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array
}
export interface TetrahedralizeOptions {
  /** Lattice cells along the longest side of the bounding box, 1 to 64, default 10. */
  readonly resolution?: number
}
export interface TetrahedralizedMesh extends TetMesh {
  readonly report: TetReport
}
export function* tetrahedralize(
  _surface: Surface,
  _options: TetrahedralizeOptions = {},
): Generator<void, TetrahedralizedMesh> {
  throw new Error('not written yet')
}

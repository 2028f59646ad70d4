import { SettingError } from '../validation.js'
import { boundaryOf } from './boundary.js'
import { createLattice } from './lattice.js'
import { separate } from './pieces.js'
import { type TetReport, tetReport } from './quality.js'
import { sampleSurface } from './sampling.js'
import { stuff } from './stuffing.js'
import { requireClosed, topology } from './topology.js'
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
  /** Cells along the longest side that were used: more than asked for where the body is thinner than a cell. */
  readonly resolution: number
  readonly report: TetReport
}
export const DEFAULT_RESOLUTION = 10
export const MAX_RESOLUTION = 64

/** A lattice that catches less of the volume than this is too coarse, as is one that tears a part into pieces. */
const CAUGHT = 0.6
/** Then it gets finer by this factor... */
const REFINEMENT = 1.125
/** ...until it will do. From this much finer than asked for, loose pieces are left out rather than refined further. */
const MAX_REFINEMENT = 4

/**
 * Fills a closed surface with tetrahedra, by isosurface stuffing (Labelle and Shewchuk 2007) on a uniform lattice.
 * Inside is where the winding number is not 0. The result is conforming, with dihedral angles between 10 and 165
 * degrees. Its boundary is closed and has its vertices on the surface; sharp edges askew to the lattice come out
 * chamfered by less than a cell, and two walls nearer than a cell may touch along an edge. Separate parts stay
 * separate where the gap between them is wider than a cell.
 * @throws SettingError for a resolution outside 1 to 64
 * @throws Error for a surface that is not closed, or too thin for any lattice
 */
export function* tetrahedralize(
  surface: Surface,
  options: TetrahedralizeOptions = {},
): Generator<void, TetrahedralizedMesh> {
  const asked = options.resolution ?? DEFAULT_RESOLUTION
  if (!(asked >= 1 && asked <= MAX_RESOLUTION)) {
    throw new SettingError(
      'SoftBody',
      'resolution',
      asked,
      `must be between 1 and ${MAX_RESOLUTION}`,
      'It counts cells along the longest side: 6 for a jelly, 10 for a figure, 20 for fine limbs.',
    )
  }
  const found = yield* topology(surface)
  requireClosed(found)
  const meshVolume = Math.abs(found.signedVolume)
  const { min, max } = boundsOf(surface.positions)
  let resolution = asked
  while (true) {
    const lattice = createLattice(min, max, resolution)
    const samples = yield* sampleSurface(surface, lattice)
    const stuffing = yield* stuff(lattice, samples)
    const cellVolume = 8 * lattice.unit * lattice.unit * lattice.unit
    const finest = resolution >= Math.min(MAX_RESOLUTION, MAX_REFINEMENT * asked)
    const mostPieces = finest ? found.partCount : Infinity
    const { positions, tets, pieceCount } = yield* separate(stuffing, cellVolume, mostPieces)
    const report = yield* tetReport(positions, tets, meshVolume)
    // Overlapping parts count twice in the volume of the mesh, but once in the rows of the lattice.
    const enough = report.volume > CAUGHT * Math.min(meshVolume, samples.volume) && pieceCount <= found.partCount
    if (tets.length > 0 && enough) {
      const { triangles } = yield* boundaryOf(tets)
      return { positions, tets, triangles, resolution, report }
    }
    if (resolution >= MAX_RESOLUTION) {
      throw new Error(
        `Mesh: too thin to fill with tetrahedra, even with ${MAX_RESOLUTION} cells along its longest side. ` +
          'Make it thicker, pass a ready tetrahedral mesh, or use Cloth for a sheet.',
      )
    }
    resolution = Math.min(MAX_RESOLUTION, Math.ceil(resolution * REFINEMENT))
  }
}

function boundsOf(positions: Float64Array): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3
    if (positions[i]! < min[axis]!) min[axis] = positions[i]!
    if (positions[i]! > max[axis]!) max[axis] = positions[i]!
  }
  return { min, max }
}

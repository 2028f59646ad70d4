import { boundaryOf } from './boundary.js'
import { ClosestTriangle } from './closest.js'
import { cellAlong, simplexGrid } from './grid.js'

/** Points tied to the particles of a tetrahedral mesh: x = sum of weights times particles. */
export interface Embedding {
  /** [4 p] particles of the tetrahedron that carries each point. */
  readonly particles: Uint32Array
  /** [4 p] barycentric weights, sum 1; negative or above 1 for a point outside the tetrahedra. */
  readonly weights: Float64Array
  /** [p] distance to the tetrahedra [m]; 0 inside. */
  readonly outside: Float64Array
}

/** A weight this little below 0 is rounding: the point lies on a face. */
const ON_FACE = 1e-9

/**
 * Ties points to tetrahedra: a point inside to the one around it, a point outside to the one with the nearest point of
 * the boundary, whose affine map is continued to it.
 * @param mesh [3 n] rest positions and [4 m] positively oriented tetrahedra
 * @param points [3 p] rest positions of the points
 */
export function* embed(
  mesh: { readonly positions: Float64Array; readonly tets: Uint32Array },
  points: Float64Array,
): Generator<void, Embedding> {
  const { positions, tets } = mesh
  const count = points.length / 3
  const grid = yield* simplexGrid(positions, tets, 4)
  const boundary = yield* boundaryOf(tets)
  const boundaryGrid = yield* simplexGrid(positions, boundary.triangles, 3)
  const surface = new ClosestTriangle(positions, boundary.triangles, boundaryGrid)
  const particles = new Uint32Array(4 * count)
  const weights = new Float64Array(4 * count)
  const outside = new Float64Array(count)
  const w = new Float64Array(4)
  let work = 0
  for (let p = 0; p < count; p++) {
    const x = points[3 * p]!
    const y = points[3 * p + 1]!
    const z = points[3 * p + 2]!
    const cell = (cellAlong(grid, 2, z) * grid.size[1] + cellAlong(grid, 1, y)) * grid.size[0] + cellAlong(grid, 0, x)
    let best = -1
    let bestWeight = -ON_FACE
    for (let i = grid.starts[cell]!; i < grid.starts[cell + 1]!; i++) {
      barycentric(positions, tets, grid.items[i]!, x, y, z, w)
      const least = Math.min(w[0]!, w[1]!, w[2]!, w[3]!)
      if (least > bestWeight) {
        bestWeight = least
        best = grid.items[i]!
      }
      work++
    }
    if (best < 0) {
      const triangle = surface.find(x, y, z)
      best = boundary.owners[triangle]!
      outside[p] = surface.distance
      work += surface.work
    }
    barycentric(positions, tets, best, x, y, z, w)
    for (let i = 0; i < 4; i++) {
      particles[4 * p + i] = tets[4 * best + i]!
      weights[4 * p + i] = w[i]!
    }
    if (work > 8192) {
      work = 0
      yield
    }
  }
  return { particles, weights, outside }
}

/** Weights of a point in the corners of a tetrahedron: ratios of volumes, the last so that they sum to 1. */
function barycentric(
  positions: Float64Array,
  tets: Uint32Array,
  tet: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): void {
  const a = 3 * tets[4 * tet]!
  const b = 3 * tets[4 * tet + 1]!
  const c = 3 * tets[4 * tet + 2]!
  const d = 3 * tets[4 * tet + 3]!
  const ax = positions[a]!
  const ay = positions[a + 1]!
  const az = positions[a + 2]!
  const bx = positions[b]! - ax
  const by = positions[b + 1]! - ay
  const bz = positions[b + 2]! - az
  const cx = positions[c]! - ax
  const cy = positions[c + 1]! - ay
  const cz = positions[c + 2]! - az
  const dx = positions[d]! - ax
  const dy = positions[d + 1]! - ay
  const dz = positions[d + 2]! - az
  const px = x - ax
  const py = y - ay
  const pz = z - az
  const nx = cy * dz - cz * dy
  const ny = cz * dx - cx * dz
  const nz = cx * dy - cy * dx
  const determinant = bx * nx + by * ny + bz * nz
  const wb = (px * nx + py * ny + pz * nz) / determinant
  const wc = (px * (dy * bz - dz * by) + py * (dz * bx - dx * bz) + pz * (dx * by - dy * bx)) / determinant
  const wd = (px * (by * cz - bz * cy) + py * (bz * cx - bx * cz) + pz * (bx * cy - by * cx)) / determinant
  out[0] = 1 - wb - wc - wd
  out[1] = wb
  out[2] = wc
  out[3] = wd
}

import type { Vec3 } from '../src/headless.js'

/** A box of tetrahedra about the origin, as `tetMeshModel` takes it. */
export interface TetBox {
  /** [3 n] m */
  readonly positions: Float64Array
  /** [4 t] positive */
  readonly tets: Uint32Array
}

/** Corners of a cell's five tetrahedra, bit 0 for x, bit 1 for y, bit 2 for z; every other cell is mirrored in x. */
const FIVE = [
  [0, 5, 3, 6],
  [0, 1, 3, 5],
  [0, 3, 2, 6],
  [0, 5, 6, 4],
  [3, 6, 5, 7],
] as const

/**
 * A box of cubic cells, five tetrahedra each.
 * @param size sides [m]
 * @param cells cells along each side
 */
export function tetBox(size: Vec3, cells: Vec3): TetBox {
  const [nx, ny, nz] = cells
  const at = (i: number, j: number, k: number) => (k * (ny + 1) + j) * (nx + 1) + i
  const positions = new Float64Array((nx + 1) * (ny + 1) * (nz + 1) * 3)
  const tets: number[] = []
  for (let k = 0; k <= nz; k++) {
    for (let j = 0; j <= ny; j++) {
      for (let i = 0; i <= nx; i++) {
        positions.set([size[0] * (i / nx - 0.5), size[1] * (j / ny - 0.5), size[2] * (k / nz - 0.5)], at(i, j, k) * 3)
        if (i === nx || j === ny || k === nz) continue
        const mirrored = (i + j + k) % 2
        const corner = (bits: number) => at(i + ((bits & 1) ^ mirrored), j + ((bits >> 1) & 1), k + (bits >> 2))
        for (const [a, b, c, d] of FIVE) {
          // A mirror turns a tetrahedron inside out; swapping two corners turns it back.
          if (mirrored) tets.push(corner(a), corner(c), corner(b), corner(d))
          else tets.push(corner(a), corner(b), corner(c), corner(d))
        }
      }
    }
  }
  return { positions, tets: Uint32Array.from(tets) }
}

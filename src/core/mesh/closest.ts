import { cellAlong, type SimplexGrid } from './grid.js'

/** Finds the triangle nearest to a point, looking through a grid in growing shells of cells. */
export class ClosestTriangle {
  /** Of the last find: distance to the triangle [m]. */
  distance = 0
  /** Of the last find: triangles looked at. */
  work = 0
  private best = -1
  private bestSquare = Infinity

  constructor(
    private readonly positions: Float64Array,
    private readonly triangles: Uint32Array,
    private readonly grid: SimplexGrid,
  ) {}

  /** Whether a triangle lies within `reach` [m] of a point. */
  isWithin(x: number, y: number, z: number, reach: number): boolean {
    this.find(x, y, z, reach)
    return this.distance <= reach
  }

  /** @param reach [m] any triangle within it will do, and none is looked for beyond it; by default the nearest is found */
  find(x: number, y: number, z: number, reach = Infinity): number {
    const { grid } = this
    const enough = reach < Infinity ? reach * reach : -1
    const [sizeX, sizeY, sizeZ] = grid.size
    const ci = cellAlong(grid, 0, x)
    const cj = cellAlong(grid, 1, y)
    const ck = cellAlong(grid, 2, z)
    this.best = -1
    this.bestSquare = Infinity
    this.work = 0
    const shells = Math.max(sizeX, sizeY, sizeZ)
    for (let shell = 0; shell < shells; shell++) {
      // The cells of a shell lie at least one cell less than its number away.
      const near = (shell - 1) * grid.cell
      if (shell > 0 && (this.bestSquare < near * near || near > reach)) break
      if (this.bestSquare <= enough) break
      for (let k = Math.max(0, ck - shell); k <= Math.min(sizeZ - 1, ck + shell); k++) {
        for (let j = Math.max(0, cj - shell); j <= Math.min(sizeY - 1, cj + shell); j++) {
          const onShell = k === ck - shell || k === ck + shell || j === cj - shell || j === cj + shell
          const step = onShell || shell === 0 ? 1 : 2 * shell
          for (let i = ci - shell; i <= ci + shell; i += step) {
            if (i >= 0 && i < sizeX) this.visitCell((k * sizeY + j) * sizeX + i, x, y, z)
          }
        }
      }
    }
    this.distance = Math.sqrt(this.bestSquare)
    return this.best
  }

  private visitCell(cell: number, x: number, y: number, z: number): void {
    const { starts, items } = this.grid
    this.work++
    for (let at = starts[cell]!; at < starts[cell + 1]!; at++) {
      const triangle = items[at]!
      const square = this.squareDistance(triangle, x, y, z)
      this.work++
      if (square < this.bestSquare || (square === this.bestSquare && triangle < this.best)) {
        this.bestSquare = square
        this.best = triangle
      }
    }
  }

  /** Above the triangle it is the distance to its plane, else to the nearest side. */
  private squareDistance(triangle: number, x: number, y: number, z: number): number {
    const { positions, triangles } = this
    const a = 3 * triangles[3 * triangle]!
    const b = 3 * triangles[3 * triangle + 1]!
    const c = 3 * triangles[3 * triangle + 2]!
    const ux = positions[b]! - positions[a]!
    const uy = positions[b + 1]! - positions[a + 1]!
    const uz = positions[b + 2]! - positions[a + 2]!
    const vx = positions[c]! - positions[a]!
    const vy = positions[c + 1]! - positions[a + 1]!
    const vz = positions[c + 2]! - positions[a + 2]!
    const px = x - positions[a]!
    const py = y - positions[a + 1]!
    const pz = z - positions[a + 2]!
    const nx = uy * vz - uz * vy
    const ny = uz * vx - ux * vz
    const nz = ux * vy - uy * vx
    const nn = nx * nx + ny * ny + nz * nz
    // Barycentric weights of b and c, times nn.
    const wb = (py * vz - pz * vy) * nx + (pz * vx - px * vz) * ny + (px * vy - py * vx) * nz
    const wc = (uy * pz - uz * py) * nx + (uz * px - ux * pz) * ny + (ux * py - uy * px) * nz
    if (wb >= 0 && wc >= 0 && wb + wc <= nn) {
      const height = px * nx + py * ny + pz * nz
      return (height * height) / nn
    }
    return Math.min(this.toSide(a, b, x, y, z), this.toSide(b, c, x, y, z), this.toSide(c, a, x, y, z))
  }

  private toSide(a: number, b: number, x: number, y: number, z: number): number {
    const { positions } = this
    const ux = positions[b]! - positions[a]!
    const uy = positions[b + 1]! - positions[a + 1]!
    const uz = positions[b + 2]! - positions[a + 2]!
    const px = x - positions[a]!
    const py = y - positions[a + 1]!
    const pz = z - positions[a + 2]!
    const along = (px * ux + py * uy + pz * uz) / (ux * ux + uy * uy + uz * uz)
    const t = Math.max(0, Math.min(1, along))
    const dx = px - t * ux
    const dy = py - t * uy
    const dz = pz - t * uz
    return dx * dx + dy * dy + dz * dz
  }
}

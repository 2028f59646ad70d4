import { THICKNESS } from './trace.js'
import type { Line } from './treeCast.js'

/** Of the last `TriangleTree.cross`: share of the way, then the unit normal against the way. */
export const crossing = new Float64Array(4)

/** Sine of the angle to a triangle's plane up to which a way lies in it. */
const PARALLEL = 1e-12

/** Stands for 1 / 0 along an axis on which a way does not move. */
const ENDLESS = 1e300

/**
 * A way against boxes and triangles.
 *
 * Triangles are sheared into the frame of the way, where an edge that two of them share has the very same coordinates in
 * both: what is left of it for the one is right of it for the other, to the last bit (Woop, Benthin, Wald 2013).
 */
export class Crossing implements Line {
  readonly best = crossing
  /** Start, way, 1 / its length, inverse of the way along each axis, shear along x and y, 1 / z. */
  private readonly ray = new Float64Array(13)
  /** The axes in the order of the frame; 1 where triangles count from outside only, -1 from inside, 0 from both. */
  private readonly axes = new Int32Array(4)
  /** Share from which on crossings count. */
  private readonly limit = new Float64Array(1)

  /** @param slack by how much a way is longer at both ends [m], since rounding may have put these past a surface */
  constructor(private readonly slack: number) {}

  /**
   * Takes a way; false where it has no length. One that is longer than the thickness is looked along by twice the
   * thickness more: where it ends so near to a surface, it has touched it.
   */
  aim(way: Float64Array, thickness: Float64Array, entering: boolean): boolean {
    const { ray, axes } = this
    const dx = way[3]!
    const dy = way[4]!
    const dz = way[5]!
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (!(length > 0 && length < Number.POSITIVE_INFINITY)) return false
    const ax = Math.abs(dx)
    const ay = Math.abs(dy)
    const az = Math.abs(dz)
    const kz = ax > ay && ax > az ? 0 : ay > az ? 1 : 2
    const ahead = way[3 + kz]! > 0
    axes[0] = (kz + (ahead ? 1 : 2)) % 3
    axes[1] = (kz + (ahead ? 2 : 1)) % 3
    axes[2] = kz
    axes[3] = entering ? 1 : 0
    for (let d = 0; d < 3; d++) {
      ray[d] = way[d]!
      const move = way[3 + d]!
      ray[3 + d] = move
      ray[7 + d] = ENDLESS // to choose between a number and a name would allocate
      if (Math.abs(move) > 1e-300) ray[7 + d] = 1 / move
    }
    ray[6] = 1 / length
    ray[10] = way[3 + axes[0]]! / way[3 + kz]!
    ray[11] = way[3 + axes[1]]! / way[3 + kz]!
    ray[12] = 1 / way[3 + kz]!
    this.limit[0] = -this.slack / length
    const reach = way[THICKNESS]! + thickness[0]!
    crossing[0] = 1 + (this.slack + (length > reach ? 2 * reach : 0)) / length
    return true
  }

  /** What was aimed is a ray: what is behind its start is not met, and of what is ahead the ways in or those out. */
  limitToRay(leaves: boolean): void {
    this.limit[0] = 0
    this.axes[3] = leaves ? -1 : 1
  }

  /** Writes the share of the way at which it enters a box to out[k]; Infinity where not before the first crossing. */
  enter(boxes: Float64Array, at: number, out: Float64Array, k: number): void {
    const { ray } = this
    let from = this.limit[0]!
    let to = crossing[0]!
    for (let d = 0; d < 3; d++) {
      const a = (boxes[at + d]! - ray[d]!) * ray[7 + d]!
      const b = (boxes[at + 3 + d]! - ray[d]!) * ray[7 + d]!
      const first = a < b ? a : b
      const last = a < b ? b : a
      if (first > from) from = first
      if (last < to) to = last
    }
    out[k] = from <= to ? from : Number.POSITIVE_INFINITY
  }

  /** Cuts a triangle; true where it is the first so far. */
  cut(corners: Float64Array, at: number): boolean {
    const { ray, axes } = this
    const kx = axes[0]!
    const ky = axes[1]!
    const kz = axes[2]!
    const sx = ray[10]!
    const sy = ray[11]!
    const az = corners[at + kz]! - ray[kz]!
    const bz = corners[at + 3 + kz]! - ray[kz]!
    const cz = corners[at + 6 + kz]! - ray[kz]!
    const ax = corners[at + kx]! - ray[kx]! - sx * az
    const ay = corners[at + ky]! - ray[ky]! - sy * az
    const bx = corners[at + 3 + kx]! - ray[kx]! - sx * bz
    const by = corners[at + 3 + ky]! - ray[ky]! - sy * bz
    const cx = corners[at + 6 + kx]! - ray[kx]! - sx * cz
    const cy = corners[at + 6 + ky]! - ray[ky]! - sy * cz
    const u = cx * by - cy * bx
    const v = ax * cy - ay * cx
    const w = bx * ay - by * ax
    const left = u >= 0 && v >= 0 && w >= 0
    const right = u <= 0 && v <= 0 && w <= 0
    const sum = u + v + w
    if (!(left || right) || sum === 0) return false
    if (axes[3]! * sum < 0) return false
    const share = ((u * az + v * bz + w * cz) * ray[12]!) / sum
    if (!(share >= this.limit[0]! && share < crossing[0]!)) return false
    // The crossing counts unless the way lies in the triangle's plane, to rounding: as that of what slides on it does.
    const ux = corners[at + 3]! - corners[at]!
    const uy = corners[at + 4]! - corners[at + 1]!
    const uz = corners[at + 5]! - corners[at + 2]!
    const vx = corners[at + 6]! - corners[at]!
    const vy = corners[at + 7]! - corners[at + 1]!
    const vz = corners[at + 8]! - corners[at + 2]!
    const nx = uy * vz - uz * vy
    const ny = uz * vx - ux * vz
    const nz = ux * vy - uy * vx
    const along = (nx * ray[3]! + ny * ray[4]! + nz * ray[5]!) * ray[6]!
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz)
    if (!(Math.abs(along) > PARALLEL * size)) return false
    const inwards = along > 0 ? -size : size
    crossing[0] = share
    crossing[1] = nx / inwards
    crossing[2] = ny / inwards
    crossing[3] = nz / inwards
    return true
  }
}

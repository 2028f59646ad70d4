import { cosineDegrees } from '../mesh/angle.js'
import { type EdgeTable, edgeTable } from '../mesh/edges.js'
import { runToEnd } from '../mesh/slices.js'

/** Pairs of triangles at their common edges, and how each resists for a sheet of bending rigidity one. */
export interface Hinges {
  /** [4 n] ends of the edge, then the opposite corners. */
  readonly particles: Uint32Array
  /** [n] a: the energy of a hinge folded by theta is D a theta^2 / 2, with D the rigidity [N m]. */
  readonly shares: Float64Array
}

/** Least part of the usual share e^2 / A that a hinge keeps, so that no edge folds freely. */
const LEAST_SHARE = 0.2
/** Directions in which a triangle is rolled: enough for energies, which turn by at most four times the angle, squared. */
const DIRECTIONS = 5
const cosines = Float64Array.from({ length: DIRECTIONS }, (_, k) => cosineDegrees((180 / DIRECTIONS) * k))
const sines = Float64Array.from({ length: DIRECTIONS }, (_, k) => cosineDegrees(Math.abs(90 - (180 / DIRECTIONS) * k)))
const SWEEPS = 100

/**
 * The hinges of a triangle mesh, such that it bends as a sheet: rolled to the radius R along any direction it stores
 * D / (2 R^2) per area.
 *
 * The same share e^2 / A at every hinge (A its two triangles' area) does so along the edges of an even mesh only; across
 * the diagonals of a grid it is up to three times too stiff. So each triangle chooses the shares of its three edges that
 * come nearest to A / (2 R^2), A its own area, over all directions: least squares over shares that are not negative. A
 * hinge takes half of what either side asks for. An edge with one triangle, or with more than two, does not resist.
 * @param cuts the same surface cut into triangles in several ways, which are all averaged: in a single one, hinges bend
 * about every second point only
 */
export function hingesOf(positions: Float64Array, cuts: readonly Uint32Array[]): Hinges {
  const rows = new Map<string, number>()
  const particles: number[] = []
  const shares: number[] = []
  for (const triangles of cuts) {
    const edges = runToEnd(edgeTable(triangles))
    const corners = cornersOf(edges, triangles.length)
    const shareOf = edgeShares(positions, triangles, edges, corners)
    for (let edge = 0; edge < edges.count; edge++) {
      if (edges.uses[edge] !== 2) continue
      const hinge = [edges.points[2 * edge]!, edges.points[2 * edge + 1]!]
      hinge.push(opposite(triangles, corners[2 * edge]!), opposite(triangles, corners[2 * edge + 1]!))
      // Both diagonals of a quadrilateral resist its twist alike.
      const key = hinge
        .slice()
        .sort((i, j) => i - j)
        .join()
      const row = rows.get(key)
      if (row !== undefined) shares[row]! += shareOf[edge]! / cuts.length
      else {
        rows.set(key, shares.length)
        particles.push(...hinge)
        shares.push(shareOf[edge]! / cuts.length)
      }
    }
  }
  return { particles: Uint32Array.from(particles), shares: Float64Array.from(shares) }
}

/**
 * The hinges of a grid of rectangles dx by dy: along each row and column one at every point, across each cell one at a
 * diagonal. They store D / 2 (k_xx^2 + k_yy^2 + 2 k_xy^2) per area, a plate without Poisson's ratio, exactly.
 */
export function gridHinges(nx: number, ny: number, dx: number, dy: number): Hinges {
  const at = (i: number, j: number) => j * (nx + 1) + i
  const particles: number[] = []
  const shares: number[] = []
  const half = (i: number, last: number) => (i === 0 || i === last ? 0.5 : 1)
  for (let j = 0; j <= ny; j++) {
    for (let i = 0; i <= nx; i++) {
      const [beside, below] = [at(i < nx ? i + 1 : i - 1, j), at(i, j < ny ? j + 1 : j - 1)]
      if (i > 0 && i < nx) {
        particles.push(at(i, j), below, at(i - 1, j), at(i + 1, j))
        shares.push((dy / dx) * half(j, ny))
      }
      if (j > 0 && j < ny) {
        particles.push(at(i, j), beside, at(i, j - 1), at(i, j + 1))
        shares.push((dx / dy) * half(i, nx))
      }
      if (i < nx && j < ny) {
        particles.push(at(i, j), at(i + 1, j + 1), at(i, j + 1), at(i + 1, j))
        shares.push((2 * dx * dy) / (dx * dx + dy * dy))
      }
    }
  }
  return { particles: Uint32Array.from(particles), shares: Float64Array.from(shares) }
}

/** [e] the share of each edge. */
function edgeShares(
  positions: Float64Array,
  triangles: Uint32Array,
  edges: EdgeTable,
  corners: Int32Array,
): Float64Array {
  const shares = new Float64Array(edges.count)
  const turns = new Float64Array(3 * DIRECTIONS)
  const usual = new Float64Array(3)
  const chosen = new Float64Array(3)
  const wing = new Wing(positions, triangles)
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const corner = t + k
      const edge = edges.cornerEdges[corner]!
      const other = edges.uses[edge] === 2 ? corners[2 * edge]! + corners[2 * edge + 1]! - corner : -1
      wing.open(corner, other, t)
      for (let d = 0; d < DIRECTIONS; d++) turns[k * DIRECTIONS + d] = wing.turn(cosines[d]!, sines[d]!)
      usual[k] = (wing.length * wing.length) / (wing.area + wing.otherArea)
    }
    fit(turns, wing.area, usual, chosen)
    for (let k = 0; k < 3; k++) shares[edges.cornerEdges[t + k]!]! += chosen[k]! / 2
  }
  return shares
}

/** [2 e] the corners at which the first two triangles of each edge begin it. */
export function cornersOf(edges: EdgeTable, cornerCount: number): Int32Array {
  const corners = new Int32Array(2 * edges.count).fill(-1)
  for (let corner = 0; corner < cornerCount; corner++) {
    const edge = edges.cornerEdges[corner]!
    if (corners[2 * edge]! < 0) corners[2 * edge] = corner
    else if (corners[2 * edge + 1]! < 0) corners[2 * edge + 1] = corner
  }
  return corners
}

/** The point of a triangle that is not on the edge which begins at `corner`. */
export function opposite(triangles: Uint32Array, corner: number): number {
  return triangles[corner - (corner % 3) + ((corner + 2) % 3)]!
}

/** An edge and its two triangles, laid flat, in the frame of the triangle's first edge. */
class Wing {
  length = 0
  area = 0
  otherArea = 0
  private frameCosine = 0
  private frameSine = 0
  private px = 0
  private py = 0
  private qx = 0
  private qy = 0

  constructor(
    private readonly x: Float64Array,
    private readonly triangles: Uint32Array,
  ) {}

  /** Takes the edge that begins at `corner` of triangle `t`, and the triangle beyond: at `other`, or -1 for none. */
  open(corner: number, other: number, t: number): void {
    const { triangles } = this
    const a = triangles[corner]!
    const b = triangles[corner % 3 === 2 ? corner - 2 : corner + 1]!
    const p = opposite(triangles, corner)
    this.length = Math.sqrt(this.dot(a, b, a, b))
    this.area = this.areaOf(a, b, p)
    this.px = this.dot(a, b, a, p) / this.length
    this.py = (2 * this.area) / this.length
    if (other < 0) {
      // A hem: as if the sheet went on in its mirror image, though nothing resists there.
      this.qx = this.px
      this.qy = this.py
      this.otherArea = this.area
    } else {
      const q = opposite(triangles, other)
      this.otherArea = this.areaOf(a, b, q)
      this.qx = this.dot(a, b, a, q) / this.length
      this.qy = (2 * this.otherArea) / this.length
    }
    const [i, j] = [triangles[t]!, triangles[t + 1]!]
    const first = Math.sqrt(this.dot(i, j, i, j))
    this.frameCosine = this.dot(i, j, a, b) / (first * this.length)
    const sine = (2 * this.area) / (first * this.length)
    this.frameSine = a === i ? 0 : a === j ? sine : -sine
  }

  /** Angle at the edge, to first order, of a sheet rolled to 1 / R = 1 along (c, s) of the triangle's frame. */
  turn(c: number, s: number): number {
    const { frameCosine, frameSine, px, py, qx, qy, length } = this
    const u = c * frameCosine + s * frameSine
    const v = s * frameCosine - c * frameSine
    // Heights (u x + v y)^2 / 2 at the corners; the slopes across the edge, of each triangle.
    const end = (u * u * length) / 2
    const p = u * px + v * py
    const q = u * qx - v * qy
    return ((p * p) / 2 - end * px) / py + ((q * q) / 2 - end * qx) / qy
  }

  private dot(a: number, b: number, c: number, d: number): number {
    const { x } = this
    let sum = 0
    for (let k = 0; k < 3; k++) sum += (x[b * 3 + k]! - x[a * 3 + k]!) * (x[d * 3 + k]! - x[c * 3 + k]!)
    return sum
  }

  private areaOf(a: number, b: number, c: number): number {
    const along = this.dot(a, b, a, c)
    const square = this.dot(a, b, a, b) * this.dot(a, c, a, c) - along * along
    return Math.sqrt(Math.max(0, square)) / 2
  }
}

/** Shares a >= least for which sum_k a_k turn_k^2 / 2 is nearest to the area in all directions: coordinate descent. */
function fit(turns: Float64Array, area: number, usual: Float64Array, a: Float64Array): void {
  const H = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  const g = [0, 0, 0]
  for (let i = 0; i < 3; i++) {
    a[i] = usual[i]!
    for (let d = 0; d < DIRECTIONS; d++) {
      const one = (turns[i * DIRECTIONS + d]! * turns[i * DIRECTIONS + d]!) / 2
      g[i]! += one * area
      for (let j = 0; j < 3; j++) H[i * 3 + j]! += (one * turns[j * DIRECTIONS + d]! * turns[j * DIRECTIONS + d]!) / 2
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let change = 0
    for (let i = 0; i < 3; i++) {
      let rest = g[i]!
      for (let j = 0; j < 3; j++) if (j !== i) rest -= H[i * 3 + j]! * a[j]!
      const next = Math.max(LEAST_SHARE * usual[i]!, rest / H[i * 4]!)
      change = Math.max(change, Math.abs(next - a[i]!) / usual[i]!)
      a[i] = next
    }
    if (change < 1e-6) break
  }
  // What is left over is spread, so that the mean over all directions is right.
  let mean = 0
  for (let k = 0; k < turns.length; k++) mean += (a[Math.floor(k / DIRECTIONS)]! * turns[k]! * turns[k]!) / 2
  for (let i = 0; i < 3; i++) a[i]! *= (area * DIRECTIONS) / mean
}

import { spherePart } from './angle.js'
import { edgeTable } from './edges.js'
import { Groups } from './groups.js'
import type { Surface } from './weld.js'

/**
 * Generalized winding numbers (Jacobson, Kavan, Sorkine-Hornung 2013) of a surface with openings: the sum of the solid
 * angles of its triangles, as parts of the sphere. A fan of cap triangles over each opening makes the surface closed.
 * The winding number of what is closed is whole and found along the rows of a lattice, so that of the open surface is
 * this less the caps' solid angles. That is exact, however the caps lie, and costs as much as there are open edges.
 */
export interface Openings {
  /** The surface with its caps. */
  readonly closed: Pick<Surface, 'positions' | 'triangles'>
  /** [3 t] corners of the cap triangles, opening by opening. */
  readonly caps: Uint32Array
  /** [o + 1] where each opening's corners start in `caps`. */
  readonly starts: Uint32Array
  /** [8 o] centre, its reach [m], the sum of its triangles' area vectors [m^2], unused. */
  readonly fans: Float64Array
}

/** From this many reaches away a fan counts as a dipole (Barill et al. 2018), which is right to 1/300 of the sphere. */
const FAR = 3
/** The tip of a fan stands off the middle of its opening by this part of its reach: no lattice plane holds a cap. */
const TIP = [0.00137, 0.00219, 0.00173] as const

/** The openings of a surface; edges that are run as often one way as the other need no cap. */
export function* openings(surface: Pick<Surface, 'positions' | 'triangles'>): Generator<void, Openings> {
  const { positions, triangles } = surface
  const pointCount = positions.length / 3
  const edges = yield* edgeTable(triangles)
  const groups = new Groups(pointCount)
  for (let edge = 0; edge < edges.count; edge++) {
    if (edges.balance[edge] !== 0) groups.join(edges.points[2 * edge]!, edges.points[2 * edge + 1]!)
    if ((edge & 0x3fff) === 0x3fff) yield
  }
  // Cap edges of each opening, counted, then put in place.
  const openingOf = new Int32Array(pointCount).fill(-1)
  const counts: number[] = []
  for (let edge = 0; edge < edges.count; edge++) {
    if (edges.balance[edge] === 0) continue
    const root = groups.find(edges.points[2 * edge]!)
    if (openingOf[root]! < 0) openingOf[root] = counts.push(0) - 1
    counts[openingOf[root]!] = counts[openingOf[root]!]! + Math.abs(edges.balance[edge]!)
    if ((edge & 0x3fff) === 0x3fff) yield
  }
  const starts = new Uint32Array(counts.length + 1)
  for (let i = 0; i < counts.length; i++) starts[i + 1] = starts[i]! + 3 * counts[i]!
  const caps = new Uint32Array(starts[counts.length]!)
  const fill = starts.slice()
  for (let edge = 0; edge < edges.count; edge++) {
    const balance = edges.balance[edge]!
    if (balance === 0) continue
    const low = edges.points[2 * edge]!
    const opening = openingOf[groups.find(low)]!
    for (let copy = 0; copy < Math.abs(balance); copy++) {
      const at = fill[opening]!
      // A cap runs the edge back.
      caps[at] = balance > 0 ? edges.points[2 * edge + 1]! : low
      caps[at + 1] = balance > 0 ? low : edges.points[2 * edge + 1]!
      caps[at + 2] = pointCount + opening
      fill[opening] = at + 3
    }
    if ((edge & 0x1fff) === 0x1fff) yield
  }
  const allPositions = new Float64Array(positions.length + 3 * counts.length)
  allPositions.set(positions)
  const fans = new Float64Array(8 * counts.length)
  for (let i = 0; i < counts.length; i++) {
    placeFan(allPositions, caps, starts[i]!, starts[i + 1]!, fans, 8 * i)
    if ((i & 0x1ff) === 0x1ff) yield
  }
  const allTriangles = new Uint32Array(triangles.length + caps.length)
  allTriangles.set(triangles)
  allTriangles.set(caps, triangles.length)
  return { closed: { positions: allPositions, triangles: allTriangles }, caps, starts, fans }
}

/** Puts the tip near the mean of an opening's edges, and sums up the fan. */
function placeFan(
  positions: Float64Array,
  caps: Uint32Array,
  start: number,
  end: number,
  fans: Float64Array,
  fan: number,
): void {
  const edgeEnds = (2 * (end - start)) / 3
  for (let t = start; t < end; t += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const sum = positions[3 * caps[t]! + axis]! + positions[3 * caps[t + 1]! + axis]!
      fans[fan + axis] = fans[fan + axis]! + sum / edgeEnds
    }
  }
  let square = 0
  for (let t = start; t < end; t += 3) {
    let distance = 0
    for (let axis = 0; axis < 3; axis++) {
      const difference = positions[3 * caps[t]! + axis]! - fans[fan + axis]!
      distance += difference * difference
    }
    square = Math.max(square, distance)
  }
  const reach = Math.sqrt(square)
  fans[fan + 3] = reach
  const tip = 3 * caps[start + 2]!
  for (let axis = 0; axis < 3; axis++) positions[tip + axis] = fans[fan + axis]! + TIP[axis]! * reach
  for (let t = start; t < end; t += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const i = (axis + 1) % 3
      const j = (axis + 2) % 3
      const a = 3 * caps[t]!
      const b = 3 * caps[t + 1]!
      const ui = positions[a + i]! - positions[tip + i]!
      const uj = positions[a + j]! - positions[tip + j]!
      const vi = positions[b + i]! - positions[tip + i]!
      const vj = positions[b + j]! - positions[tip + j]!
      fans[fan + 4 + axis] = fans[fan + 4 + axis]! + (ui * vj - uj * vi) / 2
    }
  }
}

const FOUR_PI = 12.566370614359172

/** The caps' solid angle seen from a point, as a part of the sphere: the closed surface's winding number less the open one's. */
export function capWinding({ closed, caps, starts, fans }: Openings, x: number, y: number, z: number): number {
  const { positions } = closed
  let sum = 0
  for (let opening = 0; opening + 1 < starts.length; opening++) {
    const fan = 8 * opening
    const dx = fans[fan]! - x
    const dy = fans[fan + 1]! - y
    const dz = fans[fan + 2]! - z
    const square = dx * dx + dy * dy + dz * dz
    const far = FAR * fans[fan + 3]!
    if (square > far * far) {
      const flow = fans[fan + 4]! * dx + fans[fan + 5]! * dy + fans[fan + 6]! * dz
      sum += flow / (FOUR_PI * square * Math.sqrt(square))
    } else {
      for (let t = starts[opening]!; t < starts[opening + 1]!; t += 3) {
        sum += solidAngle(positions, 3 * caps[t]!, 3 * caps[t + 1]!, 3 * caps[t + 2]!, x, y, z)
      }
    }
  }
  return sum
}

/** Solid angle of a triangle as a part of the sphere: tan(angle / 2) = det[a, b, c] / (|a| |b| |c| + (a b) |c| + (b c) |a| + (c a) |b|) (van Oosterom, Strackee 1983). */
export function solidAngle(p: Float64Array, a: number, b: number, c: number, x: number, y: number, z: number): number {
  const ax = p[a]! - x
  const ay = p[a + 1]! - y
  const az = p[a + 2]! - z
  const bx = p[b]! - x
  const by = p[b + 1]! - y
  const bz = p[b + 2]! - z
  const cx = p[c]! - x
  const cy = p[c + 1]! - y
  const cz = p[c + 2]! - z
  const la = Math.sqrt(ax * ax + ay * ay + az * az)
  const lb = Math.sqrt(bx * bx + by * by + bz * bz)
  const lc = Math.sqrt(cx * cx + cy * cy + cz * cz)
  const ab = ax * bx + ay * by + az * bz
  const bc = bx * cx + by * cy + bz * cz
  const ca = cx * ax + cy * ay + cz * az
  const determinant = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
  return spherePart(determinant, la * lb * lc + ab * lc + bc * la + ca * lb)
}

import { CRUMB } from './bare.js'
import { ClosestTriangle } from './closest.js'
import { edgeTable } from './edges.js'
import type { Enclosure } from './enclosure.js'
import { simplexGrid } from './grid.js'
import { Groups } from './groups.js'
import type { Surface } from './weld.js'

/** A part of a surface that shares no point with others. */
export interface Part {
  readonly points: number[]
  /** First corners of its triangles. */
  readonly triangles: number[]
  /** [3] least and greatest coordinates [m]. */
  readonly min: readonly number[]
  readonly max: readonly number[]
  /** Whether it bounds a volume: it is closed, and no sheet with two faces. */
  readonly solid: boolean
}

/** Parts go with tetrahedra of others within this distance [cells]: a chamfered corner is out of its own by as much. */
export const ALONG = 1
/** A part so near to the surface of another one touches it [cells]. */
const TOUCH = 0.05
/** What bounds less than this part of its longest side's cube bounds nothing. */
const LEAST_VOLUME = 1e-6

/**
 * Parts of a surface that tetrahedra leave out, which are to be filled by themselves: small ones that touch no other
 * part and lie a cell out of the tetrahedra with any of their points, and of all others what does so with each.
 * @param outside [p] distance of each point to the tetrahedra [m], Infinity where there are none
 * @param cell side of the lattice's cells [m]
 * @returns surfaces that lie in no box of each other, so that a hollow stays with what it hollows
 */
export function* solidsApart(
  surface: Surface,
  parts: readonly Part[],
  outside: Float64Array,
  cell: number,
): Generator<void, Surface[]> {
  const isFar = (point: number) => outside[point]! > ALONG * cell
  const far = parts.filter(
    (part) => part.solid && (isSmall(part, cell) ? part.points.some(isFar) : part.points.every(isFar)),
  )
  const others = trianglesBut(surface, far)
  const apart = others.length === 0 ? far : yield* untouched(surface, far, others, outside, TOUCH * cell)
  return yield* surfacesOf(surface, yield* groupsOf(apart, 0))
}

/** Parts with no point in a tetrahedron, or nearer than `reach` [m] to one of the other triangles. */
function* untouched(
  { positions }: Surface,
  parts: readonly Part[],
  others: Uint32Array,
  outside: Float64Array,
  reach: number,
): Generator<void, Part[]> {
  if (parts.length === 0) return []
  const nearest = new ClosestTriangle(positions, others, yield* simplexGrid(positions, others, 3))
  const touches = (point: number) =>
    outside[point] === 0 ||
    nearest.isWithin(positions[3 * point]!, positions[3 * point + 1]!, positions[3 * point + 2]!, reach)
  const apart: Part[] = []
  for (const part of parts) {
    if (!part.points.some(touches)) apart.push(part)
    yield
  }
  return apart
}

/**
 * Sheets that tetrahedra leave out: those of which all points lie a cell out of them, and of all others that are nearer
 * to them than a cell, so that leaves go with what one of them goes with.
 */
export function* sheetsApart(
  surface: Surface,
  parts: readonly Part[],
  outside: Float64Array,
  cell: number,
): Generator<void, Surface[]> {
  const isApart = ({ points }: Part) => points.every((point) => outside[point]! > ALONG * cell)
  const sheets = parts.filter(({ solid }) => !solid)
  const groups = yield* groupsOf(sheets, ALONG * cell)
  return yield* surfacesOf(
    surface,
    groups.filter((group) => group.every(isApart)),
  )
}

/**
 * Whether some parts lie apart from others. Cells larger than all of them would join what they meet.
 * @param cell side of the lattice's cells [m]
 */
export function* areScattered(parts: readonly Part[], cell: number): Generator<void, boolean> {
  const solids = parts.filter(({ solid }) => solid)
  const sheets = parts.filter(({ solid }) => !solid)
  const groups = [yield* groupsOf(solids, 0), yield* groupsOf(sheets, ALONG * cell)].flat()
  return groups.length > 1
}

/** The parts of a surface. */
export function* partsOf({ surface, partOf }: Enclosure): Generator<void, Part[]> {
  const { positions, triangles } = surface
  const open = new Uint8Array(partOf.length)
  const edges = yield* edgeTable(triangles)
  for (let edge = 0; edge < edges.count; edge++) {
    if (edges.balance[edge] !== 0) open[partOf[edges.points[2 * edge]!]!] = 1
  }
  yield
  const corners = new Map<number, number[]>()
  for (let t = 0; t < triangles.length; t += 3) listIn(corners, partOf[triangles[t]!]!).push(t)
  yield
  // A point without a triangle is in no part.
  const points = new Map<number, number[]>()
  for (let p = 0; p < partOf.length; p++) if (corners.has(partOf[p]!)) listIn(points, partOf[p]!).push(p)
  yield
  const parts: Part[] = []
  for (const [key, own] of points) {
    const part = { points: own, triangles: corners.get(key)!, ...boxOf(positions, own) }
    const longest = longestSide(part)
    const volume = Math.abs(volumeOf(surface, part.triangles))
    parts.push({ ...part, solid: open[key] === 0 && volume > LEAST_VOLUME * longest * longest * longest })
    yield
  }
  return parts
}

function listIn<T>(lists: Map<number, T[]>, key: number): T[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

function boxOf(positions: Float64Array, points: readonly number[]): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (const point of points) {
    for (let axis = 0; axis < 3; axis++) {
      min[axis] = Math.min(min[axis]!, positions[3 * point + axis]!)
      max[axis] = Math.max(max[axis]!, positions[3 * point + axis]!)
    }
  }
  return { min, max }
}

const longestSide = ({ min, max }: Pick<Part, 'min' | 'max'>) => Math.max(...max.map((high, axis) => high - min[axis]!))
const isSmall = (part: Part, cell: number) => longestSide(part) <= CRUMB * cell

/** By the divergence theorem [m^3], about the first corner. */
function volumeOf({ positions, triangles }: Surface, corners: readonly number[]): number {
  const at = (corner: number, axis: number) =>
    positions[3 * triangles[corner]! + axis]! - positions[3 * triangles[corners[0]!]! + axis]!
  let sum = 0
  for (const t of corners) {
    sum +=
      at(t, 0) * (at(t + 1, 1) * at(t + 2, 2) - at(t + 1, 2) * at(t + 2, 1)) +
      at(t, 1) * (at(t + 1, 2) * at(t + 2, 0) - at(t + 1, 0) * at(t + 2, 2)) +
      at(t, 2) * (at(t + 1, 0) * at(t + 2, 1) - at(t + 1, 1) * at(t + 2, 0))
  }
  return sum / 6
}

function trianglesBut({ triangles }: Surface, parts: readonly Part[]): Uint32Array {
  const left = new Uint8Array(triangles.length)
  for (const part of parts) for (const t of part.triangles) left.fill(1, t, t + 3)
  return triangles.filter((_, corner) => left[corner] === 0)
}

/** Parts whose boxes are joined by gaps up to `gap` [m] along each axis. Looks at those next to each other along x. */
function* groupsOf(parts: readonly Part[], gap: number): Generator<void, Part[][]> {
  const sorted = parts.toSorted((a, b) => a.min[0]! - b.min[0]!)
  const groups = new Groups(sorted.length)
  let work = 0
  for (let i = 0; i < sorted.length; i++) {
    const part = sorted[i]!
    for (let j = i + 1; j < sorted.length && sorted[j]!.min[0]! - gap <= part.max[0]!; j++) {
      if (meet(part, sorted[j]!, gap)) groups.join(i, j)
      work++
    }
    if (work > 8192) {
      work = 0
      yield
    }
  }
  const members = new Map<number, Part[]>()
  sorted.forEach((part, i) => listIn(members, groups.find(i)).push(part))
  return [...members.values()]
}

function meet(a: Part, b: Part, gap: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (a.min[axis]! - gap > b.max[axis]! || b.min[axis]! - gap > a.max[axis]!) return false
  }
  return true
}

function* surfacesOf(surface: Surface, groups: readonly Part[][]): Generator<void, Surface[]> {
  const surfaces: Surface[] = []
  for (const group of groups) {
    surfaces.push(surfaceOf(surface, group))
    yield
  }
  return surfaces
}

/** Some parts as a surface of their own. */
function surfaceOf({ positions, triangles }: Surface, parts: readonly Part[]): Surface {
  const points = parts.flatMap((part) => part.points)
  const numbers = new Map(points.map((point, number) => [point, number]))
  const corners = parts.flatMap((part) => part.triangles.flatMap((t) => [t, t + 1, t + 2]))
  return {
    positions: Float64Array.from(points.flatMap((point) => [...positions.subarray(3 * point, 3 * point + 3)])),
    triangles: Uint32Array.from(corners, (corner) => numbers.get(triangles[corner]!)!),
    vertexToPoint: Uint32Array.from(points.keys()),
    dropped: 0,
  }
}

import { type Lattice, vertexAt } from './lattice.js'
import type { Surface } from './weld.js'

/**
 * Parts of a surface thinner than the lattice can see: ears, handles, sheets.
 *
 * A point of the surface is bare where no corner of its lattice tetrahedron is inside. The lattice vertex nearest to a
 * point that moves along the surface goes from neighbour to neighbour, for the vertices' nearest regions meet just where
 * the lattice has edges. So once the nearest vertices of a bare part count as inside, the part is one piece, half a cell
 * thick or a little more, and joined to what was inside before.
 */
export interface BareSurface {
  /** [v] for the lattice vertex nearest to a point of the surface: 2 if the point is bare as sampled, else 1. */
  readonly nearest: Uint8Array
  /** [3 b] one point from each small region that is bare as stuffed: its vertices may have been pulled away [m]. */
  readonly points: Float64Array
  /** [b] lattice vertex nearest to each. */
  readonly vertices: Int32Array
}

/** Points on the surface are no farther apart [units of half a cell], less than half the shortest side of a region. */
const SPACING = 0.35
/** Of the bare points in a cube with this side [units of half a cell] one is measured. */
const CUBE = 0.5
/** Parts of a surface with no side above this [cells] are crumbs: a lattice may leave them out. */
export const CRUMB = 1.5

/**
 * @param signs as sampled, before stuffing moves vertices
 * @param stuffed the same afterwards; not 1 for a vertex that was pulled onto the surface or dropped with a crumb
 * @param counts [p] whether to look at the part of the surface with this point
 */
export function* bareSurface(
  surface: Surface,
  lattice: Lattice,
  signs: Int8Array,
  stuffed: Int8Array,
  counts: Uint8Array,
): Generator<void, BareSurface> {
  const finder = new BareFinder(lattice, signs, stuffed)
  const { positions, triangles } = surface
  for (let p = 0; p < counts.length; p++) {
    if (counts[p] === 1) finder.look(positions[3 * p]!, positions[3 * p + 1]!, positions[3 * p + 2]!)
    if ((p & 0xfff) === 0xfff) yield
  }
  let work = 0
  for (let t = 0; t < triangles.length; t += 3) {
    work++
    if (counts[triangles[t]!] === 1) work += finder.lookWithin(positions, triangles, t)
    if (work > 8192) {
      work = 0
      yield
    }
  }
  return finder.finish()
}

class BareFinder {
  private readonly nearest: Uint8Array
  private readonly cubes = new Set<number>()
  private readonly points: number[] = []
  private readonly vertices: number[] = []

  constructor(
    private readonly lattice: Lattice,
    private readonly signs: Int8Array,
    private readonly stuffed: Int8Array,
  ) {
    this.nearest = new Uint8Array(lattice.vertexCount)
  }

  /** Looks at points of a triangle, its corners left out. Returns how many. */
  lookWithin(positions: Float64Array, triangles: Uint32Array, t: number): number {
    const a = 3 * triangles[t]!
    const b = 3 * triangles[t + 1]!
    const c = 3 * triangles[t + 2]!
    let longest = 0
    for (let edge = 0; edge < 3; edge++) {
      const from = edge === 0 ? a : edge === 1 ? b : c
      const to = edge === 0 ? b : edge === 1 ? c : a
      const dx = positions[to]! - positions[from]!
      const dy = positions[to + 1]! - positions[from + 1]!
      const dz = positions[to + 2]! - positions[from + 2]!
      longest = Math.max(longest, dx * dx + dy * dy + dz * dz)
    }
    const parts = Math.ceil(Math.sqrt(longest) / (SPACING * this.lattice.unit))
    for (let i = 0; i <= parts; i++) {
      for (let j = 0; j <= parts - i; j++) {
        const k = parts - i - j
        if (i === parts || j === parts || k === parts) continue
        this.look(
          (i * positions[a]! + j * positions[b]! + k * positions[c]!) / parts,
          (i * positions[a + 1]! + j * positions[b + 1]! + k * positions[c + 1]!) / parts,
          (i * positions[a + 2]! + j * positions[b + 2]! + k * positions[c + 2]!) / parts,
        )
      }
    }
    return ((parts + 1) * (parts + 2)) / 2
  }

  /** Looks at a point of the surface. */
  look(px: number, py: number, pz: number): void {
    const { lattice, signs, stuffed } = this
    const { unit, origin, size } = lattice
    // Strictly within the surface's box, where every vertex has all its neighbours.
    const x = Math.max(2 + 1e-9, Math.min(size[0] - 3 - 1e-9, (px - origin[0]) / unit))
    const y = Math.max(2 + 1e-9, Math.min(size[1] - 3 - 1e-9, (py - origin[1]) / unit))
    const z = Math.max(2 + 1e-9, Math.min(size[2] - 3 - 1e-9, (pz - origin[2]) / unit))
    // The nearest even vertex, and the odd one in the octant about it that holds the point.
    const ex = 2 * Math.floor((x + 1) / 2)
    const ey = 2 * Math.floor((y + 1) / 2)
    const ez = 2 * Math.floor((z + 1) / 2)
    const sx = x < ex ? -1 : 1
    const sy = y < ey ? -1 : 1
    const sz = z < ez ? -1 : 1
    const dx = Math.abs(x - ex)
    const dy = Math.abs(y - ey)
    const dz = Math.abs(z - ez)
    const even = vertexAt(lattice, ex, ey, ez)
    const odd = vertexAt(lattice, ex + sx, ey + sy, ez + sz)
    const vertex = dx + dy + dz <= 1.5 ? even : odd
    this.nearest[vertex] = Math.max(this.nearest[vertex]!, 1)
    if (stuffed[even] === 1 || stuffed[odd] === 1) return
    // The other two corners of the tetrahedron: along the largest offset, and back along the smallest.
    const largest = dx >= dy && dx >= dz ? 0 : dy >= dz ? 1 : 2
    const smallest = dx < dy && dx < dz ? 0 : dy < dz ? 1 : 2
    const otherEven = vertexAt(
      lattice,
      ex + (largest === 0 ? 2 * sx : 0),
      ey + (largest === 1 ? 2 * sy : 0),
      ez + (largest === 2 ? 2 * sz : 0),
    )
    const otherOdd = vertexAt(
      lattice,
      ex + (smallest === 0 ? -sx : sx),
      ey + (smallest === 1 ? -sy : sy),
      ez + (smallest === 2 ? -sz : sz),
    )
    if (stuffed[otherEven] === 1 || stuffed[otherOdd] === 1) return
    const sampled = signs[even] === 1 || signs[odd] === 1 || signs[otherEven] === 1 || signs[otherOdd] === 1
    if (!sampled) this.nearest[vertex] = 2
    const cubesX = size[0] / CUBE
    const cubesY = size[1] / CUBE
    const cube = (Math.floor(z / CUBE) * cubesY + Math.floor(y / CUBE)) * cubesX + Math.floor(x / CUBE)
    if (this.cubes.has(cube)) return
    this.cubes.add(cube)
    this.points.push(px, py, pz)
    this.vertices.push(vertex)
  }

  finish(): BareSurface {
    return {
      nearest: this.nearest,
      points: Float64Array.from(this.points),
      vertices: Int32Array.from(this.vertices),
    }
  }
}

/** [p] 1 for the points of the surface's parts that are no crumbs on this lattice; all of them where all are. */
export function* partsThatCount(
  surface: Surface,
  partOf: Int32Array,
  lattice: Lattice,
): Generator<void, { counts: Uint8Array; boxes: Float64Array }> {
  const boxes = yield* boxesOf(surface, partOf)
  const count = partOf.length
  const counts = new Uint8Array(count)
  let none = true
  for (let p = 0; p < count; p++) {
    if (!isCrumb(boxes, partOf[p]!, 2 * lattice.unit)) counts[p] = 1
    if (counts[p] === 1) none = false
    if ((p & 0x3fff) === 0x3fff) yield
  }
  return { counts: none ? counts.fill(1) : counts, boxes }
}

/** [6 p] least x y z and greatest, negative, of the part whose lowest point is p [m]; Infinity for all other points. */
function* boxesOf({ positions }: Surface, partOf: Int32Array): Generator<void, Float64Array> {
  const boxes = new Float64Array(6 * partOf.length).fill(Infinity)
  for (let p = 0; p < partOf.length; p++) {
    for (let axis = 0; axis < 3; axis++) {
      const at = 6 * partOf[p]! + axis
      boxes[at] = Math.min(boxes[at]!, positions[3 * p + axis]!)
      boxes[at + 3] = Math.min(boxes[at + 3]!, -positions[3 * p + axis]!)
    }
    if ((p & 0x3fff) === 0x3fff) yield
  }
  return boxes
}

function isCrumb(boxes: Float64Array, part: number, cell: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const at = 6 * part + axis
    if (-boxes[at + 3]! - boxes[at]! > CRUMB * cell) return false
  }
  return true
}

/** Whether all parts of a surface are crumbs. */
export function* areAllCrumbs(surface: Surface, partOf: Int32Array, cell: number): Generator<void, boolean> {
  const boxes = yield* boxesOf(surface, partOf)
  return partOf.every((part) => isCrumb(boxes, part, cell))
}

/**
 * How many of the parts that do not count have no lattice vertex in their box that is inside: no tetrahedra are theirs.
 * @param boxes of `partsThatCount`, as is `counts`
 */
export function* missedCrumbs(
  { counts, boxes }: { readonly counts: Uint8Array; readonly boxes: Float64Array },
  signs: Int8Array,
  lattice: Lattice,
): Generator<void, number> {
  const { origin, unit } = lattice
  let missed = 0
  for (let part = 0; part < boxes.length / 6; part++) {
    if (boxes[6 * part] === Infinity || counts[part] === 1) continue
    const low = [0, 1, 2].map((axis) => Math.ceil((boxes[6 * part + axis]! - origin[axis]!) / unit))
    const high = [0, 1, 2].map((axis) => Math.floor((-boxes[6 * part + 3 + axis]! - origin[axis]!) / unit))
    let caught = false
    for (let z = low[2]!; z <= high[2]!; z++) {
      for (let y = low[1]! + ((low[1]! ^ z) & 1); y <= high[1]!; y += 2) {
        for (let x = low[0]! + ((low[0]! ^ z) & 1); x <= high[0]!; x += 2) {
          if (signs[vertexAt(lattice, x, y, z)] === 1) caught = true
        }
      }
    }
    if (!caught) missed++
    if ((part & 0xff) === 0xff) yield
  }
  return missed
}

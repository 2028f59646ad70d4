import { DIAGONAL_Y, DIAGONAL_Z, DIRECTION_COUNT, type Lattice, vertexAt } from './lattice.js'
import type { Samples } from './sampling.js'
import { stuffTet, type TetNodes } from './stencils.js'

/**
 * A cut point this near to a lattice vertex, as a part of the edge, pulls the vertex onto itself. The paper has 0.41189
 * for short edges; there three pulled vertices can nearly line up, which gave angles down to 9.96 degrees (a torus at
 * resolution 11). With 0.4 they stayed between 11.6 and 156.8 in 616 fillings of eight meshes in any pose.
 */
export const WARP_LONG = 0.24999
export const WARP_SHORT = 0.4

/** Tetrahedra as they come out of the lattice. */
export interface Stuffing {
  /** [3 n] [m] */
  readonly positions: Float64Array
  /** [4 m] */
  readonly tets: Uint32Array
  /** [n] the lattice vertex that a vertex inside the surface is; -1 for one on it. */
  readonly inside: Int32Array
}

/**
 * Isosurface stuffing (Labelle and Shewchuk 2007): lattice vertices near the surface are pulled onto it, and the lattice
 * tetrahedra that remain across it are cut by stencils.
 */
export function* stuff(lattice: Lattice, samples: Pick<Samples, 'signs' | 'cuts'>): Generator<void, Stuffing> {
  const warpEdges = yield* warp(lattice, samples)
  const nodes = new Nodes(lattice, samples, warpEdges)
  const [sizeX, sizeY, sizeZ] = lattice.size
  // Every tetrahedron spans two neighbouring centres and one edge of the face between their cells.
  for (let z = 1; z < sizeZ - 1; z += 2) {
    for (let y = 1; y < sizeY - 1; y += 2) {
      for (let x = 1; x < sizeX - 1; x += 2) {
        if (x + 2 < sizeX - 1) nodes.stuffAround(x, y, z, 0)
        if (y + 2 < sizeY - 1) nodes.stuffAround(x, y, z, 1)
        if (z + 2 < sizeZ - 1) nodes.stuffAround(x, y, z, 2)
      }
      yield
    }
  }
  return nodes.finish()
}

/** Pulls vertices onto near cut points, in the order of their numbers. Returns each vertex's cut edge, or -1. */
function* warp(lattice: Lattice, { signs, cuts }: Pick<Samples, 'signs' | 'cuts'>): Generator<void, Int32Array> {
  const warpEdges = new Int32Array(lattice.vertexCount).fill(-1)
  const [, sizeY, sizeZ] = lattice.size
  const { strides } = lattice
  for (let z = 1; z < sizeZ - 1; z++) {
    for (let y = 1; y < sizeY - 1; y++) {
      if (((z ^ y) & 1) === 1) continue
      const row = (z * sizeY + y) * lattice.rowLength
      for (let vertex = row; vertex < row + lattice.rowLength; vertex++) {
        if (signs[vertex] === 0) continue
        let nearest = Infinity
        for (let direction = 0; direction < DIRECTION_COUNT; direction++) {
          const long = direction < 3
          const limit = long ? WARP_LONG : WARP_SHORT
          // Edge lengths in units: 2 and sqrt 3.
          const length = long ? 2 : 1.7320508075688772
          const next = vertex + strides[direction]! + (long ? 0 : z & 1)
          const previous = vertex - strides[direction]! - (long ? 0 : 1 - (z & 1))
          const up = signs[next]! * signs[vertex]! === -1 ? cuts[DIRECTION_COUNT * vertex + direction]! : Infinity
          const down =
            signs[previous]! * signs[vertex]! === -1 ? 1 - cuts[DIRECTION_COUNT * previous + direction]! : Infinity
          if (up < limit && up * length < nearest) {
            nearest = up * length
            warpEdges[vertex] = DIRECTION_COUNT * vertex + direction
          }
          if (down < limit && down * length < nearest) {
            nearest = down * length
            warpEdges[vertex] = DIRECTION_COUNT * previous + direction
          }
        }
        if (nearest < Infinity) signs[vertex] = 0
      }
    }
    yield
  }
  return warpEdges
}

/** Numbers the vertices of the result as stencils ask for them, and gathers tetrahedra. */
class Nodes implements TetNodes {
  readonly signs = new Int8Array(4)
  readonly x = new Int32Array(4)
  readonly y = new Int32Array(4)
  readonly z = new Int32Array(4)
  private readonly latticeNodes: Int32Array
  private readonly cutNodes: Int32Array
  private readonly positions: number[] = []
  private readonly inside: number[] = []
  private readonly tets: number[] = []

  constructor(
    private readonly lattice: Lattice,
    private readonly samples: Pick<Samples, 'signs' | 'cuts'>,
    private readonly warpEdges: Int32Array,
  ) {
    this.latticeNodes = new Int32Array(lattice.vertexCount).fill(-1)
    this.cutNodes = new Int32Array(samples.cuts.length).fill(-1)
  }

  /** The four tetrahedra about the edge from the centre (x, y, z) to the next along the axis. */
  stuffAround(x: number, y: number, z: number, axis: number): void {
    this.place(0, x, y, z)
    this.place(1, x + (axis === 0 ? 2 : 0), y + (axis === 1 ? 2 : 0), z + (axis === 2 ? 2 : 0))
    for (let side = 0; side < 4; side++) {
      this.placeRing(2, x, y, z, axis, side)
      this.placeRing(3, x, y, z, axis, (side + 1) & 3)
      stuffTet(this)
    }
  }

  /** Corner `side` of the face between the cells, counter-clockwise about the axis. */
  private placeRing(slot: number, x: number, y: number, z: number, axis: number, side: number): void {
    const i = side === 0 || side === 3 ? 1 : -1
    const j = side < 2 ? 1 : -1
    if (axis === 0) this.place(slot, x + 1, y + i, z + j)
    else if (axis === 1) this.place(slot, x + j, y + 1, z + i)
    else this.place(slot, x + i, y + j, z + 1)
  }

  private place(slot: number, x: number, y: number, z: number): void {
    this.x[slot] = x
    this.y[slot] = y
    this.z[slot] = z
    this.signs[slot] = this.samples.signs[vertexAt(this.lattice, x, y, z)]!
  }

  vertex(slot: number): number {
    const vertex = vertexAt(this.lattice, this.x[slot]!, this.y[slot]!, this.z[slot]!)
    let node = this.latticeNodes[vertex]!
    if (node < 0) {
      const edge = this.warpEdges[vertex]!
      node =
        edge < 0
          ? this.add(this.x[slot]!, this.y[slot]!, this.z[slot]!, this.signs[slot] === 1 ? vertex : -1)
          : this.addCut(edge)
      this.latticeNodes[vertex] = node
    }
    return node
  }

  cut(slotA: number, slotB: number): number {
    const edge = this.edgeBetween(slotA, slotB)
    let node = this.cutNodes[edge]!
    if (node < 0) {
      node = this.addCut(edge)
      this.cutNodes[edge] = node
    }
    return node
  }

  tet(a: number, b: number, c: number, d: number): void {
    this.tets.push(a, b, c, d)
  }

  private edgeBetween(slotA: number, slotB: number): number {
    const dx = this.x[slotB]! - this.x[slotA]!
    const dy = this.y[slotB]! - this.y[slotA]!
    const dz = this.z[slotB]! - this.z[slotA]!
    const long = slotA >> 1 === slotB >> 1
    const start = (long ? dx + dy + dz : dx) > 0 ? slotA : slotB
    const direction = long ? (dx !== 0 ? 0 : dy !== 0 ? 1 : 2) : 3 + (dx === dy ? 0 : 2) + (dx === dz ? 0 : 1)
    return DIRECTION_COUNT * vertexAt(this.lattice, this.x[start]!, this.y[start]!, this.z[start]!) + direction
  }

  /** A node at the cut of an edge, on the surface. */
  private addCut(edge: number): number {
    const direction = edge % DIRECTION_COUNT
    const vertex = (edge - direction) / DIRECTION_COUNT
    const row = Math.floor(vertex / this.lattice.rowLength)
    const y = row % this.lattice.size[1]
    const z = (row - y) / this.lattice.size[1]
    const x = 2 * (vertex - row * this.lattice.rowLength) + (z & 1)
    const t = this.samples.cuts[edge]!
    if (direction === 0) return this.add(x + 2 * t, y, z, -1)
    if (direction === 1) return this.add(x, y + 2 * t, z, -1)
    if (direction === 2) return this.add(x, y, z + 2 * t, -1)
    return this.add(x + t, y + DIAGONAL_Y[direction]! * t, z + DIAGONAL_Z[direction]! * t, -1)
  }

  private add(x: number, y: number, z: number, inside: number): number {
    const { unit, origin } = this.lattice
    this.inside.push(inside)
    this.positions.push(origin[0] + x * unit, origin[1] + y * unit, origin[2] + z * unit)
    return this.positions.length / 3 - 1
  }

  finish(): Stuffing {
    return {
      positions: Float64Array.from(this.positions),
      tets: Uint32Array.from(this.tets),
      inside: Int32Array.from(this.inside),
    }
  }
}

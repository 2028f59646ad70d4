import type { BareSurface } from './bare.js'
import { boundaryOf } from './boundary.js'
import { ClosestTriangle } from './closest.js'
import { simplexGrid } from './grid.js'
import { DIRECTION_COUNT, type Lattice, parityOf } from './lattice.js'
import type { Samples } from './sampling.js'
import { WARP_LONG, WARP_SHORT } from './stuffing.js'

/**
 * A bare point this far [cells] out of the tetrahedra means that the body has thin parts. The corners of a box in any
 * pose, which are chamfered, stay within 0.93.
 */
const THIN_DISTANCE = 1
/** In a body with thin parts, points this far [cells] out belong to them. */
const NEAR_DISTANCE = 0.55
/**
 * Bare vertices of thin parts: those whose points lie far out of the tetrahedra, and all bare ones joined to them.
 * @param thin whether the body is known to have thin parts
 */
export function* thinVertices(
  lattice: Lattice,
  bare: BareSurface,
  mesh: { readonly positions: Float64Array; readonly tets: Uint32Array },
  thin: boolean,
): Generator<void, number[]> {
  const far = yield* farVertices(lattice, bare, mesh)
  if (!thin && !far.beyondCorners) return []
  const marked = new Uint8Array(lattice.vertexCount)
  const found: number[] = []
  const add = (vertex: number): void => {
    if (marked[vertex] === 0) found.push(vertex)
    marked[vertex] = 1
  }
  for (const vertex of far.vertices) add(vertex)
  for (let i = 0; i < found.length; i++) {
    eachNeighbour(lattice, found[i]!, (neighbour) => {
      if (bare.nearest[neighbour] === 2) add(neighbour)
    })
    if ((i & 0x3ff) === 0x3ff) yield
  }
  return found
}

/** Vertices of bare points far out of the tetrahedra, and whether any is farther than a chamfered corner can be. */
function* farVertices(
  lattice: Lattice,
  bare: BareSurface,
  { positions, tets }: { readonly positions: Float64Array; readonly tets: Uint32Array },
): Generator<void, { vertices: ArrayLike<number> & Iterable<number>; beyondCorners: boolean }> {
  if (tets.length === 0) return { vertices: bare.vertices, beyondCorners: true }
  const { triangles } = yield* boundaryOf(tets)
  const surface = new ClosestTriangle(positions, triangles, yield* simplexGrid(positions, triangles, 3))
  const cell = 2 * lattice.unit
  const vertices: number[] = []
  let beyondCorners = false
  let work = 0
  for (let i = 0; i < bare.vertices.length; i++) {
    const x = bare.points[3 * i]!
    const y = bare.points[3 * i + 1]!
    const z = bare.points[3 * i + 2]!
    if (!surface.isWithin(x, y, z, NEAR_DISTANCE * cell)) {
      vertices.push(bare.vertices[i]!)
      if (!beyondCorners) {
        work += surface.work
        beyondCorners = !surface.isWithin(x, y, z, THIN_DISTANCE * cell)
      }
    }
    work += surface.work
    if (work > 8192) {
      work = 0
      yield
    }
  }
  return { vertices, beyondCorners }
}

/** The lattice vertices nearest to the whole surface: a shell in as many pieces as the surface has parts, or fewer. */
export function shellVertices({ nearest }: BareSurface): number[] {
  const found: number[] = []
  for (let vertex = 0; vertex < nearest.length; vertex++) if (nearest[vertex]! > 0) found.push(vertex)
  return found
}

/** By so much [parts of an edge] cuts stay out of the reach within which a vertex would be pulled onto them. */
const CLEAR = 0.001

/**
 * The samples with some vertices inside. Cuts about them stay just so far from vertices inside that none is pulled onto
 * the surface, and move out to where the surface crosses the edge beyond.
 */
export function* thicken(
  lattice: Lattice,
  samples: Pick<Samples, 'signs' | 'cuts'>,
  vertices: readonly number[],
): Generator<void, Pick<Samples, 'signs' | 'cuts'>> {
  const signs = samples.signs.slice()
  const cuts = samples.cuts.slice()
  for (const vertex of vertices) signs[vertex] = 1
  const core = new Set(vertices)
  yield
  for (let i = 0; i < vertices.length; i++) {
    eachNeighbour(lattice, vertices[i]!, (neighbour) => {
      if (signs[neighbour] === 1) core.add(neighbour)
    })
    if ((i & 0x3ff) === 0x3ff) yield
  }
  let work = 0
  for (const vertex of core) {
    eachNeighbour(lattice, vertex, (neighbour, edge, up, direction) => {
      if (signs[neighbour] !== -1) return
      const least = (direction < 3 ? WARP_LONG : WARP_SHORT) + CLEAR
      const cut = cuts[edge]!
      const along = up ? cut : 1 - cut
      // Also where there is no cut, for comparisons with NaN are false.
      const kept = along > least ? along : least
      cuts[edge] = up ? kept : 1 - kept
    })
    if ((++work & 0x3ff) === 0) yield
  }
  return { signs, cuts }
}

function eachNeighbour(
  lattice: Lattice,
  vertex: number,
  visit: (neighbour: number, edge: number, up: boolean, direction: number) => void,
): void {
  const parity = parityOf(lattice, vertex)
  for (let direction = 0; direction < DIRECTION_COUNT; direction++) {
    const diagonal = direction < 3 ? 0 : 1
    const next = vertex + lattice.strides[direction]! + diagonal * parity
    const previous = vertex - lattice.strides[direction]! - diagonal * (1 - parity)
    visit(next, DIRECTION_COUNT * vertex + direction, true, direction)
    visit(previous, DIRECTION_COUNT * previous + direction, false, direction)
  }
}

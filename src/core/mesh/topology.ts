import { edgeTable } from './edges.js'
import { Groups } from './groups.js'
import type { Surface } from './weld.js'

/** Whether a surface encloses something. */
export interface Topology {
  /** Edges with one triangle. */
  readonly boundaryEdges: number
  /** Edges with more than two triangles. */
  readonly nonManifoldEdges: number
  /** Edges whose two triangles run the same way: one of the two is flipped. */
  readonly flippedEdges: number
  /** Every edge is run as often one way as the other, so that each point in space has a whole winding number. */
  readonly closed: boolean
  /** Enclosed volume [m^3], negative for a mesh that is inside out. */
  readonly signedVolume: number
  /** [m^2] */
  readonly area: number
  /** Parts that share no point. */
  readonly partCount: number
  /** [p] lowest point of the part that each point belongs to. */
  readonly partOf: Int32Array
}

export function* topology(surface: Pick<Surface, 'positions' | 'triangles'>): Generator<void, Topology> {
  const edges = yield* edgeTable(surface.triangles)
  let boundaryEdges = 0
  let nonManifoldEdges = 0
  let flippedEdges = 0
  let closed = true
  for (let edge = 0; edge < edges.count; edge++) {
    const uses = edges.uses[edge]!
    if (uses === 1) boundaryEdges++
    else if (uses > 2) nonManifoldEdges++
    else if (edges.balance[edge] !== 0) flippedEdges++
    if (edges.balance[edge] !== 0) closed = false
  }
  yield
  const { signedVolume, area } = measure(surface)
  const { partOf, partCount } = yield* findParts(surface)
  return { boundaryEdges, nonManifoldEdges, flippedEdges, closed, signedVolume, area, partCount, partOf }
}

/** V = sum of det[a, b, c] / 6 about the first corner [m^3], A = sum of |(b - a) x (c - a)| / 2 [m^2]. */
function measure({ positions, triangles }: Pick<Surface, 'positions' | 'triangles'>) {
  const origin = 3 * triangles[0]!
  const ox = positions[origin]!
  const oy = positions[origin + 1]!
  const oz = positions[origin + 2]!
  let sum = 0
  let area = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t]!
    const b = 3 * triangles[t + 1]!
    const c = 3 * triangles[t + 2]!
    const ax = positions[a]! - ox
    const ay = positions[a + 1]! - oy
    const az = positions[a + 2]! - oz
    const bx = positions[b]! - ox
    const by = positions[b + 1]! - oy
    const bz = positions[b + 2]! - oz
    const cx = positions[c]! - ox
    const cy = positions[c + 1]! - oy
    const cz = positions[c + 2]! - oz
    sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay)
    const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az)
    const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    area += Math.sqrt(nx * nx + ny * ny + nz * nz) / 2
  }
  return { signedVolume: sum / 6, area }
}

function* findParts({ positions, triangles }: Pick<Surface, 'positions' | 'triangles'>) {
  const parts = new Groups(positions.length / 3)
  const used = new Uint8Array(positions.length / 3)
  let unused = used.length
  for (let corner = 0; corner < triangles.length; corner++) {
    const point = triangles[corner]!
    parts.join(point, triangles[corner - (corner % 3)]!)
    if (used[point] === 0) unused--
    used[point] = 1
    if ((corner & 0x7fff) === 0x7fff) yield
  }
  const partOf = new Int32Array(used.length)
  for (let point = 0; point < partOf.length; point++) {
    partOf[point] = parts.find(point)
    if ((point & 0xffff) === 0xffff) yield
  }
  return { partOf, partCount: parts.count() - unused }
}

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
  /** Parts that share no point. */
  readonly partCount: number
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
  const signedVolume = enclosedVolume(surface)
  const partCount = yield* countParts(surface)
  return { boundaryEdges, nonManifoldEdges, flippedEdges, closed, signedVolume, partCount }
}

/** @throws Error that counts the faulty edges and says what to do, unless the surface is closed */
export function requireClosed(found: Topology): void {
  if (found.closed) return
  throw new Error(
    `Mesh: not closed (${found.boundaryEdges} boundary edges, ${found.nonManifoldEdges} non-manifold edges, ` +
      `${found.flippedEdges} edges between faces of opposite winding), so it has no inside to fill. ` +
      'Close its holes and let all faces point outward in a modelling tool, or pass a ready tetrahedral mesh.',
  )
}

/** V = sum of det[a, b, c] / 6 about the first corner [m^3]. */
function enclosedVolume({ positions, triangles }: Pick<Surface, 'positions' | 'triangles'>): number {
  const origin = 3 * triangles[0]!
  const ox = positions[origin]!
  const oy = positions[origin + 1]!
  const oz = positions[origin + 2]!
  let sum = 0
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
  }
  return sum / 6
}

function* countParts({ positions, triangles }: Pick<Surface, 'positions' | 'triangles'>): Generator<void, number> {
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
  return parts.count() - unused
}

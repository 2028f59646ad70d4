import { unitNormal } from '../math/triangle.js'
import { angleDegrees } from '../mesh/angle.js'
import { type EdgeTable, edgeTable } from '../mesh/edges.js'
import { orient } from '../mesh/orient.js'
import { runToEnd } from '../mesh/slices.js'
import { topology } from '../mesh/topology.js'
import { type Surface, type TriangleMesh, weld } from '../mesh/weld.js'
import { solidAngle } from '../mesh/winding.js'
import { FACE, FIRST_EDGE } from './closestPoint.js'
import { TriangleTree } from './triangleTree.js'

/** Volume over the cube of the diagonal below which a surface encloses nothing. */
const FLAT = 1e-9

/** A triangle mesh, welded, its faces in agreement, and what tells inside from outside. */
export interface MeshSurface {
  readonly tree: TriangleTree
  /** True where it encloses a volume, every edge between two triangles. */
  readonly closed: boolean
  /** Of its box [m]. */
  readonly diagonal: number
  /** [3 p] at each point the sum of its faces' normals by angle. */
  readonly pointNormals: Float64Array
  /** [3 t] the triangle beyond each edge. */
  readonly neighbours: Int32Array
}

/** @throws SettingError for a mesh without a face, with a position that is not finite or an index out of range */
export function meshSurface(mesh: TriangleMesh): MeshSurface {
  const { positions, triangles } = runToEnd(weld(mesh))
  return surfaceFrom(positions, runToEnd(orient(triangles)).triangles)
}

/**
 * A surface of one point per place, its faces in agreement.
 * @param positions [3 p] m
 * @param triangles [3 t]; taken over, and turned where it is inside out
 */
export function surfaceFrom(positions: Float64Array, triangles: Uint32Array): MeshSurface {
  const { boundaryEdges, nonManifoldEdges, flippedEdges, signedVolume, partOf } = runToEnd(
    topology({ positions, triangles }),
  )
  const manifold = boundaryEdges + nonManifoldEdges + flippedEdges === 0
  const diagonal = diagonalOf(positions)
  const closed = manifold && Math.abs(signedVolume) > FLAT * diagonal * diagonal * diagonal
  if (closed) turnOutwards({ positions, triangles }, partOf)
  const edges = runToEnd(edgeTable(triangles))
  return {
    tree: new TriangleTree(positions, triangles),
    closed,
    diagonal,
    pointNormals: pointNormalsOf(positions, triangles),
    neighbours: neighboursOf(triangles, edges),
  }
}

function diagonalOf(positions: Float64Array): number {
  let square = 0
  for (let d = 0; d < 3; d++) {
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (let p = d; p < positions.length; p += 3) {
      min = Math.min(min, positions[p]!)
      max = Math.max(max, positions[p]!)
    }
    square += (max - min) * (max - min)
  }
  return Math.sqrt(square)
}

/**
 * Turns all parts where they are inside out together, then each that is, unless it lies within another one: then it is
 * its hollow.
 */
function turnOutwards({ positions, triangles }: Pick<Surface, 'positions' | 'triangles'>, partOf: Int32Array): void {
  const volumes = new Map<number, number>()
  let total = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const part = partOf[triangles[t]!]!
    const origin = 3 * part
    const [ax, ay, az] = minus(positions, 3 * triangles[t]!, origin)
    const [bx, by, bz] = minus(positions, 3 * triangles[t + 1]!, origin)
    const [cx, cy, cz] = minus(positions, 3 * triangles[t + 2]!, origin)
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    volumes.set(part, (volumes.get(part) ?? 0) + volume)
    total += volume
  }
  const sense = total < 0 ? -1 : 1
  const turned = new Set<number>()
  for (const [part, volume] of volumes) {
    if (sense * volume >= 0) {
      if (sense < 0) turned.add(part)
      continue
    }
    let winding = 0
    const [x, y, z] = [positions[3 * part]!, positions[3 * part + 1]!, positions[3 * part + 2]!]
    for (let t = 0; t < triangles.length; t += 3) {
      const other = partOf[triangles[t]!]!
      if (other === part) continue
      const angle = solidAngle(positions, 3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!, x, y, z)
      winding += volumes.get(other)! < 0 ? -angle : angle
    }
    const hollow = winding > 0.5
    if (hollow === sense < 0) turned.add(part)
  }
  for (let t = 0; t < triangles.length; t += 3) {
    if (!turned.has(partOf[triangles[t]!]!)) continue
    const second = triangles[t + 1]!
    triangles[t + 1] = triangles[t + 2]!
    triangles[t + 2] = second
  }
}

function minus(positions: Float64Array, a: number, b: number): [number, number, number] {
  return [positions[a]! - positions[b]!, positions[a + 1]! - positions[b + 1]!, positions[a + 2]! - positions[b + 2]!]
}

/** Each face weighs by its angle at the point: the sum then tells inside from outside (Baerentzen, Aanaes 2005). */
function pointNormalsOf(positions: Float64Array, triangles: Uint32Array): Float64Array {
  const normals = new Float64Array(positions.length)
  const n = new Float64Array(3)
  for (let t = 0; t < triangles.length; t += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const at = 3 * triangles[t + corner]!
      const u = minus(positions, 3 * triangles[t + ((corner + 1) % 3)]!, at)
      const v = minus(positions, 3 * triangles[t + ((corner + 2) % 3)]!, at)
      n[0] = u[1] * v[2] - u[2] * v[1]
      n[1] = u[2] * v[0] - u[0] * v[2]
      n[2] = u[0] * v[1] - u[1] * v[0]
      const size = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
      if (size === 0) continue
      const angle = angleDegrees(size, u[0] * v[0] + u[1] * v[1] + u[2] * v[2])
      for (let d = 0; d < 3; d++) normals[at + d] = normals[at + d]! + (angle * n[d]!) / size
    }
  }
  return normals
}

function neighboursOf(triangles: Uint32Array, edges: EdgeTable): Int32Array {
  const sides = new Int32Array(edges.count).fill(-1)
  const neighbours = new Int32Array(triangles.length).fill(-1)
  for (let corner = 0; corner < triangles.length; corner++) {
    const edge = edges.cornerEdges[corner]!
    const other = sides[edge]!
    if (other < 0) sides[edge] = corner
    else {
      neighbours[corner] = Math.floor(other / 3)
      neighbours[other] = Math.floor(corner / 3)
    }
  }
  return neighbours
}

const face = new Float64Array(3)

/** Writes the normal of a triangle's part, as `closestPoint` numbers them, into `out`; its length means nothing. */
export function partNormal(surface: MeshSurface, triangle: number, part: number, out: Float64Array): void {
  const { tree, pointNormals, neighbours } = surface
  if (part < FIRST_EDGE) {
    const p = 3 * tree.triangles[3 * triangle + part]!
    for (let d = 0; d < 3; d++) out[d] = pointNormals[p + d]!
    return
  }
  faceNormal(tree, triangle, out)
  const beyond = part === FACE ? -1 : neighbours[3 * triangle + part - FIRST_EDGE]!
  if (beyond < 0) return
  faceNormal(tree, beyond, face)
  for (let d = 0; d < 3; d++) out[d] = out[d]! + face[d]!
}

/** Unit normal of a triangle; zero for a needle. */
function faceNormal({ positions, triangles }: TriangleTree, triangle: number, out: Float64Array): void {
  const corner = 3 * triangle
  unitNormal(positions, 3 * triangles[corner]!, 3 * triangles[corner + 1]!, 3 * triangles[corner + 2]!, out)
}

import { SettingError } from '../validation.js'
import { isNeedle } from './needle.js'
import { runToEnd } from './slices.js'
import { strayVertex } from './stray.js'

/** The largest coordinate: beyond it products of four lose what is small, and of more overflow. */
const LARGEST = 1e12

/** A triangle mesh as renderers keep it: vertices may be doubled along uv seams and hard edges. */
export interface TriangleMesh {
  /** [3 n] vertex coordinates. */
  readonly positions: ArrayLike<number>
  /** [3 m] vertices of each triangle; absent or null: every three vertices are a triangle. */
  readonly index?: ArrayLike<number> | null
  /** [3 n] vertex normals, need not be of unit length; absent or null: made from the faces. */
  readonly normals?: ArrayLike<number> | null
  /** [4 n] vertex tangents and their handedness, as glTF has them; absent or null: none are written. */
  readonly tangents?: ArrayLike<number> | null
}

/** The same surface with one point per place. */
export interface Surface {
  /** [3 p] coordinates of the welded points, each in a triangle. */
  readonly positions: Float64Array
  /** [3 t] points of each triangle, degenerate triangles left out. */
  readonly triangles: Uint32Array
  /** [n] render vertex -> welded point; the first one for a vertex that lies where no triangle has a corner. */
  readonly vertexToPoint: Uint32Array
  /** How many degenerate triangles were left out. */
  readonly dropped: number
}

/**
 * Welds the vertices that lie at one place.
 * Triangles whose corners fall together are left out; their other edges pair up, so a closed mesh stays closed. Needles
 * with three different corners stay: without one its neighbours would lose their common edge. Vertices that no triangle
 * uses, as those of other meshes that share the buffer, make no points and count in no size.
 * @param tolerance vertices closer than this weld, as a part of the diagonal of the triangles' bounding box
 * @throws SettingError for a position that is not finite or beyond 1e12, an index out of range, or where no triangle has
 * an area, or has one beside a vertex that is far away
 */
export function* weld(mesh: TriangleMesh, tolerance = 1e-6): Generator<void, Surface> {
  const vertexCount = countVertices(mesh)
  yield* checkPositions(mesh.positions, vertexCount)
  const used = yield* usedVertices(mesh, vertexCount)
  const { min, max } = yield* boundsOfUsed(mesh.positions, used)
  const sx = max[0] - min[0]
  const sy = max[1] - min[1]
  const sz = max[2] - min[2]
  const reach = tolerance * Math.sqrt(sx * sx + sy * sy + sz * sz)

  const grid = new PointGrid(vertexCount, min, reach)
  const vertexToPoint = new Uint32Array(vertexCount)
  for (let i = 0; i < vertexCount; i++) {
    const x = mesh.positions[3 * i]!
    const y = mesh.positions[3 * i + 1]!
    const z = mesh.positions[3 * i + 2]!
    // An unused vertex may lie where triangles meet, as at the poles of three's spheres, but only in or at their box.
    const near =
      x >= min[0] - reach &&
      x <= max[0] + reach &&
      y >= min[1] - reach &&
      y <= max[1] + reach &&
      z >= min[2] - reach &&
      z <= max[2] + reach
    if (used[i] === 1 || near) vertexToPoint[i] = grid.findOrAdd(x, y, z)
    if ((i & 0xfff) === 0xfff) yield
  }

  const cornerCount = mesh.index ? mesh.index.length : vertexCount
  const triangles = new Uint32Array(cornerCount)
  let length = 0
  for (let i = 0; i + 2 < cornerCount; i += 3) {
    const a = vertexToPoint[cornerVertex(mesh, i, vertexCount)]!
    const b = vertexToPoint[cornerVertex(mesh, i + 1, vertexCount)]!
    const c = vertexToPoint[cornerVertex(mesh, i + 2, vertexCount)]!
    if (a !== b && b !== c && c !== a) {
      triangles[length++] = a
      triangles[length++] = b
      triangles[length++] = c
    }
    if (i % 49152 === 0) yield
  }
  let first = 0
  while (first < length && isNeedle(grid.positions, triangles, first)) first += 3
  if (first === length) throw areaError(mesh, cornerCount)
  const dropped = (cornerCount - length) / 3
  return yield* withoutLoosePoints(grid, triangles.slice(0, length), vertexToPoint, dropped)
}

/** Why no triangle is left: a vertex so far off that all of them are small beside that, or that none has an area. */
function areaError(mesh: TriangleMesh, cornerCount: number): SettingError {
  const positions = Float64Array.from(mesh.positions)
  const corners = Uint32Array.from({ length: cornerCount }, (_, corner) => mesh.index?.[corner] ?? corner)
  const stray = strayVertex(positions, corners)
  if (stray < 0) {
    const remedy = 'Give it faces: three corners that are not in a line.'
    return meshError('index', `${cornerCount / 3} triangles`, 'no triangle has an area', remedy)
  }
  const place = [...positions.subarray(3 * stray, 3 * stray + 3)].map((x) => Number(x.toPrecision(6)))
  const problem = `vertex ${stray}, at (${place.join(', ')}), is so far from the others that no triangle has an area beside that`
  return meshError('positions', place, problem, 'Leave its triangles out, or put it where it belongs.')
}

/** The surface of the points that triangles have, in the same order. */
function* withoutLoosePoints(
  { positions, count }: PointGrid,
  triangles: Uint32Array,
  vertexToPoint: Uint32Array,
  dropped: number,
): Generator<void, Surface> {
  const inTriangle = new Uint8Array(count)
  for (const point of triangles) inTriangle[point] = 1
  yield
  const numbers = new Uint32Array(count)
  let left = 0
  for (let point = 0; point < count; point++) {
    if (inTriangle[point] === 0) continue
    positions.copyWithin(3 * left, 3 * point, 3 * point + 3)
    numbers[point] = left++
  }
  yield
  return {
    positions: positions.slice(0, 3 * left),
    triangles: triangles.map((point) => numbers[point]!),
    vertexToPoint: vertexToPoint.map((point) => numbers[point]!),
    dropped,
  }
}

/** @throws SettingError for a mesh that `weld` cannot take */
export function checkTriangles(mesh: TriangleMesh): void {
  runToEnd(weld(mesh))
}

function meshError(prop: string, value: unknown, problem: string, remedy: string): SettingError {
  return new SettingError('Mesh', prop, value, problem, remedy)
}

function countVertices(mesh: TriangleMesh): number {
  if (!mesh?.positions) throw meshError('positions', mesh, 'there are none', 'Give { positions, index } of a mesh.')
  const { length } = mesh.positions
  if (length % 3 !== 0) {
    throw meshError('positions', `${length} numbers`, 'are not three numbers a vertex', 'Give x, y and z of each.')
  }
  const corners = mesh.index ? mesh.index.length : mesh.positions.length / 3
  if (corners % 3 !== 0) {
    const given = `${corners} ${mesh.index ? 'indices' : 'vertices'}`
    const remedy = 'Give three corners a triangle; without an index every three vertices are one.'
    throw meshError('index', given, `${given} do not make whole triangles`, remedy)
  }
  return mesh.positions.length / 3
}

function* checkPositions(positions: ArrayLike<number>, vertexCount: number): Generator<void, void> {
  for (let i = 0; i < 3 * vertexCount; i++) {
    const value = positions[i]!
    if (!(value - value === 0)) {
      const problem = `vertex ${Math.floor(i / 3)} has a position that is not a finite number (${value})`
      throw meshError('positions', value, problem, 'Look for a division by zero where they are made.')
    }
    if (Math.abs(value) > LARGEST) {
      const problem = `vertex ${Math.floor(i / 3)} has a coordinate beyond ${LARGEST} (${value})`
      throw meshError('positions', value, problem, 'Give the mesh in metres, about the origin.')
    }
    if ((i & 0xffff) === 0xffff) yield
  }
}

/** [n] 1 for each vertex that a triangle has as a corner. */
function* usedVertices(mesh: TriangleMesh, vertexCount: number): Generator<void, Uint8Array> {
  const used = new Uint8Array(vertexCount)
  if (!mesh.index) return used.fill(1)
  for (let corner = 0; corner < mesh.index.length; corner++) {
    used[cornerVertex(mesh, corner, vertexCount)] = 1
    if ((corner & 0xffff) === 0xffff) yield
  }
  return used
}

type Triple = [number, number, number]

function* boundsOfUsed(positions: ArrayLike<number>, used: Uint8Array): Generator<void, { min: Triple; max: Triple }> {
  const min: Triple = [Infinity, Infinity, Infinity]
  const max: Triple = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < positions.length; i++) {
    if (used[Math.floor(i / 3)] === 0) continue
    const axis = (i % 3) as 0 | 1 | 2
    const value = positions[i]!
    if (value < min[axis]) min[axis] = value
    if (value > max[axis]) max[axis] = value
    if ((i & 0xffff) === 0xffff) yield
  }
  return { min, max }
}

function cornerVertex(mesh: TriangleMesh, corner: number, vertexCount: number): number {
  if (!mesh.index) return corner
  const vertex = mesh.index[corner]!
  if (!(vertex >= 0 && vertex < vertexCount)) {
    const problem = `index ${vertex} (corner ${corner}) is outside the ${vertexCount} vertices`
    throw meshError('index', vertex, problem, `Use whole numbers below ${vertexCount}.`)
  }
  return vertex
}

/** Points in a hashed grid; a new point joins the nearest one within reach, the older one where two are as near. */
class PointGrid {
  readonly positions: Float64Array
  count = 0
  private readonly heads: Int32Array
  private readonly nexts: Int32Array
  private readonly cellSize: number

  constructor(
    capacity: number,
    private readonly origin: readonly [number, number, number],
    private readonly reach: number,
  ) {
    this.positions = new Float64Array(3 * capacity)
    this.nexts = new Int32Array(capacity)
    let buckets = 1024
    while (buckets < 2 * capacity) buckets *= 2
    this.heads = new Int32Array(buckets).fill(-1)
    // Cells far larger than the reach: nearly every point then has only its own cell to look at. Where all points
    // coincide, or the tolerance is 0, any size will do.
    this.cellSize = reach > 0 ? 64 * reach : 1
  }

  findOrAdd(x: number, y: number, z: number): number {
    const { origin, reach, cellSize } = this
    let best = -1
    let bestSquare = reach * reach
    const i1 = Math.floor((x - origin[0] + reach) / cellSize)
    const j1 = Math.floor((y - origin[1] + reach) / cellSize)
    const k1 = Math.floor((z - origin[2] + reach) / cellSize)
    for (let i = Math.floor((x - origin[0] - reach) / cellSize); i <= i1; i++) {
      for (let j = Math.floor((y - origin[1] - reach) / cellSize); j <= j1; j++) {
        for (let k = Math.floor((z - origin[2] - reach) / cellSize); k <= k1; k++) {
          for (let p = this.heads[this.bucket(i, j, k)]!; p >= 0; p = this.nexts[p]!) {
            const dx = this.positions[3 * p]! - x
            const dy = this.positions[3 * p + 1]! - y
            const dz = this.positions[3 * p + 2]! - z
            const square = dx * dx + dy * dy + dz * dz
            if (square < bestSquare || (square === bestSquare && (best < 0 || p < best))) {
              best = p
              bestSquare = square
            }
          }
        }
      }
    }
    return best >= 0 ? best : this.add(x, y, z)
  }

  private add(x: number, y: number, z: number): number {
    const point = this.count++
    this.positions[3 * point] = x
    this.positions[3 * point + 1] = y
    this.positions[3 * point + 2] = z
    const { origin, cellSize } = this
    const bucket = this.bucket(
      Math.floor((x - origin[0]) / cellSize),
      Math.floor((y - origin[1]) / cellSize),
      Math.floor((z - origin[2]) / cellSize),
    )
    this.nexts[point] = this.heads[bucket]!
    this.heads[bucket] = point
    return point
  }

  private bucket(i: number, j: number, k: number): number {
    let hash = Math.imul(i, 0x9e3779b1) ^ Math.imul(j, 0x85ebca6b) ^ Math.imul(k, 0xc2b2ae35)
    hash ^= hash >>> 15
    return hash & (this.heads.length - 1)
  }
}

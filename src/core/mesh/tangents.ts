import type { TriangleMesh } from './weld.js'

/**
 * How the tangents of a render mesh, the directions in which u grows, follow its deformed triangles. At rest a vertex's
 * tangent is alpha e1 + beta e2 of the edges of each triangle at it, but for what stands out of its plane. The same
 * combination of the deformed edges is the image of that direction, whatever the triangle went through.
 */
export interface TangentRows {
  /** [2 c] alpha and beta of each triangle's corners, times the triangle's area at rest [m]. */
  readonly weights: Float64Array
  /** [3 n] unit tangents at rest. */
  readonly rest: Float64Array
  /** [n] handedness, 1 or -1, as the mesh has it. */
  readonly handedness: Float64Array
}

/**
 * @param corners [3 t] render vertices of the triangles
 * @returns null for a mesh without tangents
 */
export function* tangentRows(mesh: TriangleMesh, corners: Uint32Array): Generator<void, TangentRows | null> {
  if (!mesh.tangents) return null
  const { tangents, positions } = mesh
  const vertexCount = positions.length / 3
  const rest = new Float64Array(3 * vertexCount)
  const handedness = new Float64Array(vertexCount)
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const x = tangents[4 * vertex]!
    const y = tangents[4 * vertex + 1]!
    const z = tangents[4 * vertex + 2]!
    const length = Math.sqrt(x * x + y * y + z * z)
    const known = length > 0 && length < Infinity
    rest[3 * vertex] = known ? x / length : 1
    rest[3 * vertex + 1] = known ? y / length : 0
    rest[3 * vertex + 2] = known ? z / length : 0
    handedness[vertex] = tangents[4 * vertex + 3]! < 0 ? -1 : 1
    if ((vertex & 0x3fff) === 0x3fff) yield
  }
  const weights = new Float64Array(2 * corners.length)
  const e = new Float64Array(6)
  for (let t = 0; t < corners.length; t += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const origin = positions[3 * corners[t]! + axis]!
      e[axis] = positions[3 * corners[t + 1]! + axis]! - origin
      e[3 + axis] = positions[3 * corners[t + 2]! + axis]! - origin
    }
    const uu = e[0]! * e[0]! + e[1]! * e[1]! + e[2]! * e[2]!
    const uv = e[0]! * e[3]! + e[1]! * e[4]! + e[2]! * e[5]!
    const vv = e[3]! * e[3]! + e[4]! * e[4]! + e[5]! * e[5]!
    const square = uu * vv - uv * uv
    if (square > 0) {
      // Least squares by the normal equations, whose determinant is four times the area squared.
      const scale = 1 / (2 * Math.sqrt(square))
      for (let corner = t; corner < t + 3; corner++) {
        const vertex = 3 * corners[corner]!
        const ut = e[0]! * rest[vertex]! + e[1]! * rest[vertex + 1]! + e[2]! * rest[vertex + 2]!
        const vt = e[3]! * rest[vertex]! + e[4]! * rest[vertex + 1]! + e[5]! * rest[vertex + 2]!
        weights[2 * corner] = (ut * vv - vt * uv) * scale
        weights[2 * corner + 1] = (vt * uu - ut * uv) * scale
      }
    }
    if (t % 24576 === 0) yield
  }
  return { weights, rest, handedness }
}

/**
 * Writes the tangents, each of unit length and square to its vertex's normal; where the triangles have collapsed or turned
 * it into the normal, the last one stays as far as it is square to the normal. Allocates nothing.
 * @param corners [3 t] render vertices of the triangles
 * @param triangles [3 t] points of the same
 * @param points [3 p] local positions
 * @param normals [3 n] local unit normals
 * @param sums [3 n] scratch
 * @param last [3 n] the last tangents, kept up to date
 * @param out [4 n] tangents and handedness
 */
export function updateTangents(
  { weights, handedness }: TangentRows,
  corners: Uint32Array,
  triangles: Uint32Array,
  points: Float64Array,
  normals: Float32Array,
  sums: Float64Array,
  last: Float64Array,
  out: Float32Array,
): void {
  sums.fill(0)
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t]!
    const b = 3 * triangles[t + 1]!
    const c = 3 * triangles[t + 2]!
    const ux = points[b]! - points[a]!
    const uy = points[b + 1]! - points[a + 1]!
    const uz = points[b + 2]! - points[a + 2]!
    const vx = points[c]! - points[a]!
    const vy = points[c + 1]! - points[a + 1]!
    const vz = points[c + 2]! - points[a + 2]!
    for (let corner = t; corner < t + 3; corner++) {
      const vertex = 3 * corners[corner]!
      const alpha = weights[2 * corner]!
      const beta = weights[2 * corner + 1]!
      sums[vertex] = sums[vertex]! + alpha * ux + beta * vx
      sums[vertex + 1] = sums[vertex + 1]! + alpha * uy + beta * vy
      sums[vertex + 2] = sums[vertex + 2]! + alpha * uz + beta * vz
    }
  }
  for (let vertex = 0; vertex < handedness.length; vertex++) {
    const i = 3 * vertex
    if (!flatten(sums, i, normals, last) && !flatten(last, i, normals, last)) placeAnywhere(i, normals, last)
    out[4 * vertex] = last[i]!
    out[4 * vertex + 1] = last[i + 1]!
    out[4 * vertex + 2] = last[i + 2]!
    out[4 * vertex + 3] = handedness[vertex]!
  }
}

/** Part of a tangent that must stay when what lies along the normal is taken away: below is rounding. */
const LEAST_FLAT = 1e-12

/** Writes the direction of what is square to the normal; false, and nothing written, where there is none. */
function flatten(from: Float64Array, i: number, normals: Float32Array, to: Float64Array): boolean {
  const nx = normals[i]!
  const ny = normals[i + 1]!
  const nz = normals[i + 2]!
  const along = (from[i]! * nx + from[i + 1]! * ny + from[i + 2]! * nz) / (nx * nx + ny * ny + nz * nz)
  const x = from[i]! - along * nx
  const y = from[i + 1]! - along * ny
  const z = from[i + 2]! - along * nz
  const square = x * x + y * y + z * z
  const whole = from[i]! * from[i]! + from[i + 1]! * from[i + 1]! + from[i + 2]! * from[i + 2]!
  // Also false for what is not a number.
  if (!(square > LEAST_FLAT * whole && square < Infinity)) return false
  const length = Math.sqrt(square)
  to[i] = x / length
  to[i + 1] = y / length
  to[i + 2] = z / length
  return true
}

/** Any direction square to the normal. */
function placeAnywhere(i: number, normals: Float32Array, to: Float64Array): void {
  const axis = Math.abs(normals[i]!) < 0.8 ? 0 : 1
  to[i] = axis === 0 ? 1 : 0
  to[i + 1] = axis
  to[i + 2] = 0
  flatten(to, i, normals, to)
}

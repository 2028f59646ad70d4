import { cosineDegrees } from './angle.js'
import type { TriangleMesh } from './weld.js'

/** Which render vertices share a normal. */
export interface NormalGroups {
  readonly groupCount: number
  /** [n] render vertex -> group. */
  readonly vertexToGroup: Uint32Array
  /** [3 t] welded points of each triangle whose corners differ. */
  readonly triangles: Uint32Array
  /** [3 t] render vertex of each corner of these triangles. */
  readonly corners: Uint32Array
  /** [3 t] group of each corner of these triangles. */
  readonly triangleGroups: Uint32Array
  /** [g] 1, or -1 where the mesh's own normals point against the winding of its faces. */
  readonly groupSigns: Float64Array
  /** [3 g] unit normals at rest. */
  readonly restNormals: Float64Array
}

/** [degrees] A larger one is a wish to smooth what is hard. */
export const DEFAULT_CREASE_ANGLE = 30
/** A vertex whose faces all lie this square to its normal [degrees] is shaded flat... */
const FLAT_ANGLE = 0.5
/** ...and two of those share a normal only if they agree to this [degrees]. */
const FLAT_CREASE = 1
/** Equal normals differ by less, as they are rounded [degrees]. */
const ROUNDING = 0.001

/**
 * Render vertices at one welded point share a normal if their rest normals differ by less than the crease angle: then
 * the two sides of a uv seam stay one surface, and the faces at a hard edge stay apart. Vertices that are shaded flat
 * share with their like only where the faces lie in one plane, so that a finely faceted mesh stays faceted, unless the crease
 * angle is above its default. Without
 * normals of its own, a mesh gets those of the faces around each render vertex. Vertices without a face have no say.
 * @param vertexToPoint [n] render vertex -> welded point
 * @param creaseAngle [degrees]
 */
export function* normalGroups(
  mesh: TriangleMesh,
  vertexToPoint: Uint32Array,
  pointCount: number,
  creaseAngle: number,
): Generator<void, NormalGroups> {
  const corners = yield* triangleCorners(mesh, vertexToPoint)
  const faces = yield* faceVectors(mesh.positions, corners)
  const normals = mesh.normals
    ? yield* withoutUnused(yield* unitVectors(mesh.normals), corners)
    : yield* unitVectors(yield* sumFaces(faces, corners, vertexToPoint.length))
  const flat = mesh.normals ? yield* flatVertices(faces, corners, normals) : new Uint8Array(vertexToPoint.length)
  const { vertexToGroup, groupCount } = yield* groupVertices(normals, flat, vertexToPoint, pointCount, creaseAngle)

  const triangles = yield* lookUp(corners, vertexToPoint)
  const triangleGroups = yield* lookUp(corners, vertexToGroup)
  const restNormals = yield* unitVectors(yield* sumFaces(faces, triangleGroups, groupCount))
  const groupSigns = yield* turnTowards(restNormals, normals, vertexToGroup)
  return { groupCount, vertexToGroup, triangles, corners, triangleGroups, groupSigns, restNormals }
}

/** [3 t] render vertices of the triangles with three different points. */
function* triangleCorners(mesh: TriangleMesh, vertexToPoint: Uint32Array): Generator<void, Uint32Array> {
  const count = mesh.index ? mesh.index.length : vertexToPoint.length
  const corners = new Uint32Array(count)
  let length = 0
  for (let i = 0; i + 2 < count; i += 3) {
    const a = mesh.index ? mesh.index[i]! : i
    const b = mesh.index ? mesh.index[i + 1]! : i + 1
    const c = mesh.index ? mesh.index[i + 2]! : i + 2
    const pointA = vertexToPoint[a]!
    const pointB = vertexToPoint[b]!
    const pointC = vertexToPoint[c]!
    if (pointA !== pointB && pointB !== pointC && pointC !== pointA) {
      corners[length++] = a
      corners[length++] = b
      corners[length++] = c
    }
    if (i % 49152 === 0) yield
  }
  return corners.slice(0, length)
}

function* lookUp(keys: Uint32Array, table: Uint32Array): Generator<void, Uint32Array> {
  const values = new Uint32Array(keys.length)
  for (let i = 0; i < keys.length; i++) {
    values[i] = table[keys[i]!]!
    if ((i & 0xffff) === 0xffff) yield
  }
  return values
}

/** [3 t] normal of each triangle, twice its area long. */
export function* faceVectors(positions: ArrayLike<number>, corners: Uint32Array): Generator<void, Float64Array> {
  const faces = new Float64Array(corners.length)
  for (let t = 0; t < corners.length; t += 3) {
    const a = 3 * corners[t]!
    const b = 3 * corners[t + 1]!
    const c = 3 * corners[t + 2]!
    const ux = positions[b]! - positions[a]!
    const uy = positions[b + 1]! - positions[a + 1]!
    const uz = positions[b + 2]! - positions[a + 2]!
    const vx = positions[c]! - positions[a]!
    const vy = positions[c + 1]! - positions[a + 1]!
    const vz = positions[c + 2]! - positions[a + 2]!
    faces[t] = uy * vz - uz * vy
    faces[t + 1] = uz * vx - ux * vz
    faces[t + 2] = ux * vy - uy * vx
    if (t % 49152 === 0) yield
  }
  return faces
}

/** [3 m] sum of the face vectors at each of m targets, which the corners of the faces name. */
function* sumFaces(faces: Float64Array, targets: Uint32Array, count: number): Generator<void, Float64Array> {
  const sums = new Float64Array(3 * count)
  for (let corner = 0; corner < targets.length; corner++) {
    const face = corner - (corner % 3)
    const target = 3 * targets[corner]!
    sums[target] = sums[target]! + faces[face]!
    sums[target + 1] = sums[target + 1]! + faces[face + 1]!
    sums[target + 2] = sums[target + 2]! + faces[face + 2]!
    if ((corner & 0xffff) === 0xffff) yield
  }
  return sums
}

/** Unit vectors; what has no direction becomes 0. */
function* unitVectors(vectors: ArrayLike<number>): Generator<void, Float64Array> {
  const units = new Float64Array(vectors.length)
  for (let i = 0; i < vectors.length; i += 3) {
    const x = vectors[i]!
    const y = vectors[i + 1]!
    const z = vectors[i + 2]!
    const length = Math.sqrt(x * x + y * y + z * z)
    if (length > 0 && length < Infinity) {
      units[i] = x / length
      units[i + 1] = y / length
      units[i + 2] = z / length
    }
    if (i % 49152 === 0) yield
  }
  return units
}

/** Normals of the vertices that are corners; 0 for the others, of which several may lie at any point. */
function* withoutUnused(normals: Float64Array, corners: Uint32Array): Generator<void, Float64Array> {
  const used = new Uint8Array(normals.length / 3)
  for (const vertex of corners) used[vertex] = 1
  yield
  for (let vertex = 0; vertex < used.length; vertex++) {
    if (used[vertex] === 0) normals.fill(0, 3 * vertex, 3 * vertex + 3)
  }
  return normals
}

/** [n] 1 for a vertex whose faces all lie square to its normal, on either side of it. */
function* flatVertices(faces: Float64Array, corners: Uint32Array, normals: Float64Array): Generator<void, Uint8Array> {
  const flat = new Uint8Array(normals.length / 3).fill(1)
  const least = cosineDegrees(FLAT_ANGLE)
  for (let corner = 0; corner < corners.length; corner++) {
    const f = corner - (corner % 3)
    const n = 3 * corners[corner]!
    const dot = faces[f]! * normals[n]! + faces[f + 1]! * normals[n + 1]! + faces[f + 2]! * normals[n + 2]!
    const square = faces[f]! * faces[f]! + faces[f + 1]! * faces[f + 1]! + faces[f + 2]! * faces[f + 2]!
    if (square > 0 && dot * dot < least * least * square) flat[n / 3] = 0
    if ((corner & 0xffff) === 0xffff) yield
  }
  return flat
}

/** Each vertex, in order, joins the first group at its point whose first vertex it agrees with. */
function* groupVertices(
  normals: Float64Array,
  flat: Uint8Array,
  vertexToPoint: Uint32Array,
  pointCount: number,
  creaseAngle: number,
): Generator<void, { vertexToGroup: Uint32Array; groupCount: number }> {
  const vertexCount = vertexToPoint.length
  const vertexToGroup = new Uint32Array(vertexCount)
  const firstGroups = new Int32Array(pointCount).fill(-1)
  const nextGroups = new Int32Array(vertexCount).fill(-1)
  const seeds = new Uint32Array(vertexCount)
  const crease = cosineDegrees(Math.max(creaseAngle, ROUNDING))
  const flatCrease = creaseAngle > DEFAULT_CREASE_ANGLE ? crease : Math.max(crease, cosineDegrees(FLAT_CREASE))
  let groupCount = 0
  // Vertices without a direction come last and take whatever group there is.
  for (let pass = 0; pass < 2; pass++) {
    for (let vertex = 0; vertex < vertexCount; vertex++) {
      const n = 3 * vertex
      const directed = normals[n] !== 0 || normals[n + 1] !== 0 || normals[n + 2] !== 0
      if (directed !== (pass === 0)) continue
      const point = vertexToPoint[vertex]!
      let group = firstGroups[point]!
      while (group >= 0) {
        if (!directed) break
        const s = 3 * seeds[group]!
        const cosine = normals[n]! * normals[s]! + normals[n + 1]! * normals[s + 1]! + normals[n + 2]! * normals[s + 2]!
        if (cosine >= (flat[vertex] === 1 && flat[seeds[group]!] === 1 ? flatCrease : crease)) break
        group = nextGroups[group]!
      }
      if (group < 0) {
        group = groupCount++
        seeds[group] = vertex
        nextGroups[group] = firstGroups[point]!
        firstGroups[point] = group
      }
      vertexToGroup[vertex] = group
      if ((vertex & 0x3fff) === 0x3fff) yield
    }
  }
  return { vertexToGroup, groupCount }
}

/**
 * Turns the groups' normals to the side of the mesh's own ones; a group whose faces have no area takes its vertices'
 * normal, or z. Returns the signs.
 */
function* turnTowards(
  groupNormals: Float64Array,
  normals: Float64Array,
  vertexToGroup: Uint32Array,
): Generator<void, Float64Array> {
  const agreement = new Float64Array(groupNormals.length / 3)
  const own = new Float64Array(groupNormals.length)
  for (let vertex = 0; vertex < vertexToGroup.length; vertex++) {
    const group = vertexToGroup[vertex]!
    for (let axis = 0; axis < 3; axis++) {
      const value = normals[3 * vertex + axis]!
      agreement[group] = agreement[group]! + value * groupNormals[3 * group + axis]!
      own[3 * group + axis] = own[3 * group + axis]! + value
    }
    if ((vertex & 0x3fff) === 0x3fff) yield
  }
  const ownUnits = yield* unitVectors(own)
  for (let group = 0; group < agreement.length; group++) {
    const sign = agreement[group]! < 0 ? -1 : 1
    const g = 3 * group
    const shaped = groupNormals[g] !== 0 || groupNormals[g + 1] !== 0 || groupNormals[g + 2] !== 0
    const owned = ownUnits[g] !== 0 || ownUnits[g + 1] !== 0 || ownUnits[g + 2] !== 0
    for (let axis = 0; axis < 3; axis++) {
      if (shaped) groupNormals[g + axis] = groupNormals[g + axis]! * sign
      else groupNormals[g + axis] = owned ? ownUnits[g + axis]! : axis === 2 ? 1 : 0
    }
    agreement[group] = sign
  }
  return agreement
}

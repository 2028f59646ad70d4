import { faceVectors, type NormalGroups } from './normalGroups.js'
import type { TriangleMesh } from './weld.js'

// A mesh's own normals seldom are the means of the faces about a vertex by area: a coarse cylinder's are not, nor those
// at a bevel. Weights of the faces make them so at rest. Under any affine map the vectors of faces go by its cofactors, as
// normals do, and so does their weighted sum: what is turned, stretched and sheared keeps the normals of the mesh.

/** The weighted sum at a group is at least this part of what it adds up: below, its faces would work against each other. */
const LEAST_SUM = 0.5
/** How near it comes to the mesh's own normal, else the weights stay even. */
const CLOSE = 1e-7
/** Faces whose normals differ by less lie in one plane, in single precision. */
const ROUNDING = 1e-6

/**
 * Weights by which the faces at each group add up to the mesh's own normal at rest, as even as can be; all 1 where none do,
 * as where a normal leans that stands on a plane, and for a mesh without normals.
 * @param points [3 p] welded points at rest
 * @returns [3 t] weight of the face at each corner
 */
export function* faceWeights(
  mesh: TriangleMesh,
  { groupCount, groupSigns, triangles, corners, triangleGroups }: NormalGroups,
  points: Float64Array,
): Generator<void, Float64Array> {
  const weights = new Float64Array(triangles.length).fill(1)
  if (!mesh.normals) return weights
  const faces = yield* faceVectors(points, triangles)
  const { starts, sorted } = cornersByGroup(triangleGroups, groupCount)
  for (let group = 0; group < groupCount; group++) {
    const at = sorted.subarray(starts[group], starts[group + 1])
    const own = ownNormal(mesh.normals, corners, faces, at)
    if (own) weigh(faces, at, own, groupSigns[group]!, weights)
    if ((group & 0x7ff) === 0x7ff) yield
  }
  return weights
}

/** The corners of each group, one after the other. */
function cornersByGroup(triangleGroups: Uint32Array, groupCount: number): { starts: Uint32Array; sorted: Uint32Array } {
  const starts = new Uint32Array(groupCount + 1)
  for (const group of triangleGroups) starts[group + 1]!++
  for (let group = 0; group < groupCount; group++) starts[group + 1] = starts[group + 1]! + starts[group]!
  const next = starts.slice()
  const sorted = new Uint32Array(triangleGroups.length)
  for (let corner = 0; corner < sorted.length; corner++) sorted[next[triangleGroups[corner]!]!++] = corner
  return { starts, sorted }
}

/** Mean of the mesh's normals at some corners, by the area of their faces; null where there is none. */
function ownNormal(
  normals: ArrayLike<number>,
  corners: Uint32Array,
  faces: Float64Array,
  at: Uint32Array,
): readonly number[] | null {
  const sum = [0, 0, 0]
  for (const corner of at) {
    const v = 3 * corners[corner]!
    const area = lengthAt(faces, corner - (corner % 3))
    const length = lengthAt(normals, v)
    if (!(length > 0 && length < Infinity)) continue
    for (let axis = 0; axis < 3; axis++) sum[axis] = sum[axis]! + (area / length) * normals[v + axis]!
  }
  const length = lengthAt(sum, 0)
  return length > 0 && length < Infinity ? sum.map((value) => value / length) : null
}

/**
 * Weights 1 + d for one group, whose faces' vectors F then add up to its own normal. Square to that they shall add up to
 * nothing: with f that part of F, sum f + sum d f = 0, and of all d those whose squares, by area, are the least,
 * d = (f / |F|) lambda.
 */
function weigh(
  faces: Float64Array,
  at: Uint32Array,
  own: readonly number[],
  sign: number,
  weights: Float64Array,
): void {
  const [u, v] = squareTo(own)
  let [area, su, sv, guu, guv, gvv] = [0, 0, 0, 0, 0, 0]
  for (const corner of at) {
    const f = corner - (corner % 3)
    const length = lengthAt(faces, f)
    if (!(length > 0)) continue
    const fu = dotAt(faces, f, u)
    const fv = dotAt(faces, f, v)
    area += length
    su += fu
    sv += fv
    guu += (fu * fu) / length
    guv += (fu * fv) / length
    gvv += (fv * fv) / length
  }
  if (Math.abs(su) + Math.abs(sv) < CLOSE * area) return
  guu += ROUNDING * ROUNDING * area
  gvv += ROUNDING * ROUNDING * area
  const determinant = guu * gvv - guv * guv
  if (!(determinant > 0)) return
  const lambdaU = (guv * sv - gvv * su) / determinant
  const lambdaV = (guv * su - guu * sv) / determinant
  const sum = [0, 0, 0]
  let size = 0
  for (const corner of at) {
    const f = corner - (corner % 3)
    const length = lengthAt(faces, f)
    if (!(length > 0)) continue
    const weight = 1 + (dotAt(faces, f, u) * lambdaU + dotAt(faces, f, v) * lambdaV) / length
    weights[corner] = weight
    for (let axis = 0; axis < 3; axis++) sum[axis] = sum[axis]! + weight * faces[f + axis]!
    size += Math.abs(weight) * length
  }
  const along = sign * dotAt(sum, 0, own)
  const across = Math.abs(dotAt(sum, 0, u)) + Math.abs(dotAt(sum, 0, v))
  if (along > LEAST_SUM * size && across < CLOSE * along) return
  for (const corner of at) weights[corner] = 1
}

/** Two unit vectors square to a unit vector and to each other. */
function squareTo([x = 0, y = 0, z = 0]: readonly number[]): [readonly number[], readonly number[]] {
  const side = Math.abs(x) < 0.6 ? [0, z, -y] : [-z, 0, x]
  const length = lengthAt(side, 0)
  const [a = 0, b = 0, c = 0] = side.map((value) => value / length)
  return [
    [a, b, c],
    [y * c - z * b, z * a - x * c, x * b - y * a],
  ]
}

function lengthAt(vectors: ArrayLike<number>, at: number): number {
  return Math.sqrt(
    vectors[at]! * vectors[at]! + vectors[at + 1]! * vectors[at + 1]! + vectors[at + 2]! * vectors[at + 2]!,
  )
}

function dotAt(vectors: ArrayLike<number>, at: number, along: readonly number[]): number {
  return vectors[at]! * along[0]! + vectors[at + 1]! * along[1]! + vectors[at + 2]! * along[2]!
}

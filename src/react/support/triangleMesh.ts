import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three'
import type { TriangleMesh } from '../../headless.js'
import { isIdentity, type RestPose } from './restPose.js'

/** A geometry as the engine reads it, with the linear part of a pose, if any, applied to positions, normals and tangents. */
export function triangleMesh(geometry: BufferGeometry, pose?: Pick<RestPose, 'linear' | 'key'>): TriangleMesh {
  const normal = geometry.getAttribute('normal')
  const positions = triples(geometry.getAttribute('position'))
  const normals = normal ? triples(normal) : null
  const tangents = tangentsOf(geometry)
  if (pose && !isIdentity(pose)) {
    transform(positions, pose.linear)
    if (normals) transform(normals, cofactors(pose.linear))
    if (tangents) transform(tangents, pose.linear, 4)
  }
  return { positions, normals, tangents, index: geometry.index ? geometry.index.array : null }
}

export function triangleCount(geometry: BufferGeometry): number {
  return (geometry.index ?? geometry.getAttribute('position')).count / 3
}

/** Vertices of the triangles [3 m], as an array of their own. */
export function cornersOf(geometry: BufferGeometry): Uint32Array {
  const { index } = geometry
  if (!index) return Uint32Array.from({ length: geometry.getAttribute('position').count }, (_, vertex) => vertex)
  return Uint32Array.from({ length: index.count }, (_, corner) => index.getX(corner))
}

/** [n] 1 for each vertex that a triangle has as a corner. */
export function usedVertices(geometry: BufferGeometry): Uint8Array {
  const { index } = geometry
  const used = new Uint8Array(geometry.getAttribute('position').count)
  if (!index) return used.fill(1)
  for (let corner = 0; corner < index.count; corner++) used[index.getX(corner)] = 1
  return used
}

/** Positions [3 n] as an array of their own, also from interleaved and from normalised attributes. */
export function triples(attribute: BufferAttribute | InterleavedBufferAttribute): Float64Array {
  const out = new Float64Array(attribute.count * 3)
  for (let i = 0; i < attribute.count; i++) {
    out[3 * i] = attribute.getX(i)
    out[3 * i + 1] = attribute.getY(i)
    out[3 * i + 2] = attribute.getZ(i)
  }
  return out
}

/** Tangents with their handedness [4 n] as an array of their own; null for a geometry without. */
export function tangentsOf(geometry: BufferGeometry): Float64Array | null {
  const tangent = geometry.getAttribute('tangent')
  if (!tangent) return null
  return Float64Array.from({ length: 4 * tangent.count }, (_, k) => tangent.getComponent(k >> 2, k & 3))
}

/** Each point times the 3 x 3 matrix `m`, row by row; points are the first three of every `stride` numbers. */
export function transform(points: Float64Array, m: readonly number[], stride = 3): void {
  for (let i = 0; i < points.length; i += stride) {
    const x = points[i]!
    const y = points[i + 1]!
    const z = points[i + 2]!
    points[i] = m[0]! * x + m[1]! * y + m[2]! * z
    points[i + 1] = m[3]! * x + m[4]! * y + m[5]! * z
    points[i + 2] = m[6]! * x + m[7]! * y + m[8]! * z
  }
}

/**
 * Normals turn with the cofactors: the inverse transpose, times the determinant. A mirror turns them inward, as it
 * does the winding of the faces: the two agree as they did in the geometry.
 */
export function cofactors(m: readonly number[]): number[] {
  const [a, b, c, d, e, f, g, h, i] = m as [number, number, number, number, number, number, number, number, number]
  return [
    e * i - f * h,
    f * g - d * i,
    d * h - e * g,
    c * h - b * i,
    a * i - c * g,
    b * g - a * h,
    b * f - c * e,
    c * d - a * f,
    a * e - b * d,
  ]
}

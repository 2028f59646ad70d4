import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three'
import type { TriangleMesh } from '../../headless.js'
import { isIdentity, type RestPose } from './restPose.js'

/** A geometry as the engine reads it, with the linear part of a pose applied to positions and normals. */
export function triangleMesh(geometry: BufferGeometry, pose: Pick<RestPose, 'linear' | 'key'>): TriangleMesh {
  const normal = geometry.getAttribute('normal')
  const positions = triples(geometry.getAttribute('position'))
  const normals = normal ? triples(normal) : null
  if (!isIdentity(pose)) {
    transform(positions, pose.linear)
    if (normals) transform(normals, cofactors(pose.linear))
  }
  return { positions, normals, index: geometry.index ? geometry.index.array : null }
}

export function triangleCount(geometry: BufferGeometry): number {
  return (geometry.index ?? geometry.getAttribute('position')).count / 3
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

/** Each triple of `points` times the 3 x 3 matrix `m`, row by row. */
export function transform(points: Float64Array, m: readonly number[]): void {
  for (let i = 0; i < points.length; i += 3) {
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
function cofactors(m: readonly number[]): number[] {
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

import { SettingError } from '../validation.js'
import { solidShape } from './meshShape.js'
import { type MeshSurface, surfaceFrom } from './meshSurface.js'
import { quickhull } from './quickhull.js'
import type { ColliderShape } from './shape.js'
import { found } from './triangleTree.js'

/**
 * Convex hull of points: the smallest convex solid that holds them all. Points within it, doubled ones and coplanar ones
 * do no harm.
 * @param points [3 n] m, at least four that are not in one plane
 * @throws SettingError for fewer or flat points, or values that are not finite
 */
export function hull(points: ArrayLike<number>): ColliderShape {
  const refuse = (problem: string): never => {
    const remedy = 'Give at least four points that are not in one plane, three numbers each.'
    throw new SettingError('Collider.Hull', 'points', `${points?.length} numbers`, problem, remedy)
  }
  if (!points || !(points.length >= 12) || points.length % 3 !== 0) refuse('must hold four points or more')
  for (let k = 0; k < points.length; k++) if (!Number.isFinite(points[k]!)) refuse('must hold finite numbers')
  const positions = Float64Array.from(points)
  const triangles = quickhull(positions) ?? refuse('all points are in one plane, or nearly so')
  const surface = surfaceFrom(positions, triangles)
  return solidShape('hull', surface, roomWithin(surface), true)
}

/** Distance from the mean of the corners to the nearest face [m]: a ball of this radius is inside. */
function roomWithin({ tree }: MeshSurface): number {
  const { positions, triangles } = tree
  const center = new Float64Array(3)
  for (let k = 0; k < triangles.length; k++) {
    for (let d = 0; d < 3; d++) center[d] = center[d]! + positions[3 * triangles[k]! + d]! / triangles.length
  }
  tree.nearest(center)
  return Math.sqrt(found[3]!)
}

import type { ColliderShape } from './shape.js'

/** Looks at the distance at most so often on one way. */
const LOOKS = 64
const LOOKS_CONCAVE = 512
const REFINED = 16

/** How near counts as a touch, and the least step past a concave shape; both as shares of the way. */
const TOUCH = 1e-9
const LEAST_STEP = 1 / LOOKS_CONCAVE
/** A way that closes in by less than this share of its length runs along the surface: rounding alone lets it touch. */
const ALONG = 1e-12
/** And one that closes in by more than this share does not slip past an edge. */
const HEAD_ON = 1e-3

/** A straight way in a shape's own frame: start [m] at 0..2, what it leads to minus that at 3..5, thickness at 6. */
export const WAY = 8
export const THICKNESS = 6
/** Place in a way of the share at which it touches. */
export const TOUCHED = 7

/**
 * Follows a way until it comes as near to the shape as the thickness, inwards; false where it never does. Then
 * way[TOUCHED] is the share of the way there, and `query` holds the place, its distance and the normal.
 *
 * Along a line the distance from a convex body is a convex function. Newton's steps towards its first zero therefore
 * never pass it, so that a way is neither stopped too late nor, where the distance grows again, at all. Past a concave
 * shape each step is the distance itself (sphere tracing, Hart 1996).
 */
export function trace(shape: ColliderShape, way: Float64Array, query: Float64Array): boolean {
  if (shape.enter) return shape.enter(way, query)
  const dx = way[3]!
  const dy = way[4]!
  const dz = way[5]!
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
  const looks = shape.convex ? LOOKS : LOOKS_CONCAVE
  const along = ALONG * length
  let share = 0
  let refined = 0
  // Normal and closing of the look before.
  let nx = 0
  let ny = 0
  let nz = 0
  let closed = 0
  for (let look = 0; look < looks; look++) {
    query[0] = way[0]! + share * dx
    query[1] = way[1]! + share * dy
    query[2] = way[2]! + share * dz
    shape.distance(query)
    way[TOUCHED] = share
    const gap = query[3]! - way[THICKNESS]!
    const closing = -(query[4]! * dx + query[5]! * dy + query[6]! * dz)
    if (closing > along && (gap <= TOUCH * length || refined > 0)) {
      if (shape.convex || share === 0 || Math.abs(gap) <= TOUCH * length || refined === REFINED) return true
      refined++ // a step past a concave shape has led inside: back to its surface
      share = Math.max(0, share + gap / closing)
    } else if (shape.convex) {
      if (!(closing > along)) {
        if (!(gap <= TOUCH * length && closed > HEAD_ON * length)) return false
        // Right on an edge, where a box has the normal of the face beside: what came upon it touches nevertheless.
        query[4] = nx
        query[5] = ny
        query[6] = nz
        return true
      }
      share += gap / closing
    } else share += Math.max(Math.abs(gap) / length, LEAST_STEP)
    if (!(share < 1)) return false
    nx = query[4]!
    ny = query[5]!
    nz = query[6]!
    closed = closing
  }
  return true // so near to a touch that it counts as one
}

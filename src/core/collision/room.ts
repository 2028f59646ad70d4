import type { Vec3 } from '../vectors.js'
import { box } from './box.js'
import { castAlong, SENSE } from './cast.js'
import type { ColliderShape } from './shape.js'

/**
 * All that is outside of a box about its own origin: six walls without end that face each other, and keep what is within.
 * @param halfExtents half of each side of the room [m], above zero
 */
export function room(halfExtents: Vec3): ColliderShape {
  const inner = box(halfExtents)
  return Object.freeze({
    name: 'room',
    inradius: Number.POSITIVE_INFINITY,
    convex: false, // in a corner a point touches three walls
    distance(query: Float64Array) {
      inner.distance(query)
      for (let d = 3; d < 7; d++) query[d] = -query[d]!
    },
    cast(ray: Float64Array, query: Float64Array) {
      ray[SENSE] = -ray[SENSE]!
      const meets = castAlong(inner, ray, query)
      for (let d = 4; d < 7; d++) query[d] = -query[d]!
      return meets
    },
  })
}

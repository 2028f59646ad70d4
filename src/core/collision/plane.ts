import type { ColliderShape } from './shape.js'

/** Half space: solid below y = 0 in its own frame. */
export function plane(): ColliderShape {
  return planeShape
}

const planeShape: ColliderShape = Object.freeze({
  name: 'plane',
  inradius: Number.POSITIVE_INFINITY,
  convex: true,
  distance(query: Float64Array) {
    query[3] = query[1]!
    query[4] = 0
    query[5] = 1
    query[6] = 0
  },
})

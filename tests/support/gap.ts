import { NEAR, near, nearestOnTriangle } from '../../src/core/collision/soft/closest.js'
import type { Body } from '../../src/headless.js'
import { inside } from './inside.js'
import { positionsOf } from './laws.js'

/** Least distance of a surface particle of `one` from the surface of the solid `other` [m], below zero within it. */
export function gapOf(one: Body, other: Body): number {
  const x = positionsOf(one)
  const y = positionsOf(other)
  const { triangles } = other.model
  // The particle in hand comes after the other's.
  const all = new Float64Array(y.length + 3)
  all.set(y)
  let least = Number.POSITIVE_INFINITY
  for (const i of new Set(one.model.triangles)) {
    for (let d = 0; d < 3; d++) all[y.length + d] = x[i * 3 + d]!
    let square = Number.POSITIVE_INFINITY
    for (let t = 0; t < triangles.length; t += 3) {
      nearestOnTriangle(all, y.length, triangles[t]! * 3, triangles[t + 1]! * 3, triangles[t + 2]! * 3)
      square = Math.min(square, near[NEAR.SQUARE]!)
    }
    const within = inside(y, triangles, [x[i * 3]!, x[i * 3 + 1]!, x[i * 3 + 2]!])
    least = Math.min(least, within ? -Math.sqrt(square) : Math.sqrt(square))
  }
  return least
}

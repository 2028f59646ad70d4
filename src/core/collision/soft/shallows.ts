import type { State } from '../../state.js'
import { type Surfaces, shallow } from './surfaces.js'

/** Points of an overlap that are looked at, at most: the more, the better its depth is known. */
const POINTS = 24

/** What a ray starts beyond, in sizes of the body that it leaves: the surface that it starts on is not its way out. */
const BEYOND = 1e-6

/** Whose a point of an overlap is: of the first body, in the second one, the other way round, or of both where it is in both. */
export const SIDE = { FIRST: 1, SECOND: 2, BOTH: 3 } as const

/** How far that way is [m], of the last overlap that was shallow. */
export const shallowDepth = new Float64Array(1)

/** Start, direction and, once followed, length of a ray inside a body [m]. */
const ray = new Float64Array(7)

/**
 * True where bodies a and b come apart within shallow[0] if a is moved along the unit vector at way[o]: each point of one
 * that is in the other leaves that one's surface so soon. @param points [3 n] of the overlap @param sides whose each is,
 * `SIDE`
 */
export function isShallow(
  state: State,
  surfaces: Surfaces,
  a: number,
  b: number,
  points: Float64Array,
  sides: Uint8Array,
  count: number,
  way: Float64Array,
  o: number,
): boolean {
  const stride = Math.ceil(count / POINTS)
  shallowDepth[0] = 0
  for (let k = 0; k < count; k += stride) {
    let longest = 0
    let shortest = Number.POSITIVE_INFINITY
    for (let one = SIDE.FIRST; one <= SIDE.SECOND; one++) {
      if ((sides[k]! & one) === 0) continue
      const sign = one === SIDE.FIRST ? 1 : -1
      for (let d = 0; d < 3; d++) {
        ray[d] = points[k * 3 + d]!
        ray[3 + d] = sign * way[o + d]!
      }
      leave(state.previous, surfaces, one === SIDE.FIRST ? b : a)
      longest = Math.max(longest, ray[6]!)
      shortest = Math.min(shortest, ray[6]!)
    }
    if (shortest === 0) continue
    if (longest >= shallow[0]!) return false
    shallowDepth[0] = Math.max(shallowDepth[0], longest)
  }
  return true
}

/** Half the way from x[p] towards x[q] to where that leaves a body, or to x[q], into `out`. */
export function halfWayIn(
  x: Float64Array,
  p: Float64Array,
  q: number,
  surfaces: Surfaces,
  body: number,
  out: Float64Array,
): void {
  let square = 0
  for (let d = 0; d < 3; d++) {
    ray[d] = p[d]!
    ray[3 + d] = x[q + d]! - p[d]!
    square += ray[3 + d]! * ray[3 + d]!
  }
  const size = Math.sqrt(square)
  for (let d = 3; d < 6; d++) ray[d] = size > 0 ? ray[d]! / size : 0
  leave(x, surfaces, body)
  const half = ray[6] === 0 ? 0 : 0.5 * Math.min(ray[6]!, size)
  for (let d = 0; d < 3; d++) out[d] = p[d]! + half * ray[3 + d]!
}

/** How far the ray is inside a body, into ray[6]: to the first place where it leaves it, 0 where it comes from outside. */
function leave(x: Float64Array, { triangles, triangleStarts, solid, bodies }: Surfaces, body: number): void {
  ray[6] = 0
  if (solid[body] === 0) return
  const px = ray[0]!
  const py = ray[1]!
  const pz = ray[2]!
  const dx = ray[3]!
  const dy = ray[4]!
  const dz = ray[5]!
  const least = BEYOND * bodies[body]!.model.size
  let nearest = Number.POSITIVE_INFINITY
  let outward = false
  for (let t = triangleStarts[body]! * 3; t < triangleStarts[body + 1]! * 3; t += 3) {
    const a = triangles[t]! * 3
    const b = triangles[t + 1]! * 3
    const c = triangles[t + 2]! * 3
    const ax = x[a]! - px
    const ay = x[a + 1]! - py
    const az = x[a + 2]! - pz
    const bx = x[b]! - px
    const by = x[b + 1]! - py
    const bz = x[b + 2]! - pz
    const cx = x[c]! - px
    const cy = x[c + 1]! - py
    const cz = x[c + 2]! - pz
    // Six times the volumes that the ray's direction spans with the three sides: all of one sign where it goes through.
    const u = dx * (by * cz - bz * cy) + dy * (bz * cx - bx * cz) + dz * (bx * cy - by * cx)
    const v = dx * (cy * az - cz * ay) + dy * (cz * ax - cx * az) + dz * (cx * ay - cy * ax)
    const w = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx)
    if (!((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))) continue
    const sum = u + v + w
    if (sum === 0) continue
    const far =
      (u * (ax * dx + ay * dy + az * dz) + v * (bx * dx + by * dy + bz * dz) + w * (cx * dx + cy * dy + cz * dz)) / sum
    if (far <= least || far >= nearest) continue
    nearest = far
    outward = sum > 0
  }
  if (outward) ray[6] = nearest
}

import { clip, span } from '../rayBox.js'
import type { ColliderShape } from './shape.js'

/** How near a ray comes to a surface to have met it: [m], and as a share of the way. */
const TOUCH = 1e-9
/** Looks at most so often at the distance on one way, and so far [m]. */
const LOOKS = 512
const FARTHEST = 1e9

/**
 * A ray in a shape's own frame: origin [m] at 0..2, unit direction at 3..5; looked at from and to [m]; the sense in which
 * it is to pass the surface; where it does [m].
 */
export const RAY = 10
export const FROM = 6
export const TO = 7
export const SENSE = 8
export const MET = 9

/** Into what is solid, and out of it. */
export const ENTERS = 1
export const LEAVES = -1

/** Of what shapes without a `cast` are asked. */
const look = new Float64Array(7)

/** How far from a surface, `far` along a ray, still counts as on it [m]. */
export const touchAt = (far: number): number => TOUCH * (1 + far)

/**
 * Finds where a ray first meets a shape, from outside the way in, from inside the way out; false where it does not before
 * `TO`. Then ray[MET] is how far that is, and query[4..6] the outward unit normal there. A ray that starts on the surface
 * meets it there if it leads inwards. Changes what `FROM`, `TO` and `SENSE` were.
 */
export function castAt(shape: ColliderShape, ray: Float64Array, query: Float64Array): boolean {
  ray[SENSE] = ENTERS
  span[0] = ray[FROM]!
  span[1] = ray[TO]!
  if (shape.bounds && !clip(ray, shape.bounds, 0)) return false
  if (shape.bounds && span[0] > ray[FROM]!) return castAlong(shape, ray, query)
  const from = ray[FROM]!
  const touch = touchAt(from)
  lookAt(shape, ray, from)
  const closing = -(look[4]! * ray[3]! + look[5]! * ray[4]! + look[6]! * ray[5]!)
  if (Math.abs(look[3]!) > touch) {
    if (look[3]! < 0) ray[SENSE] = LEAVES
    return castAlong(shape, ray, query)
  }
  if (closing > 0) return meets(ray, from, query)
  // What is left from its surface is not met there.
  ray[FROM] = from + touch
  return castAlong(shape, ray, query)
}

/**
 * Finds where a ray, from `FROM` on, first passes a shape's surface in the sense that `SENSE` tells; see `castAt`. By
 * `shape.cast`, where it has one. Else a convex shape is asked by Newton's steps along its distance, which is a convex
 * function of the way: towards the way in from before it, towards the way out from behind it, so that none passes it. What
 * is neither is asked by steps of the distance itself (sphere tracing, Hart 1996), which take many along a surface: after
 * `LOOKS` of them the ray counts as passing by.
 */
export function castAlong(shape: ColliderShape, ray: Float64Array, query: Float64Array): boolean {
  const from = ray[FROM]!
  span[0] = from
  span[1] = Math.min(ray[TO]!, FARTHEST)
  if (shape.bounds && !clip(ray, shape.bounds, 0)) return false
  ray[FROM] = span[0]!
  ray[TO] = span[1]!
  if (shape.cast) return shape.cast(ray, query)
  if (!shape.convex) return march(shape, ray, query, span[0] > from)
  return ray[SENSE] === ENTERS ? enter(shape, ray, query, span[0] > from) : leave(shape, ray, query)
}

/** The way into a convex shape. @param away false where the ray may start on the surface, which it then leaves */
function enter(shape: ColliderShape, ray: Float64Array, query: Float64Array, away: boolean): boolean {
  let far = ray[FROM]!
  for (let k = 0; k < LOOKS; k++) {
    const closing = lookAt(shape, ray, far)
    const touches = look[3]! <= touchAt(far)
    if (touches && (closing > 0 || away || k > 0)) return meets(ray, far, query)
    if (touches || !(closing > 0)) return false
    far += look[3]! / closing
    if (!(far <= ray[TO]!)) return false
  }
  return false
}

/** The way out of a convex shape, which holds the ray at `FROM`. */
function leave(shape: ColliderShape, ray: Float64Array, query: Float64Array): boolean {
  let far = ray[TO]!
  for (let k = 0; k < LOOKS; k++) {
    const opening = -lookAt(shape, ray, far)
    const touches = Math.abs(look[3]!) <= touchAt(far)
    if (touches && !(opening > 0 && look[3]! > 0)) return meets(ray, far, query)
    // The end of the way is within, or rounding alone has led there.
    if (!(opening > 0) || (k === 0 && look[3]! < 0)) return false
    far = Math.max(ray[FROM]!, Math.min(ray[TO]!, far - look[3]! / opening))
    if (touches) return meets(ray, far, query)
  }
  return false
}

function march(shape: ColliderShape, ray: Float64Array, query: Float64Array, started: boolean): boolean {
  let far = ray[FROM]!
  let away = started
  for (let k = 0; k < LOOKS; k++) {
    lookAt(shape, ray, far)
    const touches = Math.abs(look[3]!) <= touchAt(far)
    if (touches && away) return meets(ray, far, query)
    away ||= !touches
    far += Math.max(Math.abs(look[3]!), touchAt(far))
    if (!(far <= ray[TO]!)) return false
  }
  return false
}

/** Distance and normal at `far` along the ray, into `look`; returns the share of the way by which it closes in. */
function lookAt(shape: ColliderShape, ray: Float64Array, far: number): number {
  for (let d = 0; d < 3; d++) look[d] = ray[d]! + far * ray[3 + d]!
  shape.distance(look)
  return -(look[4]! * ray[3]! + look[5]! * ray[4]! + look[6]! * ray[5]!)
}

/** The ray meets the surface where `look` is of. */
function meets(ray: Float64Array, far: number, query: Float64Array): boolean {
  ray[MET] = far
  for (let d = 0; d < 7; d++) query[d] = look[d]!
  return true
}

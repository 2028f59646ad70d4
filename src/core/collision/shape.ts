import { SettingError } from '../validation.js'

/**
 * A collider's shape: a signed distance in its own frame.
 * `distance` reads the point at query[0..2] and writes the signed distance at query[3] [m], negative inside, and the
 * outward unit normal of the nearest surface at query[4..6]. Numbers travel by array since a call with numbers
 * allocates.
 */
export interface ColliderShape {
  readonly name: string
  /**
   * Radius of the largest ball inside [m], or less; the thinner the shape, the slower the points whose way is followed.
   * 0 has every way followed: what has thin parts, or two sides and no inside, cannot be judged by where a way ends.
   */
  readonly inradius: number
  /**
   * True where a line enters at most once: the way of a fast point is then followed in a few steps. Where it is false a
   * point may touch in several places at once, as in a groove, and up to three of them are resolved.
   */
  readonly convex: boolean
  /** A box that holds it: smallest x, y, z, then largest [m]. Absent: without end. What is far from it costs little. */
  readonly bounds?: Float64Array
  /** True where a distance takes longer than a look at how far the last one has been left. */
  readonly costly?: boolean
  distance(query: Float64Array): void
  /**
   * Follows a way inwards, for shapes that know better than `trace` does by the distance: see there. It must find
   * every way through the surface, also one that goes in and out again.
   */
  enter?(way: Float64Array, query: Float64Array): boolean
  /**
   * Where a ray passes the surface, in the sense that it is asked for: for shapes that know better than `castAlong` does
   * by the distance, see there. Writes ray[MET] and the outward unit normal at query[4..6].
   */
  cast?(ray: Float64Array, query: Float64Array): boolean
}

/** @throws SettingError for what is no shape */
export function checkShape(component: string, shape: unknown): void {
  if (typeof (shape as ColliderShape | null | undefined)?.distance === 'function') return
  const remedy = 'Give what sphere(1), box([1, 1, 1]) or another function of shapes returns.'
  throw new SettingError(component, 'shape', shape, 'is no shape', remedy)
}

/**
 * A collider's shape: a signed distance in its own frame.
 * `distance` reads the point at query[0..2] and writes the signed distance at query[3] [m], negative inside, and the
 * outward unit normal of the nearest surface at query[4..6]. Numbers travel by array since a call with numbers
 * allocates.
 */
export interface ColliderShape {
  readonly name: string
  /** Radius of the largest ball inside [m]; the thinner the shape, the slower the points whose way is followed. */
  readonly inradius: number
  /** True where a line enters at most once: the way of a fast point is then followed in a few steps. */
  readonly convex: boolean
  distance(query: Float64Array): void
}

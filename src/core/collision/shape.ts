/**
 * A collider's shape: a signed distance in its own frame.
 * `distance` reads the point at query[0..2] and writes the signed distance at query[3] [m], negative inside, and the
 * outward unit normal of the nearest surface at query[4..6]. Numbers travel by array since a call with numbers
 * allocates.
 */
export interface ColliderShape {
  readonly name: string
  distance(query: Float64Array): void
}

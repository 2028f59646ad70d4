/** Points tied to the particles of a tetrahedral mesh: x = sum of weights times particles. */
export interface Embedding {
  /** [4 p] particles of the tetrahedron that carries each point. */
  readonly particles: Uint32Array
  /** [4 p] barycentric weights, sum 1; negative or above 1 for a point outside the tetrahedra. */
  readonly weights: Float64Array
  /** [p] distance to the tetrahedra [m]; 0 inside. */
  readonly outside: Float64Array
}
export function* embed(
  _mesh: { readonly positions: Float64Array; readonly tets: Uint32Array },
  _points: Float64Array,
): Generator<void, Embedding> {
  throw new Error('not written yet')
}

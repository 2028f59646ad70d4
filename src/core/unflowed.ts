import { shapeMatching } from './constraints/shapeMatching.js'
import type { Model } from './model.js'

/** Where the places at rest begin in `plastic`, after the tetrahedra's. */
export const placesAt = ({ tets }: Model): number => (tets.length / 4) * 9

/**
 * What a body that can flow keeps, before anything has: F_p^-1 of each tetrahedron, then the places of its particles in
 * the shape that it has as a whole, about their centre of mass [9 t + 3 n].
 */
export function unflowed(model: Model): Float64Array {
  const at = placesAt(model)
  const plastic = new Float64Array(at + model.positions.length)
  for (let k = 0; k < at; k += 9) plastic[k] = plastic[k + 4] = plastic[k + 8] = 1
  const indices = Uint32Array.from({ length: model.particleCount }, (_, i) => i)
  shapeMatching.measure(model.positions, indices, 0, indices.length, model.massShares, plastic, at)
  return plastic
}

import { adjugate } from '../math/adjugate.js'
import type { Vec3 } from '../vectors.js'

/** Particles of a rigid part, at rest. */
export interface Part {
  readonly particles: readonly number[]
  readonly center: Vec3
  /** The inverse of sum m q q^T about the centre, row by row. */
  readonly inverse: readonly number[]
  readonly mass: number
}

/** @param weights mass of each particle of the body relative to the others */
export function partOf(particles: readonly number[], x: Float64Array, weights: ArrayLike<number>): Part {
  let mass = 0
  const sum = [0, 0, 0]
  for (const i of particles) {
    mass += weights[i]!
    for (let d = 0; d < 3; d++) sum[d]! += weights[i]! * x[i * 3 + d]!
  }
  const center: Vec3 = [sum[0]! / mass, sum[1]! / mass, sum[2]! / mass]
  const m = Array.from({ length: 9 }, () => 0)
  for (const i of particles) {
    for (let k = 0; k < 9; k++) {
      const [row, column] = [Math.floor(k / 3), k % 3]
      m[k]! += weights[i]! * (x[i * 3 + row]! - center[row]!) * (x[i * 3 + column]! - center[column]!)
    }
  }
  const inverse = new Float64Array(10)
  adjugate(m, inverse)
  return { particles, center, inverse: Array.from(inverse.subarray(0, 9), (entry) => entry / inverse[9]!), mass }
}

/**
 * Weights b of a part's particles, sum 1, with sum b x = point at rest, and for every affine motion of the part where
 * that takes the point: b_i = m_i (1 / M + q_i^T Q^-1 (point - c)). A pull at the point spreads over the part by these,
 * so that it moves and turns as a whole.
 */
export function pointOf(part: Part, x: Float64Array, weights: ArrayLike<number>, point: Vec3): number[] {
  const { center, inverse, mass, particles } = part
  const s = [0, 1, 2].map((row) =>
    [0, 1, 2].reduce((sum, d) => sum + inverse[row * 3 + d]! * (point[d]! - center[d]!), 0),
  )
  return particles.map((i) => {
    const along = [0, 1, 2].reduce((sum, d) => sum + (x[i * 3 + d]! - center[d]!) * s[d]!, 0)
    return weights[i]! * (1 / mass + along)
  })
}

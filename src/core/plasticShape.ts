import { extractRotation, quaternionToMatrix } from './math/rotation.js'
import type { ConstraintSet, Model } from './model.js'
import { type BodyRecord, RESCUE } from './records.js'
import type { State } from './state.js'
import { placesAt } from './unflowed.js'

const c = new Float64Array(3)
const A = new Float64Array(9)
const R = new Float64Array(9)
const q = new Float64Array(4)

/**
 * Lets the shape that a body has as a whole follow what has flowed: particle i goes the share flowed[i] / volumes[i] of the
 * way from its place in that shape to where it is now, seen in the frame that fits best (plasticity of shape matching,
 * Mueller et al. 2005). What holds a body's shape, its support or its rescue, then holds its dents too. Empties `flowed`.
 */
export function followShape(
  state: State,
  { model, start, plastic, rescue }: BodyRecord,
  flowed: Float64Array,
  volumes: Float64Array,
): void {
  const { positions: x } = state
  const { massShares, particleCount } = model
  const at = placesAt(model)
  c.fill(0)
  for (let i = 0; i < particleCount; i++) {
    for (let d = 0; d < 3; d++) c[d] = c[d]! + massShares[i]! * x[(start + i) * 3 + d]!
  }
  A.fill(0)
  for (let i = 0; i < particleCount; i++) {
    for (let d = 0; d < 3; d++) {
      const along = massShares[i]! * (x[(start + i) * 3 + d]! - c[d]!)
      for (let e = 0; e < 3; e++) A[d * 3 + e] = A[d * 3 + e]! + along * plastic[at + i * 3 + e]!
    }
  }
  for (let k = 0; k < 4; k++) q[k] = rescue[RESCUE.ROTATION + k]!
  extractRotation(A, q, 0)
  quaternionToMatrix(q, 0, R)
  for (let i = 0; i < particleCount; i++) {
    if (flowed[i] === 0) continue
    const share = flowed[i]! / volumes[i]!
    flowed[i] = 0
    const p = (start + i) * 3
    for (let e = 0; e < 3; e++) {
      let place = 0
      for (let d = 0; d < 3; d++) place += R[d * 3 + e]! * (x[p + d]! - c[d]!)
      plastic[at + i * 3 + e] = plastic[at + i * 3 + e]! + share * (place - plastic[at + i * 3 + e]!)
    }
  }
  c.fill(0)
  for (let i = 0; i < particleCount; i++) {
    for (let d = 0; d < 3; d++) c[d] = c[d]! + massShares[i]! * plastic[at + i * 3 + d]!
  }
  for (let i = 0; i < particleCount; i++) {
    for (let d = 0; d < 3; d++) plastic[at + i * 3 + d] = plastic[at + i * 3 + d]! - c[d]!
  }
}

/** Sum of the volumes of a set's tetrahedra at each particle [m^3]. */
export function volumesOf({ particleCount }: Model, { indices, unitCompliance }: ConstraintSet): Float64Array {
  const volumes = new Float64Array(particleCount)
  for (let k = 0; k < indices.length; k++) {
    const i = indices[k]!
    volumes[i] = volumes[i]! + 1 / unitCompliance[k >> 2]!
  }
  return volumes
}

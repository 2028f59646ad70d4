import type { State } from '../../state.js'
import type { SoftPairs } from './softPairs.js'

const slip = new Float64Array(3)

/** Takes the share `share[0]` of a pair's relative velocity across its normal away. @param w inverse masses [1/kg] */
export function dampSlip(
  { velocities: v }: State,
  { particles, weights, normals }: SoftPairs,
  pair: number,
  w: Float64Array,
  share: Float64Array,
): void {
  let inverse = 0
  let along = 0
  slip.fill(0)
  for (let k = pair * 4; k < pair * 4 + 4; k++) {
    const b = weights[k]!
    const i = particles[k]!
    inverse += b * b * w[i]!
    for (let d = 0; d < 3; d++) slip[d] = slip[d]! + b * v[i * 3 + d]!
  }
  if (inverse === 0) return
  for (let d = 0; d < 3; d++) along += slip[d]! * normals[pair * 3 + d]!
  for (let d = 0; d < 3; d++) slip[d] = (share[0]! * (slip[d]! - along * normals[pair * 3 + d]!)) / inverse
  for (let k = pair * 4; k < pair * 4 + 4; k++) {
    const s = weights[k]! * w[particles[k]!]!
    if (s === 0) continue
    const p = particles[k]! * 3
    for (let d = 0; d < 3; d++) v[p + d] = v[p + d]! - s * slip[d]!
  }
}

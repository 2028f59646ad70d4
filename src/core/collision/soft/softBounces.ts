import type { State } from '../../state.js'
import { TOUCH, type Touches } from '../touches.js'
import { findGiving, giving } from './giving.js'
import type { SoftPairs } from './softPairs.js'

/** Pairs that touch. */
interface Listed {
  readonly pairs: Uint32Array
  readonly count: number
}

const slip = new Float64Array(3)

/**
 * Gives back a share of each approach speed, where it is more than resting under gravity makes.
 * @param w inverse masses [1/kg]
 * @param touches are told of what that gives
 */
export function bouncePairs(state: State, pairs: SoftPairs, list: Listed, w: Float64Array, touches: Touches): void {
  const { velocities: v } = state
  const { touch } = touches
  const { particles, weights, normals } = pairs
  for (let l = 0; l < list.count; l++) {
    const pair = list.pairs[l]!
    const struck = pairs.struck[pair] === 1
    const restitution = pairs.restitution[pair]!
    if (pairs.push[pair]! <= 0 || (restitution === 0 && !struck)) continue
    let bounce = -restitution * pairs.approach[pair]!
    if (pairs.approach[pair]! > -pairs.slowest[pair]!) {
      if (!struck) continue
      bounce = 0
    }
    const n = pair * 3
    let now = 0
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const b = weights[k]!
      const p = particles[k]! * 3
      now += b * (v[p]! * normals[n]! + v[p + 1]! * normals[n + 1]! + v[p + 2]! * normals[n + 2]!)
    }
    findGiving(w, particles, pair * 4, weights, pair * 4, 4)
    const inverse = giving[0]!
    const gain = giving[1]! * (bounce - now)
    if (gain <= 0 || inverse === 0) continue
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const s = (gain * weights[k]! * w[particles[k]!]!) / inverse
      const p = particles[k]! * 3
      for (let d = 0; d < 3; d++) v[p + d] = v[p + d]! + s * normals[n + d]!
    }
    if (pairs.first[pair] === pairs.second[pair]) continue
    for (let d = 0; d < 3; d++) touch[TOUCH.WHOLE + d] = (gain * normals[n + d]!) / inverse
    touches.addToBodies(pairs.first[pair]!, pairs.second[pair]!)
  }
}

/** Contact damping of surfaces that touch: the larger share of the two bodies counts, and each pair keeps its momentum. */
export function dampSlips(
  state: State,
  pairs: SoftPairs,
  list: Listed,
  w: Float64Array,
  shares: readonly Float64Array[],
): void {
  for (let l = 0; l < list.count; l++) {
    const pair = list.pairs[l]!
    if (!(pairs.push[pair]! > 0)) continue
    const one = shares[pairs.first[pair]!]!
    const two = shares[pairs.second[pair]!]!
    const share = one[0]! > two[0]! ? one : two
    if (share[0] !== 0) dampSlip(state, pairs, pair, w, share)
  }
}

/** Takes the share `share[0]` of a pair's relative velocity across its normal away. @param w inverse masses [1/kg] */
function dampSlip(
  { velocities: v }: State,
  { particles, weights, normals }: SoftPairs,
  pair: number,
  w: Float64Array,
  share: Float64Array,
): void {
  let along = 0
  slip.fill(0)
  for (let k = pair * 4; k < pair * 4 + 4; k++) {
    const b = weights[k]!
    const p = particles[k]! * 3
    for (let d = 0; d < 3; d++) slip[d] = slip[d]! + b * v[p + d]!
  }
  findGiving(w, particles, pair * 4, weights, pair * 4, 4)
  const inverse = giving[0]!
  const taken = giving[1]! * share[0]!
  if (inverse === 0) return
  for (let d = 0; d < 3; d++) along += slip[d]! * normals[pair * 3 + d]!
  for (let d = 0; d < 3; d++) slip[d] = (taken * (slip[d]! - along * normals[pair * 3 + d]!)) / inverse
  for (let k = pair * 4; k < pair * 4 + 4; k++) {
    const s = weights[k]! * w[particles[k]!]!
    if (s === 0) continue
    const p = particles[k]! * 3
    for (let d = 0; d < 3; d++) v[p + d] = v[p + d]! - s * slip[d]!
  }
}

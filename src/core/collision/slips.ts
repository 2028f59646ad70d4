import type { State } from '../state.js'
import { Bounces } from './bounces.js'
import { frame, inverseMass, point } from './touching.js'

/** Velocity of a point across the normal, less that of the collider's surface [m/s]. */
const slip = new Float64Array(3)

/**
 * Contact damping: what touches a collider slides on it ever slower, v <- v exp(-k h) across the normal and against the
 * collider's own surface, however hard it is pressed. Friction by Coulomb's law comes on top.
 */
export class Slips extends Bounces {
  /** By pair: the slip that is to be left [3 n] m/s. */
  private left = new Float64Array(0)

  /**
   * Damps the slips of the pairs that push; velocities are known. Feelers share particles: what each point shall be left
   * with is noted before any is changed, so that none is damped twice.
   * @param shares by live body, what its points lose of their slip in the substep
   */
  dampSlips(state: State, shares: readonly Float64Array[]): void {
    if (this.active === 0) return
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      const share = shares[b]!
      const first = this.bodyPairs[b]!
      const end = this.bodyPairs[b + 1]!
      if (share[0] === 0 || first === end) continue
      if (this.left.length < this.count * 3) this.left = new Float64Array(this.capacity * 3)
      for (let pair = first; pair < end; pair++) {
        if (this.push[pair] === 0) continue
        this.findSlip(state, pair)
        for (let d = 0; d < 3; d++) this.left[pair * 3 + d] = (1 - share[0]!) * slip[d]!
      }
      for (let pair = first; pair < end; pair++) {
        if (this.push[pair] === 0) continue
        this.weigh(state, pair)
        if (inverseMass[0] === 0) continue
        this.findSlip(state, pair)
        this.slowPair(state, pair)
      }
    }
  }

  /** Brings a pair's slip to what is to be left of it. */
  private slowPair(state: State, pair: number): void {
    const { velocities: v, inverseMasses: w } = state
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const s = (this.weights[k]! * w[this.particles[k]!]!) / inverseMass[0]!
      if (s === 0) continue
      const p = this.particles[k]! * 3
      for (let d = 0; d < 3; d++) v[p + d] = v[p + d]! + s * (this.left[pair * 3 + d]! - slip[d]!)
    }
  }

  private findSlip(state: State, pair: number): void {
    const v = state.velocities
    const n = pair * 3
    this.locate(state, pair)
    this.poses.shift(this.collider[pair]!, point, frame, 3)
    for (let d = 0; d < 3; d++) frame[d] = this.normals[n + d]!
    this.poses.carry(this.collider[pair]!, this.h, frame, frame, 3)
    let along = 0
    for (let d = 0; d < 3; d++) {
      slip[d] = -frame[3 + d]! / this.h[0]!
      for (let k = pair * 4; k < pair * 4 + 4; k++) {
        slip[d] = slip[d]! + this.weights[k]! * v[this.particles[k]! * 3 + d]!
      }
      along += slip[d]! * frame[d]!
    }
    for (let d = 0; d < 3; d++) slip[d] = slip[d]! - along * frame[d]!
  }
}

import type { State } from '../../state.js'
import type { Borne } from './borne.js'
import { findGiving, giving } from './giving.js'
import type { SoftPairs } from './softPairs.js'
import { isSpent, spend } from './work.js'

/** Speed at which what was too near comes apart [m/s], and the share of what is missing that a substep gives back. */
const RECOVERY_SPEED = 2
const RECOVERY_SHARE = 0.25

/** Sweeps over the pairs that touch: at least, and at most where they do not settle. */
const SWEEPS = 4
const MOST_SWEEPS = 40

/** What a sweep may still move a pair by, in thicknesses, when it counts as settled. */
const SETTLED = 1e-3

/** Solves pairs that touch, one after the other, so that each push and rub keeps momentum. */
export class SoftSolver {
  /** 1 while sweeps rub, else 0. */
  private readonly rubs = new Float64Array(1)
  /** What the last sweep has moved a pair by at most, in thicknesses. */
  private readonly residual = new Float64Array(1)

  /** @param h length of a substep [s], by array */
  constructor(
    private readonly pairs: SoftPairs,
    private readonly borne: Borne,
    private readonly h: Float64Array,
  ) {}

  /**
   * Sweeps over the touching pairs, there and back, until none moves any more, to a part of its thickness. Each substep
   * does the same: what is left over would else go to and fro between them. What `rubs` finds how much is rubbed off; what
   * does not takes back what the pushes no longer bear, but adds nothing, so that also what is jammed settles.
   */
  solve(state: State, pairs: Uint32Array, count: number, rubs: boolean): void {
    this.rubs[0] = rubs ? 1 : 0
    const most = isSpent() ? SWEEPS : MOST_SWEEPS
    for (let k = 0; k < most; k++) {
      if (!rubs) spend(count)
      this.residual[0] = 0
      for (let l = 0; l < count; l++) this.resolve(state, pairs[(k & 1) === 1 ? count - 1 - l : l]!)
      if (k + 1 >= SWEEPS && this.residual[0] < SETTLED) return
    }
  }

  /** Brings a pair apart to its thickness, or takes back what was too much, then rubs. */
  private resolve(state: State, pair: number): void {
    const { pairs } = this
    if (pairs.silent[pair] !== 0) return
    const { positions: x } = state
    const { mobility: w, from: y } = this.borne
    const { particles, weights, normals, drag } = pairs
    const k = pair * 4
    const n = pair * 3
    const nx = normals[n]!
    const ny = normals[n + 1]!
    const nz = normals[n + 2]!
    let gx = 0
    let gy = 0
    let gz = 0
    let fx = 0
    let fy = 0
    let fz = 0
    for (let l = k; l < k + 4; l++) {
      const b = weights[l]!
      const p = particles[l]! * 3
      gx += b * x[p]!
      gy += b * x[p + 1]!
      gz += b * x[p + 2]!
      fx += b * y[p]!
      fy += b * y[p + 1]!
      fz += b * y[p + 2]!
    }
    findGiving(w, particles, k, weights, k, 4)
    const inverse = giving[0]!
    const share = giving[1]!
    if (inverse === 0) return
    const thickness = pairs.thickness[pair]!
    const before = fx * nx + fy * ny + fz * nz
    // What was too near before the substep comes apart at a walk.
    const missing = thickness - before
    let target = thickness
    if (missing > 0) target = before + Math.min(RECOVERY_SHARE * missing, RECOVERY_SPEED * this.h[0]!)
    target = Math.min(target, pairs.goal[pair]!)
    const push = pairs.push[pair]!
    const depth = Math.max(share * (target - (gx * nx + gy * ny + gz * nz)), -push)
    if (push === 0) {
      if (depth <= 0) return
      this.remember(state, pair)
    }
    pairs.push[pair] = push + depth
    // What is left of the relative motion across the normal.
    let tx = gx - fx
    let ty = gy - fy
    let tz = gz - fz
    const along = tx * nx + ty * ny + tz * nz
    tx -= along * nx
    ty -= along * ny
    tz -= along * nz
    // Friction of the substep so far, less that, within the cone of the push so far.
    const rubs = this.rubs[0]!
    let rx = drag[n]! - rubs * tx
    let ry = drag[n + 1]! - rubs * ty
    let rz = drag[n + 2]! - rubs * tz
    const hold = pairs.friction[pair]! * (push + depth)
    const square = rx * rx + ry * ry + rz * rz
    if (square > hold * hold) {
      const scale = hold / Math.sqrt(square)
      rx *= scale
      ry *= scale
      rz *= scale
    }
    if (share < 1) {
      rx = drag[n]! + share * (rx - drag[n]!)
      ry = drag[n + 1]! + share * (ry - drag[n + 1]!)
      rz = drag[n + 2]! + share * (rz - drag[n + 2]!)
    }
    const ux = rx - drag[n]!
    const uy = ry - drag[n + 1]!
    const uz = rz - drag[n + 2]!
    drag[n] = rx
    drag[n + 1] = ry
    drag[n + 2] = rz
    const rub = Math.sqrt(ux * ux + uy * uy + uz * uz)
    this.residual[0] = Math.max(this.residual[0]!, (Math.abs(depth) + rub) / thickness)
    const cx = (depth * nx + ux) / inverse
    const cy = (depth * ny + uy) / inverse
    const cz = (depth * nz + uz) / inverse
    for (let l = k; l < k + 4; l++) {
      const i = particles[l]!
      const s = weights[l]! * w[i]!
      if (s === 0) continue
      const p = i * 3
      x[p] = x[p]! + s * cx
      x[p + 1] = x[p + 1]! + s * cy
      x[p + 2] = x[p + 2]! + s * cz
    }
  }

  /** Keeps the speed with which a pair's elements come together. */
  private remember({ velocities: v }: State, pair: number): void {
    const { pairs } = this
    let approach = 0
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const p = pairs.particles[k]! * 3
      for (let d = 0; d < 3; d++) approach += pairs.weights[k]! * v[p + d]! * pairs.normals[pair * 3 + d]!
    }
    pairs.approach[pair] = approach
  }
}

import { addStress, stress } from './constraints/neoHookeanStress.js'
import { diagonalise } from './math/eigen.js'
import { type BodyRecord, RESCUE } from './records.js'
import type { State } from './state.js'
import { turnsFreely } from './turning.js'
import { Unevenness } from './unevenness.js'
import { MOST, ROWS_A_CALL, type Unresolved } from './unresolved.js'

const center = new Float64Array(3)
/** Second moments sum m u u^T of the body in hand, u about its centre [kg m^2]: principal values, as they are, principal axes. */
const S = new Float64Array(9)
const spread = new Float64Array(9)
const axes = new Float64Array(9)
/** How unbalanced the stresses are, and sum k F F^T, along these axes (xx, yy, zz, xy, yz, zx) [kg m^2]. */
const G = new Float64Array(6)
const B = new Float64Array(6)
/** The correction, along these axes and in space. */
const local = new Float64Array(9)
const A = new Float64Array(9)
const T = new Float64Array(9)
const D = new Float64Array(3)

/**
 * Makes a body as stiff as it was set, in the mean: a sweep that resolves too little leaves it softer, or its volume stiffer.
 *
 * The mean stress of a body follows from its loads alone, sum V tau = sum f u^T, and with a linear material its mean strain
 * from that: the extension of a bar, dV = p / K. So after a sweep over its tetrahedra the one even strain A is found with which
 * what they have moved by balances their stresses where they are then: sum m dx u^T + h^2 sum V tau = 0, by a step of Newton
 * over all of it (a coarse grid of one cell: Galerkin; Trottenberg, Oosterlee and Schueller 2001). A has no angular momentum.
 *
 * Bodies whose middle tetrahedron is soft enough for a sweep are left as they are, those that are pinned (`PinnedStrain`),
 * and those in pieces or of several materials. So are those that are bent: there an even strain stretches what is across it,
 * its stress is made of what bends, and a thin plate was driven by it to ever wilder swings.
 */
export class MeanStrain {
  /** By body: sum m dx u^T of the substep's sweeps so far, its symmetric part [kg m^2]. */
  private moved = new Float64Array(0)
  private unevenness: readonly Unevenness[] = []
  /** By body: 1 where it is evenly strained, 0 where it is bent. */
  private shares = new Float64Array(0)

  constructor(private readonly unresolved: Unresolved) {}

  /** To be called when these bodies are baked. */
  bake(): void {
    const { bodies } = this.unresolved
    this.moved = new Float64Array(bodies.length * 6)
    this.unevenness = bodies.map(({ body }) => new Unevenness(body.model))
    this.shares = new Float64Array(bodies.length)
  }

  /** A step begins. */
  begin(state: State): void {
    const { bodies } = this.unresolved
    for (let k = 0; k < bodies.length; k++) {
      if (!bodies[k]!.body.asleep) this.unevenness[k]!.judge(state, bodies[k]!.body, this.shares, k)
    }
  }

  beginSubstep(): void {
    this.moved.fill(0)
  }

  /** A sweep over the tetrahedra is done. */
  project(state: State): void {
    const { bodies } = this.unresolved
    for (let k = 0; k < bodies.length; k++) {
      const { body, rows, row, to, stiffnesses } = bodies[k]!
      const { rescue } = body
      if (!(this.shares[k]! > 0)) continue
      if (rescue[RESCUE.RATE] !== 0 || rescue[RESCUE.BORNE] !== 0 || !turnsFreely(state, body)) continue
      this.measure(state, body, k * 6)
      stress.fill(0)
      for (let from = row; from < to; from += ROWS_A_CALL) {
        addStress(rows, from, Math.min(from + ROWS_A_CALL, to), state.positions, stiffnesses, row)
      }
      this.solve(k * 6, this.shares, k)
      this.strain(state, body, k * 6)
    }
  }

  /** Finds `center` and `S` of a body, and adds what the sweep has moved to `moved`. */
  private measure({ positions: x, masses }: State, { start, model, mass }: BodyRecord, at: number): void {
    const { before } = this.unresolved
    const o = start * 3
    const x0 = x[o]!
    const y0 = x[o + 1]!
    const z0 = x[o + 2]!
    let cx = 0
    let cy = 0
    let cz = 0
    let ox = 0
    let oy = 0
    let oz = 0
    let Sxx = 0
    let Syy = 0
    let Szz = 0
    let Sxy = 0
    let Syz = 0
    let Szx = 0
    let Mxx = 0
    let Myy = 0
    let Mzz = 0
    let Mxy = 0
    let Myz = 0
    let Mzx = 0
    for (let i = start; i < start + model.particleCount; i++) {
      const p = i * 3
      const m = masses[i]!
      const rx = x[p]! - x0
      const ry = x[p + 1]! - y0
      const rz = x[p + 2]! - z0
      const qx = m * rx
      const qy = m * ry
      const qz = m * rz
      const dx = m * (x[p]! - before[p]!)
      const dy = m * (x[p + 1]! - before[p + 1]!)
      const dz = m * (x[p + 2]! - before[p + 2]!)
      cx += qx
      cy += qy
      cz += qz
      ox += dx
      oy += dy
      oz += dz
      Sxx += qx * rx
      Syy += qy * ry
      Szz += qz * rz
      Sxy += qx * ry
      Syz += qy * rz
      Szx += qz * rx
      Mxx += dx * rx
      Myy += dy * ry
      Mzz += dz * rz
      Mxy += dx * ry + dy * rx
      Myz += dy * rz + dz * ry
      Mzx += dz * rx + dx * rz
    }
    cx /= mass
    cy /= mass
    cz /= mass
    center[0] = x0 + cx
    center[1] = y0 + cy
    center[2] = z0 + cz
    S[0] = Sxx - mass * cx * cx
    S[4] = Syy - mass * cy * cy
    S[8] = Szz - mass * cz * cz
    S[1] = S[3] = Sxy - mass * cx * cy
    S[5] = S[7] = Syz - mass * cy * cz
    S[2] = S[6] = Szx - mass * cz * cx
    const { moved } = this
    moved[at] = moved[at]! + Mxx - ox * cx
    moved[at + 1] = moved[at + 1]! + Myy - oy * cy
    moved[at + 2] = moved[at + 2]! + Mzz - oz * cz
    moved[at + 3] = moved[at + 3]! + 0.5 * (Mxy - ox * cy - oy * cx)
    moved[at + 4] = moved[at + 4]! + 0.5 * (Myz - oy * cz - oz * cy)
    moved[at + 5] = moved[at + 5]! + 0.5 * (Mzx - oz * cx - ox * cz)
  }

  /**
   * Finds A. The Hessian of the energy in an even strain has, along the principal axes of S, S_i + B_i + R and Q everywhere
   * for the strains along them, and for a shear 4 S_i S_j / (S_i + S_j) + B_i + B_j + 2 R: at rest 2 mu and lambda.
   */
  private solve(at: number, shares: Float64Array, k: number): void {
    for (let e = 0; e < 6; e++) G[e] = this.moved[at + e]! + stress[e]! - (e < 3 ? stress[6]! : 0)
    spread.set(S)
    diagonalise(S, axes)
    turnInto(axes, G)
    for (let e = 0; e < 6; e++) B[e] = stress[e]!
    turnInto(axes, B)
    // As far as positive: of what is inside out they may not be.
    const R = Math.max(0, stress[6]!)
    const Q = Math.max(0, stress[7]! - R)
    let sum = 0
    let soft = 0
    for (let d = 0; d < 3; d++) {
      D[d] = S[d * 4]! + B[d]! + R
      sum += G[d]! / D[d]!
      soft += 1 / D[d]!
    }
    const even = (Q * sum) / (1 + Q * soft)
    for (let d = 0; d < 3; d++) {
      const e = d === 2 ? 0 : d + 1
      const a = S[d * 4]!
      const b = S[e * 4]!
      local[d * 4] = (even - G[d]!) / D[d]!
      const shear = (-2 * G[3 + d]!) / ((4 * a * b) / (a + b) + B[d]! + B[e]! + 2 * R)
      local[d * 3 + e] = (2 * shear * a) / (a + b)
      local[e * 3 + d] = (2 * shear * b) / (a + b)
    }
    let most = 0
    for (let e = 0; e < 9; e++) most = Math.max(most, Math.abs(local[e]!))
    A.fill(0)
    if (!(most < Number.POSITIVE_INFINITY)) return // it lies in a plane or a point, with no inertia and no stress across
    const scale = shares[k]! * Math.min(1, MOST / most)
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        T[i * 3 + j] = 0
        for (let d = 0; d < 3; d++) T[i * 3 + j] = T[i * 3 + j]! + scale * local[i * 3 + d]! * axes[j * 3 + d]!
      }
    }
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        for (let d = 0; d < 3; d++) A[i * 3 + j] = A[i * 3 + j]! + axes[i * 3 + d]! * T[d * 3 + j]!
      }
    }
  }

  /** x += A u, and adds that to `moved`. */
  private strain({ positions: x }: State, { start, model }: BodyRecord, at: number): void {
    const cx = center[0]!
    const cy = center[1]!
    const cz = center[2]!
    const Axx = A[0]!
    const Axy = A[1]!
    const Axz = A[2]!
    const Ayx = A[3]!
    const Ayy = A[4]!
    const Ayz = A[5]!
    const Azx = A[6]!
    const Azy = A[7]!
    const Azz = A[8]!
    for (let p = start * 3; p < (start + model.particleCount) * 3; p += 3) {
      const ux = x[p]! - cx
      const uy = x[p + 1]! - cy
      const uz = x[p + 2]! - cz
      x[p] = x[p]! + (Axx * ux + Axy * uy + Axz * uz)
      x[p + 1] = x[p + 1]! + (Ayx * ux + Ayy * uy + Ayz * uz)
      x[p + 2] = x[p + 2]! + (Azx * ux + Azy * uy + Azz * uz)
    }
    for (let d = 0; d < 3; d++) {
      const e = d === 2 ? 0 : d + 1
      let along = 0
      let across = 0
      for (let n = 0; n < 3; n++) {
        along += A[d * 3 + n]! * spread[n * 3 + d]!
        across += A[d * 3 + n]! * spread[n * 3 + e]! + A[e * 3 + n]! * spread[n * 3 + d]!
      }
      this.moved[at + d] = this.moved[at + d]! + along
      this.moved[at + 3 + d] = this.moved[at + 3 + d]! + 0.5 * across
    }
  }
}

/** Sets m (xx, yy, zz, xy, yz, zx) to V^T m V. */
function turnInto(V: Float64Array, m: Float64Array): void {
  for (let n = 0; n < 3; n++) {
    const x = V[n]!
    const y = V[3 + n]!
    const z = V[6 + n]!
    T[n * 3] = m[0]! * x + m[3]! * y + m[5]! * z
    T[n * 3 + 1] = m[3]! * x + m[1]! * y + m[4]! * z
    T[n * 3 + 2] = m[5]! * x + m[4]! * y + m[2]! * z
  }
  for (let d = 0; d < 3; d++) {
    const e = d === 2 ? 0 : d + 1
    m[d] = 0
    m[3 + d] = 0
    for (let n = 0; n < 3; n++) {
      m[d] = m[d]! + T[d * 3 + n]! * V[n * 3 + d]!
      m[3 + d] = m[3 + d]! + T[d * 3 + n]! * V[n * 3 + e]!
    }
  }
}

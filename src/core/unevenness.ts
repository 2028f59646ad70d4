import { diagonalise } from './math/eigen.js'
import { invertInertia } from './math/inertia.js'
import type { Model } from './model.js'
import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/**
 * A body counts as evenly strained up to this share of its least second moment at rest, and as bent from this one on: a plate
 * that is bent by its own thickness, by a sine, has six.
 */
const EVEN = 0.005
const BENT = 0.05

/** Sum of the mass shares times x X^T, x about the centre, X in the rest shape [m^2]. */
const N = new Float64Array(9)

/** How far a body is from any even strain of its rest shape. */
export class Unevenness {
  private readonly rest: Float64Array
  /** Second moments of the rest shape: their inverse (xx, yy, zz, xy, yz, zx) [1/m^2], and the least of them [m^2]. */
  private readonly inverse = new Float64Array(6)
  private readonly least: number

  constructor({ positions, massShares, particleCount }: Model) {
    const center = [0, 0, 0]
    for (let p = 0; p < particleCount * 3; p++) center[p % 3]! += massShares[Math.floor(p / 3)]! * positions[p]!
    this.rest = positions.map((x, p) => x - center[p % 3]!)
    const M = new Float64Array(9)
    for (let i = 0; i < particleCount; i++) {
      for (let e = 0; e < 9; e++) {
        const [a, b] = [Math.floor(e / 3), e % 3]
        M[e] = M[e]! + massShares[i]! * this.rest[i * 3 + a]! * this.rest[i * 3 + b]!
      }
    }
    const known = invertInertia(Float64Array.of(M[0]!, M[4]!, M[8]!, M[1]!, M[5]!, M[2]!), 0, this.inverse)
    diagonalise(M, new Float64Array(9))
    this.least = known ? Math.max(0, Math.min(M[0]!, M[4]!, M[8]!)) : 0
  }

  /** Writes to out[at] 1 for a body that is evenly strained, 0 for one that is bent, and what is between for what is between. */
  judge({ positions: x }: State, { start, model }: BodyRecord, out: Float64Array, at: number): void {
    const { rest, inverse: I } = this
    const shares = model.massShares
    const o = start * 3
    const x0 = x[o]!
    const x1 = x[o + 1]!
    const x2 = x[o + 2]!
    N.fill(0)
    let cx = 0
    let cy = 0
    let cz = 0
    let square = 0
    for (let i = 0; i < model.particleCount; i++) {
      const m = shares[i]!
      const p = i * 3
      const dx = x[o + p]! - x0
      const dy = x[o + p + 1]! - x1
      const dz = x[o + p + 2]! - x2
      cx += m * dx
      cy += m * dy
      cz += m * dz
      square += m * (dx * dx + dy * dy + dz * dz)
      for (let d = 0; d < 3; d++) {
        const X = m * rest[p + d]!
        N[d] = N[d]! + X * dx
        N[3 + d] = N[3 + d]! + X * dy
        N[6 + d] = N[6 + d]! + X * dz
      }
    }
    // What the strain that fits best, N M^-1, leaves of sum m |x|^2.
    let left = square - (cx * cx + cy * cy + cz * cz)
    for (let l = 0; l < 9; l += 3) {
      const a = N[l]!
      const b = N[l + 1]!
      const c = N[l + 2]!
      left -= I[0]! * a * a + I[1]! * b * b + I[2]! * c * c + 2 * (I[3]! * a * b + I[4]! * b * c + I[5]! * c * a)
    }
    out[at] = Math.min(1, Math.max(0, (BENT - left / this.least) / (BENT - EVEN)))
  }
}

import type { Rows } from './constraints/kind.js'
import { symmetricAdjugate } from './math/adjugate.js'
import { type BodyRecord, RESCUE } from './records.js'
import { middleSubstep } from './resolution.js'
import type { State } from './state.js'
import { drawToShape, wholeBody } from './wholeBody.js'

const PI = 3.141592653589793

/**
 * A material may ask for this many times the substeps there are before its body gets support. Up to here it is softer
 * than it was set, but is itself.
 */
const MUCH = 2

/** Times the substeps there are that half of a body's rows must ask for before contacts bear it as if it were rigid. */
const RIGID = 4

/**
 * Holds the shape of bodies whose material is far stiffer than substeps of this length resolve, such as jelly of 2 cm.
 * Their tetrahedra are softened by the square of what is missing, so that they would lie flat under their own weight,
 * crumple and tremble. But what is that stiff hardly changes its shape: the pull of `shapeMatching`, as quick as the
 * slowest swing that the material itself would have, but no quicker than a substep, stands in for what is missing.
 *
 * The slowest swing of a compact body of size L is that of a bar, pi c / L with c = sqrt(E / density); of one that is
 * slender, with radii of gyration r and R, it is about that times (r / R)^2.
 */
export class Support {
  /** By live body: the whole of it as one group, where it is supported. */
  private rows: (Rows | undefined)[] = []
  /** By live body: whether its contacts bear it as if it were rigid. */
  readonly rigid: boolean[] = []

  /** To be called where bodies have come or gone, or their settings or the substep h [s] have changed. */
  bake({ bodies }: State, h: number): void {
    this.rigid.length = 0
    for (const body of bodies.live) {
      this.rigid.push(isRigid(body, h))
      if (h < body.rescue[RESCUE.BORNE]!) body.rescue[RESCUE.BORNE] = 0 // it may stand by itself now
    }
    this.rows = bodies.live.map((body) => {
      const square = missing(body, h)
      if (square === 0) return undefined
      const rows = wholeBody(body)
      rows.material[0] = 1 / (square * h * h)
      return rows
    })
  }

  /** One sweep of the pull, after the constraints. A body that is being rescued is pulled already. `grown`: see `Inflation`. */
  project(state: State, grown: Float64Array): void {
    for (let b = 0; b < this.rows.length; b++) {
      const rows = this.rows[b]
      const body = state.bodies.live[b]!
      if (rows === undefined || body.asleep || body.rescue[RESCUE.RATE] !== 0) continue
      drawToShape(state, body, rows, grown, b)
    }
  }
}

/** Square of the angular frequency that substeps of h [s] miss in a body [1/s^2]; 0 where they resolve it. */
function missing(body: BodyRecord, h: number): number {
  const { model, settings } = body
  let square = 0
  for (const set of model.sets) {
    const setting = settings.elastic[set.name] ?? model.elastic[set.name]
    if (!setting || !set.kind.longestSubstep || setting.youngsModulus === undefined) continue
    const ratio = h / middleSubstep(body, set, setting)
    if (ratio <= MUCH) continue
    const swing = ((PI * PI) / (model.size * model.size)) * (setting.youngsModulus * (model.measure / body.mass))
    const slender = slenderness(model.positions, model.massShares)
    square += swing * slender * slender * (1 - (MUCH * MUCH) / (ratio * ratio))
  }
  return Math.min(square, 1 / (h * h))
}

/** Whether substeps of h [s] are so long that a body is better borne as if it were rigid. */
function isRigid(body: BodyRecord, h: number): boolean {
  const { model, settings } = body
  for (const set of model.sets) {
    const setting = settings.elastic[set.name] ?? model.elastic[set.name]
    if (!setting || !set.kind.longestSubstep || setting.youngsModulus === undefined) continue
    if (h / middleSubstep(body, set, setting) >= RIGID) return true
  }
  return false
}

/**
 * About the square of the least radius of gyration over the largest, 0 to 1: by the invariants of the covariance, three
 * times the harmonic mean over the trace.
 */
function slenderness(x: Float64Array, shares: Float64Array): number {
  const c = [0, 0, 0]
  for (let i = 0; i < shares.length; i++) for (let d = 0; d < 3; d++) c[d]! += shares[i]! * x[i * 3 + d]!
  const S = new Float64Array(6)
  for (let i = 0; i < shares.length; i++) {
    const m = shares[i]!
    const [rx, ry, rz] = [x[i * 3]! - c[0]!, x[i * 3 + 1]! - c[1]!, x[i * 3 + 2]! - c[2]!]
    const products = [m * rx * rx, m * ry * ry, m * rz * rz, m * rx * ry, m * ry * rz, m * rz * rx]
    for (let e = 0; e < 6; e++) S[e]! += products[e]!
  }
  const C = new Float64Array(7)
  symmetricAdjugate(S, 0, C)
  const minors = C[2]! + C[0]! + C[1]!
  return minors > 0 ? Math.min(1, Math.max(0, (9 * C[6]!) / (minors * (S[0]! + S[1]! + S[2]!)))) : 0
}

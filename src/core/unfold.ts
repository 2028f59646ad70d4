import { extractRotation, quaternionToMatrix } from './math/rotation.js'
import { type BodyRecord, RESCUE } from './records.js'
import type { State } from './state.js'

/** Angular frequency at which a folded tetrahedron is drawn to its goal [rad/s]: slow enough for the material to follow. */
const RATE = 130
/** The same while something touches the body: it would throw that away else. */
const RATE_TOUCHED = 15

const center = new Float64Array(3)
const restCenter = new Float64Array(3)
/** sum m (x - c)(q - q0)^T, and the rotation that fits it best. */
const A = new Float64Array(9)
const R = new Float64Array(9)
/** Rest edges of a tetrahedron's corners from their centre of mass, turned by R, and where they are from theirs [m]. */
const goal = new Float64Array(12)
const arm = new Float64Array(12)

/**
 * Unfolds a body that has lost its shape: h[0] [s] of it, once a sweep.
 *
 * A tetrahedron that is inverted finds an upright shape by itself, but in any direction. Tetrahedra that each took their
 * own can be all upright and still wind twice about an edge, or stand with the inside out: a rest of another shape, whose
 * strain keeps the volume some per cent short (without outer forces the mean stress over a body is zero, so that what is
 * sheared more than it likes makes up for it by less volume). Hence all take the same: a tetrahedron whose corners are further
 * from their places in the direction of the body, the rotation that fits it best, than if they were all in one point is
 * drawn to these places. Momentum stays; pinned particles stay where they are.
 */
export function unfold(state: State, body: BodyRecord, h: Float64Array): void {
  const { positions: x, masses: m, inverseMasses: w } = state
  const { start, model } = body
  const { positions: rest, tets } = model
  fit(state, body)
  const swing = (body.rescue[RESCUE.TOUCHED] === 0 ? RATE : RATE_TOUCHED) * h[0]!
  const square = swing * swing
  const share = square / (1 + square)
  for (let t = 0; t < tets.length; t += 4) {
    center.fill(0)
    restCenter.fill(0)
    let mass = 0
    for (let k = t; k < t + 4; k++) {
      const i = tets[k]!
      const mi = m[start + i]!
      mass += mi
      for (let d = 0; d < 3; d++) {
        center[d] = center[d]! + mi * x[(start + i) * 3 + d]!
        restCenter[d] = restCenter[d]! + mi * rest[i * 3 + d]!
      }
    }
    for (let d = 0; d < 3; d++) {
      center[d] = center[d]! / mass
      restCenter[d] = restCenter[d]! / mass
    }
    // sum m |x - goal|^2 - sum m |goal|^2
    let further = 0
    for (let k = 0; k < 4; k++) {
      const i = tets[t + k]!
      const qx = rest[i * 3]! - restCenter[0]!
      const qy = rest[i * 3 + 1]! - restCenter[1]!
      const qz = rest[i * 3 + 2]! - restCenter[2]!
      for (let d = 0; d < 3; d++) {
        const g = R[d * 3]! * qx + R[d * 3 + 1]! * qy + R[d * 3 + 2]! * qz
        const a = x[(start + i) * 3 + d]! - center[d]!
        goal[k * 3 + d] = g
        arm[k * 3 + d] = a
        further += m[start + i]! * a * (a - 2 * g)
      }
    }
    if (further < 0) continue
    for (let k = 0; k < 4; k++) {
      const i = start + tets[t + k]!
      if (w[i] === 0) continue
      for (let d = 0; d < 3; d++) x[i * 3 + d] = x[i * 3 + d]! + share * (goal[k * 3 + d]! - arm[k * 3 + d]!)
    }
  }
}

/** The rotation of the rest shape that fits the body best, into `R`; starts from the last one, in its record. */
function fit({ positions: x, masses: m }: State, { start, model, mass, rescue }: BodyRecord): void {
  const { positions: rest, particleCount } = model
  center.fill(0)
  restCenter.fill(0)
  for (let i = 0; i < particleCount; i++) {
    const share = m[start + i]! / mass
    for (let d = 0; d < 3; d++) {
      center[d] = center[d]! + share * x[(start + i) * 3 + d]!
      restCenter[d] = restCenter[d]! + share * rest[i * 3 + d]!
    }
  }
  A.fill(0)
  for (let i = 0; i < particleCount; i++) {
    for (let d = 0; d < 3; d++) {
      const a = m[start + i]! * (x[(start + i) * 3 + d]! - center[d]!)
      for (let k = 0; k < 3; k++) A[d * 3 + k] = A[d * 3 + k]! + a * (rest[i * 3 + k]! - restCenter[k]!)
    }
  }
  extractRotation(A, rescue, RESCUE.ROTATION)
  quaternionToMatrix(rescue, RESCUE.ROTATION, R)
}

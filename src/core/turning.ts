import { addInertia, INERTIA_SIZE, invertInertia } from './math/inertia.js'
import { isInPieces, isLoose } from './model.js'
import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/** Of the body in hand: centre of mass [m], inverse inertia about it [1/(kg m^2)] and angular velocity I^-1 L [rad/s]. */
export const center = new Float64Array(3)
export const inverse = new Float64Array(INERTIA_SIZE)
export const spin = new Float64Array(3)

const I = new Float64Array(INERTIA_SIZE)
const L = new Float64Array(3)
const r = new Float64Array(3)
const unit = new Float64Array(3)
const by = new Float64Array(3)

/** Whether a body turns as one, and freely: it is awake, whole, not loose and without pins. */
export function turnsFreely({ inverseMasses: w }: State, { asleep, model, start }: BodyRecord): boolean {
  if (asleep || isLoose(model) || isInPieces(model)) return false
  for (let i = start; i < start + model.particleCount; i++) if (w[i] === 0) return false
  return true
}

/** Finds the centre of mass of a body. */
export function findCenter({ positions: x, masses }: State, body: BodyRecord): void {
  const end = body.start + body.model.particleCount
  let cx = 0
  let cy = 0
  let cz = 0
  for (let i = body.start; i < end; i++) {
    const m = masses[i]!
    cx += m * x[i * 3]!
    cy += m * x[i * 3 + 1]!
    cz += m * x[i * 3 + 2]!
  }
  center[0] = cx / body.mass
  center[1] = cy / body.mass
  center[2] = cz / body.mass
}

/** Finds how a body turns; false where it has no inertia about some axis, as on a straight line. */
export function findTurning(state: State, body: BodyRecord): boolean {
  const { positions: x, velocities: v, masses } = state
  const end = body.start + body.model.particleCount
  findCenter(state, body)
  const cx = center[0]!
  const cy = center[1]!
  const cz = center[2]!
  I.fill(0)
  L.fill(0)
  for (let i = body.start; i < end; i++) {
    const p = i * 3
    const m = masses[i]!
    const rx = x[p]! - cx
    const ry = x[p + 1]! - cy
    const rz = x[p + 2]! - cz
    r[0] = rx
    r[1] = ry
    r[2] = rz
    // No need of the mean velocity: sum m r is nothing.
    L[0] = L[0]! + m * (ry * v[p + 2]! - rz * v[p + 1]!)
    L[1] = L[1]! + m * (rz * v[p]! - rx * v[p + 2]!)
    L[2] = L[2]! + m * (rx * v[p + 1]! - ry * v[p]!)
    addInertia(I, 0, r, masses, i)
  }
  if (!invertInertia(I, 0, inverse)) return false
  multiply(inverse, L, spin)
  return true
}

/** Writes what an impulse at `arm` from the centre does to the velocity there into K [6]: 1 / m - [r] I^-1 [r] [1/kg]. */
export function writeMobility({ mass }: BodyRecord, arm: Float64Array, K: Float64Array): void {
  for (let e = 0; e < 3; e++) {
    unit.fill(0)
    unit[e] = 1
    cross(arm, unit, unit)
    multiply(inverse, unit, by)
    cross(by, arm, by)
    K[e] = by[e]! + 1 / mass
    K[3 + e] = by[(e + 1) % 3]!
  }
}

/** Adds a rigid motion to a body's velocities: change of its angular velocity [rad/s], then of that of its centre [m/s]. */
export function addMotion({ positions: x, velocities: v }: State, body: BodyRecord, motion: Float64Array): void {
  for (let i = body.start; i < body.start + body.model.particleCount; i++) {
    const p = i * 3
    const rx = x[p]! - center[0]!
    const ry = x[p + 1]! - center[1]!
    const rz = x[p + 2]! - center[2]!
    v[p] = v[p]! + motion[3]! + motion[1]! * rz - motion[2]! * ry
    v[p + 1] = v[p + 1]! + motion[4]! + motion[2]! * rx - motion[0]! * rz
    v[p + 2] = v[p + 2]! + motion[5]! + motion[0]! * ry - motion[1]! * rx
  }
}

/** a x b; `out` may be either. */
export function cross(a: Float64Array, b: Float64Array, out: Float64Array): void {
  const x = a[1]! * b[2]! - a[2]! * b[1]!
  const y = a[2]! * b[0]! - a[0]! * b[2]!
  out[2] = a[0]! * b[1]! - a[1]! * b[0]!
  out[0] = x
  out[1] = y
}

/** S a, S symmetric as an inertia is: xx, yy, zz, xy, yz, zx; `out` may be a. */
export function multiply(S: Float64Array, a: Float64Array, out: Float64Array): void {
  const x = S[0]! * a[0]! + S[3]! * a[1]! + S[5]! * a[2]!
  const y = S[3]! * a[0]! + S[1]! * a[1]! + S[4]! * a[2]!
  out[2] = S[5]! * a[0]! + S[4]! * a[1]! + S[2]! * a[2]!
  out[0] = x
  out[1] = y
}

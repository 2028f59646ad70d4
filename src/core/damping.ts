import { addInertia, INERTIA_SIZE, solveInertia } from './math/inertia.js'
import { isInPieces } from './model.js'
import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/**
 * Points where a body is held from outside: places and velocities, six numbers a point [m], [m/s]. A contact is one as
 * long as it pushes.
 */
export interface Anchors {
  readonly count: number
  readonly points: Float64Array
}

/** Weight of an anchor or pin in the fit, in masses of the body: near enough to a constraint. */
const HOLD = 100

/** Momentum that anchors have given the body that was damped last [N s]: none where pins hold it as well. */
export const dragged = new Float64Array(3)

/** Of what nothing touches. */
export const none: Anchors = { count: 0, points: new Float64Array(0) }
/** Of the body in hand: the particles of its pieces, null where they are all in one; and which of them are meant. */
let members: Uint32Array | null = null
let first = 0
let end = 0
const c = new Float64Array(3)
const u = new Float64Array(3)
const L = new Float64Array(3)
const I = new Float64Array(INERTIA_SIZE)
const r = new Float64Array(3)
const spin = new Float64Array(3)
const weight = new Float64Array(1)

/**
 * Draws a body's velocities towards its rigid motion by the share `share[0]`: wobble decays, while linear and angular
 * momentum stay (Mueller et al. 2007, section 3.5).
 *
 * Where the body is pinned or touches something, its rigid motion is the one that these points allow: a body that
 * slides, rolls on a point or tips over an edge does so freely, one that rocks on a soft foot comes to rest. A foot that
 * quivers must not drive the body: where that motion has more energy than the body, it is damped as if nothing touched.
 *
 * The pieces of a body that has been torn apart have each a motion of their own, as if nothing but pins touched them.
 */
export function dampShape(state: State, body: BodyRecord, share: Float64Array, anchors: Anchors): void {
  const { torn } = body.model
  dragged.fill(0)
  takeAll(body)
  if (!torn || !isInPieces(body.model)) {
    dampPiece(state, body, share, anchors)
    return
  }
  members = torn.members
  for (let piece = 0; piece + 1 < torn.pieceStarts.length; piece++) {
    first = torn.pieceStarts[piece]!
    end = torn.pieceStarts[piece + 1]!
    dampPiece(state, body, share, none)
  }
}

function takeAll({ model }: BodyRecord): void {
  members = null
  first = 0
  end = model.particleCount
}

function dampPiece(state: State, body: BodyRecord, share: Float64Array, anchors: Anchors): void {
  let held = anchors.count > 0 ? anchors : none
  if (!rigidMotion(state, body, held)) return
  while (held !== none && gainsEnergy(state, body)) {
    held = none
    if (!rigidMotion(state, body, held)) return
  }
  const { positions: x, velocities: v, inverseMasses: w, masses } = state
  const part = share[0]!
  let pinned = held === none
  let px = 0
  let py = 0
  let pz = 0
  for (let k = first; k < end; k++) {
    const i = body.start + (members === null ? k : members[k]!)
    if (w[i] === 0) {
      pinned = true
      continue
    }
    const p = i * 3
    const rx = x[p]! - c[0]!
    const ry = x[p + 1]! - c[1]!
    const rz = x[p + 2]! - c[2]!
    const dx = part * (u[0]! + spin[1]! * rz - spin[2]! * ry - v[p]!)
    const dy = part * (u[1]! + spin[2]! * rx - spin[0]! * rz - v[p + 1]!)
    const dz = part * (u[2]! + spin[0]! * ry - spin[1]! * rx - v[p + 2]!)
    v[p] = v[p]! + dx
    v[p + 1] = v[p + 1]! + dy
    v[p + 2] = v[p + 2]! + dz
    const m = masses[i]!
    px += m * dx
    py += m * dy
    pz += m * dz
  }
  if (pinned) return
  dragged[0] = px
  dragged[1] = py
  dragged[2] = pz
}

/** Kinetic energy of a free body that its rigid motion has not [J], into `out`; 0 where it has no inertia about some axis. */
export function wobbleEnergy(state: State, body: BodyRecord, out: Float64Array): void {
  out[0] = 0
  takeAll(body)
  if (!rigidMotion(state, body, none)) return
  const { positions: x, velocities: v, masses } = state
  let sum = 0
  for (let k = first; k < end; k++) {
    const i = body.start + (members === null ? k : members[k]!)
    const p = i * 3
    const rx = x[p]! - c[0]!
    const ry = x[p + 1]! - c[1]!
    const rz = x[p + 2]! - c[2]!
    const vx = v[p]! - (u[0]! + spin[1]! * rz - spin[2]! * ry)
    const vy = v[p + 1]! - (u[1]! + spin[2]! * rx - spin[0]! * rz)
    const vz = v[p + 2]! - (u[2]! + spin[0]! * ry - spin[1]! * rx)
    sum += masses[i]! * (vx * vx + vy * vy + vz * vz)
  }
  out[0] = 0.5 * sum
}

/**
 * Takes the kinetic energy `wanted[0]` [J] out of a free body's spin about the axes across the unit vector
 * axis[at..at + 2], as far as there is, and leaves in `wanted` what is missing; the spin about that vector stays.
 */
export function takeSpin(state: State, body: BodyRecord, axis: Float64Array, at: number, wanted: Float64Array): void {
  if (!rigidMotion(state, body, none)) return
  const along = spin[0]! * axis[at]! + spin[1]! * axis[at + 1]! + spin[2]! * axis[at + 2]!
  for (let d = 0; d < 3; d++) spin[d] = spin[d]! - along * axis[at + d]!
  // Less s times that spin, the energy changes by -s a + s^2 b / 2; both sums are by mass over the body's.
  let a = 0
  let b = 0
  for (let d = 0; d < 3; d++) {
    a += spin[d]! * L[d]!
    b += spin[d]! * spin[d]! * I[d]!
  }
  b += 2 * (spin[0]! * spin[1]! * I[3]! + spin[1]! * spin[2]! * I[4]! + spin[2]! * spin[0]! * I[5]!)
  a *= body.mass
  b *= body.mass
  if (!(a > 0) || !(b > 0)) return
  const taken = Math.min(wanted[0]!, (a * a) / (2 * b))
  const s = (a - Math.sqrt(Math.max(0, a * a - 2 * b * taken))) / b
  const { positions: x, velocities: v } = state
  for (let i = body.start; i < body.start + body.model.particleCount; i++) {
    const p = i * 3
    const rx = x[p]! - c[0]!
    const ry = x[p + 1]! - c[1]!
    const rz = x[p + 2]! - c[2]!
    v[p] = v[p]! - s * (spin[1]! * rz - spin[2]! * ry)
    v[p + 1] = v[p + 1]! - s * (spin[2]! * rx - spin[0]! * rz)
    v[p + 2] = v[p + 2]! - s * (spin[0]! * ry - spin[1]! * rx)
  }
  wanted[0] = wanted[0]! - taken
}

/** True where the free particles have more kinetic energy in the rigid motion than they have now. */
function gainsEnergy(state: State, body: BodyRecord): boolean {
  const { positions: x, velocities: v, inverseMasses: w, masses } = state
  let gain = 0
  for (let k = first; k < end; k++) {
    const i = body.start + (members === null ? k : members[k]!)
    if (w[i] === 0) continue
    const p = i * 3
    const rx = x[p]! - c[0]!
    const ry = x[p + 1]! - c[1]!
    const rz = x[p + 2]! - c[2]!
    const vx = u[0]! + spin[1]! * rz - spin[2]! * ry
    const vy = u[1]! + spin[2]! * rx - spin[0]! * rz
    const vz = u[2]! + spin[0]! * ry - spin[1]! * rx
    gain += masses[i]! * (vx * vx + vy * vy + vz * vz)
    gain -= masses[i]! * (v[p]! * v[p]! + v[p + 1]! * v[p + 1]! + v[p + 2]! * v[p + 2]!)
  }
  return gain > 0
}

/**
 * Centre c, velocity u and angular velocity `spin` of the rigid motion nearest to the particles' by mass; false where
 * they have no inertia about some axis, as on a straight line.
 */
function rigidMotion(state: State, body: BodyRecord, anchors: Anchors): boolean {
  const { positions: x, velocities: v, inverseMasses: w, masses } = state
  const hold = HOLD * body.mass
  const { count, points } = anchors
  c.fill(0)
  u.fill(0)
  let mass = count * hold
  for (let k = first; k < end; k++) {
    const i = body.start + (members === null ? k : members[k]!)
    const m = w[i] === 0 ? hold : masses[i]!
    mass += m
    for (let d = 0; d < 3; d++) {
      c[d] = c[d]! + m * x[i * 3 + d]!
      u[d] = u[d]! + m * v[i * 3 + d]!
    }
  }
  for (let a = 0; a < count * 6; a += 6) {
    for (let d = 0; d < 3; d++) {
      c[d] = c[d]! + hold * points[a + d]!
      u[d] = u[d]! + hold * points[a + 3 + d]!
    }
  }
  for (let d = 0; d < 3; d++) {
    c[d] = c[d]! / mass
    u[d] = u[d]! / mass
  }
  L.fill(0)
  I.fill(0)
  for (let k = first; k < end; k++) {
    const i = body.start + (members === null ? k : members[k]!)
    weight[0] = HOLD
    if (w[i] !== 0) weight[0] = masses[i]! / body.mass
    addPoint(x, v, i * 3, i * 3)
  }
  weight[0] = HOLD
  for (let a = 0; a < count * 6; a += 6) addPoint(points, points, a, a + 3)
  return solveInertia(I, 0, L, spin)
}

/** Adds the angular momentum and inertia about c of a point that weighs `weight` masses of the body. */
function addPoint(x: Float64Array, v: Float64Array, px: number, pv: number): void {
  const m = weight[0]!
  r[0] = x[px]! - c[0]!
  r[1] = x[px + 1]! - c[1]!
  r[2] = x[px + 2]! - c[2]!
  const vx = v[pv]! - u[0]!
  const vy = v[pv + 1]! - u[1]!
  const vz = v[pv + 2]! - u[2]!
  L[0] = L[0]! + m * (r[1] * vz - r[2] * vy)
  L[1] = L[1]! + m * (r[2] * vx - r[0] * vz)
  L[2] = L[2]! + m * (r[0] * vy - r[1] * vx)
  addInertia(I, 0, r, weight, 0)
}

import type { BodyRecord, State } from './state.js'

const c = new Float64Array(3)
const u = new Float64Array(3)
const L = new Float64Array(3)
const I = new Float64Array(9)
const spin = new Float64Array(3)

/**
 * Draws a body's velocities towards its rigid motion by the share `share[0]`: wobble decays, while linear and angular
 * momentum stay (Mueller et al. 2007, section 3.5).
 */
export function dampShape(state: State, body: BodyRecord, share: Float64Array): void {
  if (!rigidMotion(state, body)) return
  const { positions: x, velocities: v, inverseMasses: w } = state
  const k = share[0]!
  for (let i = body.start; i < body.start + body.model.particleCount; i++) {
    if (w[i] === 0) continue
    const p = i * 3
    const rx = x[p]! - c[0]!
    const ry = x[p + 1]! - c[1]!
    const rz = x[p + 2]! - c[2]!
    v[p] = v[p]! + k * (u[0]! + spin[1]! * rz - spin[2]! * ry - v[p]!)
    v[p + 1] = v[p + 1]! + k * (u[1]! + spin[2]! * rx - spin[0]! * rz - v[p + 1]!)
    v[p + 2] = v[p + 2]! + k * (u[2]! + spin[0]! * ry - spin[1]! * rx - v[p + 2]!)
  }
}

/** Centre c, velocity u and angular velocity `spin` of the free particles; false where they have no inertia. */
function rigidMotion(state: State, body: BodyRecord): boolean {
  const { positions: x, velocities: v, inverseMasses: w, masses } = state
  c.fill(0)
  u.fill(0)
  let mass = 0
  const from = body.start
  const to = from + body.model.particleCount
  for (let i = from; i < to; i++) {
    if (w[i] === 0) continue
    const m = masses[i]!
    mass += m
    for (let d = 0; d < 3; d++) {
      c[d] = c[d]! + m * x[i * 3 + d]!
      u[d] = u[d]! + m * v[i * 3 + d]!
    }
  }
  if (mass === 0) return false
  for (let d = 0; d < 3; d++) {
    c[d] = c[d]! / mass
    u[d] = u[d]! / mass
  }
  L.fill(0)
  let xx = 0
  let yy = 0
  let zz = 0
  let xy = 0
  let yz = 0
  let zx = 0
  for (let i = from; i < to; i++) {
    if (w[i] === 0) continue
    const m = masses[i]!
    const p = i * 3
    const rx = x[p]! - c[0]!
    const ry = x[p + 1]! - c[1]!
    const rz = x[p + 2]! - c[2]!
    const vx = v[p]! - u[0]!
    const vy = v[p + 1]! - u[1]!
    const vz = v[p + 2]! - u[2]!
    L[0] = L[0]! + m * (ry * vz - rz * vy)
    L[1] = L[1]! + m * (rz * vx - rx * vz)
    L[2] = L[2]! + m * (rx * vy - ry * vx)
    xx += m * rx * rx
    yy += m * ry * ry
    zz += m * rz * rz
    xy += m * rx * ry
    yz += m * ry * rz
    zx += m * rz * rx
  }
  I[0] = yy + zz
  I[4] = zz + xx
  I[8] = xx + yy
  I[1] = I[3] = -xy
  I[5] = I[7] = -yz
  I[2] = I[6] = -zx
  return solveInertia()
}

/** spin = I^-1 L by cofactors; false for a body without extent across some axis, such as a straight line. */
function solveInertia(): boolean {
  const a = I[4]! * I[8]! - I[5]! * I[7]!
  const b = I[5]! * I[6]! - I[3]! * I[8]!
  const e = I[3]! * I[7]! - I[4]! * I[6]!
  const det = I[0]! * a + I[1]! * b + I[2]! * e
  const scale = I[0]! + I[4]! + I[8]!
  if (!(det > 1e-12 * scale * scale * scale)) return false
  spin[0] = (a * L[0]! + (I[2]! * I[7]! - I[1]! * I[8]!) * L[1]! + (I[1]! * I[5]! - I[2]! * I[4]!) * L[2]!) / det
  spin[1] = (b * L[0]! + (I[0]! * I[8]! - I[2]! * I[6]!) * L[1]! + (I[2]! * I[3]! - I[0]! * I[5]!) * L[2]!) / det
  spin[2] = (e * L[0]! + (I[1]! * I[6]! - I[0]! * I[7]!) * L[1]! + (I[0]! * I[4]! - I[1]! * I[3]!) * L[2]!) / det
  return true
}

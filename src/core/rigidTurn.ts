import { adjugate } from './math/adjugate.js'
import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/** What a body is compared about: its centre of mass, a pin, or the centre of the masses that a sweep takes particles for. */
export const MIDDLE = 0
export const PIN = 1
export const SWEPT = 2

/** Largest turn by which a substep's spin is restored [rad]: beyond, no turn has the momentum that is missing. */
const MOST = 0.1

/** Share of the trace that is added where a body has no inertia about an axis: what this leaves out of a turn is nothing. */
const ON_LINE = 1e-8

/** Of the body in hand: sum m r_prev x r, that is h L of its way since the substep began [kg m^2]. */
export const turned = new Float64Array(3)
/** How much of h L it misses [kg m^2]. */
export const missing = new Float64Array(3)

const theta = new Float64Array(3)
const center = new Float64Array(3)
/** A = sum m r r_prev^T [kg m^2], then tr A - A; and the adjugate and the determinant of that. */
const A = new Float64Array(9)
const inverse = new Float64Array(10)

/** Finds `turned` of a body, and what a turn takes: r and r_prev are about what it is compared about, from particle `origin`. */
export function compare(
  { positions: x, previous, masses, inverseMasses: w }: State,
  { start, model, mass }: BodyRecord,
  origin: number,
  about: typeof MIDDLE | typeof PIN | typeof SWEPT,
): void {
  const end = start + model.particleCount
  const o = origin * 3
  const x0 = x[o]!
  const x1 = x[o + 1]!
  const x2 = x[o + 2]!
  const y0 = previous[o]!
  const y1 = previous[o + 1]!
  const y2 = previous[o + 2]!
  let weight = about === MIDDLE ? mass : 0
  if (about === PIN) weight = Number.POSITIVE_INFINITY // it stays where it is
  let ax = 0
  let ay = 0
  let az = 0
  let bx = 0
  let by = 0
  let bz = 0
  let xx = 0
  let yy = 0
  let zz = 0
  let xy = 0
  let yz = 0
  let zx = 0
  let sx = 0
  let sy = 0
  let sz = 0
  for (let i = start; i < end; i++) {
    const p = i * 3
    const m = about === SWEPT ? 1 / w[i]! : masses[i]!
    if (about === SWEPT) weight += m
    const rx = x[p]! - x0
    const ry = x[p + 1]! - x1
    const rz = x[p + 2]! - x2
    const ux = previous[p]! - y0
    const uy = previous[p + 1]! - y1
    const uz = previous[p + 2]! - y2
    const qx = m * ux
    const qy = m * uy
    const qz = m * uz
    ax += qx
    ay += qy
    az += qz
    bx += m * rx
    by += m * ry
    bz += m * rz
    // Six numbers of A; the other three follow from these and s.
    xx += qx * rx
    yy += qy * ry
    zz += qz * rz
    xy += qx * ry
    yz += qy * rz
    zx += qz * rx
    // r_prev x r = r_prev x (r - r_prev), which is nothing, to the last bit, where nothing moves.
    const dx = rx - ux
    const dy = ry - uy
    const dz = rz - uz
    sx += qy * dz - qz * dy
    sy += qz * dx - qx * dz
    sz += qx * dy - qy * dx
  }
  turned[0] = sx - (ay * (bz - az) - az * (by - ay)) / weight
  turned[1] = sy - (az * (bx - ax) - ax * (bz - az)) / weight
  turned[2] = sz - (ax * (by - ay) - ay * (bx - ax)) / weight
  A[0] = xx - (ax * bx) / weight
  A[3] = xy - (ax * by) / weight
  A[1] = A[3] - turned[2]
  A[4] = yy - (ay * by) / weight
  A[7] = yz - (ay * bz) / weight
  A[5] = A[7] - turned[0]
  A[8] = zz - (az * bz) / weight
  A[2] = zx - (az * bx) / weight
  A[6] = A[2] - turned[1]
  center[0] = x0 + bx / weight
  center[1] = x1 + by / weight
  center[2] = x2 + bz / weight
}

/** theta = along the axis at `at`, by e . (tr A - A) e theta = e . missing, at most `MOST`; false where nothing is beside it. */
export function solveAbout(axes: Float64Array, at: number): boolean {
  const trace = A[0]! + A[4]! + A[8]!
  let inertia = trace
  let along = 0
  for (let n = 0; n < 3; n++) {
    const e = axes[at + n]!
    along += e * missing[n]!
    inertia -= e * (A[n * 3]! * axes[at]! + A[n * 3 + 1]! * axes[at + 1]! + A[n * 3 + 2]! * axes[at + 2]!)
  }
  if (!(inertia > 1e-9 * trace)) return false
  const turn = Math.max(-MOST, Math.min(MOST, along / inertia))
  for (let n = 0; n < 3; n++) theta[n] = turn * axes[at + n]!
  return true
}

/** theta = (tr A - A)^-1 missing, at most `MOST`; false where that has no answer. */
export function solve(): boolean {
  const trace = A[0]! + A[4]! + A[8]!
  for (let k = 0; k < 9; k++) A[k] = k % 4 === 0 ? trace - A[k]! : -A[k]!
  const least = 1e-9 * trace * trace * trace
  adjugate(A, inverse)
  if (Math.abs(inverse[9]!) <= least) {
    // Points on a line: any turn about it will do.
    for (let k = 0; k < 9; k += 4) A[k] = A[k]! + ON_LINE * trace
    adjugate(A, inverse)
  }
  const det = inverse[9]!
  // Below zero for what has turned over, or inside out, within the substep.
  if (!(trace > 0 && det > least)) return false
  for (let n = 0; n < 3; n++) {
    theta[n] =
      (inverse[n * 3]! * missing[0]! + inverse[n * 3 + 1]! * missing[1]! + inverse[n * 3 + 2]! * missing[2]!) / det
  }
  const size = Math.sqrt(theta[0]! * theta[0]! + theta[1]! * theta[1]! + theta[2]! * theta[2]!)
  const scale = size > MOST ? MOST / size : 1
  for (let n = 0; n < 3; n++) theta[n] = theta[n]! * scale
  return true
}

/** Turns the body by what has been solved for. */
export function turn({ positions: x }: State, { start, model }: BodyRecord): void {
  const end = (start + model.particleCount) * 3
  const tx = theta[0]!
  const ty = theta[1]!
  const tz = theta[2]!
  const cx = center[0]!
  const cy = center[1]!
  const cz = center[2]!
  for (let p = start * 3; p < end; p += 3) {
    const rx = x[p]! - cx
    const ry = x[p + 1]! - cy
    const rz = x[p + 2]! - cz
    x[p] = x[p]! + (ty * rz - tz * ry)
    x[p + 1] = x[p + 1]! + (tz * rx - tx * rz)
    x[p + 2] = x[p + 2]! + (tx * ry - ty * rx)
  }
}

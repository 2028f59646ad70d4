import { isSame, joins } from './jointRecord.js'
import { adjugate } from './math/adjugate.js'
import { isInPieces, isLoose } from './model.js'
import type { BodyRecord } from './records.js'
import type { State } from './state.js'
import type { Vec3 } from './vectors.js'
import type { WorldSettings } from './worldSettings.js'

/** Largest turn by which a substep's spin is restored [rad]: beyond, no turn has the momentum that is missing. */
const MOST = 0.1

/** Share of the trace that is added where a body has no inertia about an axis: what this leaves out of a turn is nothing. */
const ON_LINE = 1e-8

/** What is known of a body's L: nothing as long as something else acts on it. */
const UNKNOWN = 0
const KNOWN = 1
const TOUCHED = 2
const HELD = 3
/** It is held by attachments or joints, and gets no spin from what is within it. */
const LED = 4

/** What a body may turn about: its centre of mass, the one point or the line of points that hold it. */
const FREE = 0
const POINT = 1
const LINE = 2

/** Way by which pins may miss a line, and that the line may turn in a step, as a share of its length. */
const STRAIGHT = 1e-6

const theta = new Float64Array(3)
/** A = sum m r r_prev^T [kg m^2], then tr A - A; and the adjugate and the determinant of that. */
const A = new Float64Array(9)
const inverse = new Float64Array(10)
/** Missing angular momentum [kg m^2/s], then what the body turns about [m]. */
const lost = new Float64Array(3)
const center = new Float64Array(3)

/**
 * Rigid spin correction: what nothing touches keeps its angular momentum.
 *
 * Projections pull particles back to the circle from the end of a step along its tangent, so that a spin w decays as
 * w(t) = w0 / sqrt(1 + 2 w0^2 h t). Constraints within a body cannot change L = sum m r x v about its centre, so L is
 * noted once forces are in, and what is missing after the projections is given back by a rigid turn theta:
 * sum m r_prev x (r + theta x r) / h = L, with r_prev and r about the centre at the start and at the end of the substep.
 * With A = sum m r r_prev^T that is (tr A - A) theta = h L - sum m r_prev x r. To turn the positions, not the velocities
 * alone, is what keeps the energy of a tumbling body too: it makes the turns those of the discrete Euler equations of
 * Moser and Veselov (1991).
 *
 * What hangs from one point, or from points on a line, keeps likewise what its weight leaves of its L about that point, or
 * along that line: else a cloth that hangs from a corner, or a flag from its pole, spins up by itself. A pin that moves is
 * a frame that moves: what is relative to it has the L that it has about any other.
 *
 * What attachments and joints hold has the L that they leave it. But a sweep over what is within it may give it none
 * about the vertical, where its weight has no torque: that is taken back right after it, about the centre of the masses
 * that it took particles for, what is held rigidly being all but still there (`Holds`), so that what holds it bears what
 * comes of the turn. What a sweep takes is left to it: it is what damps what hangs from hinges or is swung by a hand.
 *
 * Bodies that are held by other pins, touched or torn into pieces are left as they are.
 */
export class Spin {
  /** By live body, in the present substep: what is known of its L. */
  private known = new Uint8Array(0)
  /** By live body: 1 where forces or damping change L from substep to substep. */
  private driven = new Uint8Array(0)
  /** By live body: L [kg m^2/s]. */
  private momentum = new Float64Array(0)
  /** By live body: what it may turn about, the first particle there, and the direction of the line. */
  private pivots = new Uint8Array(0)
  private origins = new Uint32Array(0)
  private axes = new Float64Array(0)

  /** Looks, once a step, at which bodies are held or driven; `factors` is what damping leaves of each one's velocity. */
  begin(state: State, { gravity }: Readonly<WorldSettings>, factors: readonly Float64Array[]): void {
    const bodies = state.bodies.live
    if (this.known.length < bodies.length) {
      this.known = new Uint8Array(bodies.length * 2)
      this.driven = new Uint8Array(bodies.length * 2)
      this.momentum = new Float64Array(bodies.length * 6)
      this.pivots = new Uint8Array(bodies.length * 2)
      this.origins = new Uint32Array(bodies.length * 2)
      this.axes = new Float64Array(bodies.length * 6)
    }
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      const { model } = body
      if (body.asleep) continue
      this.known[b] = this.findPivot(state, b) ? UNKNOWN : HELD
      // Each piece, or particle, turns on its own.
      if (isLoose(model) || isInPieces(model)) this.known[b] = HELD
      else if (isLed(state, body)) this.known[b] = this.pivots[b] === FREE && this.findVertical(gravity, b) ? LED : HELD
      const turnsAbout = this.pivots[b] !== FREE
      const damped = factors[b]![0] !== 1
      this.driven[b] = turnsAbout || damped || state.attractors.live.length > 0 || hasForces(state, body) ? 1 : 0
    }
  }

  /** False where nothing falls. */
  private findVertical(gravity: Vec3, b: number): boolean {
    const size = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    if (size === 0) return false
    for (let d = 0; d < 3; d++) this.axes[b * 3 + d] = gravity[d]! / size
    return true
  }

  /** False where pins leave a body no way to turn. */
  private findPivot(state: State, b: number): boolean {
    const { positions: x, inverseMasses: w } = state
    const { start, model } = state.bodies.live[b]!
    const end = start + model.particleCount
    this.pivots[b] = FREE
    this.origins[b] = start
    let first = end
    let length = 0
    for (let i = start; i < end; i++) {
      if (w[i] !== 0) continue
      if (first === end) {
        first = i
        this.pivots[b] = POINT
        this.origins[b] = i
        continue
      }
      // The line leads to the pin that is farthest away.
      const dx = x[i * 3]! - x[first * 3]!
      const dy = x[i * 3 + 1]! - x[first * 3 + 1]!
      const dz = x[i * 3 + 2]! - x[first * 3 + 2]!
      const way = Math.sqrt(dx * dx + dy * dy + dz * dz)
      if (way <= length) continue
      length = way
      this.pivots[b] = LINE
      this.axes[b * 3] = dx / way
      this.axes[b * 3 + 1] = dy / way
      this.axes[b * 3 + 2] = dz / way
    }
    if (this.pivots[b] !== LINE) return true
    for (let i = first; i < end; i++) if (w[i] === 0 && !this.isInLine(state, b, i, STRAIGHT * length)) return false
    return true
  }

  /** True for a pin that is on the line of those of the `b`-th live body, and goes the way of the first of them. */
  private isInLine({ positions: x, targets }: State, b: number, i: number, off: number): boolean {
    const p = i * 3
    const o = this.origins[b]! * 3
    let along = 0
    let way = 0
    let turn = 0
    for (let d = 0; d < 3; d++) {
      const r = x[p + d]! - x[o + d]!
      along += this.axes[b * 3 + d]! * r
      way += r * r
      const turned = targets[p + d]! - targets[o + d]! - r
      turn += turned * turned
    }
    return way - along * along <= off * off && turn <= off * off
  }

  /** Notes the angular momentum of every free body; forces are in, positions are those after x += h v. */
  remember(state: State): void {
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      if (bodies[b]!.asleep) continue
      // What was restored in the last substep is still there.
      if (this.known[b] === UNKNOWN || (this.known[b] === KNOWN && this.driven[b] === 1)) this.measure(state, b)
    }
  }

  /** Notes, before a sweep over what is within them, the angular momentum of bodies that are led; substeps are h[0] [s]. */
  keep(state: State, h: Float64Array): void {
    for (let b = 0; b < state.bodies.live.length; b++) {
      if (this.known[b] !== LED || state.bodies.live[b]!.asleep) continue
      this.momentum.fill(0, b * 3, b * 3 + 3)
      this.compare(state, b, h)
      for (let d = 0; d < 3; d++) this.momentum[b * 3 + d] = -lost[d]! / h[0]!
    }
  }

  /** Turns them back, after it, about the vertical, where it has given them spin about that. */
  takeBack(state: State, h: Float64Array): void {
    for (let b = 0; b < state.bodies.live.length; b++) {
      if (this.known[b] !== LED || state.bodies.live[b]!.asleep) continue
      this.compare(state, b, h)
      let before = 0
      let change = 0
      for (let d = 0; d < 3; d++) {
        before += this.axes[b * 3 + d]! * h[0]! * this.momentum[b * 3 + d]!
        change -= this.axes[b * 3 + d]! * lost[d]!
      }
      if (Math.abs(before + change) > Math.abs(before) && solveAbout(this.axes, b * 3))
        turn(state, state.bodies.live[b]!)
    }
  }

  /** L about what the body turns about. */
  private measure({ bodies, previous: x, velocities: v, masses }: State, b: number): void {
    const { start, model } = bodies.live[b]!
    const end = start + model.particleCount
    // About a particle, and against its velocity: no digits are lost far from the origin or at high speed.
    const o = this.origins[b]! * 3
    const x0 = x[o]!
    const x1 = x[o + 1]!
    const x2 = x[o + 2]!
    const v0 = v[o]!
    const v1 = v[o + 1]!
    const v2 = v[o + 2]!
    let mass = 0
    let ax = 0
    let ay = 0
    let az = 0
    let px = 0
    let py = 0
    let pz = 0
    let lx = 0
    let ly = 0
    let lz = 0
    for (let i = start; i < end; i++) {
      const p = i * 3
      const m = masses[i]!
      const rx = x[p]! - x0
      const ry = x[p + 1]! - x1
      const rz = x[p + 2]! - x2
      const ux = m * (v[p]! - v0)
      const uy = m * (v[p + 1]! - v1)
      const uz = m * (v[p + 2]! - v2)
      mass += m
      ax += m * rx
      ay += m * ry
      az += m * rz
      px += ux
      py += uy
      pz += uz
      lx += ry * uz - rz * uy
      ly += rz * ux - rx * uz
      lz += rx * uy - ry * ux
    }
    this.known[b] = KNOWN
    const weight = this.pivots[b] === FREE ? mass : Number.POSITIVE_INFINITY // a pin stays where it is
    this.momentum[b * 3] = lx - (ay * pz - az * py) / weight
    this.momentum[b * 3 + 1] = ly - (az * px - ax * pz) / weight
    this.momentum[b * 3 + 2] = lz - (ax * py - ay * px) / weight
  }

  /** The `b`-th live body is pushed by another one, or what it lands with is taken for its bounce: it has another L from now on. */
  forget(b: number): void {
    if (this.known[b]! < HELD) this.known[b] = UNKNOWN
  }

  /** Turns the `b`-th live body by what its spin has lost in a substep of h[0] [s]; `touched` where a collider pushed. */
  restore(state: State, b: number, touched: boolean, h: Float64Array): void {
    if (this.known[b]! >= HELD) return
    if (touched || this.known[b] === TOUCHED) {
      this.known[b] = touched ? TOUCHED : UNKNOWN
      return
    }
    this.compare(state, b, h)
    if (this.pivots[b] === LINE ? solveAbout(this.axes, b * 3) : solve()) turn(state, state.bodies.live[b]!)
    else this.known[b] = UNKNOWN
  }

  /** A, the centre of mass, and h L - sum m r_prev x r of the `b`-th live body. */
  private compare(
    { bodies, positions: x, previous, masses, inverseMasses: w }: State,
    b: number,
    h: Float64Array,
  ): void {
    const { start, model, mass } = bodies.live[b]!
    const end = start + model.particleCount
    const o = this.origins[b]! * 3
    const x0 = x[o]!
    const x1 = x[o + 1]!
    const x2 = x[o + 2]!
    const y0 = previous[o]!
    const y1 = previous[o + 1]!
    const y2 = previous[o + 2]!
    const led = this.known[b] === LED
    let weight = this.pivots[b] === FREE ? mass : Number.POSITIVE_INFINITY // a pin stays where it is
    if (led) weight = 0
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
      const m = led ? 1 / w[i]! : masses[i]!
      if (led) weight += m
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
    sx -= (ay * (bz - az) - az * (by - ay)) / weight
    sy -= (az * (bx - ax) - ax * (bz - az)) / weight
    sz -= (ax * (by - ay) - ay * (bx - ax)) / weight
    A[0] = xx - (ax * bx) / weight
    A[3] = xy - (ax * by) / weight
    A[1] = A[3] - sz
    A[4] = yy - (ay * by) / weight
    A[7] = yz - (ay * bz) / weight
    A[5] = A[7] - sx
    A[8] = zz - (az * bz) / weight
    A[2] = zx - (az * bx) / weight
    A[6] = A[2] - sy
    lost[0] = h[0]! * this.momentum[b * 3]! - sx
    lost[1] = h[0]! * this.momentum[b * 3 + 1]! - sy
    lost[2] = h[0]! * this.momentum[b * 3 + 2]! - sz
    center[0] = x0 + bx / weight
    center[1] = x1 + by / weight
    center[2] = x2 + bz / weight
  }
}

/** Turns a body about `center` by `theta`. */
function turn({ positions: x }: State, { start, model }: BodyRecord): void {
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

/** True where an attachment or a joint holds a body. */
export function isLed({ attachments, joints }: State, body: BodyRecord): boolean {
  for (let a = 0; a < attachments.live.length; a++) if (isSame(attachments.live[a]!.body, body)) return true
  for (let j = 0; j < joints.live.length; j++) if (joins(joints.live[j]!, body)) return true
  return false
}

/** theta = along the axis at `at`, by e . (tr A - A) e theta = e . lost, at most `MOST`; false where nothing is beside it. */
function solveAbout(axes: Float64Array, at: number): boolean {
  const trace = A[0]! + A[4]! + A[8]!
  let inertia = trace
  let missing = 0
  for (let n = 0; n < 3; n++) {
    const e = axes[at + n]!
    missing += e * lost[n]!
    inertia -= e * (A[n * 3]! * axes[at]! + A[n * 3 + 1]! * axes[at + 1]! + A[n * 3 + 2]! * axes[at + 2]!)
  }
  if (!(inertia > 1e-9 * trace)) return false
  const turn = Math.max(-MOST, Math.min(MOST, missing / inertia))
  for (let n = 0; n < 3; n++) theta[n] = turn * axes[at + n]!
  return true
}

/** theta = (tr A - A)^-1 lost, at most `MOST`; false where that has no answer. */
function solve(): boolean {
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
    theta[n] = (inverse[n * 3]! * lost[0]! + inverse[n * 3 + 1]! * lost[1]! + inverse[n * 3 + 2]! * lost[2]!) / det
  }
  const size = Math.sqrt(theta[0]! * theta[0]! + theta[1]! * theta[1]! + theta[2]! * theta[2]!)
  const scale = size > MOST ? MOST / size : 1
  for (let n = 0; n < 3; n++) theta[n] = theta[n]! * scale
  return true
}

function hasForces({ forces }: State, { start, model }: BodyRecord): boolean {
  for (let p = start * 3; p < (start + model.particleCount) * 3; p++) if (forces[p] !== 0) return true
  return false
}

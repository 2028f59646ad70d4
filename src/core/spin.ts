import { isLed } from './ledSpin.js'
import { isInPieces, isLoose } from './model.js'
import { FREE, LINE, Pivots } from './pivots.js'
import { type BodyRecord, SLEEP } from './records.js'
import { compare, MIDDLE, missing, PIN, solve, solveAbout, turn, turned } from './rigidTurn.js'
import type { State } from './state.js'

/** What is known of a body's L: nothing once something else has acted on it. */
const UNKNOWN = 0
const KNOWN = 1
const HELD = 2

/**
 * Rigid spin correction: what is within a body leaves its angular momentum alone.
 *
 * Projections pull particles back to the circle from the end of a step along its tangent, so that a spin w decays as
 * w(t) = w0 / sqrt(1 + 2 w0^2 h t). Constraints within a body cannot change L = sum m r x v about its centre, so L is
 * noted once forces are in, and what is missing after the projections, before contacts, is given back by a rigid turn theta:
 * sum m r_prev x (r + theta x r) / h = L, with r_prev and r about the centre at the start and at the end of the substep.
 * With A = sum m r r_prev^T that is (tr A - A) theta = h L - sum m r_prev x r. To turn the positions, not the velocities
 * alone, is what keeps the energy of a tumbling body too: it makes the turns those of the discrete Euler equations of
 * Moser and Veselov (1991).
 *
 * What hangs from one point, or from points on a line, keeps likewise what its weight leaves of its L about that point, or
 * along that line: else a cloth that hangs from a corner, or a flag from its pole, spins up by itself. A pin that moves is
 * a frame that moves: what is relative to it has the L that it has about any other.
 *
 * What lies on something is no other: a sweep turns it the same way in each substep, as an engine within it would, and balls
 * went round in circles for ever. Contacts come after, and change L by what they push and rub: it is noted anew then. But
 * what a sweep takes of the spin of what colliders push is left to it: much of what stops a body that rocks is that.
 *
 * Bodies that are held by other pins or led (`LedSpin`) or torn into pieces are left as they are.
 */
export class Spin {
  /** By live body, in the present substep: what is known of its L. */
  private known = new Uint8Array(0)
  /** By live body: 1 where forces or damping change L from substep to substep. */
  private driven = new Uint8Array(0)
  /** By live body: L [kg m^2/s]. */
  private momentum = new Float64Array(0)
  private readonly pivots = new Pivots()

  /** Looks, once a step, at which bodies are held or driven; `factors` is what damping leaves of each one's velocity. */
  begin(state: State, factors: readonly Float64Array[]): void {
    const bodies = state.bodies.live
    if (this.known.length < bodies.length) {
      this.known = new Uint8Array(bodies.length * 2)
      this.driven = new Uint8Array(bodies.length * 2)
      this.momentum = new Float64Array(bodies.length * 6)
      this.pivots.makeRoom(bodies.length * 2)
    }
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      const { model } = body
      if (body.asleep) continue
      // Each piece, or particle, turns on its own.
      const turns = this.pivots.find(state, b) && !isLoose(model) && !isInPieces(model) && !isLed(state, body)
      this.known[b] = turns ? UNKNOWN : HELD
      const turnsAbout = this.pivots.kinds[b] !== FREE
      const damped = factors[b]![0] !== 1
      this.driven[b] = turnsAbout || damped || state.attractors.live.length > 0 || hasForces(state, body) ? 1 : 0
    }
  }

  /** A substep begins: notes the angular momentum of every free body; forces are in, positions are those after x += h v. */
  remember(state: State): void {
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      if (bodies[b]!.asleep) continue
      // What was restored in the last substep is still there.
      if (this.known[b] === UNKNOWN || (this.known[b] === KNOWN && this.driven[b] === 1)) this.measure(state, b)
    }
  }

  /** L about what the body turns about. */
  private measure({ bodies, previous: x, velocities: v, masses }: State, b: number): void {
    const { start, model } = bodies.live[b]!
    const end = start + model.particleCount
    // About a particle, and against its velocity: no digits are lost far from the origin or at high speed.
    const o = this.pivots.origins[b]! * 3
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
    const weight = this.pivots.kinds[b] === FREE ? mass : Number.POSITIVE_INFINITY // a pin stays where it is
    this.momentum[b * 3] = lx - (ay * pz - az * py) / weight
    this.momentum[b * 3 + 1] = ly - (az * px - ax * pz) / weight
    this.momentum[b * 3 + 2] = lz - (ax * py - ay * px) / weight
  }

  /** Something else acts on the `b`-th live body: it has another L from now on. */
  forget(b: number): void {
    if (this.known[b]! < HELD) this.known[b] = UNKNOWN
  }

  /** Notes what the `b`-th live body, which has been pushed in this substep of h[0] [s], has since. */
  rememberWay(state: State, b: number, h: Float64Array): void {
    if (this.known[b]! >= HELD) return
    this.compare(state, b)
    for (let d = 0; d < 3; d++) this.momentum[b * 3 + d] = turned[d]! / h[0]!
  }

  /** The constraints within bodies are projected: turns each by what its spin has lost since it was noted, h[0] a substep [s]. */
  restore(state: State, h: Float64Array): void {
    const bodies = state.bodies.live
    const { kinds, axes } = this.pivots
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      if (body.asleep || this.known[b]! >= HELD) continue
      this.compare(state, b)
      for (let d = 0; d < 3; d++) missing[d] = h[0]! * this.momentum[b * 3 + d]! - turned[d]!
      if (body.sleep[SLEEP.PUSHED] === 1) this.leaveLoss(b)
      if (kinds[b] === LINE ? solveAbout(axes, b * 3) : solve()) turn(state, body)
      else this.known[b] = UNKNOWN
    }
  }

  /** Takes out of `missing` what the `b`-th live body has lost of its spin: what lies or rocks is damped by that. */
  private leaveLoss(b: number): void {
    const { momentum } = this
    const o = b * 3
    const lx = momentum[o]!
    const ly = momentum[o + 1]!
    const lz = momentum[o + 2]!
    const square = lx * lx + ly * ly + lz * lz
    const along = lx * missing[0]! + ly * missing[1]! + lz * missing[2]!
    if (!(along > 0) || !(square > 0)) return
    const share = along / square
    missing[0] = missing[0]! - share * lx
    missing[1] = missing[1]! - share * ly
    missing[2] = missing[2]! - share * lz
  }

  /** What the `b`-th live body has turned by in this substep, about what it turns about. */
  private compare(state: State, b: number): void {
    const { kinds, origins } = this.pivots
    compare(state, state.bodies.live[b]!, origins[b]!, kinds[b] === FREE ? MIDDLE : PIN)
  }
}

function hasForces({ forces }: State, { start, model }: BodyRecord): boolean {
  for (let p = start * 3; p < (start + model.particleCount) * 3; p++) if (forces[p] !== 0) return true
  return false
}

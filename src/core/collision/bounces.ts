import { ALIKE, IMPACT, IMPACTS, leaderOf, STOPS } from '../impact.js'
import type { BodyRecord } from '../records.js'
import type { Spin } from '../spin.js'
import type { State } from '../state.js'
import type { WorldSettings } from '../worldSettings.js'
import { Contacts } from './contacts.js'
import {
  addUp,
  aimSpeed,
  ceiling,
  center,
  energy,
  given,
  gravity,
  inner,
  judge,
  MEMORY,
  measure,
  spinTaken,
  V,
} from './rebound.js'
import { inverseMass, point } from './touching.js'

const { COLLIDER, GENERATION, TIME, SPEED, SHARE, NORMAL, SURFACE } = IMPACT
const { GIVEN, PEAK, PHASE, TOUCHED, TOUCHES, ENERGY, HEIGHT, STOPPED, VELOCITY, TUMBLES, WITH, PUSHED, SIZE } = IMPACT

/** Part of the impact's speed by which the collider changes its own where it is driven anew, and that another has to have. */
const DRIVEN = 0.02

/** What counts as an approach of the body in hand [m/s]: what it gains in a step of falling. */
const threshold = new Float64Array(1)
/** Normal and velocity of the surface where the body in hand touches. */
const n = new Float64Array(3)
const surface = new Float64Array(3)
const place = new Float64Array(3)

/**
 * Restitution of whole bodies.
 *
 * How high an elastic body bounces is up to what its shape stores and what its damping loses, whatever its particles do
 * in the contact. So the collision is judged by the centre of mass: `meet` notes its approach speed u along the normal,
 * against the collider, when a body starts to touch; `part` sets its speed to restitution times u when it has left, or
 * slows down again, by one change of velocity for all particles, which spares wobble and sliding. What is given comes out
 * of what the impact has lost, then out of the wobble, then of the spin across the normal, last of the way along the
 * surface that the impact has set the body on: a bounce gains no energy. What lifts off once more while the impact is
 * remembered is held to the same speed; what an impulse has given since is spared. Colliders that lie side by side and
 * face the same way are one floor: a body that lands across their seam has one impact.
 */
export class Bounces extends Contacts {
  /** Of a body and a collider: sums of weights, normals and places, and the size of that of the normals [kg m]. */
  private readonly met = new Float64Array(8)
  private readonly h0 = new Float64Array(1)

  /** Notes who touches whom; constraints and contacts are solved, velocities are still those before. */
  meet(state: State, settings: Readonly<WorldSettings>): void {
    this.h0[0] = settings.timeStep / settings.substeps
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      if (body.asleep) continue
      const { impacts } = body
      for (let i = 0; i < IMPACTS * SIZE; i += SIZE) impacts[i + TOUCHES] = 0
      if (this.count === 0 || !this.bouncesWhole(b)) continue
      const end = this.bodyPairs[b + 1]!
      for (let pair = this.bodyPairs[b]!; pair < end; pair++) {
        if (this.push[pair] === 0) continue
        const { slot, generation } = this.colliders[this.collider[pair]!]!
        const i = placeOf(impacts, slot, generation)
        if (i < 0 || impacts[i + TOUCHES] === 1) continue
        impacts[i + TOUCHES] = 1
        const touched = impacts[i + TOUCHED] === 1
        if (touched && impacts[leaderOf(impacts, i) + TIME] === 0) continue // at rest
        aim(settings, body)
        if (!this.gather(state, b, this.collider[pair]!)) continue
        if (!touched) join(impacts, i)
        const answers = leaderOf(impacts, i)
        if (impacts[answers + TOUCHED] === 1) forgetDriven(impacts, answers)
        else this.strikes(state, body, answers, this.collider[pair]!)
        notePush(impacts, i, this.met)
      }
    }
  }

  /** Normal and speed of the surface where the `b`-th live body touches collider `c`; false where it is squeezed. */
  private gather(state: State, b: number, c: number): boolean {
    const { met } = this
    met.fill(0)
    for (let pair = this.bodyPairs[b]!; pair < this.bodyPairs[b + 1]!; pair++) {
      if (this.push[pair] === 0 || this.collider[pair] !== c) continue
      // By impulse: a drawn point that stands out of its tetrahedron has weights below 0.
      this.weigh(state, pair)
      if (inverseMass[0] === 0) continue
      this.locate(state, pair)
      const weight = this.push[pair]! / inverseMass[0]!
      met[0] = met[0]! + weight
      for (let d = 0; d < 3; d++) {
        met[1 + d] = met[1 + d]! + weight * this.normals[pair * 3 + d]!
        met[4 + d] = met[4 + d]! + weight * point[d]!
      }
    }
    const size = Math.sqrt(met[1]! * met[1]! + met[2]! * met[2]! + met[3]! * met[3]!)
    if (!(size > 0)) return false
    met[7] = size
    for (let d = 0; d < 3; d++) n[d] = met[1 + d]! / size
    this.findSurface(c)
    return true
  }

  /** A body starts to touch the collider `c`: an impact where it comes fast. */
  private strikes(state: State, body: BodyRecord, i: number, c: number): void {
    const { impacts } = body
    measure(state, body, state.previous)
    let approach = 0
    for (let d = 0; d < 3; d++) {
      V[d] = V[d]! - this.h0[0]! * gravity[d]! // the speed before this substep's gravity
      approach += (surface[d]! - V[d]!) * n[d]!
    }
    if (approach <= limitOf(impacts, i)) return
    // A body that lands on one foot after the other has one impact.
    const open = impacts[i + TIME]! > 0 && impacts[i + PHASE] === STOPS
    if (open && approach <= impacts[i + SPEED]!) return
    // What the last impact has set it on, along the surface or turning, lifts it no higher than that impact lets it.
    let tumbles = Number.POSITIVE_INFINITY
    if (impacts[i + TIME]! > 0 && impacts[i + ENERGY]! < Number.POSITIVE_INFINITY) {
      aimSpeed(impacts, i)
      tumbles = ceiling[0]! * ceiling[0]!
    }
    for (let k = 0; k < IMPACTS * SIZE; k += SIZE) impacts[k + ENERGY] = Number.POSITIVE_INFINITY
    impacts[i + TIME] = MEMORY
    impacts[i + SPEED] = approach
    impacts[i + SHARE] = Math.max(body.settings.restitution, this.colliders[c]!.restitution ?? 0)
    impacts[i + GIVEN] = 0
    impacts[i + PEAK] = 0
    impacts[i + STOPPED] = 0
    impacts[i + PHASE] = STOPS
    let square = 0
    for (let d = 0; d < 3; d++) {
      impacts[i + NORMAL + d] = n[d]!
      impacts[i + SURFACE + d] = surface[d]!
      impacts[i + VELOCITY + d] = V[d]!
      const moving = V[d]! - surface[d]!
      square += moving * moving
    }
    impacts[i + TUMBLES] = Math.min(tumbles, square - approach * approach + (2 * inner[0]!) / body.mass)
    impacts[i + HEIGHT] = center[0]! * n[0]! + center[1]! * n[1]! + center[2]! * n[2]!
    addUp(body, i)
    impacts[i + ENERGY] = energy[0]!
  }

  /** Velocity of the collider's matter where it touches. */
  private findSurface(c: number): void {
    const { met } = this
    for (let d = 0; d < 3; d++) place[d] = met[4 + d]! / met[0]!
    this.poses.shift(c, place, surface, 0)
    for (let d = 0; d < 3; d++) surface[d] = surface[d]! / this.h0[0]!
  }

  /** Judges what leaves, velocities being known; `spin` is not to restore what that takes. */
  part(state: State, settings: Readonly<WorldSettings>, spin: Spin): void {
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      if (body.asleep) continue
      const { impacts } = body
      let known = false
      for (let i = 0; i < IMPACTS * SIZE; i += SIZE)
        if (impacts[i + TOUCHES] === 1) impacts[leaderOf(impacts, i) + TOUCHES] = 1
      for (let i = 0; i < IMPACTS * SIZE; i += SIZE) {
        if (impacts[i + COLLIDER] === 0 || impacts[i + WITH] !== 0) continue
        const touches = impacts[i + TOUCHES] === 1
        const leaves = !touches && impacts[i + TOUCHED] === 1
        impacts[i + TOUCHED] = impacts[i + TOUCHES]!
        impacts[i + TIME] = Math.max(0, impacts[i + TIME]! - this.h0[0]!)
        if (impacts[i + TIME] === 0) {
          if (!touches) impacts.fill(0, i, i + SIZE)
          continue
        }
        if (!known) {
          measure(state, body, state.positions)
          aim(settings, body)
        }
        known = true
        given[0] = 0
        spinTaken[0] = 0
        judge(state, body, i, leaves, this.h0)
        if (given[0] !== 0) this.gave(state, b, i)
        if (spinTaken[0] !== 0) spin.forget(b)
      }
      leaveJoined(impacts)
    }
  }

  /** Called where a judgement of impact `i` of the `b`-th live body has given it an impulse: `given`. */
  protected gave(_state: State, _b: number, _i: number): void {}
}

/** The place of an impact on a collider, or a free one taken for it; -1 where all are in use. */
function placeOf(impacts: Float64Array, slot: number, generation: number): number {
  let free = -1
  for (let i = 0; i < IMPACTS * SIZE; i += SIZE) {
    if (impacts[i + COLLIDER] === slot + 1 && impacts[i + GENERATION] === generation) return i
    if (impacts[i + COLLIDER] === 0 && free < 0) free = i
  }
  if (free < 0) return -1
  impacts[free + COLLIDER] = slot + 1
  impacts[free + GENERATION] = generation
  return free
}

/** A collider that the body begins to touch beside another one, that it has struck, shares the impact of that. */
function join(impacts: Float64Array, i: number): void {
  if (impacts[i + TIME]! > 0) return
  for (let k = 0; k < IMPACTS * SIZE; k += SIZE) {
    if (k === i || impacts[k + WITH] !== 0 || !(impacts[k + TIME]! > 0)) continue
    let cosine = 0
    let square = 0
    for (let d = 0; d < 3; d++) {
      cosine += n[d]! * impacts[k + NORMAL + d]!
      const differs = surface[d]! - impacts[k + SURFACE + d]!
      square += differs * differs
    }
    const limit = limitOf(impacts, k)
    if (cosine < ALIKE || square > limit * limit) continue
    impacts[i + WITH] = k + 1
    return
  }
}

/** Notes what a collider pushes in this substep; those of its floor that do not push in it have no share in what it gives. */
function notePush(impacts: Float64Array, i: number, met: Float64Array): void {
  const leader = leaderOf(impacts, i)
  for (let k = 0; k < IMPACTS * SIZE; k += SIZE)
    if (impacts[k + TOUCHES] === 0 && leaderOf(impacts, k) === leader) impacts[k + PUSHED] = 0
  impacts[i + PUSHED] = met[7]!
}

/** Frees the places of what shared an impact and touches no more, and parts those whose impact is over. */
function leaveJoined(impacts: Float64Array): void {
  for (let i = 0; i < IMPACTS * SIZE; i += SIZE) {
    if (impacts[i + WITH] === 0) continue
    impacts[i + TOUCHED] = impacts[i + TOUCHES]!
    if (impacts[leaderOf(impacts, i) + TIME] === 0) impacts[i + WITH] = 0
    if (impacts[i + TOUCHED] === 0) impacts.fill(0, i, i + SIZE)
  }
}

/** A collider that is driven differently since the impact throws what lies on it. */
function forgetDriven(impacts: Float64Array, i: number): void {
  let change = 0
  for (let d = 0; d < 3; d++) change += (surface[d]! - impacts[i + SURFACE + d]!) * impacts[i + NORMAL + d]!
  if (Math.abs(change) > limitOf(impacts, i)) impacts[i + TIME] = 0
}

/** Speed up to which what comes beside or after an impact is none of its own, and a collider is as it was [m/s]. */
const limitOf = (impacts: Float64Array, i: number): number => threshold[0]! + DRIVEN * impacts[i + SPEED]!

/** Gravity on a body, and the approach that counts. */
function aim({ gravity: g, timeStep }: Readonly<WorldSettings>, { settings, pull }: BodyRecord): void {
  let square = 0
  for (let d = 0; d < 3; d++) {
    gravity[d] = g[d]! * settings.gravityScale + pull[d]!
    square += gravity[d]! * gravity[d]!
  }
  threshold[0] = Math.sqrt(square) * timeStep
}

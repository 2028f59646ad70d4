import { dampShape, takeSpin, wobbleEnergy } from '../damping.js'
import { IMPACT, IMPACTS, STOPS } from '../impact.js'
import { joins } from '../jointRecord.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'

const { TIME, SPEED, SHARE, NORMAL, SURFACE, GIVEN, PEAK } = IMPACT
const { PHASE, TOUCHES, ENERGY, HEIGHT, STOPPED, VELOCITY, TUMBLES, SIZE } = IMPACT

/** How long an impact answers for what springs off the collider that was hit [s]. */
export const MEMORY = 1
/** What a body does after an impact, once it is no longer being stopped: it has been sent off, or has turned back since. */
const STARTS = 2
const TURNED = 0
/** Part of the impact's speed by which the centre has slowed down again when a rebound in contact counts as over. */
const SLOWED = 0.02
/**
 * A body counts as stopped below this part of the impact's speed. One that stays so for longer than so many seconds has
 * landed flat, or on edge and tips, and will not turn back by itself: an elastic one passes through in a hundredth.
 */
const STOPPED_SHARE = 0.15
const STOPPED_TIME = 0.05

/** Impulse that the judgements since it was last set to 0 have given the body, along the normal [N s]. */
export const given = new Float64Array(1)
/** Energy that they have taken out of its spin [J]. */
export const spinTaken = new Float64Array(1)

const noAnchors = { count: 0, points: new Float64Array(0) }
/** Of the body measured last: centre of mass [m], its velocity [m/s], energy of the motion about it [J]. */
export const center = new Float64Array(3)
export const V = new Float64Array(3)
export const inner = new Float64Array(1)
/** Gravity on that body [m/s^2]. */
export const gravity = new Float64Array(3)
/** Its motion and height in the frame of the surface that was hit, and wobble [J]. */
export const energy = new Float64Array(1)
const wobble = new Float64Array(1)
/** Energy to be taken out of the wobble [J], and the share of the wobble that this takes. */
const excess = new Float64Array(1)
const share = new Float64Array(1)
/** What an impact has changed the velocity of the centre by, along the surface [m/s]. */
const drift = new Float64Array(3)
/** Its velocity against the surface, and what is added to it [m/s]. */
const moving = new Float64Array(3)
const change = new Float64Array(3)
/** Speed away from the collider, the one to hold the body to, and the most that it has while it touches [m/s]. */
const speed = new Float64Array(1)
const goal = new Float64Array(1)
export const ceiling = new Float64Array(1)

/**
 * Holds the body's speed away from a collider to restitution times that of its impact, where it leaves; once a substep of
 * h[0] [s].
 */
export function judge(state: State, body: BodyRecord, i: number, leaves: boolean, h: Float64Array): void {
  const { impacts } = body
  const touches = impacts[i + TOUCHES] === 1
  aimSpeed(impacts, i)
  if (impacts[i + PHASE] === STOPS) {
    impacts[i + PEAK] = Math.max(impacts[i + PEAK]!, speed[0]!)
    const u = impacts[i + SPEED]!
    const slows = impacts[i + PEAK]! > 0 && speed[0]! < impacts[i + PEAK]! - SLOWED * u
    if (Math.abs(speed[0]!) < STOPPED_SHARE * u) impacts[i + STOPPED] = impacts[i + STOPPED]! + h[0]!
    const stopped = goal[0]! > 0 && impacts[i + STOPPED]! > STOPPED_TIME
    if (stopped || (speed[0]! > 0 && (slows || !touches))) {
      impacts[i + PHASE] = STARTS
      give(state, body, i)
    }
  } else if (impacts[i + PHASE] === STARTS) {
    // What hangs on the ground and damping, which holds on to the points that touch, take some back while it leaves.
    if (!(speed[0]! > 0)) impacts[i + PHASE] = TURNED
    else if (leaves || touches) give(state, body, i)
  }
  const held = isHeld(state, body)
  const most = (leaves ? goal[0]! : touches ? ceiling[0]! : Number.POSITIVE_INFINITY) + impacts[i + GIVEN]!
  if (!held && speed[0]! > most) {
    goal[0] = most
    reachGoal(state, body, i)
  }
  if (held) impacts[i + ENERGY] = Number.POSITIVE_INFINITY
  // What is still stored as strain when it leaves turns into wobble later, and was not counted.
  addUp(body, i)
  excess[0] = energy[0]! - impacts[i + ENERGY]!
  calm(state, body)
}

/** Raises a body's speed away from a collider to its goal, by energy that the impact has taken. */
function give(state: State, body: BodyRecord, i: number): void {
  if (speed[0]! >= goal[0]!) return
  addUp(body, i)
  const free = body.impacts[i + ENERGY]! - energy[0]!
  const square = speed[0]! * speed[0]!
  const cost = 0.5 * body.mass * (goal[0]! * goal[0]! - square)
  if (cost > free) {
    excess[0] = cost - free
    calm(state, body)
    // A body that lands beside its centre is turned and pushed aside; by the side that comes down it gives that back.
    if (excess[0] > 0) {
      spinTaken[0] = excess[0]
      takeSpin(state, body, body.impacts, i + NORMAL, excess)
      spinTaken[0] = spinTaken[0] - excess[0]
      inner[0] = inner[0]! - spinTaken[0]
    }
    takeDrift(state, body, i)
    const paid = cost - excess[0]
    if (paid <= 0) return
    goal[0] = Math.sqrt(square + (2 * paid) / body.mass)
  }
  reachGoal(state, body, i)
}

/** Takes the energy `excess` out of a body's wobble, as far as there is; what is left of it is what is missing. */
function calm(state: State, body: BodyRecord): void {
  if (!(excess[0]! > 0)) return
  wobbleEnergy(state, body, wobble)
  if (wobble[0] === 0) return
  const taken = Math.min(wobble[0]!, excess[0]!)
  share[0] = 1 - Math.sqrt(1 - taken / wobble[0]!)
  dampShape(state, body, share, noAnchors)
  inner[0] = inner[0]! - taken
  excess[0] = excess[0]! - taken
}

/**
 * Takes the energy `excess` out of the way that the impact has pushed a body along the surface, as far as there is. What
 * it came with stays; so does all where it has hit another collider as well, which may have pushed it so.
 */
function takeDrift(state: State, body: BodyRecord, i: number): void {
  const { impacts, mass } = body
  if (!(excess[0]! > 0)) return
  for (let k = 0; k < IMPACTS * SIZE; k += SIZE) if (k !== i && impacts[k + TIME]! > 0) return
  const since = MEMORY - impacts[i + TIME]!
  for (let d = 0; d < 3; d++) {
    drift[d] = V[d]! - impacts[i + VELOCITY + d]! - gravity[d]! * since
    moving[d] = V[d]! - impacts[i + SURFACE + d]!
  }
  const along = dot(drift, 0, impacts, i + NORMAL)
  for (let d = 0; d < 3; d++) drift[d] = drift[d]! - along * impacts[i + NORMAL + d]!
  // Less s times that drift, the energy changes by mass (-s a + s^2 b / 2).
  const a = dot(drift, 0, moving, 0)
  const b = dot(drift, 0, drift, 0)
  if (!(a > 0)) return
  const most = Math.min(1, a / b)
  const taken = Math.min(excess[0]! / mass, most * (a - 0.5 * most * b))
  const s = (a - Math.sqrt(Math.max(0, a * a - 2 * b * taken))) / b
  for (let d = 0; d < 3; d++) change[d] = -s * drift[d]!
  addVelocity(state, body)
  excess[0] = excess[0]! - mass * taken
}

const dot = (a: Float64Array, i: number, b: Float64Array, j: number): number =>
  a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!

/** Adds `change` to the velocity of all particles of a body. */
function addVelocity({ velocities: v }: State, { start, model }: BodyRecord): void {
  for (let d = 0; d < 3; d++) {
    const by = change[d]!
    for (let p = start * 3 + d; p < (start + model.particleCount) * 3; p += 3) v[p] = v[p]! + by
    V[d] = V[d]! + by
  }
}

/**
 * A body's speed away from the collider, into `speed`, and the one that it shall leave with, into `goal`: restitution times
 * that of its impact, as it was where the centre of mass was at the impact. A body that leaves while it is still squashed
 * or stretched rises as far as it should so; what is not to bounce makes up for nothing, what bounces a little for a part.
 * What still touches rises no faster than what is thrown so high, into `ceiling`, or by what it came with in other ways: one
 * foot that stays on the ground would else carry it up as far as its shape springs.
 */
export function aimSpeed(impacts: Float64Array, i: number): void {
  const e = impacts[i + SHARE]!
  const u = impacts[i + SPEED]!
  const since = MEMORY - impacts[i + TIME]!
  let below = impacts[i + HEIGHT]!
  let pull = 0
  let away = 0
  for (let d = 0; d < 3; d++) {
    const along = impacts[i + NORMAL + d]!
    below -= (center[d]! - impacts[i + SURFACE + d]! * since) * along
    pull -= gravity[d]! * along
    away += (V[d]! - impacts[i + SURFACE + d]!) * along
  }
  speed[0] = away
  const work = 2 * pull * below
  const lost = (1 - e) * (1 - e)
  ceiling[0] = Math.sqrt(Math.max(0, e * e * u * u + work + impacts[i + TUMBLES]!))
  goal[0] = Math.sqrt(Math.max(0, e * e * u * u + (work > 0 ? (1 - lost * lost) * work : work)))
}

/** Brings the body's speed along the normal of impact `i` from `speed` to `goal`, by the same change for all particles. */
function reachGoal(state: State, body: BodyRecord, i: number): void {
  const gain = goal[0]! - speed[0]!
  given[0] = given[0]! + body.mass * gain
  speed[0] = goal[0]!
  for (let d = 0; d < 3; d++) change[d] = gain * body.impacts[i + NORMAL + d]!
  addVelocity(state, body)
}

/** Centre of mass at positions `x`, its velocity, and the kinetic energy of the motion about it. */
export function measure({ velocities: v, masses }: State, body: BodyRecord, x: Float64Array): void {
  center.fill(0)
  V.fill(0)
  const end = body.start + body.model.particleCount
  for (let i = body.start; i < end; i++) {
    const m = masses[i]! / body.mass
    for (let d = 0; d < 3; d++) {
      center[d] = center[d]! + m * x[i * 3 + d]!
      V[d] = V[d]! + m * v[i * 3 + d]!
    }
  }
  let square = 0
  for (let i = body.start; i < end; i++) {
    const ux = v[i * 3]! - V[0]!
    const uy = v[i * 3 + 1]! - V[1]!
    const uz = v[i * 3 + 2]! - V[2]!
    square += masses[i]! * (ux * ux + uy * uy + uz * uz)
  }
  inner[0] = 0.5 * square
}

/** Energy of the body measured last in the frame of the surface that impact `i` is on, into `energy`. */
export function addUp({ impacts, mass }: BodyRecord, i: number): void {
  const since = MEMORY - impacts[i + TIME]!
  let sum = 0
  for (let d = 0; d < 3; d++) {
    const moved = impacts[i + SURFACE + d]!
    const speed = V[d]! - moved
    sum += 0.5 * speed * speed - gravity[d]! * (center[d]! - moved * since)
  }
  energy[0] = inner[0]! + mass * sum
}

/** True where an attachment or a joint leads the body: it shall not be slowed down by what it hit before. */
function isHeld({ attachments, joints }: State, record: BodyRecord): boolean {
  const { slot, generation } = record
  for (let a = 0; a < attachments.live.length; a++) {
    const { body } = attachments.live[a]!
    if (body.slot === slot && body.generation === generation) return true
  }
  for (let j = 0; j < joints.live.length; j++) if (joins(joints.live[j]!, record)) return true
  return false
}

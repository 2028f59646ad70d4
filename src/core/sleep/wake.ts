import { feelsAir } from '../air.js'
import type { AttractorRecord } from '../attractor.js'
import { type ContactPair, isSolid } from '../contactPair.js'
import { type Frame, isSame, type JointRecord, joins, WHOLE } from '../jointRecord.js'
import { boundsOf } from '../measures.js'
import { type BodyRecord, type ColliderRecord, SLEEP } from '../records.js'
import type { State } from '../state.js'
import type { WindRegion } from '../wind.js'
import { blowsOtherwise, movesOtherwise, type WorldSettings } from '../worldSettings.js'
import { Neighbours } from './neighbours.js'

/** What has been roused, and whose neighbours are still to be. */
const woken: BodyRecord[] = []
const neighbours = new Neighbours()
const box = new Float64Array(6)
/** Where something acts: a box [m], and how far about it [m]. */
const zone = new Float64Array(7)
const REACH = 6

/** Wakes a body and all that sleeps in touch with it or is joined to it, and so on; one that is awake stays so for a while. */
export function wake(state: State, body: BodyRecord): void {
  body.sleep[SLEEP.CALM] = 0
  if (!body.asleep) return // most often: kept short, so that who calls with numbers is compiled in one with it
  rouse(body)
  wakeNeighbours(state)
}

/** Wakes a body by itself: `wakeNeighbours` is to follow, once for all that are roused at a time. */
export function rouse(body: BodyRecord): void {
  body.sleep[SLEEP.CALM] = 0
  if (!body.asleep) return
  body.asleep = false
  woken.push(body)
}

/** Wakes all that sleeps in touch with a body or collider, or is joined to it, that goes, moves or acts otherwise from now on. */
export function wakeTouching(state: State, record: BodyRecord | ColliderRecord): void {
  const { active } = state.contacts
  for (let k = 0; k < active.length; k++) {
    const pair = active[k]!
    const other = otherOf(pair, record)
    if (other && isSolid(pair)) rouse(other)
  }
  for (let j = 0; j < state.joints.live.length; j++) {
    const joint = state.joints.live[j]!
    const { collider } = joint
    if ('model' in record ? joins(joint, record) : collider !== null && isSame(collider, record)) {
      rouseJoined(state, joint)
    }
  }
  wakeNeighbours(state)
}

export function wakeAll(state: State): void {
  for (const body of state.bodies.live) {
    body.asleep = false
    body.sleep[SLEEP.CALM] = 0
  }
}

/** Wakes what rested under the world's settings of before and may not under those of now. */
export function wakeBySettings(state: State, before: Readonly<WorldSettings>, now: Readonly<WorldSettings>): void {
  if (movesOtherwise(before, now)) wakeAll(state)
  else if (blowsOtherwise(before, now)) wakeBlown(state)
}

/** Wakes, before a step, what attractors that move in it pull: what was at rest may not be. */
export function wakeByAttractors(state: State): void {
  const { live } = state.attractors
  for (let a = 0; a < live.length; a++) {
    const { from, target } = live[a]!
    if (from[0] !== target[0] || from[1] !== target[1] || from[2] !== target[2]) wakePulled(state, live[a]!)
  }
}

/** Wakes what comes within the range of an attractor on its way in the coming step. */
export function wakePulled(
  state: State,
  { from, target, settings }: Pick<AttractorRecord, 'from' | 'target' | 'settings'>,
): void {
  if (settings.strength === 0) return
  for (let d = 0; d < 3; d++) {
    zone[d] = Math.min(from[d]!, target[d]!)
    zone[3 + d] = Math.max(from[d]!, target[d]!)
  }
  zone[REACH] = settings.range
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.settings.gravityScale !== 0 && isInZone(state, body)) rouse(body)
  }
  wakeNeighbours(state)
}

/** Wakes what feels the air in a region, or anywhere: it blows otherwise from now on. */
export function wakeBlown(state: State, region?: WindRegion): void {
  zone[REACH] = Number.POSITIVE_INFINITY
  if (region) {
    const isBox = 'min' in region
    zone.set(isBox ? region.min : region.center)
    zone.set(isBox ? region.max : region.center, 3)
    zone[REACH] = isBox ? 0 : region.radius
  }
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (feelsAir(body) && isInZone(state, body)) rouse(body)
  }
  wakeNeighbours(state)
}

/** True where the box of a body comes to `zone`. */
function isInZone(state: State, body: BodyRecord): boolean {
  boundsOf(body, state, box)
  let square = 0
  for (let d = 0; d < 3; d++) {
    const apart = Math.max(0, box[d]! - zone[3 + d]!, zone[d]! - box[3 + d]!)
    square += apart * apart
  }
  return square <= zone[REACH]! * zone[REACH]!
}

/** Puts a body to sleep as it is: at rest, between steps too. */
export function putToSleep(state: State, body: BodyRecord): void {
  body.asleep = true
  const { sleep, start, model } = body
  sleep[SLEEP.CALM] = 0
  const from = start * 3
  const to = (start + model.particleCount) * 3
  for (let p = from; p < to; p++) {
    state.previous[p] = state.positions[p]!
    state.stepStart[p] = state.positions[p]!
  }
  state.velocities.fill(0, from, to)
  state.forces.fill(0, from, to)
  boundsOf(body, state, box)
  const thickness = sleep[SLEEP.THICKNESS]!
  for (let d = 0; d < 3; d++) {
    sleep[SLEEP.BOX + d] = box[d]! - thickness
    sleep[SLEEP.BOX + 3 + d] = box[3 + d]! + thickness
  }
  body.impacts.fill(0)
}

/** Wakes what sleeps in touch with what has been roused, or is joined to it, and so on. */
export function wakeNeighbours(state: State): void {
  if (woken.length === 0) return
  neighbours.take(state)
  for (let k = 0; k < woken.length; k++) neighbours.forSleepers(state, woken[k]!, rouse)
  woken.length = 0
}

type Joined = Pick<JointRecord, 'body' | 'other'>

/** Wakes both sides of a joint that goes, changes or moves. */
export function wakeJoined(state: State, joint: Joined): void {
  rouseJoined(state, joint)
  wakeNeighbours(state)
}

function rouseJoined(state: State, { body, other }: Joined): void {
  const one = state.bodies.get(body)
  const two = other && state.bodies.get(other)
  if (one) rouse(one)
  if (two) rouse(two)
}

/** Before a step: what is joined to a frame that moves is awake, and so are both of two bodies or neither. */
export function wakeByJoints(state: State): void {
  for (let j = 0; j < state.joints.live.length; j++) {
    const joint = state.joints.live[j]!
    const { frame, broken } = joint
    if (broken[0] !== WHOLE) continue
    if (frame) {
      if (hasWay(frame)) rouseJoined(state, joint)
      continue
    }
    const one = state.bodies.get(joint.body)!
    const two = state.bodies.get(joint.other!)!
    if (one.asleep !== two.asleep) rouse(one.asleep ? one : two)
  }
  wakeNeighbours(state)
}

function hasWay({ pose, goal }: Frame): boolean {
  for (let k = 0; k < 7; k++) if (pose[k] !== goal[k]) return true
  return false
}

function otherOf(pair: ContactPair, record: BodyRecord | ColliderRecord): BodyRecord | undefined {
  if (pair.other === record) return pair.body
  return pair.body === record && !pair.withCollider ? (pair.other as BodyRecord) : undefined
}

import { findWay, isMoving, toFrame, turnOf, way } from '../collision/framed.js'
import { pushEachOther } from '../collision/groups.js'
import { type BodyRecord, type ColliderRecord, SLEEP } from '../records.js'
import type { State } from '../state.js'
import type { WorldSettings } from '../worldSettings.js'
import { WAKING_SPEED } from './islands.js'
import { wake, wakeByJoints, wakeTouching } from './wake.js'

/** How near a moving collider comes to a body before it wakes, as a share of the body's size: room for feelers. */
const ROOM = 0.02

/** The least speed that counts, of a body with pins: nothing stops it [m/s]. */
const LED = 1e-3

const R = new Float64Array(9)
const query = new Float64Array(7)
/** A point [m], and how far a body reaches from there [m]. */
const place = new Float64Array(3)
const radius = new Float64Array(1)
/** Box of a body that is awake, with room for its way in a step [m]; then its greatest speed [m/s]. */
const box = new Float64Array(7)

/** Wakes, before a step, what the step will move: what lies on or near a moving collider, or in the way of a body. */
export function wakeWhatIsMet(state: State, settings: Readonly<WorldSettings>): void {
  const colliders = state.colliders.live
  for (let c = 0; c < colliders.length; c++) {
    const collider = colliders[c]!
    collider.moved = collider.placed || isMoving(collider)
    collider.placed = false
    if (!collider.moved || collider.sensor) continue
    wakeTouching(state, collider)
    wakeNear(state, collider)
  }
  wakeByJoints(state)
  const bodies = state.bodies.live
  let sleepers = 0
  for (let b = 0; b < bodies.length; b++) if (bodies[b]!.asleep) sleepers++
  if (sleepers === 0) return
  for (let b = 0; b < bodies.length; b++) if (!bodies[b]!.asleep) meet(state, settings, bodies[b]!)
}

/** Wakes the bodies that a collider comes near to in the coming step, or stands near to now. */
export function wakeNear(state: State, collider: ColliderRecord): void {
  const bodies = state.bodies.live
  for (let b = 0; b < bodies.length; b++) {
    const body = bodies[b]!
    if (body.asleep && pushEachOther(body.settings, collider) && isNear(state, body, collider)) wake(state, body)
  }
}

/** Wakes what sleeps in the way of a body that comes fast enough to be felt. */
function meet(state: State, settings: Readonly<WorldSettings>, body: BodyRecord): void {
  const pinned = measure(state, settings, body)
  const bodies = state.bodies.live
  for (let b = 0; b < bodies.length; b++) {
    const other = bodies[b]!
    if (!other.asleep || !pushEachOther(body.settings, other.settings)) continue
    if (pinned ? box[6]! < LED : box[6]! * body.mass < WAKING_SPEED * (body.mass + other.mass)) continue
    const { sleep } = other
    let apart = false
    for (let d = 0; d < 3 && !apart; d++) {
      apart = box[d]! > sleep[SLEEP.BOX + 3 + d]! || box[3 + d]! < sleep[SLEEP.BOX + d]!
    }
    if (!apart) wake(state, other)
  }
}

/** Writes `box` of a body that is awake; true where it is pinned somewhere. */
function measure(state: State, { timeStep, gravity }: Readonly<WorldSettings>, body: BodyRecord): boolean {
  const { positions: x, velocities: v, inverseMasses: w } = state
  const { start, model, settings, sleep } = body
  let square = 0
  let pinned = false
  for (let d = 0; d < 3; d++) {
    box[d] = Number.POSITIVE_INFINITY
    box[3 + d] = Number.NEGATIVE_INFINITY
  }
  for (let i = start; i < start + model.particleCount; i++) {
    const p = i * 3
    pinned = pinned || w[i] === 0
    for (let d = 0; d < 3; d++) {
      if (x[p + d]! < box[d]!) box[d] = x[p + d]!
      if (x[p + d]! > box[3 + d]!) box[3 + d] = x[p + d]!
    }
    square = Math.max(square, v[p]! * v[p]! + v[p + 1]! * v[p + 1]! + v[p + 2]! * v[p + 2]!)
  }
  const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
  const speed = Math.sqrt(square) + g * Math.abs(settings.gravityScale) * timeStep
  const room = speed * timeStep + sleep[SLEEP.THICKNESS]!
  for (let d = 0; d < 3; d++) {
    box[d] = box[d]! - room
    box[3 + d] = box[3 + d]! + room
  }
  box[6] = Math.sqrt(square)
  return pinned
}

function isNear(state: State, body: BodyRecord, collider: ColliderRecord): boolean {
  const { sleep, start, model } = body
  const { pose, shape } = collider
  let square = 0
  for (let d = 0; d < 3; d++) {
    const low = sleep[SLEEP.BOX + d]!
    const high = sleep[SLEEP.BOX + 3 + d]!
    place[d] = (low + high) / 2
    square += (high - low) * (high - low)
  }
  radius[0] = Math.sqrt(square) / 2
  findWay(collider, place, radius)
  const reach = sleep[SLEEP.THICKNESS]! + ROOM * model.size + way[0]!
  turnOf(pose, R)
  toFrame(place, pose, R, query)
  shape.distance(query)
  if (query[3]! > radius[0] + reach) return false
  for (let k = 0; k < model.contactParticles.length; k++) {
    const p = (start + model.contactParticles[k]!) * 3
    for (let d = 0; d < 3; d++) place[d] = state.positions[p + d]!
    toFrame(place, pose, R, query)
    shape.distance(query)
    if (query[3]! < reach) return true
  }
  return false
}

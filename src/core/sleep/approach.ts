import { findWay, isMoving, toFrame, turnOf, way } from '../collision/framed.js'
import { pushEachOther } from '../collision/groups.js'
import { isBounded } from '../collision/soft/bodyBoxes.js'
import { BOX, BoxTree } from '../collision/soft/boxTree.js'
import { roomy } from '../collision/soft/columns.js'
import { type BodyRecord, type ColliderRecord, SLEEP } from '../records.js'
import type { State } from '../state.js'
import type { WorldSettings } from '../worldSettings.js'
import { WAKING_SPEED } from './islands.js'
import { rouse, wakeByJoints, wakeNeighbours, wakeTouching } from './wake.js'

/** How near a moving collider comes to a body before it wakes, as a share of the body's size: room for feelers. */
const ROOM = 0.02

/** The least speed that counts, of a body with pins: nothing stops it [m/s]. */
const LED = 1e-3

const R = new Float64Array(9)
const query = new Float64Array(7)
/** A point [m], and how far a body reaches from there [m]. */
const place = new Float64Array(3)
const radius = new Float64Array(1)
/**
 * Bodies that come fast enough to be felt: which they are, their boxes with room for their ways in a step [m], and their
 * greatest speed times their mass [kg m/s], without end where nothing stops them.
 */
let count = 0
let comers = new Uint32Array(0)
let boxes = new Float64Array(0)
let momenta = new Float64Array(0)
const tree = new BoxTree(true)

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
  wakeInTheWay(state, settings)
}

/** Wakes the bodies that a collider comes near to in the coming step, or stands near to now. */
export function wakeNear(state: State, collider: ColliderRecord): void {
  const bodies = state.bodies.live
  for (let b = 0; b < bodies.length; b++) {
    const body = bodies[b]!
    if (body.asleep && pushEachOther(body.settings, collider) && isNear(state, body, collider)) rouse(body)
  }
  wakeNeighbours(state)
}

/** Wakes what sleeps in the way of a body that comes fast enough to be felt. */
function wakeInTheWay(state: State, settings: Readonly<WorldSettings>): void {
  const bodies = state.bodies.live
  let sleepers = 0
  for (let b = 0; b < bodies.length; b++) if (bodies[b]!.asleep) sleepers++
  if (sleepers === 0) return
  count = 0
  for (let b = 0; b < bodies.length; b++) if (!bodies[b]!.asleep) measure(state, settings, bodies[b]!, b)
  tree.build(boxes, count)
  for (let b = 0; b < bodies.length; b++) {
    const sleeper = bodies[b]!
    if (!sleeper.asleep) continue
    tree.query(sleeper.sleep, SLEEP.BOX, 0, 0)
    for (let k = 0; k < tree.count && sleeper.asleep; k++) {
      const at = tree.found[k]!
      const body = bodies[comers[at]!]!
      if (momenta[at]! < WAKING_SPEED * (body.mass + sleeper.mass)) continue
      if (pushEachOther(body.settings, sleeper.settings)) rouse(sleeper)
    }
  }
  wakeNeighbours(state)
}

/** Takes up the box and the momentum of a body that is awake, where any that sleeps could feel it. */
function measure(state: State, { timeStep, gravity }: Readonly<WorldSettings>, body: BodyRecord, b: number): void {
  const { positions: x, velocities: v, inverseMasses: w } = state
  const { start, model, settings, sleep } = body
  boxes = roomy(boxes, (count + 1) * BOX)
  comers = roomy(comers, count + 1)
  momenta = roomy(momenta, count + 1)
  const o = count * BOX
  let square = 0
  let pinned = false
  for (let d = 0; d < 3; d++) {
    boxes[o + d] = Number.POSITIVE_INFINITY
    boxes[o + 3 + d] = Number.NEGATIVE_INFINITY
  }
  for (let i = start; i < start + model.particleCount; i++) {
    const p = i * 3
    pinned = pinned || w[i] === 0
    for (let d = 0; d < 3; d++) {
      if (x[p + d]! < boxes[o + d]!) boxes[o + d] = x[p + d]!
      if (x[p + d]! > boxes[o + 3 + d]!) boxes[o + 3 + d] = x[p + d]!
    }
    square = Math.max(square, v[p]! * v[p]! + v[p + 1]! * v[p + 1]! + v[p + 2]! * v[p + 2]!)
  }
  const fastest = Math.sqrt(square)
  if (pinned ? fastest < LED : fastest < WAKING_SPEED) return
  const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
  const room = (fastest + g * Math.abs(settings.gravityScale) * timeStep) * timeStep + sleep[SLEEP.THICKNESS]!
  for (let d = 0; d < 3; d++) {
    boxes[o + d] = boxes[o + d]! - room
    boxes[o + 3 + d] = boxes[o + 3 + d]! + room
  }
  if (!isBounded(boxes, o)) return
  comers[count] = b
  momenta[count] = pinned ? Number.POSITIVE_INFINITY : fastest * body.mass
  count++
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

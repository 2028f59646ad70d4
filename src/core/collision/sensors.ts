import type { BodyRecord, ColliderRecord } from '../records.js'
import type { State } from '../state.js'
import { findWay, way as sway, toFrame, turnOf } from './framed.js'
import { noticeEachOther } from './groups.js'
import { roomy } from './soft/columns.js'
import { MEET, TOUCH, type Touches } from './touches.js'
import { THICKNESS, TOUCHED, trace, WAY } from './trace.js'

const R0 = new Float64Array(9)
const R1 = new Float64Array(9)
const query = new Float64Array(7)
const way = new Float64Array(WAY)
/** Where something touches [m], and the normal there in the collider's frame. */
const place = new Float64Array(3)
const normal = new Float64Array(3)
/** Where a particle was, and is [m]. */
const before = new Float64Array(3)
const at = new Float64Array(3)
/** Middle of a body's way in the step, and how far it reaches from there [m]. */
const middle = new Float64Array(3)
const radius = new Float64Array(1)
/** The live bodies that are sensors. */
let sensing = new Uint32Array(0)

/**
 * Notes what sensors notice in a step, as touches without an impulse: a body and a collider, one of which is a sensor,
 * touch where a contact particle of the body comes as near to the collider as its thickness, or has passed through it.
 * To be called at the end of the step, before colliders are said to have arrived.
 */
export function noticeSensors(state: State, touches: Touches): void {
  const colliders = state.colliders.live
  const bodies = state.bodies.live
  sensing = roomy(sensing, bodies.length)
  let count = 0
  for (let b = 0; b < bodies.length; b++) if (bodies[b]!.settings.sensor) sensing[count++] = b
  for (let c = 0; c < colliders.length; c++) {
    const collider = colliders[c]!
    if (!collider.sensor && count === 0) continue
    turnOf(collider.pose, R0)
    turnOf(collider.target, R1)
    // A collider that is none itself is only noticed by bodies that are.
    const end = collider.sensor ? bodies.length : count
    for (let k = 0; k < end; k++) {
      const b = collider.sensor ? k : sensing[k]!
      const body = bodies[b]!
      if (!noticeEachOther(body.settings, collider) || (body.asleep && !collider.moved)) continue
      if (isFar(state, body, collider)) continue
      const how = touch(state, body, collider)
      if (how === MEET.APART) continue
      touches.touch.fill(0)
      for (let d = 0; d < 3; d++) {
        const row = d * 3
        touches.touch[TOUCH.POINT + d] = place[d]!
        touches.touch[TOUCH.NORMAL + d] = R1[row]! * normal[0]! + R1[row + 1]! * normal[1]! + R1[row + 2]! * normal[2]!
      }
      if (how === MEET.TOUCH) touches.noteCollider(b, c)
      else touches.notePassed(b, c)
    }
  }
}

/** True where no way of the body in this step can lead to the collider. */
function isFar(state: State, body: BodyRecord, collider: ColliderRecord): boolean {
  findMiddle(state, body)
  findWay(collider, middle, radius)
  toFrame(middle, collider.target, R1, query)
  collider.shape.distance(query)
  return query[3]! > radius[0]! + thicknessOf(body) + sway[0]!
}

/**
 * Finds where a body touches a collider, and how: `place` then, and the `normal` there. What touches at the end of the step
 * counts before what has passed.
 */
function touch(state: State, body: BodyRecord, { shape, pose, target }: ColliderRecord): number {
  const { positions: x, stepStart } = state
  const thickness = thicknessOf(body)
  const { contactParticles } = body.model
  let how: number = MEET.APART
  for (let k = 0; k < contactParticles.length; k++) {
    const p = (body.start + contactParticles[k]!) * 3
    for (let d = 0; d < 3; d++) {
      before[d] = stepStart[p + d]!
      at[d] = x[p + d]!
    }
    toFrame(before, pose, R0, way)
    toFrame(at, target, R1, query)
    let square = 0
    for (let d = 0; d < 3; d++) {
      way[3 + d] = query[d]! - way[d]!
      square += way[3 + d]! * way[3 + d]!
    }
    shape.distance(query)
    const gap = query[3]! - thickness
    if (gap <= 0) {
      way[TOUCHED] = 1
      keep()
      return MEET.TOUCH
    }
    if (how === MEET.PASS || square <= gap * gap) continue // too short a way to have touched
    way[THICKNESS] = thickness
    if (!trace(shape, way, query)) continue
    keep()
    how = MEET.PASS
  }
  return how
}

/** Keeps the place on the way from `before` to `at` where it touches, and the normal there. */
function keep(): void {
  for (let d = 0; d < 3; d++) {
    place[d] = before[d]! + way[TOUCHED]! * (at[d]! - before[d]!)
    normal[d] = query[4 + d]!
  }
}

function findMiddle({ positions: x, stepStart }: State, { start, model }: BodyRecord): void {
  let square = 0
  for (let d = 0; d < 3; d++) {
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (let p = start * 3 + d; p < (start + model.particleCount) * 3; p += 3) {
      low = Math.min(low, x[p]!, stepStart[p]!)
      high = Math.max(high, x[p]!, stepStart[p]!)
    }
    middle[d] = (low + high) / 2
    square += (high - low) * (high - low)
  }
  radius[0] = Math.sqrt(square) / 2
}

function thicknessOf({ settings, model }: BodyRecord): number {
  return settings.thickness ?? model.thickness
}

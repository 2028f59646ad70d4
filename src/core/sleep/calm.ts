import { isPulled } from '../attraction.js'
import type { BodySettings } from '../bodySettings.js'
import { isSolid } from '../contactPair.js'
import { type BodyRecord, RESCUE, SLEEP } from '../records.js'
import type { State } from '../state.js'
import type { WorldSettings } from '../worldSettings.js'

/** Within this distance of where it was, a particle has not moved: [m], and as a share of its body's size. */
const REACH = 5e-4
const REACH_SHARE = 1e-3
/** Share of that within which the centre of mass must stay: what trembles in place may, what creeps may not. */
const CREEP = 0.25
/** What has not moved for so long rests [s]. */
const REST_TIME = 0.5

/** What lies on something may move by so many times as much, its centre of mass by this share of that, and rests after [s]. */
const LYING = 5
const LYING_CREEP = 0.5
const LYING_REST_TIME = 1

/** What lies on something drifts below this speed: [m/s], and in sizes of the body [1/s]; for so long, it rests [s]. */
const DRIFT_SPEED = 0.05
const DRIFT_SHARE = 0.2
const DRIFT_REST_TIME = 4

const center = new Float64Array(3)
/** How high a body's centre is, and its radius of gyration about it [m]. */
const stance = new Float64Array(2)

/**
 * Notices bodies on which nothing moves: no particle has got away from where it was, and the centre of mass has not
 * crept. Places are compared instead of speeds, since what lies in contact trembles by much less than a pixel, but
 * quickly. `SLEEP.CALM` says for how long that has been so [s].
 *
 * In a pile a body may creep or sway at a millimetre a second for long, and would keep all others awake. So what lies on
 * something is allowed more, over a longer time. What hangs or floats is not: it may be at the turn of a slow swing.
 */
export function watchCalm(state: State, settings: Readonly<WorldSettings>): void {
  findWhatLies(state, settings)
  const bodies = state.bodies.live
  for (let b = 0; b < bodies.length; b++) {
    const body = bodies[b]!
    if (body.asleep) continue
    const { sleep } = body
    findCenter(state, body)
    watchDrift(state, settings, body)
    if (sleep[SLEEP.CALM] === 0 || hasMoved(state, body)) {
      sleep[SLEEP.CALM] = 0
      sleep[SLEEP.STIRRED] = 0
      for (let d = 0; d < 3; d++) sleep[SLEEP.CENTER + d] = center[d]!
      for (let p = body.start * 3; p < (body.start + body.model.particleCount) * 3; p++) {
        state.anchors[p] = state.positions[p]!
      }
    }
    sleep[SLEEP.CALM] = sleep[SLEEP.CALM]! + settings.timeStep
  }
  // What is led somewhere is on its way, however slowly.
  for (let a = 0; a < state.attachments.live.length; a++) {
    const { body, from, goal } = state.attachments.live[a]!
    if (from[0] === goal[0] && from[1] === goal[1] && from[2] === goal[2]) continue
    const held = state.bodies.get(body)
    if (held) held.sleep[SLEEP.CALM] = 0
  }
}

/** True where a body has been calm for long enough to sleep. */
export function rests({ sleep }: BodyRecord): boolean {
  if (sleep[SLEEP.DRIFT]! >= DRIFT_REST_TIME) return true
  return sleep[SLEEP.CALM]! >= (sleep[SLEEP.STIRRED] === 1 ? LYING_REST_TIME : REST_TIME)
}

/** Which settings let nothing fall. Asked once for each: a number that is read from settings of many shapes is allocated. */
const weightless = new WeakMap<object, boolean>()

function isWeightless(settings: Readonly<WorldSettings> | Readonly<BodySettings>): boolean {
  let found = weightless.get(settings)
  if (found === undefined) {
    found = 'gravity' in settings ? settings.gravity.every((g) => g === 0) : settings.gravityScale === 0
    weightless.set(settings, found)
  }
  return found
}

/** True where nothing draws a body to the ground. */
export function floats(settings: Readonly<WorldSettings>, body: BodyRecord): boolean {
  return (isWeightless(settings) || isWeightless(body.settings)) && !isPulled(body)
}

/** Notes which bodies touch something that pushes them, and are not held or weightless. */
function findWhatLies(state: State, settings: Readonly<WorldSettings>): void {
  const bodies = state.bodies.live
  for (let b = 0; b < bodies.length; b++) bodies[b]!.sleep[SLEEP.LIES] = 0
  const { active } = state.contacts
  for (let k = 0; k < active.length; k++) {
    const pair = active[k]!
    if (!isSolid(pair)) continue
    pair.body.sleep[SLEEP.LIES] = 1
    if (!pair.withCollider) (pair.other as BodyRecord).sleep[SLEEP.LIES] = 1
  }
  for (let b = 0; b < bodies.length; b++) if (floats(settings, bodies[b]!)) bodies[b]!.sleep[SLEEP.LIES] = 0
  for (let a = 0; a < state.attachments.live.length; a++) {
    const held = state.bodies.get(state.attachments.live[a]!.body)
    if (held) held.sleep[SLEEP.LIES] = 0
  }
  for (let j = 0; j < state.joints.live.length; j++) {
    const { body, other } = state.joints.live[j]!
    const one = state.bodies.get(body)
    const two = other && state.bodies.get(other)
    if (one) one.sleep[SLEEP.LIES] = 0
    if (two) two.sleep[SLEEP.LIES] = 0
  }
}

function hasMoved({ positions: x, anchors, goals, inverseMasses: w }: State, body: BodyRecord): boolean {
  if (body.rescue[RESCUE.LOST] !== 0) return true
  const { start, model, sleep } = body
  const reach = Math.min(REACH, REACH_SHARE * model.size)
  let crept = 0
  for (let d = 0; d < 3; d++) {
    const way = center[d]! - sleep[SLEEP.CENTER + d]!
    crept += way * way
  }
  let farthest = 0
  sleep[SLEEP.PINNED] = 0
  for (let i = start; i < start + model.particleCount; i++) {
    const p = i * 3
    const dx = x[p]! - anchors[p]!
    const dy = x[p + 1]! - anchors[p + 1]!
    const dz = x[p + 2]! - anchors[p + 2]!
    farthest = Math.max(farthest, dx * dx + dy * dy + dz * dz)
    if (w[i] !== 0) continue
    if (goals[p] !== x[p] || goals[p + 1] !== x[p + 1] || goals[p + 2] !== x[p + 2]) return true
    sleep[SLEEP.PINNED] = 1
  }
  if (crept <= CREEP * reach * (CREEP * reach) && farthest <= reach * reach) return false
  if (sleep[SLEEP.LIES] === 0 || sleep[SLEEP.PINNED] === 1) return true
  sleep[SLEEP.STIRRED] = 1
  const far = LYING * reach
  return crept > LYING_CREEP * far * (LYING_CREEP * far) || farthest > far * far
}

/**
 * Notices what slides, turns or rolls on something slowly, neither sinking nor changing its shape: friction would have held
 * it, but for what a sweep over its contacts leaves. `SLEEP.DRIFT` says for how long [s].
 */
function watchDrift(state: State, settings: Readonly<WorldSettings>, body: BodyRecord): void {
  const { sleep, model } = body
  if (sleep[SLEEP.CALM] === 0 || sleep[SLEEP.LIES] === 0 || isPulled(body) || !isSlow(state, settings, body)) {
    sleep[SLEEP.DRIFT] = 0
    return
  }
  findStance(state, settings, body)
  const most = LYING * CREEP * Math.min(REACH, REACH_SHARE * model.size)
  const sunk = Math.abs(stance[0]! - sleep[SLEEP.HEIGHT]!)
  const spread = Math.abs(stance[1]! - sleep[SLEEP.SPREAD]!)
  if (sleep[SLEEP.DRIFT] === 0 || sunk > most || spread > most) {
    sleep[SLEEP.DRIFT] = 0
    sleep[SLEEP.HEIGHT] = stance[0]!
    sleep[SLEEP.SPREAD] = stance[1]!
  }
  sleep[SLEEP.DRIFT] = sleep[SLEEP.DRIFT]! + settings.timeStep
}

/** True where nothing of a body is pinned or went farther in this step than what drifts. */
function isSlow(
  { positions: x, stepStart, inverseMasses: w }: State,
  { timeStep }: Readonly<WorldSettings>,
  { start, model }: BodyRecord,
): boolean {
  const most = Math.min(DRIFT_SPEED, DRIFT_SHARE * model.size) * timeStep
  for (let i = start; i < start + model.particleCount; i++) {
    const p = i * 3
    const dx = x[p]! - stepStart[p]!
    const dy = x[p + 1]! - stepStart[p + 1]!
    const dz = x[p + 2]! - stepStart[p + 2]!
    if (w[i] === 0 || !(dx * dx + dy * dy + dz * dz <= most * most)) return false
  }
  return true
}

/** Finds the `stance` of a body about its centre. */
function findStance(
  { positions: x, masses }: State,
  { gravity }: Readonly<WorldSettings>,
  { start, model, mass }: BodyRecord,
): void {
  let sum = 0
  for (let i = start; i < start + model.particleCount; i++) {
    const dx = x[i * 3]! - center[0]!
    const dy = x[i * 3 + 1]! - center[1]!
    const dz = x[i * 3 + 2]! - center[2]!
    sum += masses[i]! * (dx * dx + dy * dy + dz * dz)
  }
  const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
  stance[0] = -(center[0]! * gravity[0] + center[1]! * gravity[1] + center[2]! * gravity[2]) / g
  stance[1] = Math.sqrt(sum / mass)
}

function findCenter({ positions: x, masses }: State, { start, model, mass }: BodyRecord): void {
  let cx = 0
  let cy = 0
  let cz = 0
  for (let i = start; i < start + model.particleCount; i++) {
    const m = masses[i]!
    cx += m * x[i * 3]!
    cy += m * x[i * 3 + 1]!
    cz += m * x[i * 3 + 2]!
  }
  center[0] = cx / mass
  center[1] = cy / mass
  center[2] = cz / mass
}

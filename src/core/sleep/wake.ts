import { type ContactPair, isSolid } from '../contactPairs.js'
import { type BodyRecord, type ColliderRecord, SLEEP, type State } from '../state.js'

const woken: BodyRecord[] = []

/** Wakes a body and all that sleeps in touch with it, and so on; one that is awake stays so for a while. */
export function wake(state: State, body: BodyRecord): void {
  body.sleep[SLEEP.CALM] = 0
  if (!body.asleep) return
  body.asleep = false
  woken.length = 0
  woken.push(body)
  for (let k = 0; k < woken.length; k++) wakeNeighbours(state, woken[k]!, woken)
}

/** Wakes all that sleeps in touch with a body or collider that goes, moves or acts otherwise from now on. */
export function wakeTouching(state: State, record: BodyRecord | ColliderRecord): void {
  const { active } = state.contacts
  for (let k = 0; k < active.length; k++) {
    const pair = active[k]!
    const other = otherOf(pair, record)
    if (other && isSolid(pair)) wake(state, other)
  }
}

export function wakeAll(state: State): void {
  for (const body of state.bodies.live) {
    body.asleep = false
    body.sleep[SLEEP.CALM] = 0
  }
}

/** Puts a body to sleep as it is: at rest, between steps too. */
export function putToSleep(state: State, body: BodyRecord): void {
  body.asleep = true
  const { sleep, start, model } = body
  sleep[SLEEP.CALM] = 0
  for (let d = 0; d < 3; d++) {
    sleep[SLEEP.BOX + d] = Number.POSITIVE_INFINITY
    sleep[SLEEP.BOX + 3 + d] = Number.NEGATIVE_INFINITY
  }
  for (let p = start * 3; p < (start + model.particleCount) * 3; p++) {
    const x = state.positions[p]!
    state.previous[p] = x
    state.stepStart[p] = x
    state.velocities[p] = 0
    state.forces[p] = 0
    const d = SLEEP.BOX + ((p - start * 3) % 3)
    if (x < sleep[d]!) sleep[d] = x
    if (x > sleep[d + 3]!) sleep[d + 3] = x
  }
  body.impacts.fill(0)
}

function wakeNeighbours(state: State, body: BodyRecord, list: BodyRecord[]): void {
  const { active } = state.contacts
  for (let k = 0; k < active.length; k++) {
    const pair = active[k]!
    if (pair.withCollider) continue
    const other = otherOf(pair, body)
    if (!other || !other.asleep || !isSolid(pair)) continue
    other.asleep = false
    other.sleep[SLEEP.CALM] = 0
    list.push(other)
  }
}

function otherOf(pair: ContactPair, record: BodyRecord | ColliderRecord): BodyRecord | undefined {
  if (pair.other === record) return pair.body
  return pair.body === record && !pair.withCollider ? (pair.other as BodyRecord) : undefined
}

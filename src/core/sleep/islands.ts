import { isInGusts } from '../air.js'
import { isSolid, PAIR } from '../contactPair.js'
import { WHOLE } from '../jointRecord.js'
import { type BodyRecord, type ColliderRecord, SLEEP } from '../records.js'
import type { Handle } from '../slots.js'
import type { State } from '../state.js'
import type { WorldSettings } from '../worldSettings.js'
import { floats, rests, watchCalm } from './calm.js'
import { putToSleep, rouse, wakeNeighbours } from './wake.js'

/** A blow that could move a sleeping body by less than this does not wake it [m/s]. */
export const WAKING_SPEED = 0.02

/**
 * Puts to sleep what rests, a whole island at a time: bodies that are awake and touch each other or are joined, as far
 * as that goes. An island rests when each of its bodies does and something bears it: a collider, a pin, an attachment, a body that
 * sleeps, or no gravity. What nothing bears falls, however slowly it does.
 */
export class Islands {
  /** By slot of a body: the slot of one of its island; a body that is its own is the root. */
  private parent = new Uint32Array(0)
  /** By slot of a root: 1 where something bears the island, where one of it may not sleep, or is not calm. */
  private borne = new Uint8Array(0)
  private restless = new Uint8Array(0)
  private lively = new Uint8Array(0)

  /** To be called after a step, when who touches whom is known. */
  settle(state: State, settings: Readonly<WorldSettings>): void {
    watchCalm(state, settings)
    this.shake(state)
    if (!someAreCalm(state)) return
    this.join(state)
    this.judge(state, settings)
    if (settings.sleeping) this.holdTouches(state)
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      if (body.asleep) continue
      if (settings.sleeping && this.fallsAsleep(body)) putToSleep(state, body)
      else if (this.borne[this.find(body.slot)] === 0) body.sleep[SLEEP.CALM] = 0
    }
  }

  /** True for a body that is awake, of an island that rests. */
  private fallsAsleep({ asleep, slot }: BodyRecord): boolean {
    if (asleep) return false
    const root = this.find(slot)
    return this.borne[root] === 1 && this.restless[root] === 0 && this.lively[root] === 0
  }

  /** What falls asleep has rested for long: what has touched it within the last steps still does. */
  private holdTouches(state: State): void {
    const { active } = state.contacts
    for (let k = 0; k < active.length; k++) {
      const pair = active[k]!
      const { body, other, withCollider, numbers } = pair
      if (numbers[PAIR.LAPSED] === 0 || !isSolid(pair)) continue
      if (this.fallsAsleep(body) || (!withCollider && this.fallsAsleep(other as BodyRecord))) numbers[PAIR.LAPSED] = 0
    }
  }

  /** What lies on something that moves is not calm; what is struck while it sleeps wakes. */
  private shake(state: State): void {
    const { active } = state.contacts
    for (let k = 0; k < active.length; k++) {
      const pair = active[k]!
      const { body, other, withCollider, numbers } = pair
      if (withCollider) {
        if (carries(other as ColliderRecord) && isSolid(pair)) body.sleep[SLEEP.CALM] = 0
      } else if (body.asleep !== (other as BodyRecord).asleep) {
        const sleeper = body.asleep ? body : (other as BodyRecord)
        if (numbers[PAIR.TOUCH]! > sleeper.mass * WAKING_SPEED) rouse(sleeper)
      }
    }
    wakeNeighbours(state)
  }

  private join(state: State): void {
    const bodies = state.bodies.live
    const slots = bodies.length === 0 ? 0 : bodies[bodies.length - 1]!.slot + 1
    if (this.parent.length < slots) {
      this.parent = new Uint32Array(slots * 2)
      this.borne = new Uint8Array(slots * 2)
      this.restless = new Uint8Array(slots * 2)
      this.lively = new Uint8Array(slots * 2)
    }
    for (let b = 0; b < bodies.length; b++) this.parent[bodies[b]!.slot] = bodies[b]!.slot
    const { active } = state.contacts
    for (let k = 0; k < active.length; k++) {
      const { body, other, withCollider } = active[k]!
      if (withCollider || body.asleep || (other as BodyRecord).asleep || !isSolid(active[k]!)) continue
      this.union(body.slot, other.slot)
    }
    for (let j = 0; j < state.joints.live.length; j++) {
      const { body, other, broken } = state.joints.live[j]!
      if (other && broken[0] === WHOLE && isAwake(state, body) && isAwake(state, other))
        this.union(body.slot, other.slot)
    }
  }

  /** What each island is, at its root. */
  private judge(state: State, settings: Readonly<WorldSettings>): void {
    this.borne.fill(0)
    this.restless.fill(0)
    this.lively.fill(0)
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      if (body.asleep) continue
      const root = this.find(body.slot)
      if (floats(settings, body) || body.sleep[SLEEP.PINNED] === 1) this.borne[root] = 1
      if (!body.settings.canSleep || isInGusts(state, settings, body)) this.restless[root] = 1
      if (!rests(body)) this.lively[root] = 1
    }
    for (let a = 0; a < state.attachments.live.length; a++) {
      const held = state.bodies.get(state.attachments.live[a]!.body)
      if (held && !held.asleep) this.borne[this.find(held.slot)] = 1
    }
    for (let j = 0; j < state.joints.live.length; j++) {
      const { body, frame, broken } = state.joints.live[j]!
      if (frame && broken[0] === WHOLE && isAwake(state, body)) this.borne[this.find(body.slot)] = 1
    }
    const { active } = state.contacts
    for (let k = 0; k < active.length; k++) {
      const pair = active[k]!
      const { body, other, withCollider } = pair
      if (!isSolid(pair)) continue
      if (!body.asleep && (withCollider || (other as BodyRecord).asleep)) this.borne[this.find(body.slot)] = 1
      if (body.asleep && !withCollider && !(other as BodyRecord).asleep) this.borne[this.find(other.slot)] = 1
    }
  }

  private union(a: number, b: number): void {
    const first = this.find(a)
    const second = this.find(b)
    if (first < second) this.parent[second] = first
    else this.parent[first] = second
  }

  private find(slot: number): number {
    let at = slot
    while (this.parent[at] !== at) {
      this.parent[at] = this.parent[this.parent[at]!]!
      at = this.parent[at]!
    }
    return at
  }
}

/** True where every body sleeps, or has rested as long although it may not sleep. */
export function isAtRest({ bodies }: State): boolean {
  for (let b = 0; b < bodies.live.length; b++) {
    const body = bodies.live[b]!
    if (!body.asleep && !rests(body)) return false
  }
  return true
}

function isAwake({ bodies }: State, handle: Handle): boolean {
  return bodies.get(handle)?.asleep === false
}

/** True for a collider that moves, or whose surface does. */
function carries({ moved, surfaceVelocity }: ColliderRecord): boolean {
  return moved || surfaceVelocity[0] !== 0 || surfaceVelocity[1] !== 0 || surfaceVelocity[2] !== 0
}

function someAreCalm({ bodies }: State): boolean {
  for (let b = 0; b < bodies.live.length; b++) {
    if (!bodies.live[b]!.asleep && rests(bodies.live[b]!)) return true
  }
  return false
}

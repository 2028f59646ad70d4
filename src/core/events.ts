import { Body } from './body.js'
import { Collider } from './collider.js'
import { TOUCH } from './collision/touches.js'
import { type ContactPair, PAIR } from './contactPair.js'
import { Listeners } from './listeners.js'
import { takeImpact } from './pairImpacts.js'
import type { BodyRecord, ColliderRecord } from './records.js'
import type { State } from './state.js'
import type { MutableVec3 } from './vectors.js'

/**
 * Two that begin to touch, strike each other or part. One object serves all events: it holds during the call; copy what
 * should outlast it.
 */
export class ContactEvent {
  /** The one whose listener is called; of one of the world the body that came first. It may be no longer `alive`. */
  self!: Body | Collider
  /** The one that it touches; a body that has been removed, be it by an earlier call, is no longer `alive`. */
  other!: Body | Collider
  /** Where they touch most [m]; of a parting, where they did last. */
  readonly point: MutableVec3 = [0, 0, 0]
  /** Unit normal there, away from `other`; of an impact its mean. */
  readonly normal: MutableVec3 = [0, 0, 0]
  private readonly sum = new Float64Array(1)

  /**
   * Impulse along the normal [N s]: of an impact all that it has given beyond the weight that it bears, of a beginning
   * what the first step has, of a parting 0. A sensor gives none.
   */
  get impulse(): number {
    return this.sum[0]!
  }

  /** `other` where it is a body. */
  get otherBody(): Body | null {
    return this.other instanceof Body ? this.other : null
  }

  /** `other` where it is a collider. */
  get otherCollider(): Collider | null {
    return this.other instanceof Collider ? this.other : null
  }

  /** Takes a touch from `numbers`, from `at` on; `sign` -1 turns its normal. */
  take(numbers: Float64Array, at: number, sign: number, parting: boolean): void {
    this.sum[0] = parting ? 0 : numbers[at + TOUCH.IMPULSE]!
    for (let d = 0; d < 3; d++) {
      this.point[d] = numbers[at + TOUCH.POINT + d]!
      this.normal[d] = sign * numbers[at + TOUCH.NORMAL + d]!
    }
  }
}

/** A body that has torn or was cut in the last step. One object serves all events: copy what should outlast the call. */
export class TearEvent {
  body!: Body
  /** Particles that were split off. */
  count = 0
  /** The first of them, and where it is [m]. */
  particle = 0
  readonly point: MutableVec3 = [0, 0, 0]
}

export type TearCallback = (event: TearEvent) => void
export type ContactCallback = (event: ContactEvent) => void
export type SleepCallback = (body: Body) => void

/** What can be listened to. */
export interface EventMap {
  contactEnter: ContactCallback
  contactExit: ContactCallback
  impact: ContactCallback
  sleep: SleepCallback
  wake: SleepCallback
  tear: TearCallback
}

type Record = BodyRecord | ColliderRecord
type Lists = { readonly [K in keyof EventMap]: Listeners<EventMap[K]> }

const newLists = (of?: string): Lists => ({
  contactEnter: new Listeners('onContactEnter', of),
  contactExit: new Listeners('onContactExit', of),
  impact: new Listeners('onImpact', of),
  sleep: new Listeners('onSleep', of),
  wake: new Listeners('onWake', of),
  tear: new Listeners('onTear', of),
})

/**
 * Tells what happened in a step to those who listen: to the body or collider itself, and to the world. A listener that
 * throws keeps nobody else from hearing: the first error is kept for whoever steps the world.
 */
export class Events {
  private readonly handles = new WeakMap<Record, Body | Collider>()
  private readonly lists = new WeakMap<Record, Lists>()
  private readonly ofWorld = newLists()
  /** The pairs being told of: listeners may change the list of those that touch. */
  private readonly pairs: ContactPair[] = []
  private readonly event = new ContactEvent()
  private readonly tearEvent = new TearEvent()
  private listening = 0
  private telling = false
  private error: { readonly thrown: unknown } | undefined

  /** Says which handle stands for a record. */
  register(record: Record, handle: Body | Collider): void {
    this.handles.set(record, handle)
  }

  /** Whether a handle is the one that stands for a record here: that of another world is not. */
  knows(record: unknown, handle: Body | Collider): boolean {
    return handle !== undefined && this.handles.get(record as Record) === handle
  }

  bodyOf(record: BodyRecord): Body {
    return this.handles.get(record) as Body
  }

  colliderOf(record: ColliderRecord): Collider {
    return this.handles.get(record) as Collider
  }

  /** Keeps the first error of a listener for whoever steps the world. */
  keep(thrown: unknown): void {
    this.error ??= { thrown }
  }

  /** Calls `callback` at events of a body or a collider, or with null of all; returns what stops it. */
  listen<K extends keyof EventMap>(record: Record | null, kind: K, callback: EventMap[K]): () => void {
    let lists = record ? this.lists.get(record) : this.ofWorld
    if (!lists) {
      lists = newLists('settings' in record! ? record.settings.name : 'Collider')
      this.lists.set(record!, lists)
    }
    const stop = lists[kind].add(callback)
    this.listening++
    let stopped = false
    return () => {
      if (stopped) return
      stopped = true
      this.listening--
      stop()
    }
  }

  /** Tells what has happened since the last call. Nothing is told from within a listener. */
  tell(state: State): void {
    if (this.telling) return
    const { contacts, bodies } = state
    this.telling = true
    // A listener may end pairs, of what it removes or puts elsewhere: those are told of in the next call.
    const parted = contacts.partedCount
    for (let k = 0; k < parted; k++) {
      const pair = contacts.parted[k]!
      if (!pair.told) continue
      if (takeImpact(pair)) this.tellContact(pair, 'impact', PAIR.IMPACT)
      this.tellContact(pair, 'contactExit', PAIR.TOUCH)
    }
    contacts.recycle(parted)
    const count = contacts.active.length
    for (let k = 0; k < count; k++) this.pairs[k] = contacts.active[k]!
    for (let k = 0; k < count; k++) {
      const pair = this.pairs[k]!
      if (!pair.told) {
        pair.told = true
        this.tellContact(pair, 'contactEnter', PAIR.TOUCH)
      }
      if (takeImpact(pair)) this.tellContact(pair, 'impact', PAIR.IMPACT)
    }
    const { live } = bodies
    for (let b = 0; b < live.length; b++) {
      this.tellSleep(live[b]!)
      this.tellTear(live[b]!)
    }
    this.telling = false
  }

  /** @throws the first error that a listener has thrown since */
  throwPending(): void {
    const { error } = this
    this.error = undefined
    if (error) throw error.thrown
  }

  private tellContact(pair: ContactPair, kind: 'contactEnter' | 'contactExit' | 'impact', at: number): void {
    if (this.listening === 0) return
    const body = this.handles.get(pair.body)!
    const other = this.handles.get(pair.other)!
    this.callContact(this.ofWorld, kind, pair, at, body, other)
    this.callContact(this.lists.get(pair.body), kind, pair, at, body, other)
    this.callContact(this.lists.get(pair.other), kind, pair, at, other, body)
  }

  private callContact(
    lists: Lists | undefined,
    kind: 'contactEnter' | 'contactExit' | 'impact',
    { numbers, body }: ContactPair,
    at: number,
    self: Body | Collider,
    other: Body | Collider,
  ): void {
    if (!lists) return
    const { event } = this
    const list = lists[kind]
    list.tidy()
    for (let k = 0; k < list.count; k++) {
      const callback = list.at(k)
      if (!callback) continue
      event.self = self
      event.other = other
      event.take(numbers, at, this.handles.get(body) === self ? 1 : -1, kind === 'contactExit')
      try {
        callback(event)
      } catch (thrown) {
        this.keep(thrown)
      }
    }
  }

  private tellSleep(record: BodyRecord): void {
    if (record.asleep === record.toldAsleep) return
    record.toldAsleep = record.asleep
    if (this.listening === 0) return
    const body = this.bodyOf(record)
    const kind = record.asleep ? 'sleep' : 'wake'
    this.callSleep(this.ofWorld[kind], body)
    const lists = this.lists.get(record)
    if (lists) this.callSleep(lists[kind], body)
  }

  private tellTear(record: BodyRecord): void {
    const { tear } = record
    if (tear.count === 0) return
    const { tearEvent: event } = this
    event.body = this.bodyOf(record)
    event.count = tear.count
    event.particle = tear.particle
    for (let d = 0; d < 3; d++) event.point[d] = tear.point[d]!
    tear.count = 0
    if (this.listening === 0) return
    this.callTear(this.ofWorld.tear)
    const lists = this.lists.get(record)
    if (lists) this.callTear(lists.tear)
  }

  private callTear(list: Listeners<TearCallback>): void {
    list.tidy()
    for (let k = 0; k < list.count; k++) {
      try {
        list.at(k)?.(this.tearEvent)
      } catch (thrown) {
        this.keep(thrown)
      }
    }
  }

  private callSleep(list: Listeners<SleepCallback>, body: Body): void {
    list.tidy()
    for (let k = 0; k < list.count; k++) {
      try {
        list.at(k)?.(body)
      } catch (thrown) {
        this.keep(thrown)
      }
    }
  }
}

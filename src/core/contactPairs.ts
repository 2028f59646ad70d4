import { pushEachOther } from './collision/groups.js'
import { MEET, TOUCH, type Touches } from './collision/touches.js'
import type { BodyRecord, ColliderRecord } from './records.js'
import type { State } from './state.js'
import type { WorldSettings } from './worldSettings.js'

/** Steps without a touch after which two have parted: what lies still may lose touch for less. */
const PARTED = 5
/** Speed below which a touch is no impact [m/s]. */
const IMPACT_SPEED = 0.1
/** An impact is over when two steps' impulses have fallen to this share of the greatest, or after so long [s]. */
const FADED = 0.25
const LONGEST = 0.25
/** Share of the weight below which what touches has all but left, so that it may strike anew. */
const LIFTED = 0.1

/**
 * `ContactPair.numbers`: steps since the last touch; of the last touch the impulse [N s], point [m] and normal; what an
 * impact is doing, for how long [s]; 1 where its force has faded; the greatest impulse of one of its steps [N s]; its
 * own impulse [N s], the point and the normal of that greatest one.
 */
export const PAIR = {
  LAPSED: 0,
  TOUCH: 1,
  PHASE: 8,
  TIME: 9,
  FADED: 10,
  PEAK: 11,
  IMPACT: 12,
  SIZE: 19,
} as const

/** What an impact is doing: it may come, it goes on, it has been told in this step, it is over. */
const AWAITED = 0
const STRIKES = 1
const TOLD = 2
const OVER = 3

/** Two that touch, from the step in which they began to until they have parted. */
export interface ContactPair {
  body: BodyRecord
  other: BodyRecord | ColliderRecord
  withCollider: boolean
  /** `PAIR` */
  readonly numbers: Float64Array
  /** Listeners know that the two touch; no part of the state. */
  told: boolean
  /** The two have parted, and the pair is about to go. */
  over: boolean
}

/** A pair as a snapshot gives it back. */
export type KeptPair = Readonly<Omit<ContactPair, 'told' | 'over'>>

/** Who touches whom, from step to step, in the order in which they began. Pairs are used again: none is garbage. */
export class ContactPairs {
  readonly active: ContactPair[] = []
  /** Pairs that have parted since they were last taken, the first `partedCount` of these. */
  readonly parted: ContactPair[] = []
  partedCount = 0
  /** Pairs to be used again, the first `spareCount` of these. */
  private readonly spare: ContactPair[] = []
  private spareCount = 0
  /** Place in `active` + 1 by hash of the slots; 0 is free. */
  private table = new Uint32Array(64)

  /** Takes over what a step has seen. */
  update({ bodies, colliders }: State, touches: Touches, settings: Readonly<WorldSettings>): void {
    const { active } = this
    for (let k = 0; k < active.length; k++) {
      const { body, other, withCollider, numbers } = active[k]!
      numbers[PAIR.TOUCH] = 0
      // What sleeps is not searched for touches: its own stay as they are, but for sensors that have left it.
      const still = withCollider ? !(other as ColliderRecord).moved : (other as BodyRecord).asleep
      const left = withCollider && (other as ColliderRecord).sensor && numbers[PAIR.LAPSED]! > 0
      if (!body.asleep || !still || left) numbers[PAIR.LAPSED] = numbers[PAIR.LAPSED]! + 1
    }
    for (let row = 0; row < touches.count; row++) {
      const withCollider = touches.withCollider[row] === 1
      const body = bodies.live[touches.a[row]!]!
      const other = (withCollider ? colliders : bodies).live[touches.b[row]!]!
      if (touches.touching[row] === MEET.APART) {
        this.addTo(body, other, touches.numbers[row * TOUCH.SIZE]!)
        continue
      }
      const { numbers } = this.pairOf(body, other, withCollider)
      numbers[PAIR.LAPSED] = touches.touching[row] === MEET.PASS ? 1 : 0
      for (let k = 0; k < TOUCH.SIZE; k++) numbers[PAIR.TOUCH + k] = touches.numbers[row * TOUCH.SIZE + k]!
    }
    let parted = false
    for (let k = 0; k < active.length; k++) {
      this.follow(active[k]!, settings)
      parted = parted || active[k]!.over
    }
    if (parted) this.part()
  }

  /** True for a body that something solid touches, or has within the last steps. */
  touches(body: BodyRecord): boolean {
    for (let k = 0; k < this.active.length; k++) {
      const pair = this.active[k]!
      if ((pair.body === body || pair.other === body) && isSolid(pair)) return true
    }
    return false
  }

  /** Ends the pairs of a body or collider that goes, or is put elsewhere. */
  end(record: BodyRecord | ColliderRecord): void {
    for (const pair of this.active) if (pair.body === record || pair.other === record) pair.over = true
    this.part()
  }

  /** Ends all pairs. */
  endAll(): void {
    for (const pair of this.active) pair.over = true
    this.part()
  }

  /** The pairs of a snapshot in place of the present ones: those that were told and are among them stay told. */
  restore(saved: readonly KeptPair[]): void {
    const before = this.active.slice()
    this.active.length = 0
    this.index()
    for (const { body, other, withCollider, numbers } of saved) {
      const pair = this.pairOf(body, other, withCollider)
      pair.numbers.set(numbers)
      const same = before.findIndex((one) => one.body === body && one.other === other)
      if (same >= 0) pair.told = before.splice(same, 1)[0]!.told
    }
    for (const pair of before) this.parted[this.partedCount++] = pair
  }

  /** The first `count` of the parted have been told of: they are used again. */
  recycle(count: number): void {
    for (let k = 0; k < count; k++) this.spare[this.spareCount++] = this.parted[k]!
    for (let k = count; k < this.partedCount; k++) this.parted[k - count] = this.parted[k]!
    this.partedCount -= count
  }

  /** Adds an impulse to a pair that has touched, if it is still known. */
  private addTo(body: BodyRecord, other: BodyRecord | ColliderRecord, impulse: number): void {
    for (let k = 0; k < this.active.length; k++) {
      const pair = this.active[k]!
      if (pair.body === body && pair.other === other) pair.numbers[PAIR.TOUCH] = pair.numbers[PAIR.TOUCH]! + impulse
    }
  }

  private pairOf(body: BodyRecord, other: BodyRecord | ColliderRecord, withCollider: boolean): ContactPair {
    const { active } = this
    const mask = this.table.length - 1
    let at = hash(body.slot, other.slot, withCollider) & mask
    while (this.table[at] !== 0) {
      const pair = active[this.table[at]! - 1]!
      if (pair.body === body && pair.other === other) return pair
      at = (at + 1) & mask
    }
    const pair = this.spareCount > 0 ? this.spare[--this.spareCount]! : newPair(body, other)
    pair.body = body
    pair.other = other
    pair.withCollider = withCollider
    pair.numbers.fill(0)
    pair.told = false
    pair.over = false
    active.push(pair)
    if (active.length * 2 > this.table.length) this.index()
    else this.table[at] = active.length
    return pair
  }

  /** Moves the pairs that are over to the parted ones; the others keep their order. */
  private part(): void {
    const { active } = this
    let to = 0
    for (let k = 0; k < active.length; k++) {
      const pair = active[k]!
      if (pair.over) this.parted[this.partedCount++] = pair
      else active[to++] = pair
    }
    if (to === active.length) return
    active.length = to
    this.index()
  }

  private index(): void {
    const { active } = this
    if (this.table.length < active.length * 2) this.table = new Uint32Array(this.table.length * 2)
    else this.table.fill(0)
    const mask = this.table.length - 1
    for (let k = 0; k < active.length; k++) {
      const { body, other, withCollider } = active[k]!
      let at = hash(body.slot, other.slot, withCollider) & mask
      while (this.table[at] !== 0) at = (at + 1) & mask
      this.table[at] = k + 1
    }
  }

  /** Follows an impact: its impulse is what is beyond the weight, from the first touch until the force has faded. */
  private follow(pair: ContactPair, settings: Readonly<WorldSettings>): void {
    const { body, other, withCollider, numbers } = pair
    const { gravity, timeStep } = settings
    pair.over = numbers[PAIR.LAPSED]! >= PARTED
    const impulse = numbers[PAIR.TOUCH]!
    if (numbers[PAIR.PHASE] === TOLD) numbers[PAIR.PHASE] = OVER
    if (impulse === 0 && numbers[PAIR.PHASE] !== STRIKES) {
      numbers[PAIR.PHASE] = AWAITED
      return
    }
    const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    const mass = withCollider
      ? body.mass
      : (body.mass * (other as BodyRecord).mass) / (body.mass + (other as BodyRecord).mass)
    const { pull } = body
    const pulled = Math.sqrt(pull[0]! * pull[0]! + pull[1]! * pull[1]! + pull[2]! * pull[2]!)
    const weight = mass * (g * Math.abs(body.settings.gravityScale) + pulled) * timeStep
    if (numbers[PAIR.PHASE] === OVER) {
      if (impulse < LIFTED * weight) numbers[PAIR.PHASE] = AWAITED
      return
    }
    if (numbers[PAIR.PHASE] === AWAITED) {
      numbers[PAIR.PHASE] = STRIKES
      numbers[PAIR.TIME] = 0
      numbers[PAIR.FADED] = 0
      numbers[PAIR.PEAK] = 0
      numbers[PAIR.IMPACT] = 0
    }
    numbers[PAIR.TIME] = numbers[PAIR.TIME]! + timeStep
    numbers[PAIR.IMPACT] = numbers[PAIR.IMPACT]! + impulse - (impulse > 0 ? weight : 0)
    if (impulse > numbers[PAIR.PEAK]!) {
      numbers[PAIR.PEAK] = impulse
      for (let k = TOUCH.POINT; k < TOUCH.SIZE; k++) numbers[PAIR.IMPACT + k] = numbers[PAIR.TOUCH + k]!
    }
    const faded = impulse < FADED * numbers[PAIR.PEAK]!
    const over = faded && numbers[PAIR.FADED] === 1
    numbers[PAIR.FADED] = faded ? 1 : 0
    if (!over && numbers[PAIR.TIME]! < LONGEST) return
    numbers[PAIR.PHASE] = numbers[PAIR.IMPACT]! > mass * IMPACT_SPEED ? TOLD : OVER
  }
}

/** True in the step in which a pair's impact is over. */
export function hasStruck({ numbers }: ContactPair): boolean {
  return numbers[PAIR.PHASE] === TOLD
}

/** True where the two push each other, false where one of them is a sensor. */
export function isSolid({ body, other, withCollider }: ContactPair): boolean {
  return pushEachOther(body.settings, withCollider ? (other as ColliderRecord) : (other as BodyRecord).settings)
}

function newPair(body: BodyRecord, other: BodyRecord | ColliderRecord): ContactPair {
  return { body, other, withCollider: false, numbers: new Float64Array(PAIR.SIZE), told: false, over: false }
}

function hash(a: number, b: number, withCollider: boolean): number {
  return Math.imul(a, 0x9e3779b1) ^ Math.imul(b * 2 + (withCollider ? 1 : 0), 0x85ebca6b)
}

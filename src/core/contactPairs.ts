import { groupsMeet, pushEachOther } from './collision/groups.js'
import { shareSpace } from './collision/soft/sharedSpace.js'
import { MEET, TOUCH, type Touches } from './collision/touches.js'
import { remembersHit } from './hit.js'
import { ALIKE, isStopped } from './impact.js'
import type { BodyRecord, ColliderRecord } from './records.js'
import type { State } from './state.js'
import type { WorldSettings } from './worldSettings.js'

/** Steps without a touch after which two have parted: what lies still may lose touch for less. */
const PARTED = 5
/** Speed below which a touch is no impact [m/s]. */
const IMPACT_SPEED = 0.1
/**
 * An impact is over when two steps' impulses are from 0 to the weight, but for this share of the greatest, or after so long
 * [s]; where restitution is still to send the two apart, after so long.
 */
const FADED = 0.1
const LONGEST = 0.25
const LONGEST_REBOUND = 0.5
/** Share of the weight below which what touches has all but left, so that it may strike anew. */
const LIFTED = 0.1
/** Share of the greatest impulse of an impact, beyond what is borne by now, with which what has not left strikes anew. */
const ANEW = 0.25
/** Within that what is borne follows the impulse of a step [s]. */
const FOLLOWS = 1 / 6
/** Share of the last impact, less from then on within so long [s], below which one within the same touch is its echo. */
const ECHO = 0.25
const ECHOES = 1
/** Share of the weight from which on one body is borne by another, and is not about to leave it. */
const RESTS = 0.5
/** Share of an impact on a floor of several colliders below which one of these is not told of its part. */
const SLIGHT = 0.01

/**
 * `ContactPair.numbers`: steps since the last touch; of the last touch, and of what has been given since in this step,
 * `TOUCH`; what an impact is doing, for how long [s]; 1 where its force has faded; the greatest impulse of one of its steps
 * [N s]; what the other colliders of the floor have given in it; `TOUCH` of itself, the point being that of the greatest
 * step. As long as it goes on, its normal is a sum by impulse. Then, of the touch: what a step has had to bear while nothing
 * struck, and what the last impact was, fading [N s]. All but `TOUCH` is of the whole floor that the collider is part of.
 */
export const PAIR = {
  LAPSED: 0,
  TOUCH: 1,
  PHASE: 11,
  TIME: 12,
  FADED: 13,
  PEAK: 14,
  OTHERS: 15,
  IMPACT: 16,
  BORNE: 26,
  LAST: 27,
  SIZE: 28,
} as const

/** What an impact is doing: it may come, it goes on, it is over and to be told, it is over. */
const AWAITED = 0
const STRIKES = 1
const STRUCK = 2
const OVER = 3

const NORMAL = PAIR.TOUCH + TOUCH.NORMAL
const WHOLE = PAIR.TOUCH + TOUCH.WHOLE

/** Of the pair in hand: what the touch bears in a step, along its normal [N s]. */
const weight = new Float64Array(1)
/** What all colliders of its floor give in this step along its normal, those together that press [N s], and how many give. */
const given = new Float64Array(3)

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
  /** Of the pairs with colliders of one body, by its slot, the last one's place in `active` + 1; by pair that of the one before. */
  private lasts = new Uint32Array(0)
  private befores = new Uint32Array(0)

  /** Takes over what a step has seen. */
  update(state: State, touches: Touches, settings: Readonly<WorldSettings>): void {
    const { active } = this
    const { bodies, colliders } = state
    for (let k = 0; k < active.length; k++) {
      const { body, other, withCollider, numbers } = active[k]!
      numbers[PAIR.TOUCH] = 0
      for (let d = 0; d < 3; d++) numbers[WHOLE + d] = 0
      // What sleeps is not searched for touches: its own stay as they are, a touch that it has lost stays lost.
      const still = withCollider ? !(other as ColliderRecord).moved : (other as BodyRecord).asleep
      const lost = numbers[PAIR.LAPSED]! > 0 || !canMeet(active[k]!)
      if (!body.asleep || !still || lost) numbers[PAIR.LAPSED] = numbers[PAIR.LAPSED]! + 1
    }
    for (let row = 0; row < touches.count; row++) {
      if (!isSound(touches, row)) continue // a body that is put back has touched nothing
      const withCollider = touches.withCollider[row] === 1
      const body = bodies.live[touches.a[row]!]!
      const other = (withCollider ? colliders : bodies).live[touches.b[row]!]!
      if (touches.touching[row] === MEET.APART) {
        this.addTo(touches, row, body, other)
        continue
      }
      const { numbers } = this.pairOf(body, other, withCollider)
      numbers[PAIR.LAPSED] = touches.touching[row] === MEET.PASS ? 1 : 0
      for (let k = 0; k < TOUCH.SIZE; k++) numbers[PAIR.TOUCH + k] = touches.numbers[row * TOUCH.SIZE + k]!
    }
    this.keepWhatIsIn(state)
    let parted = false
    this.linkFloors()
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

  /** What has pushed a body within the last steps touches it, as if it did now. */
  hold(body: BodyRecord): void {
    for (let k = 0; k < this.active.length; k++) {
      const pair = this.active[k]!
      if ((pair.body === body || pair.other === body) && isSolid(pair)) pair.numbers[PAIR.LAPSED] = 0
    }
  }

  /** Ends the pairs of a body or collider that goes, or is put elsewhere; what a collider has struck until then is told. */
  end(record: BodyRecord | ColliderRecord): void {
    for (const pair of this.active) {
      if (pair.body !== record && pair.other !== record) continue
      pair.over = true
      if (pair.withCollider && pair.other === record) conclude(pair)
    }
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

  /** Of two bodies, one of them a sensor, surfaces that cross are noticed: what is in goes on touching until it is out. */
  private keepWhatIsIn(state: State): void {
    const { active } = this
    for (let k = 0; k < active.length; k++) {
      const pair = active[k]!
      const { body, withCollider, numbers } = pair
      if (withCollider || numbers[PAIR.LAPSED] === 0 || isSolid(pair) || !canMeet(pair)) continue
      if (shareSpace(state, body, pair.other as BodyRecord)) numbers[PAIR.LAPSED] = 0
    }
  }

  /** Adds the impulse whole[at..] to a pair that has touched, if it is still known. */
  private addTo(touches: Touches, row: number, body: BodyRecord, other: BodyRecord | ColliderRecord): void {
    const place = this.table[this.placeOf(body, other, touches.withCollider[row] === 1)]!
    if (place === 0) return
    const { numbers } = this.active[place - 1]!
    const at = row * TOUCH.SIZE + TOUCH.WHOLE
    for (let d = 0; d < 3; d++) {
      numbers[WHOLE + d] = numbers[WHOLE + d]! + touches.numbers[at + d]!
      numbers[PAIR.TOUCH] = numbers[PAIR.TOUCH]! + touches.numbers[at + d]! * numbers[NORMAL + d]!
    }
  }

  /** Where two stand in the table, or would. */
  private placeOf(body: BodyRecord, other: BodyRecord | ColliderRecord, withCollider: boolean): number {
    const { active, table } = this
    const mask = table.length - 1
    let at = hash(body.slot, other.slot, withCollider) & mask
    while (table[at] !== 0) {
      const pair = active[table[at]! - 1]!
      if (pair.body === body && pair.other === other) return at
      at = (at + 1) & mask
    }
    return at
  }

  private pairOf(body: BodyRecord, other: BodyRecord | ColliderRecord, withCollider: boolean): ContactPair {
    const { active } = this
    const at = this.placeOf(body, other, withCollider)
    if (this.table[at] !== 0) return active[this.table[at]! - 1]!
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

  /** Links the pairs of each body with colliders. */
  private linkFloors(): void {
    const { active } = this
    if (this.befores.length < active.length) this.befores = new Uint32Array(active.length * 2)
    for (let k = 0; k < active.length; k++) {
      const { slot } = active[k]!.body
      if (slot >= this.lasts.length) {
        const { lasts } = this
        this.lasts = new Uint32Array(slot * 2 + 2)
        this.lasts.set(lasts)
      }
      this.lasts[slot] = 0
    }
    for (let k = 0; k < active.length; k++) {
      if (!active[k]!.withCollider) continue
      const { slot } = active[k]!.body
      this.befores[k] = this.lasts[slot]!
      this.lasts[slot] = k + 1
    }
  }

  /** Sets `given` for a pair. */
  private sumFloor(pair: ContactPair): void {
    const { numbers } = pair
    const own = numbers[PAIR.TOUCH]!
    given[0] = own
    given[1] = Math.max(0, own)
    given[2] = 1
    if (!pair.withCollider) return
    for (let k = this.lasts[pair.body.slot]!; k > 0; k = this.befores[k - 1]!) {
      const other = this.active[k - 1]!
      if (other === pair || !isAlike(numbers, other.numbers)) continue
      let along = 0
      for (let d = 0; d < 3; d++) along += other.numbers[WHOLE + d]! * numbers[NORMAL + d]!
      given[0] += along
      given[1] += Math.max(0, along)
      if (along !== 0) given[2]++
    }
  }

  /** What a collider's floor bears, and has been struck by, holds for a pair with it that is struck from now on. */
  private learnFromFloor(pair: ContactPair): void {
    if (!pair.withCollider) return
    const { numbers } = pair
    for (let k = this.lasts[pair.body.slot]!; k > 0; k = this.befores[k - 1]!) {
      const other = this.active[k - 1]!
      if (other === pair || !isAlike(numbers, other.numbers)) continue
      numbers[PAIR.LAST] = Math.max(numbers[PAIR.LAST]!, other.numbers[PAIR.LAST]!)
      if (other.numbers[PAIR.PHASE] === OVER)
        numbers[PAIR.BORNE] = Math.max(numbers[PAIR.BORNE]!, other.numbers[PAIR.BORNE]!)
    }
  }

  /**
   * Follows an impact: its impulse is what is beyond the weight, from the first touch until the force has faded, and what
   * restitution gives has been given. That of a floor of several colliders is one, of which each has what it gives.
   */
  private follow(pair: ContactPair, settings: Readonly<WorldSettings>): void {
    const { numbers } = pair
    pair.over = numbers[PAIR.LAPSED]! >= PARTED
    const own = numbers[PAIR.TOUCH]!
    numbers[PAIR.LAST] = numbers[PAIR.LAST]! * Math.max(0, 1 - settings.timeStep / ECHOES)
    if (own === 0 && numbers[PAIR.PHASE] !== STRIKES) {
      numbers[PAIR.PHASE] = AWAITED
      return
    }
    weigh(pair, settings)
    this.sumFloor(pair)
    const impulse = given[0]!
    if (numbers[PAIR.PHASE] === OVER) {
      const beyond = impulse - numbers[PAIR.BORNE]!
      numbers[PAIR.BORNE] = numbers[PAIR.BORNE]! + Math.min(1, settings.timeStep / FOLLOWS) * beyond
      if (impulse < LIFTED * weight[0]!) numbers[PAIR.PHASE] = AWAITED
      if (beyond <= ANEW * numbers[PAIR.PEAK]!) return
      numbers[PAIR.PHASE] = AWAITED
    }
    if (numbers[PAIR.PHASE] === AWAITED) {
      numbers.fill(0, PAIR.PHASE, PAIR.BORNE)
      numbers[PAIR.PHASE] = STRIKES
      this.learnFromFloor(pair)
    }
    const touches = numbers[PAIR.LAPSED] === 0 || impulse !== own
    const borne = touches ? Math.max(weight[0]!, numbers[PAIR.BORNE]!) : 0
    const share = borne * (given[1]! > 0 ? Math.max(0, own) / given[1]! : 1 / given[2]!)
    numbers[PAIR.TIME] = numbers[PAIR.TIME]! + settings.timeStep
    numbers[PAIR.OTHERS] = numbers[PAIR.OTHERS]! + (impulse - own) - (borne - share)
    for (let d = 0; d < 3; d++) {
      const n = numbers[NORMAL + d]!
      numbers[PAIR.IMPACT + TOUCH.NORMAL + d] = numbers[PAIR.IMPACT + TOUCH.NORMAL + d]! + Math.max(0, own) * n
      numbers[PAIR.IMPACT + TOUCH.WHOLE + d] = numbers[PAIR.IMPACT + TOUCH.WHOLE + d]! + numbers[WHOLE + d]! - share * n
    }
    if (impulse > numbers[PAIR.PEAK]!) {
      numbers[PAIR.PEAK] = impulse
      for (let d = 0; d < 3; d++) numbers[PAIR.IMPACT + TOUCH.POINT + d] = numbers[PAIR.TOUCH + TOUCH.POINT + d]!
    }
    const little = FADED * numbers[PAIR.PEAK]!
    const faded = impulse > -little && impulse < borne + little
    const rebounds = willRebound(pair)
    const over = faded && numbers[PAIR.FADED] === 1 && !rebounds
    numbers[PAIR.FADED] = faded ? 1 : 0
    if (!over && !pair.over && numbers[PAIR.TIME]! < (rebounds ? LONGEST_REBOUND : LONGEST)) return
    conclude(pair)
    numbers[PAIR.BORNE] = impulse
  }
}

/** Ends the impact of a pair, if there is one: it is to be told, or too slight for that. */
function conclude(pair: ContactPair): void {
  const { numbers } = pair
  if (numbers[PAIR.PHASE] !== STRIKES) return
  sumUp(numbers)
  const own = numbers[PAIR.IMPACT]!
  const whole = own + numbers[PAIR.OTHERS]!
  const told = whole > Math.max(massOf(pair) * IMPACT_SPEED, ECHO * numbers[PAIR.LAST]!) && own > SLIGHT * whole
  numbers[PAIR.PHASE] = told ? STRUCK : OVER
  if (told) numbers[PAIR.LAST] = whole
}

/** True where the touches of two pairs are of one floor. */
const isAlike = (a: Float64Array, b: Float64Array): boolean =>
  a[NORMAL]! * b[NORMAL]! + a[NORMAL + 1]! * b[NORMAL + 1]! + a[NORMAL + 2]! * b[NORMAL + 2]! > ALIKE

/** True where what is to be told of a row is finite, and has a normal where the two touch. */
function isSound({ numbers, touching }: Touches, row: number): boolean {
  const from = row * TOUCH.SIZE
  for (let k = from; k < from + TOUCH.SIZE; k++) if (!(Math.abs(numbers[k]!) < Number.POSITIVE_INFINITY)) return false
  const n = from + TOUCH.NORMAL
  return touching[row] === MEET.APART || numbers[n] !== 0 || numbers[n + 1] !== 0 || numbers[n + 2] !== 0
}

/** True once for each impact of a pair, when it is over: what is told between steps as well is not told twice. */
export function takeImpact({ numbers }: ContactPair): boolean {
  if (numbers[PAIR.PHASE] !== STRUCK) return false
  numbers[PAIR.PHASE] = OVER
  return true
}

/** True where the two push each other, false where one of them is a sensor. */
export function isSolid({ body, other, withCollider }: ContactPair): boolean {
  return pushEachOther(body.settings, withCollider ? (other as ColliderRecord) : (other as BodyRecord).settings)
}

/** True where the groups of the two let them meet. */
function canMeet({ body, other, withCollider }: ContactPair): boolean {
  const groups = withCollider
    ? (other as ColliderRecord).collisionGroups
    : (other as BodyRecord).settings.collisionGroups
  return groupsMeet(body.settings.collisionGroups, groups)
}

/** The mass that an impact of a pair moves [kg]. */
const massOf = ({ body, other, withCollider }: ContactPair): number =>
  withCollider ? body.mass : (body.mass * (other as BodyRecord).mass) / (body.mass + (other as BodyRecord).mass)

/** Sets `weight` along the normal. */
function weigh(pair: ContactPair, { gravity, timeStep }: Readonly<WorldSettings>): void {
  const { body, withCollider, numbers } = pair
  let pressed = 0
  for (let d = 0; d < 3; d++)
    pressed -= (gravity[d]! * body.settings.gravityScale + body.pull[d]!) * numbers[NORMAL + d]!
  weight[0] = massOf(pair) * Math.max(0, withCollider ? pressed : Math.abs(pressed)) * timeStep
}

/** True where the speed at which the two of the pair in hand part is still to be set. */
function willRebound({ body, other, withCollider, numbers }: ContactPair): boolean {
  const lapsed = numbers[PAIR.LAPSED]!
  if (withCollider) return lapsed + 1 < PARTED && isStopped(body, other)
  if (lapsed > 1) return false // it has been set as they parted
  if (weight[0]! > 0 && numbers[PAIR.TOUCH]! > RESTS * weight[0]!) return false
  return remembersHit(body, other as BodyRecord) || remembersHit(other as BodyRecord, body)
}

/** Sets the normal of an impact to the mean one, and its impulse to what it has given along that. */
function sumUp(numbers: Float64Array): void {
  const n = PAIR.IMPACT + TOUCH.NORMAL
  const size = Math.sqrt(
    numbers[n]! * numbers[n]! + numbers[n + 1]! * numbers[n + 1]! + numbers[n + 2]! * numbers[n + 2]!,
  )
  numbers[PAIR.IMPACT] = 0
  if (size === 0) return
  for (let d = 0; d < 3; d++) {
    numbers[n + d] = numbers[n + d]! / size
    numbers[PAIR.IMPACT] = numbers[PAIR.IMPACT]! + numbers[PAIR.IMPACT + TOUCH.WHOLE + d]! * numbers[n + d]!
  }
}

function newPair(body: BodyRecord, other: BodyRecord | ColliderRecord): ContactPair {
  return { body, other, withCollider: false, numbers: new Float64Array(PAIR.SIZE), told: false, over: false }
}

function hash(a: number, b: number, withCollider: boolean): number {
  return Math.imul(a, 0x9e3779b1) ^ Math.imul(b * 2 + (withCollider ? 1 : 0), 0x85ebca6b)
}

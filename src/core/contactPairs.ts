import { shareSpace } from './collision/soft/sharedSpace.js'
import { MEET, TOUCH, type Touches } from './collision/touches.js'
import { type ContactPair, canMeet, isSolid, type KeptPair, NORMAL, PAIR, PARTED, WHOLE } from './contactPair.js'
import { conclude, PairImpacts } from './pairImpacts.js'
import type { BodyRecord, ColliderRecord } from './records.js'
import type { State } from './state.js'
import type { WorldSettings } from './worldSettings.js'

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
  private readonly impacts = new PairImpacts()

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
    this.impacts.link(active)
    for (let k = 0; k < active.length; k++) {
      active[k]!.over = active[k]!.numbers[PAIR.LAPSED]! >= PARTED
      this.impacts.follow(active[k]!, settings)
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
}

/** True where what is to be told of a row is finite, and has a normal where the two touch. */
function isSound({ numbers, touching }: Touches, row: number): boolean {
  const from = row * TOUCH.SIZE
  for (let k = from; k < from + TOUCH.SIZE; k++) if (!(Math.abs(numbers[k]!) < Number.POSITIVE_INFINITY)) return false
  const n = from + TOUCH.NORMAL
  return touching[row] === MEET.APART || numbers[n] !== 0 || numbers[n + 1] !== 0 || numbers[n + 2] !== 0
}

function newPair(body: BodyRecord, other: BodyRecord | ColliderRecord): ContactPair {
  return { body, other, withCollider: false, numbers: new Float64Array(PAIR.SIZE), told: false, over: false }
}

function hash(a: number, b: number, withCollider: boolean): number {
  return Math.imul(a, 0x9e3779b1) ^ Math.imul(b * 2 + (withCollider ? 1 : 0), 0x85ebca6b)
}

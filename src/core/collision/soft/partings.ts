import { type BodyRecord, PARTING, PARTINGS } from '../../records.js'
import type { State } from '../../state.js'
import { roomy } from './columns.js'
import { isStuck } from './insideOut.js'
import type { SoftGroups } from './softGroups.js'
import { SURFACE, type Surfaces } from './surfaces.js'
import type { WayOut } from './wayOut.js'
import { measureWhole, pushWhole, shift, velocity, yielding } from './wholes.js'

/** Speed at which two go apart [m/s], and how fast they get it [m/s^2]: gently, since others may be in the way. */
const SPEED = 1.8
const ACCELERATION = 40

/** Speed from which on they count as on their way: what is slower looks for another one in time [m/s]. */
const LEAST = 0.1

/** Velocity of the first of two from the second, its part along their way, and how much each yields on it, and both [1/kg]. */
const relative = new Float64Array(3)
const rate = new Float64Array(1)
const yields = new Float64Array(2)
const both = new Float64Array(1)
/** What is given to that velocity [m/s]. */
const gift = new Float64Array(3)

/**
 * Solids that are through each other, since they were put so, or since blows have drawn one out about the other and it
 * does not find back: each pair goes one way, without contact of the two, until nothing of one is in the other or crosses
 * it. Contact would take over half way, and lock them, or throw them about. They are pushed, not put elsewhere: what is
 * about them holds them as it holds whatever moves. What they were given is taken back in the end.
 */
export class Partings {
  /** Pairs on their way. */
  count = 0
  /** [2 n] live bodies, and where the first one's `partings` tell of them [n]. */
  private bodies = new Uint32Array(0)
  private rows = new Uint32Array(0)
  /** [2 n] live bodies that have pushed each other in this substep. */
  private pushed = new Uint32Array(0)
  private pushedCount = 0
  /** By live body: 1 where it has been put through another one, or is on its way out of it. */
  private through = new Uint8Array(0)
  /** True where some may have arrived. */
  private due = false

  clear(): void {
    this.count = 0
  }

  /** Asks for those on their way. */
  askAgain(asked: Uint8Array): void {
    for (let k = 0; k < this.count * 2; k++) asked[this.bodies[k]!] = 1
  }

  /** A substep of `bodies` live bodies begins. */
  beginSubstep(bodies: number): void {
    this.through = roomy(this.through, bodies)
    this.pushedCount = 0
  }

  /** True where live bodies a and b, in this order, are on their way. */
  has(a: number, b: number): boolean {
    for (let k = 0; k < this.count; k++) if (this.bodies[k * 2] === a && this.bodies[k * 2 + 1] === b) return true
    return false
  }

  /** True where two solids may be on their way, or begin, though they touch. */
  mayPart({ bodies }: Surfaces, a: number, b: number): boolean {
    return mayBeThrough(bodies[a]!) || mayBeThrough(bodies[b]!) || partingOf(bodies[a]!, bodies[b]!) >= 0
  }

  /**
   * True where one of two solids, of which one may be, is through the other: its way out, which is kept then, is longer than
   * the thinner one is half as thick. Contact would push particles out on the far side; what is less deep comes out by it,
   * but for what is hooked.
   */
  isThrough(state: State, surfaces: Surfaces, a: number, b: number, hooked: boolean, wayOut: WayOut): boolean {
    const { bodies, numbers } = surfaces
    if (!hooked && !mayBeThrough(bodies[a]!) && !mayBeThrough(bodies[b]!)) return false
    wayOut.findClear(state, surfaces, a, b)
    const thinner = Math.min(numbers[a * SURFACE.SIZE + SURFACE.SLAB]!, numbers[b * SURFACE.SIZE + SURFACE.SLAB]!)
    if (!hooked && wayOut.depth[0]! <= thinner) return false
    this.through[a] = 1
    this.through[b] = 1
    return true
  }

  /** Keeps two on the way that they have begun; false where they have not. */
  goOn(state: State, surfaces: Surfaces, a: number, b: number, wayOut: WayOut): boolean {
    const o = partingOf(surfaces.bodies[a]!, surfaces.bodies[b]!)
    if (o < 0) return false
    const { partings } = surfaces.bodies[a]!
    this.through[a] = 1
    this.through[b] = 1
    if (!(partings[o + PARTING.LEFT]! > 0)) {
      // By now they have been turned or bent; or others hold the lighter one, and it is for the heavier one to go.
      const stuck = this.getsNowhere(state, a, b, o)
      wayOut.findClear(state, surfaces, a, b)
      takeWay(partings, o, wayOut)
      if (stuck) leaveToHeavier(partings, o, wayOut)
    }
    const k = this.count++
    this.bodies = roomy(this.bodies, this.count * 2)
    this.rows = roomy(this.rows, this.count)
    this.bodies[k * 2] = a
    this.bodies[k * 2 + 1] = b
    this.rows[k] = o
    return true
  }

  /** True where both were to go, have been pushed as far as it goes, and are where they were. */
  private getsNowhere(state: State, a: number, b: number, o: number): boolean {
    const { partings } = state.bodies.live[a]!
    if (partings[o + PARTING.STOPPED] === 1 || partings[o + PARTING.STOPPED + 1] === 1) return false
    this.measure(state, a, b, o)
    return partings[o + PARTING.GIVEN] === SPEED && rate[0]! < LEAST
  }

  /** Two solids begin by a way that is known; false where the first one is on its way out of too many already. */
  begin(state: State, surfaces: Surfaces, a: number, b: number, wayOut: WayOut): boolean {
    const { partings } = surfaces.bodies[a]!
    const { slot, generation } = surfaces.bodies[b]!
    for (let o = 0; o < PARTINGS * PARTING.SIZE; o += PARTING.SIZE) {
      if (partings[o + PARTING.SLOT] !== 0) continue
      partings[o + PARTING.SLOT] = slot + 1
      partings[o + PARTING.GENERATION] = generation
      partings[o + PARTING.GIVEN] = 0
      takeWay(partings, o, wayOut)
      return this.goOn(state, surfaces, a, b, wayOut)
    }
    return false
  }

  /** A step's first search has found who is still on the way. What has come free of all others has not just been put there. */
  settle({ bodies: { live } }: State): void {
    for (let b = 0; b < live.length; b++) {
      if (live[b]!.placed && this.through[b] === 0) live[b]!.placed = false
      this.through[b] = 0
    }
    this.due = true
  }

  /** Brings the pairs to their speed, and stops what has arrived, for a substep of h[0] [s]. */
  push(state: State, h: Float64Array): void {
    if (this.due) this.stop(state, h)
    const { live } = state.bodies
    for (let k = 0; k < this.count; k++) {
      const a = this.bodies[k * 2]!
      const b = this.bodies[k * 2 + 1]!
      const o = this.rows[k]!
      const { partings } = live[a]!
      this.measure(state, a, b, o)
      if (both[0] === 0) continue
      // What runs into each other is stopped at once: so much speed it had not from here.
      const lost = Math.max(0, -rate[0]!)
      const more = Math.max(0, Math.min(ACCELERATION * h[0]!, SPEED - lost - rate[0]!))
      partings[o + PARTING.GIVEN] = Math.min(SPEED, partings[o + PARTING.GIVEN]! + more)
      partings[o + PARTING.LEFT] = partings[o + PARTING.LEFT]! - h[0]! * Math.max(LEAST, rate[0]!)
      for (let d = 0; d < 3; d++) gift[d] = (lost + more) * partings[o + PARTING.WAY + d]!
      this.give(state, a, b, h)
    }
  }

  /** What has nothing in common any more loses the speed that it was given. */
  private stop(state: State, h: Float64Array): void {
    this.due = false
    const { live } = state.bodies
    for (let a = 0; a < live.length; a++) {
      const { partings } = live[a]!
      for (let o = 0; o < PARTINGS * PARTING.SIZE; o += PARTING.SIZE) {
        if (partings[o + PARTING.SLOT] === 0) continue
        let kept = false
        for (let b = 0; b < live.length; b++) {
          if (partingOf(live[a]!, live[b]!) !== o) continue
          kept = this.has(a, b)
          if (!kept) this.brake(state, a, b, o, h)
        }
        if (!kept) partings[o + PARTING.SLOT] = 0
      }
    }
  }

  private brake(state: State, a: number, b: number, o: number, h: Float64Array): void {
    this.measure(state, a, b, o)
    const size = Math.sqrt(relative[0]! * relative[0]! + relative[1]! * relative[1]! + relative[2]! * relative[2]!)
    if (both[0] === 0 || size === 0) return
    const share = Math.min(1, state.bodies.live[a]!.partings[o + PARTING.GIVEN]! / size)
    for (let d = 0; d < 3; d++) gift[d] = -share * relative[d]!
    this.give(state, a, b, h)
  }

  /** Of a from b: its velocity, how much of that leads along the way in row o of a's, and how much either yields on it. */
  private measure(state: State, a: number, b: number, o: number): void {
    const { live } = state.bodies
    const { partings } = live[a]!
    measureWhole(state, live[a]!)
    relative.set(velocity)
    yields[0] = yielding[0]! * (1 - partings[o + PARTING.STOPPED]!)
    measureWhole(state, live[b]!)
    yields[1] = yielding[0]! * (1 - partings[o + PARTING.STOPPED + 1]!)
    both[0] = yields[0] + yields[1]
    rate[0] = 0
    for (let d = 0; d < 3; d++) {
      relative[d] = relative[d]! - velocity[d]!
      rate[0] += relative[d]! * partings[o + PARTING.WAY + d]!
    }
  }

  /** Gives a the velocity `gift` from b, as they yield; their momentum stays, but for what a collider bears that stops one. */
  private give(state: State, a: number, b: number, h: Float64Array): void {
    const { live } = state.bodies
    for (let side = 0; side < 2; side++) {
      const share = ((1 - 2 * side) * h[0]! * yields[side]!) / both[0]!
      if (share === 0) continue
      for (let d = 0; d < 3; d++) shift[d] = share * gift[d]!
      pushWhole(state, live[side === 0 ? a : b]!)
    }
    this.pushed = roomy(this.pushed, (this.pushedCount + 1) * 2)
    this.pushed[this.pushedCount * 2] = a
    this.pushed[this.pushedCount * 2 + 1] = b
    this.pushedCount++
  }

  /** Joins the bodies that have pushed each other in this substep, also where a search has found others since. */
  join(groups: SoftGroups): void {
    for (let k = 0; k < this.pushedCount; k++) groups.join(this.pushed[k * 2]!, this.pushed[k * 2 + 1]!)
  }
}

/** True where a body may be through others: it has been put elsewhere, or does not find back from inside out. */
function mayBeThrough(body: BodyRecord): boolean {
  return body.placed || isStuck(body)
}

/** Where a body's `partings` tell of another body, -1 where they do not. */
export function partingOf({ partings }: BodyRecord, { slot, generation }: BodyRecord): number {
  for (let o = 0; o < PARTINGS * PARTING.SIZE; o += PARTING.SIZE) {
    if (partings[o + PARTING.SLOT] === slot + 1 && partings[o + PARTING.GENERATION] === generation) return o
  }
  return -1
}

/** Leaves a way on which neither is stopped to the one that yields less. */
function leaveToHeavier(partings: Float64Array, o: number, { yields: left }: WayOut): void {
  if (left[0]! > 0 && left[1]! > 0) partings[o + PARTING.STOPPED + (left[0]! > left[1]! ? 0 : 1)] = 1
}

function takeWay(partings: Float64Array, o: number, { direction, depth, free, yields: left }: WayOut): void {
  for (let d = 0; d < 3; d++) partings[o + PARTING.WAY + d] = direction[d]!
  partings[o + PARTING.LEFT] = depth[0]!
  for (let d = 0; d < 2; d++) partings[o + PARTING.STOPPED + d] = free[d]! > 0 && left[d] === 0 ? 1 : 0
}

import type { State } from '../state.js'
import { Holds, local } from './holds.js'
import { CAUGHT, SWAY } from './pairs.js'
import { POSE } from './poses.js'
import { before, frame, inverseMass, PLANE, point, query } from './touching.js'
import { THICKNESS, TOUCHED, trace, WAY } from './trace.js'

/** Numbers a leg has in `legs`. */
const LEG = 7
/** Place in a leg of the square of what the point's velocity alone moves it by in a substep [m^2]. */
const OWN = 6
/** How far a way may be from straight in the frame of a collider that turns, as a share of its inradius. */
const STRAIGHT = 2.5e-4
/** Parts in which a way is followed at most. */
const PARTS = 16

/** What a bounce has given along the normal [m/s]. */
export const given = new Float64Array(1)

/** Where the point is when it touches; what it moves by in a whole substep, and would by its velocity alone [m]. */
const at = new Float64Array(3)
const going = new Float64Array(3)
const own = new Float64Array(3)
/** Share of the substep that has passed at an impact. By array, since a call with a number allocates. */
const time = new Float64Array(1)
/** At the last impact, 0 before, and at the end of the part of the way that is followed now. */
const since = new Float64Array(1)
const until = new Float64Array(1)
const surface = new Float64Array(3)
const n = new Float64Array(3)
const slide = new Float64Array(3)
const way = new Float64Array(WAY)

/**
 * Points that are so fast that they could pass a collider between the start and the end of a substep.
 *
 * Their way is followed in each collider's own frame, from its pose at the start to its pose at the end: it joins
 * where the last substep's way ended, so that there is no gap to slip through. Where a collider turns the way is curved
 * there, and is followed in straight parts. At the first touch the point rebounds with its friction and restitution, and
 * spends what is left of the substep so; then the next collider is looked for.
 */
export class Impacts extends Holds {
  /** Impacts in the present step. */
  impacts = 0
  /** True where the nearest surface does not tell where the point in hand came in: its way is followed however short. */
  protected astray = false
  /** By the first pair of a point: its impacts in this substep, and its velocity after the last [m/s]. */
  protected hits = new Uint8Array(0)
  private after = new Float64Array(0)
  /** By pair that was struck: velocity of the collider's matter there and then [3 n] m/s. */
  private matter = new Float64Array(0)
  /** By pair of one point: where the rest of the way starts and ends in the collider's frame [m], and `OWN`. */
  private legs = new Float64Array(0)

  protected override grow(): void {
    super.grow()
    this.hits = new Uint8Array(this.capacity)
    this.after = new Float64Array(this.capacity * 3)
    this.matter = new Float64Array(this.capacity * 3)
  }

  /** True where the way in this substep of the point at `point` is long enough to lead past one of its colliders. */
  protected isFast(state: State, first: number): boolean {
    const dx = point[0]! - before[0]!
    const dy = point[1]! - before[1]!
    const dz = point[2]! - before[2]!
    const square = dx * dx + dy * dy + dz * dz
    const slow = this.slow[first]!
    if (square <= slow) return false
    if (square > this.pressed[first]!) return true
    const v = state.velocities
    let vx = 0
    let vy = 0
    let vz = 0
    for (let k = first * 4; k < first * 4 + 4; k++) {
      const b = this.weights[k]!
      const p = this.particles[k]! * 3
      vx += b * v[p]!
      vy += b * v[p + 1]!
      vz += b * v[p + 2]!
    }
    return (vx * vx + vy * vy + vz * vz) * this.h[0]! * this.h[0]! > slow
  }

  /** Follows the way of a point from `before` to `point`, and moves it to where its impacts lead. */
  protected strike(state: State, first: number, size: number): void {
    this.weigh(state, first)
    if (inverseMass[0] === 0) return // pinned
    if (this.legs.length < size * LEG) this.legs = new Float64Array(size * LEG * 2)
    for (let d = 0; d < 3; d++) {
      at[d] = before[d]!
      going[d] = point[d]! - before[d]!
      own[d] = 0
      for (let k = first * 4; k < first * 4 + 4; k++)
        own[d] = own[d]! + this.weights[k]! * state.velocities[this.particles[k]! * 3 + d]! * this.h[0]!
    }
    for (let pair = first; pair < first + size; pair++) this.beginLeg(pair, (pair - first) * LEG)
    time[0] = 0
    since[0] = 0
    until[0] = 1
    const parts = this.partsOf(first, size)
    let part = 1
    if (parts > 1) this.aim(part, parts)
    let hits = 0
    while (hits < size) {
      let nearest = -1
      let share = 1
      for (let pair = first; pair < first + size; pair++) {
        const leg = (pair - first) * LEG
        if (this.waits(pair, first)) {
          for (let d = leg + 3; d < leg + 6; d++) this.legs[d] = this.legs[d - LEG]! // as the place before on its collider
          continue
        }
        if (!this.follow(pair, leg) || way[TOUCHED]! >= share) continue
        share = way[TOUCHED]!
        nearest = pair
      }
      if (nearest < 0) {
        if (part === parts) break
        for (let leg = 0; leg < size * LEG; leg += LEG)
          for (let d = leg; d < leg + 3; d++) this.legs[d] = this.legs[d + 3]!
        for (let d = 0; d < 3; d++) at[d] = point[d]!
        time[0] = until[0]!
        this.aim(++part, parts)
        continue
      }
      hits++
      for (let leg = 0; leg < size * LEG; leg += LEG)
        for (let d = leg; d < leg + 3; d++) this.legs[d] = this.legs[d]! + share * (this.legs[d + 3]! - this.legs[d]!)
      for (let d = 0; d < 3; d++) at[d] = at[d]! + share * (point[d]! - at[d]!)
      time[0] = time[0] + share * (until[0] - time[0])
      since[0] = time[0]
      this.rebound(nearest, (nearest - first) * LEG)
      this.aim(part, parts)
    }
    if (hits === 0) return
    this.hits[first] = hits
    this.aim(parts, parts)
    // `point` is where it shall be.
    for (let d = 0; d < 3; d++) {
      at[d] = point[d]!
      this.after[first * 3 + d] = going[d]! / this.h[0]!
    }
    this.locate(state, first)
    for (let d = 0; d < 3; d++) at[d] = at[d]! - point[d]!
    this.movePoint(state, first, at, state.positions)
    if (hits === size) this.hold(state, first, size) // what is left of the way was not followed
  }

  /** In how many parts a point's way is straight enough, as the colliders turn that it may touch. */
  private partsOf(first: number, size: number): number {
    const length = Math.sqrt(going[0]! * going[0]! + going[1]! * going[1]! + going[2]! * going[2]!)
    let parts = 1
    for (let pair = first; pair < first + size; pair++) {
      const c = this.collider[pair]!
      const inradius = this.sway[c * SWAY + 3]!
      // What is made of faces stops a way by the plane that it crosses, and is dear to ask.
      if (this.colliders[c]!.shape.enter || inradius === 0) continue
      let turned = 0
      for (let d = c * POSE + 3; d < c * POSE + 12; d++) {
        const change = this.poses.data[d + 12]! - this.poses.data[d]!
        turned += change * change
      }
      // Off a straight line by the angle of the turn [rad], sqrt(turned / 2), times length / 4.
      const bend = (Math.sqrt(turned / 2) * length) / 4
      parts = Math.max(parts, Math.ceil(Math.sqrt(bend / (STRAIGHT * inradius))))
    }
    return parts > 1 ? Math.min(parts, PARTS) : 1 // also of a way that is not a number
  }

  /** Aims the point from where it is at `time` at where it will be at the end of a part of its way. */
  private aim(part: number, parts: number): void {
    until[0] = part / parts
    for (let d = 0; d < 3; d++) point[d] = at[d]! + (until[0] - time[0]!) * going[d]!
  }

  private beginLeg(pair: number, leg: number): void {
    this.toLocal(pair, 0, before)
    for (let d = 0; d < 3; d++) {
      this.legs[leg + d] = local[d]!
      at[d] = before[d]! + own[d]!
    }
    this.toLocal(pair, 12, at)
    let square = 0
    for (let d = 0; d < 3; d++) {
      square += (local[d]! - this.legs[leg + d]!) * (local[d]! - this.legs[leg + d]!)
      at[d] = before[d]!
    }
    this.legs[leg + OWN] = square
  }

  /** Follows a point's way to `point`, at `until`; true where it touches, and then the plane there is kept. */
  private follow(pair: number, leg: number): boolean {
    const { shape } = this.colliders[this.collider[pair]!]!
    if (until[0] === 1) this.toLocal(pair, 12, point)
    else this.toLocalAt(pair, until, point)
    let square = 0
    for (let d = 0; d < 3; d++) {
      const from = this.legs[leg + d]!
      this.legs[leg + 3 + d] = local[d]!
      way[d] = from
      way[3 + d] = local[d]! - from
      square += way[3 + d]! * way[3 + d]!
    }
    // Of the way since the last impact, of which this is a part.
    const whole = 1 - since[0]!
    const part = until[0]! - time[0]!
    const inradius = this.sway[this.collider[pair]! * SWAY + 3]!
    const caught = CAUGHT * inradius
    const limit = this.astray ? 0 : this.legs[leg + OWN]! > caught * caught ? caught : inradius
    if (this.struck[pair] === 1 || square * whole * whole <= limit * limit * part * part) return false
    if (shape.costly && this.isClear(pair, way) && this.isClear(pair, local)) return false
    way[THICKNESS] = this.thickness[pair]!
    if (!trace(shape, way, query)) return false
    const p = pair * PLANE
    let height = -query[3]!
    for (let d = 0; d < 3; d++) {
      this.planes[p + d] = query[4 + d]!
      height += query[d]! * query[4 + d]!
    }
    this.planes[p + 3] = height
    return true
  }

  /** Changes what a point moves by (`going`) in the way that its impact at `time` of the substep does. */
  private rebound(pair: number, leg: number): void {
    const data = this.poses.data
    const o = this.collider[pair]! * POSE
    const p = pair * PLANE
    // The normal at that time, and what the collider's matter there moves by in the substep.
    let size = 0
    for (let d = 0; d < 3; d++) {
      const start = o + 3 + d * 3
      n[d] = 0
      surface[d] = data[o + 12 + d]! - data[o + d]!
      for (let k = 0; k < 3; k++) {
        const turned = data[start + 12 + k]! - data[start + k]!
        n[d] = n[d]! + (data[start + k]! + time[0]! * turned) * this.planes[p + k]!
        surface[d] = surface[d]! + turned * this.legs[leg + k]!
      }
      size += n[d]! * n[d]!
    }
    size = Math.sqrt(size)
    for (let d = 0; d < 3; d++) {
      n[d] = n[d]! / size
      this.matter[pair * 3 + d] = surface[d]! / this.h[0]!
    }
    this.poses.carry(this.collider[pair]!, this.h, n, surface, 0)
    let along = 0
    let approach = 0
    for (let d = 0; d < 3; d++) {
      this.normals[pair * 3 + d] = n[d]!
      along += (going[d]! - surface[d]!) * n[d]!
      approach += (own[d]! - surface[d]!) * n[d]!
    }
    along = Math.min(0, along)
    approach = Math.min(0, approach)
    this.approach[pair] = approach / this.h[0]!
    let slip = 0
    for (let d = 0; d < 3; d++) {
      slide[d] = going[d]! - surface[d]! - along * n[d]!
      slip += slide[d]! * slide[d]!
    }
    slip = Math.sqrt(slip)
    // A body's pull on its particle is stopped, but gives no bounce: that is left to the speed of approach.
    const bounce = -this.bounciness(pair, this.approach) * Math.max(along, approach)
    const blow = bounce - along
    const rub = Math.min(slip, this.friction[pair]! * blow)
    for (let d = 0; d < 3; d++) {
      const change = blow * n[d]! - (slip > 0 ? (rub / slip) * slide[d]! : 0)
      going[d] = going[d]! + change
      own[d] = own[d]! + change
    }
    this.push[pair] = blow
    this.moved[pair] = this.moved[pair]! + (1 - time[0]!) * blow
    this.drag[pair] = rub
    this.struck[pair] = 1
    this.active++
    this.impacts++
  }

  /**
   * True for a point that had an impact and touches elsewhere too in this substep. Its mean velocity is made of several
   * ways, and gives way to the velocity after the last impact.
   */
  protected leaves(state: State, first: number): boolean {
    let touches = 0
    for (let pair = first; pair < first + this.group[first]!; pair++) {
      if (this.push[pair] === 0) continue
      touches++
      if (this.struck[pair] === 1) continue
      // What it touches after its impact it has not approached with the velocity before.
      this.approach[pair] = 0
      for (let d = 0; d < 3; d++)
        this.approach[pair] = this.approach[pair]! + this.after[first * 3 + d]! * this.normals[pair * 3 + d]!
    }
    if (touches < 2) return false
    this.locate(state, first)
    this.weigh(state, first)
    const v = state.velocities
    for (let k = first * 4; k < first * 4 + 4; k++) {
      const s = (this.weights[k]! * state.inverseMasses[this.particles[k]!]!) / inverseMass[0]!
      const p = this.particles[k]! * 3
      for (let d = 0; d < 3; d++)
        v[p + d] = v[p + d]! + s * (this.after[first * 3 + d]! - (point[d]! - before[d]!) / this.h[0]!)
    }
    for (let d = 0; d < 3; d++) own[d] = this.h[0]! * this.after[first * 3 + d]! - (point[d]! - before[d]!)
    this.share(first)
    return true
  }

  /** Books how far a point has been moved in all, `own`, with those of its pairs that push, along their normals. */
  private share(first: number): void {
    for (let pair = first; pair < first + this.group[first]!; pair++) {
      if (this.push[pair] === 0) continue
      let along = 0
      for (let d = 0; d < 3; d++) along += own[d]! * this.normals[pair * 3 + d]!
      for (let d = 0; d < 3; d++) own[d] = own[d]! - along * this.normals[pair * 3 + d]!
      this.moved[pair] = this.moved[pair]! + along
    }
  }

  /**
   * Velocity of the collider's matter where the point of a pair touches, into `frame` [m/s]: at its impact where it had one,
   * since on a collider that turns the point is soon elsewhere, else where it is now.
   */
  protected findMatter(state: State, pair: number): void {
    if (this.struck[pair] === 1) {
      for (let d = 0; d < 3; d++) frame[3 + d] = this.matter[pair * 3 + d]!
      return
    }
    this.locate(state, pair)
    this.poses.shift(this.collider[pair]!, point, frame, 3)
    for (let d = 3; d < 6; d++) frame[d] = frame[d]! / this.h[0]!
  }

  /** Takes back slip speed, at most friction times what the impact's bounce has given along the normal. */
  protected rub(state: State, pair: number): void {
    const v = state.velocities
    const w = state.inverseMasses
    let along = 0
    for (let d = 0; d < 3; d++) {
      slide[d] = -frame[3 + d]!
      for (let k = pair * 4; k < pair * 4 + 4; k++)
        slide[d] = slide[d]! + this.weights[k]! * v[this.particles[k]! * 3 + d]!
      along += slide[d]! * this.normals[pair * 3 + d]!
    }
    let square = 0
    for (let d = 0; d < 3; d++) {
      slide[d] = slide[d]! - along * this.normals[pair * 3 + d]!
      square += slide[d]! * slide[d]!
    }
    if (square === 0) return
    this.weigh(state, pair)
    const share = Math.min(1, (this.friction[pair]! * given[0]!) / Math.sqrt(square)) / inverseMass[0]!
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const s = share * this.weights[k]! * w[this.particles[k]!]!
      for (let d = 0; d < 3; d++) {
        const p = this.particles[k]! * 3 + d
        v[p] = v[p]! - s * slide[d]!
      }
    }
  }

  /** Restitution of a pair, by the pairs' speeds of approach [m/s]: none where it only rests under gravity. */
  private bounciness(pair: number, approach: Float64Array): number {
    const { gravity } = this.settings!
    const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    const felt = g * Math.abs(this.gravityScale[pair]!) + this.pulled[pair]!
    return approach[pair]! > -2 * felt * this.h[0]! ? 0 : this.restitution[pair]!
  }
}

import { type BodyRecord, type ColliderRecord, SLEEP } from '../records.js'
import type { State } from '../state.js'
import { center, findCenter, turnsFreely } from '../turning.js'
import { pushEachOther } from './groups.js'
import { POSE } from './poses.js'
import { roomy } from './soft/columns.js'
import { placeWhole, pushWhole, shift } from './soft/wholes.js'

/** Part of a body's size by which particles are in a collider that count [m/m]. */
const DEEP = 0.05
/** Share of its contact particles that must be so deep: a blow and a press leave fewer. */
const SHARE = 0.01
/** Length of the mean of their ways out, unit vectors, from which on they lead one way. */
const ONE_WAY = 0.99

/** Part of the speed of its lift at which a body may fall against that. */
const FALL = 0.1

/** Numbers by collider: how many particles are deep in it, and the sum of their ways out. */
const TALLY = 4

/** Steps in which a way out is followed at most, and the least of one, as a part of the body's size. */
const MOST_STEPS = 64
const LEAST_STEP = 0.01

/** Where a way may lead besides the nearest one: along the axes. */
const AXES = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1] as const

const query = new Float64Array(7)
const way = new Float64Array(3)
const place = new Float64Array(3)
const nearest = new Float64Array(3)
const best = new Float64Array(3)
/** Of the way in hand, its length until the centre of mass is out [m], below 0 where another collider is behind it. */
const length = new Float64Array(1)

/**
 * Bodies that were put into a solid collider. Each point of one knows a way out, but not all the same one, and the body
 * would be drawn out to all sides, around the collider. So contact of the two stands down for the step, and the body is
 * moved as a whole, the shortest way out of its centre of mass behind which no other collider is, until the ways of its
 * points lead to one side.
 */
export class Sunk {
  private count = 0
  private bodies = new Uint32Array(0)
  /** [3 n] unit vectors. */
  private ways = new Float64Array(0)
  private tally = new Float64Array(0)
  /** Distance from a collider below which particles of the body in hand count [m]. */
  private readonly deep = new Float64Array(1)
  private any = false
  /** By collider: 1 where it pushes the body that was judged last. */
  pushes = new Uint8Array(0)

  /** A search begins. */
  clear(): void {
    this.count = 0
  }

  /** The points of a body are looked at next. */
  take({ model }: BodyRecord, colliders: number): void {
    this.tally = roomy(this.tally, colliders * TALLY)
    if (this.any) this.tally.fill(0)
    this.any = false
    this.deep[0] = -DEEP * model.size
  }

  /** True where a particle is deep in a collider, as its shape has told. */
  isDeep(asked: Float64Array): boolean {
    return asked[3]! <= this.deep[0]!
  }

  /**
   * Takes particle `i` of what is deep in collider `c`, at its pose in `data`, where it was when the substep began: a blow
   * leads as deep within one, but contact has not been solved yet.
   */
  note(x: Float64Array, i: number, c: number, colliders: readonly ColliderRecord[], data: Float64Array): void {
    for (let d = 0; d < 3; d++) place[d] = x[i * 3 + d]!
    ask(c, colliders, data)
    if (!this.isDeep(query)) return
    this.any = true
    const at = c * TALLY
    this.tally[at] = this.tally[at]! + 1
    turnOut(query, data, c * POSE)
    for (let d = 0; d < 3; d++) this.tally[at + 1 + d] = this.tally[at + 1 + d]! + way[d]!
  }

  /** Lets the colliders that the body is sunk in push it no more; false where it is in none. */
  judge(state: State, b: number, body: BodyRecord, colliders: readonly ColliderRecord[], data: Float64Array): boolean {
    if (!this.any || !turnsFreely(state, body)) return false
    this.pushes = roomy(this.pushes, colliders.length)
    const { pushes } = this
    for (let c = 0; c < colliders.length; c++) pushes[c] = pushEachOther(body.settings, colliders[c]!) ? 1 : 0
    let found = false
    for (let c = 0; c < colliders.length; c++) {
      const at = c * TALLY
      const count = this.tally[at]!
      if (count <= SHARE * body.model.contactParticles.length) continue
      let square = 0
      for (let d = 1; d <= 3; d++) square += this.tally[at + d]! * this.tally[at + d]!
      if (square > ONE_WAY * ONE_WAY * count * count) continue
      findCenter(state, body)
      this.findWay(c, body.model.size, colliders, data)
      pushes[c] = 0
      found = true
      const k = this.count++
      this.bodies = roomy(this.bodies, this.count)
      this.ways = roomy(this.ways, this.count * 3)
      this.bodies[k] = b
      for (let d = 0; d < 3; d++) this.ways[k * 3 + d] = best[d]!
    }
    return found
  }

  /** Sets `best` to the way by which the centre of a body of that size gets out of collider `c`. */
  private findWay(c: number, size: number, colliders: readonly ColliderRecord[], data: Float64Array): void {
    place.set(center)
    ask(c, colliders, data)
    turnOut(query, data, c * POSE)
    nearest.set(way)
    best.set(way)
    let shortest = Number.POSITIVE_INFINITY
    for (let k = -3; k < AXES.length; k += 3) {
      for (let d = 0; d < 3; d++) way[d] = k < 0 ? nearest[d]! : AXES[k + d]!
      followOut(c, size, colliders, data, this.pushes)
      if (length[0]! < 0 || length[0]! >= shortest) continue
      shortest = length[0]!
      best.set(way)
    }
  }

  /** Moves them, each by `far[0]` [m], as if they had always been there, and brakes what falls against that in this substep. */
  lift(state: State, far: Float64Array): void {
    const { positions: x, previous: y, masses } = state
    for (let k = 0; k < this.count; k++) {
      const body = state.bodies.live[this.bodies[k]!]!
      const end = body.start + body.model.particleCount
      body.sleep[SLEEP.CALM] = 0
      for (let d = 0; d < 3; d++) way[d] = this.ways[k * 3 + d]!
      let along = FALL * far[0]!
      for (let i = body.start; i < end; i++) {
        for (let d = 0; d < 3; d++) along += (masses[i]! / body.mass) * way[d]! * (x[i * 3 + d]! - y[i * 3 + d]!)
      }
      if (along < 0) {
        for (let d = 0; d < 3; d++) shift[d] = -along * way[d]!
        pushWhole(state, body)
      }
      for (let d = 0; d < 3; d++) shift[d] = far[0]! * way[d]!
      placeWhole(state, body)
    }
  }
}

/** Sets `length` of `way`, from `center` on. */
function followOut(
  c: number,
  size: number,
  colliders: readonly ColliderRecord[],
  data: Float64Array,
  pushes: Uint8Array,
): void {
  let far = 0
  for (let step = 0; step < MOST_STEPS; step++) {
    for (let d = 0; d < 3; d++) place[d] = center[d]! + far * way[d]!
    ask(c, colliders, data)
    if (query[3]! >= 0) break
    far += Math.max(-query[3]!, LEAST_STEP * size)
  }
  length[0] = far
  for (let d = 0; d < 3; d++) place[d] = center[d]! + (far + 0.5 * size) * way[d]!
  for (let other = 0; other < colliders.length; other++) {
    if (other === c || pushes[other] === 0) continue
    ask(other, colliders, data)
    if (query[3]! < 0) length[0] = -1
  }
}

/** Asks collider `c`, at its pose in `data`, for the distance and the normal at `place`, into `query`. */
function ask(c: number, colliders: readonly ColliderRecord[], data: Float64Array): void {
  const o = c * POSE
  const rx = place[0]! - data[o]!
  const ry = place[1]! - data[o + 1]!
  const rz = place[2]! - data[o + 2]!
  for (let d = 0; d < 3; d++) query[d] = data[o + 3 + d]! * rx + data[o + 6 + d]! * ry + data[o + 9 + d]! * rz
  colliders[c]!.shape.distance(query)
}

/** Sets `way` to the normal that a shape has told, in space. */
function turnOut(asked: Float64Array, data: Float64Array, o: number): void {
  for (let d = 0; d < 3; d++) {
    const row = o + 3 + d * 3
    way[d] = data[row]! * asked[4]! + data[row + 1]! * asked[5]! + data[row + 2]! * asked[6]!
  }
}

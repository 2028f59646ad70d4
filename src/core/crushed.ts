import { pushEachOther } from './collision/groups.js'
import type { Stats } from './counters.js'
import { dampShape, none } from './damping.js'
import type { Inverted } from './inverted.js'
import { isLed } from './ledSpin.js'
import { boundsOf } from './measures.js'
import { Groups } from './mesh/groups.js'
import { distanceTo } from './overlap.js'
import { type BodyRecord, RESCUE, UNSTABLE } from './records.js'
import { beginSettling, endSettling, settles } from './settling.js'
import type { State } from './state.js'
import { drawToShape, wholeBody } from './wholeBody.js'

/** For how long tetrahedra of what lies may be inverted [s]; of the time in which none is a share is taken off. */
const PATIENCE = 0.5
const FORGIVEN = 0.25
/** How far a particle's speed is at the end of a step from the mean of it where it trembles [m/s]. */
const TREMBLE = 0.3
/** Speed of the centre of mass below which a body stays where it is [m/s]. */
const STAYS = 0.1
/** What has stood up is left as it is for so long, and so often what settles tries to stand up [s]. */
const PAUSE = 2
/** What settles does so until nothing has been inverted for so long [s]. */
const CALM = 0.5
/** Root mean square distance from its shape, in its size, from which a body may be meant to be bent. */
const FAR = 0.33
/** How deep in colliders a body may be where it has room, in its size. */
const DEEP = 0.01
/** Where the material of shape matching has the share of its way that particles go at once, without speed. */
const RELAXATION = 2

/** Contacts with colliders. */
interface Ground {
  touches(b: number): boolean
  bears(state: State, b: number, way: Float64Array): boolean
}

/** Contacts of bodies with each other. */
interface Others {
  isNear(b: number): boolean
  touches(b: number): boolean
}

const all = Float64Array.of(1)

/**
 * Brings to rest what its load has crushed: what thin legs bear is more than a sweep passes on, so that tetrahedra at the
 * foot turn inside out and go to and fro from substep to substep. After `PATIENCE` a body that lies on colliders alone is
 * stood up: put into its shape where it fits best, with its rigid motion, as low as it lay. From then on contacts bear it
 * as if it were rigid, as long as substeps are no shorter: the whole of it takes up the load at once.
 *
 * What is pinned, held or joined, touches other bodies, has no room for its shape, is in pieces, or bent far from its
 * shape cannot stand up. It settles as it is (`settle`), until it can, nothing of it is inverted any more, or it goes away.
 * What rolls or slides is left to its material.
 */
export class Crushed {
  /** Where colliders push the body in hand to, unit. */
  private readonly way = new Float64Array(3)

  constructor(private readonly inverted: Inverted) {}

  /**
   * Counts, at the end of a step of timeStep[0] [s] in substeps of h[0] [s], for how long bodies have been crushed, and
   * brings to rest those that have been for long. `grown`: see `Inflation`.
   */
  watch(
    state: State,
    ground: Ground,
    others: Others,
    grown: Float64Array,
    timeStep: Float64Array,
    h: Float64Array,
    stats: Stats,
  ): void {
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      if (body.asleep) continue
      if (settles(body)) this.goOn(state, body, b, timeStep)
      else this.count(state, body, b, ground, others, timeStep)
      const { rescue } = body
      if (!(rescue[RESCUE.CRUSHED]! > (settles(body) ? PAUSE : PATIENCE))) continue
      if (this.isAlone(state, body, b, ground, others) && straighten(state, body, this.way, grown, b)) {
        dampShape(state, body, all, none)
        rescue[RESCUE.BORNE] = h[0]!
        rescue[RESCUE.CRUSHED] = -PAUSE
        endSettling(body)
      } else {
        rescue[RESCUE.CRUSHED] = 0
        if (settles(body)) continue
        beginSettling(body)
      }
      body.unstable |= UNSTABLE.INVERTED
      stats.inversionRescues++
    }
  }

  /** Counts for how long a body has been crushed; of the time in which it is not a share is taken off. */
  private count(
    state: State,
    body: BodyRecord,
    b: number,
    ground: Ground,
    others: Others,
    timeStep: Float64Array,
  ): void {
    const { rescue, settings } = body
    if (this.inverted.watched[b] === 0 || !settings.rescue) {
      rescue[RESCUE.CRUSHED] = 0
      return
    }
    const isCrushed =
      rescue[RESCUE.LOST] === 0 &&
      trembles(state, body, timeStep) &&
      stays(state, body, timeStep) &&
      this.inverted.has(state, b) &&
      (ground.touches(b) || others.touches(b) || isHeld(state, body))
    const time = rescue[RESCUE.CRUSHED]!
    if (isCrushed) rescue[RESCUE.CRUSHED] = time + timeStep[0]!
    else rescue[RESCUE.CRUSHED] = Math.max(Math.min(time, 0), time - FORGIVEN * timeStep[0]!)
  }

  /** Counts for how long a body that settles has been inverted, and ends it where nothing has been for `CALM`, or it goes. */
  private goOn(state: State, body: BodyRecord, b: number, timeStep: Float64Array): void {
    const { rescue, settings } = body
    const time = rescue[RESCUE.CRUSHED]!
    if (this.inverted.has(state, b)) rescue[RESCUE.CRUSHED] = Math.max(0, time) + timeStep[0]!
    else rescue[RESCUE.CRUSHED] = Math.min(0, time) - timeStep[0]!
    const isOver = this.inverted.watched[b] === 0 || !settings.rescue || rescue[RESCUE.CRUSHED]! < -CALM
    if (!isOver && stays(state, body, timeStep)) return
    rescue[RESCUE.CRUSHED] = 0
    endSettling(body)
  }

  /** True where nothing but colliders holds a body, and all of it hangs together. */
  private isAlone(state: State, body: BodyRecord, b: number, ground: Ground, others: Others): boolean {
    return ground.bears(state, b, this.way) && !others.isNear(b) && !isHeld(state, body) && isWhole(body)
  }
}

/**
 * Puts a body into its shape where it fits best, and along the unit `way` as low as it was; false where it is too far from
 * it, or has no room there, and is left as it is.
 */
function straighten(state: State, body: BodyRecord, way: Float64Array, grown: Float64Array, b: number): boolean {
  const { positions: x, masses: m } = state
  const from = 3 * body.start
  const to = from + 3 * body.model.particleCount
  const before = x.slice(from, to)
  const low = lowest(before, 0, before.length, way)
  const rows = wholeBody(body)
  rows.material[RELAXATION] = 1
  drawToShape(state, body, rows, grown, b)
  let sum = 0
  for (let p = from; p < to; p++) {
    const moved = x[p]! - before[p - from]!
    sum += m[Math.floor(p / 3)]! * moved * moved
  }
  const rise = low - lowest(x, from, to, way)
  for (let p = from; p < to; p++) x[p] = x[p]! + rise * way[(p - from) % 3]!
  if (Math.sqrt(sum / body.mass) <= FAR * body.model.size && hasRoom(state, body)) return true
  x.set(before, from)
  return false
}

/** How far the points x[from..to] reach against the unit `way` [m]. */
function lowest(x: Float64Array, from: number, to: number, way: Float64Array): number {
  let low = Number.POSITIVE_INFINITY
  for (let p = from; p < to; p += 3) low = Math.min(low, x[p]! * way[0]! + x[p + 1]! * way[1]! + x[p + 2]! * way[2]!)
  return low
}

/** True where a body is in no collider, and its box in no other body's. */
function hasRoom(state: State, body: BodyRecord): boolean {
  const { bodies, colliders, positions: x } = state
  const mine = new Float64Array(6)
  const box = new Float64Array(6)
  boundsOf(body, state, mine)
  for (const other of bodies.live) {
    if (other === body || !pushEachOther(body.settings, other.settings)) continue
    boundsOf(other, state, box)
    if ([0, 1, 2].every((d) => mine[d]! < box[3 + d]! && box[d]! < mine[3 + d]!)) return false
  }
  for (const collider of colliders.live) {
    if (!pushEachOther(body.settings, collider)) continue
    for (let p = 3 * body.start; p < 3 * (body.start + body.model.particleCount); p += 3) {
      if (distanceTo(collider, [x[p]!, x[p + 1]!, x[p + 2]!]) < -DEEP * body.model.size) return false
    }
  }
  return true
}

/** True where a particle's speed is no longer that of its way in this step. */
function trembles(
  { positions: x, stepStart, velocities: v }: State,
  { start, model }: BodyRecord,
  timeStep: Float64Array,
): boolean {
  const end = 3 * (start + model.particleCount)
  let most = 0
  for (let p = 3 * start; p < end; p += 3) {
    const dx = v[p]! - (x[p]! - stepStart[p]!) / timeStep[0]!
    const dy = v[p + 1]! - (x[p + 1]! - stepStart[p + 1]!) / timeStep[0]!
    const dz = v[p + 2]! - (x[p + 2]! - stepStart[p + 2]!) / timeStep[0]!
    most = Math.max(most, dx * dx + dy * dy + dz * dz)
  }
  return most > TREMBLE * TREMBLE
}

/** True where the centre of mass has hardly moved in this step. */
function stays({ positions: x, stepStart, masses }: State, body: BodyRecord, timeStep: Float64Array): boolean {
  const end = 3 * (body.start + body.model.particleCount)
  let ux = 0
  let uy = 0
  let uz = 0
  for (let p = 3 * body.start; p < end; p += 3) {
    const m = masses[p / 3]!
    ux += m * (x[p]! - stepStart[p]!)
    uy += m * (x[p + 1]! - stepStart[p + 1]!)
    uz += m * (x[p + 2]! - stepStart[p + 2]!)
  }
  return Math.sqrt(ux * ux + uy * uy + uz * uz) < STAYS * body.mass * timeStep[0]!
}

/** True where a pin, an attachment or a joint holds a body. */
function isHeld(state: State, body: BodyRecord): boolean {
  if (isLed(state, body)) return true
  for (let i = body.start; i < body.start + body.model.particleCount; i++) if (state.inverseMasses[i] === 0) return true
  return false
}

/** True where tetrahedra tie all particles of a body together. */
function isWhole({ model: { tets, particleCount } }: BodyRecord): boolean {
  const pieces = new Groups(particleCount)
  for (let corner = 0; corner < tets.length; corner++) pieces.join(tets[corner & ~3]!, tets[corner]!)
  return pieces.count() === 1
}

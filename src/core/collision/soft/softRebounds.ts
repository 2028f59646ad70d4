import { dampShape, wobbleEnergy } from '../../damping.js'
import { forgetHits, HIT, HITS, placeOfHit } from '../../hit.js'
import { joins } from '../../jointRecord.js'
import type { BodyRecord } from '../../records.js'
import type { Spin } from '../../spin.js'
import type { State } from '../../state.js'
import { addMotion, center, cross, findTurning, inverse, multiply, spin } from '../../turning.js'
import type { Vec3 } from '../../vectors.js'
import type { WorldSettings } from '../../worldSettings.js'
import { TOUCH, type Touches } from '../touches.js'
import type { Grounds, SoftGroups } from './softGroups.js'
import type { Surfaces } from './surfaces.js'
import { measureWhole, velocity, yielding } from './wholes.js'

const { SLOT, GENERATION, TIME, TOUCHED, TOUCHES, PHASE, VELOCITY, ENERGY, WEIGHT, NORMAL, POINT, WHEN } = HIT
const END = HITS * HIT.SIZE

/** How long a blow answers for what springs off [s]. */
const MEMORY = 0.5
/** What a blow is doing: the two are being stopped, have gone apart, or have been given something for that. */
const STOPS = 0
const PARTED = 1
const PAID = 2

/** Of the hit in hand: the normal, which points to the body that remembers it, and the point [m]. */
const n = new Float64Array(3)
const point = new Float64Array(3)
/** Of the body measured last: velocity of its rigid motion at the point [m/s], what an impulse of 1 N s along n adds [1/kg]. */
const moving = new Float64Array(3)
const yields = new Float64Array(1)
/** That velocity, of the other one [m/s]. */
const velocities = new Float64Array(3)
/** Of both: speed along n [m/s], that yielding, and the share of it along which the ground does not bear it. */
const speeds = new Float64Array(2)
const mobilities = new Float64Array(2)
const free = new Float64Array(2)
/** What both have lost since they met [J], and the impulse that they are given [N s]. */
const lost = new Float64Array(1)
const given = new Float64Array(1)
const arm = new Float64Array(3)
const turn = new Float64Array(3)
const motion = new Float64Array(6)
/** Wobble of one [J], and the share of it that is taken. */
const wobble = new Float64Array(1)
const share = new Float64Array(1)
const noAnchors = { count: 0, points: new Float64Array(0) }

/**
 * Restitution of two solids. How fast they part is up to what their shapes store and lose, whatever their particles do in
 * the contact. So it is judged by their rigid motions at the point where they meet: their velocity there is noted when they
 * begin to touch, and when they have parted, an impulse there sets the speed along the normal to restitution times that of
 * the approach, by rigid motions, which spares their wobble and keeps momentum and spin. What it gives comes out of the
 * wobble.
 */
export class SoftRebounds {
  /** True where any body remembers another. */
  private any = false
  private colliders: Grounds | undefined
  private touches: Touches | undefined

  constructor(
    private readonly surfaces: Surfaces,
    private readonly groups: SoftGroups,
  ) {}

  /** Contacts of a substep are solved: `colliders` know whom they push, `touches` are to be told what is given. */
  begin(state: State, colliders: Grounds, touches: Touches): void {
    this.colliders = colliders
    this.touches = touches
    const { live } = state.bodies
    this.any = false
    for (let b = 0; b < live.length; b++) {
      const { hits } = live[b]!
      for (let i = 0; i < END; i += HIT.SIZE) {
        if (hits[i + SLOT] === 0) continue
        this.any = true
        hits[i + TOUCHES] = 0
      }
    }
  }

  /** Notes `touch`, by which live bodies a and b push each other; its normal points to a. */
  note({ bodies }: State, a: number, b: number, touch: Float64Array): void {
    const { whole } = this.surfaces
    if (whole[a] === 0 || whole[b] === 0) return
    const inOrder = bodies.live[a]!.slot < bodies.live[b]!.slot
    const { hits } = bodies.live[inOrder ? a : b]!
    const i = placeOfHit(hits, bodies.live[inOrder ? b : a]!)
    if (i < 0) return
    this.any = true
    if (hits[i + TOUCHED] === 0 && hits[i + TOUCHES] === 0 && hits[i + TIME] === 0)
      hits.fill(0, i + WEIGHT, i + HIT.SIZE)
    hits[i + TOUCHES] = 1
    const impulse = touch[TOUCH.IMPULSE]!
    const along = inOrder ? impulse : -impulse
    hits[i + WEIGHT] = hits[i + WEIGHT]! + impulse
    hits[i + WHEN] = hits[i + WHEN]! + impulse * hits[i + TIME]!
    for (let d = 0; d < 3; d++) {
      hits[i + NORMAL + d] = hits[i + NORMAL + d]! + along * touch[TOUCH.NORMAL + d]!
      hits[i + POINT + d] = hits[i + POINT + d]! + impulse * touch[TOUCH.POINT + d]!
    }
  }

  /** All touches of a substep are noted, velocities are still those before: notes how those come that begin to touch. */
  meet(state: State, { gravity: g, timeStep }: Readonly<WorldSettings>): void {
    if (!this.any) return
    const { live } = state.bodies
    // What rests gains as much in a step of falling.
    const slowest = Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * timeStep
    for (let b = 0; b < live.length; b++) {
      const { hits } = live[b]!
      for (let i = 0; i < END; i += HIT.SIZE) {
        if (hits[i + TOUCHES] === 0 || hits[i + TOUCHED] === 1) continue
        const o = indexOf(state, hits, i)
        if (o < 0 || !aim(hits, i)) continue
        for (let d = 0; d < 3; d++) point[d] = hits[i + POINT + d]! / hits[i + WEIGHT]!
        measure(state, live[o]!, 1)
        velocities.set(moving)
        measure(state, live[b]!, 0)
        const approach = speeds[1]! - speeds[0]!
        if (!(approach > slowest)) continue
        // What meets at one corner after the other has one blow.
        if (hits[i + TIME]! > 0 && hits[i + PHASE] === STOPS && approach <= approachOf(hits, i)) continue
        if (hits[i + TIME]! > 0) hits.fill(0, i + WEIGHT, i + HIT.SIZE) // a new blow
        forgetHits(state, live[b]!)
        forgetHits(state, live[o]!)
        for (let d = 0; d < 3; d++) hits[i + VELOCITY + d] = moving[d]! - velocities[d]!
        hits[i + ENERGY] = energyOf(state, live[b]!, g) + energyOf(state, live[o]!, g)
        hits[i + TIME] = MEMORY
        hits[i + PHASE] = STOPS
        hits[i + WHEN] = MEMORY * hits[i + WEIGHT]!
      }
    }
  }

  /** Velocities being known: judges those that have parted. `spins` is not to restore what that changes. */
  part(state: State, { gravity }: Readonly<WorldSettings>, h: Float64Array, spins: Spin): void {
    if (!this.any) return
    const { live } = state.bodies
    for (let b = 0; b < live.length; b++) {
      const { hits } = live[b]!
      for (let i = 0; i < END; i += HIT.SIZE) {
        if (hits[i + SLOT] === 0) continue
        const leaves = hits[i + TOUCHED] === 1 && hits[i + TOUCHES] === 0
        hits[i + TOUCHED] = hits[i + TOUCHES]!
        hits[i + TIME] = Math.max(0, hits[i + TIME]! - h[0]!)
        if (hits[i + TIME] === 0) {
          if (hits[i + TOUCHES] === 0) hits.fill(0, i, i + HIT.SIZE)
          continue
        }
        if (leaves) this.judge(state, gravity, b, i, spins)
        else if (hits[i + PHASE] === PAID) this.keepEnergy(state, gravity, b, i)
      }
    }
  }

  private judge(state: State, gravity: Vec3, b: number, i: number, spins: Spin): void {
    const { live } = state.bodies
    const body = live[b]!
    const { hits } = body
    const o = indexOf(state, hits, i)
    if (o < 0 || !aim(hits, i)) return
    const other = live[o]!
    if (isLed(state, body) || isLed(state, other)) return
    // What lies on the ground gives way along it alone.
    const upright = alongGravity(gravity)
    free[0] = this.isBorne(b) ? 1 - upright : 1
    free[1] = this.isBorne(o) ? 1 - upright : 1
    locate(state, hits, i, body, other)
    measure(state, body, 0)
    measure(state, other, 1)
    lost[0] = Math.max(0, hits[i + ENERGY]! - energyOf(state, body, gravity) - energyOf(state, other, gravity))
    rebound(state, hits, i, body, other)
    spins.forget(b)
    spins.forget(o)
    const { touch } = this.touches!
    for (let d = 0; d < 3; d++) touch[TOUCH.WHOLE + d] = given[0]! * n[d]!
    this.touches!.addToBodies(b, o)
  }

  /** What was still stored as strain when they were given something turns into wobble, and had counted as lost. */
  private keepEnergy(state: State, gravity: Vec3, b: number, i: number): void {
    const body = state.bodies.live[b]!
    const o = indexOf(state, body.hits, i)
    if (o < 0) return
    const other = state.bodies.live[o]!
    lost[0] = body.hits[i + ENERGY]! - energyOf(state, body, gravity) - energyOf(state, other, gravity)
    if (lost[0] < 0) pay(state, body, other, 0, 0, 0)
  }

  private isBorne(b: number): boolean {
    return this.colliders!.touches(b) || this.groups.isGrounded(b)
  }
}

/** Sets the speed at which the two of hit `i` part, by the impulse `given`. */
function rebound(state: State, hits: Float64Array, i: number, body: BodyRecord, other: BodyRecord): void {
  given[0] = 0
  const yielding = free[0]! * mobilities[0]! + free[1]! * mobilities[1]!
  const apart = speeds[0]! - speeds[1]!
  if (!(yielding > 0) || !(apart > 0)) return
  const e = Math.max(body.settings.restitution, other.settings.restitution)
  let J = (e * Math.max(0, approachOf(hits, i)) - apart) / yielding
  // An impulse J changes the energy of both by a J + b J^2 / 2.
  const a = free[0]! * speeds[0]! - free[1]! * speeds[1]!
  const b = free[0]! * free[0]! * mobilities[0]! + free[1]! * free[1]! * mobilities[1]!
  hits[i + PHASE] = J > 0 ? PAID : PARTED
  if (J < 0) J = Math.max(J, Math.min(0, -a / b))
  else J = pay(state, body, other, J, a, b)
  given[0] = J
  push(state, body, J * free[0]!)
  push(state, other, -J * free[1]!)
}

/**
 * Pays for the impulse J: by what the two have lost since they met, then out of their wobble. Returns J, or as much of it
 * as there is energy for.
 */
function pay(state: State, body: BodyRecord, other: BodyRecord, J: number, a: number, b: number): number {
  const cost = a * J + 0.5 * b * J * J - lost[0]!
  if (!(cost > 0)) return J
  wobbleEnergy(state, body, wobble)
  const own = wobble[0]!
  wobbleEnergy(state, other, wobble)
  const there = own + wobble[0]!
  if (there > 0) {
    share[0] = 1 - Math.sqrt(1 - Math.min(1, cost / there))
    dampShape(state, body, share, noAnchors)
    dampShape(state, other, share, noAnchors)
  }
  return cost <= there ? J : (Math.sqrt(a * a + 2 * b * (there + lost[0]!)) - a) / b
}

/** What a body has by its motion and its height [J]. */
function energyOf({ positions: x, velocities: v, masses }: State, body: BodyRecord, g: Vec3): number {
  const { gravityScale } = body.settings
  let sum = 0
  for (let i = body.start; i < body.start + body.model.particleCount; i++) {
    const p = i * 3
    let one = 0
    for (let d = 0; d < 3; d++) one += v[p + d]! * (0.5 * v[p + d]!) - g[d]! * gravityScale * x[p + d]!
    sum += masses[i]! * one
  }
  return sum
}

/** Finds how a body moves and yields at `point`, as if it were rigid; its speed along n and that are number k. */
function measure(state: State, body: BodyRecord, k: number): void {
  measureWhole(state, body)
  yields[0] = yielding[0]!
  moving.set(velocity)
  if (yielding[0] !== 0 && findTurning(state, body)) {
    for (let d = 0; d < 3; d++) arm[d] = point[d]! - center[d]!
    cross(spin, arm, turn)
    for (let d = 0; d < 3; d++) moving[d] = moving[d]! + turn[d]!
    cross(arm, n, turn)
    multiply(inverse, turn, motion)
    yields[0] += turn[0]! * motion[0]! + turn[1]! * motion[1]! + turn[2]! * motion[2]!
  }
  speeds[k] = moving[0]! * n[0]! + moving[1]! * n[1]! + moving[2]! * n[2]!
  mobilities[k] = yields[0]!
}

/** Gives a body an impulse of J [N s] along n at `point`, as if it were rigid. */
function push(state: State, body: BodyRecord, J: number): void {
  measureWhole(state, body)
  if (J === 0 || yielding[0] === 0 || !findTurning(state, body)) return
  for (let d = 0; d < 3; d++) arm[d] = point[d]! - center[d]!
  cross(arm, n, turn)
  multiply(inverse, turn, motion)
  for (let d = 0; d < 3; d++) {
    motion[d] = J * motion[d]!
    motion[3 + d] = (J * n[d]!) / body.mass
  }
  addMotion(state, body, motion)
}

/** Where a hit was on the whole, moved on with the centre of both: they are not where they were then. */
function locate(state: State, hits: Float64Array, i: number, body: BodyRecord, other: BodyRecord): void {
  const since = hits[i + WHEN]! / hits[i + WEIGHT]! - hits[i + TIME]!
  const mass = body.mass + other.mass
  for (let d = 0; d < 3; d++) point[d] = hits[i + POINT + d]! / hits[i + WEIGHT]!
  measureWhole(state, body)
  for (let d = 0; d < 3; d++) point[d] = point[d]! + (since * body.mass * velocity[d]!) / mass
  measureWhole(state, other)
  for (let d = 0; d < 3; d++) point[d] = point[d]! + (since * other.mass * velocity[d]!) / mass
}

/** Speed at which the two of a hit came together, along n [m/s]. */
function approachOf(hits: Float64Array, i: number): number {
  return -(hits[i + VELOCITY]! * n[0]! + hits[i + VELOCITY + 1]! * n[1]! + hits[i + VELOCITY + 2]! * n[2]!)
}

/** Square of the cosine of n to gravity. */
function alongGravity(g: Vec3): number {
  const square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2]
  const along = g[0] * n[0]! + g[1] * n[1]! + g[2] * n[2]!
  return square === 0 ? 0 : (along * along) / square
}

/** Finds the normal of a hit; false where the two are squeezed. */
function aim(hits: Float64Array, i: number): boolean {
  const x = hits[i + NORMAL]!
  const y = hits[i + NORMAL + 1]!
  const z = hits[i + NORMAL + 2]!
  const size = Math.sqrt(x * x + y * y + z * z)
  if (!(size > 0)) return false
  n[0] = x / size
  n[1] = y / size
  n[2] = z / size
  return true
}

/** Index among the live bodies of the one that a hit tells of, -1 where it is gone. */
function indexOf({ bodies }: State, hits: Float64Array, i: number): number {
  for (let b = 0; b < bodies.live.length; b++) {
    const { slot, generation } = bodies.live[b]!
    if (slot + 1 === hits[i + SLOT] && generation === hits[i + GENERATION]) return b
  }
  return -1
}

/** True where an attachment or a joint leads the body. */
function isLed({ attachments, joints }: State, record: BodyRecord): boolean {
  const { slot, generation } = record
  for (let a = 0; a < attachments.live.length; a++) {
    const { body } = attachments.live[a]!
    if (body.slot === slot && body.generation === generation) return true
  }
  for (let j = 0; j < joints.live.length; j++) if (joins(joints.live[j]!, record)) return true
  return false
}

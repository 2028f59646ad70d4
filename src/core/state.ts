import { Arena, grown } from './arena.js'
import { type AttractorRecord, aimAttractor } from './attractor.js'
import type { CollisionGroups } from './collision/groups.js'
import type { ColliderShape } from './collision/shape.js'
import { ContactPairs } from './contactPairs.js'
import { IMPACT, IMPACTS } from './impact.js'
import { type Frame, isSame, type JointRecord } from './jointRecord.js'
import { interpolateQuaternions, normalized } from './math/quaternion.js'
import { quaternionToMatrix } from './math/rotation.js'
import type { Model } from './model.js'
import type { BodySettings } from './settings.js'
import { type Handle, Slots } from './slots.js'
import { roomOf, type TearNote, withCopies } from './tear/takeOver.js'
import { unflowed } from './unflowed.js'
import type { Quat, Vec3 } from './vectors.js'
import type { WindRecord } from './wind.js'

/** A body's part of the state: where its particles are, and what is set. */
export interface BodyRecord extends Handle {
  /** Another one after each tear. */
  model: Model
  settings: BodySettings
  /** First particle; the body's particles are start..start + model.particleCount. */
  start: number
  /** Slots from there on that are the body's. */
  room: number
  /** First rotation slot of each of the model's sets that keeps rotations, by set; -1 for the others. */
  readonly rotationStarts: readonly number[]
  readonly rotationStart: number
  readonly rotationCount: number
  /** [kg] */
  mass: number
  /** Steps in which its pins get to their goals, as for a collider. */
  sweep: number
  /** Nothing moves it: it is left out of a step, and what touches it meets it as fixed. */
  asleep: boolean
  /** What listeners have been told of that; no part of the state. */
  toldAsleep: boolean
  /** See `SLEEP`. */
  readonly sleep: Float64Array
  /** Its last impacts on colliders, see `IMPACT`. */
  readonly impacts: Float64Array
  /** What is known of the rescue of an inverted body, see `RESCUE`. */
  readonly rescue: Float64Array
  /**
   * Inverse plastic deformation of each tetrahedron, see `PlasticFlow`, and the shape as a whole, see `followShape`
   * [9 t + 3 n]; empty where nothing could have flowed.
   */
  plastic: Float64Array
  /** Acceleration by attractors at its centre of mass in the last step [m/s^2]; found anew each step. */
  readonly pull: Float64Array
  /** The guards that have acted in the last step, bits of `UNSTABLE`; no part of the state. */
  unstable: number
  /** What its listeners have not been told of its tears. */
  readonly tear: TearNote
}

/**
 * `BodyRecord.rescue`, as numbers in a row: a warm start, the rate of the last pull [rad/s], 0 for none, 1 where the
 * body touched a collider in the last step of the pull, and for how long still it counts as lost [s], 0 where it does not.
 */
export const RESCUE = { ROTATION: 0, RATE: 4, TOUCHED: 5, LOST: 6, SIZE: 7 } as const

/**
 * `BodyRecord.sleep`, as numbers in a row: for how long nothing has moved on it [s], 0 where that is not known; where its
 * centre of mass was then [m]; while it sleeps the box that holds it and its thickness [m], least x, y, z, then largest; its
 * thickness, since to read a number that may be absent allocates; 1 where a calm body is pinned somewhere; 1 where it lies
 * on something; 1 where it has moved since, by no more than what lies may.
 */
export const SLEEP = { CALM: 0, CENTER: 1, BOX: 4, THICKNESS: 10, PINNED: 11, LIES: 12, STIRRED: 13, SIZE: 14 } as const

/** Bits of `BodyRecord.unstable`. */
export const UNSTABLE = { INVERTED: 1, NON_FINITE: 2, SPEED: 4, CONTACT: 8 } as const

export interface ColliderRecord extends Handle {
  shape: ColliderShape
  friction: number | undefined
  restitution: number | undefined
  collisionGroups: CollisionGroups
  sensor: boolean
  /** True where the coming or last step moves it; no part of the state. */
  moved: boolean
  /** At which its surface carries along what rubs on it, in its own frame [m/s]. */
  surfaceVelocity: Vec3
  /** Pose at the start of the next step: position x, y, z [m], then quaternion x, y, z, w. */
  readonly pose: Float64Array
  /** Pose at the end of the next step. */
  readonly target: Float64Array
  /** Pose it was asked to take. */
  readonly goal: Float64Array
  /** Steps in which to get there; 0 until the next frame says how many it has. */
  sweep: number
}

export interface AttachmentRecord extends Handle {
  readonly body: Handle
  /** The held point is sum weights[k] x[particles[k]]; particles in the body's own numbers. */
  readonly particles: Uint32Array
  readonly weights: Float64Array
  /** [m/N] 0 is rigid */
  readonly compliance: number
  /** [N s/m] against the target's motion */
  readonly damping: number
  /** [N] */
  readonly maxForce: number
  /** Target at the start of the next step [m]. */
  readonly from: Float64Array
  /** Target at the end of the next step [m]. */
  readonly target: Float64Array
  /** Target it was asked to have [m], and the steps in which to get there, as for a collider. */
  readonly goal: Float64Array
  sweep: number
  /** Mean force on the body over the last step [N]. */
  readonly force: Float64Array
}

/**
 * All that survives a substep. Columns are indexed by particle; a live particle never moves to another index, but for a
 * body that needs more room, which moves as a whole between steps.
 */
export class State {
  /** [3 n] m */
  positions = new Float64Array(0)
  /** [3 n] m, at the start of the substep */
  previous = new Float64Array(0)
  /** [3 n] m, at the start of the step: what a frame interpolates from */
  stepStart = new Float64Array(0)
  /** [3 n] m/s */
  velocities = new Float64Array(0)
  /** [n] 1/kg, 0 is pinned */
  inverseMasses = new Float64Array(0)
  /** [n] kg */
  masses = new Float64Array(0)
  /** [3 n] N, over the next step */
  forces = new Float64Array(0)
  /** [3 n] m, where a pinned particle is at the end of the next step */
  targets = new Float64Array(0)
  /** [3 n] m, where a pinned particle was asked to go */
  goals = new Float64Array(0)
  /** [3 n] m, where a particle was when something last moved on its body */
  anchors = new Float64Array(0)
  /** [4 m] warm starts of rotations, unit quaternions */
  rotations = new Float64Array(0)

  readonly bodies = new Slots<BodyRecord>()
  readonly colliders = new Slots<ColliderRecord>()
  readonly attachments = new Slots<AttachmentRecord>()
  readonly contacts = new ContactPairs()
  readonly joints = new Slots<JointRecord>()
  /** Counts what has moved particles: what was derived from their positions before is stale. */
  moves = 0
  readonly winds = new Slots<WindRecord>()
  readonly attractors = new Slots<AttractorRecord>()
  /** Counts what a backend must bake again: which bodies there are, their masses, pins and stiffness. */
  version = 0
  /** Counts tears: models have changed in who hangs on whom, and where `version` has not, rows are where they were. */
  tears = 0
  /** Particles that tears and cuts have split off, in all. */
  splits = 0

  private readonly particleArena = new Arena()
  private readonly rotationArena = new Arena()

  private readonly growParticles = (capacity: number): void => {
    this.positions = grown(this.positions, capacity * 3)
    this.previous = grown(this.previous, capacity * 3)
    this.stepStart = grown(this.stepStart, capacity * 3)
    this.velocities = grown(this.velocities, capacity * 3)
    this.forces = grown(this.forces, capacity * 3)
    this.targets = grown(this.targets, capacity * 3)
    this.goals = grown(this.goals, capacity * 3)
    this.anchors = grown(this.anchors, capacity * 3)
    this.inverseMasses = grown(this.inverseMasses, capacity)
    this.masses = grown(this.masses, capacity)
  }

  private readonly growRotations = (capacity: number): void => {
    this.rotations = grown(this.rotations, capacity * 4)
  }

  addBody(model: Model, settings: BodySettings): BodyRecord {
    const room = roomOf(model, settings)
    const start = this.particleArena.take(room, this.growParticles)
    const starts: number[] = []
    let rotationCount = 0
    for (const set of model.sets) {
      starts.push(set.kind.contract === 'goal' ? rotationCount : -1)
      if (set.kind.contract === 'goal') rotationCount += set.count
    }
    const rotationStart = rotationCount > 0 ? this.rotationArena.take(rotationCount, this.growRotations) : 0
    const rotationStarts = starts.map((s) => (s < 0 ? s : s + rotationStart))
    const body = this.bodies.add((slot, generation) => ({
      slot,
      generation,
      model,
      settings,
      start,
      room,
      rotationStarts,
      rotationStart,
      rotationCount,
      mass: 0,
      sweep: 1,
      asleep: false,
      toldAsleep: false,
      sleep: new Float64Array(SLEEP.SIZE),
      impacts: new Float64Array(IMPACTS * IMPACT.SIZE),
      rescue: new Float64Array(RESCUE.SIZE),
      plastic: new Float64Array(0),
      pull: new Float64Array(3),
      unstable: 0,
      tear: { count: 0, particle: 0, point: new Float64Array(3) },
    }))
    writeTwice(body)
    this.inverseMasses.fill(1, start, start + model.particleCount)
    this.setMass(body)
    this.place(body, settings.position, settings.rotation)
    return body
  }

  removeBody(handle: Handle): void {
    const body = this.bodies.remove(handle)
    if (!body) return
    for (const attachment of this.attachments.live) {
      if (attachment.body.slot === handle.slot && attachment.body.generation === handle.generation) {
        this.attachments.remove(attachment)
      }
    }
    for (const joint of this.joints.live) {
      if (isSame(joint.body, handle) || (joint.other && isSame(joint.other, handle))) this.joints.remove(joint)
    }
    this.forces.fill(0, body.start * 3, (body.start + body.room) * 3)
    this.particleArena.give(body.start, body.room)
    this.rotationArena.give(body.rotationStart, body.rotationCount)
    this.version++
  }

  /** Gives a body at least `room` slots: one that has fewer moves to others. */
  reserve(body: BodyRecord, room: number): void {
    if (room <= body.room) return
    const start = this.particleArena.take(room, this.growParticles)
    const { start: from, model } = body
    for (let i = 0; i < model.particleCount; i++) this.copyParticle(from + i, start + i)
    this.forces.fill(0, from * 3, (from + body.room) * 3)
    this.particleArena.give(from, body.room)
    body.start = start
    body.room = room
    this.version++
  }

  /** Gives the particle in one slot what the one in another has. */
  copyParticle(from: number, to: number): void {
    const { positions, previous, stepStart, velocities, forces, targets, goals, anchors } = this
    for (const column of [positions, previous, stepStart, velocities, forces, targets, goals, anchors]) {
      for (let d = 0; d < 3; d++) column[to * 3 + d] = column[from * 3 + d]!
    }
    this.inverseMasses[to] = this.inverseMasses[from]!
    this.masses[to] = this.masses[from]!
  }

  removeCollider(handle: Handle): void {
    if (!this.colliders.remove(handle)) return
    for (const joint of this.joints.live) {
      if (joint.collider && isSame(joint.collider, handle)) this.joints.remove(joint)
    }
  }

  /** Masses from the body's settings; pinned particles stay pinned. */
  setMass(body: BodyRecord): void {
    this.reserve(body, roomOf(body.model, body.settings))
    const { model, settings, start } = body
    body.sleep[SLEEP.THICKNESS] = settings.thickness ?? model.thickness
    if (settings.plasticity !== false && body.plastic.length === 0) body.plastic = unflowed(model)
    body.mass = settings.mass ?? (settings.density ?? model.density) * model.measure
    for (let i = 0; i < model.particleCount; i++) {
      const mass = body.mass * model.massShares[i]!
      this.masses[start + i] = mass
      if (this.inverseMasses[start + i] !== 0) this.inverseMasses[start + i] = 1 / mass
    }
    this.version++
  }

  /** Puts a body's rest shape at a pose, at rest; pins go along. */
  place(body: BodyRecord, position: Vec3, rotation: Quat): void {
    const { model, start } = body
    this.moves++
    const q = Float64Array.from(normalized(rotation))
    const R = new Float64Array(9)
    quaternionToMatrix(q, 0, R)
    const rest = model.positions
    for (let i = 0; i < model.particleCount; i++) {
      const [x, y, z] = [rest[i * 3]!, rest[i * 3 + 1]!, rest[i * 3 + 2]!]
      const p = (start + i) * 3
      for (let d = 0; d < 3; d++) {
        this.positions[p + d] = position[d]! + R[d * 3]! * x + R[d * 3 + 1]! * y + R[d * 3 + 2]! * z
      }
    }
    const [from, to] = [start * 3, (start + model.particleCount) * 3]
    for (let k = from; k < to; k++) {
      const x = this.positions[k]!
      this.previous[k] = x
      this.stepStart[k] = x
      this.targets[k] = x
      this.goals[k] = x
    }
    this.velocities.fill(0, from, to)
    this.forces.fill(0, from, to)
    body.asleep = false
    body.sleep[SLEEP.CALM] = 0
    body.impacts.fill(0)
    if (body.plastic.length > 0) {
      body.plastic.set(unflowed(model))
      this.version++ // its rows' rest values
    }
    body.rescue.fill(0)
    body.rescue.set(q, RESCUE.ROTATION)
    for (let k = 0; k < body.rotationCount; k++) this.rotations.set(q, (body.rotationStart + k) * 4)
  }

  /** Spreads what was asked for since the last frame over `steps` steps. */
  spread(steps: number): void {
    for (const record of this.colliders.live) if (record.sweep === 0) record.sweep = steps
    for (const record of this.attachments.live) if (record.sweep === 0) record.sweep = steps
    for (const { frame } of this.joints.live) if (frame?.sweep === 0) frame.sweep = steps
    for (const record of this.bodies.live) if (record.sweep === 0) record.sweep = steps
    for (const record of this.attractors.live) if (record.sweep === 0) record.sweep = steps
  }

  /** Sets the targets of the next step: an even part of the way to each goal. */
  aim(): void {
    for (const record of this.colliders.live) aimFrame(record)
    for (const { frame, collider } of this.joints.live) if (frame && !collider) aimFrame(frame)
    for (const record of this.attachments.live) {
      const t = 1 / nextSweep(record)
      for (let d = 0; d < 3; d++) record.target[d] = along(record.from[d]!, record.goal[d]!, t)
    }
    for (const record of this.attractors.live) aimAttractor(record)
    const { positions: x, targets, goals, inverseMasses: w } = this
    for (const record of this.bodies.live) {
      if (record.asleep) continue // its pins stand where they shall
      const t = 1 / nextSweep(record)
      for (let i = record.start; i < record.start + record.model.particleCount; i++) {
        if (w[i] !== 0) continue
        for (let p = i * 3; p < i * 3 + 3; p++) targets[p] = along(x[p]!, goals[p]!, t)
      }
    }
  }

  pin(body: BodyRecord, particles: ArrayLike<number>): void {
    for (let k = 0; k < particles.length; k++) {
      const p = body.start + particles[k]!
      this.inverseMasses[p] = 0
      for (let d = p * 3; d < p * 3 + 3; d++) {
        this.targets[d] = this.positions[d]!
        this.goals[d] = this.positions[d]!
        this.velocities[d] = 0
      }
    }
    this.version++
  }

  /** Lets particles go, and what has been split off from them. */
  unpin(body: BodyRecord, particles: ArrayLike<number>): void {
    const all = withCopies(body.model, particles)
    for (let k = 0; k < all.length; k++) {
      const p = body.start + all[k]!
      this.inverseMasses[p] = 1 / this.masses[p]!
    }
    this.version++
  }
}

const from = new Float64Array(4)
const to = new Float64Array(4)

function aimFrame(record: Frame): void {
  const t = 1 / nextSweep(record)
  for (let d = 0; d < 3; d++) record.target[d] = along(record.pose[d]!, record.goal[d]!, t)
  if (t === 1) for (let k = 3; k < 7; k++) record.target[k] = record.goal[k]!
  else {
    for (let k = 0; k < 4; k++) {
      from[k] = record.pose[3 + k]!
      to[k] = record.goal[3 + k]!
    }
    interpolateQuaternions(from, to, t, to)
    for (let k = 0; k < 4; k++) record.target[3 + k] = to[k]!
  }
}

/** Steps left in a sweep, counting this one. */
function nextSweep(record: { sweep: number }): number {
  const steps = Math.max(1, record.sweep)
  record.sweep = Math.max(1, steps - 1)
  return steps
}

function along(a: number, b: number, t: number): number {
  return t === 1 ? b : a + t * (b - a)
}

/**
 * Writes what may change later. A field that never has is compiled as a constant by V8, and its first change throws away
 * every loop that reads it, in one frame: when the first cloth tears, or the first body falls asleep.
 */
function writeTwice(body: BodyRecord): void {
  const { model, settings, start, room, asleep } = body
  body.model = { ...model }
  body.model = model
  body.settings = { ...settings }
  body.settings = settings
  body.start = -1
  body.start = start
  body.room = -1
  body.room = room
  body.asleep = !asleep
  body.asleep = asleep
}

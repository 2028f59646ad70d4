import { Arena, grown } from './arena.js'
import type { AttractorRecord } from './attractor.js'
import { type BodySettings, massOf } from './bodySettings.js'
import { ContactPairs } from './contactPairs.js'
import { forgetHits, HIT, HITS } from './hit.js'
import { IMPACT, IMPACTS } from './impact.js'
import { isSame, type JointRecord } from './jointRecord.js'
import { normalized } from './math/quaternion.js'
import { quaternionToMatrix } from './math/rotation.js'
import type { Model } from './model.js'
import {
  type AttachmentRecord,
  type BodyRecord,
  type ColliderRecord,
  INFLATION,
  PARTING,
  PARTINGS,
  RESCUE,
  ROLL,
  SLEEP,
} from './records.js'
import { endSettling } from './settling.js'
import { type Handle, Slots } from './slots.js'
import { roomOf, withCopies } from './tear/takeOver.js'
import { unflowed } from './unflowed.js'
import type { Quat, Vec3 } from './vectors.js'
import type { WindRecord } from './wind.js'

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
  /** Counts changes of joints' settings. */
  jointChanges = 0
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
      hits: new Float64Array(HITS * HIT.SIZE),
      roll: new Float64Array(ROLL.SIZE),
      rescue: new Float64Array(RESCUE.SIZE),
      inflation: new Float64Array(INFLATION.SIZE),
      placed: true,
      wound: false,
      folds: new Float64Array(0),
      partings: new Float64Array(PARTINGS * PARTING.SIZE),
      plastic: new Float64Array(0),
      settling: new Float64Array(0),
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
    body.mass = massOf(model, settings)
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
    forgetHits(this, body)
    body.roll.fill(0)
    body.placed = true
    body.wound = false
    body.folds.fill(-1)
    body.partings.fill(0)
    if (body.plastic.length > 0) {
      body.plastic.set(unflowed(model))
      this.version++ // its rows' rest values
    }
    body.inflation[INFLATION.RATIO] = 1
    body.inflation[INFLATION.LEFT] = 0
    body.rescue.fill(0)
    endSettling(body)
    body.rescue.set(q, RESCUE.ROTATION)
    for (let k = 0; k < body.rotationCount; k++) this.rotations.set(q, (body.rotationStart + k) * 4)
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

/**
 * Writes what may change later. A field that never has is compiled as a constant by V8, and its first change throws away
 * every loop that reads it, in one frame: when the first cloth tears, or the first body falls asleep.
 */
function writeTwice(body: BodyRecord): void {
  const { model, settings, start, room, asleep, placed, wound } = body
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
  body.placed = !placed
  body.placed = placed
  body.wound = !wound
  body.wound = wound
}

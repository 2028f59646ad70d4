import type { AttractorSettings } from './attractor.js'
import type { BodySettings } from './bodySettings.js'
import type { CollisionGroups } from './collision/groups.js'
import type { ColliderShape } from './collision/shape.js'
import { isSolid } from './contactPair.js'
import type { JointRecord } from './jointRecord.js'
import type { Model } from './model.js'
import { type BodyRecord, UNSTABLE } from './records.js'
import { wakeReturned } from './sleep/wakeReturned.js'
import type { Handle } from './slots.js'
import type { State } from './state.js'
import { takeModel } from './tear/takeOver.js'
import type { Vec3 } from './vectors.js'
import type { WindSettings } from './wind.js'
import type { WorldSettings } from './worldSettings.js'

interface BodySnapshot extends Handle {
  /** As it was torn. */
  readonly model: Model
  readonly settings: BodySettings
  /** Positions, step starts, velocities, targets, goals, forces, anchors [3 n] each. */
  readonly vectors: readonly Float64Array[]
  readonly inverseMasses: Float64Array
  readonly rotations: Float64Array
  readonly asleep: boolean
  readonly sleep: Float64Array
  readonly impacts: Float64Array
  readonly hits: Float64Array
  readonly roll: Float64Array
  readonly rescue: Float64Array
  readonly inflation: Float64Array
  readonly placed: boolean
  readonly wound: boolean
  readonly folds: Float64Array
  readonly partings: Float64Array
  readonly plastic: Float64Array
  readonly settling: Float64Array
  readonly sweep: number
}

interface PoseSnapshot extends Handle {
  /** What a collider or attachment keeps between steps. */
  readonly poses: readonly Float64Array[]
  readonly sweep: number
}

interface AttachmentSnapshot extends PoseSnapshot {
  readonly body: Handle
  readonly particles: Uint32Array
}

interface ColliderSnapshot extends PoseSnapshot {
  readonly shape: ColliderShape
  readonly friction: number | undefined
  readonly restitution: number | undefined
  readonly collisionGroups: CollisionGroups
  readonly sensor: boolean
  readonly placed: boolean
  readonly surfaceVelocity: Vec3
}

interface PairSnapshot {
  readonly body: Handle
  readonly other: Handle
  readonly withCollider: boolean
  /** The two pushed each other. */
  readonly solid: boolean
  readonly numbers: Float64Array
}

type JointColumn = Float64Array | Uint8Array | Uint32Array

interface JointSnapshot extends Handle {
  readonly body: Handle
  readonly other: Handle | null
  /** See `columnsOf`. */
  readonly columns: readonly JointColumn[]
  readonly sweep: number
}

interface WindSnapshot extends Handle {
  readonly settings: WindSettings
  readonly drift: Float64Array
}

interface AttractorSnapshot extends Handle {
  readonly settings: AttractorSettings
  readonly from: Float64Array
  readonly target: Float64Array
  readonly goal: Float64Array
  readonly sweep: number
}

/** A copy of everything that the next step depends on. */
export interface Snapshot {
  /** Of the world: those that what sleeps went to sleep under. They are not restored. */
  readonly settings: Readonly<WorldSettings>
  readonly steps: number
  /** [s] */
  readonly time: number
  /** Time not yet stepped [s]. */
  readonly leftover: number
  readonly bodies: readonly BodySnapshot[]
  readonly colliders: readonly ColliderSnapshot[]
  readonly attachments: readonly AttachmentSnapshot[]
  readonly contacts: readonly PairSnapshot[]
  readonly joints: readonly JointSnapshot[]
  readonly winds: readonly WindSnapshot[]
  readonly attractors: readonly AttractorSnapshot[]
}

/** What a joint keeps between steps, and what is set of it. A collider's frame is the collider's. */
function columnsOf(joint: JointRecord): JointColumn[] {
  const { particles, otherParticles, rest, locals, parallels, settings, force, load, broken, frame, collider } = joint
  const poses = frame && !collider ? [frame.pose, frame.target, frame.goal] : []
  return [particles, otherParticles, rest, locals, parallels, settings, force, load, broken, ...poses]
}

const vectorsOf = (state: State) => [
  state.positions,
  state.stepStart,
  state.velocities,
  state.targets,
  state.goals,
  state.forces,
  state.anchors,
]

export function takeSnapshot(
  state: State,
  settings: Readonly<WorldSettings>,
  steps: number,
  time: number,
  leftover: number,
): Snapshot {
  return {
    settings,
    steps,
    time,
    leftover,
    bodies: state.bodies.live.map(
      ({
        slot,
        generation,
        settings,
        start,
        model,
        rotationStart,
        rotationCount,
        asleep,
        sleep,
        impacts,
        hits,
        roll,
        rescue,
        inflation,
        placed,
        wound,
        folds,
        partings,
        plastic,
        settling,
        sweep,
      }) => ({
        slot,
        generation,
        model,
        settings,
        vectors: vectorsOf(state).map((column) => column.slice(start * 3, (start + model.particleCount) * 3)),
        inverseMasses: state.inverseMasses.slice(start, start + model.particleCount),
        rotations: state.rotations.slice(rotationStart * 4, (rotationStart + rotationCount) * 4),
        asleep,
        sleep: sleep.slice(),
        impacts: impacts.slice(),
        hits: hits.slice(),
        roll: roll.slice(),
        rescue: rescue.slice(),
        inflation: inflation.slice(),
        placed,
        wound,
        folds: folds.slice(),
        partings: partings.slice(),
        plastic: plastic.slice(),
        settling: settling.slice(),
        sweep,
      }),
    ),
    colliders: state.colliders.live.map(
      ({
        slot,
        generation,
        shape,
        friction,
        restitution,
        collisionGroups,
        sensor,
        placed,
        surfaceVelocity,
        pose,
        target,
        goal,
        sweep,
      }) => ({
        slot,
        generation,
        shape,
        friction,
        restitution,
        collisionGroups,
        sensor,
        placed,
        surfaceVelocity,
        poses: [pose.slice(), target.slice(), goal.slice()],
        sweep,
      }),
    ),
    attachments: state.attachments.live.map(
      ({ slot, generation, body, particles, from, target, goal, force, sweep }) => ({
        slot,
        generation,
        body: handleOf(body),
        particles: particles.slice(),
        poses: [from.slice(), target.slice(), goal.slice(), force.slice()],
        sweep,
      }),
    ),
    contacts: state.contacts.active.map((pair) => ({
      body: handleOf(pair.body),
      other: handleOf(pair.other),
      withCollider: pair.withCollider,
      solid: isSolid(pair),
      numbers: pair.numbers.slice(),
    })),
    joints: state.joints.live.map((joint) => ({
      slot: joint.slot,
      generation: joint.generation,
      body: handleOf(joint.body),
      other: joint.other && handleOf(joint.other),
      columns: columnsOf(joint).map((column) => column.slice()),
      sweep: joint.frame?.sweep ?? 1,
    })),
    winds: state.winds.live.map(({ slot, generation, settings, drift }) => ({
      slot,
      generation,
      settings,
      drift: drift.slice(),
    })),
    attractors: state.attractors.live.map(({ slot, generation, settings, from, target, goal, sweep }) => ({
      slot,
      generation,
      settings,
      from: from.slice(),
      target: target.slice(),
      goal: goal.slice(),
      sweep,
    })),
  }
}

/** Returns how many bodies were saved in a state that is not finite: these keep the one they have. `settings` are the world's of now. */
export function restoreSnapshot(state: State, snapshot: Snapshot, settings: Readonly<WorldSettings>): number {
  const refused: BodyRecord[] = []
  for (const saved of snapshot.bodies) {
    const body = state.bodies.get(saved)
    if (!body) continue
    if (!isFiniteBody(saved)) {
      body.unstable |= UNSTABLE.NON_FINITE
      refused.push(body)
      continue
    }
    body.settings = saved.settings
    takeModel(state, body, saved.model)
    state.setMass(body)
    vectorsOf(state).forEach((column, k) => column.set(saved.vectors[k]!, body.start * 3))
    state.inverseMasses.set(saved.inverseMasses, body.start)
    state.rotations.set(saved.rotations, body.rotationStart * 4)
    body.asleep = saved.asleep
    body.sleep.set(saved.sleep)
    body.impacts.set(saved.impacts)
    body.hits.set(saved.hits)
    body.roll.set(saved.roll)
    body.rescue.set(saved.rescue)
    body.inflation.set(saved.inflation)
    body.placed = saved.placed
    body.wound = saved.wound
    body.folds.fill(-1)
    body.folds.set(saved.folds)
    body.partings.set(saved.partings)
    body.plastic = saved.plastic.slice()
    body.settling = saved.settling.slice()
    body.sweep = saved.sweep
  }
  for (const saved of snapshot.colliders) {
    const collider = state.colliders.get(saved)
    if (!collider) continue
    ;[collider.pose, collider.target, collider.goal].forEach((pose, k) => pose.set(saved.poses[k]!))
    collider.sweep = saved.sweep
    collider.shape = saved.shape
    collider.friction = saved.friction
    collider.restitution = saved.restitution
    collider.collisionGroups = saved.collisionGroups
    collider.sensor = saved.sensor
    collider.placed = saved.placed
    collider.surfaceVelocity = saved.surfaceVelocity
  }
  for (const saved of snapshot.attachments) {
    const attachment = state.attachments.get(saved)
    if (!attachment) continue
    const { from, target, goal, force } = attachment
    ;[from, target, goal, force].forEach((point, k) => point.set(saved.poses[k]!))
    attachment.particles.set(saved.particles)
    attachment.sweep = saved.sweep
  }
  state.contacts.restore(
    snapshot.contacts.flatMap(({ body: a, other: b, withCollider, numbers }) => {
      const body = state.bodies.get(a)
      const other = withCollider ? state.colliders.get(b) : state.bodies.get(b)
      return body && other ? [{ body, other, withCollider, numbers }] : []
    }),
  )
  for (const saved of snapshot.joints) {
    const joint = state.joints.get(saved)
    if (!joint) continue
    columnsOf(joint).forEach((column, k) => column.set(saved.columns[k]!))
    if (joint.frame) joint.frame.sweep = saved.sweep
  }
  for (const saved of snapshot.winds) {
    const wind = state.winds.get(saved)
    if (!wind) continue
    wind.settings = saved.settings
    wind.drift.set(saved.drift)
  }
  for (const saved of snapshot.attractors) {
    const attractor = state.attractors.get(saved)
    if (!attractor) continue
    for (const at of ['from', 'target', 'goal'] as const) attractor[at].set(saved[at])
    attractor.settings = saved.settings
    attractor.sweep = saved.sweep
  }
  state.version++
  state.moves++
  wakeReturned(state, snapshot, settings, refused)
  return refused.length
}

function handleOf({ slot, generation }: Handle): Handle {
  return { slot, generation }
}

function isFiniteBody({ vectors, inverseMasses, rotations }: BodySnapshot): boolean {
  return [...vectors, inverseMasses, rotations].every((column) => column.every(Number.isFinite))
}

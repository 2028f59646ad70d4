import type { AttractorSettings } from './attractor.js'
import type { BodySettings } from './bodySettings.js'
import type { ColliderChange } from './collider.js'
import { forgetHits } from './hit.js'
import { measureLinks } from './jointLinks.js'
import { type Frame, joins } from './jointRecord.js'
import { addBlast, addImpulse, type Blast } from './pushes.js'
import type { AttachmentRecord, BodyRecord } from './records.js'
import { wakeNear } from './sleep/approach.js'
import { putToSleep, wake, wakeBlown, wakeJoined, wakePulled, wakeTouching } from './sleep/wake.js'
import type { Handle } from './slots.js'
import type { State } from './state.js'
import { type CheckedCut, cutBody } from './tear/cut.js'
import { mend } from './tear/takeOver.js'
import type { Quat, Vec3 } from './vectors.js'
import type { WindSettings } from './wind.js'

/** Slower than this a body has not got away from what has touched it within the last steps [m/s]. */
const SETTLED_SPEED = 0.05

/** A change of the world between steps, as data: what a user or a component asked for. */
export type Command =
  | { type: 'setBody'; body: Handle; settings: BodySettings }
  | { type: 'removeBody'; body: Handle }
  | { type: 'place'; body: Handle; position: Vec3; rotation: Quat; mended?: boolean }
  | ({ type: 'cut'; body: Handle } & CheckedCut)
  | { type: 'setVelocity'; body: Handle; velocity: Vec3; angularVelocity: Vec3 }
  | { type: 'impulse'; body: Handle; impulse: Vec3; particles?: Uint32Array; weights?: Float64Array }
  | ({ type: 'blast'; body: Handle } & Blast)
  | { type: 'pin'; body: Handle; particles: Uint32Array }
  | { type: 'unpin'; body: Handle; particles?: Uint32Array }
  | { type: 'sleep'; body: Handle }
  | { type: 'wake'; body: Handle }
  | { type: 'detach'; attachment: Handle }
  | { type: 'setJoint'; joint: Handle; settings: Float64Array }
  | { type: 'placeJoint'; joint: Handle; position: Vec3; rotation: Quat }
  | { type: 'removeJoint'; joint: Handle }
  | ({ type: 'setCollider'; collider: Handle } & ColliderChange)
  | { type: 'placeCollider'; collider: Handle; position: Vec3; rotation: Quat }
  | { type: 'removeCollider'; collider: Handle }
  | { type: 'setWind'; wind: Handle; settings: WindSettings }
  | { type: 'removeWind'; wind: Handle }
  | { type: 'setAttractor'; attractor: Handle; settings: AttractorSettings; position: Vec3 | undefined }
  | { type: 'removeAttractor'; attractor: Handle }

/** Carries a command out. One whose body, collider or attachment is gone does nothing. */
export function apply(state: State, command: Command): void {
  switch (command.type) {
    case 'setBody':
    case 'removeBody':
    case 'place':
    case 'cut':
    case 'setVelocity':
    case 'impulse':
    case 'blast':
    case 'pin':
    case 'unpin':
    case 'sleep':
    case 'wake': {
      const body = state.bodies.get(command.body)
      if (body) applyToBody(state, body, command)
      return
    }
    case 'detach': {
      const attachment = state.attachments.remove(command.attachment)
      const body = attachment && state.bodies.get(attachment.body)
      if (body) wake(state, body)
      return
    }
    case 'setJoint': {
      const joint = state.joints.get(command.joint)
      if (!joint) return
      joint.settings.set(command.settings)
      state.jointChanges++
      wakeJoined(state, joint)
      return
    }
    case 'placeJoint': {
      const joint = state.joints.get(command.joint)
      if (!joint?.frame) return
      placeFrame(joint.frame, command)
      wakeJoined(state, joint)
      return
    }
    case 'removeJoint': {
      const joint = state.joints.remove(command.joint)
      if (joint) wakeJoined(state, joint)
      return
    }
    case 'removeCollider': {
      const collider = state.colliders.get(command.collider)
      if (!collider) return
      wakeTouching(state, collider)
      state.contacts.end(collider)
      state.removeCollider(collider)
      return
    }
    case 'setWind': {
      const wind = state.winds.get(command.wind)
      if (!wind) return
      wakeBlown(state, wind.settings.region)
      wind.settings = command.settings
      wakeBlown(state, wind.settings.region)
      return
    }
    case 'removeWind': {
      const wind = state.winds.remove(command.wind)
      if (wind) wakeBlown(state, wind.settings.region)
      return
    }
    case 'setAttractor': {
      const attractor = state.attractors.get(command.attractor)
      if (!attractor) return
      wakePulled(state, attractor)
      attractor.settings = command.settings
      if (command.position) for (const at of ['from', 'target', 'goal'] as const) attractor[at].set(command.position)
      wakePulled(state, attractor)
      return
    }
    case 'removeAttractor': {
      const attractor = state.attractors.remove(command.attractor)
      if (attractor) wakePulled(state, attractor)
      return
    }
    case 'setCollider': {
      const collider = state.colliders.get(command.collider)
      if (!collider) return
      wakeTouching(state, collider)
      if ('friction' in command) collider.friction = command.friction
      if ('restitution' in command) collider.restitution = command.restitution
      if (command.collisionGroups) collider.collisionGroups = command.collisionGroups
      if (command.sensor !== undefined) collider.sensor = command.sensor
      if (command.surfaceVelocity) collider.surfaceVelocity = command.surfaceVelocity
      if (command.shape) collider.shape = command.shape
      collider.placed = true
      wakeNear(state, collider)
      return
    }
    case 'placeCollider': {
      const collider = state.colliders.get(command.collider)
      if (!collider) return
      wakeTouching(state, collider)
      state.contacts.end(collider)
      placeFrame(collider, command)
      collider.placed = true
      wakeNear(state, collider)
    }
  }
}

function placeFrame({ pose, target, goal }: Frame, { position, rotation }: { position: Vec3; rotation: Quat }): void {
  target.set(position)
  target.set(rotation, 3)
  goal.set(target)
  pose.set(target)
}

type BodyCommand = Extract<Command, { body: Handle }>

function applyToBody(state: State, body: BodyRecord, command: BodyCommand): void {
  if (command.type === 'sleep') {
    if (!body.settings.canSleep) return
    if (hasSettled(state, body)) state.contacts.hold(body)
    putToSleep(state, body)
    return
  }
  if (command.type === 'cut') {
    // A blade that lies beside a cloth does not keep it awake.
    if (cutBody(state, body, command)) wake(state, body)
    return
  }
  // Nor does what gives it nothing wake it.
  if (command.type === 'impulse') {
    if (addImpulse(state, body, command.impulse, command.particles, command.weights)) wake(state, body)
    return
  }
  if (command.type === 'blast') {
    if (addBlast(state, body, command)) wake(state, body)
    return
  }
  wake(state, body)
  switch (command.type) {
    case 'setBody':
      wakeTouching(state, body)
      body.settings = command.settings
      state.setMass(body)
      return
    case 'removeBody':
      wakeTouching(state, body)
      state.contacts.end(body)
      state.removeBody(body)
      return
    case 'place':
      wakeTouching(state, body)
      state.contacts.end(body)
      if (command.mended) mend(state, body)
      state.place(body, command.position, command.rotation)
      for (const attachment of attachmentsOf(state, body)) attachment.from.set(attachment.goal)
      for (const joint of state.joints.live) if (joins(joint, body)) measureLinks(state, joint)
      return
    case 'setVelocity':
      setVelocity(state, body, command.velocity, command.angularVelocity)
      return
    case 'pin':
      state.pin(body, command.particles)
      return
    case 'unpin':
      state.unpin(body, command.particles ?? Uint32Array.from({ length: body.model.particleCount }, (_, i) => i))
      return
    case 'wake': // as every command does
  }
}

function attachmentsOf(state: State, body: BodyRecord): readonly AttachmentRecord[] {
  return state.attachments.live.filter((a) => a.body.slot === body.slot && a.body.generation === body.generation)
}

/** True for a body whose centre of mass is all but still. */
function hasSettled({ velocities: v, masses }: State, { start, model, mass }: BodyRecord): boolean {
  let square = 0
  for (let d = 0; d < 3; d++) {
    let momentum = 0
    for (let i = start; i < start + model.particleCount; i++) momentum += masses[i]! * v[i * 3 + d]!
    square += (momentum / mass) * (momentum / mass)
  }
  return square < SETTLED_SPEED * SETTLED_SPEED
}

/** v = velocity + angularVelocity x (x - c) for every free particle, c the body's centre of mass. */
function setVelocity(state: State, body: BodyRecord, velocity: Vec3, angularVelocity: Vec3): void {
  const c = [0, 0, 0]
  const { positions: x, velocities: v } = state
  body.impacts.fill(0)
  forgetHits(state, body)
  const particles = Array.from({ length: body.model.particleCount }, (_, i) => i)
  for (const i of particles) {
    for (let d = 0; d < 3; d++) c[d]! += body.model.massShares[i]! * x[(body.start + i) * 3 + d]!
  }
  const [wx, wy, wz] = angularVelocity
  for (const i of particles) {
    if (state.inverseMasses[body.start + i] === 0) continue
    const p = (body.start + i) * 3
    const [rx, ry, rz] = [x[p]! - c[0]!, x[p + 1]! - c[1]!, x[p + 2]! - c[2]!]
    v[p] = velocity[0] + wy * rz - wz * ry
    v[p + 1] = velocity[1] + wz * rx - wx * rz
    v[p + 2] = velocity[2] + wx * ry - wy * rx
  }
}

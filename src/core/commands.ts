import type { ColliderChange } from './collider.js'
import { IMPACT } from './impact.js'
import type { BodySettings } from './settings.js'
import { wakeNear } from './sleep/approach.js'
import { putToSleep, wake, wakeTouching } from './sleep/wake.js'
import type { Handle } from './slots.js'
import type { AttachmentRecord, BodyRecord, State } from './state.js'
import type { Quat, Vec3 } from './vectors.js'

/** A change of the world between steps, as data: what a user or a component asked for. */
export type Command =
  | { type: 'setBody'; body: Handle; settings: BodySettings }
  | { type: 'removeBody'; body: Handle }
  | { type: 'place'; body: Handle; position: Vec3; rotation: Quat }
  | { type: 'setVelocity'; body: Handle; velocity: Vec3; angularVelocity: Vec3 }
  | { type: 'impulse'; body: Handle; impulse: Vec3; particles?: Uint32Array; weights?: Float64Array }
  | { type: 'pin'; body: Handle; particles: Uint32Array }
  | { type: 'unpin'; body: Handle; particles?: Uint32Array }
  | { type: 'sleep'; body: Handle }
  | { type: 'wake'; body: Handle }
  | { type: 'detach'; attachment: Handle }
  | ({ type: 'setCollider'; collider: Handle } & ColliderChange)
  | { type: 'placeCollider'; collider: Handle; position: Vec3; rotation: Quat }
  | { type: 'removeCollider'; collider: Handle }

/** Carries a command out. One whose body, collider or attachment is gone does nothing. */
export function apply(state: State, command: Command): void {
  switch (command.type) {
    case 'setBody':
    case 'removeBody':
    case 'place':
    case 'setVelocity':
    case 'impulse':
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
    case 'removeCollider': {
      const collider = state.colliders.get(command.collider)
      if (!collider) return
      wakeTouching(state, collider)
      state.contacts.end(collider)
      state.colliders.remove(collider)
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
      if (command.shape) collider.shape = command.shape
      wakeNear(state, collider)
      return
    }
    case 'placeCollider': {
      const collider = state.colliders.get(command.collider)
      if (!collider) return
      wakeTouching(state, collider)
      state.contacts.end(collider)
      collider.target.set(command.position)
      collider.target.set(command.rotation, 3)
      collider.goal.set(collider.target)
      collider.pose.set(collider.target)
      wakeNear(state, collider)
    }
  }
}

type BodyCommand = Extract<Command, { body: Handle }>

function applyToBody(state: State, body: BodyRecord, command: BodyCommand): void {
  if (command.type === 'sleep') {
    if (body.settings.canSleep) putToSleep(state, body)
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
      state.place(body, command.position, command.rotation)
      for (const attachment of attachmentsOf(state, body)) attachment.from.set(attachment.goal)
      return
    case 'setVelocity':
      setVelocity(state, body, command.velocity, command.angularVelocity)
      return
    case 'impulse':
      addImpulse(state, body, command.impulse, command.particles, command.weights)
      return
    case 'pin':
      state.pin(body, command.particles)
      return
    case 'unpin':
      state.unpin(body, command.particles ?? Uint32Array.from({ length: body.model.particleCount }, (_, i) => i))
  }
}

function attachmentsOf(state: State, body: BodyRecord): readonly AttachmentRecord[] {
  return state.attachments.live.filter((a) => a.body.slot === body.slot && a.body.generation === body.generation)
}

/** v = velocity + angularVelocity x (x - c) for every free particle, c the body's centre of mass. */
function setVelocity(state: State, body: BodyRecord, velocity: Vec3, angularVelocity: Vec3): void {
  const c = [0, 0, 0]
  const { positions: x, velocities: v } = state
  body.impacts.fill(0)
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

/** Spreads an impulse over particles by weight, or over the body by mass; pinned particles take none. */
function addImpulse(
  state: State,
  body: BodyRecord,
  impulse: Vec3,
  particles?: Uint32Array,
  weights?: Float64Array,
): void {
  const count = particles ? particles.length : body.model.particleCount
  // What an impulse gives is no rebound.
  for (let i = 0; i < body.impacts.length; i += IMPACT.SIZE) {
    let gain = 0
    for (let d = 0; d < 3; d++) gain += (impulse[d]! * body.impacts[i + IMPACT.NORMAL + d]!) / body.mass
    body.impacts[i + IMPACT.GIVEN]! += Math.max(0, gain)
    body.impacts[i + IMPACT.ENERGY] = Number.POSITIVE_INFINITY
  }
  for (let k = 0; k < count; k++) {
    const i = particles ? particles[k]! : k
    const share = weights ? weights[k]! : body.model.massShares[i]!
    const gain = share * state.inverseMasses[body.start + i]!
    for (let d = 0; d < 3; d++) state.velocities[(body.start + i) * 3 + d]! += gain * impulse[d]!
  }
}

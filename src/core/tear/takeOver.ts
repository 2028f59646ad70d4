import type { BodySettings } from '../bodySettings.js'
import { LINK } from '../jointRecord.js'
import type { Model } from '../model.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'
import type { Parting } from './part.js'
import { isTearable, wholeOf } from './weave.js'

/** What is told of a body's tears in a step; no part of the state. */
export interface TearNote {
  /** Particles that have been split off. */
  count: number
  /** The first that was, and where it is [m]. */
  particle: number
  readonly point: Float64Array
}

/** True for settings by which a body may tear by itself. */
export function tears({ tearStrength, tearStrain }: Readonly<BodySettings>): boolean {
  return tearStrength < Number.POSITIVE_INFINITY || tearStrain < Number.POSITIVE_INFINITY
}

/**
 * Slots that a body is given: one that may tear gets as many again, which is what a cloth needs that comes apart at half of
 * its edges. One that tears further moves to twice the room; three particles a triangle are always enough.
 */
export function roomOf(model: Model, settings: Readonly<BodySettings>): number {
  const { particleCount } = model
  if (!model.torn && !(tears(settings) && isTearable(model))) return particleCount
  return Math.max(particleCount, Math.min(2 * particleCount, model.triangles.length))
}

/** Lets a body go on with the model after a tear: what is split off starts as what it was a part of, pins stay. */
export function takeOver(state: State, body: BodyRecord, { model, parents, compacted }: Parting): void {
  const { particleCount } = body.model
  if (model.particleCount > body.room) state.reserve(body, roomOf(model, body.settings))
  for (let k = 0; k < parents.length; k++) {
    const copy = particleCount + k
    state.copyParticle(body.start + parents[k]!, body.start + copy)
    share(state, body, model, copy)
    share(state, body, model, parents[k]!)
  }
  followCorners(state, body, model, new Set(parents))
  body.model = model
  if (compacted) state.version++
  state.tears++
  state.splits += parents.length
  state.moves++
  if (parents.length > 0) noteTear(state, body, particleCount, parents.length)
}

/**
 * Lets what joints hold within a triangle go with it: were a point's corners in pieces that part, the joint would throw the
 * one to where their mean has to be.
 */
function followCorners(state: State, body: BodyRecord, { triangles: now }: Model, split: ReadonlySet<number>): void {
  const { triangles } = body.model
  for (const joint of state.joints.live) {
    if (state.bodies.get(joint.body) === body) carry(joint.particles, joint.weights, split, triangles, now)
    if (joint.other && state.bodies.get(joint.other) === body)
      carry(joint.otherParticles, joint.otherWeights, split, triangles, now)
  }
}

/** Points of several particles get those that the corners of their triangle have now. */
function carry(
  particles: Uint32Array,
  weights: Float64Array,
  split: ReadonlySet<number>,
  before: Uint32Array,
  now: Uint32Array,
): void {
  for (let from = 0; from < particles.length; from += LINK) {
    const held = [0, 1, 2, 3].map((k) => from + k).filter((k) => weights[k] !== 0)
    if (held.length < 2 || !held.some((k) => split.has(particles[k]!))) continue
    for (let t = 0; t < before.length; t += 3) {
      const corners = held.map((k) => [t, t + 1, t + 2].find((c) => before[c] === particles[k]))
      if (corners.includes(undefined)) continue
      held.forEach((k, n) => {
        particles[k] = now[corners[n]!]!
      })
      break
    }
  }
}

function share({ masses, inverseMasses }: State, { start, mass }: BodyRecord, model: Model, particle: number): void {
  masses[start + particle] = mass * model.massShares[particle]!
  if (inverseMasses[start + particle] !== 0) inverseMasses[start + particle] = 1 / masses[start + particle]!
}

/** Keeps what is to be told of a tear. */
export function noteTear({ positions }: State, body: BodyRecord, particle: number, count: number): void {
  const { tear } = body
  if (tear.count === 0) {
    tear.particle = particle
    for (let d = 0; d < 3; d++) tear.point[d] = positions[(body.start + particle) * 3 + d]!
  }
  tear.count += count
}

/** Makes a torn body whole again, in place; what holds a copy holds the particle that it was split off. */
export function mend(state: State, body: BodyRecord): void {
  if (body.model.torn) takeModel(state, body, wholeOf(body.model))
}

/** Gives a body another state of its model: whole, or torn in another way. Masses are those of the model; pins stay. */
export function takeModel(state: State, body: BodyRecord, model: Model): void {
  if (model === body.model) return
  const { torn } = body.model
  const { particleCount } = model
  if (torn && particleCount < body.model.particleCount) {
    const moved = (particles: Uint32Array) => {
      for (let k = 0; k < particles.length; k++) {
        if (particles[k]! >= particleCount) particles[k] = torn.origins[particles[k]! - torn.whole.particleCount]!
      }
    }
    for (const { body: held, particles } of state.attachments.live)
      if (state.bodies.get(held) === body) moved(particles)
    for (const joint of state.joints.live) {
      if (state.bodies.get(joint.body) === body) moved(joint.particles)
      if (joint.other && state.bodies.get(joint.other) === body) moved(joint.otherParticles)
    }
  }
  if (particleCount > body.room) state.reserve(body, roomOf(model, body.settings))
  for (let i = body.model.particleCount; i < particleCount; i++) state.inverseMasses[body.start + i] = 1
  body.model = model
  body.tear.count = 0
  state.setMass(body)
}

/** Particles with all that have been split off from them. */
export function withCopies({ torn }: Model, particles: ArrayLike<number>): ArrayLike<number> {
  if (!torn) return particles
  const named = new Set(Array.from(particles))
  const all = Array.from(particles)
  torn.origins.forEach((origin, k) => {
    const copy = torn.whole.particleCount + k
    if (named.has(origin) && !named.has(copy)) all.push(copy)
  })
  return all
}

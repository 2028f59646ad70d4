import { checkVector } from './checks.js'
import { forgetHits } from './hit.js'
import type { Host } from './host.js'
import { IMPACT } from './impact.js'
import type { BodyRecord } from './records.js'
import { checkRegion, type Region, regionAt } from './region.js'
import {
  aimAt,
  ball,
  checkSpread,
  type Falloff,
  fade,
  found,
  type Place,
  RADIUS,
  SPREAD_SHARE,
  type Spread,
  weigh,
} from './spread.js'
import type { State } from './state.js'
import { SettingError } from './validation.js'
import type { Vec3 } from './vectors.js'

// Impulses and forces on bodies: at points, over regions, from a centre outwards, on each particle.

const none: Spread = {}
/** [N s] */
const given = new Float64Array(3)
const share = new Float64Array(1)

function isRegion(place: Place): place is Region {
  return typeof place === 'object' && 'particles' in place
}

/** @throws SettingError for what is not finite, or not of this body */
export function pushBody(host: Host, body: BodyRecord, impulse: Vec3, place?: Place, spread: Spread = none): void {
  const { name } = body.settings
  checkVector(name, 'applyImpulse', impulse)
  const region = regionOf(host, body, 'applyImpulse', place, spread)
  host.send({ type: 'impulse', body, impulse: [...impulse], ...region })
}

function regionOf(
  host: Host,
  body: BodyRecord,
  method: string,
  place: Place | undefined,
  spread: Spread,
): Region | undefined {
  const { settings, model, start } = body
  checkSpread(settings.name, method, spread)
  if (place === undefined || place === null) return undefined
  if (isRegion(place)) {
    checkRegion(settings.name, method, place, model.particleCount)
    return place
  }
  checkVector(settings.name, `${method}.point`, place)
  const { radius = SPREAD_SHARE * model.size, falloff } = spread
  return regionAt(host.state.positions, start, model.particleCount, place, radius, falloff)
}

/** Adds a force over the next step; it keeps the body awake. Allocates nothing. @throws SettingError for what is not finite, or not of this body */
export function forceBody(host: Host, body: BodyRecord, force: Vec3, place?: Place, spread: Spread = none): void {
  const { model, settings, start } = body
  checkVector(settings.name, 'addForce', force)
  if (spread !== none) checkSpread(settings.name, 'addForce', spread) // in every step, so without garbage
  const { forces, positions } = host.state
  let acts: boolean
  if (place === undefined || place === null) {
    acts = addShares(forces, start, null, model.massShares, model.particleCount, force)
  } else if (isRegion(place)) {
    checkRegion(settings.name, 'addForce', place, model.particleCount)
    acts = addShares(forces, start, place.particles, place.weights, place.particles.length, force)
  } else {
    checkVector(settings.name, 'addForce.point', place)
    aimAt(place)
    ball[RADIUS] = spread.radius ?? SPREAD_SHARE * model.size
    weigh(positions, start * 3, model.particleCount, spread.falloff ?? 'smooth')
    acts = addShares(forces, start, found.particles, found.weights, found.count, force)
  }
  if (!acts) return
  host.wake(body)
  host.disturb()
}

/** Adds to each particle its share of a force; true where any has one. */
function addShares(
  forces: Float64Array,
  start: number,
  list: Uint32Array | null,
  shares: Float64Array,
  count: number,
  force: Vec3,
): boolean {
  let acts = false
  for (let k = 0; k < count; k++) {
    const p = (start + (list ? list[k]! : k)) * 3
    for (let d = 0; d < 3; d++) {
      forces[p + d] = forces[p + d]! + shares[k]! * force[d]!
      acts ||= shares[k]! * force[d]! !== 0
    }
  }
  return acts
}

/** Adds a force to each particle [3 n] N over the next step. Allocates nothing. @throws SettingError */
export function forceParticles(host: Host, body: BodyRecord, forces: ArrayLike<number>): void {
  const { name } = body.settings
  const length = body.model.particleCount * 3
  if (forces?.length !== length) {
    throw new SettingError(
      name,
      'addForces',
      forces?.length,
      `must hold ${length} numbers`,
      'Give x, y, z of each particle.',
    )
  }
  for (let k = 0; k < length; k++) {
    if (Number.isFinite(forces[k])) continue
    throw new SettingError(name, `addForces[${k}]`, forces[k], 'is not finite', 'Check for a division by zero.')
  }
  const all = host.state.forces
  let any = false
  for (let k = 0, p = body.start * 3; k < length; k++, p++) {
    all[p] = all[p]! + forces[k]!
    any ||= forces[k] !== 0
  }
  if (!any) return
  host.wake(body)
  host.disturb()
}

/** A blast as it was asked for. */
export interface Blast {
  /** [m] */
  readonly center: Vec3
  /** [N s] */
  readonly strength: number
  /** [m] */
  readonly radius: number
  readonly falloff: Falloff
}

/** @throws SettingError for what `checkBlast` refuses */
export function blastBody(host: Host, body: BodyRecord, blast: Blast): void {
  checkBlast(body.settings.name, blast)
  if (reaches(host.state, body, blast)) host.send({ type: 'blast', body, ...blast, center: [...blast.center] })
}

/** @throws SettingError for a centre or strength that is not finite, a radius not above 0, or an unknown falloff */
export function checkBlast(name: string, { center, strength, radius, falloff }: Blast): void {
  checkVector(name, 'applyRadialImpulse', center)
  if (!Number.isFinite(strength)) {
    const problem = 'must be a finite number'
    throw new SettingError(name, 'applyRadialImpulse.strength', strength, problem, 'Use N s; below 0 it draws inwards.')
  }
  if (radius === undefined) {
    throw new SettingError(name, 'applyRadialImpulse.radius', radius, 'must be given', 'Use metres above 0.')
  }
  checkSpread(name, 'applyRadialImpulse', { radius, falloff })
}

/** True where a blast reaches a particle of the body: what it does not reach sleeps on. */
function reaches({ positions: x }: State, { start, model }: BodyRecord, { center, radius }: Blast): boolean {
  for (let p = start * 3; p < (start + model.particleCount) * 3; p += 3) {
    const dx = x[p]! - center[0]
    const dy = x[p + 1]! - center[1]
    const dz = x[p + 2]! - center[2]
    if (dx * dx + dy * dy + dz * dz < radius * radius) return true
  }
  return false
}

/** Spreads an impulse over particles by weight, or over the body by mass; pinned ones take none. True where any does. */
export function addImpulse(
  state: State,
  body: BodyRecord,
  impulse: Vec3,
  list?: Uint32Array,
  by?: Float64Array,
): boolean {
  let acts = false
  const count = list ? list.length : body.model.particleCount
  for (let d = 0; d < 3; d++) given[d] = impulse[d]!
  for (let k = 0; k < count; k++) {
    const i = list ? list[k]! : k
    const gain = (by ? by[k]! : body.model.massShares[i]!) * state.inverseMasses[body.start + i]!
    for (let d = 0; d < 3; d++) {
      state.velocities[(body.start + i) * 3 + d]! += gain * impulse[d]!
      acts ||= gain * impulse[d]! !== 0
    }
  }
  if (acts) noteGiven(state, body)
  return acts
}

/**
 * Gives each particle its share, by mass, of `strength`, away from the centre and faded by its distance. One at the
 * very centre has no way to go; pinned particles take none. True where any does.
 */
export function addBlast(state: State, body: BodyRecord, { center, strength, radius, falloff }: Blast): boolean {
  let acts = false
  const { positions: x, velocities: v, inverseMasses: w } = state
  const { start, model } = body
  given.fill(0)
  for (let i = 0; i < model.particleCount; i++) {
    const p = (start + i) * 3
    const away = [x[p]! - center[0], x[p + 1]! - center[1], x[p + 2]! - center[2]]
    const distance = Math.sqrt(away[0]! * away[0]! + away[1]! * away[1]! + away[2]! * away[2]!)
    if (distance === 0 || !(distance < radius) || w[start + i] === 0) continue
    share[0] = distance / radius
    fade(share, 1, falloff)
    const size = (strength * model.massShares[i]! * share[0]) / distance
    acts ||= size !== 0
    for (let d = 0; d < 3; d++) {
      given[d] = given[d]! + size * away[d]!
      v[p + d] = v[p + d]! + size * away[d]! * w[start + i]!
    }
  }
  if (acts) noteGiven(state, body)
  return acts
}

/** What an impulse gives is no rebound. */
function noteGiven(state: State, body: BodyRecord): void {
  forgetHits(state, body)
  for (let i = 0; i < body.impacts.length; i += IMPACT.SIZE) {
    let gain = 0
    for (let d = 0; d < 3; d++) gain += (given[d]! * body.impacts[i + IMPACT.NORMAL + d]!) / body.mass
    body.impacts[i + IMPACT.GIVEN]! += Math.max(0, gain)
    body.impacts[i + IMPACT.ENERGY] = Number.POSITIVE_INFINITY
  }
}

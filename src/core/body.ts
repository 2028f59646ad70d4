import { type Attachment, type AttachOptions, attach } from './attachment.js'
import type { BodySettings } from './bodySettings.js'
import { checkedBodySettings, checkParticles, checkTarget, checkVector, validatePose } from './checks.js'
import type { Collider } from './collider.js'
import { validateElastic } from './elastic.js'
import type { SleepCallback, TearCallback } from './events.js'
import type { Host } from './host.js'
import { type Joint, type JointOptions, join } from './joint.js'
import { Touchable } from './listened.js'
import { boundsOf, maxStrainOf, meanByMass, meanOfRegion, volumeOf } from './measures.js'
import type { Model } from './model.js'
import { leadPin } from './pins.js'
import { blastBody, forceBody, forceParticles, pushBody } from './pushes.js'
import type { BodyRecord, ColliderRecord } from './records.js'
import { checkRegion, pieceAt, type Region, regionAt } from './region.js'
import { substepsNeeded } from './resolution.js'
import { checkSpread, type Falloff, type Place, type Spread } from './spread.js'
import { addSpring, type Spring, type SpringOptions } from './spring.js'
import { type CutShape, checkedCut } from './tear/cut.js'
import { checkGroup, merged, SettingError, validateSetting } from './validation.js'
import type { MutableVec3, Quat, Vec3 } from './vectors.js'
import { worldSettings } from './worldSettings.js'

const interpolation = new Float64Array(1)

/**
 * A soft body or cloth in a world. Once removed, every call is a safe no-op: reads leave their target as it is and
 * numbers are 0.
 */
export class Body extends Touchable {
  constructor(
    host: Host,
    protected override readonly record: BodyRecord,
  ) {
    super(host, record)
  }

  /** What the body is made of: another model after each tear, with particles that were split off after all others. */
  get model(): Model {
    this.host.flush()
    return this.record.model
  }

  get alive(): boolean {
    return this.live() !== undefined
  }

  get particleCount(): number {
    return this.model.particleCount
  }

  /** What is set now. */
  get settings(): Readonly<BodySettings> {
    this.host.flush()
    return this.record.settings
  }

  /** [kg] */
  get mass(): number {
    return this.live()?.mass ?? 0
  }

  /** Changes settings live; a setting that is undefined stays as it is. `position` and `rotation` are where `reset` goes; use `teleport` to move the body now. */
  set(settings: Partial<BodySettings>): void {
    if (!this.alive) return
    const current = this.settings
    checkGroup(current.name, 'settings', settings)
    if (settings.elastic !== undefined) validateElastic(current.name, settings.elastic, this.model.sets)
    const elastic = { ...current.elastic, ...settings.elastic }
    const next = checkedBodySettings(this.model, { ...merged(current, settings), elastic })
    this.host.send({ type: 'setBody', body: this.record, settings: next })
  }

  /**
   * Substeps of a step of `timeStep` [s] with which the body is as stiff as it was set; with fewer it is softer.
   * @throws SettingError for a step that no world could take
   */
  substepsNeeded(timeStep = 1 / 60): number {
    validateSetting(this.settings.name, 'substepsNeeded', timeStep, worldSettings.timeStep)
    return substepsNeeded(this.live() ?? this.record, timeStep)
  }

  remove(): void {
    this.host.send({ type: 'removeBody', body: this.record })
  }

  /**
   * Copies positions [3 n] m, as many as `out` has room for; `interpolated` gives them where the frame stands between the
   * last two steps.
   */
  readPositions(out: Float64Array = this.columns(), interpolated = false): Float64Array {
    const body = this.live()
    if (!body) return out
    checkTarget(body.settings.name, 'readPositions', out, 0)
    const { positions, stepStart } = this.host.state
    const o = body.start * 3
    const n = this.particleCount * 3
    if (!interpolated) {
      for (let k = 0; k < n; k++) out[k] = positions[o + k]!
      return out
    }
    this.host.readInterpolation(interpolation)
    const t = interpolation[0]!
    for (let k = 0; k < n; k++) out[k] = stepStart[o + k]! + t * (positions[o + k]! - stepStart[o + k]!)
    return out
  }

  /** Copies velocities [3 n] m/s, as many as `out` has room for. */
  readVelocities(out: Float64Array = this.columns()): Float64Array {
    const body = this.live()
    if (!body) return out
    checkTarget(body.settings.name, 'readVelocities', out, 0)
    for (let k = 0; k < this.particleCount * 3; k++) out[k] = this.host.state.velocities[body.start * 3 + k]!
    return out
  }

  /** Position of one particle [m]; of one that there is not, nothing. @throws SettingError for what is no number of one */
  getPosition(i: number, target: MutableVec3 = [0, 0, 0]): MutableVec3 {
    const body = this.live()
    if (!body || !this.has('getPosition', i)) return target
    checkTarget(body.settings.name, 'getPosition', target)
    for (let d = 0; d < 3; d++) target[d] = this.host.state.positions[(body.start + i) * 3 + d]!
    return target
  }

  /**
   * Particles within `radius` [m] of a world point, with weights that fall off and sum to 1; the four nearest where there
   * are fewer. Never empty.
   * @throws SettingError for a point that is not finite, a radius below 0 or an unknown falloff
   */
  region(point: Vec3, radius: number, falloff: Falloff = 'smooth'): Region {
    const { name } = this.record.settings
    checkVector(name, 'region', point)
    checkSpread(name, 'region', { falloff })
    if (!(Number.isFinite(radius) && radius >= 0)) {
      throw new SettingError(name, 'region.radius', radius, 'must be 0 or more', 'Use metres; 0 for the four nearest.')
    }
    const body = this.live()
    const { positions } = this.host.state
    return body
      ? regionAt(positions, body.start, this.particleCount, point, radius, falloff)
      : regionAt(this.model.positions, 0, this.particleCount, point, radius, falloff)
  }

  /** Where a region's mean, such as the point that a ray hit, is now [m]. Allocates nothing. */
  pointOf(region: Region, target: MutableVec3 = [0, 0, 0]): MutableVec3 {
    checkRegion(this.record.settings.name, 'pointOf', region, this.particleCount)
    const body = this.live()
    if (!body) return target
    checkTarget(body.settings.name, 'pointOf', target)
    return meanOfRegion(body, this.host.state, region, target)
  }

  /**
   * What hangs together with some particles, by mass, weights that sum to 1: all of the body, unless it is torn apart or of
   * free particles. An impulse on that moves it as a whole. @throws SettingError for a particle that does not exist
   */
  pieceOf(particles: ArrayLike<number>): Region {
    return pieceAt(this.model, checkParticles(this.record.settings.name, 'pieceOf', particles, this.particleCount))
  }

  /** Holds a region to a target by a spring inside the solver. */
  attach(region: Region, options: AttachOptions = {}): Attachment {
    return attach(this.host, this.record, region, options)
  }

  /**
   * A spring from the body to another one, to a collider, or with null to a point of the world that `setPose` leads.
   * Null where one of the two is gone. @throws SettingError for an option outside its range
   */
  spring(other: Body | Collider | null, options: SpringOptions = {}): Spring | null {
    const body = this.live()
    const end = body && this.endAt('spring', other)
    return end ? addSpring(this.host, body, end.body, end.collider, options) : null
  }

  /**
   * Joins the body to another one, to a collider, or with null to a frame of its own, at the offset that they have.
   * @throws SettingError for an option outside its range
   */
  join(other: Body | Collider | null, options: JointOptions = {}): Joint | null {
    const body = this.live()
    const end = body && this.endAt('join', other)
    return end ? join(this.host, body, end.body, end.collider, options) : null
  }

  /**
   * Changes momentum at once by `impulse` [N s]: of the body as a whole, by mass, of a region, or of what is about a point
   * of the world [m] and near it. What pinned particles would take is lost.
   */
  applyImpulse(impulse: Vec3, place?: Place, spread?: Spread): void {
    const body = this.live()
    if (body) pushBody(this.host, body, impulse, place, spread)
  }

  /** A force [N] over the next step, on what `applyImpulse` acts on. It keeps the body awake. Allocates nothing. */
  addForce(force: Vec3, place?: Place, spread?: Spread): void {
    const body = this.live()
    if (body) forceBody(this.host, body, force, place, spread)
  }

  /** A force on each particle [3 n] N over the next step. Allocates nothing. @throws SettingError */
  addForces(forces: ArrayLike<number>): void {
    const body = this.live()
    if (body) forceParticles(this.host, body, forces)
  }

  /** Impulses away from a centre, as of `World.applyRadialImpulse`, on this body alone. */
  applyRadialImpulse(center: Vec3, strength: number, radius: number, falloff: Falloff = 'linear'): void {
    const body = this.live()
    if (body) blastBody(this.host, body, { center, strength, radius, falloff })
  }

  /** Gives every free particle the velocity of a rigid motion [m/s], [rad/s] about the centre of mass. */
  setVelocity(velocity: Vec3, angularVelocity: Vec3 = [0, 0, 0]): void {
    checkVector(this.record.settings.name, 'setVelocity', velocity)
    checkVector(this.record.settings.name, 'setVelocity', angularVelocity)
    this.host.send({
      type: 'setVelocity',
      body: this.record,
      velocity: [...velocity],
      angularVelocity: [...angularVelocity],
    })
  }

  /** Puts the rest shape at a pose, at rest; pins go along. */
  teleport(position: Vec3, rotation: Quat = this.settings.rotation): void {
    validatePose(this.settings.name, position, rotation)
    this.host.send({ type: 'place', body: this.record, position: [...position], rotation: [...rotation] })
  }

  /** Back to the initial pose, at rest, in the rest shape, and whole. */
  reset(): void {
    const { position, rotation } = this.settings
    this.host.send({ type: 'place', body: this.record, position, rotation, mended: true })
  }

  /** Holds particles where they are. */
  pin(particles: ArrayLike<number>): void {
    this.host.send({
      type: 'pin',
      body: this.record,
      particles: checkParticles(this.record.settings.name, 'pin', particles, this.particleCount),
    })
  }

  /** Lets particles go, all of them by default. */
  unpin(particles?: ArrayLike<number>): void {
    if (particles === undefined) this.host.send({ type: 'unpin', body: this.record })
    else
      this.host.send({
        type: 'unpin',
        body: this.record,
        particles: checkParticles(this.record.settings.name, 'unpin', particles, this.particleCount),
      })
  }

  /**
   * Leads a pinned particle, with what was split off from it, to `target` [m], evenly over the frame's steps. Allocates
   * nothing. @throws SettingError for a target that is not finite, or what is no number of a particle
   */
  movePin(particle: number, target: Vec3): void {
    const body = this.live()
    if (!body || !this.has('movePin', particle)) return
    checkVector(body.settings.name, 'movePin', target)
    leadPin(this.host, body, particle, target)
  }

  /** True while the body sleeps: it rests, costs nothing and acts as fixed until something wakes it. */
  get asleep(): boolean {
    return this.live()?.asleep ?? false
  }

  /** Puts the body to sleep as it is, also in the air, unless it may not: `canSleep`, or the world's `sleeping`. */
  sleep(): void {
    if (this.host.sleeping) this.host.send({ type: 'sleep', body: this.record })
  }

  /** Wakes the body and all that sleeps in touch with it; one that is awake stays so for 0.5 s at least. */
  wake(): void {
    this.host.send({ type: 'wake', body: this.record })
  }

  /** Calls `callback` after the step in which the body falls asleep. */
  onSleep(callback: SleepCallback): () => void {
    return this.host.events.listen(this.record, 'sleep', callback)
  }

  /** Calls `callback` when the body has been woken; see the world's. */
  onWake(callback: SleepCallback): () => void {
    return this.host.events.listen(this.record, 'wake', callback)
  }

  /** Calls `callback` after a step in which the body has torn, or before which it was cut. */
  onTear(callback: TearCallback): () => void {
    return this.host.events.listen(this.record, 'tear', callback)
  }

  /**
   * Cuts a cloth along its mesh where it is crossed, at the next step or when something is read: by a plane, or by a blade
   * that goes straight from one place to another. Pins stay. What is no cloth is left as it is.
   * @throws SettingError for a number that is not finite, or a plane without a direction
   */
  cut(cut: CutShape): void {
    this.host.send({ type: 'cut', body: this.record, ...checkedCut(this.record.settings.name, cut) })
  }

  /** True where a particle is pinned. @throws SettingError for what is no number of one */
  isPinned(particle: number): boolean {
    const body = this.live()
    if (!body || !this.has('isPinned', particle)) return false
    return this.host.state.inverseMasses[body.start + particle] === 0
  }

  /** [m] */
  centerOfMass(target: MutableVec3 = [0, 0, 0]): MutableVec3 {
    const body = this.live()
    if (!body) return target
    checkTarget(body.settings.name, 'centerOfMass', target)
    return meanByMass(body, this.host.state.positions, target)
  }

  /** Velocity of the centre of mass [m/s]. */
  velocity(target: MutableVec3 = [0, 0, 0]): MutableVec3 {
    const body = this.live()
    if (!body) return target
    checkTarget(body.settings.name, 'velocity', target)
    return meanByMass(body, this.host.state.velocities, target)
  }

  /** Box about all that colliders stop, particles and drawn points [m]: least x, y, z, then largest. */
  bounds(target: Float64Array = new Float64Array(6)): Float64Array {
    const body = this.live()
    if (!body) return target
    checkTarget(body.settings.name, 'bounds', target, 6)
    boundsOf(body, this.host.state, target)
    return target
  }

  /** Volume of the tetrahedra now [m^3]; 0 for a cloth. */
  volume(): number {
    const body = this.live()
    return body ? volumeOf(body, this.host.state) : 0
  }

  /** Largest relative change of length of any edge. */
  maxStrain(): number {
    const body = this.live()
    return body ? maxStrainOf(body, this.host.state) : 0
  }

  /** What it is to be held to, neither for null; undefined where that is gone. */
  private endAt(
    method: string,
    other: Body | Collider | null,
  ): { body: BodyRecord | null; collider: ColliderRecord | null } | undefined {
    if (other === null) return { body: null, collider: null }
    const { events, state } = this.host
    if (!events.knows(other instanceof Body ? other.record : other?.handle, other)) {
      const problem = 'is no body and no collider of this world'
      throw new SettingError(this.settings.name, `${method}.other`, other, problem, 'Give one, or null for none.')
    }
    const { bodies, colliders } = state
    const body = other instanceof Body ? bodies.get(other.record) : undefined
    const collider = other instanceof Body ? undefined : colliders.get(other.handle)
    return body || collider ? { body: body ?? null, collider: collider ?? null } : undefined
  }

  /** Whether there is such a particle: those that a tear has made go with a reset. */
  private has(method: string, particle: number): boolean {
    if (!(Number.isInteger(particle) && particle >= 0)) {
      const problem = 'must be a whole number, 0 or above'
      const remedy = 'Particles are not render vertices; see `pins`.'
      throw new SettingError(this.record.settings.name, `${method}.particle`, particle, problem, remedy)
    }
    return particle < this.particleCount
  }

  private columns(): Float64Array {
    return new Float64Array(3 * this.particleCount)
  }

  private live(): BodyRecord | undefined {
    this.host.flush()
    return this.host.state.bodies.get(this.record)
  }
}

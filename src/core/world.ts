import { type Attractor, type AttractorSettings, addAttractor } from './attractor.js'
import { type ParticleSettings, particlesModel } from './bodies/particles.js'
import { Body } from './body.js'
import type { BodySettings } from './bodySettings.js'
import { checkTarget, wholeBodySettings } from './checks.js'
import { Clock } from './clock.js'
import { addCollider, type Collider, type ColliderSettings } from './collider.js'
import type { ColliderShape } from './collision/shape.js'
import { apply, type Command } from './commands.js'
import { countLiving, createStats, type Stats } from './counters.js'
import { Events } from './events.js'
import { aimAtGoals, spreadGoals } from './goals.js'
import { tellBroken } from './hold.js'
import type { Host } from './host.js'
import { ListenedWorld } from './listened.js'
import type { Model } from './model.js'
import { type Overlap, overlapSphere } from './overlap.js'
import { checkBlast } from './pushes.js'
import type { QueryOptions } from './query.js'
import { Raycast, type RaycastOptions, type RayHit } from './raycast.js'
import { resetState } from './reset.js'
import { wakeWhatIsMet } from './sleep/approach.js'
import { Islands, isAtRest } from './sleep/islands.js'
import { wake, wakeAll, wakeByAttractors, wakeBySettings } from './sleep/wake.js'
import { restoreSnapshot, type Snapshot, takeSnapshot } from './snapshot.js'
import type { Solver } from './solver.js'
import type { Falloff } from './spread.js'
import { StageTimes, stages, type TimeSource } from './stageTimes.js'
import { State } from './state.js'
import { tellUnstable } from './unstable.js'
import { checkCallback, checkGroup, defaultsOf, merged, SettingError, settled, validateSettings } from './validation.js'
import type { Vec3 } from './vectors.js'
import { addWind, type Wind, type WindSettings } from './wind.js'
import { type WorldSettings, worldSettings } from './worldSettings.js'

/** Bodies, colliders and the clock. Commands given between steps take effect at the next step, or when read. */
export class World extends ListenedWorld {
  private current: WorldSettings
  private readonly state = new State()
  private readonly clock = new Clock()
  private readonly dropped = new Float64Array(1)
  private readonly counters = createStats()
  private readonly times = new StageTimes()
  private readonly islands = new Islands()
  protected readonly events = new Events()
  private readonly queue: Command[] = []
  /** Time at which the present length of a step came in [s], and the step's index then. */
  private timeBase = 0
  private stepsBase = 0
  private readonly handles: Body[] = []
  private readonly colliderHandles: Collider[] = []
  private readonly host: { -readonly [K in keyof Host]: Host[K] }
  private readonly rays: Raycast
  private readonly snapshots = new WeakSet<Snapshot>()
  /** Kept as they are handed out, since a number handed to a callback is allocated otherwise. */
  private callbackArguments: [World, number]
  private steps = 0
  private disposed = false

  /** @throws SettingError for a setting outside its range */
  constructor(
    settings: Partial<WorldSettings>,
    private readonly solver: Solver,
  ) {
    super()
    validateSettings('SoftBodyWorld', settings, worldSettings)
    this.current = settled(merged(defaultsOf<WorldSettings>(worldSettings), settings))
    this.callbackArguments = [this, this.current.timeStep]
    this.rays = new Raycast(this.state, this.events)
    this.host = {
      state: this.state,
      send: (command) => {
        this.queue.push(command)
        this.disturb()
      },
      disturb: () => this.disturb(),
      flush: () => this.flush(),
      wake: (handle) => {
        const body = this.state.bodies.get(handle)
        if (body) wake(this.state, body)
      },
      sleeping: this.current.sleeping,
      events: this.events,
      sweep: 0,
      readInterpolation: (out) => {
        out[0] = this.clock.fraction(this.current.timeStep)
      },
    }
  }

  get settings(): Readonly<WorldSettings> {
    return this.current
  }

  /** Name of the backend that steps this world. */
  get backend(): string {
    return this.solver.name
  }

  /** Changes settings live. @throws SettingError, and then nothing has changed */
  set(settings: Partial<WorldSettings>): void {
    validateSettings('SoftBodyWorld', settings, worldSettings)
    const next = settled(merged(this.current, settings))
    if (next.timeStep !== this.current.timeStep) {
      this.timeBase = this.time
      this.stepsBase = this.steps
    }
    wakeBySettings(this.state, this.current, next)
    this.current = next
    this.host.sleeping = next.sleeping
    this.callbackArguments = [this, this.current.timeStep]
    this.disturb()
  }

  /** Adds a body in the model's rest shape at the settings' pose, at rest. @throws SettingError */
  addBody(model: Model, settings: Partial<BodySettings> = {}): Body {
    const checked = wholeBodySettings(model, settings)
    this.flush()
    const record = this.state.addBody(model, checked)
    const body = new Body(this.host, record)
    this.events.register(record, body)
    this.handles.push(body)
    this.disturb()
    return body
  }

  /** Throws what `addBody` would throw, and adds nothing. @throws SettingError */
  checkBody(model: Model, settings: Partial<BodySettings> = {}): void {
    wholeBodySettings(model, settings)
  }

  /**
   * Adds free particles, as one body without elements: each of `radius` [m], at positions [3 n] m of the body's own frame.
   * Colliders and the surfaces of other bodies stop them; they do not meet each other. @throws SettingError
   */
  addParticles(positions: ArrayLike<number>, settings: Partial<ParticleSettings> = {}): Body {
    checkGroup('Particles', 'settings', settings)
    const { radius, masses, ...rest } = settings
    const model = particlesModel(positions, { radius, masses, name: settings.name })
    const mass = rest.mass ?? (masses === undefined ? undefined : model.measure)
    return this.addBody(model, { canSleep: true, ...rest, ...(mass !== undefined && { mass }) })
  }

  /** Adds a collider. @throws SettingError */
  addCollider(shape: ColliderShape, settings: Partial<ColliderSettings> = {}): Collider {
    const collider = addCollider(this.host, shape, settings)
    this.colliderHandles.push(collider)
    this.disturb()
    return collider
  }

  /** Adds a wind; it blows from the next step on. @throws SettingError */
  addWind(settings: Partial<WindSettings> = {}): Wind {
    return addWind(this.host, settings)
  }

  /** Adds radial gravity about a point; it acts from the next step on. @throws SettingError */
  addAttractor(settings: Partial<AttractorSettings> = {}): Attractor {
    return addAttractor(this.host, settings)
  }

  /** Bodies in the world now. */
  get bodies(): readonly Body[] {
    this.flush()
    return this.handles
  }

  get colliders(): readonly Collider[] {
    this.flush()
    return this.colliderHandles
  }

  /**
   * What a ray meets first: the surface of a body as it is deformed, from either side, or a collider; null for nothing.
   * Allocates nothing but its answer.
   * @param direction of any length
   * @throws SettingError for an origin or direction that is not finite, or an option out of range
   */
  raycast(origin: Vec3, direction: Vec3, options?: RaycastOptions): RayHit | null {
    this.flush()
    return this.rays.cast(origin, direction, options)
  }

  /** The bodies that reach into a sphere [m], with their particles within, and the colliders. @throws SettingError */
  overlapSphere(center: Vec3, radius: number, options?: QueryOptions): Overlap {
    this.flush()
    return overlapSphere(this.state, this.events, center, radius, options)
  }

  /**
   * Pushes what is within `radius` [m] of a centre away from it. A body that were there as a whole would get `strength`
   * [N s] whatever its mass; each of its particles gets its share by mass, faded by its distance. Below 0 it draws in.
   * @throws SettingError
   */
  applyRadialImpulse(center: Vec3, strength: number, radius: number, falloff: Falloff = 'linear'): void {
    checkBlast('SoftBodyWorld', { center, strength, radius, falloff })
    for (const body of this.bodies) body.applyRadialImpulse(center, strength, radius, falloff)
  }

  /**
   * Lets `seconds` of a frame pass: runs the fixed steps that are due, at most `maxSteps`, and returns how many. Time
   * beyond is dropped and counted in `stats.droppedTime`; seconds that are not finite and above 0 let none pass. A paused world
   * takes no time, but carries out commands.
   * @throws SettingError for what is no number
   */
  advance(seconds: number): number {
    if (typeof seconds !== 'number' || Number.isNaN(seconds)) {
      const remedy = 'Give the seconds since the last frame.'
      throw new SettingError('SoftBodyWorld', 'advance', seconds, 'must be a number', remedy)
    }
    this.flush()
    this.tell()
    if (this.current.paused || this.disposed) return 0
    const steps = this.clock.take(seconds, this.current, this.dropped)
    this.sweep(steps)
    return steps
  }

  /**
   * Exactly one fixed step, also when paused.
   * @throws Error from within a step's own callback
   */
  step(): void {
    this.sweep(1)
  }

  /** Runs steps over which colliders, pins and attachments move evenly to where the frame asked them to go. */
  private sweep(steps: number): void {
    if (this.disposed || steps === 0) return
    if (this.host.sweep !== 0)
      throw new Error('World: a step callback must not step the world. Step it after the callback.')
    this.flush()
    spreadGoals(this.state, steps)
    for (let k = 0; k < steps; k++) this.singleStep()
    this.events.throwPending()
  }

  private singleStep(): void {
    const world = this.callbackArguments[0]
    const timeStep = this.callbackArguments[1]
    this.host.sweep = 1 // what a callback asks for is reached within this step
    try {
      for (let k = 0; k < this.before.count; k++) this.before.at(k)?.(world, timeStep)
      this.flush()
      aimAtGoals(this.state)
      wakeByAttractors(this.state)
      wakeWhatIsMet(this.state, this.current)
      this.solver.step(this.state, this.current, this.counters, this.times)
      this.state.contacts.update(this.state, this.solver.touches, this.current)
      this.islands.settle(this.state, this.current)
      this.state.moves++
      this.steps++
      tellUnstable(this.state, this.events, this.unstable)
      this.events.tell(this.state)
      tellBroken(this.host)
      for (let k = 0; k < this.after.count; k++) this.after.at(k)?.(world, timeStep)
      this.flush()
    } finally {
      this.host.sweep = 0
    }
    this.before.tidy()
    this.after.tidy()
    this.unstable.tidy()
  }

  /** Tells what has happened between steps: who has gone or was put elsewhere, who has been woken. */
  private tell(): void {
    this.events.tell(this.state)
    this.events.throwPending()
  }

  /** Carries out pending commands now. */
  flush(): void {
    if (this.queue.length === 0) return
    for (let k = 0; k < this.queue.length; k++) apply(this.state, this.queue[k]!)
    this.queue.length = 0
    keep(this.handles, (body) => body.alive)
    keep(this.colliderHandles, (collider) => collider.alive)
  }

  /** Where a frame stands between the last two steps: 0 at the one before, 1 at the last. */
  get interpolation(): number {
    return this.clock.fraction(this.current.timeStep)
  }

  /** Steps taken since the start or the last reset. */
  get stepIndex(): number {
    return this.steps
  }

  /** Simulated time [s]. */
  get time(): number {
    return this.timeBase + (this.steps - this.stepsBase) * this.current.timeStep
  }

  get stats(): Readonly<Stats> {
    this.counters.droppedTime = this.dropped[0]!
    return countLiving(this.counters, this.state)
  }

  /**
   * True once every body sleeps, or has rested for 0.5 s of simulated time although it may not sleep: none of its
   * particles has moved by more than 0.5 mm or 0.1% of the body's size since, and its centre of mass by a quarter of that.
   * What lies on something may have moved by five times as much, its centre of mass by half of that, in 1 s.
   */
  atRest(): boolean {
    this.flush()
    return isAtRest(this.state)
  }

  private disturb(): void {
    if (this.host.sweep !== 0) return
    for (let k = 0; k < this.disturbed.count; k++) this.disturbed.at(k)?.()
    this.disturbed.tidy()
  }

  /** Measures the stages of each step by `source` [s], from zero; null stops. Unless measured, a step asks for no time. */
  measure(source: TimeSource | null): void {
    if (source !== null) checkCallback('SoftBodyWorld', 'measure', source)
    this.times.use(source)
  }

  /** Copies the time that each of `stages` has taken since `measure` [s]. */
  readStageTimes(out: Float64Array = new Float64Array(stages.length)): Float64Array {
    checkTarget('SoftBodyWorld', 'readStageTimes', out, stages.length)
    for (let k = 0; k < stages.length; k++) out[k] = this.times.seconds[k]!
    return out
  }

  /**
   * Copies the contacts that pushed in the last substep, six numbers each: the point [m] and the collider's normal.
   * Returns how many there are; `out` takes as many as it has room for. None where bodies have changed since.
   */
  readContacts(out: Float64Array): number {
    checkTarget('SoftBodyWorld', 'readContacts', out, 0)
    this.flush()
    return this.solver.readContacts(this.state, out)
  }

  /** Wakes every body. */
  wake(): void {
    this.flush()
    wakeAll(this.state)
    this.disturb()
  }

  /** Everything that the next step depends on. */
  snapshot(): Snapshot {
    this.flush()
    const snapshot = takeSnapshot(this.state, this.current, this.steps, this.time, this.clock.remaining)
    this.snapshots.add(snapshot)
    return snapshot
  }

  /**
   * Back to a snapshot of this world: stepping on gives the same bits. The world's settings stay, and what has gone since
   * stays away; what has come since is left where it is, and so is a body that was saved in a state that is not finite,
   * which is counted in `stats.nonFiniteRescues`. What slept wakes where any of that acts on it, and so does a body that is
   * left. @throws SettingError for what is none of this world
   */
  restore(snapshot: Snapshot): void {
    if (!this.snapshots.has(snapshot)) {
      const remedy = 'Give what its snapshot() has returned, itself, not a copy.'
      throw new SettingError('SoftBodyWorld', 'restore', snapshot, 'is no snapshot of this world', remedy)
    }
    this.flush()
    this.counters.nonFiniteRescues += restoreSnapshot(this.state, snapshot, this.current)
    this.steps = snapshot.steps
    this.timeBase += snapshot.time - this.time
    this.clock.reset(snapshot.leftover)
    this.disturb()
    this.tell()
  }

  /** Puts every body back to its initial pose, at rest and whole, and the clock to zero. Settings, pins and colliders stay. */
  reset(): void {
    this.flush()
    resetState(this.state)
    this.steps = 0
    this.stepsBase = 0
    this.timeBase = 0
    this.clock.reset()
    this.disturb()
    this.tell()
  }

  /** Removes everything; later calls step nothing. */
  dispose(): void {
    for (const body of this.bodies.slice()) body.remove()
    for (const collider of this.colliders.slice()) collider.remove()
    this.flush()
    this.before.clear()
    this.after.clear()
    this.unstable.clear()
    this.solver.dispose()
    this.disposed = true
    this.tell()
  }
}

function keep<T>(list: T[], test: (item: T) => boolean): void {
  let to = 0
  for (const item of list) if (test(item)) list[to++] = item
  list.length = to
}

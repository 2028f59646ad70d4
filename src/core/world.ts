import { Body } from './body.js'
import { checkedBodySettings } from './checks.js'
import { Clock } from './clock.js'
import { Collider, type ColliderSettings, colliderSettings } from './collider.js'
import type { ColliderShape } from './collision/shape.js'
import { apply, type Command } from './commands.js'
import { createStats, type Stats } from './counters.js'
import type { Host } from './host.js'
import { normalized } from './math/quaternion.js'
import type { Model } from './model.js'
import { RestWatch } from './rest.js'
import { type BodySettings, bodySettings, type WorldSettings, worldSettings } from './settings.js'
import { restoreSnapshot, type Snapshot, takeSnapshot } from './snapshot.js'
import type { Solver } from './solver.js'
import { StageTimes, type TimeSource } from './stageTimes.js'
import { type BodyRecord, State, UNSTABLE } from './state.js'
import { defaultsOf, merged, settled, validateSettings } from './validation.js'

/** Called at a step's boundary with the length of a step [s]. */
export type StepCallback = (world: World, timeStep: number) => void

/** Why the engine had to step in: turned inside out, no longer finite, faster than `maxSpeed`. */
export type UnstableReason = 'inverted' | 'nonFinite' | 'speed'

/** Called after a step in which a guard acted on a body. */
export type UnstableCallback = (body: Body, reason: UnstableReason) => void

const reasons: readonly (readonly [number, UnstableReason])[] = [
  [UNSTABLE.INVERTED, 'inverted'],
  [UNSTABLE.NON_FINITE, 'nonFinite'],
  [UNSTABLE.SPEED, 'speed'],
]

/** What has not moved for this long rests [s]. */
const REST_TIME = 0.25

/** Bodies, colliders and the clock. Commands given between steps take effect at the next step, or when read. */
export class World {
  private current: WorldSettings
  private readonly state = new State()
  private readonly clock = new Clock()
  private readonly dropped = new Float64Array(1)
  private readonly counters = createStats()
  private readonly times = new StageTimes()
  private readonly rest = new RestWatch()
  /** The step at which something last moved. */
  private movedAt = 0
  private readonly disturbed: (() => void)[] = []
  private readonly queue: Command[] = []
  private readonly before: StepCallback[] = []
  private readonly after: StepCallback[] = []
  private readonly unstable: UnstableCallback[] = []
  /** Not 0 where a callback was stopped within a step. */
  private readonly stopped = new Uint8Array(1)
  /** Time at which the present length of a step came in [s], and the step's index then. */
  private timeBase = 0
  private stepsBase = 0
  private readonly handles: Body[] = []
  private readonly handleOf = new WeakMap<BodyRecord, Body>()
  private readonly colliderHandles: Collider[] = []
  private readonly host: Host
  /** Kept as they are handed out, since a number handed to a callback is allocated otherwise. */
  private callbackArguments: [World, number]
  private steps = 0
  private disposed = false

  /** @throws SettingError for a setting outside its range */
  constructor(
    settings: Partial<WorldSettings>,
    private readonly solver: Solver,
  ) {
    validateSettings('SoftBodyWorld', settings, worldSettings)
    this.current = settled(merged(defaultsOf<WorldSettings>(worldSettings), settings))
    this.callbackArguments = [this, this.current.timeStep]
    this.host = {
      state: this.state,
      send: (command) => {
        this.queue.push(command)
        this.disturb()
      },
      disturb: () => this.disturb(),
      flush: () => this.flush(),
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
    this.current = next
    this.callbackArguments = [this, this.current.timeStep]
    this.disturb()
  }

  /** Adds a body in the model's rest shape at the settings' pose, at rest. @throws SettingError */
  addBody(model: Model, settings: Partial<BodySettings> = {}): Body {
    const defaults: BodySettings = { ...defaultsOf<Omit<BodySettings, 'elastic'>>(bodySettings), elastic: {} }
    const checked = checkedBodySettings(model, merged(defaults, settings))
    this.flush()
    const record = this.state.addBody(model, checked)
    const body = new Body(this.host, record)
    this.handleOf.set(record, body)
    this.handles.push(body)
    this.disturb()
    return body
  }

  /** Adds a collider. @throws SettingError */
  addCollider(shape: ColliderShape, settings: Partial<ColliderSettings> = {}): Collider {
    validateSettings(settings.name ?? 'Collider', settings, colliderSettings)
    const { name, position, rotation, ...surface } = settled(merged(defaultsOf(colliderSettings), settings))
    this.flush()
    const pose = Float64Array.from([...position, ...normalized(rotation)])
    const record = this.state.colliders.add((handle) => ({
      ...handle,
      shape,
      ...surface,
      pose,
      target: pose.slice(),
      goal: pose.slice(),
      sweep: 1,
    }))
    const collider = new Collider(this.host, record, name)
    this.colliderHandles.push(collider)
    this.disturb()
    return collider
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
   * Lets `seconds` of a frame pass: runs the fixed steps that are due, at most `maxSteps`, and returns how many. Time
   * beyond is dropped and counted in `stats.droppedTime`. A paused world takes no time, but carries out commands.
   */
  advance(seconds: number): number {
    this.flush()
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
    this.state.spread(steps)
    for (let k = 0; k < steps; k++) this.singleStep()
  }

  private singleStep(): void {
    const world = this.callbackArguments[0]
    const timeStep = this.callbackArguments[1]
    this.host.sweep = 1 // what a callback asks for is reached within this step
    try {
      for (let k = 0; k < this.before.length; k++) this.before[k]!(world, timeStep)
      this.flush()
      this.state.aim()
      this.solver.step(this.state, this.current, this.counters, this.times)
      this.steps++
      this.tellUnstable()
      for (let k = 0; k < this.after.length; k++) this.after[k]!(world, timeStep)
      this.flush()
    } finally {
      this.host.sweep = 0
    }
    if (this.stopped[0]) this.dropStopped()
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
    this.counters.bodies = this.state.bodies.live.length
    this.counters.colliders = this.state.colliders.live.length
    let particles = 0
    for (let b = 0; b < this.state.bodies.live.length; b++) particles += this.state.bodies.live[b]!.model.particleCount
    this.counters.particles = particles
    return this.counters
  }

  /**
   * True once nothing has moved visibly for 0.25 s of simulated time: no particle by more than 0.5 mm or 0.1% of its
   * body's size. Ask after every frame's steps; who does not ask pays nothing.
   */
  atRest(): boolean {
    this.flush()
    if (!this.rest.isStill(this.state)) this.movedAt = this.steps
    return (this.steps - this.movedAt) * this.current.timeStep >= REST_TIME
  }

  /**
   * Calls `callback` whenever something from outside may set in motion what rests: a command, a setting, a body or a
   * collider that comes, moves or goes. What the callbacks of a step do is not counted. Returns what stops it.
   */
  onDisturb(callback: () => void): () => void {
    this.disturbed.push(callback)
    return () => keep(this.disturbed, (other) => other !== callback)
  }

  private disturb(): void {
    if (this.host.sweep !== 0) return
    this.rest.disturb()
    for (let k = 0; k < this.disturbed.length; k++) this.disturbed[k]!()
  }

  /** Measures the stages of each step by `source` [s], from zero; null stops. Unless measured, a step asks for no time. */
  measure(source: TimeSource | null): void {
    this.times.use(source)
  }

  /** Copies the time that each of `stages` has taken since `measure` [s]. */
  readStageTimes(out: Float64Array): Float64Array {
    out.set(this.times.seconds)
    return out
  }

  /**
   * Copies the contacts that pushed in the last substep, six numbers each: the point [m] and the collider's normal.
   * Returns how many there are; `out` takes as many as it has room for. None where bodies have changed since.
   */
  readContacts(out: Float64Array): number {
    this.flush()
    return this.solver.readContacts(this.state, out)
  }

  /** Calls `callback` before each fixed step; returns what stops it. */
  onBeforeStep(callback: StepCallback): () => void {
    return this.listen(this.before, callback)
  }

  /**
   * Calls `callback` after each fixed step for each body that a guard acted on, and each reason: 'inverted' where it had
   * turned inside out and is being put right, 'nonFinite' where it was put back to its last finite state, 'speed' where
   * particles were faster than `maxSpeed`. Returns what stops it. What all guards did is counted in `stats`.
   */
  onUnstable(callback: UnstableCallback): () => void {
    const entry: UnstableCallback = (body, reason) => callback(body, reason)
    this.unstable.push(entry)
    return () => keep(this.unstable, (other) => other !== entry)
  }

  private tellUnstable(): void {
    const { live } = this.state.bodies
    for (let b = 0; b < live.length; b++) {
      const record = live[b]!
      if (record.unstable === 0) continue
      const { unstable } = record
      record.unstable = 0
      const body = this.handleOf.get(record)!
      for (const [bit, reason] of reasons) {
        if ((unstable & bit) !== 0) for (const callback of this.unstable.slice()) callback(body, reason)
      }
    }
  }

  /** Calls `callback` after each fixed step; returns what stops it. */
  onAfterStep(callback: StepCallback): () => void {
    return this.listen(this.after, callback)
  }

  private listen(list: StepCallback[], callback: StepCallback): () => void {
    const entry: StepCallback = (world, timeStep) => callback(world, timeStep)
    list.push(entry)
    return () => {
      const at = list.indexOf(entry)
      if (at < 0) return
      // The list may be being walked: the others must keep their places until the step is over.
      list[at] = silence
      if (this.host.sweep === 0) this.dropStopped()
      else this.stopped[0] = 1
    }
  }

  private dropStopped(): void {
    keep(this.before, (callback) => callback !== silence)
    keep(this.after, (callback) => callback !== silence)
    this.stopped[0] = 0
  }

  /** Everything that the next step depends on. */
  snapshot(): Snapshot {
    this.flush()
    return takeSnapshot(this.state, this.steps, this.time, this.clock.remaining)
  }

  /**
   * Back to a snapshot of this world: stepping on gives the same bits. Bodies, colliders and attachments that have gone
   * since stay away; those that have come since are left as they are, and so is a body that was saved in a state that is
   * not finite, which is counted in `stats.nonFiniteRescues`.
   */
  restore(snapshot: Snapshot): void {
    this.flush()
    this.counters.nonFiniteRescues += restoreSnapshot(this.state, snapshot)
    this.steps = snapshot.steps
    this.timeBase += snapshot.time - this.time
    this.clock.reset(snapshot.leftover)
    this.disturb()
  }

  /** Puts every body back to its initial pose, at rest, and the clock to zero. Settings, pins and colliders stay. */
  reset(): void {
    this.flush()
    for (const body of this.state.bodies.live) this.state.place(body, body.settings.position, body.settings.rotation)
    for (const attachment of this.state.attachments.live) attachment.from.set(attachment.goal)
    this.steps = 0
    this.stepsBase = 0
    this.timeBase = 0
    this.clock.reset()
    this.disturb()
  }

  /** Removes everything; later calls step nothing. */
  dispose(): void {
    for (const body of this.bodies.slice()) body.remove()
    for (const collider of this.colliders.slice()) collider.remove()
    this.flush()
    this.before.length = 0
    this.after.length = 0
    this.unstable.length = 0
    this.solver.dispose()
    this.disposed = true
  }
}

function silence(): void {
  // Stands where a callback was.
}

function keep<T>(list: T[], test: (item: T) => boolean): void {
  let to = 0
  for (const item of list) if (test(item)) list[to++] = item
  list.length = to
}

import { Body, checkedBodySettings } from './body.js'
import { Clock } from './clock.js'
import { Collider, type ColliderSettings, colliderSettings } from './collider.js'
import type { ColliderShape } from './collision/shape.js'
import { apply, type Command } from './commands.js'
import { createStats, type Stats } from './counters.js'
import type { Host } from './host.js'
import { normalized } from './math/quaternion.js'
import type { Model } from './model.js'
import { type BodySettings, bodySettings, type WorldSettings, worldSettings } from './settings.js'
import { restoreSnapshot, type Snapshot, takeSnapshot } from './snapshot.js'
import type { Solver } from './solver.js'
import { State } from './state.js'
import { defaultsOf, merged, settled, validateSettings } from './validation.js'

/** Called at a step's boundary with the length of a step [s]. */
export type StepCallback = (world: World, timeStep: number) => void

/** Bodies, colliders and the clock. Commands given between steps take effect at the next step, or when read. */
export class World {
  private current: WorldSettings
  private readonly state = new State()
  private readonly clock = new Clock()
  private readonly dropped = new Float64Array(1)
  private readonly counters = createStats()
  private readonly queue: Command[] = []
  private readonly before: StepCallback[] = []
  private readonly after: StepCallback[] = []
  /** Not 0 where a callback was stopped within a step. */
  private readonly stopped = new Uint8Array(1)
  /** Time at which the present length of a step came in [s], and the step's index then. */
  private timeBase = 0
  private stepsBase = 0
  private readonly handles: Body[] = []
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
      send: (command) => void this.queue.push(command),
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
  }

  /** Adds a body in the model's rest shape at the settings' pose, at rest. @throws SettingError */
  addBody(model: Model, settings: Partial<BodySettings> = {}): Body {
    const defaults: BodySettings = { ...defaultsOf<Omit<BodySettings, 'elastic'>>(bodySettings), elastic: {} }
    const checked = checkedBodySettings(model, merged(defaults, settings))
    this.flush()
    const body = new Body(this.host, this.state.addBody(model, checked))
    this.handles.push(body)
    return body
  }

  /** Adds a collider. @throws SettingError */
  addCollider(shape: ColliderShape, settings: Partial<ColliderSettings> = {}): Collider {
    validateSettings(settings.name ?? 'Collider', settings, colliderSettings)
    const { name, position, rotation, friction, restitution } = merged(defaultsOf(colliderSettings), settings)
    this.flush()
    const pose = Float64Array.from([...position, ...normalized(rotation)])
    const record = this.state.colliders.add((handle) => ({
      ...handle,
      shape,
      friction,
      restitution,
      pose,
      target: pose.slice(),
      goal: pose.slice(),
      sweep: 1,
    }))
    const collider = new Collider(this.host, record, name)
    this.colliderHandles.push(collider)
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
      this.solver.step(this.state, this.current, this.counters)
      this.steps++
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

  /** Calls `callback` before each fixed step; returns what stops it. */
  onBeforeStep(callback: StepCallback): () => void {
    return this.listen(this.before, callback)
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
   * since stay away; those that have come since are left as they are.
   */
  restore(snapshot: Snapshot): void {
    this.flush()
    restoreSnapshot(this.state, snapshot)
    this.steps = snapshot.steps
    this.timeBase += snapshot.time - this.time
    this.clock.reset(snapshot.leftover)
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
  }

  /** Removes everything; later calls step nothing. */
  dispose(): void {
    for (const body of this.bodies.slice()) body.remove()
    for (const collider of this.colliders.slice()) collider.remove()
    this.flush()
    this.before.length = 0
    this.after.length = 0
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

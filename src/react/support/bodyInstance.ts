import type { BufferGeometry, Mesh, Object3D } from 'three'
import type { Body } from '../../headless.js'
import { warnOfAssumption, warnOfCount } from './assumption.js'
import { BodyHolds } from './bodyHolds.js'
import { meshesBelow, stillBelow } from './bodyMeshes.js'
import type { BodyOptions } from './bodyOptions.js'
import type { LivePose } from './bodyPose.js'
import { type BodySource, type MeshOrigin, namesOf, readSource } from './bodySource.js'
import { ContactHandlers } from './contactHandlers.js'
import { sourceOf } from './instanceGeometry.js'
import { meshError } from './meshChecks.js'
import type { Shape } from './modelCache.js'
import { warnOnce } from './propKeeper.js'
import { type RestPose, readRestPose } from './restPose.js'
import { RunningBody } from './runningBody.js'
import { enlist, type WorldRuntime } from './worldRuntime.js'

const noMeshes: readonly Mesh[] = []

/** What becomes of a body whose mesh is gone, where there is another of which none can be made. */
const GONE = 'There is no body until there is a mesh that can be one.'

/** Ties a body of the engine to the meshes that show it, from mount to unmount. */
export class BodyInstance {
  readonly holds: BodyHolds
  private readonly handlers: ContactHandlers
  /** Called after the body is made, made anew or teleported by its props. */
  readonly placed: (() => void)[] = []
  /** What the body is made from: selectors speak of it. */
  source: BodySource | null = null
  private root: Object3D | null = null
  private running: RunningBody | null = null
  private delist: (() => void) | null = null
  private leaveJob: (() => void) | null = null
  /** From a mount that has not failed until the unmount, with or without a mesh. */
  private mounted = false
  private leaving = false
  /** True where the last shape that was asked for could be made, and the settings did not go with it. */
  private misfits = false
  private builtKey = ''
  /** The geometries that a body was last asked for of, whether it could be made or not. */
  private asked: readonly BufferGeometry[] = []
  private readonly said = new Set<string>()

  constructor(
    readonly runtime: WorldRuntime,
    readonly component: string,
    public options: BodyOptions,
    private readonly fail: (error: unknown) => void,
  ) {
    this.holds = new BodyHolds(this)
    this.handlers = new ContactHandlers(runtime, component)
    this.handlers.update(options.handlers)
  }

  get body(): Body | null {
    return this.running?.body ?? null
  }

  /** The meshes that show the body, in the order of the scene. */
  get meshes(): readonly Mesh[] {
    return this.source?.meshes ?? noMeshes
  }

  /** The geometry that frames write into, of the first mesh. */
  get geometry(): BufferGeometry | null {
    return this.running?.drawn.meshes[0]!.geometry ?? null
  }

  /** Positions as they are drawn [3 n] m, in the world. Read only. */
  get drawn(): Float64Array | null {
    return this.running?.drawn.particles ?? null
  }

  get shape(): Shape | null {
    return this.running?.shape ?? null
  }

  /** Starts with the meshes at or below `root`. @throws Error for one that cannot be simulated, or if there is none */
  mount(root: Object3D): void {
    const stays = this.leaving && root === this.root
    this.leaving = false
    if (stays) return
    this.end()
    this.root = root
    this.mounted = true
    try {
      this.begin(this.read(root))
    } catch (error) {
      this.unmount() // no cleanup follows an effect that throws
      throw error
    }
  }

  /**
   * Unmounts at the end of the current task, unless it is mounted again before: StrictMode does so, also to a body that
   * a Suspense boundary had hidden, and the body should go on as if nothing had been.
   */
  leave(): void {
    this.leaving = true
    queueMicrotask(() => {
      if (this.leaving) this.unmount()
    })
  }

  private unmount(): void {
    this.leaving = false
    this.mounted = false
    this.handlers.follow(null)
    this.hide()
    this.root = null
  }

  /** Goes on with what the ref of the mesh holds now: React has made another mesh, or none. */
  follow(root: Object3D | null): void {
    if (root === this.root || this.leaving || !this.mounted) return
    this.root = root
    try {
      if (root) this.rebuild(this.read(root))
      else this.hide()
    } catch (error) {
      this.hide()
      warnOnce(this.said, error, GONE)
    }
  }

  /** Takes over new props: live ones with the next step, others by a teleport or a rebuild. */
  update(options: BodyOptions): void {
    const last = this.options
    this.options = options
    this.handlers.update(options.handlers)
    const { root, mounted } = this
    if (!this.source && root && mounted && !isSame(this.asked, geometriesOf(meshesBelow(root)))) {
      // What could not be made a body of has another geometry now.
      this.attempt(() => this.begin(this.read(root)))
    }
    if (!this.source) return
    this.attempt(() => {
      if (this.hasChanged() || options.builder.key !== this.builtKey) this.rebuildOrStay()
      else if (options.poseKey !== last.poseKey) this.moved()
    })
    const { running } = this
    if (running) {
      this.attempt(() => running.apply(options.settings(running.shape.model)))
      this.attempt(() => this.holds.set(this, options.pins, [this.component, 'pins']))
    }
    this.runtime.invalidate()
  }

  private attempt(change: () => void): void {
    try {
      change()
    } catch (error) {
      this.warn(error)
    }
  }

  private warn(error: unknown): void {
    warnOnce(this.said, error, this.running || this.leaveJob ? undefined : GONE)
  }

  /** Writes the state of the simulation into the meshes. */
  sync(interpolated: boolean): void {
    const { running } = this
    if (running ? this.hasChanged() : this.hasOtherMeshes()) this.adopt()
    else running?.drawn.write(running.body, interpolated)
  }

  private read(root: Object3D): BodySource {
    this.asked = geometriesOf(meshesBelow(root))
    return readSource(this.component, root, this.origin)
  }

  private get origin(): MeshOrigin {
    return this.options.origin ?? { prop: 'children' }
  }

  /** Whether somebody has given the body other meshes, or one of them another geometry. */
  private hasChanged(): boolean {
    const { source, running } = this
    if (!source) return false
    if (this.hasOtherMeshes()) return true
    if (running) return !running.drawn.shows()
    return !isSame(this.asked, geometriesOf(source.found))
  }

  private hasOtherMeshes(): boolean {
    const { root, source } = this
    return root !== null && source !== null && !stillBelow(root, source.found)
  }

  private begin(source: BodySource, kept?: LivePose): void {
    const { runtime, options } = this
    const { builder } = options
    const pose = readRestPose(this.component, source.frame)
    const shape = this.shapeNow(source, pose)
    this.source = source
    this.delist ??= enlist(runtime.bodies, this as BodyInstance)
    this.builtKey = builder.key
    if (shape) {
      this.finish(shape, pose, kept)
      return
    }
    const job = builder.later(source.geometry, pose)
    this.leaveJob = job.leave
    void this.arriveLater(job.done, pose, kept)
  }

  private async arriveLater(done: Promise<Shape | undefined>, pose: RestPose, kept?: LivePose): Promise<void> {
    try {
      const shape = await done
      if (shape) this.arrive(shape, pose, kept)
    } catch (error) {
      if (kept) {
        if (this.misfits) this.builtKey = ''
        warnOnce(this.said, this.named(error))
        return
      }
      this.end()
      this.fail(this.named(error))
    }
  }

  /** A shape that was built in slices: its meshes may have been moved or changed meanwhile. */
  private arrive(shape: Shape, pose: RestPose, kept?: LivePose): void {
    this.leaveJob = null
    const now = readRestPose(this.component, this.source!.frame)
    if (now.key !== pose.key || this.hasChanged()) {
      this.begin(this.read(this.root!), kept)
      return
    }
    this.checkSettings(shape)
    this.finish(shape, now, kept)
  }

  private finish(shape: Shape, pose: RestPose, kept?: LivePose): void {
    const { runtime, options, component } = this
    const source = this.source!
    warnOfAssumption(component, source, shape)
    warnOfCount(component, source, shape, options.builder.tetCount)
    const settings = options.settings(shape.model)
    this.running = new RunningBody(runtime.world, component, source, shape, pose, settings)
    runtime.owners.set(this.running.body, this)
    this.handlers.follow(this.running.body)
    if (kept) this.running.goOn(kept)
    this.holds.apply(kept !== undefined)
    this.holds.set(this, options.pins, [this.component, 'pins'])
    this.announce()
  }

  private end(): void {
    this.leaveJob?.()
    this.leaveJob = null
    this.running?.remove()
    this.running = null
  }

  /**
   * Made anew from what is shown now, where the body is now.
   * @throws Error for a mesh that cannot be simulated, and then nothing has changed
   */
  private rebuild(source: BodySource): void {
    this.misfits = false
    const pose = readRestPose(this.component, source.frame)
    const shape = this.shapeNow(source, pose)
    if (!shape && this.running && !this.hasChanged()) {
      void this.replaceLater(pose)
      return
    }
    if (shape) this.checkSettings(shape)
    const kept = this.running?.poseFor(source, this.root!)
    this.end()
    this.begin(source, kept)
  }

  /** The body goes on as it is while another shape of its geometry is built in slices. */
  private async replaceLater(pose: RestPose): Promise<void> {
    this.leaveJob?.()
    this.builtKey = this.options.builder.key
    const { done, leave } = this.options.builder.later(this.source!.geometry, pose)
    this.leaveJob = leave
    try {
      if (await done) this.rebuild(this.read(this.root!))
    } catch (error) {
      warnOnce(this.said, this.named(error))
    }
  }

  /**
   * Made anew, or if that cannot be, as it was: the meshes then show the last body that could be made. One that has lost
   * a mesh ends. With no mesh at all there is none, until there is one again.
   */
  private rebuildOrStay(): void {
    const found = meshesBelow(this.root!)
    if (found.length === 0) {
      this.asked = []
      this.end()
      this.source = { ...this.source!, found, parts: [], meshes: found }
      return
    }
    try {
      this.rebuild(this.read(this.root!))
    } catch (error) {
      // Settings that do not fit may come to fit: then the shape is asked for again.
      if (!this.misfits) this.builtKey = this.options.builder.key
      const source = this.source!
      if (source.meshes.every((mesh) => found.includes(mesh))) this.running?.drawn.show()
      else this.end()
      this.source = { ...source, found, meshes: source.meshes.filter((mesh) => found.includes(mesh)) }
      throw error
    }
  }

  /** Without a mesh there is no body. */
  private hide(): void {
    this.end()
    this.delist?.()
    this.delist = null
    this.source = null
  }

  /** The position, rotation or scale prop has changed. */
  private moved(): void {
    const { running, source } = this
    if (!running || !source) return
    const pose = readRestPose(this.component, source.frame)
    if (pose.key !== running.pose.key) {
      const shape = this.shapeNow(source, pose)
      if (shape) this.checkSettings(shape)
      this.end()
      this.begin(source)
      return
    }
    running.place(pose)
    this.announce()
  }

  /** In a frame: other meshes or other geometries are shown now. */
  private adopt(): void {
    try {
      this.rebuildOrStay()
    } catch (error) {
      this.warn(this.named(error))
    }
  }

  private announce(): void {
    for (const listener of this.placed) listener()
    this.sync(false)
    this.runtime.invalidate()
  }

  /** The shape of a source if it can be had at once. @throws Error when it cannot be simulated */
  private shapeNow(source: BodySource, pose: RestPose): Shape | undefined {
    try {
      return this.options.builder.now(source.geometry, pose)
    } catch (error) {
      throw this.named(error, source)
    }
  }

  /** @throws SettingError for settings that no body of this shape can have */
  private checkSettings({ model }: Shape): void {
    this.misfits = true
    this.runtime.world.checkBody(model, { ...this.options.settings(model), name: this.component })
    this.misfits = false
  }

  /** An error in making a shape, with the prop and the mesh that it is about. */
  private named(error: unknown, source = this.source): Error {
    return meshError(this.component, this.origin.prop, source ? namesOf(source.parts) : [], error)
  }
}

/** The geometries that meshes were given. */
function geometriesOf(meshes: readonly Mesh[]): BufferGeometry[] {
  return meshes.map(({ geometry }) => sourceOf(geometry))
}

function isSame<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, k) => one === b[k])
}

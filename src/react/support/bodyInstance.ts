import type { BufferGeometry, Mesh, Object3D } from 'three'
import type { Body } from '../../headless.js'
import { BodyHolds } from './bodyHolds.js'
import type { BodyOptions } from './bodyOptions.js'
import { capturePose, type LivePose } from './bodyPose.js'
import { DrawnMesh } from './drawnMesh.js'
import { firstMesh, meshBelow } from './firstMesh.js'
import { checkMesh } from './instanceGeometry.js'
import type { Shape } from './modelCache.js'
import { namedError, warnOnce } from './propKeeper.js'
import { type RestPose, readRestPose } from './restPose.js'
import { enlist, type WorldRuntime } from './worldRuntime.js'

/** What there is while a body is part of the simulation. */
interface Running {
  readonly body: Body
  readonly shape: Shape
  readonly pose: RestPose
  readonly drawn: DrawnMesh
  readonly delist: () => void
}

/** Ties a body of the engine to the mesh that shows it, from mount to unmount. */
export class BodyInstance {
  mesh: Mesh | null = null
  readonly holds: BodyHolds
  /** Called after the body is made, made anew or teleported by its props. */
  readonly placed: (() => void)[] = []
  private root: Object3D | null = null
  private source: BufferGeometry | null = null
  private running: Running | null = null
  private leaveJob: (() => void) | null = null
  private leaving = false
  private settingsKey = ''
  private builtKey = ''
  private readonly said = new Set<string>()

  constructor(
    readonly runtime: WorldRuntime,
    readonly component: string,
    public options: BodyOptions,
    private readonly fail: (error: unknown) => void,
  ) {
    this.holds = new BodyHolds(this)
  }

  get body(): Body | null {
    return this.running?.body ?? null
  }

  get geometry(): BufferGeometry | null {
    return this.running?.drawn.geometry ?? null
  }

  /** Positions as they are drawn [3 n] m, in the world. Read only. */
  get drawn(): Float64Array | null {
    return this.running?.drawn.particles ?? null
  }

  get shape(): Shape | null {
    return this.running?.shape ?? null
  }

  /** The geometry that selectors speak of: the one the body is made from. */
  get restGeometry(): BufferGeometry | null {
    return this.source
  }

  /** Starts with the first mesh at or below `root`. @throws Error for a mesh that cannot be simulated */
  mount(root: Object3D): void {
    const stays = this.leaving && root === this.root
    this.leaving = false
    if (stays) return
    this.end()
    this.root = root
    try {
      this.begin(meshBelow(this.component, root))
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
    this.end()
    this.root = null
    this.mesh = null
    this.source = null
  }

  /** Goes on with what the ref of the mesh holds now: React has made another mesh, or none. */
  follow(root: Object3D | null): void {
    if (root === this.root || this.leaving) return
    this.root = root
    try {
      if (root) this.rebuild(meshBelow(this.component, root))
      else this.hide()
    } catch (error) {
      this.hide()
      warnOnce(this.said, error)
    }
  }

  /** Takes over new props: live ones with the next step, others by a teleport or a rebuild. */
  update(options: BodyOptions): void {
    const last = this.options
    this.options = options
    if (!this.root || !this.mesh) return
    try {
      if (this.mesh.geometry !== (this.geometry ?? this.source) || options.builder.key !== this.builtKey) {
        this.rebuildOrStay(this.mesh)
      } else if (options.poseKey !== last.poseKey) this.moved()
      this.applySettings()
      if (this.running) this.holds.set(this, options.pins, [this.component, 'pins'])
    } catch (error) {
      warnOnce(this.said, error)
    }
    this.runtime.invalidate()
  }

  /** Writes the state of the simulation into the mesh. */
  sync(interpolated: boolean): void {
    const { mesh, running } = this
    if (!mesh || !running) return
    if (!running.drawn.shown || (mesh.parent === null && mesh !== this.root)) this.adopt(mesh)
    else running.drawn.write(running.body, interpolated)
  }

  private begin(mesh: Mesh, kept?: LivePose): void {
    const { builder } = this.options
    const pose = readRestPose(this.component, mesh)
    const shape = this.shapeNow(mesh, pose)
    this.mesh = mesh
    this.source = mesh.geometry
    this.builtKey = builder.key
    if (shape) {
      this.finish(shape, pose, kept)
      return
    }
    const job = builder.later(mesh.geometry, pose)
    this.leaveJob = job.leave
    void this.arriveLater(job.done, pose, kept)
  }

  private async arriveLater(done: Promise<Shape | undefined>, pose: RestPose, kept?: LivePose): Promise<void> {
    try {
      const shape = await done
      if (shape) this.arrive(shape, pose, kept)
    } catch (error) {
      if (kept) {
        warnOnce(this.said, namedError(this.component, error))
        return
      }
      this.end()
      this.fail(namedError(this.component, error))
    }
  }

  /** A shape that was built in slices: its mesh may have been moved or changed meanwhile. */
  private arrive(shape: Shape, pose: RestPose, kept?: LivePose): void {
    this.leaveJob = null
    const mesh = this.mesh!
    const now = readRestPose(this.component, mesh)
    if (now.key === pose.key && mesh.geometry === this.source) this.finish(shape, now, kept)
    else this.begin(mesh, kept)
  }

  private finish(shape: Shape, pose: RestPose, kept?: LivePose): void {
    const { runtime, options } = this
    const mesh = this.mesh!
    const settings = options.settings(shape.model)
    this.settingsKey = JSON.stringify(settings)
    const body = runtime.world.addBody(shape.model, {
      ...settings,
      name: this.component,
      position: pose.position,
      rotation: pose.rotation,
    })
    const drawn = new DrawnMesh(mesh, this.source!, shape)
    this.running = { body, shape, pose, drawn, delist: enlist(runtime.bodies, this as BodyInstance) }
    if (kept) {
      body.teleport(kept.position, kept.rotation)
      body.setVelocity(kept.velocity)
    }
    this.holds.apply(kept !== undefined)
    this.holds.set(this, options.pins, [this.component, 'pins'])
    this.announce()
  }

  private end(): void {
    this.leaveJob?.()
    this.leaveJob = null
    const { running } = this
    if (!running) return
    this.running = null
    running.delist()
    running.body.remove()
    running.drawn.dispose()
  }

  /**
   * Made anew from what `mesh` shows now, where the body is now.
   * @throws Error for a mesh that cannot be simulated, and then nothing has changed
   */
  private rebuild(mesh: Mesh): void {
    const pose = readRestPose(this.component, mesh)
    const shape = this.shapeNow(mesh, pose)
    if (!shape && this.running && mesh.geometry === this.geometry) {
      void this.replaceLater(pose)
      return
    }
    const kept = this.running ? capturePose(this.running.body) : undefined
    this.end()
    this.begin(mesh, kept)
  }

  /** The body goes on as it is while another shape of its geometry is built in slices. */
  private async replaceLater(pose: RestPose): Promise<void> {
    this.leaveJob?.()
    this.builtKey = this.options.builder.key
    const { done, leave } = this.options.builder.later(this.source!, pose)
    this.leaveJob = leave
    try {
      if (await done) this.rebuild(this.mesh!)
    } catch (error) {
      warnOnce(this.said, namedError(this.component, error))
    }
  }

  /** Made anew, or if that cannot be, as it was: the mesh then shows the last body that could be made. */
  private rebuildOrStay(mesh: Mesh): void {
    try {
      this.rebuild(mesh)
    } catch (error) {
      this.builtKey = this.options.builder.key
      if (this.geometry) mesh.geometry = this.geometry
      throw error
    }
  }

  /** Without a mesh there is no body. */
  private hide(): void {
    this.end()
    this.mesh = null
    this.source = null
  }

  /** The position, rotation or scale prop has changed. */
  private moved(): void {
    const { running, mesh } = this
    if (!running || !mesh) return
    const pose = readRestPose(this.component, mesh)
    if (pose.key !== running.pose.key) {
      this.shapeNow(mesh, pose)
      this.end()
      this.begin(mesh)
      return
    }
    const { position, rotation } = pose
    running.body.set({ position, rotation })
    running.body.teleport(position, rotation)
    this.announce()
  }

  /** In a frame: another geometry or another mesh is shown now. A mesh that cannot be simulated is shown as it is. */
  private adopt(mesh: Mesh): void {
    const stays = mesh.parent !== null || mesh === this.root
    try {
      const next = stays ? mesh : this.root && firstMesh(this.root)
      if (stays) this.rebuildOrStay(mesh)
      else if (next) this.rebuild(next)
    } catch (error) {
      if (!stays) this.end()
      warnOnce(this.said, namedError(this.component, error))
    }
  }

  private applySettings(): void {
    if (!this.running) return
    const settings = this.options.settings(this.running.shape.model)
    const key = JSON.stringify(settings)
    if (key === this.settingsKey) return
    this.running.body.set(settings)
    this.settingsKey = key
  }

  private announce(): void {
    for (const listener of this.placed) listener()
    this.sync(false)
    this.runtime.invalidate()
  }

  /** The shape of what `mesh` shows, if it can be had at once. @throws Error when it cannot be simulated */
  private shapeNow(mesh: Mesh, pose: RestPose): Shape | undefined {
    checkMesh(this.component, mesh)
    // Its own geometry is the deformed one: the shape comes from the one that it was made from.
    const source = mesh.geometry === this.geometry ? this.source! : mesh.geometry
    try {
      return this.options.builder.now(source, pose)
    } catch (error) {
      throw namedError(this.component, error)
    }
  }
}

import type { BufferGeometry, Mesh, Object3D } from 'three'
import type { Body, BodySettings, Model } from '../../headless.js'
import type { PinSelector } from '../types.js'
import { BodyHolds } from './bodyHolds.js'
import { capturePose, type LivePose } from './bodyPose.js'
import { DrawnMesh } from './drawnMesh.js'
import { firstMesh } from './firstMesh.js'
import { checkMesh } from './instanceGeometry.js'
import type { Shape } from './modelCache.js'
import { warnOnce } from './propKeeper.js'
import { type RestPose, restPose } from './restPose.js'
import { enlist, type WorldRuntime } from './worldRuntime.js'

/** Makes the shape of a body from the geometry that its mesh shows. */
export interface ShapeBuilder {
  /** Equal for equal shapes of one geometry: another key is a rebuild. */
  readonly key: string
  /** The shape if it can be had at once. */
  now(geometry: BufferGeometry, pose: RestPose): Shape | undefined
  /** The shape otherwise; undefined after `leave`. */
  later(geometry: BufferGeometry, pose: RestPose): { done: Promise<Shape | undefined>; leave: () => void }
}

/** What the props say of a body, renewed with every render. */
export interface BodyOptions {
  readonly builder: ShapeBuilder
  /** Equal while position, rotation and scale props are: another key is a teleport, or a rebuild for the scale. */
  readonly poseKey: string
  settings(model: Model): Partial<BodySettings>
  readonly pins: PinSelector | undefined
  readonly grabbable: boolean
  readonly pokeForce: number
  readonly grabForce: number | undefined
}

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
    this.root = root
    try {
      this.begin(this.findMesh(root))
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

  /** Takes over new props: live ones with the next step, others by a teleport or a rebuild. */
  update(options: BodyOptions): void {
    const last = this.options
    this.options = options
    if (!this.root || !this.mesh) return
    try {
      if (this.mesh.geometry !== (this.geometry ?? this.source) || options.builder.key !== this.builtKey) {
        this.rebuild(this.mesh)
      } else if (options.poseKey !== last.poseKey) this.moved()
      this.applySettings()
      if (this.running) this.holds.set(this, options.pins)
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
    checkMesh(this.component, mesh)
    this.mesh = mesh
    this.source = mesh.geometry
    const { builder } = this.options
    this.builtKey = builder.key
    const pose = this.poseOf(mesh)
    const shape = this.built(() => builder.now(mesh.geometry, pose))
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
      this.end()
      this.fail(this.named(error))
    }
  }

  /** A shape that was built in slices: its mesh may have been moved or changed meanwhile. */
  private arrive(shape: Shape, pose: RestPose, kept?: LivePose): void {
    this.leaveJob = null
    const mesh = this.mesh!
    const now = this.poseOf(mesh)
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
    this.holds.set(this, options.pins)
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

  /** Made anew from what `mesh` shows now, where the body is now. */
  private rebuild(mesh: Mesh): void {
    const kept = this.running ? capturePose(this.running.body) : undefined
    this.end()
    this.begin(mesh, kept)
  }

  /** The position, rotation or scale prop has changed. */
  private moved(): void {
    const { running, mesh } = this
    if (!running || !mesh) return
    const pose = this.poseOf(mesh)
    if (pose.key !== running.pose.key) {
      this.end()
      this.begin(mesh)
      return
    }
    const { position, rotation } = pose
    running.body.set({ position, rotation })
    running.body.teleport(position, rotation)
    this.announce()
  }

  /** In a frame: another geometry or another mesh is shown now. What cannot be simulated is shown at rest. */
  private adopt(mesh: Mesh): void {
    try {
      if (mesh.parent !== null || mesh === this.root) this.rebuild(mesh)
      else {
        const next = this.root && firstMesh(this.root)
        if (next) this.rebuild(next)
      }
    } catch (error) {
      this.end()
      console.warn(this.named(error).message)
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

  private poseOf(mesh: Mesh): RestPose {
    mesh.updateWorldMatrix(true, false)
    const pose = restPose(mesh.matrixWorld)
    if (!pose) throw new Error(`<${this.component}> scale: the body is flat or not finite. Use scales other than 0.`)
    return pose
  }

  private findMesh(root: Object3D): Mesh {
    const mesh = firstMesh(root)
    if (mesh) return mesh
    throw new Error(
      `<${this.component}>: there is no mesh below it. Give it a <mesh> or a geometry; a <Suspense> goes outside of it.`,
    )
  }

  private built<T>(build: () => T): T {
    try {
      return build()
    } catch (error) {
      throw this.named(error)
    }
  }

  private named(error: unknown): Error {
    const message = error instanceof Error ? error.message : String(error)
    return message.startsWith('<') ? (error as Error) : new Error(`<${this.component}>: ${message}`, { cause: error })
  }
}

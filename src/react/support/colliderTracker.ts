import { Matrix4, type Object3D } from 'three'
import {
  type Collider,
  type ColliderSettings,
  type ColliderShape,
  type CollisionGroups,
  colliderSettings,
  SettingError,
  type Vec3,
} from '../../headless.js'
import type { SurfaceProps } from '../types.js'
import { ContactHandlers } from './contactHandlers.js'
import { warnOnce } from './propKeeper.js'
import { notFinite } from './restPose.js'
import { RigidPose } from './rigidPose.js'
import { shapeAt } from './shapeAt.js'
import { refreshWorldMatrix } from './worldMatrix.js'
import { enlist, type FrameReader, type WorldRuntime } from './worldRuntime.js'

/** What a collider is besides where it is. */
export type ColliderOptions = SurfaceProps & (GivenShape | ReadShape)

interface GivenShape {
  /** Equal for equal shapes at the same scale. */
  readonly key: string
  /** True where the scale must be the same along all axes. */
  readonly uniform: boolean
  readonly shape: (scale: Vec3) => ColliderShape
  readonly read?: undefined
}

/** A shape that is costly to make. It takes a scale that is the same along all axes, and no mirror. */
interface ReadShape {
  /** True where what is below the collider may change the shape in any frame. */
  readonly watched?: boolean
  /** The shape at scale 1, read from below the object: the same one until something changes. */
  readonly read: (object: Object3D) => ColliderShape
}

/** Ties a collider of the engine to an object of the scene: where the object moves, it sweeps. */
export class ColliderTracker implements FrameReader {
  private object: Object3D | null = null
  private collider: Collider | null = null
  private readonly pose = new RigidPose()
  private readonly next = new RigidPose()
  private readonly last = new Matrix4()
  private readonly said = new Set<string>()
  /** The step before which the collider was mounted: what moves it until then puts it there without a sweep. */
  private firstStep = 0
  /** What a shape that is read was read as last. */
  private known: ColliderShape | null = null
  private readonly handlers: ContactHandlers

  constructor(
    private readonly runtime: WorldRuntime,
    private readonly component: string,
    private options: ColliderOptions,
  ) {
    this.handlers = new ContactHandlers(runtime, component)
    this.handlers.update(options)
  }

  /** @throws SettingError for a scale that the shape cannot take, or a pose that is not finite */
  mount(object: Object3D): () => void {
    const { runtime, component } = this
    refreshWorldMatrix(object)
    const problem = poseProblem(object.matrixWorld, this.options, this.pose)
    if (problem) throw poseError(component, object, problem)
    const shape = shapeAt(this.options, this.pose.scale, object)
    this.known = this.options.read?.(object) ?? null
    this.object = object
    this.last.copy(object.matrixWorld)
    this.firstStep = runtime.world.stepIndex
    this.collider = runtime.world.addCollider(shape, {
      name: component,
      position: [...this.pose.position],
      rotation: [...this.pose.rotation],
      ...surfaceOf(this.options),
    })
    runtime.owners.set(this.collider, object)
    this.handlers.follow(this.collider)
    const delist = enlist(runtime.readers, this as FrameReader)
    const hide = enlist(runtime.colliderObjects, object)
    return () => {
      delist()
      hide()
      this.handlers.follow(null)
      this.collider?.remove()
      this.collider = null
      this.object = null
    }
  }

  update(options: ColliderOptions): void {
    const last = this.options
    const surface = surfaceOf(options)
    if (JSON.stringify(surface) !== JSON.stringify(surfaceOf(last))) this.collider?.set(surface)
    this.options = options
    this.handlers.update(options)
    if (options.read) this.readAgain()
    else if (last.read || last.key !== options.key) this.collider?.set({ shape: options.shape(this.pose.scale) })
    this.runtime.invalidate()
  }

  /** Takes the shape that is below the object now; one that cannot be warns, and the last valid one stays. */
  private readAgain(): void {
    const { object, collider, options } = this
    if (!object || !collider || !options.read) return
    try {
      const shape = options.read(object)
      if (shape === this.known) return
      this.known = shape
      collider.set({ shape: shapeAt(options, this.pose.scale, object) })
    } catch (error) {
      warnOnce(this.said, error)
    }
  }

  /** Follows the object; a scale that the shape cannot take warns once and the last valid pose stays. */
  read(): void {
    const { object, collider, next, pose } = this
    if (!object || !collider) return
    refreshWorldMatrix(object)
    if (this.options.read && this.options.watched) this.readAgain()
    if (this.last.equals(object.matrixWorld)) return
    this.last.copy(object.matrixWorld)
    const problem = poseProblem(object.matrixWorld, this.options, next)
    if (problem) {
      warnOnce(this.said, poseError(this.component, object, problem))
      return
    }
    const rescaled = !near(next.scale, pose.scale)
    pose.read(object.matrixWorld)
    if (rescaled) collider.set({ shape: shapeAt(this.options, pose.scale, object) })
    if (this.runtime.world.stepIndex <= this.firstStep) collider.teleport([...pose.position], [...pose.rotation])
    else collider.setPose(pose.position, pose.rotation)
  }
}

/** The error about a pose that a collider cannot have. */
export function poseError(component: string, object: Object3D, problem: string): SettingError {
  const remedy = 'Scale it and its parents along its own axes, by other than 0.'
  return notFinite(component, object) ?? new SettingError(component, 'scale', object.scale.toArray(), problem, remedy)
}

/** Reads a pose; returns what keeps a collider from having it. */
export function poseProblem(matrix: Matrix4, options: ColliderOptions, into: RigidPose): string | undefined {
  const problem = into.read(matrix)
  if (problem || !(options.read || options.uniform)) return problem
  const [x, y, z] = into.scale
  if (Math.abs(x - y) + Math.abs(y - z) > 1e-4 * x) return 'must be the same along all axes'
  return options.read && matrix.determinant() < 0 ? 'must not mirror it' : undefined
}

/** Props of a surface, of which the parts of a compound have none. */
export const surfaceProps = [
  'friction',
  'restitution',
  'collisionGroups',
  'sensor',
  'surfaceVelocity',
  'onContactEnter',
  'onContactExit',
  'onImpact',
] as const

/** How it acts: an absent friction or restitution is the body's. */
function surfaceOf({
  friction,
  restitution,
  collisionGroups,
  sensor,
  surfaceVelocity,
}: SurfaceProps): Partial<ColliderSettings> {
  return {
    friction,
    restitution,
    collisionGroups: collisionGroups ?? (colliderSettings.collisionGroups.default as CollisionGroups),
    sensor: sensor ?? false,
    surfaceVelocity: surfaceVelocity ?? [0, 0, 0],
  }
}

function near(a: Vec3, b: Vec3): boolean {
  return (
    Math.abs(a[0] - b[0]) <= 1e-6 * b[0] && Math.abs(a[1] - b[1]) <= 1e-6 * b[1] && Math.abs(a[2] - b[2]) <= 1e-6 * b[2]
  )
}

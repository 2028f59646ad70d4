import { Matrix4, type Object3D } from 'three'
import { type Body, type Joint, SettingError, type Spring } from '../../headless.js'
import type { AttachEnd } from '../types.js'
import type { BodyInstance } from './bodyInstance.js'
import { instanceOf } from './bodyRef.js'
import { warnOnce } from './propKeeper.js'
import { notFinite } from './restPose.js'
import { RigidPose } from './rigidPose.js'
import { refreshWorldMatrix } from './worldMatrix.js'
import { enlist, type FrameReader, type WorldRuntime } from './worldRuntime.js'

/** What two ends are held together by. */
export interface EndsOptions<Held> {
  readonly a: AttachEnd | undefined
  readonly b: AttachEnd | undefined
  readonly onBreak: ((held: Held) => void) | undefined
}

type End = BodyInstance | Object3D

/**
 * Ties what holds two ends in the engine to what a component names. It takes hold once both ends are there, as they are
 * then, and anew when another body or object takes the place of one; what has broken stays broken.
 */
export abstract class EndsTracker<Held extends Joint | Spring, Options extends EndsOptions<Held>>
  implements FrameReader
{
  protected root: Object3D | null = null
  protected joint: Held | null = null
  private body: Body | null = null
  private other: Body | Object3D | null = null
  private broke = false
  protected readonly pose = new RigidPose()
  private readonly last = new Matrix4()
  private lastStep = 0
  protected readonly said = new Set<string>()

  constructor(
    protected readonly component: string,
    protected readonly runtime: WorldRuntime,
    private readonly above: BodyInstance | null,
    protected options: Options,
  ) {}

  /** Takes hold of a body and the other end: a body, or an object whose pose is in `pose`. */
  protected abstract hold(instance: BodyInstance, body: Body, partner: Body | Object3D): Held | null
  /** True where other options ask to take hold anew. */
  protected abstract holdsElse(last: Options): boolean
  /** Takes over how hard it holds. */
  protected abstract adjust(last: Options): void

  get live(): Held | null {
    return this.joint?.alive ? this.joint : null
  }

  get broken(): boolean {
    return this.live?.broken ?? this.broke
  }

  get group(): Object3D | null {
    return this.root
  }

  /** @throws SettingError for ends that cannot be joined, or a selector that names nothing */
  mount(root: Object3D): () => void {
    this.root = root
    this.broke = false
    this.lastStep = this.runtime.world.stepIndex
    this.follow()
    const delist = enlist(this.runtime.readers, this as FrameReader)
    return () => {
      delist()
      this.letGo()
      this.root = null
      this.runtime.invalidate()
    }
  }

  /** Takes over new props: how hard it holds at once, what it holds by taking hold anew. */
  update(options: Options): void {
    const last = this.options
    this.options = options
    if (!this.root) return
    if (options.a !== last.a || options.b !== last.b || this.holdsElse(last)) {
      this.letGo(false)
      this.read()
    } else this.adjust(last)
    this.runtime.invalidate()
  }

  /** Before a frame's steps: joins what has come, lets go of what has gone, leads what hangs on an object. */
  read(): void {
    try {
      this.follow()
    } catch (error) {
      warnOnce(this.said, error, this.live ? undefined : 'Nothing is held until then.')
    }
  }

  private follow(): void {
    const { a, b } = this.options
    const first = a === undefined ? this.above : resolved(this.component, 'a', a)
    const second = b === undefined ? this.root : resolved(this.component, 'b', b)
    const one = isBody(first) ? first : isBody(second) ? second : null
    const other = one === first ? second : first
    const body = one?.body ?? null
    const { stepIndex } = this.runtime.world
    const wasReset = stepIndex < this.lastStep
    this.lastStep = stepIndex
    if (this.live) this.broke = this.joint!.broken
    else if (this.broke && wasReset) this.letGo(false)
    const partner = isBody(other) ? other.body : other
    if (first && second && !one) throw noBody(this.component, b)
    if (isBody(first) && isBody(second) && first.runtime !== second.runtime) throw this.worldsError(first)
    if (body !== this.body || partner !== this.other) {
      this.letGo()
      if (body && partner) this.join(one!, body, partner)
      return
    }
    if (partner && isObject(partner)) this.lead(partner, wasReset)
  }

  private join(instance: BodyInstance, body: Body, partner: Body | Object3D): void {
    if (isObject(partner)) {
      refreshWorldMatrix(partner)
      this.last.copy(partner.matrixWorld)
      const problem = this.pose.read(this.last)
      if (problem) throw this.poseError(partner, problem) // it is joined once it has a pose
    }
    this.body = body
    this.other = partner
    if (this.broke) return
    this.joint = this.hold(instance, body, partner)
    // The two kinds of what holds have the same events.
    const held = this.joint as { onBreak(callback: (broken: Held) => void): () => void } | null
    held?.onBreak((broken) => {
      this.broke = true
      this.options.onBreak?.(broken)
    })
  }

  /** The object has moved since the last frame: what hangs on it is led there, or put there after a reset. */
  private lead(object: Object3D, wasReset: boolean): void {
    refreshWorldMatrix(object)
    if (!wasReset && this.last.equals(object.matrixWorld)) return
    this.last.copy(object.matrixWorld)
    const problem = this.pose.read(this.last)
    if (problem) throw this.poseError(object, problem)
    const { position, rotation } = this.pose
    if (wasReset) this.joint?.teleport([...position], [...rotation])
    else this.joint?.setPose(position, rotation)
  }

  private poseError(object: Object3D, problem: string): SettingError {
    const own = object === this.root ? notFinite(this.component, object) : undefined
    const remedy = 'Give it a finite place, and scale it by other than 0.'
    return own ?? new SettingError(this.component, 'b', object.name || object.type, problem, remedy)
  }

  /** Of two bodies the one in another world than the component is the wrong one. */
  private worldsError(first: BodyInstance): SettingError {
    const { a, b } = this.options
    const [prop, value] = first.runtime === this.runtime || a === undefined ? ['b', b] : ['a', a]
    const problem = 'is a body of another <SoftBodyWorld>'
    return new SettingError(this.component, prop, value, problem, 'Put both bodies into one world.')
  }

  private letGo(broke = this.broke): void {
    this.broke = broke
    this.joint?.remove()
    this.joint = null
    this.body = null
    this.other = null
  }
}

/** What an end is now; null while it is not there. @throws SettingError for what is neither a body nor an object */
function resolved(component: string, prop: string, end: AttachEnd): End | null {
  const target = 'current' in end ? end.current : end
  if (target === null || target === undefined) return null
  const found = isObject(target) ? target : instanceOf(target)
  if (found) return found
  const remedy = 'Use the ref of a body of this library or of an object of the scene.'
  throw new SettingError(component, prop, target, 'is no body and no object of the scene', remedy)
}

function isBody(end: End | null): end is BodyInstance {
  return end !== null && !isObject(end)
}

export function isObject(target: unknown): target is Object3D {
  return typeof target === 'object' && target !== null && 'isObject3D' in target
}

function noBody(component: string, b: unknown): SettingError {
  return new SettingError(component, 'b', b, 'joins no body', 'Give a ref of a SoftBody or a Cloth for a or b.')
}

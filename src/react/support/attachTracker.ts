import { Matrix4, type Object3D, type Vector3 } from 'three'
import { type Body, type Joint, type JointSettings, SettingError, type Vec3 } from '../../headless.js'
import type { AttachEnd, AttachRef, AttachSelector } from '../types.js'
import { particlesNamed } from './bodyHolds.js'
import type { BodyInstance } from './bodyInstance.js'
import { instanceOf } from './bodyRef.js'
import { warnOnce } from './propKeeper.js'
import { RigidPose } from './rigidPose.js'
import { enlist, type FrameReader, type WorldRuntime } from './worldRuntime.js'

/** What an `<Attach>` joins, and how. */
export interface AttachOptions extends JointSettings {
  readonly a: AttachEnd | undefined
  readonly b: AttachEnd | undefined
  readonly at: AttachSelector | undefined
  readonly radius: number | undefined
  readonly onBreak: ((joint: Joint) => void) | undefined
}

type End = BodyInstance | Object3D

/**
 * Ties a joint of the engine to what an `<Attach>` names. It joins once both ends are there, at the offset that they
 * have then, and anew when another body or object takes the place of one; a joint that has broken stays broken.
 */
export class AttachTracker implements FrameReader {
  readonly handle: AttachRef
  private root: Object3D | null = null
  private joint: Joint | null = null
  private body: Body | null = null
  private other: Body | Object3D | null = null
  private broke = false
  private readonly pose = new RigidPose()
  private readonly last = new Matrix4()
  private lastStep = 0
  private readonly said = new Set<string>()

  constructor(
    private readonly runtime: WorldRuntime,
    private readonly above: BodyInstance | null,
    private options: AttachOptions,
  ) {
    this.handle = createRef(this)
  }

  get live(): Joint | null {
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

  /** Takes over new props: how hard it holds at once, what it holds by joining anew. */
  update(options: AttachOptions): void {
    const last = this.options
    this.options = options
    if (!this.root) return
    const { a, b, at, radius, compliance, damping, breakForce } = options
    if (a !== last.a || b !== last.b || radius !== last.radius || !sameSelector(at, last.at)) {
      this.letGo(false)
      this.read()
    } else if (compliance !== last.compliance || damping !== last.damping || breakForce !== last.breakForce) {
      this.joint?.set({ compliance, damping, breakForce })
    }
    this.runtime.invalidate()
  }

  /** Before a frame's steps: joins what has come, lets go of what has gone, leads what hangs on an object. */
  read(): void {
    try {
      this.follow()
    } catch (error) {
      warnOnce(this.said, error)
    }
  }

  private follow(): void {
    const { a, b } = this.options
    const first = a === undefined ? this.above : resolved(a)
    const second = b === undefined ? this.root : resolved(b)
    const one = isBody(first) ? first : isBody(second) ? second : null
    const other = one === first ? second : first
    const body = one?.body ?? null
    const { stepIndex } = this.runtime.world
    const wasReset = stepIndex < this.lastStep
    this.lastStep = stepIndex
    if (this.live) this.broke = this.joint!.broken
    else if (this.broke && wasReset) this.letGo(false)
    const partner = isBody(other) ? other.body : other
    if (first && second && !one) throw noBody(b)
    if (body !== this.body || partner !== this.other) {
      this.letGo()
      if (body && partner) this.join(one!, body, partner)
      return
    }
    if (partner && isObject(partner)) this.lead(partner, wasReset)
  }

  private join(instance: BodyInstance, body: Body, partner: Body | Object3D): void {
    this.body = body
    this.other = partner
    if (this.broke) return
    const { at, radius, compliance, damping, breakForce } = this.options
    const place = at && this.placeOf(at, instance)
    const options = { ...place, ...(radius !== undefined && { radius }), compliance, damping, breakForce }
    if (isObject(partner)) {
      partner.updateWorldMatrix(true, false)
      this.last.copy(partner.matrixWorld)
      const problem = this.pose.read(this.last)
      if (problem) throw new SettingError('Attach', 'b', partner.name || partner.type, problem, 'Scale it evenly.')
      const { position, rotation } = this.pose
      this.joint = body.join(null, { ...options, position: [...position], rotation: [...rotation] })
    } else this.joint = body.join(partner, options)
    this.joint?.onBreak((joint) => {
      this.broke = true
      this.options.onBreak?.(joint)
    })
  }

  /** A point is in the space of the attachment's own group, whatever it names are vertices of the body. */
  private placeOf(at: AttachSelector, instance: BodyInstance): { at: Vec3 } | { particles: Uint32Array } {
    if (!isPoint(at)) return { particles: particlesNamed(instance, at, ['Attach', 'at']) }
    this.root!.updateWorldMatrix(true, false)
    return { at: at.clone().applyMatrix4(this.root!.matrixWorld).toArray() }
  }

  /** The object has moved since the last frame: what hangs on it is led there, or put there after a reset. */
  private lead(object: Object3D, wasReset: boolean): void {
    object.updateWorldMatrix(true, false)
    if (!wasReset && this.last.equals(object.matrixWorld)) return
    this.last.copy(object.matrixWorld)
    const problem = this.pose.read(this.last)
    if (problem) throw new SettingError('Attach', 'b', object.name || object.type, problem, 'Scale it evenly.')
    const { position, rotation } = this.pose
    if (wasReset) this.joint?.teleport([...position], [...rotation])
    else this.joint?.setPose(position, rotation)
  }

  private letGo(broke = this.broke): void {
    this.broke = broke
    this.joint?.remove()
    this.joint = null
    this.body = null
    this.other = null
  }
}

function createRef(tracker: AttachTracker): AttachRef {
  return {
    get joint() {
      return tracker.live
    },
    get group() {
      return tracker.group as AttachRef['group']
    },
    get broken() {
      return tracker.broken
    },
    force: (target) => tracker.live?.force(target) ?? target,
  }
}

function resolved(end: AttachEnd): End | null {
  const target = 'current' in end ? end.current : end
  if (!target) return null
  return isObject(target) ? target : instanceOf(target)
}

function isBody(end: End | null): end is BodyInstance {
  return end !== null && !isObject(end)
}

function isObject(target: object): target is Object3D {
  return 'isObject3D' in target
}

function isPoint(at: AttachSelector): at is Vector3 {
  return typeof at === 'object' && 'isVector3' in at
}

/** Selectors are written in place: a new one that says the same is no change. A function has to stay the same. */
function sameSelector(a: AttachSelector | undefined, b: AttachSelector | undefined): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

function noBody(b: unknown): SettingError {
  return new SettingError('Attach', 'b', b, 'joins no body', 'Give a ref of a SoftBody or a Cloth for a or b.')
}

import type { Object3D, Vector3 } from 'three'
import type { Body, Joint, JointSettings, Vec3 } from '../../headless.js'
import type { AttachRef, AttachSelector } from '../types.js'
import { particlesNamed } from './bodyHolds.js'
import type { BodyInstance } from './bodyInstance.js'
import { type EndsOptions, EndsTracker, isObject } from './endsTracker.js'
import { attached } from './selectors.js'
import { refreshWorldMatrix } from './worldMatrix.js'
import type { WorldRuntime } from './worldRuntime.js'

/** What an `<Attach>` joins, and how. */
export interface AttachOptions extends JointSettings, EndsOptions<Joint> {
  readonly at: AttachSelector | undefined
  readonly radius: number | undefined
}

/** Ties a joint of the engine to what an `<Attach>` names. */
export class AttachTracker extends EndsTracker<Joint, AttachOptions> {
  readonly handle: AttachRef

  constructor(runtime: WorldRuntime, above: BodyInstance | null, options: AttachOptions) {
    super('Attach', runtime, above, options)
    this.handle = createRef(this)
  }

  protected override hold(instance: BodyInstance, body: Body, partner: Body | Object3D): Joint | null {
    const { at, radius, compliance, damping, breakForce } = this.options
    const place = at && this.placeOf(at, instance)
    const options = { ...place, ...(radius !== undefined && { radius }), compliance, damping, breakForce }
    if (!isObject(partner)) return body.join(partner, options)
    const { position, rotation } = this.pose
    return body.join(null, { ...options, position: [...position], rotation: [...rotation] })
  }

  protected override holdsElse(last: AttachOptions): boolean {
    return this.options.radius !== last.radius || !sameSelector(this.options.at, last.at)
  }

  protected override adjust(last: AttachOptions): void {
    const { compliance, damping, breakForce } = this.options
    if (compliance === last.compliance && damping === last.damping && breakForce === last.breakForce) return
    this.joint?.set({ compliance, damping, breakForce })
  }

  /** A point is in the space of the attachment's own group, whatever it names are vertices of the body. */
  private placeOf(at: AttachSelector, instance: BodyInstance): { at: Vec3 } | { particles: Uint32Array } {
    if (!isPoint(at)) return { particles: particlesNamed(instance, at, ['Attach', 'at'], attached) }
    refreshWorldMatrix(this.root!)
    return { at: at.clone().applyMatrix4(this.root!.matrixWorld).toArray() }
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
    force: (target = [0, 0, 0]) => tracker.live?.force(target) ?? target,
  }
}

function isPoint(at: AttachSelector): at is Vector3 {
  return typeof at === 'object' && 'isVector3' in at
}

/** Selectors are written in place: a new one that says the same is no change. A function has to stay the same. */
function sameSelector(a: AttachSelector | undefined, b: AttachSelector | undefined): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

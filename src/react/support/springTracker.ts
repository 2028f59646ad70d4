import { Matrix4, type Object3D, Vector3 } from 'three'
import type { Body, MutableVec3, Spring, SpringSettings, Vec3 } from '../../headless.js'
import type { SpringRef } from '../types.js'
import type { BodyInstance } from './bodyInstance.js'
import { type EndsOptions, EndsTracker, isObject } from './endsTracker.js'
import { invertFrame } from './frames.js'
import { SpringLine } from './springLine.js'
import { refreshWorldMatrix } from './worldMatrix.js'
import { enlist, type FrameView, type WorldRuntime } from './worldRuntime.js'

/** What a `<Spring>` takes hold of, how hard, and how it is drawn. */
export interface SpringOptions extends Omit<SpringSettings, 'restLength'>, EndsOptions<Spring> {
  readonly restLength: number | undefined
  readonly from: Vector3 | Vec3 | undefined
  readonly to: Vector3 | Vec3 | undefined
  readonly coils: number
  readonly coilRadius: number
}

const inverse = new Matrix4()

/** Ties a spring of the engine to what a `<Spring>` names, and draws it. */
export class SpringTracker extends EndsTracker<Spring, SpringOptions> implements FrameView {
  readonly handle: SpringRef
  readonly line: SpringLine
  private readonly start: MutableVec3 = [0, 0, 0]
  private readonly end: MutableVec3 = [0, 0, 0]

  constructor(runtime: WorldRuntime, above: BodyInstance | null, options: SpringOptions) {
    super('Spring', runtime, above, options)
    this.handle = createRef(this)
    this.line = new SpringLine()
  }

  override mount(root: Object3D): () => void {
    const unmount = super.mount(root)
    const delist = enlist(this.runtime.views, this as FrameView)
    return () => {
      delist()
      unmount()
      this.line.hide()
    }
  }

  protected override hold(_: BodyInstance, body: Body, partner: Body | Object3D): Spring | null {
    const { from, to, restLength, stiffness, damping, maxForce, breakForce } = this.options
    const options = {
      stiffness,
      damping,
      maxForce,
      breakForce,
      ...(restLength !== undefined && { restLength }),
      ...(from && { from: this.placed(from) }),
      ...(to && { to: this.placed(to) }),
    }
    if (!isObject(partner)) return body.spring(partner, options)
    const { position, rotation } = this.pose
    return body.spring(null, { ...options, position: [...position], rotation: [...rotation] })
  }

  protected override holdsElse({ from, to, restLength }: SpringOptions): boolean {
    const { options } = this
    if (restLength !== undefined && options.restLength === undefined) return true
    return !samePlace(options.from, from) || !samePlace(options.to, to)
  }

  protected override adjust(last: SpringOptions): void {
    const { stiffness, damping, maxForce, breakForce, restLength } = this.options
    if (
      stiffness === last.stiffness &&
      damping === last.damping &&
      maxForce === last.maxForce &&
      breakForce === last.breakForce &&
      restLength === last.restLength
    )
      return
    this.joint?.set({ stiffness, damping, maxForce, breakForce, ...(restLength !== undefined && { restLength }) })
  }

  /** Draws the line in its own frame, wherever that is now; nothing where it is broken or has not both ends. */
  draw(): void {
    const spring = this.live
    const { object } = this.line
    if (!object.parent) return
    if (!spring || spring.broken) {
      this.line.hide()
      return
    }
    spring.ends(this.start, this.end, this.runtime.interpolated)
    refreshWorldMatrix(object)
    if (!invertFrame(object.matrixWorld, inverse)) return
    this.line.draw(this.start, this.end, inverse, this.options.coils, this.options.coilRadius)
  }

  /** A place in the space of the spring's own group. */
  private placed(at: Vector3 | Vec3): Vec3 {
    refreshWorldMatrix(this.root!)
    const point = 'x' in at ? at.clone() : new Vector3(...at)
    return point.applyMatrix4(this.root!.matrixWorld).toArray()
  }
}

function samePlace(a: Vector3 | Vec3 | undefined, b: Vector3 | Vec3 | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

function createRef(tracker: SpringTracker): SpringRef {
  return {
    get spring() {
      return tracker.live
    },
    get group() {
      return tracker.group as SpringRef['group']
    },
    get broken() {
      return tracker.broken
    },
    length: () => tracker.live?.length() ?? 0,
    force: (target = [0, 0, 0]) => tracker.live?.force(target) ?? target,
  }
}

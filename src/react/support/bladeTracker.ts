import { type Object3D, Vector3 } from 'three'
import { ALL_GROUPS, groupsMeet, type MutableVec3 } from '../../headless.js'
import { warnOnce } from './propKeeper.js'
import { notFinite } from './restPose.js'
import { refreshWorldMatrix } from './worldMatrix.js'
import { enlist, type FrameReader, type WorldRuntime } from './worldRuntime.js'

const box = new Float64Array(6)
const point = new Vector3()

/** A blade between two points of an object: it cuts what it meets from step to step, wherever either of them moves. */
export class BladeTracker implements FrameReader {
  /** [m] along the object's x axis, about its origin. */
  length = 0
  active = true
  /** It cuts what it would collide with. */
  collisionGroups = ALL_GROUPS
  private readonly from: readonly [MutableVec3, MutableVec3] = [
    [0, 0, 0],
    [0, 0, 0],
  ]
  private readonly to: readonly [MutableVec3, MutableVec3] = [
    [0, 0, 0],
    [0, 0, 0],
  ]
  /** False until it is known where the blade was before. */
  private known = false

  private object: Object3D | null = null
  private readonly said = new Set<string>()

  constructor(private readonly runtime: WorldRuntime) {}

  mount(object: Object3D): () => void {
    this.object = object
    this.known = false
    const delist = enlist(this.runtime.readers, this as FrameReader)
    const stop = this.runtime.world.onAfterStep(() => this.sweep())
    return () => {
      delist()
      stop()
      this.object = null
    }
  }

  /**
   * Where the blade has come to. What it was led through while it was not active is not cut. A place that is not finite
   * warns once, and from where the blade is next it starts anew.
   */
  read(): void {
    const { object, length } = this
    if (!object) return
    refreshWorldMatrix(object)
    if (!object.matrixWorld.elements.every(Number.isFinite)) {
      this.known = false
      const flaw = notFinite('Cut', object)
      if (flaw) warnOnce(this.said, flaw)
      return
    }
    for (const [end, side] of [
      [this.to[0], -0.5],
      [this.to[1], 0.5],
    ] as const) {
      point
        .set(side * length, 0, 0)
        .applyMatrix4(object.matrixWorld)
        .toArray(end)
    }
    if (!this.known || !this.active) this.arrive()
    this.known = true
  }

  private arrive(): void {
    for (let end = 0; end < 2; end++) for (let d = 0; d < 3; d++) this.from[end]![d] = this.to[end]![d]!
  }

  private sweep(): void {
    if (!this.active || !this.known) return
    const { from, to } = this
    for (const { body } of this.runtime.bodies) {
      if (!body || !groupsMeet(this.collisionGroups, body.settings.collisionGroups)) continue
      if (this.isNear(body.bounds(box))) body.cut({ from, to, relative: true })
    }
    this.arrive()
  }

  private isNear(bounds: Float64Array): boolean {
    for (let d = 0; d < 3; d++) {
      const least = Math.min(this.from[0][d]!, this.from[1][d]!, this.to[0][d]!, this.to[1][d]!)
      const most = Math.max(this.from[0][d]!, this.from[1][d]!, this.to[0][d]!, this.to[1][d]!)
      // What a cloth moves in a step is less than its size, by far.
      const room = (bounds[3 + d]! - bounds[d]!) / 2 + this.length
      if (least > bounds[3 + d]! + room || most < bounds[d]! - room) return false
    }
    return true
  }
}

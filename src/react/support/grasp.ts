import type { Vector3 } from 'three'
import type { Attachment, Body, MutableVec3, Region } from '../../headless.js'
import type { BodyInstance } from './bodyInstance.js'

/** The spring of a grab swings the body about its target at this rate [Hz], damped critically. */
const frequency = 8
/** A grab pulls with at most this acceleration [m/s^2]. */
const acceleration = 400
/** A throw is at most what the grab's largest force does in this time [s]. */
const throwTime = 0.1

/** A place of a body that may be taken hold of, led about and let go. While it exists the world does not rest. */
export class Grasp {
  readonly body: Body
  readonly region: Region
  /** The largest number of a particle in the region. */
  private readonly last: number
  private attachment: Attachment | null = null
  private readonly letGo: () => void

  /** @param point where on the body [m]; a body that is not alive cannot be grasped */
  constructor(
    readonly instance: BodyInstance,
    point: Vector3,
  ) {
    this.body = instance.body!
    this.region = this.body.region([point.x, point.y, point.z], 0.15 * this.body.model.size)
    this.last = this.region.particles.reduce((most, particle) => Math.max(most, particle), 0)
    this.letGo = instance.runtime.hold()
  }

  /** True once the body has been taken hold of. */
  get taken(): boolean {
    return this.attachment !== null
  }

  /**
   * False once the body is gone, was made anew with other particles, or is not to be grabbed; and before it is taken, once
   * what would be was torn off and is mended.
   */
  get valid(): boolean {
    const there = this.taken || this.last < this.body.particleCount
    return this.instance.body === this.body && there && this.instance.options.grabbable
  }

  /**
   * Takes hold of the place where it is now, which it writes into `where`. k = m w^2 and c = 2 sqrt(k m): the body as a
   * whole settles without swinging.
   */
  take(where: MutableVec3): void {
    const { body } = this
    const stiffness = body.mass * (2 * Math.PI * frequency) ** 2
    this.attachment = body.attach(this.region, {
      compliance: 1 / stiffness,
      damping: 2 * Math.sqrt(stiffness * body.mass),
      maxForce: this.maxForce,
    })
    this.attachment.point(where)
  }

  /** Leads what was taken to a place of the world [m]. */
  lead(target: MutableVec3): void {
    this.attachment?.setTarget(target[0], target[1], target[2])
  }

  /** Lets go. A body that was taken leaves with `velocity` [m/s], if there is one; one that is pinned stays. */
  release(velocity: MutableVec3 | null): void {
    const { body, taken } = this
    this.attachment?.remove()
    this.attachment = null
    this.letGo()
    if (!velocity || !taken || !this.valid || this.instance.holds.any) return
    const { mass } = body
    const impulse = body.velocity([0, 0, 0])
    for (let d = 0; d < 3; d++) impulse[d] = mass * (velocity[d]! - impulse[d]!)
    const size = Math.hypot(...impulse)
    const most = this.maxForce * throwTime
    if (size > most) for (let d = 0; d < 3; d++) impulse[d]! *= most / size
    body.applyImpulse(impulse)
  }

  private get maxForce(): number {
    return this.instance.options.grabForce ?? this.body.mass * acceleration
  }
}

import { type Camera, Plane, Raycaster, Vector2, Vector3 } from 'three'
import type { Attachment, Body, MutableVec3, Region } from '../../headless.js'
import type { BodyInstance } from './bodyInstance.js'
import { PointerTrail } from './pointerTrail.js'

/** How far a pointer moves before its poke becomes a grab [px]. */
const slack = { mouse: 4, touch: 8 }
/** A poke grows to its full force over this time [s]. */
const pokeTime = 0.6
/** The spring of a grab swings the body about the pointer at this rate [Hz], damped critically. */
const grabFrequency = 8
/** A grab pulls with at most this acceleration [m/s^2]. */
const grabAcceleration = 400
/** A throw is at most what the grab's largest force does in this time [s]. */
const throwTime = 0.1

const raycaster = new Raycaster()
const plane = new Plane()
const facing = new Vector3()
const point = new Vector3()

/** One pointer that holds one body: a poke while it rests, a grab once it has moved. */
export class Grip {
  private readonly ndc = new Vector2()
  /** From where the pointer is led to, to where it takes the held point [m]. */
  private readonly offset = new Vector3()
  private readonly body: Body
  private readonly region: Region
  private readonly trail = new PointerTrail()
  private readonly force: MutableVec3 = [0, 0, 0]
  private readonly aim: MutableVec3
  private attachment: Attachment | null = null
  private held = 0

  /**
   * @param hit where the ray met the body [m]
   * @param push direction of the poke, into the body, a unit vector
   * @param x, y where the pointer went down [px]
   * @param pressed the same in the canvas, -1 to 1
   */
  constructor(
    readonly instance: BodyInstance,
    private readonly hit: Vector3,
    private readonly push: Vector3,
    private readonly x: number,
    private readonly y: number,
    private readonly pressed: Vector2,
  ) {
    this.body = instance.body!
    this.region = this.body.region([hit.x, hit.y, hit.z], 0.15 * this.body.model.size)
    this.aim = [hit.x, hit.y, hit.z]
  }

  get grabbing(): boolean {
    return this.attachment !== null
  }

  /** False once the body that was pressed is gone, was made anew with other particles, or is not to be grabbed. */
  get holding(): boolean {
    return this.instance.body === this.body && this.instance.options.grabbable
  }

  /** The force of the poke over the next step; `dt` [s] is its length. */
  poke(dt: number): void {
    if (!this.holding || this.attachment) return
    const { body } = this
    const { options } = this.instance
    this.held = Math.min(this.held + dt, pokeTime)
    const size = (options.pokeForce * body.mass * 9.81 * this.held) / pokeTime
    this.force[0] = this.push.x * size
    this.force[1] = this.push.y * size
    this.force[2] = this.push.z * size
    body.addForce(this.force, this.region)
  }

  /** The pointer has moved. @param ndc where to, in the canvas, -1 to 1 */
  move(event: PointerEvent, ndc: Vector2, camera: Camera): void {
    if (!this.holding) return
    this.ndc.copy(ndc)
    const reach = event.pointerType === 'touch' ? slack.touch : slack.mouse
    if (!this.attachment && Math.hypot(event.clientX - this.x, event.clientY - this.y) <= reach) return
    this.attachment ??= this.attach(camera)
    this.follow(camera)
    this.trail.add(event.timeStamp, this.aim)
  }

  /** Leads the held point as the pointer moves over the plane through it that faces the camera. */
  follow(camera: Camera): void {
    if (!this.attachment || !this.project(this.ndc, camera)) return
    point.add(this.offset)
    this.aim[0] = point.x
    this.aim[1] = point.y
    this.aim[2] = point.z
    this.attachment.setTarget(point.x, point.y, point.z)
  }

  /** Sets `point` to where the ray at `ndc` meets the plane through `hit` that faces the camera; false if nowhere. */
  private project(ndc: Vector2, camera: Camera): boolean {
    camera.updateWorldMatrix(true, false)
    plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(facing), this.hit)
    raycaster.setFromCamera(ndc, camera)
    return raycaster.ray.intersectPlane(plane, point) !== null
  }

  /** Lets go. A body that was grabbed leaves with the pointer's velocity; one that is pinned stays. */
  release(thrown: boolean): void {
    const { body } = this
    const wasGrabbing = this.grabbing
    this.attachment?.remove()
    this.attachment = null
    if (!thrown || !wasGrabbing || !this.holding || this.instance.holds.any) return
    const { mass } = body
    const impulse = this.trail.velocity([0, 0, 0])
    const [vx, vy, vz] = body.velocity([0, 0, 0])
    impulse[0] = mass * (impulse[0] - vx)
    impulse[1] = mass * (impulse[1] - vy)
    impulse[2] = mass * (impulse[2] - vz)
    const size = Math.hypot(...impulse)
    const most = this.maxForce * throwTime
    if (size > most) for (let d = 0; d < 3; d++) impulse[d]! *= most / size
    body.applyImpulse(impulse)
  }

  private get maxForce(): number {
    return this.instance.options.grabForce ?? this.body.mass * grabAcceleration
  }

  /**
   * k = m w^2 and c = 2 sqrt(k m): the body as a whole settles at the pointer without swinging. It is taken where it is
   * now: since the press it may have moved, by the poke or by itself.
   */
  private attach(camera: Camera): Attachment {
    const { body } = this
    const stiffness = body.mass * (2 * Math.PI * grabFrequency) ** 2
    const attachment = body.attach(this.region, {
      compliance: 1 / stiffness,
      damping: 2 * Math.sqrt(stiffness * body.mass),
      maxForce: this.maxForce,
    })
    this.hit.fromArray(attachment.point(this.aim))
    if (this.project(this.pressed, camera)) this.offset.subVectors(this.hit, point)
    return attachment
  }
}

import { type Camera, Plane, Raycaster, Vector2, Vector3 } from 'three'
import type { MutableVec3 } from '../../headless.js'
import { Grasp, type Graspable } from './grasp.js'
import { PointerTrail } from './pointerTrail.js'
import { refreshWorldMatrix } from './worldMatrix.js'

/** How far a pointer moves before its poke becomes a grab [px]. */
const slack = { mouse: 4, touch: 8 }
/** A poke grows to its full force over this time [s]. */
const pokeTime = 0.6

const raycaster = new Raycaster()
const plane = new Plane()
const facing = new Vector3()
const point = new Vector3()

/** One pointer that holds one body: a poke while it rests, a grab once it has moved. */
export class Grip {
  private readonly ndc = new Vector2()
  /** From where the pointer is led to, to where it takes the held point [m]. */
  private readonly offset = new Vector3()
  private readonly grasp: Grasp
  private readonly trail = new PointerTrail()
  private readonly force: MutableVec3 = [0, 0, 0]
  private readonly aim: MutableVec3
  private held = 0

  /**
   * @param hit where the ray met the body [m]
   * @param push direction of the poke, into the body, a unit vector
   * @param x, y where the pointer went down [px]
   * @param pressed the same in the canvas, -1 to 1
   */
  constructor(
    readonly instance: Graspable,
    private readonly hit: Vector3,
    private readonly push: Vector3,
    private readonly x: number,
    private readonly y: number,
    private readonly pressed: Vector2,
  ) {
    this.grasp = new Grasp(instance, hit)
    this.aim = [hit.x, hit.y, hit.z]
  }

  get grabbing(): boolean {
    return this.grasp.taken
  }

  /** False once the body that was pressed is gone, was made anew with other particles, or is not to be grabbed. */
  get holding(): boolean {
    return this.grasp.valid
  }

  /** The force of the poke over the next step; `dt` [s] is its length. */
  poke(dt: number): void {
    if (!this.holding || this.grabbing) return
    const { body, region, mass } = this.grasp
    const { options } = this.instance
    this.held = Math.min(this.held + dt, pokeTime)
    const size = (options.pokeForce * mass * 9.81 * this.held) / pokeTime
    this.force[0] = this.push.x * size
    this.force[1] = this.push.y * size
    this.force[2] = this.push.z * size
    body.addForce(this.force, region)
  }

  /** The pointer has moved. @param ndc where to, in the canvas, -1 to 1 */
  move(event: PointerEvent, ndc: Vector2, camera: Camera): void {
    if (!this.holding) return
    this.ndc.copy(ndc)
    const reach = event.pointerType === 'touch' ? slack.touch : slack.mouse
    if (!this.grabbing && Math.hypot(event.clientX - this.x, event.clientY - this.y) <= reach) return
    if (!this.grabbing) this.take(camera)
    this.follow(camera)
    this.trail.add(event.timeStamp, this.aim)
  }

  /** Leads the held point as the pointer moves over the plane through it that faces the camera. */
  follow(camera: Camera): void {
    if (!this.grabbing || !this.project(this.ndc, camera)) return
    point.add(this.offset)
    this.aim[0] = point.x
    this.aim[1] = point.y
    this.aim[2] = point.z
    this.grasp.lead(this.aim)
  }

  /** Sets `point` to where the ray at `ndc` meets the plane through `hit` that faces the camera; false if nowhere. */
  private project(ndc: Vector2, camera: Camera): boolean {
    refreshWorldMatrix(camera)
    plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(facing), this.hit)
    raycaster.setFromCamera(ndc, camera)
    return raycaster.ray.intersectPlane(plane, point) !== null
  }

  /** Lets go. A body that was grabbed leaves with the pointer's velocity; one that is pinned stays. */
  release(thrown: boolean): void {
    this.grasp.release(thrown ? this.trail.velocity([0, 0, 0]) : null)
  }

  /** It is taken where it is now: since the press it may have moved, by the poke or by itself. */
  private take(camera: Camera): void {
    this.grasp.take(this.aim)
    this.hit.fromArray(this.aim)
    if (this.project(this.pressed, camera)) this.offset.subVectors(this.hit, point)
  }
}

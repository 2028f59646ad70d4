import { Matrix4, type Object3D, Vector3 } from 'three'
import type { MutableVec3 } from '../../headless.js'
import type { PinSelector } from '../types.js'
import type { HoldSource } from './bodyHolds.js'
import type { BodyInstance } from './bodyInstance.js'
import { warnOnce } from './propKeeper.js'
import { enlist, type FrameReader } from './worldRuntime.js'

const source: HoldSource = ['Pin', 'at']
const point = new Vector3()
const target: MutableVec3 = [0, 0, 0]

/** Holds particles of a body rigidly to an object of the scene: where the object moves, they follow. */
export class PinTracker implements FrameReader {
  private object: Object3D | null = null
  private particles: Uint32Array = new Uint32Array(0)
  /** Where the held particles are in the object's frame [3 n]. */
  private locals = new Float64Array(0)
  /** False while the object's frame is flat or nowhere, so that nothing has a place in it. */
  private captured = false
  private readonly last = new Matrix4()
  private lastStep = 0
  private readonly said = new Set<string>()

  constructor(private readonly instance: BodyInstance) {}

  /** @throws SettingError when the selector names nothing */
  mount(object: Object3D, selector: PinSelector): () => void {
    const { instance } = this
    instance.holds.set(this, selector, source)
    this.object = object
    this.capture()
    const delist = enlist(instance.runtime.readers, this as FrameReader)
    const unlisten = enlist(instance.placed, () => this.capture())
    return () => {
      delist()
      unlisten()
      instance.holds.set(this, undefined, source)
      this.object = null
      this.particles = new Uint32Array(0)
    }
  }

  /**
   * Holds what the selector names from now on; for one that names nothing it warns, what was held stays held, and this
   * is false.
   */
  hold(selector: PinSelector): boolean {
    if (!this.object) return true
    try {
      this.instance.holds.set(this, selector, source)
    } catch (error) {
      warnOnce(this.said, error)
      return false
    }
    if (this.instance.holds.of(this) !== this.particles) this.capture()
    return true
  }

  /** Leads the held particles to where the object has gone since the last frame. */
  read(): void {
    const { object, instance, particles, locals } = this
    if (!object || particles.length === 0) return
    if (!this.captured) return this.capture()
    object.updateWorldMatrix(true, false)
    const step = instance.runtime.world.stepIndex
    const wasReset = step < this.lastStep
    this.lastStep = step
    if (!wasReset && this.last.equals(object.matrixWorld)) return
    this.last.copy(object.matrixWorld)
    for (let k = 0; k < particles.length; k++) {
      point.set(locals[3 * k]!, locals[3 * k + 1]!, locals[3 * k + 2]).applyMatrix4(this.last)
      target[0] = point.x
      target[1] = point.y
      target[2] = point.z
      instance.body?.movePin(particles[k]!, target)
    }
  }

  /** Notes where the held particles are relative to the object, or stays until its frame is one that they have a place in. */
  private capture(): void {
    const { object, instance } = this
    if (!object || !instance.body) return
    this.particles = instance.holds.of(this)
    this.locals = new Float64Array(3 * this.particles.length)
    object.updateWorldMatrix(true, false)
    this.last.copy(object.matrixWorld)
    const volume = Math.abs(this.last.determinant())
    this.captured = volume > 0 && volume < Number.POSITIVE_INFINITY
    if (!this.captured) return
    const inverse = this.last.clone().invert()
    this.particles.forEach((particle, k) => {
      point
        .fromArray(instance.body!.getPosition(particle, [0, 0, 0]))
        .applyMatrix4(inverse)
        .toArray(this.locals, 3 * k)
    })
  }
}

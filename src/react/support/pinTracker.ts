import type { RefObject } from 'react'
import { Matrix4, type Object3D, Vector3 } from 'three'
import { type MutableVec3, SettingError } from '../../headless.js'
import { pinProps } from '../props.js'
import type { PinSelector } from '../types.js'
import type { HoldSource } from './bodyHolds.js'
import type { BodyInstance } from './bodyInstance.js'
import { isObject } from './endsTracker.js'
import { warnOnce } from './propKeeper.js'
import { notFinite } from './restPose.js'
import { refreshWorldMatrix } from './worldMatrix.js'
import { enlist, type FrameReader } from './worldRuntime.js'

type PinTarget = RefObject<Object3D | null>

const source: HoldSource = ['Pin', 'at']
const point = new Vector3()
const target: MutableVec3 = [0, 0, 0]

/**
 * Holds particles of a body rigidly to an object of the scene: where the object moves, they follow. While a target is
 * not there, they stay where they are.
 */
export class PinTracker implements FrameReader {
  /** The pin's own group, while it is mounted. */
  private root: Object3D | null = null
  private target: PinTarget | undefined
  /** What they follow. */
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

  /** @throws SettingError when the selector names nothing, or for a target that is no object */
  mount(root: Object3D, selector: PinSelector, target?: PinTarget): () => void {
    const { instance } = this
    const object = target ? objectOf(target) : root
    instance.holds.set(this, selector, source)
    this.root = root
    this.target = target
    this.object = object
    this.capture()
    const delist = enlist(instance.runtime.readers, this as FrameReader)
    const unlisten = enlist(instance.placed, () => this.capture())
    return () => {
      delist()
      unlisten()
      instance.holds.set(this, undefined, source)
      this.root = null
      this.object = null
      this.particles = new Uint32Array(0)
    }
  }

  /**
   * Holds what the selector names from now on; for one that names nothing it warns, what was held stays held, and this
   * is false.
   */
  hold(selector: PinSelector): boolean {
    if (!this.root) return true
    try {
      this.instance.holds.set(this, selector, source)
    } catch (error) {
      warnOnce(this.said, error)
      return false
    }
    if (this.instance.holds.of(this) !== this.particles) this.capture()
    return true
  }

  /** Leads the held particles to where the object has gone since the last frame; another one, from where they are. */
  read(): void {
    const isOther = this.look()
    const { object, instance, particles, locals } = this
    if (!object || particles.length === 0) return
    if (isOther || !this.captured) return this.capture()
    refreshWorldMatrix(object)
    const step = instance.runtime.world.stepIndex
    const wasReset = step < this.lastStep
    this.lastStep = step
    if (!wasReset && this.last.equals(object.matrixWorld)) return
    this.last.copy(object.matrixWorld)
    for (let k = 0; k < particles.length; k++) {
      point.set(locals[3 * k]!, locals[3 * k + 1]!, locals[3 * k + 2]).applyMatrix4(this.last)
      if (!Number.isFinite(point.x + point.y + point.z)) continue // it stays while its target is nowhere
      target[0] = point.x
      target[1] = point.y
      target[2] = point.z
      instance.body?.movePin(particles[k]!, target)
    }
  }

  /** Looks what the target is now, which may come and go with any frame; true where it is another one. */
  private look(): boolean {
    if (!this.target) return false
    const before = this.object
    try {
      this.object = objectOf(this.target)
    } catch (error) {
      warnOnce(this.said, error)
    }
    return this.object !== before
  }

  /** Notes where the held particles are relative to the object, or stays until its frame is one that they have a place in. */
  private capture(): void {
    const { object, instance } = this
    this.captured = false
    this.particles = instance.holds.of(this)
    if (!object || !instance.body) return
    this.locals = new Float64Array(3 * this.particles.length)
    refreshWorldMatrix(object)
    this.last.copy(object.matrixWorld)
    const volume = Math.abs(this.last.determinant())
    this.captured = volume > 0 && volume < Number.POSITIVE_INFINITY
    if (!this.captured) {
      warnOnce(this.said, notFinite('Pin', object) ?? flat(object))
      return
    }
    const inverse = this.last.clone().invert()
    const { body } = instance
    this.particles.forEach((particle, k) => {
      body.getPosition(particle, target)
      body.movePin(particle, target) // what has led it until now may have asked for more
      point
        .fromArray(target)
        .applyMatrix4(inverse)
        .toArray(this.locals, 3 * k)
    })
  }
}

function flat({ scale }: Object3D): SettingError {
  const remedy = 'Scale what it follows, and its parents, by other than 0.'
  return new SettingError('Pin', 'scale', scale.toArray(), 'is flat, or that of a parent is', remedy)
}

/** What a target is now; null while it is not there. @throws SettingError for what is no object of the scene */
function objectOf({ current }: PinTarget): Object3D | null {
  if (current === null || current === undefined || isObject(current)) return current ?? null
  throw new SettingError('Pin', 'target', current, 'is no object of the scene', pinProps.target.remedy)
}

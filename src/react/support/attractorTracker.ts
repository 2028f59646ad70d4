import { Matrix4, type Object3D } from 'three'
import type { Attractor, AttractorSettings, MutableVec3 } from '../../headless.js'
import { SettingError } from '../../headless.js'
import { warnOnce } from './propKeeper.js'
import { refreshWorldMatrix } from './worldMatrix.js'
import { enlist, type FrameReader, type WorldRuntime } from './worldRuntime.js'

type AttractorOptions = Pick<AttractorSettings, 'strength' | 'falloff' | 'range' | 'radius'>

/** Ties an attractor of the engine to an object of the scene: where the object moves, it is led. */
export class AttractorTracker implements FrameReader {
  private object: Object3D | null = null
  private attractor: Attractor | null = null
  private readonly last = new Matrix4()
  private readonly place: MutableVec3 = [0, 0, 0]
  private lastStep = 0
  private readonly said = new Set<string>()

  constructor(
    private readonly runtime: WorldRuntime,
    private options: AttractorOptions,
  ) {}

  /** @throws SettingError for a place that is not finite */
  mount(object: Object3D): () => void {
    const { world } = this.runtime
    this.object = object
    refreshWorldMatrix(object)
    if (!this.locate()) throw notFinite(object)
    this.lastStep = world.stepIndex
    this.attractor = world.addAttractor({ ...this.options, position: [...this.place] })
    const delist = enlist(this.runtime.readers, this as FrameReader)
    return () => {
      delist()
      this.attractor?.remove()
      this.attractor = null
      this.object = null
    }
  }

  update(options: AttractorOptions): void {
    if (JSON.stringify(options) !== JSON.stringify(this.options)) this.attractor?.set(options)
    this.options = options
    this.runtime.invalidate()
  }

  /** Follows the object; a place that is not finite warns once and the last one stays. After a reset it is there at once. */
  read(): void {
    const { object, attractor } = this
    if (!object || !attractor) return
    refreshWorldMatrix(object)
    const { stepIndex } = this.runtime.world
    const wasReset = stepIndex < this.lastStep
    this.lastStep = stepIndex
    if (!wasReset && this.last.equals(object.matrixWorld)) return
    if (!this.locate()) warnOnce(this.said, notFinite(object))
    else if (wasReset) attractor.set({ position: [...this.place] })
    else attractor.moveTo(this.place)
  }

  private locate(): boolean {
    const { elements } = this.object!.matrixWorld
    this.last.copy(this.object!.matrixWorld)
    if (!Number.isFinite(elements[12] + elements[13] + elements[14])) return false
    for (let d = 0; d < 3; d++) this.place[d] = elements[12 + d]!
    return true
  }
}

function notFinite(object: Object3D): SettingError {
  const remedy = 'Use finite numbers, for its parents too.'
  return new SettingError('Attractor', 'position', object.position.toArray(), 'is not finite', remedy)
}

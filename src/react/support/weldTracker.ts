import type { Body, Joint, JointSettings } from '../../headless.js'
import type { WeldRef } from '../types.js'
import type { BodyInstance } from './bodyInstance.js'
import { enlist, type FrameReader, type WorldRuntime } from './worldRuntime.js'

export interface WeldOptions extends JointSettings {
  readonly gap: number | undefined
  readonly onBreak: ((joint: Joint) => void) | undefined
}

/** Two bodies that were looked at, and what joins them; null where they did not touch. */
interface Seam {
  readonly one: Body
  readonly two: Body
  readonly joint: Joint | null
}

/** How far apart two bodies may be and touch, as a share of the smaller one's size. */
const TOUCH_SHARE = 0.05

const boxes = [new Float64Array(6), new Float64Array(6)] as const

/** Joins bodies where they touch: those that a `<Weld>` has below it. */
export class WeldTracker implements FrameReader {
  readonly handle: WeldRef
  private readonly instances: BodyInstance[] = []
  private seams: Seam[] = []
  private active = false

  constructor(
    private readonly runtime: WorldRuntime,
    private options: WeldOptions,
  ) {
    this.handle = createRef(this)
  }

  /** Joints that are there, broken ones too. */
  get joints(): readonly Joint[] {
    return this.seams.flatMap(({ joint }) => (joint?.alive ? joint : []))
  }

  /** A body below comes; returns what takes it away. */
  add(instance: BodyInstance): () => void {
    return enlist(this.instances, instance)
  }

  mount(): () => void {
    this.active = true
    this.read()
    const delist = enlist(this.runtime.readers, this as FrameReader)
    return () => {
      delist()
      this.active = false
      this.letGo()
    }
  }

  update(options: WeldOptions): void {
    const last = this.options
    this.options = options
    if (!this.active) return
    const { gap, compliance, damping, breakForce } = options
    if (gap !== last.gap) {
      this.letGo()
      this.read()
    } else if (compliance !== last.compliance || damping !== last.damping || breakForce !== last.breakForce) {
      for (const { joint } of this.seams) joint?.set({ compliance, damping, breakForce })
    }
    this.runtime.invalidate()
  }

  /** Before a frame's steps: joins what has come to all that it touches, forgets what has gone. */
  read(): void {
    const { instances } = this
    for (let k = 0; k < this.seams.length; k++) {
      if (this.seams[k]!.one.alive && this.seams[k]!.two.alive) continue
      this.seams = this.seams.filter(({ one, two }) => one.alive && two.alive)
      break
    }
    for (let i = 1; i < instances.length; i++) {
      const two = instances[i]!.body
      if (!two) continue
      for (let j = 0; j < i; j++) {
        const one = instances[j]!.body
        if (one && !this.knows(one, two)) this.seams.push({ one, two, joint: this.weld(one, two) })
      }
    }
  }

  private knows(one: Body, two: Body): boolean {
    for (let k = 0; k < this.seams.length; k++) {
      const seam = this.seams[k]!
      if ((seam.one === one && seam.two === two) || (seam.one === two && seam.two === one)) return true
    }
    return false
  }

  private weld(one: Body, two: Body): Joint | null {
    const { gap, compliance, damping, breakForce } = this.options
    const within = gap ?? TOUCH_SHARE * Math.min(one.model.size, two.model.size)
    if (!areNear(one, two, within)) return null
    const joint = one.join(two, { within, compliance, damping, breakForce })
    joint?.onBreak((broken) => this.options.onBreak?.(broken))
    return joint
  }

  private letGo(): void {
    for (const { joint } of this.seams) joint?.remove()
    this.seams = []
  }
}

/** True where the boxes about two bodies are within `gap` of each other. */
function areNear(one: Body, two: Body, gap: number): boolean {
  const [a, b] = boxes
  one.bounds(a)
  two.bounds(b)
  for (let d = 0; d < 3; d++) if (a[d]! > b[3 + d]! + gap || b[d]! > a[3 + d]! + gap) return false
  return true
}

function createRef(tracker: WeldTracker): WeldRef {
  return {
    get joints() {
      return tracker.joints
    },
  }
}

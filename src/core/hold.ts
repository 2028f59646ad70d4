import { aimAtPose, checkTarget, validatePose } from './checks.js'
import type { Host } from './host.js'
import { BROKEN, type Frame, type JointRecord } from './jointRecord.js'
import { Listeners } from './listeners.js'
import { normalized } from './math/quaternion.js'
import type { MutableVec3, Quat, Vec3 } from './vectors.js'

/** What holds a body to something else. Every call after `remove`, or after one of the two is gone, does nothing. */
export class Hold<Self> {
  private readonly listeners: Listeners<(self: Self) => void>

  constructor(
    protected readonly host: Host,
    protected readonly record: JointRecord,
    protected readonly name: string,
  ) {
    this.listeners = new Listeners('onBreak', name)
  }

  /** False once it was removed, or one of the two was. What is broken lives: a reset makes it whole. */
  get alive(): boolean {
    return this.live() !== undefined
  }

  /** True from the step in which it broke, until a reset, or a `restore` of a time before. */
  get broken(): boolean {
    return this.live() !== undefined && this.record.broken[0] !== 0
  }

  /** Mean force on the body over the last step [N]; the other side bears the opposite. */
  force(target: MutableVec3 = [0, 0, 0]): MutableVec3 {
    checkTarget(this.name, 'force', target)
    if (this.live()) for (let d = 0; d < 3; d++) target[d] = this.record.force[d]!
    return target
  }

  /**
   * Moves the frame that the body is held to, evenly over the frame's steps; a pose that is not finite is ignored, and
   * so is one of what is held to a body or a collider. Allocates nothing. @throws SettingError for what is no pose
   */
  setPose(position: Vec3, rotation: Quat): void {
    const { frame, collider } = this.record
    if (!frame || collider || !aimAtPose(this.name, frame.goal, position, rotation)) return
    frame.sweep = this.host.sweep
    this.host.disturb()
  }

  /** Puts the frame somewhere without a sweep. */
  teleport(position: Vec3, rotation: Quat): void {
    validatePose(this.name, position, rotation)
    this.host.send({ type: 'placeJoint', joint: this.record, position: [...position], rotation: normalized(rotation) })
  }

  /** Calls `callback` after the step in which it breaks; returns what stops it. */
  onBreak(callback: (self: Self) => void): () => void {
    return this.listeners.add(callback)
  }

  /** It has broken: the world says so, after the step. What a listener throws is thrown once all have heard. */
  tell(): void {
    this.listeners.tidy()
    for (let k = 0; k < this.listeners.count; k++) {
      try {
        this.listeners.at(k)?.(this as unknown as Self)
      } catch (thrown) {
        this.host.events.keep(thrown)
      }
    }
  }

  remove(): void {
    this.host.send({ type: 'removeJoint', joint: this.record })
  }

  protected live(): JointRecord | undefined {
    this.host.flush()
    return this.host.state.joints.get(this.record)
  }
}

const handles = new WeakMap<JointRecord, { tell(): void }>()

/** Tells `hold` when its record breaks. */
export function follow(record: JointRecord, hold: { tell(): void }): void {
  handles.set(record, hold)
}

/** Tells those that listen which joints have broken in the last step. */
export function tellBroken({ state }: Host): void {
  const { live } = state.joints
  for (let j = 0; j < live.length; j++) {
    const record = live[j]!
    if (record.broken[0]! <= BROKEN) continue
    record.broken[0] = BROKEN
    handles.get(record)!.tell()
  }
}

export function ownFrame(position: Vec3, rotation: Quat): Frame {
  const pose = Float64Array.from([...position, ...normalized(rotation)])
  return { pose, target: pose.slice(), goal: pose.slice(), sweep: 1 }
}

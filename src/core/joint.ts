import { checkParticles, checkVector } from './checks.js'
import type { Host } from './host.js'
import { linksBetween, linksToFrame, measureLinks } from './jointLinks.js'
import { BROKEN, type Frame, JOINT, type JointRecord, WHOLE } from './jointRecord.js'
import { Listeners } from './listeners.js'
import { normalized } from './math/quaternion.js'
import { bodySettings } from './settings.js'
import type { BodyRecord, ColliderRecord, State } from './state.js'
import { merged, SettingError, type SettingSpec, type SettingTable, validateSettings } from './validation.js'
import type { MutableVec3, Quat, Vec3 } from './vectors.js'

/** What can be changed of a joint while it holds. */
export interface JointSettings {
  /** Inverse stiffness of the joint as a whole [m/N]; 0 is rigid. */
  compliance: number
  /** Damping of a joint that is not rigid, along its links [N s/m]. */
  damping: number
  /** Force that it bears [N], as a mean over some substeps; beyond, it breaks. */
  breakForce: number
}

const remedy = 'Use 0 for rigid, 1e-4 for a spring of 10 000 N/m.'
const plain: Pick<SettingSpec, 'type' | 'min'> = { type: 'number', min: 0 }

export const jointSettings: SettingTable<JointSettings> = {
  compliance: { ...plain, quantity: 'inverse stiffness', unit: 'm/N', default: 0, max: 1e12, remedy },
  damping: { ...plain, quantity: 'damping', unit: 'N s/m', default: 0, max: 1e12, remedy: 'Use 0 for none.' },
  breakForce: {
    ...plain,
    quantity: 'force',
    unit: 'N',
    default: Number.POSITIVE_INFINITY,
    minExclusive: true,
    remedy: 'Use newtons, or Infinity for a joint that holds whatever comes.',
  },
}

export interface JointOptions extends Partial<JointSettings> {
  /** Where the two are joined [m], in the world; default where they are nearest to each other. */
  at?: Vec3
  /**
   * All particles within this distance of it are joined [m], so that neither side turns against the other; 0 joins
   * single points, about which both turn. Default 0.15 of the smaller body's size.
   */
  radius?: number
  /** Joins these particles of the body instead of a radius. */
  particles?: ArrayLike<number>
  /** Pose of the frame of a joint that leads to no body or collider. Default [0, 0, 0], unturned. */
  position?: Vec3
  rotation?: Quat
}

/** Called once a joint has broken, after the step. */
export type BreakCallback = (joint: Joint) => void

/**
 * Holds a body to another, to a collider or to a frame, at the offset that they had when it was made, or after a teleport
 * of either body. Two joined bodies do not push each other. Every call after `remove`, or after one of the two is gone, does nothing.
 */
export class Joint {
  private readonly listeners = new Listeners<BreakCallback>()

  constructor(
    private readonly host: Host,
    private readonly record: JointRecord,
    private readonly name: string,
  ) {}

  /** False once it was removed, or one of the two was. A broken joint lives: a reset makes it whole. */
  get alive(): boolean {
    return this.live() !== undefined
  }

  /** True from the step in which it broke, until a reset, or a `restore` of a time before. */
  get broken(): boolean {
    return this.live() !== undefined && this.record.broken[0] !== 0
  }

  get settings(): Readonly<JointSettings> {
    const { settings } = this.record
    return {
      compliance: settings[JOINT.COMPLIANCE]!,
      damping: settings[JOINT.DAMPING]!,
      breakForce: settings[JOINT.BREAK_FORCE]!,
    }
  }

  /** Changes settings live. @throws SettingError, and then nothing has changed */
  set(settings: Partial<JointSettings>): void {
    validateSettings(this.name, settings, jointSettings)
    this.host.send({ type: 'setJoint', joint: this.record, settings: settingsOf(merged(this.settings, settings)) })
  }

  /** Mean force on the body over the last step [N]; the other side bears the opposite. */
  force(target: MutableVec3): MutableVec3 {
    if (this.live()) for (let d = 0; d < 3; d++) target[d] = this.record.force[d]!
    return target
  }

  /**
   * Moves the frame that the body is joined to, evenly over the frame's steps; a pose that is not finite is ignored, and
   * so is one of a joint to a body or a collider. Allocates nothing.
   */
  setPose(position: Vec3, rotation: Quat): void {
    const { frame, collider } = this.record
    if (!frame || collider) return
    let square = 0
    for (let k = 0; k < 4; k++) square += rotation[k]! * rotation[k]!
    if (!Number.isFinite(position[0] + position[1] + position[2]) || !(square > 0 && square < Infinity)) return
    const scale = Math.abs(square - 1) < 1e-12 ? 1 : 1 / Math.sqrt(square) // a unit quaternion keeps its bits
    for (let d = 0; d < 3; d++) frame.goal[d] = position[d]!
    for (let k = 0; k < 4; k++) frame.goal[3 + k] = rotation[k]! * scale
    frame.sweep = this.host.sweep
    this.host.disturb()
  }

  /** Puts the frame somewhere without a sweep. */
  teleport(position: Vec3, rotation: Quat): void {
    validatePose(this.name, position, rotation)
    this.host.send({ type: 'placeJoint', joint: this.record, position: [...position], rotation: normalized(rotation) })
  }

  /** Calls `callback` after the step in which the joint breaks; returns what stops it. */
  onBreak(callback: BreakCallback): () => void {
    return this.listeners.add(callback)
  }

  /** The joint has broken: the world says so, after the step. What a listener throws is thrown once all have heard. */
  tell(): void {
    this.listeners.tidy()
    for (let k = 0; k < this.listeners.count; k++) {
      try {
        this.listeners.at(k)?.(this)
      } catch (thrown) {
        this.host.events.keep(thrown)
      }
    }
  }

  remove(): void {
    this.host.send({ type: 'removeJoint', joint: this.record })
  }

  private live(): JointRecord | undefined {
    this.host.flush()
    return this.host.state.joints.get(this.record)
  }
}

const handles = new WeakMap<JointRecord, Joint>()

/**
 * Joins a body to another body, a collider, or a frame in the world.
 * @throws SettingError for an option outside its range
 */
export function join(
  host: Host,
  body: BodyRecord,
  other: BodyRecord | null,
  collider: ColliderRecord | null,
  options: JointOptions,
): Joint {
  const name = body.settings.name
  const { at, radius, particles, position = [0, 0, 0], rotation = [0, 0, 0, 1], ...rest } = options
  check(name, body, other, options)
  validateSettings(name, rest, jointSettings)
  const { state } = host
  const frame: Frame | null = other ? null : (collider ?? ownFrame(position, rotation))
  const held = particles && checkParticles(name, 'join.particles', particles, body.model.particleCount)
  const links = other
    ? linksBetween(state, body, other, at, radius, held)
    : linksToFrame(state, body, at ?? frame!.pose, radius, held)
  const defaults: JointSettings = { compliance: 0, damping: 0, breakForce: Number.POSITIVE_INFINITY }
  const record = state.joints.add((slot, generation) => ({
    slot,
    generation,
    body,
    other,
    collider,
    frame,
    count: links.count,
    particles: links.particles,
    weights: links.weights,
    otherParticles: links.otherParticles,
    otherWeights: links.otherWeights,
    locals: links.locals,
    rest: links.rest,
    parallels: links.parallels,
    settings: settingsOf(merged(defaults, rest)),
    force: new Float64Array(3),
    load: new Float64Array(3),
    broken: new Uint8Array(1),
  }))
  measureLinks(state, record)
  host.wake(body)
  if (other) host.wake(other)
  host.disturb()
  const joint = new Joint(host, record, name)
  handles.set(record, joint)
  return joint
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

/** Makes every joint whole again, at the offset of the bodies that a reset has put back; frames stand at their goals. */
export function resetJoints(state: State): void {
  for (const joint of state.joints.live) {
    joint.broken.fill(WHOLE)
    joint.load.fill(0)
    joint.force.fill(0)
    if (joint.other) measureLinks(state, joint)
    else if (joint.frame && !joint.collider) joint.frame.pose.set(joint.frame.goal)
  }
}

function settingsOf({ compliance, damping, breakForce }: JointSettings): Float64Array {
  return Float64Array.of(compliance, damping, breakForce)
}

function ownFrame(position: Vec3, rotation: Quat): Frame {
  const pose = Float64Array.from([...position, ...normalized(rotation)])
  return { pose, target: pose.slice(), goal: pose.slice(), sweep: 1 }
}

function validatePose(name: string, position: Vec3, rotation: Quat): void {
  const { position: place, rotation: turn } = bodySettings
  validateSettings(name, { position, rotation }, { position: place, rotation: turn })
}

function check(name: string, body: BodyRecord, other: BodyRecord | null, options: JointOptions): void {
  const { at, radius, particles, position = [0, 0, 0], rotation = [0, 0, 0, 1] } = options
  const fail = (prop: string, value: unknown, problem: string, advice: string): never => {
    throw new SettingError(name, `join.${prop}`, value, problem, advice)
  }
  if (other === body) fail('other', name, 'is the body itself', 'Join it to another body, to a collider or to null.')
  if (at) checkVector(name, 'join.at', at)
  validatePose(name, position, rotation)
  if (radius !== undefined && !(radius >= 0 && radius < Infinity)) {
    fail('radius', radius, 'must be 0 or above', 'Use metres; 0 joins single points.')
  }
  if (particles?.length === 0) fail('particles', [], 'names no particle', 'Leave it out for a radius.')
}

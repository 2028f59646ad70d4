import { gapBetween } from './bodyGap.js'
import { checkParticles, checkPlace, validatePose } from './checks.js'
import { follow, Hold, ownFrame } from './hold.js'
import type { Host } from './host.js'
import { addRecord, linksBetween, linksToFrame, measureLinks } from './jointLinks.js'
import { type Frame, JOINT, WHOLE } from './jointRecord.js'
import type { BodyRecord, ColliderRecord } from './records.js'
import type { State } from './state.js'
import {
  checkGroup,
  merged,
  SettingError,
  type SettingSpec,
  type SettingTable,
  validateSettings,
} from './validation.js'
import type { Quat, Vec3 } from './vectors.js'

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
  /** Joins two bodies only where they are no farther apart than this [m]; default however far. */
  within?: number
  /** Pose of the frame of a joint that leads to no body or collider. Default [0, 0, 0], unturned. */
  position?: Vec3
  rotation?: Quat
}

/** Called once a joint has broken, after the step. */
export type BreakCallback = (joint: Joint) => void

/**
 * Holds a body to another, to a collider or to a frame, at the offset that they had when it was made, or after a teleport
 * of either body. Two joined bodies do not push each other, nor does a collider the points joined to it. Every call after
 * `remove`, or after one of the two is gone, does nothing.
 */
export class Joint extends Hold<Joint> {
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
}

/**
 * Joins a body to another body, a collider, or a frame in the world; null for bodies that are too far apart.
 * @throws SettingError for an option outside its range
 */
export function join(
  host: Host,
  body: BodyRecord,
  other: BodyRecord | null,
  collider: ColliderRecord | null,
  options: JointOptions,
): Joint | null {
  const name = body.settings.name
  checkGroup(name, 'join', options)
  const { at, radius, particles, within, position = [0, 0, 0], rotation = [0, 0, 0, 1], ...rest } = options
  check(name, body, other, options)
  validateSettings(name, rest, jointSettings)
  const { state } = host
  const { particleCount } = body.model
  const held = particles === undefined ? undefined : checkParticles(name, 'join.particles', particles, particleCount)
  if (within !== undefined && other && gapBetween(state, body, other) > within) return null
  const frame: Frame | null = other ? null : (collider ?? ownFrame(position, rotation))
  const links = other
    ? linksBetween(state, body, other, at, radius, held)
    : linksToFrame(state, body, at ?? frame!.pose, radius, held)
  const defaults: JointSettings = { compliance: 0, damping: 0, breakForce: Number.POSITIVE_INFINITY }
  const ends = { body, other, collider, frame, spring: false, whole: false, otherWhole: false }
  const record = addRecord(state, ends, links, settingsOf(merged(defaults, rest)))
  measureLinks(state, record)
  host.wake(body)
  if (other) host.wake(other)
  host.disturb()
  const joint = new Joint(host, record, name)
  follow(record, joint)
  return joint
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

function check(name: string, body: BodyRecord, other: BodyRecord | null, options: JointOptions): void {
  const { at, radius, particles, within, position = [0, 0, 0], rotation = [0, 0, 0, 1] } = options
  const fail = (prop: string, value: unknown, problem: string, advice: string): never => {
    throw new SettingError(name, `join.${prop}`, value, problem, advice)
  }
  if (other === body) fail('other', name, 'is the body itself', 'Join it to another body, to a collider or to null.')
  if (at !== undefined) checkPlace(name, 'join.at', at)
  validatePose(name, position, rotation)
  if (radius !== undefined && !(Number.isFinite(radius) && radius >= 0)) {
    fail('radius', radius, 'must be 0 or above', 'Use metres; 0 joins single points.')
  }
  if (within !== undefined && !(typeof within === 'number' && within >= 0))
    fail('within', within, 'must be 0 or above', 'Use metres.')
  if (particles?.length === 0) fail('particles', [], 'names no particle', 'Leave it out for a radius.')
}

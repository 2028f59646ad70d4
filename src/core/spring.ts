import { checkPlace, checkTarget, validatePose } from './checks.js'
import { follow, Hold, ownFrame } from './hold.js'
import type { Host } from './host.js'
import { addRecord, linksBetween, linksToFrame } from './jointLinks.js'
import { type JointRecord, LINK, SPRING } from './jointRecord.js'
import { quaternionToMatrix } from './math/rotation.js'
import { meanByMass } from './measures.js'
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
import type { MutableVec3, Quat, Vec3 } from './vectors.js'

/** What can be changed of a spring while it acts. */
export interface SpringSettings {
  /** Force per change of its length [N/m]. */
  stiffness: number
  /** Force against the rate at which its length changes [N s/m]. */
  damping: number
  /** Length at which it pulls nothing [m]. */
  restLength: number
  /** Most force that it has, either way [N]. */
  maxForce: number
  /** Force that it bears [N], as a mean over some substeps; beyond, it breaks. */
  breakForce: number
}

const plain: Pick<SettingSpec, 'type' | 'min' | 'max'> = { type: 'number', min: 0, max: 1e12 }
const forceSpec: SettingSpec = {
  ...plain,
  quantity: 'force',
  unit: 'N',
  default: Number.POSITIVE_INFINITY,
  minExclusive: true,
  max: Number.POSITIVE_INFINITY,
  remedy: 'Use newtons, or Infinity for no end.',
}

export const springSettings: SettingTable<SpringSettings> = {
  stiffness: {
    ...plain,
    quantity: 'force per length',
    unit: 'N/m',
    default: 100,
    remedy: 'Use 100; m (2 pi f)^2 swings a mass of m kilograms f times a second.',
  },
  damping: {
    ...plain,
    quantity: 'force per speed',
    unit: 'N s/m',
    default: 0,
    remedy: 'Use 0 for none, 2 sqrt(stiffness mass) for no swing at all.',
  },
  restLength: {
    ...plain,
    quantity: 'length',
    unit: 'm',
    default: undefined,
    optional: true,
    max: 1e9,
    remedy: 'Use metres, or leave it out for the length that it has when it is made.',
  },
  maxForce: forceSpec,
  breakForce: forceSpec,
}

export interface SpringOptions extends Partial<SpringSettings> {
  /**
   * Where it takes hold of the body [m], in the world: the nearest point of its matter. Default its centre of mass, where
   * it pulls at all of the body, each particle by its mass, and so neither bends nor turns it.
   */
  from?: Vec3
  /** Where it takes hold of the other, likewise, or of the frame: default its origin, or `from`. */
  to?: Vec3
  /** Pose of the frame of a spring that leads to no body or collider. Default at `to`, unturned. */
  position?: Vec3
  rotation?: Quat
}

/**
 * A spring between a point of a body and one of another, of a collider, or of the world: f = -k (l - L) - c dl/dt along
 * it. What it joins touches as before. Every call after `remove`, or after one of the two is gone, does nothing.
 */
export class Spring extends Hold<Spring> {
  get settings(): Readonly<SpringSettings> {
    const { settings } = this.record
    return {
      stiffness: settings[SPRING.STIFFNESS]!,
      damping: settings[SPRING.DAMPING]!,
      restLength: settings[SPRING.REST_LENGTH]!,
      maxForce: settings[SPRING.MAX_FORCE]!,
      breakForce: settings[SPRING.BREAK_FORCE]!,
    }
  }

  /** Changes settings live. @throws SettingError, and then nothing has changed */
  set(settings: Partial<SpringSettings>): void {
    validateSettings(this.name, settings, springSettings)
    this.host.flush()
    this.host.send({ type: 'setJoint', joint: this.record, settings: settingsOf(merged(this.settings, settings)) })
  }

  /**
   * Where its two ends are [m]: that on the body, and the other, as they are now, or `interpolated` where the frame stands
   * between the last two steps; once it is gone they stay as they are. Allocates nothing.
   */
  ends(from: MutableVec3, to: MutableVec3, interpolated = false): void {
    checkTarget(this.name, 'ends.from', from)
    checkTarget(this.name, 'ends.to', to)
    const record = this.live()
    if (!record) return
    share[0] = 1
    if (interpolated) this.host.readInterpolation(share)
    endsOf(this.host.state, record, from, to)
  }

  /** Its length now [m]; 0 once it is gone. */
  length(): number {
    const record = this.live()
    share[0] = 1
    return record ? lengthOf(this.host.state, record) : 0
  }
}

/** Makes a spring. @throws SettingError for an option outside its range */
export function addSpring(
  host: Host,
  body: BodyRecord,
  other: BodyRecord | null,
  collider: ColliderRecord | null,
  options: SpringOptions,
): Spring {
  const { name } = body.settings
  checkGroup(name, 'spring', options)
  const { from, to, position, rotation = [0, 0, 0, 1], ...settings } = options
  validateSettings(name, settings, springSettings)
  if (other === body && !(from && to)) {
    const remedy = 'Give from and to, two points of it.'
    throw new SettingError(name, 'spring.other', name, 'is the body itself', remedy)
  }
  if (from !== undefined) checkPlace(name, 'spring.from', from)
  if (to !== undefined) checkPlace(name, 'spring.to', to)
  validatePose(name, position === undefined ? [0, 0, 0] : position, rotation)
  const { state } = host
  const start = from ?? meanByMass(body, state.positions, [0, 0, 0])
  const end =
    to ?? (other ? meanByMass(other, state.positions, [0, 0, 0]) : collider ? originOf(collider) : (position ?? start))
  const frame = other ? null : (collider ?? ownFrame(position ?? end, rotation))
  const links = other
    ? linksBetween(state, body, other, undefined, 0, undefined, [start, end])
    : linksToFrame(state, body, start, 0)
  if (frame) {
    const R = new Float64Array(9)
    quaternionToMatrix(frame.pose, 3, R)
    for (let d = 0; d < 3; d++) {
      for (let e = 0; e < 3; e++) links.locals[d]! += R[e * 3 + d]! * (end[e]! - frame.pose[e]!)
    }
  }
  const ends = { body, other, collider, frame, spring: true, whole: !from, otherWhole: other !== null && !to }
  const record = addRecord(state, ends, links, new Float64Array(5))
  share[0] = 1
  const defaults: SpringSettings = {
    stiffness: 100,
    damping: 0,
    restLength: lengthOf(state, record),
    maxForce: Number.POSITIVE_INFINITY,
    breakForce: Number.POSITIVE_INFINITY,
  }
  record.settings.set(settingsOf(merged(defaults, settings)))
  host.wake(body)
  if (other) host.wake(other)
  host.disturb()
  const spring = new Spring(host, record, name)
  follow(record, spring)
  return spring
}

function settingsOf({ stiffness, damping, restLength, maxForce, breakForce }: SpringSettings): Float64Array {
  const settings = new Float64Array(5)
  settings[SPRING.STIFFNESS] = stiffness
  settings[SPRING.DAMPING] = damping
  settings[SPRING.REST_LENGTH] = restLength
  settings[SPRING.MAX_FORCE] = maxForce
  settings[SPRING.BREAK_FORCE] = breakForce
  return settings
}

function originOf({ pose }: ColliderRecord): Vec3 {
  return [pose[0]!, pose[1]!, pose[2]!]
}

function lengthOf(state: State, record: JointRecord): number {
  const one: MutableVec3 = [0, 0, 0]
  const two: MutableVec3 = [0, 0, 0]
  endsOf(state, record, one, two)
  const [x, y, z] = [one[0] - two[0], one[1] - two[1], one[2] - two[2]]
  return Math.sqrt(x * x + y * y + z * z)
}

const R = new Float64Array(9)
/** Where between the last two steps the ends are asked for. */
const share = Float64Array.of(1)

function endsOf(state: State, record: JointRecord, from: MutableVec3, to: MutableVec3): void {
  const body = state.bodies.get(record.body)
  if (body) endOf(state, body, record.whole, record.particles, record.weights, from)
  if (record.frame) {
    const { pose } = record.frame
    quaternionToMatrix(pose, 3, R)
    for (let d = 0; d < 3; d++) {
      to[d] = pose[d]!
      for (let e = 0; e < 3; e++) to[d]! += R[d * 3 + e]! * record.locals[e]!
    }
    return
  }
  const other = record.other && state.bodies.get(record.other)
  if (other) endOf(state, other, record.otherWhole, record.otherParticles, record.otherWeights, to)
}

function endOf(
  { positions: x, stepStart: x0 }: State,
  { start, model }: BodyRecord,
  whole: boolean,
  particles: Uint32Array,
  weights: Float64Array,
  out: MutableVec3,
): void {
  const count = whole ? model.particleCount : LINK
  out.fill(0)
  for (let k = 0; k < count; k++) {
    const at = (start + (whole ? k : particles[k]!)) * 3
    const b = whole ? model.massShares[k]! : weights[k]!
    for (let p = at; p < at + 3; p++) {
      out[p - at]! += b * (share[0] === 1 ? x[p]! : x0[p]! + share[0]! * (x[p]! - x0[p]!))
    }
  }
}

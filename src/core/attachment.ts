import { bodySettings } from './bodySettings.js'
import { checkTarget } from './checks.js'
import type { Host } from './host.js'
import type { AttachmentRecord, BodyRecord } from './records.js'
import { checkRegion, type Region } from './region.js'
import { SettingError, type SettingSpec, type SettingTable, validateSettings } from './validation.js'
import type { MutableVec3, Vec3 } from './vectors.js'

export interface AttachOptions {
  /** Where the point is held [m], up to 1e9 along each axis; default where it is. */
  target?: Vec3
  /** Inverse stiffness [m/N], up to 1e30; default 0, rigid. */
  compliance?: number
  /** Damping of the centre of mass of what hangs on it against the target's motion [N s/m], up to 1e30; default 0. */
  damping?: number
  /** Largest force [N]; default Infinity. */
  maxForce?: number
  /**
   * Largest force on the region itself [N]; what is beyond pulls at all that hangs on it, by mass, so that a place which is
   * drawn hard does not leave its body behind. Default Infinity.
   */
  localForce?: number
}

const force: SettingSpec = {
  quantity: 'force',
  unit: 'N',
  type: 'number',
  default: Number.POSITIVE_INFINITY,
  optional: true,
  min: 0,
  max: Number.POSITIVE_INFINITY,
  remedy: 'Use newtons, or Infinity for no limit.',
}

const attachSettings: SettingTable<AttachOptions> = {
  target: { ...bodySettings.position, optional: true, remedy: 'Use metres.' },
  compliance: {
    ...force,
    quantity: 'inverse stiffness',
    unit: 'm/N',
    default: 0,
    max: 1e30,
    remedy: 'Use 0 for rigid, 1e-4 for a spring of 10 000 N/m.',
  },
  damping: { ...force, quantity: 'damping', unit: 'N s/m', default: 0, max: 1e30, remedy: 'Use 0 for none.' },
  maxForce: force,
  localForce: force,
}

/** Holds a region of a body to a target. Every call after `remove`, or after the body is gone, does nothing. */
export class Attachment {
  constructor(
    private readonly host: Host,
    private readonly record: AttachmentRecord,
    private readonly name: string,
  ) {}

  get alive(): boolean {
    this.host.flush()
    return this.host.state.attachments.get(this.record) !== undefined
  }

  /**
   * Moves the target [m]; the point is led there evenly over the frame's steps. Non-finite targets are ignored.
   * @throws SettingError for what is no number
   */
  setTarget(x: number, y: number, z: number): void {
    const { goal, body } = this.record
    if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') {
      const remedy = 'Give x, y and z, as in setTarget(0, 1, 0).'
      throw new SettingError(this.name, 'setTarget', [x, y, z], 'must be 3 numbers', remedy)
    }
    if (!Number.isFinite(x + y + z)) return
    if (goal[0] !== x || goal[1] !== y || goal[2] !== z) this.host.wake(body)
    goal[0] = x
    goal[1] = y
    goal[2] = z
    this.record.sweep = this.host.sweep
    this.host.disturb()
  }

  /** Mean force on the body over the last step [N]. */
  force(target: MutableVec3 = [0, 0, 0]): MutableVec3 {
    checkTarget(this.name, 'force', target)
    for (let d = 0; d < 3; d++) target[d] = this.record.force[d]!
    return target
  }

  /** Where the held point is [m]. */
  point(target: MutableVec3 = [0, 0, 0]): MutableVec3 {
    checkTarget(this.name, 'point', target)
    this.host.flush()
    const { state } = this.host
    const body = state.bodies.get(this.record.body)
    if (!body) return target
    target.fill(0)
    for (let k = 0; k < this.record.particles.length; k++) {
      const p = (body.start + this.record.particles[k]!) * 3
      for (let d = 0; d < 3; d++) target[d] = target[d]! + this.record.weights[k]! * state.positions[p + d]!
    }
    return target
  }

  remove(): void {
    this.host.send({ type: 'detach', attachment: this.record })
  }
}

/**
 * Holds a region of a body; of one that is gone, nothing.
 * @throws SettingError for an option outside its range
 */
export function attach(host: Host, body: BodyRecord, region: Region, options: AttachOptions): Attachment {
  host.flush()
  checkRegion(body.settings.name, 'attach', region, body.model.particleCount)
  validateSettings(body.settings.name, options, attachSettings, 'attach')
  const { compliance = 0, damping = 0 } = options
  const { maxForce = Number.POSITIVE_INFINITY, localForce = Number.POSITIVE_INFINITY } = options
  const { bodies, attachments } = host.state
  const record = attachments.add((slot, generation) => ({
    slot,
    generation,
    body,
    particles: region.particles.slice(), // a reset of a torn body may change them
    weights: region.weights,
    compliance,
    damping,
    maxForce,
    localForce,
    from: new Float64Array(3),
    target: new Float64Array(3),
    goal: new Float64Array(3),
    sweep: 1,
    force: new Float64Array(3),
  }))
  host.wake(body)
  host.disturb()
  const attachment = new Attachment(host, record, body.settings.name)
  const here = attachment.point([0, 0, 0])
  record.from.set(here)
  record.goal.set(options.target ?? here)
  if (!bodies.get(body)) attachments.remove(record)
  return attachment
}

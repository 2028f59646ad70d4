import { roomy } from '../collision/soft/columns.js'
import { JOINT, type JointRecord, LINK, WHOLE } from '../jointRecord.js'
import type { AttachmentRecord, BodyRecord } from '../records.js'
import type { State } from '../state.js'
import { isRope } from '../tear/snap.js'
import { isSheet } from './pinDistances.js'

/** What is done about a joint, see `Holds.joints`. */
export const HOLDS = 1
export const REACHED = 2

/** Part of its inverse mass that is left to a held particle: as good as none, and enough to tell what draws at it. */
export const LEFT = 1e-4
/** Speed beyond which what a hold asks of a particle would tear at its body [m/s]: one that was put somewhere else. */
const FAR = 200
/** `Holds.marks` */
const HELD = 1
const FLUNG = 2
/** A weight that is less than this below 1 is all. */
const ROUNDING = 1e-9

/**
 * Particles of cloths and ropes that something unmoved holds rigidly, each by itself: attachments of single points, and
 * links of joints to frames and to pins. A sweep that takes such a particle for as light as it is lets it give way, and
 * what it was to bear is lost when it is put back. So while constraints are projected it is next to pinned: `grip`, then
 * the sweeps, then what holds it puts it back and bears its way over its inverse mass of that time, and `release`.
 */
export class Holds {
  /** Counts how often other particles than before were held. */
  version = 0
  /** By joint of the state: `HOLDS` where its links hold so, `REACHED` where tethers or limits of strain draw at it. */
  joints = new Uint8Array(0)
  private particles = new Uint32Array(0)
  private count = 0
  /** By particle of the state: `HELD` or `FLUNG` where it is held. */
  private marks = new Uint8Array(0)
  private found = 0
  private same = true
  /** What was looked at last. */
  private attachmentsSeen: readonly AttachmentRecord[] = []
  private jointsSeen: readonly JointRecord[] = []
  private versionSeen = -1
  private tearsSeen = -1
  private changesSeen = -1
  private brokenSeen = 0

  /** A step begins: looks what is held where that may have changed. */
  follow(state: State): void {
    const attachments = state.attachments.live
    const joints = state.joints.live
    let broken = 0
    for (let j = 0; j < joints.length; j++) if (joints[j]!.broken[0] !== WHOLE) broken++
    if (
      attachments === this.attachmentsSeen &&
      joints === this.jointsSeen &&
      state.version === this.versionSeen &&
      state.tears === this.tearsSeen &&
      state.jointChanges === this.changesSeen &&
      broken === this.brokenSeen
    )
      return
    this.attachmentsSeen = attachments
    this.jointsSeen = joints
    this.versionSeen = state.version
    this.tearsSeen = state.tears
    this.changesSeen = state.jointChanges
    this.brokenSeen = broken
    this.find(state)
  }

  private find(state: State): void {
    const { attachments, joints, inverseMasses } = state
    this.marks = roomy(this.marks, inverseMasses.length)
    this.joints = roomy(this.joints, joints.live.length)
    for (let k = 0; k < this.count; k++) this.marks[this.particles[k]!] = 0
    this.found = 0
    this.same = true
    for (let a = 0; a < attachments.live.length; a++) {
      const record = attachments.live[a]!
      const body = state.bodies.get(record.body)
      if (body && canBeHeld(body) && isRigidPoint(record)) this.note(inverseMasses, body.start + record.particles[0]!)
    }
    for (let j = 0; j < joints.live.length; j++) {
      const record = joints.live[j]!
      const body = state.bodies.get(record.body)
      this.joints[j] = isReached(state, record) ? REACHED : 0
      if (!body || !canBeHeld(body) || !holdsPoints(state, record)) continue
      this.joints[j] = HOLDS
      for (let link = 0; link < record.count; link++) {
        this.note(inverseMasses, body.start + record.particles[heldBy(record, link)]!)
      }
    }
    if (this.same && this.found === this.count) return
    this.count = this.found
    this.version++
  }

  private note(w: Float64Array, i: number): void {
    if (w[i] === 0 || this.marks[i] !== 0) return
    this.marks[i] = HELD
    this.particles = roomy(this.particles, this.found + 1)
    if (this.found >= this.count || this.particles[this.found] !== i) this.same = false
    this.particles[this.found++] = i
  }

  /** True for a particle of the state that is pinned or held. */
  isStill({ inverseMasses }: State, i: number): boolean {
    return inverseMasses[i] === 0 || this.marks[i] !== 0
  }

  /** What holds them has put them where they are to be, in a substep of h[0] [s]. */
  grip({ positions: x, previous, inverseMasses: w }: State, h: Float64Array): void {
    const most = FAR * h[0]!
    for (let k = 0; k < this.count; k++) {
      const i = this.particles[k]!
      const dx = x[i * 3]! - previous[i * 3]!
      const dy = x[i * 3 + 1]! - previous[i * 3 + 1]!
      const dz = x[i * 3 + 2]! - previous[i * 3 + 2]!
      const isFar = dx * dx + dy * dy + dz * dz > most * most
      this.marks[i] = isFar ? FLUNG : HELD
      if (!isFar) w[i] = w[i]! * LEFT
    }
  }

  /** True for what is put so far in this substep that it is to draw its body along by its own weight. */
  isFar(i: number): boolean {
    return this.marks[i] === FLUNG
  }

  /** Gives them their own inverse masses back. */
  release({ inverseMasses: w, masses }: State): void {
    for (let k = 0; k < this.count; k++) w[this.particles[k]!] = 1 / masses[this.particles[k]!]!
  }
}

/** Matching of shapes moves particles by no mass. */
function canBeHeld(body: BodyRecord): boolean {
  if (!isSheet(body) && !isRope(body.model)) return false
  const { sets } = body.model
  for (let k = 0; k < sets.length; k++) if (sets[k]!.kind.contract === 'goal') return false
  return true
}

function isRigidPoint({ particles, compliance, maxForce, localForce }: AttachmentRecord): boolean {
  return particles.length === 1 && compliance === 0 && Math.min(maxForce, localForce) === Number.POSITIVE_INFINITY
}

/**
 * True for a joint of single particles to what does not give way. Of what is braced across a gap each particle has several
 * links, whose remainders would count as forces of its heavy stand-in.
 */
function holdsPoints({ bodies, inverseMasses }: State, record: JointRecord): boolean {
  if (!isRigid(record) || record.rounds > 0) return false
  for (let link = 0; link < record.count; link++) if (heldBy(record, link) < 0) return false
  const other = record.other && bodies.get(record.other)
  if (!other) return true
  for (let k = 0; k < record.otherParticles.length; k++) {
    if (record.otherWeights[k] !== 0 && inverseMasses[other.start + record.otherParticles[k]!] !== 0) return false
  }
  return true
}

const isRigid = ({ spring, settings, broken }: JointRecord) =>
  !spring && settings[JOINT.COMPLIANCE] === 0 && broken[0] === WHOLE

function isReached({ bodies }: State, record: JointRecord): boolean {
  if (!isRigid(record)) return false
  const body = bodies.get(record.body)
  const other = record.other && bodies.get(record.other)
  return (!!body && hasReach(body)) || (!!other && hasReach(other))
}

const hasReach = ({ settings }: BodyRecord) =>
  Math.min(settings.strainLimit, settings.tether) < Number.POSITIVE_INFINITY

/** Which of a joint's particles is all that a link holds; -1 for none. */
function heldBy({ weights }: JointRecord, link: number): number {
  for (let k = link * LINK; k < (link + 1) * LINK; k++) if (weights[k]! > 1 - ROUNDING) return k
  return -1
}

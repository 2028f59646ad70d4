import { END_POSITION, END_ROTATION, POSE, Poses } from './collision/poses.js'
import { chain } from './constraints/index.js'
import { BREAKING, type Frame, isSame, JOINT, type JointRecord, LINK, WHOLE } from './jointRecord.js'
import type { OuterHolds } from './outerHolds.js'
import { HOLDS, type Holds, REACHED } from './reach/holds.js'
import type { BodyRecord } from './records.js'
import { BEGUN, springChange, springNumbers } from './springForce.js'
import type { State } from './state.js'

/** Share of the way that the running mean of a joint's force goes to the force of a substep. */
const SMOOTHING = 0.25

/** Where a link's two ends are [m], how far they have come in the substep [m], and their weight against a push [1/kg]. */
const near = new Float64Array(3)
const far = new Float64Array(3)
const moved = new Float64Array(3)
const weight = new Float64Array(1)
const apart = new Float64Array(3)
/** How far the last frame has moved a link's place in the substep [m]. */
const step = new Float64Array(3)
const change = new Float64Array(1)
const force = new Float64Array(3)

/**
 * Joins bodies to bodies and to frames: each link holds two points, sum b_i x_i of a body and sum b_j x_j of another or
 * a place in a frame, at their rest distance, C = |p - q| - L [m], compliant and damped (Macklin et al. 2016, eq. 26).
 * The correction is along p - q and equal and opposite, so that momentum and angular momentum of two joined bodies are
 * kept exactly, also where L = 0 and the points coincide. What a substep's multipliers add up to is the force, lambda /
 * h^2; its running mean over some substeps breaks the joint.
 */
export class Joints {
  private records: readonly JointRecord[] = []
  /** The joints' frames, and by joint which of them is its own. */
  private frames: readonly Frame[] = []
  private frameOf = new Int32Array(0)
  private readonly poses = new Poses()
  /** Three a link, all joints' in a row [m/N h^2]. */
  private lambda = new Float64Array(0)
  private rows = 0
  /** By link of a spring: how it was when the substep began, `BEGUN`. */
  private begun = new Float64Array(0)
  private hasSprings = false
  /** True where a joint holds a chain that is awake: what hangs on its light end is felt along it by turns. */
  holdChains = false

  /** Takes the joints for a step. */
  begin(state: State): void {
    if (this.records !== state.joints.live) this.take(state.joints.live)
    // What sleepers bear stays what it was when they fell asleep.
    for (let j = 0; j < this.records.length; j++) {
      if (!state.bodies.get(this.records[j]!.body)?.asleep) this.records[j]!.force.fill(0)
    }
    this.holdChains = false
    for (let j = 0; j < this.records.length && !this.holdChains; j++) {
      const { body, other } = this.records[j]!
      if (!acts(state, this.records[j]!)) continue
      this.holdChains = hasChain(state.bodies.get(body)) || (other !== null && hasChain(state.bodies.get(other)))
    }
  }

  private take(records: readonly JointRecord[]): void {
    this.records = records
    this.rows = records.reduce((sum, { count }) => sum + count, 0)
    if (this.lambda.length < this.rows * 3) this.lambda = new Float64Array(this.rows * 6)
    if (this.begun.length < this.rows * BEGUN.SIZE) this.begun = new Float64Array(this.rows * BEGUN.SIZE * 2)
    this.hasSprings = records.some(({ spring }) => spring)
    const frames = records.flatMap(({ frame }) => frame ?? [])
    this.frames = frames
    this.frameOf = Int32Array.from(records, ({ frame }) => (frame ? frames.indexOf(frame) : -1))
  }

  /** A substep of h[0] [s] begins; nothing has moved yet. */
  beginSubstep(state: State, substep: number, substeps: number, h: Float64Array): void {
    if (this.records.length === 0) return
    this.lambda.fill(0, 0, this.rows * 3)
    this.poses.set(this.frames, substep, substep + 1, substeps)
    if (!this.hasSprings) return
    let row = 0
    for (let j = 0; j < this.records.length; j++) {
      const record = this.records[j]!
      const body = state.bodies.get(record.body)
      const other = record.other ? state.bodies.get(record.other) : undefined
      if (record.spring && body && acts(state, record)) this.beginSpring(state, record, body, other, j, row, h)
      row += record.count
    }
  }

  /** Notes the length of a spring, and by how much it changes in a substep at its present speed. */
  private beginSpring(
    state: State,
    record: JointRecord,
    body: BodyRecord,
    other: BodyRecord | undefined,
    j: number,
    row: number,
    h: Float64Array,
  ): void {
    const { whole, otherWhole, particles, weights, otherParticles, otherWeights, locals } = record
    locate(state, body, whole, particles, weights, 0, 1, near)
    if (other) locate(state, other, otherWhole, otherParticles, otherWeights, 0, -1, far)
    else this.locateInFrame(this.frameOf[j]!, locals, 0)
    // How far the two come in this substep: the way that the particles have come is of the last one.
    moved.fill(0)
    coast(state, body, whole, particles, weights, 1, h)
    if (other) coast(state, other, otherWhole, otherParticles, otherWeights, -1, h)
    let square = 0
    for (let d = 0; d < 3; d++) {
      if (!other) {
        moved[d] = moved[d]! - step[d]!
        far[d] = far[d]! - step[d]!
      }
      apart[d] = near[d]! - far[d]!
      square += apart[d]! * apart[d]!
    }
    const length = Math.sqrt(square)
    const o = row * BEGUN.SIZE
    this.begun[o + BEGUN.LENGTH] = length
    this.begun[o + BEGUN.CHANGE] = 0
    if (length === 0) return
    for (let d = 0; d < 3; d++) {
      this.begun[o + BEGUN.CHANGE] = this.begun[o + BEGUN.CHANGE]! + (apart[d]! * moved[d]!) / length
    }
  }

  /** One sweep, in a substep of h[0] [s]. */
  project(state: State, h: Float64Array): void {
    let row = 0
    for (let j = 0; j < this.records.length; j++) {
      const record = this.records[j]!
      const body = state.bodies.get(record.body)
      const other = record.other ? state.bodies.get(record.other) : undefined
      if (body && acts(state, record)) {
        const sweeps = record.rounds > 0 ? 2 * record.rounds : 1
        for (let k = 0; k < sweeps; k++) this.projectJoint(state, record, body, other, j, row, h, k % 2 === 1)
      }
      row += record.count
    }
  }

  /** One sweep over those that hold single particles still, and, of `reached`, that a tether or a limit may have drawn at. */
  projectHolds(state: State, h: Float64Array, { joints }: Holds, reached: boolean): void {
    let row = 0
    for (let j = 0; j < this.records.length; j++) {
      const record = this.records[j]!
      const body = joints[j] === HOLDS || (reached && joints[j] === REACHED) ? state.bodies.get(record.body) : undefined
      const other = record.other ? state.bodies.get(record.other) : undefined
      if (body && acts(state, record)) this.projectJoint(state, record, body, other, j, row, h, false)
      row += record.count
    }
  }

  private projectJoint(
    state: State,
    record: JointRecord,
    body: BodyRecord,
    other: BodyRecord | undefined,
    j: number,
    firstRow: number,
    h: Float64Array,
    back: boolean,
  ): void {
    const { lambda } = this
    const { whole, otherWhole, particles, weights, otherParticles, otherWeights } = record
    const { locals, rest, settings, parallels } = record
    const compliance = record.spring ? 0 : settings[JOINT.COMPLIANCE]!
    const alpha = (compliance * parallels[0]!) / (h[0]! * h[0]!)
    const gamma = (compliance * settings[JOINT.DAMPING]!) / h[0]!
    for (let at = 0; at < record.count; at++) {
      const link = back ? record.count - 1 - at : at
      weight[0] = 0
      moved.fill(0)
      locate(state, body, whole, particles, weights, link, 1, near)
      if (other) locate(state, other, otherWhole, otherParticles, otherWeights, link, -1, far)
      else this.locateInFrame(this.frameOf[j]!, locals, link)
      let square = 0
      for (let d = 0; d < 3; d++) {
        apart[d] = near[d]! - far[d]!
        square += apart[d]! * apart[d]!
      }
      const length = Math.sqrt(square)
      if (length === 0 || weight[0] === 0) continue // no direction to go, or both held
      const l = (firstRow + link) * 3
      let along = 0
      let slip = 0
      for (let d = 0; d < 3; d++) {
        apart[d] = apart[d]! / length
        along += apart[d]! * lambda[l + d]!
        slip += apart[d]! * moved[d]!
      }
      change[0] = (rest[link]! - length - alpha * along - gamma * slip) / ((1 + gamma) * weight[0] + alpha)
      if (record.spring) {
        springNumbers[0] = length
        springNumbers[1] = along
        springChange(settings, this.begun, (firstRow + link) * BEGUN.SIZE, weight, h, change)
      }
      for (let d = 0; d < 3; d++) {
        apart[d] = apart[d]! * change[0]
        lambda[l + d] = lambda[l + d]! + apart[d]!
      }
      move(state, body, whole, particles, weights, link, 1)
      if (other) move(state, other, otherWhole, otherParticles, otherWeights, link, -1)
    }
  }

  /** Sets `far` to a link's place in its frame, and takes its way in the substep off `moved`. */
  private locateInFrame(frame: number, locals: Float64Array, link: number): void {
    const { data } = this.poses
    const o = frame * POSE
    const x = locals[link * 3]!
    const y = locals[link * 3 + 1]!
    const z = locals[link * 3 + 2]!
    for (let d = 0; d < 3; d++) {
      const r = o + END_ROTATION + d * 3
      const s = r - END_POSITION
      far[d] = data[o + END_POSITION + d]! + data[r]! * x + data[r + 1]! * y + data[r + 2]! * z
      const before = data[o + d]! + data[s]! * x + data[s + 1]! * y + data[s + 2]! * z
      step[d] = far[d]! - before
      moved[d] = moved[d]! - step[d]!
    }
  }

  /** Adds the rigid ones between a body and frames to what holds it, in a substep of h[0] [s], after the sweeps. */
  list(state: State, body: BodyRecord, h: Float64Array, holds: OuterHolds): void {
    let row = 0
    for (let j = 0; j < this.records.length; j++) {
      const record = this.records[j]!
      const first = row
      row += record.count
      if (record.other || record.spring || record.settings[JOINT.COMPLIANCE] !== 0) continue
      if (!isSame(record.body, body) || !acts(state, record)) continue
      force.fill(0)
      weight[0] = 0
      for (let link = 0; link < record.count; link++) {
        locate(state, body, false, record.particles, record.weights, link, 1, near)
        this.locateInFrame(this.frameOf[j]!, record.locals, link)
        holds.addPoint(near, step, h)
        for (let d = 0; d < 3; d++) force[d] = force[d]! + this.lambda[(first + link) * 3 + d]!
      }
      // Each link has pulled its own point: all of them have gone its way.
      weight[0] = weight[0] / (record.count * record.count)
      holds.addPull(force, weight)
    }
  }

  /** Adds the substep's force to each joint's mean over the step, and breaks what bears too much. */
  endSubstep(state: State, substeps: number, h: Float64Array): void {
    let row = 0
    for (let j = 0; j < this.records.length; j++) {
      const record = this.records[j]!
      const end = (row + record.count) * 3
      force.fill(0)
      for (let l = row * 3; l < end; l++) force[l % 3] = force[l % 3]! + this.lambda[l]! / (h[0]! * h[0]!)
      row += record.count
      if (!acts(state, record) || !(force[0]! + force[1]! + force[2]! < Number.POSITIVE_INFINITY)) continue
      let square = 0
      for (let d = 0; d < 3; d++) {
        record.force[d] = record.force[d]! + force[d]! / substeps
        record.load[d] = record.load[d]! + SMOOTHING * (force[d]! - record.load[d]!)
        square += record.load[d]! * record.load[d]!
      }
      if (square > record.settings[JOINT.BREAK_FORCE]! * record.settings[JOINT.BREAK_FORCE]!)
        record.broken[0] = BREAKING
    }
  }

  /** Frames of their own have reached their targets; those of colliders do with the collider. */
  end(): void {
    for (let f = 0; f < this.frames.length; f++) this.frames[f]!.pose.set(this.frames[f]!.target)
  }
}

/** False for a joint that is broken, and for one of sleepers. */
function acts({ bodies }: State, { body, broken }: JointRecord): boolean {
  return broken[0] === WHOLE && bodies.get(body)?.asleep === false
}

/** Adds up a link's point of a body, its weight, and by `sign` its way in the substep. @param whole its centre of mass */
function locate(
  { positions: x, previous, inverseMasses: w }: State,
  { start, model }: BodyRecord,
  whole: boolean,
  particles: Uint32Array,
  weights: Float64Array,
  link: number,
  sign: number,
  out: Float64Array,
): void {
  out.fill(0)
  const to = whole ? model.particleCount : link * LINK + LINK
  for (let k = whole ? 0 : link * LINK; k < to; k++) {
    const b = whole ? model.massShares[k]! : weights[k]!
    if (b === 0) continue
    const i = start + (whole ? k : particles[k]!)
    weight[0] = weight[0]! + b * b * w[i]!
    for (let d = 0; d < 3; d++) {
      out[d] = out[d]! + b * x[i * 3 + d]!
      moved[d] = moved[d]! + sign * b * (x[i * 3 + d]! - previous[i * 3 + d]!)
    }
  }
}

/** Adds to `moved`, by `sign`, how far the point of a spring comes at its speed in a substep of h[0] [s]. */
function coast(
  { velocities: v }: State,
  { start, model }: BodyRecord,
  whole: boolean,
  particles: Uint32Array,
  weights: Float64Array,
  sign: number,
  h: Float64Array,
): void {
  const to = whole ? model.particleCount : LINK
  for (let k = 0; k < to; k++) {
    const b = sign * h[0]! * (whole ? model.massShares[k]! : weights[k]!)
    const i = start + (whole ? k : particles[k]!)
    for (let d = 0; d < 3; d++) moved[d] = moved[d]! + b * v[i * 3 + d]!
  }
}

/** Moves a link's particles by sign w b `apart`: all of a body evenly where none is pinned. */
function move(
  { positions: x, inverseMasses: w }: State,
  { start, model }: BodyRecord,
  whole: boolean,
  particles: Uint32Array,
  weights: Float64Array,
  link: number,
  sign: number,
): void {
  const to = whole ? model.particleCount : link * LINK + LINK
  for (let k = whole ? 0 : link * LINK; k < to; k++) {
    const i = start + (whole ? k : particles[k]!)
    const s = sign * (whole ? model.massShares[k]! : weights[k]!) * w[i]!
    if (s === 0) continue
    for (let d = 0; d < 3; d++) x[i * 3 + d] = x[i * 3 + d]! + s * apart[d]!
  }
}

function hasChain(body: BodyRecord | undefined): boolean {
  if (!body || body.asleep) return false
  const { sets } = body.model
  for (let k = 0; k < sets.length; k++) if (sets[k]!.kind === chain) return true
  return false
}

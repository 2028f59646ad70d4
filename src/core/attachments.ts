import { span } from './constraints/index.js'
import { isSame } from './jointRecord.js'
import { isInPieces, type Model } from './model.js'
import type { OuterHolds } from './outerHolds.js'
import type { Holds } from './reach/holds.js'
import type { AttachmentRecord, BodyRecord } from './records.js'
import type { State } from './state.js'
import { hangingTogether } from './tear/pieces.js'

/** Speed at which a piece that is rigidly held comes back that has gone further off than it was at rest [m/s]. */
const BACK = 5

const C = new Float64Array(3)
const moved = new Float64Array(3)
/** What pulls at all that hangs there, in this sweep. */
const common = new Float64Array(3)
const place = new Float64Array(3)
/** Inverse mass of a held point [1/kg]. */
const light = new Float64Array(1)
/** Where a piece may stay, from the target [m]. */
const kept = new Float64Array(3)
/** Of the target's way that is made when the substep begins. */
const share = new Float64Array(1)

/** What hangs together of what an attachment holds. */
interface Load {
  /** Which of the attachment's particles, and the sum of their weights. */
  readonly held: Uint32Array
  readonly weight: number
  /** How far their mean is from that of all that is held, at rest [m]. */
  readonly away: number
  /** All that hangs on them; null for all of the body. */
  readonly particles: Uint32Array | null
  /** Of its mass in the body's. */
  readonly share: number
}

/** In one state of a body's model. */
interface Loads {
  readonly model: Model
  readonly pieces: readonly Load[]
}

/**
 * Holds points of bodies to moving targets: C = sum b_i x_i - target [m], three rows that share one denominator,
 * compliant and damped (Macklin et al. 2016, eq. 26), and with a limit on the force. The damping is of the centre of
 * mass against the target's own motion: the few particles held would be stopped within a substep, and the body that
 * hangs on them would not notice. Of a force beyond `localForce` the rest pulls at all that hangs there, by mass. Acts from
 * outside.
 *
 * Of a body that is torn apart only the pieces that are held count, each for itself: where one hangs fast and the other does
 * not, their common mean would be led by throwing the free one ever further. A piece stays where it is, seen from the
 * target, as far off as it was at rest at most.
 */
export class Attachments {
  private lambda = new Float64Array(0)
  /** The part of `lambda` that pulls at all that hangs there. */
  private shared = new Float64Array(0)
  private records: readonly AttachmentRecord[] = []
  private rows = 0
  private readonly loads = new WeakMap<AttachmentRecord, Loads>()

  /** Takes the attachments for a step. */
  begin(state: State): void {
    this.records = state.attachments.live
    let rows = 0
    for (let a = 0; a < this.records.length; a++) {
      const record = this.records[a]!
      const body = state.bodies.get(record.body)
      // What holds a body that sleeps goes on holding it.
      if (!body?.asleep) record.force.fill(0)
      if (body && this.loads.get(record)?.model !== body.model) this.loads.set(record, loadsOf(body.model, record))
      rows += this.loads.get(record)?.pieces.length ?? 0
    }
    this.rows = rows
    if (this.lambda.length >= rows * 3) return
    this.lambda = new Float64Array(rows * 6)
    this.shared = new Float64Array(rows * 6)
  }

  beginSubstep(): void {
    this.lambda.fill(0, 0, this.rows * 3)
    this.shared.fill(0, 0, this.rows * 3)
  }

  /**
   * One sweep, in substep `substep` of `substeps` of the step `timeStep[0]` [s].
   * @param holds given where rigid ones are projected once more: what came since has drawn at what they hold
   */
  project(state: State, substep: number, substeps: number, timeStep: Float64Array, holds: Holds | null): void {
    if (this.records.length === 0) return
    const h = timeStep[0]! / substeps
    const { positions: x, inverseMasses: w } = state
    let row = 0
    for (let a = 0; a < this.records.length; a++) {
      const record = this.records[a]!
      const pieces = this.loads.get(record)?.pieces ?? NONE
      const body = state.bodies.get(record.body)
      const { particles, weights, from, target, compliance, damping, maxForce, localForce } = record
      for (let piece = 0; piece < pieces.length; piece++) {
        const l = 3 * row++
        if (!body || body.asleep || (holds && !isHeldAgain(record, body, holds))) continue
        const load = pieces[piece]!
        const { held } = load
        for (let d = 0; d < 3; d++) C[d] = -(from[d]! + ((target[d]! - from[d]!) * (substep + 1)) / substeps)
        let weight = 0
        for (let k = 0; k < held.length; k++) {
          const i = body.start + particles[held[k]!]!
          const b = weights[held[k]!]! / load.weight
          weight += b * b * w[i]!
          for (let d = 0; d < 3; d++) C[d] = C[d]! + b * x[i * 3 + d]!
        }
        if (weight === 0) continue // pinned
        if (pieces.length > 1) {
          const rigid = weight / (weight + compliance / (h * h))
          share[0] = substep / substeps
          keepOff(state, body, record, load)
          const off = Math.sqrt(kept[0]! * kept[0]! + kept[1]! * kept[1]! + kept[2]! * kept[2]!)
          const left = Math.min(off, load.away + rigid * Math.max(0, off - load.away - BACK * h))
          for (let d = 0; d < 3; d++) if (off > 0) C[d] = C[d]! - (kept[d]! * left) / off
        }
        // Further off than the limited force stretches it, the spring is as much softer, and damped the less: a body
        // pulled from far away is braked within the limit, and does not shoot past.
        const part = pieces.length > 1 ? load.weight : 1
        const most = maxForce * part
        const far = Math.sqrt(C[0]! * C[0]! + C[1]! * C[1]! + C[2]! * C[2]!)
        const softness = compliance === 0 ? 0 : Math.max(compliance, far / most)
        const alphaTilde = softness / (h * h)
        const gamma = (Math.sqrt(softness * compliance) * damping) / h
        if (gamma > 0) motionOfCenter(state, body, load)
        const response = weight + (gamma > 0 ? gamma / (body.mass * load.share) : 0) + alphaTilde
        const limit = most * h * h
        let size = 0
        for (let d = 0; d < 3; d++) {
          const slip = gamma > 0 ? moved[d]! - (target[d]! - from[d]!) / substeps : 0
          const change = (-C[d]! - alphaTilde * this.lambda[l + d]! - gamma * slip) / response
          C[d] = this.lambda[l + d]! + change
          size += C[d]! * C[d]!
        }
        size = Math.sqrt(size)
        const scale = size > limit ? limit / size : 1
        const local = localForce * part * h * h
        const beyond = size * scale > local ? 1 - local / (size * scale) : 0
        for (let d = 0; d < 3; d++) {
          const next = C[d]! * scale
          common[d] = beyond * next - this.shared[l + d]!
          C[d] = next - this.lambda[l + d]! - common[d]!
          this.lambda[l + d] = next
          this.shared[l + d] = beyond * next
        }
        if (localForce < maxForce) pullAll(state, body, load)
        for (let k = 0; k < held.length; k++) {
          const i = body.start + particles[held[k]!]!
          const s = (weights[held[k]!]! / load.weight) * w[i]!
          x[i * 3] = x[i * 3]! + s * C[0]!
          x[i * 3 + 1] = x[i * 3 + 1]! + s * C[1]!
          x[i * 3 + 2] = x[i * 3 + 2]! + s * C[2]!
        }
      }
    }
  }

  /** Adds the substep's force to each record's mean over the step. */
  endSubstep(substeps: number, timeStep: Float64Array): void {
    if (this.records.length === 0) return
    const h = timeStep[0]! / substeps
    let row = 0
    for (let a = 0; a < this.records.length; a++) {
      const record = this.records[a]!
      const { force } = record
      const pieces = this.loads.get(record)?.pieces ?? NONE
      for (let piece = 0; piece < pieces.length; piece++, row++) {
        for (let d = 0; d < 3; d++) force[d] = force[d]! + this.lambda[row * 3 + d]! / (h * h * substeps)
      }
    }
  }

  /** Adds the rigid ones of a body to what holds it, in a substep of h[0] [s], after the sweeps. */
  list(state: State, body: BodyRecord, substeps: number, h: Float64Array, holds: OuterHolds): void {
    let row = 0
    for (let a = 0; a < this.records.length; a++) {
      const record = this.records[a]!
      const { particles, weights, from, target, compliance, maxForce } = record
      const l = row * 3
      row += this.loads.get(record)?.pieces.length ?? 0
      if (compliance !== 0 || maxForce !== Number.POSITIVE_INFINITY || !isSame(record.body, body)) continue
      place.fill(0)
      light[0] = 0
      for (let k = 0; k < particles.length; k++) {
        const i = body.start + particles[k]!
        light[0] = light[0] + weights[k]! * weights[k]! * state.inverseMasses[i]!
        for (let d = 0; d < 3; d++) place[d] = place[d]! + weights[k]! * state.positions[i * 3 + d]!
      }
      for (let d = 0; d < 3; d++) moved[d] = (target[d]! - from[d]!) / substeps
      holds.addPoint(place, moved, h)
      for (let d = 0; d < 3; d++) moved[d] = this.lambda[l + d]!
      holds.addPull(moved, light)
    }
  }

  /** The targets have been reached. */
  end(): void {
    for (let a = 0; a < this.records.length; a++) this.records[a]!.from.set(this.records[a]!.target)
  }
}

const NONE: readonly Load[] = []

/** Limbs are rigid last: what holds a figure moves it as a whole before. */
function isHeldAgain({ compliance, particles }: AttachmentRecord, { start, model }: BodyRecord, holds: Holds): boolean {
  if (compliance !== 0 || (particles.length === 1 && holds.isFar(start + particles[0]!))) return false
  for (let k = 0; k < model.sets.length; k++) if (model.sets[k]!.kind === span) return false
  return true
}

function loadsOf(model: Model, { particles, weights }: AttachmentRecord): Loads {
  const groups = isInPieces(model) ? heldTogether(model, particles) : [Uint32Array.from(particles, (_, k) => k)]
  const all = meanOf(model, particles, weights)
  const pieces = groups.map((held): Load => {
    const some = held.map((k) => particles[k]!)
    const shares = Float64Array.from(held, (k) => weights[k]!)
    const hanging = hangingTogether(model, some)
    const [dx, dy, dz] = meanOf(model, some, shares).map((x, d) => x - all[d]!) as [number, number, number]
    return {
      held,
      weight: groups.length === 1 ? 1 : shares.reduce((sum, weight) => sum + weight, 0),
      away: Math.sqrt(dx * dx + dy * dy + dz * dz),
      particles: hanging,
      share: hanging ? hanging.reduce((sum, i) => sum + model.massShares[i]!, 0) : 1,
    }
  })
  return { model, pieces: pieces.filter(({ weight }) => weight > 0) }
}

/** Places in a list of particles, by the pieces that they are of. */
function heldTogether({ torn, particleCount }: Model, particles: Uint32Array): Uint32Array[] {
  const pieceOf = new Uint32Array(particleCount)
  const { members, pieceStarts } = torn!
  for (let piece = 0; piece + 1 < pieceStarts.length; piece++) {
    for (let k = pieceStarts[piece]!; k < pieceStarts[piece + 1]!; k++) pieceOf[members[k]!] = piece
  }
  const groups = new Map<number, number[]>()
  particles.forEach((particle, k) => {
    const group = groups.get(pieceOf[particle]!)
    if (group) group.push(k)
    else groups.set(pieceOf[particle]!, [k])
  })
  return Array.from(groups.values(), (group) => Uint32Array.from(group))
}

/** Weighted mean at rest [m]. */
function meanOf({ positions }: Model, particles: Uint32Array, weights: Float64Array): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return [0, 1, 2].map((d) => particles.reduce((sum, i, k) => sum + (weights[k]! / total) * positions[3 * i + d]!, 0))
}

/** Sets `kept` to how far the mean of a piece was from the target when the substep began [m]. */
function keepOff(
  { previous: x0 }: State,
  { start }: BodyRecord,
  { particles, weights, from, target }: AttachmentRecord,
  { held, weight }: Load,
): void {
  for (let d = 0; d < 3; d++) kept[d] = -(from[d]! + (target[d]! - from[d]!) * share[0]!)
  for (let k = 0; k < held.length; k++) {
    const p = (start + particles[held[k]!]!) * 3
    const b = weights[held[k]!]! / weight
    for (let d = 0; d < 3; d++) kept[d] = kept[d]! + b * x0[p + d]!
  }
}

/** Sets `moved` to how far the centre of mass of what hangs there has come in the substep [m]. */
function motionOfCenter({ positions: x, previous: x0, masses }: State, body: BodyRecord, load: Load): void {
  moved.fill(0)
  const { particles } = load
  const count = particles === null ? body.model.particleCount : particles.length
  const mass = body.mass * load.share
  for (let k = 0; k < count; k++) {
    const i = body.start + (particles === null ? k : particles[k]!)
    const share = masses[i]! / mass
    for (let d = 0; d < 3; d++) moved[d] = moved[d]! + share * (x[i * 3 + d]! - x0[i * 3 + d]!)
  }
}

/** Moves all that hangs there alike, by what is in `common`. */
function pullAll({ positions: x, inverseMasses: w }: State, body: BodyRecord, { particles, share }: Load): void {
  const count = particles === null ? body.model.particleCount : particles.length
  const mass = body.mass * share
  for (let k = 0; k < count; k++) {
    const i = body.start + (particles === null ? k : particles[k]!)
    if (w[i] === 0) continue // pinned
    for (let d = 0; d < 3; d++) x[i * 3 + d] = x[i * 3 + d]! + common[d]! / mass
  }
}

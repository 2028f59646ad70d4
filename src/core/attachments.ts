import type { AttachmentRecord, BodyRecord, State } from './state.js'

const C = new Float64Array(3)
const moved = new Float64Array(3)

/**
 * Holds points of bodies to moving targets: C = sum b_i x_i - target [m], three rows that share one denominator,
 * compliant and damped (Macklin et al. 2016, eq. 26), and with a limit on the force. The damping is of the centre of
 * mass against the target's own motion: the few particles held would be stopped within a substep, and the body that
 * hangs on them would not notice. Acts from outside.
 */
export class Attachments {
  private lambda = new Float64Array(0)
  private records: readonly AttachmentRecord[] = []

  /** Takes the attachments for a step. */
  begin(state: State): void {
    this.records = state.attachments.live
    if (this.lambda.length < this.records.length * 3) this.lambda = new Float64Array(this.records.length * 6)
    for (let a = 0; a < this.records.length; a++) {
      const record = this.records[a]!
      // What holds a body that sleeps goes on holding it.
      if (!state.bodies.get(record.body)?.asleep) record.force.fill(0)
    }
  }

  beginSubstep(): void {
    this.lambda.fill(0, 0, this.records.length * 3)
  }

  /** One sweep, in substep `substep` of `substeps` of the step `timeStep[0]` [s]. */
  project(state: State, substep: number, substeps: number, timeStep: Float64Array): void {
    if (this.records.length === 0) return
    const h = timeStep[0]! / substeps
    const { positions: x, inverseMasses: w } = state
    for (let a = 0; a < this.records.length; a++) {
      const record = this.records[a]!
      const body = state.bodies.get(record.body)
      if (!body || body.asleep) continue
      const { particles, weights, from, target, compliance, damping, maxForce } = record
      for (let d = 0; d < 3; d++) C[d] = -(from[d]! + ((target[d]! - from[d]!) * (substep + 1)) / substeps)
      let weight = 0
      for (let k = 0; k < particles.length; k++) {
        const i = body.start + particles[k]!
        const b = weights[k]!
        weight += b * b * w[i]!
        for (let d = 0; d < 3; d++) C[d] = C[d]! + b * x[i * 3 + d]!
      }
      if (weight === 0) continue // pinned
      // Further off than the limited force stretches it, the spring is as much softer, and damped the less: a body
      // pulled from far away is braked within the limit, and does not shoot past.
      const far = Math.sqrt(C[0]! * C[0]! + C[1]! * C[1]! + C[2]! * C[2]!)
      const softness = compliance === 0 ? 0 : Math.max(compliance, far / maxForce)
      const alphaTilde = softness / (h * h)
      const gamma = (Math.sqrt(softness * compliance) * damping) / h
      if (gamma > 0) motionOfCenter(state, body)
      const response = weight + (gamma > 0 ? gamma / body.mass : 0) + alphaTilde
      const limit = maxForce * h * h
      const l = a * 3
      let size = 0
      for (let d = 0; d < 3; d++) {
        const slip = gamma > 0 ? moved[d]! - (target[d]! - from[d]!) / substeps : 0
        const change = (-C[d]! - alphaTilde * this.lambda[l + d]! - gamma * slip) / response
        C[d] = this.lambda[l + d]! + change
        size += C[d]! * C[d]!
      }
      size = Math.sqrt(size)
      const scale = size > limit ? limit / size : 1
      for (let d = 0; d < 3; d++) {
        const next = C[d]! * scale
        C[d] = next - this.lambda[l + d]!
        this.lambda[l + d] = next
      }
      for (let k = 0; k < particles.length; k++) {
        const i = body.start + particles[k]!
        const s = weights[k]! * w[i]!
        x[i * 3] = x[i * 3]! + s * C[0]!
        x[i * 3 + 1] = x[i * 3 + 1]! + s * C[1]!
        x[i * 3 + 2] = x[i * 3 + 2]! + s * C[2]!
      }
    }
  }

  /** Adds the substep's force to each record's mean over the step. */
  endSubstep(substeps: number, timeStep: Float64Array): void {
    if (this.records.length === 0) return
    const h = timeStep[0]! / substeps
    for (let a = 0; a < this.records.length; a++) {
      const { force } = this.records[a]!
      for (let d = 0; d < 3; d++) force[d] = force[d]! + this.lambda[a * 3 + d]! / (h * h * substeps)
    }
  }

  /** The targets have been reached. */
  end(): void {
    for (let a = 0; a < this.records.length; a++) this.records[a]!.from.set(this.records[a]!.target)
  }
}

/** Sets `moved` to how far the body's centre of mass has come in the substep [m]. */
function motionOfCenter({ positions: x, previous: x0, masses }: State, body: BodyRecord): void {
  moved.fill(0)
  for (let i = body.start; i < body.start + body.model.particleCount; i++) {
    const share = masses[i]! / body.mass
    for (let d = 0; d < 3; d++) moved[d] = moved[d]! + share * (x[i * 3 + d]! - x0[i * 3 + d]!)
  }
}

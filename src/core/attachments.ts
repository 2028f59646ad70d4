import type { AttachmentRecord, State } from './state.js'

const C = new Float64Array(3)
const moved = new Float64Array(3)

/**
 * Holds points of bodies to moving targets: C = sum b_i x_i - target [m], three rows that share one denominator,
 * compliant and damped (Macklin et al. 2016, eq. 26, with the damping against the target's own motion), and with a
 * limit on the force. Acts from outside.
 */
export class Attachments {
  private lambda = new Float64Array(0)
  private records: readonly AttachmentRecord[] = []

  /** Takes the attachments for a step. */
  begin(state: State): void {
    this.records = state.attachments.live
    if (this.lambda.length < this.records.length * 3) this.lambda = new Float64Array(this.records.length * 6)
    for (let a = 0; a < this.records.length; a++) this.records[a]!.force.fill(0)
  }

  beginSubstep(): void {
    this.lambda.fill(0, 0, this.records.length * 3)
  }

  /** One sweep, in substep `substep` of `substeps` of the step `timeStep[0]` [s]. */
  project(state: State, substep: number, substeps: number, timeStep: Float64Array): void {
    if (this.records.length === 0) return
    const h = timeStep[0]! / substeps
    const { positions: x, previous: x0, inverseMasses: w } = state
    for (let a = 0; a < this.records.length; a++) {
      const record = this.records[a]!
      const body = state.bodies.get(record.body)
      if (!body) continue
      const { particles, weights, from, target, compliance, damping, maxForce } = record
      for (let d = 0; d < 3; d++) {
        const way = target[d]! - from[d]!
        C[d] = -(from[d]! + (way * (substep + 1)) / substeps)
        moved[d] = -way / substeps
      }
      let weight = 0
      for (let k = 0; k < particles.length; k++) {
        const i = body.start + particles[k]!
        const b = weights[k]!
        weight += b * b * w[i]!
        for (let d = 0; d < 3; d++) {
          C[d] = C[d]! + b * x[i * 3 + d]!
          moved[d] = moved[d]! + b * (x[i * 3 + d]! - x0[i * 3 + d]!)
        }
      }
      if (weight === 0) continue // pinned
      const alphaTilde = compliance / (h * h)
      const gamma = (compliance * damping) / h
      const limit = maxForce * h * h
      const l = a * 3
      let size = 0
      for (let d = 0; d < 3; d++) {
        const change =
          (-C[d]! - alphaTilde * this.lambda[l + d]! - gamma * moved[d]!) / ((1 + gamma) * weight + alphaTilde)
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

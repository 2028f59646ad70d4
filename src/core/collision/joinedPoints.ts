import { LINK, WHOLE } from '../jointRecord.js'
import type { State } from '../state.js'
import { roomy } from './soft/columns.js'

/**
 * Which particles joints hold to colliders: those do not push them, nor points that lean on them, since what a joint holds
 * contacts would drive away. Once it has broken they do.
 */
export class JoinedPoints {
  /** True where there are any. */
  any = false
  /** By particle: the last of its entries, counted from 1; by entry its collider, and the particle's entry before. */
  private lasts = new Uint32Array(0)
  private colliders = new Uint32Array(0)
  private befores = new Uint32Array(0)
  private count = 0

  /** Takes the joints of a step. */
  take(state: State): void {
    if (this.any) this.lasts.fill(0)
    this.any = false
    this.count = 0
    const joints = state.joints.live
    for (let j = 0; j < joints.length; j++) {
      const { body, collider, broken, spring, count, particles, weights } = joints[j]!
      const record = collider && !spring && broken[0] === WHOLE ? state.colliders.get(collider) : undefined
      const held = record && state.bodies.get(body)
      if (!held) continue
      this.any = true
      this.lasts = roomy(this.lasts, state.masses.length)
      this.colliders = roomy(this.colliders, this.count + count * LINK)
      this.befores = roomy(this.befores, this.count + count * LINK)
      const c = state.colliders.live.indexOf(record)
      for (let k = 0; k < count * LINK; k++) if (weights[k] !== 0) this.add(held.start + particles[k]!, c)
    }
  }

  private add(i: number, c: number): void {
    this.colliders[this.count] = c
    this.befores[this.count] = this.lasts[i]!
    this.lasts[i] = ++this.count
  }

  /** True where one of `arity` particles of a body that begins at `start`, from particles[at] on, is joined to the `c`-th collider. */
  has(start: number, particles: Uint32Array, at: number, arity: number, c: number): boolean {
    for (let k = at; k < at + arity; k++) {
      for (let entry = this.lasts[start + particles[k]!]!; entry > 0; entry = this.befores[entry - 1]!) {
        if (this.colliders[entry - 1] === c) return true
      }
    }
    return false
  }
}

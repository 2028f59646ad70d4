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
  /** By particle: the collider that one of its joints leads to, counted from 1; 0 for none. */
  private joinedTo = new Uint32Array(0)

  /** Takes the joints of a step. */
  take(state: State): void {
    if (this.any) this.joinedTo.fill(0)
    this.any = false
    const joints = state.joints.live
    for (let j = 0; j < joints.length; j++) {
      const { body, collider, broken, spring, count, particles, weights } = joints[j]!
      const record = collider && !spring && broken[0] === WHOLE ? state.colliders.get(collider) : undefined
      const held = record && state.bodies.get(body)
      if (!held) continue
      this.any = true
      this.joinedTo = roomy(this.joinedTo, state.masses.length)
      const number = state.colliders.live.indexOf(record) + 1
      for (let k = 0; k < count * LINK; k++) if (weights[k] !== 0) this.joinedTo[held.start + particles[k]!] = number
    }
  }

  /** True where one of `arity` particles of a body that begins at `start`, from particles[at] on, is joined to the `c`-th collider. */
  has(start: number, particles: Uint32Array, at: number, arity: number, c: number): boolean {
    for (let k = at; k < at + arity; k++) if (this.joinedTo[start + particles[k]!] === c + 1) return true
    return false
  }
}

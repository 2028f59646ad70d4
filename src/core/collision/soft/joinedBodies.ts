import { WHOLE } from '../../jointRecord.js'
import type { State } from '../../state.js'
import { roomy } from './columns.js'

/**
 * Which bodies are joined: these do not push each other, since what a joint holds together contacts would drive apart. Once
 * it has broken they do.
 */
export class JoinedBodies {
  /** By live body: those that it is joined to are partners[starts[b]] to partners[starts[b + 1]]. */
  private starts = new Uint32Array(0)
  private partners = new Uint32Array(0)
  private count = 0

  /** Takes the joints of a step. @param bodyOf by particle the index of its body among the live ones */
  take(state: State, bodyOf: Uint32Array): void {
    const joints = state.joints.live
    const bodies = state.bodies.live.length
    this.count = 0
    if (joints.length === 0) return
    this.starts = roomy(this.starts, bodies + 2)
    this.partners = roomy(this.partners, joints.length * 2)
    const { starts, partners } = this
    starts.fill(0, 0, bodies + 2)
    for (let round = 0; round < 2; round++) {
      for (let j = 0; j < joints.length; j++) {
        const { body, other, broken, spring } = joints[j]!
        if (!other || spring || broken[0] !== WHOLE) continue
        const one = bodyOf[state.bodies.get(body)!.start]!
        const two = bodyOf[state.bodies.get(other)!.start]!
        // Counts stand two places on at first; then each is where the next one goes.
        if (round === 0) {
          starts[one + 2] = starts[one + 2]! + 1
          starts[two + 2] = starts[two + 2]! + 1
          this.count++
        } else {
          partners[starts[one + 1]!] = two
          partners[starts[two + 1]!] = one
          starts[one + 1] = starts[one + 1]! + 1
          starts[two + 1] = starts[two + 1]! + 1
        }
      }
      if (round === 0) for (let b = 2; b < bodies + 2; b++) starts[b] = starts[b]! + starts[b - 1]!
    }
  }

  /** True where a joint holds the live bodies `a` and `b` together. */
  has(a: number, b: number): boolean {
    if (this.count === 0) return false
    const end = this.starts[a + 1]!
    for (let k = this.starts[a]!; k < end; k++) if (this.partners[k] === b) return true
    return false
  }
}

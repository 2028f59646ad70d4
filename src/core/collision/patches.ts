import { addToPatch, patchPoint, STICKS } from '../patch.js'
import type { State } from '../state.js'
import { LimbContacts } from './limbContacts.js'
import { POSE } from './poses.js'
import { inverseMass, point } from './touching.js'

/** Contacts with colliders that know over which patch they bear a body. */
export class Patches extends LimbContacts {
  /** Adds to the patch in hand where, and how hard, colliders push the `b`-th live body in this substep, and how these turn. */
  addPatch(state: State, b: number): void {
    const h = this.h[0]!
    for (let pair = this.bodyPairs[b]!; pair < this.bodyPairs[b + 1]!; pair++) {
      if (this.push[pair] === 0) continue
      this.weigh(state, pair)
      if (inverseMass[0] === 0) continue
      this.locate(state, pair)
      patchPoint[0] = this.push[pair]! / (inverseMass[0]! * h)
      for (let d = 0; d < 3; d++) {
        patchPoint[1 + d] = this.normals[pair * 3 + d]!
        patchPoint[4 + d] = point[d]!
      }
      this.findTurn(this.collider[pair]!)
      patchPoint[10] = this.drag[pair]! < STICKS * this.friction[pair]! * this.push[pair]! ? 1 : 0
      addToPatch()
    }
  }

  /** Angular velocity of the collider `c` over the substep, into `patchPoint` [rad/s]: half of the sum of r x r' / h of its axes. */
  private findTurn(c: number): void {
    const { data } = this.poses
    const o = c * POSE
    const half = 0.5 / this.h[0]!
    for (let d = 7; d < 10; d++) patchPoint[d] = 0
    for (let k = 0; k < 3; k++) {
      const x0 = data[o + 3 + k]!
      const y0 = data[o + 6 + k]!
      const z0 = data[o + 9 + k]!
      const x1 = data[o + 15 + k]!
      const y1 = data[o + 18 + k]!
      const z1 = data[o + 21 + k]!
      patchPoint[7] = patchPoint[7]! + half * (y0 * z1 - z0 * y1)
      patchPoint[8] = patchPoint[8]! + half * (z0 * x1 - x0 * z1)
      patchPoint[9] = patchPoint[9]! + half * (x0 * y1 - y0 * x1)
    }
  }
}

import type { State } from '../state.js'
import { Bounces } from './bounces.js'
import { TOUCH, type Touches } from './touches.js'
import { inverseMass, point } from './touching.js'

/** Contacts with colliders that tell who touched whom. */
export class ColliderContacts extends Bounces {
  /** Notes the pairs that pushed in this substep: the push of a point, over its inverse mass and h, is its impulse. */
  log(state: State, touches: Touches): void {
    if (this.active === 0) return
    const { touch } = touches
    const h = this.h[0]!
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      for (let pair = this.bodyPairs[b]!; pair < this.bodyPairs[b + 1]!; pair++) {
        if (this.push[pair] === 0) continue
        this.weigh(state, pair)
        if (inverseMass[0] === 0) continue
        this.locate(state, pair)
        touch[TOUCH.IMPULSE] = this.push[pair]! / (inverseMass[0]! * h)
        for (let d = 0; d < 3; d++) {
          touch[TOUCH.POINT + d] = point[d]!
          touch[TOUCH.NORMAL + d] = this.normals[pair * 3 + d]!
        }
        touches.noteCollider(b, this.collider[pair]!)
      }
    }
  }
}

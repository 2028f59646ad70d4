import { IMPACT } from '../impact.js'
import type { State } from '../state.js'
import { Patches } from './patches.js'
import { given } from './rebound.js'
import { TOUCH, type Touches } from './touches.js'
import { inverseMass, point } from './touching.js'

/** Contacts with colliders that tell who touched whom. */
export class ColliderContacts extends Patches {
  constructor(private readonly noted: Touches) {
    super()
  }

  /** Notes the pairs that pushed in this substep: the push of a point, over its inverse mass and h, is its impulse. */
  log(state: State): void {
    if (this.active === 0) return
    const touches = this.noted
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

  /** What a body that bounces as a whole is given, or loses, belongs to its touch, also where that is over by then. */
  protected override gave(state: State, b: number, i: number): void {
    const { impacts } = state.bodies.live[b]!
    for (let c = 0; c < this.colliders.length; c++) {
      const { slot, generation } = this.colliders[c]!
      if (impacts[i + IMPACT.COLLIDER] !== slot + 1 || impacts[i + IMPACT.GENERATION] !== generation) continue
      this.noted.touch[TOUCH.IMPULSE] = given[0]!
      this.noted.addToCollider(b, c)
      return
    }
  }
}

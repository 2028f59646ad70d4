import { dragged } from '../damping.js'
import { IMPACT, IMPACTS, leaderOf } from '../impact.js'
import type { State } from '../state.js'
import { Patches } from './patches.js'
import { given } from './rebound.js'
import { roomy } from './soft/columns.js'
import { TOUCH, type Touches } from './touches.js'
import { inverseMass, point } from './touching.js'

const { COLLIDER, GENERATION, NORMAL, PUSHED, SIZE } = IMPACT

/** Contacts with colliders that tell who touched whom. */
export class ColliderContacts extends Patches {
  /** By live body, what damping has given it in this substep [3 n] N s. */
  private drags = new Float64Array(0)

  constructor(private readonly noted: Touches) {
    super()
  }

  /** Damping has given the `b`-th live body `dragged`, as what it touches held it. */
  keepDragged(b: number): void {
    this.drags = roomy(this.drags, b * 3 + 3)
    for (let d = 0; d < 3; d++) this.drags[b * 3 + d] = this.drags[b * 3 + d]! + dragged[d]!
  }

  /**
   * Notes the pairs that pushed in this substep: what a point was moved by, over its inverse mass and h, is its impulse. They
   * share what damping has given their body as it held them.
   */
  log(state: State): void {
    const bodies = this.active === 0 ? 0 : state.bodies.live.length
    for (let b = 0; b < bodies; b++) this.logBody(state, b)
    this.drags.fill(0)
  }

  private logBody(state: State, b: number): void {
    const touches = this.noted
    const { touch } = touches
    const end = this.bodyPairs[b + 1]!
    let pushes = 0
    for (let pair = this.bodyPairs[b]!; pair < end; pair++) {
      if (this.push[pair] === 0) continue
      this.weigh(state, pair)
      if (inverseMass[0] === 0) continue
      const mass = 1 / (inverseMass[0]! * this.h[0]!) // of the point, over h
      pushes += mass * this.push[pair]!
      this.locate(state, pair)
      touch[TOUCH.IMPULSE] = mass * this.moved[pair]!
      for (let d = 0; d < 3; d++) {
        const along = this.normals[pair * 3 + d]!
        touch[TOUCH.POINT + d] = point[d]!
        touch[TOUCH.NORMAL + d] = along
        touch[TOUCH.WHOLE + d] = mass * (this.moved[pair]! * along + this.rubbed[pair * 3 + d]!)
      }
      touches.noteCollider(b, this.collider[pair]!)
    }
    if (pushes === 0 || !this.isDragged(b)) return
    for (let pair = this.bodyPairs[b]!; pair < end; pair++) {
      if (this.push[pair] === 0) continue
      this.weigh(state, pair)
      if (inverseMass[0] === 0) continue
      const share = this.push[pair]! / (inverseMass[0]! * this.h[0]! * pushes)
      for (let d = 0; d < 3; d++) touch[TOUCH.WHOLE + d] = share * this.drags[b * 3 + d]!
      touches.addToCollider(b, this.collider[pair]!)
    }
  }

  private isDragged(b: number): boolean {
    const { drags } = this
    const d = b * 3
    return d < drags.length && (drags[d] !== 0 || drags[d + 1] !== 0 || drags[d + 2] !== 0)
  }

  /**
   * What a body that bounces as a whole is given, or loses, belongs to its touch, also where that is over by then; to those
   * that make one floor by what each has pushed.
   */
  protected override gave(state: State, b: number, i: number): void {
    const { impacts } = state.bodies.live[b]!
    const { touch } = this.noted
    let pushed = 0
    for (let k = 0; k < IMPACTS * SIZE; k += SIZE) if (leaderOf(impacts, k) === i) pushed += impacts[k + PUSHED]!
    for (let k = 0; k < IMPACTS * SIZE; k += SIZE) {
      if (leaderOf(impacts, k) !== i) continue
      const c = this.colliderOf(impacts, k)
      if (c < 0) continue
      const share = pushed > 0 ? impacts[k + PUSHED]! / pushed : k === i ? 1 : 0
      for (let d = 0; d < 3; d++) touch[TOUCH.WHOLE + d] = share * given[0]! * impacts[i + NORMAL + d]!
      this.noted.addToCollider(b, c)
    }
  }

  /** Index among the live colliders of the one of an impact; -1 where it is gone. */
  private colliderOf(impacts: Float64Array, i: number): number {
    for (let c = 0; c < this.colliders.length; c++) {
      const { slot, generation } = this.colliders[c]!
      if (impacts[i + COLLIDER] === slot + 1 && impacts[i + GENERATION] === generation) return c
    }
    return -1
  }
}

import { roomy } from './columns.js'
import type { Grounds } from './softGroups.js'

/** Who pushes the `b`-th live body: each neighbour as often as points of it do. */
export interface Neighbours {
  countOf(b: number): number
  neighbourOf(b: number, k: number): number
}

/** What no chain of contacts leads to from the ground. */
const AFLOAT = 0xffffffff

/**
 * What stands on what. A body that is held from outside, or that a collider pushes, is on the lowest level; what touches it
 * is on the next one, and so on up. Levels are found anew in each substep: a contact is one as long as it pushes.
 */
export class Standing {
  /** Numbers of the live bodies that stand, level by level from below. */
  order = new Uint32Array(0)
  count = 0
  private levels = new Uint32Array(0)

  /** @param held by live body, 1 where it is held from outside */
  find(bodies: number, held: Uint8Array, colliders: Grounds, neighbours: Neighbours): void {
    this.order = roomy(this.order, bodies)
    this.levels = roomy(this.levels, bodies)
    const { order, levels } = this
    let count = 0
    for (let b = 0; b < bodies; b++) {
      levels[b] = AFLOAT
      if (neighbours.countOf(b) === 0 || (held[b] === 0 && !colliders.touches(b))) continue
      levels[b] = 0
      order[count++] = b
    }
    for (let k = 0; k < count; k++) {
      const b = order[k]!
      const end = neighbours.countOf(b)
      for (let n = 0; n < end; n++) {
        const other = neighbours.neighbourOf(b, n)
        if (levels[other] !== AFLOAT) continue
        levels[other] = levels[b]! + 1
        order[count++] = other
      }
    }
    this.count = count
  }

  /** True where the `a`-th live body is below the `b`-th. */
  isBelow(a: number, b: number): boolean {
    return this.levels[a]! < this.levels[b]!
  }
}

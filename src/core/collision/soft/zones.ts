import type { State } from '../../state.js'
import { roomy } from './columns.js'
import type { SoftPairs } from './softPairs.js'

/**
 * The last resort for impacts that cannot be resolved within a substep: the particles of pairs that still meet, and of
 * those that these meet in turn, move as one, by their mean motion, so that none can pass another (Provot 1997). Their
 * momentum stays.
 */
export class Zones {
  /** Particles in zones. */
  count = 0
  members = new Uint32Array(0)
  /** By particle: the next one towards the first of its zone, + 1; 0 where it is in none. */
  private parents = new Uint32Array(0)
  private mass = new Float64Array(0)
  private sums = new Float64Array(0)

  /** Forgets all zones. */
  clear(state: State): void {
    this.parents = roomy(this.parents, state.masses.length)
    for (let k = 0; k < this.count; k++) this.parents[this.members[k]!] = 0
    this.count = 0
  }

  /** Joins the four particles of a pair. */
  join({ particles }: SoftPairs, pair: number): void {
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const i = particles[k]!
      if (this.parents[i] === 0) {
        this.members = roomy(this.members, this.count + 1)
        this.members[this.count++] = i
        this.parents[i] = i + 1
      }
      const a = this.first(particles[pair * 4]!)
      const b = this.first(i)
      this.parents[b] = a + 1
    }
  }

  /** The first of a particle's zone; halves the way there, since thousands may be in one (Tarjan, van Leeuwen 1984). */
  private first(i: number): number {
    const { parents } = this
    let at = i
    while (parents[at] !== at + 1) {
      parents[at] = parents[parents[at]! - 1]!
      at = parents[at]! - 1
    }
    return at
  }

  /** Moves each zone from `previous` by the mean of its particles' motions, or as what w says is pinned in it moves. */
  move({ positions: x, previous: y, masses }: State, w: Float64Array): void {
    this.mass = roomy(this.mass, masses.length)
    this.sums = roomy(this.sums, masses.length * 3)
    const { members, mass, sums } = this
    for (let k = 0; k < this.count; k++) {
      const i = members[k]!
      mass[i] = 0
      sums.fill(0, i * 3, i * 3 + 3)
    }
    for (let k = 0; k < this.count; k++) {
      const i = members[k]!
      const o = this.first(i)
      // One that is pinned outweighs all that are not.
      const m = w[i] === 0 ? masses[i]! * 1e12 : masses[i]!
      mass[o] = mass[o]! + m
      for (let d = 0; d < 3; d++) sums[o * 3 + d] = sums[o * 3 + d]! + m * (x[i * 3 + d]! - y[i * 3 + d]!)
    }
    for (let k = 0; k < this.count; k++) {
      const i = members[k]!
      if (w[i] === 0) continue
      const o = this.first(i)
      for (let d = 0; d < 3; d++) x[i * 3 + d] = y[i * 3 + d]! + sums[o * 3 + d]! / mass[o]!
    }
  }
}

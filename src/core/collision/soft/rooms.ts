import type { State } from '../../state.js'
import { NEAR, near } from './closest.js'
import { roomy } from './columns.js'
import { PAIR, type SoftPairs } from './softPairs.js'
import type { Surfaces } from './surfaces.js'

/** Share of the distance of two elements by which either may be put elsewhere, so that both may. */
const SHARE = 0.45

/**
 * How far bodies may be put elsewhere as wholes, as if they had always been there, past nothing thin: no way leads there
 * that could be followed, and a sheet or a rope does not push back what is behind it.
 */
export class Rooms {
  /** By live body: how far it may still be put in this substep [m]; who puts it takes off by how much. */
  left = new Float64Array(0)
  /** By live body: 1 where it is about to be put elsewhere. */
  private asked = new Uint8Array(0)
  private any = false

  /** A substep of `bodies` live bodies begins. */
  begin(bodies: number): void {
    this.left = roomy(this.left, bodies)
    this.asked = roomy(this.asked, bodies)
    this.left.fill(Number.POSITIVE_INFINITY, 0, bodies)
    this.asked.fill(0, 0, bodies)
    this.any = false
  }

  /** Live body `b` is about to be put elsewhere. */
  ask(b: number): void {
    this.asked[b] = 1
    this.any = true
  }

  /** Measures how far what is asked for is from what is thin, by the pairs that do not stand down. */
  measure({ previous: x }: State, pairs: SoftPairs, { solid }: Surfaces): void {
    if (!this.any) return
    const { asked, left } = this
    for (let pair = 0; pair < pairs.count; pair++) {
      const a = pairs.first[pair]!
      const b = pairs.second[pair]!
      if (asked[a] === 0 && asked[b] === 0) continue
      if (a === b || pairs.silent[pair] !== 0 || pairs.kind[pair] === PAIR.SOLID) continue
      if (solid[a] === 1 && solid[b] === 1) continue
      pairs.measure(x, pair)
      const room = SHARE * Math.sqrt(near[NEAR.SQUARE]!)
      left[a] = Math.min(left[a]!, room)
      left[b] = Math.min(left[b]!, room)
    }
  }
}

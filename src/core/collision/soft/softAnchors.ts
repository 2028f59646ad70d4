import type { State } from '../../state.js'
import { roomy } from './columns.js'
import type { SoftPairs } from './softPairs.js'

/** Places and velocities of points, six numbers each; grows. */
interface Anchors {
  count: number
  points: Float64Array
}

/** Where each body touches others: its own points of the pairs that push it, by body. */
export class SoftAnchors {
  /** By live body: the first of its entries, and the end. */
  private starts = new Uint32Array(0)
  /** Twice the pair, and 1 for its second element. */
  private entries = new Uint32Array(0)

  constructor(private readonly pairs: SoftPairs) {}

  /** Sorts the pairs that push, of `count` listed ones, by their bodies, of which there are `bodies`. */
  sort(list: Uint32Array, count: number, bodies: number): void {
    const { pairs } = this
    this.starts = roomy(this.starts, bodies + 2)
    this.entries = roomy(this.entries, count * 2)
    const { starts, entries } = this
    starts.fill(0, 0, bodies + 2)
    for (let round = 0; round < 2; round++) {
      for (let l = 0; l < count; l++) {
        const pair = list[l]!
        const a = pairs.first[pair]!
        const b = pairs.second[pair]!
        if (a === b || !(pairs.push[pair]! > 0)) continue
        // Counts stand two places on at first; then each is where the next entry goes.
        if (round === 0) {
          starts[a + 2] = starts[a + 2]! + 1
          starts[b + 2] = starts[b + 2]! + 1
        } else {
          entries[starts[a + 1]!] = pair * 2
          starts[a + 1] = starts[a + 1]! + 1
          entries[starts[b + 1]!] = pair * 2 + 1
          starts[b + 1] = starts[b + 1]! + 1
        }
      }
      if (round === 0) for (let b = 2; b < bodies + 2; b++) starts[b] = starts[b]! + starts[b - 1]!
    }
  }

  /** Adds the points where the `b`-th live body is pushed. */
  add({ positions: x, velocities: v }: State, b: number, out: Anchors): void {
    const { pairs, entries } = this
    const from = this.starts[b]!
    const to = this.starts[b + 1]!
    if (out.points.length < (out.count + to - from) * 6) {
      const wider = new Float64Array((out.count + to - from) * 12)
      wider.set(out.points)
      out.points = wider
    }
    const { points } = out
    for (let e = from; e < to; e++) {
      const pair = entries[e]! >> 1
      const sign = (entries[e]! & 1) === 1 ? -1 : 1
      const edges = pairs.isEdges(pair)
      // Of two edges the first two points are the first element; of a particle and a triangle, the first alone.
      const middle = pair * 4 + (edges ? 2 : 1)
      const first = sign === 1 ? pair * 4 : middle
      const end = sign === 1 ? middle : pair * 4 + 4
      const at = out.count++ * 6
      for (let d = at; d < at + 6; d++) points[d] = 0
      for (let k = first; k < end; k++) {
        const weight = sign * pairs.weights[k]!
        const p = pairs.particles[k]! * 3
        for (let d = 0; d < 3; d++) {
          points[at + d] = points[at + d]! + weight * x[p + d]!
          points[at + 3 + d] = points[at + 3 + d]! + weight * v[p + d]!
        }
      }
    }
  }
}

import type { State } from '../../state.js'
import { roomy } from './columns.js'
import type { SoftPairs } from './softPairs.js'
import type { Neighbours, Standing } from './standing.js'

/** Places and velocities of points, six numbers each; grows. */
interface Anchors {
  count: number
  points: Float64Array
}

/** Place [m] and velocity [m/s] of a point. */
const point = new Float64Array(6)

/** Where each body touches others: its own points of the pairs that push it, by body. */
export class SoftAnchors implements Neighbours {
  /** By live body: the first of its entries, and the end. */
  private starts = new Uint32Array(0)
  /** Twice the pair, and 1 for its second element. */
  private entries = new Uint32Array(0)
  /** [3 n] by entry, of the body's point before anything was damped: velocity less that of the other's point [m/s]. */
  private slips = new Float64Array(0)

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

  countOf(b: number): number {
    return this.starts[b + 1]! - this.starts[b]!
  }

  neighbourOf(b: number, k: number): number {
    const entry = this.entries[this.starts[b]! + k]!
    return (entry & 1) === 1 ? this.pairs.first[entry >> 1]! : this.pairs.second[entry >> 1]!
  }

  /** Notes how fast the points of `bodies` bodies slip; nothing is damped yet. */
  noteSlips(state: State, bodies: number): void {
    const end = this.starts[bodies]!
    this.slips = roomy(this.slips, end * 3)
    const { slips, entries } = this
    for (let e = 0; e < end; e++) {
      this.locate(state, entries[e]!)
      for (let d = 0; d < 3; d++) slips[e * 3 + d] = point[3 + d]!
      this.locate(state, entries[e]! ^ 1)
      for (let d = 0; d < 3; d++) slips[e * 3 + d] = slips[e * 3 + d]! - point[3 + d]!
    }
  }

  /** Adds the points where the `b`-th live body is pushed to what holds it while its wobble is damped. */
  add(state: State, b: number, out: Anchors): void {
    const to = this.starts[b + 1]!
    this.makeRoom(b, out)
    for (let e = this.starts[b]!; e < to; e++) this.addPoint(state, this.entries[e]!, out)
  }

  /**
   * Adds what bears the `b`-th live body from below, and neighbours on its level. One that stands on another follows what
   * damping has changed there: it sways with the other's wobble, and loses as much of its sway. What stands on this one
   * holds it by no point, since it will follow.
   * @param shares by live body, what its wobble loses in the substep
   */
  addBearing(state: State, b: number, out: Anchors, standing: Standing, shares: readonly Float64Array[]): void {
    const { pairs, entries, slips } = this
    const to = this.starts[b + 1]!
    this.makeRoom(b, out)
    for (let e = this.starts[b]!; e < to; e++) {
      const entry = entries[e]!
      const pair = entry >> 1
      const other = (entry & 1) === 1 ? pairs.first[pair]! : pairs.second[pair]!
      if (standing.isBelow(b, other)) continue
      this.addPoint(state, entry, out)
      if (!standing.isBelow(other, b)) continue
      // The point is to change as the other's has: so much more is asked for as damping then gives only a share of it.
      const share = Math.max(shares[b]![0]!, shares[other]![0]!)
      const at = (out.count - 1) * 6
      this.locate(state, entry ^ 1)
      for (let d = 3; d < 6; d++) {
        const change = point[d]! + slips[e * 3 + d - 3]! - out.points[at + d]!
        out.points[at + d] = out.points[at + d]! + change / share
      }
    }
  }

  private makeRoom(b: number, out: Anchors): void {
    const needed = (out.count + this.countOf(b)) * 6
    if (out.points.length >= needed) return
    const wider = new Float64Array(needed * 2)
    wider.set(out.points)
    out.points = wider
  }

  private addPoint(state: State, entry: number, out: Anchors): void {
    this.locate(state, entry)
    const at = out.count++ * 6
    for (let d = 0; d < 6; d++) out.points[at + d] = point[d]!
  }

  /** Finds `point` of an entry: a body's own point of a pair. */
  private locate({ positions: x, velocities: v }: State, entry: number): void {
    const { pairs } = this
    const pair = entry >> 1
    const second = (entry & 1) === 1
    // Of two edges the first two points are the first element; of a particle and a triangle, the first alone.
    const middle = pair * 4 + (pairs.isEdges(pair) ? 2 : 1)
    const first = second ? middle : pair * 4
    const end = second ? pair * 4 + 4 : middle
    point.fill(0)
    for (let k = first; k < end; k++) {
      const weight = second ? -pairs.weights[k]! : pairs.weights[k]!
      const p = pairs.particles[k]! * 3
      for (let d = 0; d < 3; d++) {
        point[d] = point[d]! + weight * x[p + d]!
        point[3 + d] = point[3 + d]! + weight * v[p + d]!
      }
    }
  }
}

import type { Surfaces } from './surfaces.js'

/** Sides about a corner, each way, over which a way back is looked for, at most. */
const MOST = 32

/** Of the walks about a corner, there and back: the end of the side that is next, and of the one before. */
const ends = new Int32Array(2)
const before = new Int32Array(2)

/**
 * Hems that go through a triangle of their own sheet which has a corner in common with the triangle along the hem. The curve
 * in which the two cross ends in that corner, and nothing makes it shorter: the hem has to go back about the corner, over
 * the sides that lie between the two triangles. Over the nearest side of the one that it crosses it may get into the next,
 * and over that back again.
 */
export class Hems {
  constructor(private readonly surfaces: Surfaces) {}

  /**
   * Finds the direction, of unit length, in which the edge of i and j goes back that crosses the triangle a, b, c. False
   * where the two have no such corner, or no sides lead from one to the other. @param x places of the particles [m]
   * @param way takes the direction [3]
   */
  direct(
    x: Float64Array,
    edge: number,
    i: number,
    j: number,
    a: number,
    b: number,
    c: number,
    way: Float64Array,
  ): boolean {
    const { wings, bodyOf } = this.surfaces
    const one = wings[edge * 2]!
    const other = wings[edge * 2 + 1]!
    const corner = one === 0 || other === 0 ? one + other - 1 : -1
    if (corner !== a && corner !== b && corner !== c) return false
    const p = corner === a ? b : a
    const q = corner === c ? b : c
    const over = this.lastSide(bodyOf[i]!, corner, i, j, p, q)
    if (over < 0) return false
    // Off the third point, across that side.
    const third = over === p ? q : p
    let square = 0
    let along = 0
    for (let d = 0; d < 3; d++) {
      const side = x[over * 3 + d]! - x[corner * 3 + d]!
      square += side * side
      along += side * (x[third * 3 + d]! - x[corner * 3 + d]!)
    }
    let size = 0
    for (let d = 0; d < 3; d++) {
      const side = x[over * 3 + d]! - x[corner * 3 + d]!
      way[d] = (square > 0 ? (along / square) * side : 0) - (x[third * 3 + d]! - x[corner * 3 + d]!)
      size += way[d]! * way[d]!
    }
    if (size === 0) return false
    size = Math.sqrt(size)
    for (let d = 0; d < 3; d++) way[d] = way[d]! / size
    return true
  }

  /**
   * Goes about a corner from its triangle with i and j, both ways at once, to the one with p and q: which of these two is the
   * end of the side that is crossed last; -1 where neither way leads there.
   */
  private lastSide(body: number, corner: number, i: number, j: number, p: number, q: number): number {
    ends[0] = i
    before[0] = j
    ends[1] = j
    before[1] = i
    for (let sides = 0; sides < MOST; sides++) {
      for (let way = 0; way < 2; way++) {
        const end = ends[way]!
        if (end < 0) continue
        const next = this.beyond(body, corner, end, before[way]!)
        if ((end === p && next === q) || (end === q && next === p)) return end
        before[way] = end
        ends[way] = next
      }
    }
    return -1
  }

  /** The third point of the triangle beyond the side from a corner to `end`, as seen from the one of `from`; -1 at a hem. */
  private beyond(body: number, corner: number, end: number, from: number): number {
    const { edges, edgeStarts, wings } = this.surfaces
    for (let edge = edgeStarts[body]!; edge < edgeStarts[body + 1]!; edge++) {
      const i = edges[edge * 2]!
      const j = edges[edge * 2 + 1]!
      if (i !== corner && j !== corner) continue
      if (i !== end && j !== end) continue
      return (wings[edge * 2] === from + 1 ? wings[edge * 2 + 1]! : wings[edge * 2]!) - 1
    }
    return -1
  }
}

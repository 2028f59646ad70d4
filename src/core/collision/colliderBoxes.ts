import type { ColliderRecord } from '../records.js'
import { SWAY } from './pairs.js'
import { POSE } from './poses.js'
import { BOX, BoxTree } from './soft/boxTree.js'
import { roomy } from './soft/columns.js'
import { sort } from './soft/sort.js'

/** The farthest turn, by the way of what is 1 m off the origin [m], with which a collider has a box. */
const MOST_TURN = 0.5

/** What rounding may shift a box by, as a part of its farthest coordinate. */
const ROUNDING = 1e-12

/**
 * Boxes about colliders and their ways until the end of a step, in a tree: of many, a body finds those that its points may
 * come near. What has no end, or turns far, is near everything.
 */
export class ColliderBoxes {
  /** What the last `find` has found, in ascending order. */
  found = new Uint32Array(0)
  count = 0
  private readonly tree = new BoxTree(true)
  private boxes = new Float64Array(0)
  private bounded = new Uint32Array(0)
  private boundedCount = 0
  private endless = new Uint32Array(0)
  private endlessCount = 0
  /** The farthest turn of those that have a box. */
  private turn = 0
  private readonly probe = new Float64Array(BOX)

  /** Takes colliders at the poses where their ways begin, and how they move from there on: `Poses.data` and `Pairs.sway`. */
  bake(colliders: readonly ColliderRecord[], data: Float64Array, sway: Float64Array): void {
    this.boxes = roomy(this.boxes, colliders.length * BOX)
    this.bounded = roomy(this.bounded, colliders.length)
    this.endless = roomy(this.endless, colliders.length)
    this.boundedCount = 0
    this.endlessCount = 0
    this.turn = 0
    for (let c = 0; c < colliders.length; c++) {
      const { bounds } = colliders[c]!.shape
      const turn = sway[c * SWAY + 1]!
      if (bounds && turn <= MOST_TURN) {
        this.bounded[this.boundedCount++] = c
        if (turn > this.turn) this.turn = turn
        this.bound(c, bounds, data, sway)
      } else this.endless[this.endlessCount++] = c
    }
    this.tree.build(this.boxes, this.boundedCount, this.bounded)
  }

  /**
   * Finds the colliders that may be listed for a point in a box: what is `reach[0]` from them, or as much further as they
   * move at `margin[0]` beyond it [m].
   */
  find(box: Float64Array, reach: Float64Array, margin: Float64Array): void {
    const { probe, tree } = this
    // A point at the distance x from a box is r <= radius + x from its origin, and listed where
    // x <= reach + shift + turn (r + margin). Solved for x; what is of the collider alone its own box has.
    const grown = (reach[0]! + this.turn * margin[0]!) / (1 - this.turn)
    for (let d = 0; d < 3; d++) {
      probe[d] = box[d]! - grown
      probe[3 + d] = box[3 + d]! + grown
    }
    tree.query(probe, 0, 0, 0)
    this.count = tree.count + this.endlessCount
    this.found = roomy(this.found, this.count)
    for (let k = 0; k < tree.count; k++) this.found[k] = tree.found[k]!
    for (let k = 0; k < this.endlessCount; k++) this.found[tree.count + k] = this.endless[k]!
    sort(this.found, this.count)
  }

  private bound(c: number, bounds: Float64Array, data: Float64Array, sway: Float64Array): void {
    const { boxes } = this
    const o = c * POSE
    const turn = sway[c * SWAY + 1]!
    let square = 0
    let farthest = 0
    for (let d = 0; d < 3; d++) {
      const far = Math.max(Math.abs(bounds[d]!), Math.abs(bounds[3 + d]!))
      square += far * far
      let middle = data[o + d]!
      let half = 0
      for (let k = 0; k < 3; k++) {
        const r = data[o + 3 + 3 * d + k]!
        middle += (r * (bounds[k]! + bounds[3 + k]!)) / 2
        half += (Math.abs(r) * (bounds[3 + k]! - bounds[k]!)) / 2
      }
      boxes[c * BOX + d] = middle - half
      boxes[c * BOX + 3 + d] = middle + half
      farthest = Math.max(farthest, Math.abs(middle) + half)
    }
    const grown = (sway[c * SWAY]! + turn * Math.sqrt(square)) / (1 - turn) + ROUNDING * farthest
    for (let d = 0; d < 3; d++) {
      boxes[c * BOX + d] = boxes[c * BOX + d]! - grown
      boxes[c * BOX + 3 + d] = boxes[c * BOX + 3 + d]! + grown
    }
  }
}

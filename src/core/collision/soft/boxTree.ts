import { roomy } from './columns.js'

/** Numbers of a box: least x, y, z, then largest. */
export const BOX = 6

/** Boxes of a leaf at most. */
const LEAF = 4

/** Deepest tree of 2^32 boxes, with two children on the stack at each level. */
const STACK = 64

/**
 * Boxes in a binary tree, split in halves across their longest side, built anew for each search: boxes of elements that
 * are long and thin, and lie in layers, share the cells of a grid with far more than they overlap. Built and asked without
 * garbage.
 */
export class BoxTree {
  /** Boxes that the last `query` found, each once, in no particular order. */
  found = new Uint32Array(64)
  /** How many these are. */
  count = 0
  /** Boxes and nodes that queries have looked at since the tree was built. */
  looks = 0

  private boxes = new Float64Array(0)
  /** The boxes, those of each node side by side. */
  private order = new Uint32Array(0)
  /** By node, whose children are 2 n + 1 and 2 n + 2: its box, and the first and the end of its boxes in `order`. */
  private nodes = new Float64Array(0)
  private starts = new Uint32Array(0)
  private ends = new Uint32Array(0)
  /** By node: the lowest and the highest of its boxes' numbers. */
  private lowest = new Uint32Array(0)
  private highest = new Uint32Array(0)
  private readonly stack = new Uint32Array(STACK)
  private empty = true

  /**
   * @param uneven of boxes whose sizes differ by far, nodes are split across the longest side of the box about their middles:
   * one that is huge would have what lies flat or in a row split across where it is thin
   */
  constructor(private readonly uneven = false) {}

  /** Takes `count` boxes, all or those of `ids`, which must be finite and stay as they are until the last query. */
  build(boxes: Float64Array, count: number, ids?: Uint32Array): void {
    this.boxes = boxes as Float64Array<ArrayBuffer>
    this.looks = 0
    this.empty = count === 0
    if (this.empty) return
    this.order = roomy(this.order, count)
    for (let k = 0; k < count; k++) this.order[k] = ids ? ids[k]! : k
    let nodes = 1
    for (let most = count; most > LEAF; most = (most + 1) >> 1) nodes = 2 * nodes + 1
    this.nodes = roomy(this.nodes, nodes * BOX)
    this.starts = roomy(this.starts, nodes)
    this.ends = roomy(this.ends, nodes)
    this.lowest = roomy(this.lowest, nodes)
    this.highest = roomy(this.highest, nodes)
    this.starts[0] = 0
    this.ends[0] = count
    // Children have higher numbers than their parents, so that each is split before they come.
    for (let node = 0; node < nodes; node++) this.split(node, 2 * node + 1 < nodes)
  }

  /** Bounds the boxes of a node, and halves them between its children. */
  private split(node: number, parent: boolean): void {
    const { boxes, order, nodes, starts, ends } = this
    const from = starts[node]!
    const to = ends[node]!
    let x0 = Number.POSITIVE_INFINITY
    let y0 = Number.POSITIVE_INFINITY
    let z0 = Number.POSITIVE_INFINITY
    let x1 = Number.NEGATIVE_INFINITY
    let y1 = Number.NEGATIVE_INFINITY
    let z1 = Number.NEGATIVE_INFINITY
    let lowest = boxes.length
    let highest = 0
    for (let k = from; k < to; k++) {
      const item = order[k]!
      lowest = Math.min(lowest, item)
      highest = Math.max(highest, item)
      const b = item * BOX
      x0 = Math.min(x0, boxes[b]!)
      y0 = Math.min(y0, boxes[b + 1]!)
      z0 = Math.min(z0, boxes[b + 2]!)
      x1 = Math.max(x1, boxes[b + 3]!)
      y1 = Math.max(y1, boxes[b + 4]!)
      z1 = Math.max(z1, boxes[b + 5]!)
    }
    const n = node * BOX
    nodes[n] = x0
    nodes[n + 1] = y0
    nodes[n + 2] = z0
    nodes[n + 3] = x1
    nodes[n + 4] = y1
    nodes[n + 5] = z1
    this.lowest[node] = lowest
    this.highest[node] = highest
    if (!parent) return
    const middle = (from + to) >> 1
    starts[2 * node + 1] = from
    ends[2 * node + 1] = middle
    starts[2 * node + 2] = middle
    ends[2 * node + 2] = to
    if (to - from <= 1) return
    if (this.uneven) {
      this.halve(from, to, middle, this.widest(from, to))
      return
    }
    const dx = x1 - x0
    const dy = y1 - y0
    const dz = z1 - z0
    this.halve(from, to, middle, dx >= dy && dx >= dz ? 0 : dy >= dz ? 1 : 2)
  }

  /** The axis along which the middles of the boxes from..to are spread most. */
  private widest(from: number, to: number): number {
    const { boxes, order } = this
    let widest = 0
    let most = -1
    for (let d = 0; d < 3; d++) {
      let low = Number.POSITIVE_INFINITY
      let high = Number.NEGATIVE_INFINITY
      for (let k = from; k < to; k++) {
        const b = order[k]! * BOX + d
        const at = boxes[b]! + boxes[b + 3]!
        if (at < low) low = at
        if (at > high) high = at
      }
      if (high - low <= most) continue
      most = high - low
      widest = d
    }
    return widest
  }

  /** Brings the boxes from..to into such an order that none before `middle` is further along an axis than one from there on. */
  private halve(from: number, to: number, middle: number, axis: number): void {
    const { boxes, order } = this
    let low = from
    let high = to - 1
    while (low < high) {
      const p = order[(low + high) >> 1]! * BOX + axis
      const pivot = boxes[p]! + boxes[p + 3]!
      let i = low
      let j = high
      while (i <= j) {
        while (boxes[order[i]! * BOX + axis]! + boxes[order[i]! * BOX + axis + 3]! < pivot) i++
        while (boxes[order[j]! * BOX + axis]! + boxes[order[j]! * BOX + axis + 3]! > pivot) j--
        if (i > j) break
        const item = order[i]!
        order[i++] = order[j]!
        order[j--] = item
      }
      if (middle <= j) high = j
      else if (middle >= i) low = i
      else return
    }
  }

  /** Finds the boxes that overlap the one at other[o], but for those from `skip` to `skipEnd`. */
  query(other: Float64Array, o: number, skip: number, skipEnd: number): void {
    this.count = 0
    if (this.empty) return
    const { boxes, order, nodes, starts, ends, lowest, highest, stack } = this
    const x0 = other[o]!
    const y0 = other[o + 1]!
    const z0 = other[o + 2]!
    const x1 = other[o + 3]!
    const y1 = other[o + 4]!
    const z1 = other[o + 5]!
    let top = 1
    let looks = 0
    stack[0] = 0
    while (top > 0) {
      looks++
      const node = stack[--top]!
      const n = node * BOX
      if (nodes[n]! > x1 || nodes[n + 1]! > y1 || nodes[n + 2]! > z1) continue
      if (nodes[n + 3]! < x0 || nodes[n + 4]! < y0 || nodes[n + 5]! < z0) continue
      // The boxes of one body lie together: where these are skipped, so are their nodes.
      if (lowest[node]! >= skip && highest[node]! < skipEnd) continue
      const from = starts[node]!
      const to = ends[node]!
      if (to - from > LEAF) {
        stack[top++] = 2 * node + 2
        stack[top++] = 2 * node + 1
        continue
      }
      looks += to - from
      for (let k = from; k < to; k++) {
        const item = order[k]!
        if (item >= skip && item < skipEnd) continue
        const b = item * BOX
        if (boxes[b]! > x1 || boxes[b + 1]! > y1 || boxes[b + 2]! > z1) continue
        if (boxes[b + 3]! < x0 || boxes[b + 4]! < y0 || boxes[b + 5]! < z0) continue
        if (this.count === this.found.length) this.found = roomy(this.found, this.count + 1)
        this.found[this.count++] = item
      }
    }
    this.looks += looks
  }
}

/** Boxes of a tree, depth first: the left box below a node is the next one. */
export interface Nodes {
  /** [6 n] smallest x, y, z, then largest [m], each with `slack` about it. */
  readonly boxes: Float64Array
  /** [n] of a leaf its first triangle in `order`, of another node its right box. */
  readonly links: Uint32Array
  /** [n] of a leaf how many triangles it has; 0 for another node. */
  readonly counts: Uint32Array
  /** [t] triangles by leaf. */
  readonly order: Uint32Array
  /** What rounding may move a point by, with room to spare [m]. */
  readonly slack: number
}

const LEAF = 4
const BINS = 12
/** From this depth on triangles are halved by number, so that no tree gets deeper than this and 32. */
const UNEVEN = 64
/** Of the largest coordinate. */
const SLACK = 1e-9

/**
 * Builds a tree of boxes from the top: each is split where the boxes below have the least area times triangles, among
 * a dozen planes along each axis (Wald 2007).
 */
export function buildNodes(positions: Float64Array, triangles: Uint32Array): Nodes {
  const count = triangles.length / 3
  const order = Uint32Array.from({ length: count }, (_, triangle) => triangle)
  const boxes = new Float64Array(count * 6)
  const middles = new Float64Array(count * 3)
  let largest = 0
  for (let t = 0; t < count; t++) {
    for (let d = 0; d < 3; d++) {
      const a = positions[triangles[3 * t]! * 3 + d]!
      const b = positions[triangles[3 * t + 1]! * 3 + d]!
      const c = positions[triangles[3 * t + 2]! * 3 + d]!
      boxes[6 * t + d] = Math.min(a, b, c)
      boxes[6 * t + 3 + d] = Math.max(a, b, c)
      middles[3 * t + d] = (boxes[6 * t + d]! + boxes[6 * t + 3 + d]!) / 2
      largest = Math.max(largest, -boxes[6 * t + d]!, boxes[6 * t + 3 + d]!)
    }
  }
  const slack = SLACK * largest
  const builder = new Builder(boxes, middles, order, slack)
  builder.add(0, count, 0)
  return { ...builder.take(), order, slack }
}

class Builder {
  private readonly boxes: Float64Array
  private readonly links: Uint32Array
  private readonly counts: Uint32Array
  private nodeCount = 0
  /** Box of each bin, and how many triangles have their middle in it. */
  private readonly binBoxes = new Float64Array(BINS * 6)
  private readonly binCounts = new Uint32Array(BINS)
  private readonly sweep = new Float64Array(6)
  private readonly behind = new Float64Array(BINS)
  private swept = 0

  constructor(
    private readonly triangleBoxes: Float64Array,
    private readonly middles: Float64Array,
    private readonly order: Uint32Array,
    private readonly slack: number,
  ) {
    this.boxes = new Float64Array(order.length * 12)
    this.links = new Uint32Array(order.length * 2)
    this.counts = new Uint32Array(order.length * 2)
  }

  take(): Pick<Nodes, 'boxes' | 'links' | 'counts'> {
    return {
      boxes: this.boxes.slice(0, this.nodeCount * 6),
      links: this.links.slice(0, this.nodeCount),
      counts: this.counts.slice(0, this.nodeCount),
    }
  }

  /** Adds a node for the triangles from..to of `order`, and all below it. */
  add(from: number, to: number, depth: number): void {
    const node = this.nodeCount++
    const box = node * 6
    empty(this.boxes, box)
    for (let k = from; k < to; k++) extend(this.boxes, box, this.triangleBoxes, this.order[k]! * 6)
    for (let d = 0; d < 3; d++) {
      this.boxes[box + d] = this.boxes[box + d]! - this.slack
      this.boxes[box + 3 + d] = this.boxes[box + 3 + d]! + this.slack
    }
    if (to - from <= LEAF) {
      this.links[node] = from
      this.counts[node] = to - from
      return
    }
    const middle = this.split(from, to, depth)
    this.add(from, middle, depth + 1)
    this.links[node] = this.nodeCount
    this.add(middle, to, depth + 1)
  }

  /** Orders the triangles from..to so that the first part belongs to the left; returns where the right part begins. */
  private split(from: number, to: number, depth: number): number {
    let cost = Number.POSITIVE_INFINITY
    let axis = -1
    let plane = 0
    let low = 0
    let scale = 0
    const axes = depth < UNEVEN ? 3 : 0
    for (let d = 0; d < axes; d++) {
      let min = Number.POSITIVE_INFINITY
      let max = Number.NEGATIVE_INFINITY
      for (let k = from; k < to; k++) {
        const x = this.middles[this.order[k]! * 3 + d]!
        if (x < min) min = x
        if (x > max) max = x
      }
      if (!(max > min)) continue
      const rate = (BINS * (1 - 1e-9)) / (max - min)
      this.fillBins(from, to, d, min, rate)
      for (let p = 1; p < BINS; p++) {
        const here = this.costs(p)
        if (here < cost) {
          cost = here
          axis = d
          plane = p
          low = min
          scale = rate
        }
      }
    }
    // Triangles with one and the same middle, and trees that get too deep, are halved as they come.
    if (axis < 0) return (from + to) >> 1
    let left = from
    for (let k = from; k < to; k++) {
      const triangle = this.order[k]!
      if (Math.floor((this.middles[triangle * 3 + axis]! - low) * scale) >= plane) continue
      this.order[k] = this.order[left]!
      this.order[left++] = triangle
    }
    return left
  }

  /** Sorts triangles into bins, and sums up from the right what each plane leaves there. */
  private fillBins(from: number, to: number, axis: number, low: number, scale: number): void {
    const { binBoxes, binCounts, sweep, behind } = this
    binCounts.fill(0)
    for (let b = 0; b < BINS; b++) empty(binBoxes, b * 6)
    for (let k = from; k < to; k++) {
      const triangle = this.order[k]!
      const bin = Math.floor((this.middles[triangle * 3 + axis]! - low) * scale)
      binCounts[bin] = binCounts[bin]! + 1
      extend(binBoxes, bin * 6, this.triangleBoxes, triangle * 6)
    }
    empty(sweep, 0)
    let count = 0
    for (let b = BINS - 1; b > 0; b--) {
      extend(sweep, 0, binBoxes, b * 6)
      count += binCounts[b]!
      behind[b] = count > 0 ? count * area(sweep) : 0
    }
    empty(sweep, 0)
    this.swept = 0
  }

  /** Cost of the plane before bin `p`; to be asked for in order. */
  private costs(p: number): number {
    extend(this.sweep, 0, this.binBoxes, (p - 1) * 6)
    this.swept += this.binCounts[p - 1]!
    if (this.swept === 0 || this.behind[p] === 0) return Number.POSITIVE_INFINITY
    return this.swept * area(this.sweep) + this.behind[p]!
  }
}

function empty(boxes: Float64Array, at: number): void {
  boxes.fill(Number.POSITIVE_INFINITY, at, at + 3)
  boxes.fill(Number.NEGATIVE_INFINITY, at + 3, at + 6)
}

function extend(boxes: Float64Array, at: number, others: Float64Array, other: number): void {
  for (let d = 0; d < 3; d++) {
    if (others[other + d]! < boxes[at + d]!) boxes[at + d] = others[other + d]!
    if (others[other + 3 + d]! > boxes[at + 3 + d]!) boxes[at + 3 + d] = others[other + 3 + d]!
  }
}

/** Half the area of a box, and a little for one that is flat along two axes. */
function area(box: Float64Array): number {
  const x = box[3]! - box[0]!
  const y = box[4]! - box[1]!
  const z = box[5]! - box[2]!
  return x * y + y * z + z * x + 1e-9 * (x + y + z) * (x + y + z)
}

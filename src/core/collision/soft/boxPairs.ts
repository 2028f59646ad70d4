import { BOX, BoxTree } from './boxTree.js'
import { roomy } from './columns.js'
import { sort } from './sort.js'

/** Up to so many boxes, or partners of one, are compared one by one: that takes less than a tree. */
const FEW = 64

/** Says of what is boxed which pairs count, and what asks: of two that do not ask none is looked for. */
export interface Meets {
  asks(a: number): boolean
  mayMeet(a: number, b: number): boolean
}

/**
 * Which of many boxes have a point in common: each is asked of a tree of all, in some log n looks and as many more as it has
 * neighbours, however they lie and whatever their sizes (of boxes swept along one axis, those in a wall across it would all
 * be compared). Whom a box meets is listed in ascending order, so that nothing hangs on how the tree was built.
 */
export class BoxPairs {
  /** Those that box b meets are partners[starts[b]] to partners[starts[b + 1]]. */
  partners = new Uint32Array(0)
  starts = new Uint32Array(0)
  /** What `reach` has found. */
  found = new Uint32Array(0)
  readonly tree = new BoxTree(true)
  private boxes = new Float64Array(0)
  /** [2 n] the pairs as they come, then by their first in any order. */
  private met = new Uint32Array(0)
  private count = 0
  private mixed = new Uint32Array(0)
  /** By box: where its next partner goes. */
  private next = new Uint32Array(0)

  /** Finds the pairs among boxes[6 n] m, which stay as they are until the next call: of those in the first `listed` of `ids`. */
  find(boxes: Float64Array<ArrayBuffer>, total: number, ids: Uint32Array, listed: number, meets: Meets): void {
    const { tree } = this
    this.boxes = boxes
    this.count = 0
    if (listed <= FEW) this.compare(ids, listed, meets)
    else {
      tree.build(boxes, listed, ids)
      for (let k = 0; k < listed; k++) {
        const a = ids[k]!
        if (!meets.asks(a)) continue
        tree.query(boxes, a * BOX, a, a + 1)
        for (let l = 0; l < tree.count; l++) {
          const b = tree.found[l]!
          if ((b > a || !meets.asks(b)) && meets.mayMeet(a, b)) this.add(a, b)
        }
      }
    }
    this.sort(total)
  }

  /** Finds the pairs of a few. */
  private compare(ids: Uint32Array, listed: number, meets: Meets): void {
    for (let k = 0; k < listed; k++) {
      const a = ids[k]!
      const asks = meets.asks(a)
      for (let l = k + 1; l < listed; l++) {
        const b = ids[l]!
        if (this.overlaps(b, this.boxes, a * BOX) && (asks || meets.asks(b)) && meets.mayMeet(a, b)) this.add(a, b)
      }
    }
  }

  /** True where box b has no partner. */
  isAlone(b: number): boolean {
    return this.starts[b] === this.starts[b + 1]
  }

  /** Where the partner `b` of box `a` stands among the partners, -1 where they do not meet. */
  indexOf(a: number, b: number): number {
    const { partners } = this
    let low = this.starts[a]!
    let high = this.starts[a + 1]!
    while (low < high) {
      const middle = (low + high) >> 1
      if (partners[middle]! < b) low = middle + 1
      else high = middle
    }
    return low < this.starts[a + 1]! && partners[low] === b ? low : -1
  }

  /** Lists in `found`, in ascending order, the partners of box `b` that the box at other[o] reaches; how many they are. */
  reach(b: number, other: Float64Array, o: number): number {
    const { partners, starts, tree } = this
    const from = starts[b]!
    const to = starts[b + 1]!
    let count = 0
    if (to - from <= FEW) {
      this.found = roomy(this.found, FEW)
      for (let k = from; k < to; k++) if (this.overlaps(partners[k]!, other, o)) this.found[count++] = partners[k]!
      return count
    }
    tree.query(other, o, b, b + 1)
    this.found = roomy(this.found, tree.count)
    for (let k = 0; k < tree.count; k++) if (this.indexOf(b, tree.found[k]!) >= 0) this.found[count++] = tree.found[k]!
    sort(this.found, count)
    return count
  }

  /** True where the box at other[o] reaches a partner of box `b`. */
  reaches(b: number, other: Float64Array, o: number): boolean {
    const { partners, starts, tree } = this
    const from = starts[b]!
    const to = starts[b + 1]!
    if (to - from <= FEW) {
      for (let k = from; k < to; k++) if (this.overlaps(partners[k]!, other, o)) return true
      return false
    }
    tree.query(other, o, b, b + 1)
    for (let k = 0; k < tree.count; k++) if (this.indexOf(b, tree.found[k]!) >= 0) return true
    return false
  }

  private overlaps(b: number, other: Float64Array, o: number): boolean {
    const { boxes } = this
    const p = b * BOX
    return (
      other[o]! <= boxes[p + 3]! &&
      other[o + 1]! <= boxes[p + 4]! &&
      other[o + 2]! <= boxes[p + 5]! &&
      other[o + 3]! >= boxes[p]! &&
      other[o + 4]! >= boxes[p + 1]! &&
      other[o + 5]! >= boxes[p + 2]!
    )
  }

  private add(a: number, b: number): void {
    this.met = roomy(this.met, (this.count + 1) * 2)
    this.met[this.count * 2] = a
    this.met[this.count * 2 + 1] = b
    this.count++
  }

  /** Lists the pairs by their first, then that list by its second: the firsts come in ascending order, and meeting is mutual. */
  private sort(total: number): void {
    const size = this.count * 2
    this.starts = roomy(this.starts, total + 1)
    this.next = roomy(this.next, total)
    this.mixed = roomy(this.mixed, size)
    this.partners = roomy(this.partners, size)
    const { met, mixed, next, partners, starts } = this
    starts.fill(0, 0, total + 1)
    for (let k = 0; k < size; k++) starts[met[k]! + 1] = starts[met[k]! + 1]! + 1
    for (let b = 0; b < total; b++) {
      starts[b + 1] = starts[b + 1]! + starts[b]!
      next[b] = starts[b]!
    }
    for (let k = 0; k < size; k++) {
      const at = next[met[k]!]!++
      mixed[at] = met[k ^ 1]!
    }
    for (let b = 0; b < total; b++) next[b] = starts[b]!
    for (let a = 0; a < total; a++) {
      for (let k = starts[a]!; k < starts[a + 1]!; k++) {
        const at = next[mixed[k]!]!++
        partners[at] = a
      }
    }
  }
}

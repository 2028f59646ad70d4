import { roomy } from './columns.js'

/** Numbers of a box: least x, y, z, then largest. */
export const BOX = 6

/** Largest box of a grid in cells along an axis: beyond, the cells are made larger. */
const MOST_CELLS = 8

/** Boxes in a uniform grid whose cells are found by a hash (Teschner et al. 2003). Built and asked without garbage. */
export class HashGrid {
  /** Boxes that the last `query` found, ascending in no particular order. */
  found = new Uint32Array(64)
  /** How many these are. */
  count = 0

  private boxes = new Float64Array(0)
  private starts = new Uint32Array(0)
  private items = new Uint32Array(0)
  private keys = new Int32Array(0)
  private mask = 0
  private readonly perMetre = new Float64Array(1)
  private empty = true

  /** Takes `count` boxes, which must be finite and stay as they are until the last query. */
  build(boxes: Float64Array, count: number): void {
    this.boxes = boxes as Float64Array<ArrayBuffer>
    this.empty = count === 0
    if (this.empty) return
    this.chooseCell(count)
    const entries = this.countEntries(count)
    let size = 64
    while (size < entries * 2) size *= 2
    this.mask = size - 1
    this.starts = roomy(this.starts, size + 1)
    this.items = roomy(this.items, entries)
    this.keys = roomy(this.keys, entries)
    this.starts.fill(0, 0, size + 1)
    this.place(count, 0)
    let sum = 0
    for (let k = 0; k <= size; k++) {
      const here = this.starts[k]!
      this.starts[k] = sum
      sum += here
    }
    this.place(count, 1)
    for (let k = size; k > 0; k--) this.starts[k] = this.starts[k - 1]!
    this.starts[0] = 0
  }

  /** As large as the mean box, so that a box is in some eight cells. */
  private chooseCell(count: number): void {
    const { boxes } = this
    let mean = 0
    let largest = 0
    for (let o = 0; o < count * BOX; o += BOX) {
      const side = Math.max(boxes[o + 3]! - boxes[o]!, boxes[o + 4]! - boxes[o + 1]!, boxes[o + 5]! - boxes[o + 2]!)
      mean += side
      largest = Math.max(largest, side)
    }
    const cell = Math.max(mean / count, largest / MOST_CELLS)
    this.perMetre[0] = cell > 0 ? 1 / cell : 1
  }

  private countEntries(count: number): number {
    const { boxes } = this
    const k = this.perMetre[0]!
    let entries = 0
    for (let o = 0; o < count * BOX; o += BOX) {
      entries +=
        (Math.floor(boxes[o + 3]! * k) - Math.floor(boxes[o]! * k) + 1) *
        (Math.floor(boxes[o + 4]! * k) - Math.floor(boxes[o + 1]! * k) + 1) *
        (Math.floor(boxes[o + 5]! * k) - Math.floor(boxes[o + 2]! * k) + 1)
    }
    return entries
  }

  /** Counts the entries of each place in the table (`round` 0), then fills them in (1). */
  private place(count: number, round: number): void {
    const { boxes, starts, items, keys, mask } = this
    const perMetre = this.perMetre[0]!
    for (let box = 0; box < count; box++) {
      const o = box * BOX
      const i1 = Math.floor(boxes[o + 3]! * perMetre)
      const j1 = Math.floor(boxes[o + 4]! * perMetre)
      const k1 = Math.floor(boxes[o + 5]! * perMetre)
      for (let i = Math.floor(boxes[o]! * perMetre); i <= i1; i++) {
        for (let j = Math.floor(boxes[o + 1]! * perMetre); j <= j1; j++) {
          const row = Math.imul(i, 73856093) ^ Math.imul(j, 19349663)
          for (let k = Math.floor(boxes[o + 2]! * perMetre); k <= k1; k++) {
            const key = row ^ Math.imul(k, 83492791)
            const at = (key ^ (key >>> 15)) & mask
            const slot = starts[at]!
            starts[at] = slot + 1
            if (round === 0) continue
            items[slot] = box
            keys[slot] = key
          }
        }
      }
    }
  }

  /** Finds the boxes that overlap the one at other[o], each once, but for those from `skip` to `skipEnd`. */
  query(other: Float64Array, o: number, skip: number, skipEnd: number): void {
    this.count = 0
    if (this.empty) return
    const { boxes, starts, items, keys, mask } = this
    const perMetre = this.perMetre[0]!
    const x0 = other[o]!
    const y0 = other[o + 1]!
    const z0 = other[o + 2]!
    const x1 = other[o + 3]!
    const y1 = other[o + 4]!
    const z1 = other[o + 5]!
    const i0 = Math.floor(x0 * perMetre)
    const j0 = Math.floor(y0 * perMetre)
    const k0 = Math.floor(z0 * perMetre)
    const i1 = Math.floor(x1 * perMetre)
    const j1 = Math.floor(y1 * perMetre)
    const k1 = Math.floor(z1 * perMetre)
    for (let i = i0; i <= i1; i++) {
      for (let j = j0; j <= j1; j++) {
        const row = Math.imul(i, 73856093) ^ Math.imul(j, 19349663)
        for (let k = k0; k <= k1; k++) {
          const key = row ^ Math.imul(k, 83492791)
          const place = (key ^ (key >>> 15)) & mask
          const end = starts[place + 1]!
          for (let at = starts[place]!; at < end; at++) {
            const item = items[at]!
            if ((item >= skip && item < skipEnd) || keys[at] !== key) continue
            const b = item * BOX
            const bx = boxes[b]!
            const by = boxes[b + 1]!
            const bz = boxes[b + 2]!
            if (bx > x1 || by > y1 || bz > z1) continue
            if (boxes[b + 3]! < x0 || boxes[b + 4]! < y0 || boxes[b + 5]! < z0) continue
            // Of the cells that both are in, the first is the one that counts.
            if (Math.max(i0, Math.floor(bx * perMetre)) !== i) continue
            if (Math.max(j0, Math.floor(by * perMetre)) !== j) continue
            if (Math.max(k0, Math.floor(bz * perMetre)) !== k) continue
            if (this.count === this.found.length) this.found = roomy(this.found, this.count + 1)
            this.found[this.count++] = item
          }
        }
      }
    }
  }
}

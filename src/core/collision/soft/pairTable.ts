import { roomy } from './columns.js'

/** Pairs of bodies, numbered as they come, and found again by hash. Nothing is allocated once there is room. */
export class PairTable {
  count = 0
  /** [2 n] */
  bodies = new Uint32Array(0)
  /** Number + 1 by hash; 0 is free. */
  private table = new Uint32Array(0)
  private last = 0

  clear(): void {
    if (this.count > 0) this.table.fill(0)
    this.count = 0
  }

  /** The number of two bodies, in this order; -1 where they are no pair. */
  indexOf(first: number, second: number): number {
    const { bodies, count, last, table } = this
    if (count === 0) return -1
    if (last < count && bodies[last * 2] === first && bodies[last * 2 + 1] === second) return last
    const at = table[this.placeOf(first, second)]! - 1
    if (at >= 0) this.last = at
    return at
  }

  /** Takes up two bodies that are no pair yet. */
  add(first: number, second: number): number {
    const k = this.count++
    this.bodies = roomy(this.bodies, this.count * 2)
    this.bodies[k * 2] = first
    this.bodies[k * 2 + 1] = second
    this.last = k
    if (this.count * 2 > this.table.length) this.grow()
    else this.table[this.placeOf(first, second)] = k + 1
    return k
  }

  /** Only the first `count` stay; those of `bodies` may have been written anew. */
  keep(count: number): void {
    this.clear()
    this.count = count
    this.enter()
  }

  /** Where two bodies stand in the table, or would. */
  private placeOf(first: number, second: number): number {
    const { bodies, table } = this
    const mask = table.length - 1
    let at = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) & mask
    for (let k = table[at]! - 1; k >= 0; k = table[at]! - 1) {
      if (bodies[k * 2] === first && bodies[k * 2 + 1] === second) return at
      at = (at + 1) & mask
    }
    return at
  }

  private grow(): void {
    this.table = new Uint32Array(Math.max(64, this.table.length * 2))
    this.enter()
  }

  private enter(): void {
    for (let k = 0; k < this.count; k++) this.table[this.placeOf(this.bodies[k * 2]!, this.bodies[k * 2 + 1]!)] = k + 1
  }
}

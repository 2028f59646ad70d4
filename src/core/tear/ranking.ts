/** Numbers from 0 by their values, the largest first, of those that are equal the lowest: a heap. */
export class Ranking {
  private readonly items: Uint32Array
  size = 0

  constructor(private readonly values: Float64Array) {
    this.items = new Uint32Array(values.length)
  }

  /** Of one or more. */
  get first(): number {
    return this.items[0]!
  }

  add(item: number): void {
    const { items } = this
    let k = this.size++
    for (let above = (k - 1) >> 1; k > 0 && this.isBefore(item, items[above]!); above = (k - 1) >> 1) {
      items[k] = items[above]!
      k = above
    }
    items[k] = item
  }

  dropFirst(): void {
    const { items } = this
    const item = items[--this.size]!
    let k = 0
    for (let below = 1; below < this.size; below = 2 * k + 1) {
      if (below + 1 < this.size && this.isBefore(items[below + 1]!, items[below]!)) below++
      if (this.isBefore(item, items[below]!)) break
      items[k] = items[below]!
      k = below
    }
    items[k] = item
  }

  private isBefore(one: number, other: number): boolean {
    const more = this.values[one]! - this.values[other]!
    return more > 0 || (more === 0 && one < other)
  }
}

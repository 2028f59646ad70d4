/**
 * Slots in columns that grow: a range is handed out, keeps its place while it lives, and is reused after it is freed.
 * First fit in address order, so that the same calls give the same slots.
 */
export class Arena {
  /** Free ranges in address order, as start, length. */
  private free: [number, number][] = []
  capacity = 0

  /** Takes `count` slots in a row; `grow` is called with the new capacity when there are none left. */
  take(count: number, grow: (capacity: number) => void): number {
    for (let k = 0; k < this.free.length; k++) {
      const range = this.free[k]!
      if (range[1] < count) continue
      const start = range[0]
      if (range[1] === count) this.free.splice(k, 1)
      else this.free[k] = [start + count, range[1] - count]
      return start
    }
    const last = this.free[this.free.length - 1]
    const tail = last && last[0] + last[1] === this.capacity ? last[1] : 0
    const capacity = Math.max(this.capacity * 2, this.capacity - tail + count, 64)
    grow(capacity)
    this.give(this.capacity, capacity - this.capacity)
    this.capacity = capacity
    return this.take(count, grow)
  }

  /** Gives a range back and joins it with its neighbours. */
  give(start: number, count: number): void {
    if (count === 0) return
    let k = 0
    while (k < this.free.length && this.free[k]![0] < start) k++
    this.free.splice(k, 0, [start, count])
    const here = this.free[k]!
    const after = this.free[k + 1]
    if (after && here[0] + here[1] === after[0]) {
      here[1] += after[1]
      this.free.splice(k + 1, 1)
    }
    const before = this.free[k - 1]
    if (before && before[0] + before[1] === here[0]) {
      before[1] += here[1]
      this.free.splice(k, 1)
    }
  }
}

/** `column` in a longer array. */
export function grown<T extends Float64Array | Uint8Array>(column: T, length: number): T {
  const wider = new (column.constructor as new (length: number) => T)(length)
  wider.set(column)
  return wider
}

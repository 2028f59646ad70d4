/** Where something lives: a slot, and which tenant of the slot it is. A handle outlives its tenant harmlessly. */
export interface Handle {
  readonly slot: number
  readonly generation: number
}

/** Slots with generations: the lowest free slot is used first, so that the same calls give the same order. */
export class Slots<T extends object> {
  private readonly items: (T | undefined)[] = []
  private readonly generations: number[] = []
  /** Tenants in slot order; a new array after each change. */
  live: readonly T[] = []

  /** @param make gives one literal with every property in it: an object put together from others becomes a dictionary */
  add(make: (slot: number, generation: number) => T): T {
    let slot = 0
    while (this.items[slot] !== undefined) slot++
    const generation = (this.generations[slot] ?? 0) + 1
    this.generations[slot] = generation
    const item = make(slot, generation)
    this.items[slot] = item
    this.live = this.items.filter((one) => one !== undefined)
    return item
  }

  get(handle: Handle): T | undefined {
    return this.generations[handle.slot] === handle.generation ? this.items[handle.slot] : undefined
  }

  remove(handle: Handle): T | undefined {
    const item = this.get(handle)
    if (item === undefined) return undefined
    this.items[handle.slot] = undefined
    this.live = this.items.filter((one) => one !== undefined)
    return item
  }
}

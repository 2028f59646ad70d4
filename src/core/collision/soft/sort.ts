/** Gaps that need few comparisons (Ciura 2001). */
const GAPS = [301, 132, 57, 23, 10, 4, 1] as const

/** Sorts the first `count` numbers (Shell 1959): they are few, but where many bodies are in one place. */
export function sort(numbers: Uint32Array, count: number): void {
  for (let g = 0; g < GAPS.length; g++) {
    const gap = GAPS[g]!
    for (let k = gap; k < count; k++) {
      const value = numbers[k]!
      let at = k
      while (at >= gap && numbers[at - gap]! > value) {
        numbers[at] = numbers[at - gap]!
        at -= gap
      }
      numbers[at] = value
    }
  }
}

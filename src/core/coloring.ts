/** Rows in an order in which no two of one colour share a particle. */
export interface Coloring {
  /** order[k] is the row that comes k-th. */
  readonly order: Uint32Array
  /** Where each colour starts in `order`, and the end: colour c is starts[c]..starts[c + 1]. */
  readonly starts: Uint32Array
}

/**
 * Greedy colouring: each row takes the lowest colour that none of its particles has yet.
 * A coloured order is stabler than a sorted one, and it is the order that can run in parallel.
 * @param indices particle of each row's corner, `arity` a row
 */
export function colorRows(indices: ArrayLike<number>, arity: number, particleCount: number): Coloring {
  const rowCount = indices.length / arity
  const colorOfRow = new Uint32Array(rowCount)
  // One bit a colour and particle; words are added when a particle has used up its colours.
  let words = 1
  let used = new Uint32Array(particleCount)
  let colorCount = 0
  for (let row = 0; row < rowCount; row++) {
    let color = -1
    while (color < 0) {
      for (let word = 0; word < words && color < 0; word++) {
        let mask = 0
        for (let k = 0; k < arity; k++) mask |= used[indices[row * arity + k]! * words + word]!
        // The lowest zero bit of the mask.
        const free = ~mask & (mask + 1)
        if (free !== 0) color = word * 32 + (31 - Math.clz32(free))
      }
      if (color < 0) {
        const wider = new Uint32Array(particleCount * (words + 1))
        for (let p = 0; p < particleCount; p++) {
          for (let word = 0; word < words; word++) wider[p * (words + 1) + word] = used[p * words + word]!
        }
        used = wider
        words++
      }
    }
    for (let k = 0; k < arity; k++) used[indices[row * arity + k]! * words + (color >>> 5)]! |= 1 << (color & 31)
    colorOfRow[row] = color
    if (color >= colorCount) colorCount = color + 1
  }
  const starts = new Uint32Array(colorCount + 1)
  for (let row = 0; row < rowCount; row++) starts[colorOfRow[row]! + 1]!++
  for (let c = 0; c < colorCount; c++) starts[c + 1]! += starts[c]!
  const cursor = starts.slice(0, colorCount)
  const order = new Uint32Array(rowCount)
  for (let row = 0; row < rowCount; row++) order[cursor[colorOfRow[row]!]!++] = row
  return { order, starts }
}

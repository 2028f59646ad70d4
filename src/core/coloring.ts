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
 * @param visits the rows in the order in which they take their colours: that of `indices` unless given
 */
export function colorRows(
  indices: ArrayLike<number>,
  arity: number,
  particleCount: number,
  visits?: Uint32Array,
): Coloring {
  const rowCount = indices.length / arity
  const colorOfRow = new Uint32Array(rowCount)
  // One bit a colour and particle; words are added when a particle has used up its colours.
  let words = 1
  let used = new Uint32Array(particleCount)
  let colorCount = 0
  for (let visit = 0; visit < rowCount; visit++) {
    const row = visits ? visits[visit]! : visit
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

/** Part of a mesh's size by which places, or its sizes along two axes, may differ and count as the same. */
const ALIKE = 1e-6

/**
 * Rows in an order that knows no side of a mesh and follows its length: by how far they are from its middle along its
 * shortest axis, then the next, last along its longest, so that mirror images follow each other and have the same colours.
 * What a sweep does to one side of a body it does to the other, and it leaves a bar as stiff along any axis.
 * @param x places of the particles [3 n] m
 */
export function mirroredOrder(indices: ArrayLike<number>, arity: number, x: Float64Array): Uint32Array {
  const rowCount = indices.length / arity
  const low = [0, 1, 2].map((d) => -extreme(x, d, -1))
  const sizes = low.map((l, d) => extreme(x, d, 1) - l)
  const step = ALIKE * Math.max(...sizes)
  // The shortest first; of two as long, the later.
  const axes = [2, 1, 0].sort((a, b) => Math.round((sizes[a]! - sizes[b]!) / step))
  const off = new Float64Array(rowCount * 3)
  for (let row = 0; row < rowCount; row++) {
    for (let d = 0; d < 3; d++) {
      let sum = 0
      for (let k = 0; k < arity; k++) sum += x[indices[row * arity + k]! * 3 + d]!
      off[row * 3 + d] = Math.round((sum / arity - low[d]! - sizes[d]! / 2) / step)
    }
  }
  return Uint32Array.from({ length: rowCount }, (_, row) => row).sort((a, b) => {
    for (const d of axes) {
      const farther = Math.abs(off[a * 3 + d]!) - Math.abs(off[b * 3 + d]!)
      if (farther !== 0) return farther
    }
    for (const d of axes) {
      const later = off[a * 3 + d]! - off[b * 3 + d]!
      if (later !== 0) return later
    }
    return a - b
  })
}

/** The largest of the particles' coordinates along an axis times `sign`. */
function extreme(x: Float64Array, axis: number, sign: number): number {
  let most = Number.NEGATIVE_INFINITY
  for (let p = axis; p < x.length; p += 3) most = Math.max(most, sign * x[p]!)
  return most
}

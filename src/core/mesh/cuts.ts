import { vertexOnLine } from './crossings.js'
import { DIRECTION_COUNT, type Lattice } from './lattice.js'

/** A vertex so near to the surface [units of half a cell] lies on it: rounding can no longer tell its side. */
const ON_SURFACE = 1e-9

/** Where a surface cuts the edges of a lattice, gathered line by line. Edge e = 7 * its lower vertex + its direction. */
export class Cuts {
  /** [7 v] from the lower vertex (0) to the upper one (1); NaN where nothing cuts. */
  readonly at: Float64Array
  private readonly touched: Uint8Array

  /** @param signs [v] 1 where a vertex is inside; what lies on the surface becomes 0 by `settle` */
  constructor(
    private readonly lattice: Lattice,
    private readonly signs: Int8Array,
  ) {
    this.at = new Float64Array(DIRECTION_COUNT * lattice.vertexCount).fill(NaN)
    this.touched = new Uint8Array(lattice.vertexCount)
  }

  /** The surface crosses the line (u, v) of a direction at k [units]. */
  add(direction: number, u: number, v: number, k: number): void {
    const { lattice, signs, at, touched } = this
    const step = direction < 3 ? 2 : 1
    const parity = step === 2 ? v & 1 : 0
    const lowK = step * Math.floor((k - parity) / step) + parity
    const low = vertexOnLine(lattice, direction, u, v, lowK)
    const high = vertexOnLine(lattice, direction, u, v, lowK + step)
    if (k - lowK < ON_SURFACE) touched[low] = 1
    else if (lowK + step - k < ON_SURFACE) touched[high] = 1
    else {
      // Where a line crosses more than once within an edge, the crossing next to the vertex inside counts.
      const edge = DIRECTION_COUNT * low + direction
      if (signs[low] !== 1 || Number.isNaN(at[edge]!)) at[edge] = (k - lowK) / step
    }
  }

  /** All crossings are told. */
  settle(): void {
    const { signs, touched } = this
    for (let vertex = 0; vertex < touched.length; vertex++) if (touched[vertex] === 1) signs[vertex] = 0
  }
}

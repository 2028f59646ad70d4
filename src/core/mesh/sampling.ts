import { lineIntervals, vertexOnLine } from './crossings.js'
import { DIRECTION_COUNT, type Lattice } from './lattice.js'
import type { Surface } from './weld.js'

/** A surface as the lattice sees it. Edge e = 7 * its lower vertex + its direction. */
export interface Samples {
  /** [v] 1 inside, -1 outside, 0 on the surface. */
  readonly signs: Int8Array
  /** [7 v] where the surface cuts an edge, 0 to 1 from the lower vertex; NaN where it does not. */
  readonly cuts: Float64Array
  /** Volume inside [m^3], estimated from the rows along X: tells how much a coarse lattice has missed. */
  readonly volume: number
}

/** A vertex so near to the surface [units of half a cell] lies on it: rounding can no longer tell its side. */
export const ON_SURFACE = 1e-9

/** Signs of the vertices, and cut points: true intersections of lattice edges with the surface. */
export function* sampleSurface(surface: Surface, lattice: Lattice): Generator<void, Samples> {
  const { vertexCount, unit } = lattice
  const signs = new Int8Array(vertexCount).fill(-1)
  const cuts = new Float64Array(DIRECTION_COUNT * vertexCount).fill(NaN)
  const touched = new Uint8Array(vertexCount)
  let length = 0
  yield* lineIntervals(surface, lattice, 0, (u, v, enter, leave) => {
    length += leave - enter
    const parity = v & 1
    for (let k = 2 * Math.ceil((enter - parity) / 2) + parity; k < leave; k += 2) {
      signs[vertexOnLine(lattice, 0, u, v, k)] = 1
    }
  })

  for (let direction = 0; direction < DIRECTION_COUNT; direction++) {
    const step = direction < 3 ? 2 : 1
    const cross = (u: number, v: number, k: number): void => {
      const parity = step === 2 ? v & 1 : 0
      const lowK = step * Math.floor((k - parity) / step) + parity
      const low = vertexOnLine(lattice, direction, u, v, lowK)
      const high = vertexOnLine(lattice, direction, u, v, lowK + step)
      if (k - lowK < ON_SURFACE) touched[low] = 1
      else if (lowK + step - k < ON_SURFACE) touched[high] = 1
      else {
        // Where a line crosses more than once within an edge, the crossing next to the vertex inside counts.
        const edge = DIRECTION_COUNT * low + direction
        if (signs[low] !== 1 || Number.isNaN(cuts[edge]!)) cuts[edge] = (k - lowK) / step
      }
    }
    yield* lineIntervals(surface, lattice, direction, (u, v, enter, leave) => {
      cross(u, v, enter)
      cross(u, v, leave)
    })
  }
  for (let vertex = 0; vertex < vertexCount; vertex++) if (touched[vertex] === 1) signs[vertex] = 0
  yield* settleUncutEdges(lattice, signs, cuts)
  // Rows of both parities together: one row for every 2 square units.
  return { signs, cuts, volume: 2 * length * unit * unit * unit }
}

/**
 * Two lines of different directions may disagree, by rounding, about a vertex at the tip of a spike. An edge with ends
 * of opposite sign and no cut gives that away; the end inside then lies on the surface.
 */
function settleUncutEdges(lattice: Lattice, signs: Int8Array, cuts: Float64Array): Generator<void, void> {
  return forEachUncutEdge(lattice, signs, cuts, (low, high) => {
    signs[signs[low] === 1 ? low : high] = 0
  })
}

/** Visits the edges with ends of opposite sign, as they are by then, and no cut. */
export function* forEachUncutEdge(
  lattice: Lattice,
  signs: Int8Array,
  cuts: Float64Array,
  visit: (low: number, high: number, edge: number) => void,
): Generator<void, void> {
  const [, sizeY, sizeZ] = lattice.size
  for (let direction = 0; direction < DIRECTION_COUNT; direction++) {
    const stride = lattice.strides[direction]!
    // The lower end is the one of lower X, so that a diagonal may run down along Y and Z.
    const low = direction < 3 ? 0 : 1
    const margin = direction < 3 ? 2 : 1
    for (let z = low; z < sizeZ - margin; z++) {
      for (let y = low; y < sizeY - margin; y++) {
        if (((z ^ y) & 1) === 1) continue
        const next = stride + (direction < 3 ? 0 : z & 1)
        const row = (z * sizeY + y) * lattice.rowLength
        for (let vertex = row; vertex < row + lattice.rowLength - 1; vertex++) {
          const edge = DIRECTION_COUNT * vertex + direction
          if (signs[vertex]! * signs[vertex + next]! === -1 && Number.isNaN(cuts[edge]!)) {
            visit(vertex, vertex + next, edge)
          }
        }
      }
      yield
    }
  }
}

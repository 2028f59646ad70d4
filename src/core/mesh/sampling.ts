import { lineIntervals, vertexOnLine } from './crossings.js'
import { Cuts } from './cuts.js'
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

/** Signs of the vertices, and cut points: true intersections of lattice edges with the surface. */
export function* sampleSurface(surface: Surface, lattice: Lattice): Generator<void, Samples> {
  const { vertexCount, unit } = lattice
  const signs = new Int8Array(vertexCount).fill(-1)
  const cuts = new Cuts(lattice, signs)
  let length = 0
  yield* lineIntervals(surface, lattice, 0, (u, v, enter, leave) => {
    length += leave - enter
    const parity = v & 1
    for (let k = 2 * Math.ceil((enter - parity) / 2) + parity; k < leave; k += 2) {
      signs[vertexOnLine(lattice, 0, u, v, k)] = 1
    }
  })

  for (let direction = 0; direction < DIRECTION_COUNT; direction++) {
    yield* lineIntervals(surface, lattice, direction, (u, v, enter, leave) => {
      cuts.add(direction, u, v, enter)
      cuts.add(direction, u, v, leave)
    })
  }
  cuts.settle()
  yield* settleUncutEdges(lattice, signs, cuts.at)
  // Rows of both parities together: one row for every 2 square units.
  return { signs, cuts: cuts.at, volume: 2 * length * unit * unit * unit }
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

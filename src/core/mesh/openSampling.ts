import { lineCrossings, lineWindings, vertexOnLine } from './crossings.js'
import { Cuts } from './cuts.js'
import { DIRECTION_COUNT, type Lattice } from './lattice.js'
import { forEachUncutEdge, type Samples } from './sampling.js'
import type { Surface } from './weld.js'
import { capWinding, type Openings } from './winding.js'

/** Inside is where the winding number is beyond this, either way. */
const HALF = 0.5

/**
 * Samples a surface with openings. A cut is where the surface crosses the edge; across an opening, where nothing does,
 * it is where the winding number, taken to be linear along the edge, passes one half.
 */
export function* sampleOpen(surface: Surface, open: Openings, lattice: Lattice): Generator<void, Samples> {
  const { vertexCount, unit, origin, size, rowLength } = lattice
  const windings = new Float64Array(vertexCount)
  yield* lineWindings(open.closed, lattice, 0, (u, v, enter, leave, winding) => {
    const parity = v & 1
    for (let k = 2 * Math.ceil((enter - parity) / 2) + parity; k < leave; k += 2) {
      windings[vertexOnLine(lattice, 0, u, v, k)] = winding
    }
  })
  const signs = new Int8Array(vertexCount).fill(-1)
  let insideCount = 0
  let work = 0
  // What lies beyond the surface's box is outside, however many layers look at it.
  for (let z = 2; z <= size[2] - 3; z++) {
    for (let y = 2 + (z & 1); y <= size[1] - 3; y += 2) {
      const row = (z * size[1] + y) * rowLength
      for (let i = 1; i < rowLength - 1; i++) {
        const x = 2 * i + (z & 1)
        if (x > size[0] - 3) break
        const caps = capWinding(open, origin[0] + x * unit, origin[1] + y * unit, origin[2] + z * unit)
        windings[row + i] = Math.abs(windings[row + i]! - caps)
        if (windings[row + i]! > HALF) {
          signs[row + i] = 1
          insideCount++
        }
        work += open.starts.length + open.caps.length / 3
        if (work > 8192) {
          work = 0
          yield
        }
      }
    }
  }
  const cuts = new Cuts(lattice, signs)
  for (let direction = 0; direction < DIRECTION_COUNT; direction++) {
    yield* lineCrossings(surface, lattice, direction, (u, v, k) => cuts.add(direction, u, v, k))
  }
  cuts.settle()
  yield* forEachUncutEdge(lattice, signs, cuts.at, (low, high, edge) => {
    cuts.at[edge] = (HALF - windings[low]!) / (windings[high]! - windings[low]!)
  })
  // Every vertex stands for half a cell.
  return { signs, cuts: cuts.at, volume: 4 * insideCount * unit * unit * unit }
}

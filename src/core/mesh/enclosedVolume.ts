import { lineWindings } from './crossings.js'
import type { Lattice } from './lattice.js'
import type { Surface } from './weld.js'

/**
 * Volume within a closed surface [m^3]: that by the divergence theorem, wherever the surface goes around each place at
 * most once and always the same way. What overlaps itself counts twice there, and parts that are inside out count
 * against the others: that is put right by the rows of a lattice, which see winding numbers.
 * @param signedVolume of the surface by the divergence theorem [m^3]
 */
export function* enclosedVolume(surface: Surface, signedVolume: number, lattice: Lattice): Generator<void, number> {
  // The same sums for a surface that does neither, so that their difference is exactly zero.
  let inside = 0
  let wound = 0
  yield* lineWindings(surface, lattice, 0, (_u, _v, enter, leave, winding) => {
    if (winding !== 0) inside += leave - enter
    wound += winding * (leave - enter)
  })
  // Rows of both parities together: one row for every 2 square units.
  const rows = 2 * lattice.unit * lattice.unit * lattice.unit
  return Math.abs(signedVolume) + (inside - Math.abs(wound)) * rows
}

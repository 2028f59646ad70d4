import { tiedBy } from '../mesh/groups.js'
import type { TetMesh } from '../mesh/tetrahedralize.js'

/** Pieces whose mean tetrahedron has less than this part of the largest mean volume are not pressed. */
const PRESSED = 0.2

/**
 * The surface that pressure acts on, and the volume within it [m^3]: all but pieces of tetrahedra far smaller than those of
 * others. A substep does not resolve these, so they are softened, and the pressure of the others would blow them up.
 * @param volumes of the tetrahedra [m^3]
 */
export function* pressedSurface(
  { positions, tets, triangles }: TetMesh,
  volumes: Float64Array,
): Generator<void, { triangles: Uint32Array; volume: number }> {
  const pieces = yield* tiedBy(tets, positions.length / 3)
  // By the lowest vertex of each piece.
  const sums = new Float64Array(positions.length / 3)
  const counts = new Float64Array(positions.length / 3)
  for (let t = 0; t < volumes.length; t++) {
    const piece = pieces.find(tets[4 * t]!)
    sums[piece] = sums[piece]! + volumes[t]!
    counts[piece] = counts[piece]! + 1
    if ((t & 0x7fff) === 0x7fff) yield
  }
  let largest = 0
  for (let piece = 0; piece < sums.length; piece++) {
    if (counts[piece]! > 0) largest = Math.max(largest, sums[piece]! / counts[piece]!)
  }
  let volume = 0
  const isPressed = (piece: number) => sums[piece]! >= PRESSED * largest * counts[piece]!
  for (let t = 0; t < volumes.length; t++) if (isPressed(pieces.find(tets[4 * t]!))) volume += volumes[t]!
  yield
  return { triangles: triangles.filter((corner) => isPressed(pieces.find(corner))), volume }
}

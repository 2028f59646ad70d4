import { type Embedding, embed } from './embed.js'
import { type Groups, tiedBy } from './groups.js'

/** Tetrahedra in one piece or several. */
interface Pieces {
  readonly positions: Float64Array
  readonly tets: Uint32Array
}

/**
 * Ties the points of each part of a surface to one piece of the tetrahedra: where two pieces are near to each other, some
 * points would be tied to the other one, and be drawn along by it. Of several pieces it is the one that the farthest
 * point is nearest to; where that is too far from all, the part stays as it is.
 * @param positions [3 p] of the points [m]
 * @param partOf [p] lowest point of the part that each belongs to
 * @param ties of the points, which it changes
 * @param reach farther than this from a piece a point is not carried by it [m]
 */
export function* bindParts(
  mesh: Pieces,
  positions: Float64Array,
  partOf: Int32Array,
  ties: Embedding,
  reach: number,
): Generator<void, void> {
  const pieces = yield* tiedBy(mesh.tets, mesh.positions.length / 3)
  for (const points of yield* partsInPieces(partOf, ties, pieces)) {
    const places = Float64Array.from(points.flatMap((point) => [...positions.subarray(3 * point, 3 * point + 3)]))
    let nearest = reach
    for (const piece of new Set(points.map((point) => pieces.find(ties.particles[4 * point]!)))) {
      const tets = mesh.tets.filter((_, corner) => pieces.find(mesh.tets[corner & ~3]!) === piece)
      const tied = yield* embed({ positions: mesh.positions, tets }, places)
      const farthest = tied.outside.reduce((most, distance) => Math.max(most, distance))
      if (farthest > nearest) continue
      nearest = farthest
      points.forEach((point, i) => {
        ties.particles.set(tied.particles.subarray(4 * i, 4 * i + 4), 4 * point)
        ties.weights.set(tied.weights.subarray(4 * i, 4 * i + 4), 4 * point)
        ties.outside[point] = tied.outside[i]!
      })
    }
  }
}

/** The points of each part that are tied to more than one piece. */
function* partsInPieces(partOf: Int32Array, { particles }: Embedding, pieces: Groups): Generator<void, number[][]> {
  const pieceOf = new Int32Array(partOf.length).fill(-1)
  const several = new Map<number, number[]>()
  for (let p = 0; p < partOf.length; p++) {
    const piece = pieces.find(particles[4 * p]!)
    if (pieceOf[partOf[p]!] === -1) pieceOf[partOf[p]!] = piece
    else if (pieceOf[partOf[p]!] !== piece) several.set(partOf[p]!, [])
    if ((p & 0xfff) === 0xfff) yield
  }
  if (several.size > 0) partOf.forEach((part, p) => several.get(part)?.push(p))
  return [...several.values()]
}

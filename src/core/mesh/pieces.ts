import { tetVolume } from '../constraints/volume.js'
import { faceNeighbours, TET_FACES } from './boundary.js'
import { Groups } from './groups.js'
import type { Stuffing } from './stuffing.js'

/** Tetrahedra in pieces that share no vertex. */
export interface Separated {
  readonly positions: Float64Array
  readonly tets: Uint32Array
  readonly pieceCount: number
  /** Lattice vertices inside the surface whose tetrahedra were dropped; one may come more than once. */
  readonly lost: readonly number[]
}

/**
 * Parts the tetrahedra where they only touch, and drops crumbs.
 *
 * Across a gap narrower than a cell, vertices pulled onto the surface can glue two walls together, or leave two parts
 * hinged on one edge or vertex. So tetrahedra count as joined only through faces with a vertex inside the surface: a
 * vertex gets one copy for each group of tetrahedra around it that is joined in this way.
 * @param crumbVolume pieces smaller than this [m^3] are dropped, unless there is no larger one: a lattice that catches
 * but a tip of something thin would let it fall off
 * @param mostPieces the smallest ones beyond this number are dropped too
 */
export function* separate(
  { positions, tets, inside }: Stuffing,
  crumbVolume: number,
  mostPieces = Infinity,
): Generator<void, Separated> {
  const neighbours = yield* faceNeighbours(tets)
  const corners = new Groups(tets.length)
  const pieces = new Groups(tets.length / 4)
  for (let face = 0; face < neighbours.length; face++) {
    const other = neighbours[face]!
    if (other > face) {
      const tet = face & ~3
      let joined = false
      for (let i = 0; i < 3; i++) if (inside[tets[tet + TET_FACES[3 * (face & 3) + i]!]!]! >= 0) joined = true
      if (joined) {
        pieces.join(face >> 2, other >> 2)
        for (let i = 0; i < 3; i++) {
          const corner = tet + TET_FACES[3 * (face & 3) + i]!
          corners.join(corner, cornerWith(tets, other & ~3, tets[corner]!))
        }
      }
    }
    if ((face & 0xfff) === 0xfff) yield
  }

  const { kept, dropped, pieceCount } = yield* keepLarge(positions, tets, pieces, crumbVolume, mostPieces)
  const copies = new Int32Array(tets.length).fill(-1)
  const outTets = new Uint32Array(4 * kept.length)
  const outPositions: number[] = []
  for (let i = 0; i < outTets.length; i++) {
    const corner = 4 * kept[i >> 2]! + (i & 3)
    const group = corners.find(corner)
    if (copies[group]! < 0) {
      copies[group] = outPositions.length / 3
      const vertex = 3 * tets[corner]!
      outPositions.push(positions[vertex]!, positions[vertex + 1]!, positions[vertex + 2]!)
    }
    outTets[i] = copies[group]!
    if ((i & 0x3fff) === 0x3fff) yield
  }
  const lost: number[] = []
  for (const tet of dropped) {
    for (let corner = 4 * tet; corner < 4 * tet + 4; corner++) {
      if (inside[tets[corner]!]! >= 0) lost.push(inside[tets[corner]!]!)
    }
  }
  return { positions: Float64Array.from(outPositions), tets: outTets, pieceCount, lost }
}

function cornerWith(tets: Uint32Array, tet: number, vertex: number): number {
  for (let corner = tet; corner < tet + 4; corner++) if (tets[corner] === vertex) return corner
  throw new Error(`Tetrahedra: ${tet / 4} lacks the vertex ${vertex} of its neighbour.`)
}

/** The tetrahedra of all pieces but the crumbs. */
function* keepLarge(
  positions: Float64Array,
  tets: Uint32Array,
  pieces: Groups,
  crumbVolume: number,
  mostPieces: number,
): Generator<void, { kept: number[]; dropped: number[]; pieceCount: number }> {
  const volumes = new Float64Array(tets.length / 4)
  let largest = 0
  for (let tet = 0; tet < volumes.length; tet++) {
    const piece = pieces.find(tet)
    const volume = volumes[piece]! + tetVolume(positions, tets, 4 * tet)
    volumes[piece] = volume
    if (volume > largest) largest = volume
    if ((tet & 0x1fff) === 0x1fff) yield
  }
  const largeVolumes = volumes.filter((volume, piece) => pieces.find(piece) === piece && volume >= crumbVolume).sort()
  const least = Math.max(crumbVolume, largeVolumes[largeVolumes.length - mostPieces] ?? 0)
  const kept: number[] = []
  const dropped: number[] = []
  let pieceCount = 0
  for (let tet = 0; tet < volumes.length; tet++) {
    const piece = pieces.find(tet)
    if (volumes[piece]! < Math.min(least, largest)) dropped.push(tet)
    else {
      kept.push(tet)
      if (piece === tet) pieceCount++
    }
    if ((tet & 0x1fff) === 0x1fff) yield
  }
  return { kept, dropped, pieceCount }
}

/** Volume of all tetrahedra [m^3]. */
export function* volumeOf({ positions, tets }: Pick<Separated, 'positions' | 'tets'>): Generator<void, number> {
  let volume = 0
  for (let t = 0; t < tets.length; t += 4) {
    volume += tetVolume(positions, tets, t)
    if ((t & 0x7fff) === 0x7ffc) yield
  }
  return volume
}

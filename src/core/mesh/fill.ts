import { bareSurface, missedCrumbs, partsThatCount } from './bare.js'
import { boundaryOf } from './boundary.js'
import { boundsOf } from './bounds.js'
import { embed } from './embed.js'
import { enclosedVolume } from './enclosedVolume.js'
import type { Enclosure } from './enclosure.js'
import { Groups } from './groups.js'
import { createLattice } from './lattice.js'
import { sampleOpen } from './openSampling.js'
import { type Separated, separate, volumeOf } from './pieces.js'
import { tetReport } from './quality.js'
import { sampleSurface } from './sampling.js'
import { stuff } from './stuffing.js'
import type { TetrahedralizedMesh } from './tetrahedralize.js'
import { shellVertices, thicken, thinVertices } from './thin.js'
import { pressedBack, stretched, stretchOf } from './wholeCells.js'

/** A lattice that catches less of the volume than this is too coarse, as is one that tears a part into pieces. */
const CAUGHT = 0.6
/** A body is thin where its mean thickness is below this part of a cell; others can have thin parts. */
const SHEER = 0.5

/**
 * Fills on one lattice, of cells that are whole along the axes on which a closed surface is flat.
 * @param anyway also where it catches too little or tears the body; else the result is null then
 */
export function* fill(
  enclosure: Enclosure,
  resolution: number,
  anyway: boolean,
): Generator<void, TetrahedralizedMesh | null> {
  const { min, max } = boundsOf(enclosure.surface.positions)
  const sides = min.map((low, axis) => max[axis]! - low)
  const longest = Math.max(...sides)
  const factors = stretchOf(enclosure, sides, longest / resolution)
  if (!factors) return yield* fillLattice(enclosure, resolution, anyway)
  const longer = Math.max(...sides.map((side, axis) => factors[axis]! * side))
  const filled = yield* fillLattice(stretched(enclosure, factors), (longer / longest) * resolution, anyway)
  if (!filled) return null
  const positions = pressedBack(filled, factors)
  const { meshVolume, assumption } = filled.report
  const enclosed = meshVolume === null ? null : meshVolume / (factors[0]! * factors[1]! * factors[2]!)
  return { ...filled, positions, resolution, report: yield* tetReport(positions, filled.tets, enclosed, assumption) }
}

function* fillLattice(
  enclosure: Enclosure,
  resolution: number,
  anyway: boolean,
): Generator<void, TetrahedralizedMesh | null> {
  const { surface, openings, partCount } = enclosure
  const { min, max } = boundsOf(surface.positions)
  const lattice = createLattice(min, max, resolution)
  const samples = openings ? yield* sampleOpen(surface, openings, lattice) : yield* sampleSurface(surface, lattice)
  const signs = samples.signs.slice()
  const cuts = samples.cuts
  const crumb = 8 * lattice.unit * lattice.unit * lattice.unit
  let pieces: Separated = yield* separate(yield* stuff(lattice, samples), crumb)
  // Overlapping parts count twice in the volume of the mesh, but once in the rows of the lattice.
  const enough = CAUGHT * Math.min(enclosure.volume, samples.volume)
  if (!anyway && !openings && (yield* volumeOf(pieces)) <= enough) return null

  for (const vertex of pieces.lost) samples.signs[vertex] = 0
  const parts = yield* partsThatCount(surface, enclosure.partOf, lattice)
  const bare = yield* bareSurface(surface, lattice, signs, samples.signs, parts.counts)
  const sheer = openings !== null || enclosure.thickness < SHEER * 2 * lattice.unit
  /** With what is thinner than the lattice can see; where the body is `known` to have such parts, also what is hardly so. */
  function* thickened(known: boolean): Generator<void, Separated> {
    const thin = yield* thinVertices(lattice, bare, stuffed, known)
    if (thin.length === 0) return stuffed
    return yield* separate(yield* stuff(lattice, yield* thicken(lattice, { signs, cuts }, thin)), crumb)
  }
  const stuffed = pieces
  pieces = yield* thickened(sheer)
  let torn = yield* tearsPart(enclosure, pieces)
  if (torn && !sheer) {
    pieces = yield* thickened(true)
    torn = yield* tearsPart(enclosure, pieces)
  }
  // A part in two pieces shows only if parts that have none are not counted.
  const most = partCount === 1 ? 1 : Math.max(1, partCount - (yield* missedCrumbs(parts, samples.signs, lattice)))
  if (pieces.pieceCount > most || torn) {
    if (!anyway) return null
    const shell = yield* thicken(lattice, { signs, cuts }, shellVertices(bare))
    pieces = yield* separate(yield* stuff(lattice, shell), crumb, most)
  }
  const { positions, tets } = pieces
  const meshVolume = openings ? null : yield* enclosedVolume(surface, enclosure.volume, lattice)
  const report = yield* tetReport(positions, tets, meshVolume, enclosure.assumption)
  const { triangles } = yield* boundaryOf(tets)
  return { positions, tets, triangles, resolution, cell: 2 * lattice.unit, ties: null, report }
}

/** Whether some part of the surface has points in two pieces: what joins them is thinner than the lattice can see. */
function* tearsPart({ surface, partOf, partCount }: Enclosure, pieces: Separated): Generator<void, boolean> {
  if (partCount === 1 || pieces.pieceCount < 2) return false
  const { tets } = pieces
  const groups = new Groups(pieces.positions.length / 3)
  for (let k = 0; k < tets.length; k++) groups.join(tets[k & ~3]!, tets[k]!)
  yield
  const { particles, outside } = yield* embed(pieces, surface.positions)
  const pieceOf = new Map<number, number>()
  for (let p = 0; p < partOf.length; p++) {
    if (outside[p]! > 0) continue
    const piece = groups.find(particles[4 * p]!)
    const known = pieceOf.get(partOf[p]!) ?? piece
    if (known !== piece) return true
    pieceOf.set(partOf[p]!, piece)
  }
  return false
}

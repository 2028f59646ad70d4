import { SettingError } from '../validation.js'
import { bareSurface, partsThatCount } from './bare.js'
import { boundaryOf } from './boundary.js'
import { enclosedVolume } from './enclosedVolume.js'
import { type Enclosure, enclosureOf } from './enclosure.js'
import { createLattice } from './lattice.js'
import { sampleOpen } from './openSampling.js'
import { type Separated, separate, volumeOf } from './pieces.js'
import { type TetReport, tetReport } from './quality.js'
import { sampleSurface } from './sampling.js'
import { stuff } from './stuffing.js'
import { shellVertices, thicken, thinVertices } from './thin.js'
import type { Surface } from './weld.js'

/** Tetrahedra that share their vertices. */
export interface TetMesh {
  /** [3 n] rest coordinates [m]. */
  readonly positions: Float64Array
  /** [4 m] vertices of each tetrahedron, det[x1 - x0, x2 - x0, x3 - x0] > 0. */
  readonly tets: Uint32Array
  /** [3 b] boundary triangles, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array
}
export interface TetrahedralizeOptions {
  /** Lattice cells along the longest side of the bounding box, 1 to 64, default 10; need not be whole. */
  readonly resolution?: number | undefined
  /** Tetrahedra wanted, instead of a resolution: the nearest count that a lattice gives, from a thousand on within 15%. */
  readonly tetCount?: number | undefined
}
export interface TetrahedralizedMesh extends TetMesh {
  /** Cells along the longest side that were used: more than asked for where the body is thinner than a cell. */
  readonly resolution: number
  readonly report: TetReport
}
const DEFAULT_RESOLUTION = 10
const MAX_RESOLUTION = 64
const MAX_TET_COUNT = 1000000

/** A lattice that catches less of the volume than this is too coarse, as is one that tears a part into pieces. */
const CAUGHT = 0.6
/** Then it gets finer by this factor... */
const REFINEMENT = 1.125
/** ...until it will do, or is this much finer than asked for. */
const MAX_REFINEMENT = 4
/** It is not even tried for a body whose mean thickness is below this part of the finest cell. */
const HOPELESS = 0.2

/** A body is thin where its mean thickness is below this part of a cell; others can have thin parts. */
const SHEER = 0.5

/** A count this near to the wanted one will do [part of it]. */
const NEAR_COUNT = 0.1
/** Lattices tried for a count. */
const MOST_TRIALS = 10

/**
 * Fills any surface with tetrahedra, by isosurface stuffing (Labelle and Shewchuk 2007) on a uniform lattice. Inside is
 * where the winding number is not 0 or, for a surface with openings, beyond one half. Parts thinner than the lattice can
 * see become about a cell thick, so that all of the surface lies in or near the tetrahedra. The result is conforming,
 * with dihedral angles between 10 and 165 degrees (down to 9 where thin parts run into each other). Its boundary is
 * closed and, thin parts aside, has its vertices on the surface; sharp edges askew to the lattice come out chamfered by
 * less than a cell, and two walls nearer than a cell may touch along an edge. Separate parts stay separate where the gap
 * between them is wider than a cell.
 * @throws SettingError for a resolution outside 1 to 64, a count outside 20 to a million, or both of them
 */
export function* tetrahedralize(
  surface: Surface,
  options: TetrahedralizeOptions = {},
): Generator<void, TetrahedralizedMesh> {
  const { resolution = DEFAULT_RESOLUTION, tetCount } = checked(options)
  const enclosure = yield* enclosureOf(surface)
  if (tetCount !== undefined) return yield* fillToCount(enclosure, tetCount)
  return yield* fillWhole(enclosure, resolution)
}

function checked(options: TetrahedralizeOptions): TetrahedralizeOptions {
  const { resolution, tetCount } = options
  const fail = (prop: string, value: unknown, problem: string, remedy: string): never => {
    throw new SettingError('SoftBody', prop, value, problem, remedy)
  }
  if (resolution !== undefined && !(resolution >= 1 && resolution <= MAX_RESOLUTION)) {
    const remedy = 'It counts cells along the longest side: 6 for a jelly, 10 for a figure, 20 for fine limbs.'
    fail('resolution', resolution, `must be between 1 and ${MAX_RESOLUTION}`, remedy)
  }
  if (tetCount !== undefined && !(tetCount >= 20 && tetCount <= MAX_TET_COUNT)) {
    const remedy = 'It counts tetrahedra: 1000 for a jelly, 3000 for a figure, 20000 for fine limbs.'
    fail('tetCount', tetCount, `must be between 20 and ${MAX_TET_COUNT}`, remedy)
  }
  if (resolution !== undefined && tetCount !== undefined) {
    fail('tetCount', tetCount, 'cannot be given together with resolution', 'Give one of them.')
  }
  return options
}

/** Fills with finer cells where that catches a thin body, or else on the lattice asked for, as thick as a cell. */
function* fillWhole(enclosure: Enclosure, asked: number): Generator<void, TetrahedralizedMesh> {
  const filled = yield* fillFiner(enclosure, asked)
  return filled ?? (yield* fill(enclosure, asked, true))!
}

/** Fills on the coarsest lattice, from the one asked for on, that catches the body and does not tear it, if any does. */
function* fillFiner(enclosure: Enclosure, asked: number): Generator<void, TetrahedralizedMesh | null> {
  const finest = Math.min(MAX_RESOLUTION, MAX_REFINEMENT * asked)
  const { min, max } = boundsOf(enclosure.surface.positions)
  const cell = Math.max(max[0]! - min[0]!, max[1]! - min[1]!, max[2]! - min[2]!) / finest
  if (enclosure.openings === null && enclosure.thickness < HOPELESS * cell) return null
  let resolution = asked
  while (true) {
    const filled = yield* fill(enclosure, resolution, false)
    if (filled || resolution >= finest) return filled
    resolution = Math.min(finest, Math.ceil(resolution * REFINEMENT))
  }
}

/** Looks for the lattice that gives a count: steps by the cube root of what is missing, then halves the interval. */
function* fillToCount(enclosure: Enclosure, wanted: number): Generator<void, TetrahedralizedMesh> {
  let low = 1
  let high = MAX_RESOLUTION
  let resolution = DEFAULT_RESOLUTION
  let best: TetrahedralizedMesh | null = null
  let bestMiss = Infinity
  for (let trial = 0; trial < MOST_TRIALS; trial++) {
    const filled = yield* fillWhole(enclosure, resolution)
    const count = filled.report.tetCount
    const miss = Math.abs(count / wanted - 1)
    if (miss < bestMiss) {
      best = filled
      bestMiss = miss
    }
    if (miss < NEAR_COUNT) break
    if (count < wanted) low = Math.max(low, filled.resolution)
    else high = Math.min(high, resolution)
    if (!(high - low > 0.01)) break
    const step = filled.resolution * cubeRoot(wanted / count)
    resolution = trial < 4 && step > low && step < high ? step : (low + high) / 2
  }
  return best!
}

/** By Newton's method, from above or below. */
function cubeRoot(value: number): number {
  let root = Math.max(1, value)
  for (let i = 0; i < 60; i++) root = (2 * root + value / (root * root)) / 3
  return root
}

/**
 * Fills on one lattice.
 * @param anyway also where it catches too little or tears the body; else the result is null then
 */
function* fill(enclosure: Enclosure, resolution: number, anyway: boolean): Generator<void, TetrahedralizedMesh | null> {
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
  const counts = yield* partsThatCount(surface, enclosure.partOf, lattice)
  const bare = yield* bareSurface(surface, lattice, signs, samples.signs, counts)
  const sheer = openings !== null || enclosure.thickness < SHEER * 2 * lattice.unit
  const thin = yield* thinVertices(lattice, bare, pieces, sheer)
  if (thin.length > 0) {
    const thicker = yield* thicken(lattice, { signs, cuts }, thin)
    pieces = yield* separate(yield* stuff(lattice, thicker), crumb)
  }
  if (pieces.pieceCount > partCount) {
    if (!anyway) return null
    const shell = yield* thicken(lattice, { signs, cuts }, shellVertices(bare))
    pieces = yield* separate(yield* stuff(lattice, shell), crumb, partCount)
  }
  const { positions, tets } = pieces
  const meshVolume = openings ? null : yield* enclosedVolume(surface, enclosure.volume, lattice)
  const report = yield* tetReport(positions, tets, meshVolume, enclosure.assumption)
  const { triangles } = yield* boundaryOf(tets)
  return { positions, tets, triangles, resolution, report }
}

function boundsOf(positions: Float64Array): { min: number[]; max: number[] } {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3
    if (positions[i]! < min[axis]!) min[axis] = positions[i]!
    if (positions[i]! > max[axis]!) max[axis] = positions[i]!
  }
  return { min, max }
}

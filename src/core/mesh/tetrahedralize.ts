import { SettingError } from '../validation.js'
import { ALONG, areScattered, partsOf, sheetsApart, solidsApart } from './apart.js'
import { areAllCrumbs } from './bare.js'
import { bindParts } from './bindParts.js'
import { boundaryOf } from './boundary.js'
import { boundsOf } from './bounds.js'
import { type Embedding, embed } from './embed.js'
import { enclosedVolume } from './enclosedVolume.js'
import { type Enclosure, enclosureOf } from './enclosure.js'
import { fill } from './fill.js'
import { NOWHERE } from './flatAxes.js'
import { createLattice } from './lattice.js'
import { type TetReport, tetReport } from './quality.js'
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
  /** Side of their cells [m]. */
  readonly cell: number
  /** What carries the surface's points, where that is known already: of a surface in several parts. */
  readonly ties: Embedding | null
  readonly report: TetReport
}
const DEFAULT_RESOLUTION = 10
const MAX_RESOLUTION = 64
const MAX_TET_COUNT = 1000000

/** Where a lattice is too coarse it gets finer by this factor... */
const REFINEMENT = 1.125
/** ...until it will do, or is this much finer than asked for. */
const MAX_REFINEMENT = 4
/** Nor is it to have more tetrahedra than twice those of a cube on the lattice asked for [a cell], or on one of a few cells. */
const MOST_TETS = 24
const FEW = 4
/** It is not even tried for a body whose mean thickness is below this part of the finest cell. */
const HOPELESS = 0.2

/** A part whose tetrahedra hold more than its volume by this part of it is filled anew, with cells finer by a factor. */
const BLOATED = 1
const FINER = 4

/** A count this near to the wanted one will do [part of it]. */
const NEAR_COUNT = 0.1
/** Lattices tried for a count. */
const MOST_TRIALS = 10

/**
 * Fills any surface with tetrahedra, by isosurface stuffing (Labelle and Shewchuk 2007) on a uniform lattice. Inside is
 * where the winding number is not 0 or, for a surface with openings, beyond one half. Parts thinner than the lattice can
 * see become about a cell thick, so that all of the surface lies in or near the tetrahedra. The result is conforming,
 * with dihedral angles between 10 and 165 degrees (down to 9 where thin parts run into each other). Its boundary is
 * closed and, thin parts aside, has its vertices on the surface; a closed one that is flat on both sides along an axis has
 * whole cells between them, stretched or pressed for that, so that a box keeps its edges; sharp edges askew to the lattice
 * come out chamfered by less than a cell, and two walls nearer than a cell may touch along an edge. Separate parts stay
 * separate where the gap between them is wider than a cell, two beside thin ones, and those too small for the lattice get
 * cells of their own.
 * @throws SettingError for a resolution outside 1 to 64, a count outside 20 to a million, or both of them
 */
export function* tetrahedralize(
  surface: Surface,
  options: TetrahedralizeOptions = {},
): Generator<void, TetrahedralizedMesh> {
  const { resolution = DEFAULT_RESOLUTION, tetCount } = checked(options)
  const enclosure = yield* enclosureOf(surface)
  const filled = yield* tetCount === undefined ? fillWhole(enclosure, resolution) : fillToCount(enclosure, tetCount)
  const { ties, cell } = filled
  if (ties) yield* bindParts(filled, surface.positions, enclosure.partOf, ties, ALONG * cell)
  return filled
}

function checked(options: TetrahedralizeOptions): TetrahedralizeOptions {
  const { resolution, tetCount } = options
  const fail = (prop: string, value: unknown, problem: string, remedy: string): never => {
    throw new SettingError('SoftBody', prop, value, problem, remedy)
  }
  if (resolution !== undefined && !(Number.isFinite(resolution) && resolution >= 1 && resolution <= MAX_RESOLUTION)) {
    const remedy = 'It counts cells along the longest side: 6 for a jelly, 10 for a figure, 20 for fine limbs.'
    fail('resolution', resolution, `must be between 1 and ${MAX_RESOLUTION}`, remedy)
  }
  if (tetCount !== undefined && !(Number.isFinite(tetCount) && tetCount >= 20 && tetCount <= MAX_TET_COUNT)) {
    const remedy = 'It counts tetrahedra: 1000 for a jelly, 3000 for a figure, 20000 for fine limbs.'
    fail('tetCount', tetCount, `must be between 20 and ${MAX_TET_COUNT}`, remedy)
  }
  if (resolution !== undefined && tetCount !== undefined) {
    fail('tetCount', tetCount, 'cannot be given together with resolution', 'Give one of them.')
  }
  return options
}

/**
 * Fills with finer cells where that catches a thin body, or else on the lattice asked for, as thick as a cell. What that
 * leaves out is filled by itself.
 */
function* fillWhole(enclosure: Enclosure, asked: number): Generator<void, TetrahedralizedMesh> {
  if (enclosure.partCount === 1) return yield* fillOne(enclosure, asked)
  const { surface, partOf, openings } = enclosure
  const cell = longestSide(surface) / asked
  const crumbs = yield* areAllCrumbs(surface, partOf, cell)
  const scattered = crumbs && (yield* areScattered(yield* partsOf(enclosure), cell))
  const caught = openings && scattered ? null : yield* fillFiner(enclosure, asked)
  const filled = caught ?? (scattered ? yield* nothing(enclosure, asked) : (yield* fill(enclosure, asked, true))!)
  return yield* withPartsApart(enclosure, filled)
}

function* fillOne(enclosure: Enclosure, asked: number): Generator<void, TetrahedralizedMesh> {
  return (yield* fillFiner(enclosure, asked)) ?? (yield* fill(enclosure, asked, true))!
}

/** Adds tetrahedra for the parts that the lattice has left out, each with cells of its own. */
function* withPartsApart(enclosure: Enclosure, filled: TetrahedralizedMesh): Generator<void, TetrahedralizedMesh> {
  const { surface } = enclosure
  const { cell } = filled
  let mesh: Pick<TetMesh, 'positions' | 'tets'> = filled
  let ties = yield* embedded(mesh, surface)
  if (ties.outside.every((distance) => distance <= ALONG * cell)) return { ...filled, ties }
  const parts = yield* partsOf(enclosure)
  // First what bounds a volume, for sheets may go with it.
  for (const findApart of [solidsApart, sheetsApart]) {
    const added = [mesh]
    for (const apart of yield* findApart(surface, parts, ties.outside, cell)) {
      added.push(yield* fillApart(yield* enclosureOf(apart), Math.max(1, longestSide(apart) / cell)))
    }
    if (added.length === 1) continue
    mesh = joined(added)
    ties = yield* embedded(mesh, surface)
  }
  if (mesh === filled) return { ...filled, ties }
  const { positions, tets } = mesh
  const report = yield* tetReport(positions, tets, filled.report.meshVolume, enclosure.assumption)
  const { triangles } = yield* boundaryOf(tets)
  return { ...filled, positions, tets, triangles, report, ties }
}

/** Fills a part by itself. With few cells a ring would come out as a block: it gets finer ones. */
function* fillApart(enclosure: Enclosure, resolution: number): Generator<void, TetrahedralizedMesh> {
  const filled = yield* fillWhole(enclosure, resolution)
  if (filled.report.volumeError <= BLOATED) return filled
  return yield* fillWhole(enclosure, Math.min(MAX_RESOLUTION, FINER * resolution))
}

/** No tetrahedra yet for a surface of which every part is to be filled by itself. */
function* nothing(enclosure: Enclosure, resolution: number): Generator<void, TetrahedralizedMesh> {
  const { min, max } = boundsOf(enclosure.surface.positions)
  const lattice = createLattice(min, max, resolution)
  const { surface, volume, assumption } = enclosure
  const meshVolume = enclosure.openings ? null : yield* enclosedVolume(surface, volume, lattice)
  const none = { positions: new Float64Array(0), tets: new Uint32Array(0), triangles: new Uint32Array(0) }
  const report = yield* tetReport(none.positions, none.tets, meshVolume, assumption)
  return { ...none, resolution, cell: 2 * lattice.unit, ties: null, report }
}

/** What carries the points of a surface; all are infinitely far from no tetrahedra. */
function* embedded(mesh: Pick<TetMesh, 'positions' | 'tets'>, { positions }: Surface): Generator<void, Embedding> {
  if (mesh.tets.length > 0) return yield* embed(mesh, positions)
  const outside = new Float64Array(positions.length / 3).fill(Infinity)
  return { particles: new Uint32Array(0), weights: new Float64Array(0), outside }
}

/** Several meshes as one, none tied to another. */
function joined(meshes: readonly Pick<TetMesh, 'positions' | 'tets'>[]): Pick<TetMesh, 'positions' | 'tets'> {
  const count = (column: 'positions' | 'tets') => meshes.reduce((sum, mesh) => sum + mesh[column].length, 0)
  const positions = new Float64Array(count('positions'))
  const tets = new Uint32Array(count('tets'))
  let vertices = 0
  let corners = 0
  for (const mesh of meshes) {
    positions.set(mesh.positions, 3 * vertices)
    for (const vertex of mesh.tets) tets[corners++] = vertices + vertex
    vertices += mesh.positions.length / 3
  }
  return { positions, tets }
}

function longestSide({ positions }: Surface): number {
  const { min, max } = boundsOf(positions)
  return Math.max(max[0]! - min[0]!, max[1]! - min[1]!, max[2]! - min[2]!)
}

/**
 * Fills on the coarsest lattice, from the one asked for on, that catches the body and does not tear it, if any does at
 * little cost.
 */
function* fillFiner(enclosure: Enclosure, asked: number): Generator<void, TetrahedralizedMesh | null> {
  const finest = Math.min(MAX_RESOLUTION, MAX_REFINEMENT * asked)
  const cell = longestSide(enclosure.surface) / finest
  if (enclosure.openings === null && enclosure.thickness < HOPELESS * cell) return null
  const cells = Math.max(FEW, asked)
  const most = MOST_TETS * cells * cells * cells
  let resolution = asked
  while (true) {
    const filled = yield* fill(enclosure, resolution, false)
    if (resolution > asked && filled && filled.report.tetCount > most) return null
    if (filled || resolution >= finest) return filled
    resolution = Math.min(finest, Math.ceil(resolution * REFINEMENT))
  }
}

/**
 * Looks for the lattice that gives a count: steps by the cube root of what is missing, then halves the interval. Whole cells
 * have few counts, so they are taken where they are as near.
 */
function* fillToCount(enclosed: Enclosure, wanted: number): Generator<void, TetrahedralizedMesh> {
  const enclosure = { ...enclosed, flat: NOWHERE }
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
  if (!enclosed.flat.includes(true)) return best!
  const whole = yield* fillWhole(enclosed, best!.resolution)
  return Math.abs(whole.report.tetCount / wanted - 1) <= Math.max(bestMiss, NEAR_COUNT) ? whole : best!
}

/** By Newton's method, from above or below. */
function cubeRoot(value: number): number {
  let root = Math.max(1, value)
  for (let i = 0; i < 60; i++) root = (2 * root + value / (root * root)) / 3
  return root
}

import { distance, neoHookean, pressure, shapeMatching, volume } from '../constraints/index.js'
import { tetVolume } from '../constraints/volume.js'
import { boundaryOf } from '../mesh/boundary.js'
import { type Embedding, embed } from '../mesh/embed.js'
import { type TetReport, tetReport } from '../mesh/quality.js'
import { createSkin, type Skin } from '../mesh/skin.js'
import { runToEnd } from '../mesh/slices.js'
import { type TetMesh, tetrahedralize } from '../mesh/tetrahedralize.js'
import { type TriangleMesh, weld } from '../mesh/weld.js'
import { distinctEdges, type Feelers, largestSide, type Model, ModelBuilder } from '../model.js'
import { checkGroup, SettingError, type SettingSpec, validateSetting } from '../validation.js'
import { clusterGroups } from './clusters.js'
import { presets } from './presets.js'
import { pressedSurface } from './pressed.js'

/** Part of the largest side that a solid keeps to colliders: what a facet of the lattice may cut off a round body. */
const THICKNESS = 0.0025

export interface SolidOptions {
  /** Lattice cells along the longest side; default 10, 1 to 64. */
  resolution?: number
  /** Tetrahedra wanted, instead of a resolution, 20 to 1000000; met within 15% where a lattice can. */
  tetCount?: number
  /** Vertices at one place whose normals differ by less share a normal [degrees]; default 30. */
  creaseAngle?: number
  /** Cells along the longest side that shape matching cuts the body into, 1 to 16; default 1, the whole body. */
  clusters?: number
}

const solidOptions: Record<keyof SolidOptions, true> = {
  resolution: true,
  tetCount: true,
  creaseAngle: true,
  clusters: true,
}

/** Of the shape-matching groups of a solid. */
const clustersSpec: SettingSpec = {
  quantity: 'cells along the longest side',
  unit: '1',
  type: 'integer',
  default: 1,
  min: 1,
  max: 16,
  remedy: 'Use 1 for the whole body, 4 for a bar that bends.',
}

/** A simulated body and the mesh that is drawn for it. */
export interface SoftBodyModel {
  readonly model: Model
  /** Ties the render mesh to the particles. */
  readonly skin: Skin
  readonly report: TetReport
}

/** The body of a triangle mesh, whole. See `softBodyModelSteps` for one that is built a slice at a time. */
export function softBodyModel(mesh: TriangleMesh, options: SolidOptions = {}): SoftBodyModel {
  return runToEnd(softBodyModelSteps(mesh, options))
}

/**
 * Builds the body of a triangle mesh, yielding every few milliseconds of work. What is not closed, or not
 * manifold, is filled all the same: `report.assumption` says how it was taken.
 * @throws SettingError for a mesh that is empty or not finite, a resolution or a count out of range, or both of these
 */
export function* softBodyModelSteps(mesh: TriangleMesh, options: SolidOptions = {}): Generator<void, SoftBodyModel> {
  checkGroup('SoftBody', 'settings', options, solidOptions)
  const { resolution, tetCount, creaseAngle = 30 } = options
  const surface = yield* weld(mesh)
  const tetMesh = yield* tetrahedralize(surface, { resolution, tetCount })
  const embedding = tetMesh.ties ?? (yield* embed(tetMesh, surface.positions))
  const skin = yield* createSkin(mesh, surface, embedding, { creaseAngle })
  const { report } = tetMesh
  const model = yield* solidModel(tetMesh, embedding, { clusters: options.clusters, matter: report.meshVolume })
  return { model, skin, report }
}

/**
 * The body of a ready tetrahedral mesh; `render` is drawn for it, its own surface unless given.
 * @throws SettingError for tetrahedra that are inverted, without volume, or name a vertex that is not there
 */
export function tetMeshModel(
  tetMesh: { positions: ArrayLike<number>; tets: ArrayLike<number> },
  render?: TriangleMesh,
  options: SolidOptions = {},
): SoftBodyModel {
  checkGroup('SoftBody', 'settings', options, solidOptions)
  const mesh = checkedTetMesh(Float64Array.from(tetMesh?.positions ?? []), Uint32Array.from(tetMesh?.tets ?? []))
  const drawn = render ?? { positions: mesh.positions, index: mesh.triangles }
  const surface = runToEnd(weld(drawn))
  const embedding = runToEnd(embed(mesh, surface.positions))
  const skin = runToEnd(createSkin(drawn, surface, embedding, { creaseAngle: options.creaseAngle ?? 30 }))
  return {
    model: runToEnd(solidModel(mesh, embedding, { clusters: options.clusters, matter: null })),
    skin,
    report: runToEnd(tetReport(mesh.positions, mesh.tets)),
  }
}

function checkedTetMesh(positions: Float64Array, tets: Uint32Array): TetMesh {
  const refuse = (value: unknown, problem: string, remedy: string): never => {
    throw new SettingError('SoftBody', 'tetMesh', value, problem, remedy)
  }
  if (tets.length === 0 || tets.length % 4 !== 0) {
    refuse(`${tets.length} indices`, 'are not fours', 'Give four vertices of each tetrahedron.')
  }
  const wrong = positions.findIndex((x) => !Number.isFinite(x))
  if (wrong >= 0) {
    const remedy = 'Look for a division by zero where its positions are made.'
    refuse(positions[wrong], `vertex ${Math.floor(wrong / 3)} has a position that is not a finite number`, remedy)
  }
  const used = new Uint8Array(positions.length / 3)
  for (const i of tets) {
    if (i >= used.length) refuse(i, `vertex ${i} of ${used.length} does not exist`, `Use indices below ${used.length}.`)
    used[i] = 1
  }
  const lonely = used.indexOf(0)
  if (lonely >= 0) refuse(lonely, `vertex ${lonely} is in no tetrahedron`, 'Drop vertices that none has.')
  for (let t = 0; t < tets.length; t += 4) {
    if (tetVolume(positions, tets, t) > 0) continue
    refuse(t / 4, `tetrahedron ${t / 4} is inverted or flat`, 'Swap two of its vertices, or drop it.')
  }
  return { positions, tets, triangles: runToEnd(boundaryOf(tets)).triangles }
}

interface Filling {
  readonly clusters: number | undefined
  /** Volume of the material [m^3]; null: that of the tetrahedra. */
  readonly matter: number | null
}

/**
 * All that can hold a solid together, each by itself or with others; masses lumped from the volumes. Where tetrahedra
 * that are thicker than the mesh hold less matter than their volume, mass and stiffness are those of the matter, spread
 * evenly: such a body sags and swings as fast as if they were full. What a chamfer cut off only adds its mass.
 */
function* solidModel(mesh: TetMesh, embedding: Embedding, filling: Filling): Generator<void, Model> {
  const { clusters = 1 } = filling
  validateSetting('SoftBody', 'clusters', clusters, clustersSpec)
  const { positions, tets, triangles } = mesh
  const particleCount = positions.length / 3
  const weights = new Float64Array(particleCount)
  const volumes = new Float64Array(tets.length / 4)
  let total = 0
  for (let t = 0; t < volumes.length; t++) {
    volumes[t] = tetVolume(positions, tets, t * 4)
    total += volumes[t]!
    for (let k = 0; k < 4; k++) weights[tets[t * 4 + k]!]! += volumes[t]! / 4
  }
  const measure = filling.matter ?? total
  const share = Math.min(1, measure / total)
  const thickness = THICKNESS * largestSide(positions)
  const edges = yield* distinctEdges(tets, 4)
  const springs = yield* unitSpringCompliance(positions, tets, volumes, edges)
  const groups = yield* clusterGroups(positions, edges, weights, clusters)
  const pressed = yield* pressedSurface(mesh, volumes)
  const builder = new ModelBuilder(positions).weights(weights).with({
    measure,
    volume: total,
    density: presets.jelly.density!,
    thickness,
    tets,
    triangles,
    edges,
    elastic: presets.jelly.elastic,
    feelers: feelersOf(embedding, thickness / 2),
  })
  yield
  builder.constrain('edges', distance, edges, { unitCompliance: (row) => springs[row]! / share, enclosed: true })
  yield
  builder.constrain('neoHookean', neoHookean, tets, {
    unitCompliance: (row) => 1 / (volumes[row]! * share),
    enclosed: true,
  })
  yield
  // E = K C^2 / (2 V0)
  builder.constrain('volumes', volume, tets, { unitCompliance: (row) => volumes[row]! / share, enclosed: true })
  yield
  builder
    .constrain('shape', shapeMatching, groups.indices, {
      offsets: groups.offsets,
      unitCompliance: (row) => groups.overlaps[row]!,
      enclosed: true,
    })
    .constrain('pressure', pressure, pressed.triangles, {
      offsets: Uint32Array.of(0, pressed.triangles.length),
      unitCompliance: () => pressed.volume / share, // E = K C^2 / (2 V0) of the whole
    })
  yield
  return builder.build()
}

/** Compliance of the edge springs that resist as a solid of modulus one: L^2 / sum V (Van Gelder 1998). */
function* unitSpringCompliance(
  x: Float64Array,
  tets: Uint32Array,
  volumes: Float64Array,
  edges: Uint32Array,
): Generator<void, Float64Array> {
  const rowOf = new Map<number, number>()
  const key = (i: number, j: number) => Math.min(i, j) * 67108864 + Math.max(i, j)
  for (let e = 0; e < edges.length; e += 2) rowOf.set(key(edges[e]!, edges[e + 1]!), e / 2)
  const shared = new Float64Array(edges.length / 2)
  for (let t = 0; t < tets.length; t += 4) {
    for (let a = 0; a < 4; a++) {
      for (let b = a + 1; b < 4; b++) shared[rowOf.get(key(tets[t + a]!, tets[t + b]!))!]! += volumes[t / 4]!
    }
    if (t % 4096 === 0) yield
  }
  return shared.map((sum, row) => {
    const i = edges[row * 2]! * 3
    const j = edges[row * 2 + 1]! * 3
    let squared = 0
    for (let d = 0; d < 3; d++) squared += (x[i + d]! - x[j + d]!) * (x[i + d]! - x[j + d]!)
    return squared / sum
  })
}

/** Drawn points that stand out of the tetrahedra by more than `least` [m]: colliders must stop them themselves. */
function feelersOf({ particles, weights, outside }: Embedding, least: number): Feelers {
  const chosen: number[] = []
  for (let p = 0; p < outside.length; p++) if (outside[p]! > least) chosen.push(p)
  const corner = (column: ArrayLike<number>) => (_: unknown, k: number) => column[chosen[k >> 2]! * 4 + (k & 3)]!
  return {
    particles: Uint32Array.from({ length: chosen.length * 4 }, corner(particles)),
    weights: Float64Array.from({ length: chosen.length * 4 }, corner(weights)),
  }
}

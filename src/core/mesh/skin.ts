import type { Model } from '../model.js'
import { breaksOf } from '../tear/snap.js'
import { SettingError } from '../validation.js'
import type { Embedding } from './embed.js'
import { faceWeights } from './faceWeights.js'
import { DEFAULT_CREASE_ANGLE, type NormalGroups, normalGroups } from './normalGroups.js'
import { runToEnd } from './slices.js'
import { type TangentRows, tangentRows, updateTangents } from './tangents.js'
import { placeTube, pointsOfTube, type Tube } from './tube.js'
import type { Surface, TriangleMesh } from './weld.js'

/** Frozen rest data that carries a render mesh along with particles; shared by all instances of a model. */
export interface Skin extends NormalGroups {
  readonly vertexCount: number
  readonly pointCount: number
  /** Ties of the welded points; null where point i is particle i (cloth), or where a tube has them. */
  readonly embedding: Embedding | null
  /** The points are those of a tube about the particles (rope). */
  readonly tube?: Tube | undefined
  /** [n] render vertex -> welded point. */
  readonly vertexToPoint: Uint32Array
  /**
   * [3 t] weights of the faces at the corners, beside their area. Those of embedded points add up to the mesh's own normals
   * at rest; others are 1.
   */
  readonly weights: Float64Array
  /** How tangents follow; null for a mesh without them. */
  readonly tangents: TangentRows | null
  /** Which vertices are doubled where it is that of a torn cloth. */
  readonly torn?: Doubled | undefined
}

/** Vertices that are doubled, by the ranges that a skin's vertices lie in. */
export interface Doubled {
  /** By range: its first vertex now; what it has had from the beginning comes first, then what was doubled. */
  readonly firsts: readonly number[]
  /** By range: which of its own vertices each of the doubled ones is a copy of. */
  readonly doubles: readonly (readonly number[])[]
}

/** Scratch of one instance of a skin. */
export interface SkinWorkspace {
  /** [3 p] local positions of the welded points [m]. */
  readonly points: Float64Array
  /** [3 g] sums of face vectors [m^2]. */
  readonly sums: Float64Array
  /** [3 g] the last unit normals that had a direction. */
  readonly normals: Float64Array
  /** [3 n] sums of tangents, empty without them. */
  readonly tangentSums: Float64Array
  /** [3 n] the last unit tangents that had a direction, empty without them. */
  readonly tangents: Float64Array
  /** Of a tube, the normal of its first ring [3]. */
  readonly start: Float64Array
}

/** What a frame writes. */
export interface SkinOutput {
  /** [3 n] local render positions. */
  readonly positions: Float32Array
  /** [3 n] local unit normals. */
  readonly normals: Float32Array
  /** [4 n] local unit tangents and their handedness; only written for a mesh that came with tangents. */
  readonly tangents?: Float32Array | null
  /** [10] local bounds: min xyz, max xyz, centre xyz of a sphere, its radius. */
  readonly bounds: Float64Array
}

export interface SkinOptions {
  /** Vertices at one place whose normals differ by less share a normal [degrees, 0 to 180], default 30. */
  readonly creaseAngle?: number
}

/**
 * The skin of a render mesh whose welded points are tied to particles.
 * @throws SettingError for a crease angle outside 0 to 180 degrees
 */
export function* createSkin(
  mesh: TriangleMesh,
  surface: Surface,
  embedding: Embedding,
  options: SkinOptions = {},
): Generator<void, Skin> {
  const { vertexToPoint, positions } = surface
  const skin = yield* buildSkin(mesh, vertexToPoint, positions.length / 3, embedding, options)
  const weights = yield* faceWeights(mesh, skin, positions)
  const weighted = sealedSkin({ ...skin, weights, restNormals: skin.restNormals.slice() }, undefined)
  const sums = new Float64Array(3 * skin.groupCount)
  sumNormals(weighted, { points: positions, sums, normals: weighted.restNormals })
  return weighted
}

/**
 * The skin of a mesh whose vertices are the particles (cloth); `mesh.positions` are the rest positions.
 * @param vertexToPoint [n] particle of each vertex, where vertices share particles; each its own unless given
 */
export function identitySkin(mesh: TriangleMesh, options: SkinOptions = {}, vertexToPoint?: Uint32Array): Skin {
  const particles = vertexToPoint ?? Uint32Array.from({ length: mesh.positions.length / 3 }, (_, vertex) => vertex)
  const count = particles.reduce((most, particle) => Math.max(most, particle + 1), 0)
  return runToEnd(buildSkin(mesh, particles, count, null, options))
}

/** The skin of a tube's mesh, smooth all around. */
export function tubeSkin(mesh: TriangleMesh, vertexToPoint: Uint32Array, tube: Tube): Skin {
  const skin = runToEnd(buildSkin(mesh, vertexToPoint, pointsOfTube(tube), null, { creaseAngle: 180 }))
  return sealedSkin({ ...skin, tube }, undefined)
}

/** The skin of a rope as its model is broken. */
export function brokenSkin(skin: Skin, model: Model): Skin {
  return skin.tube ? sealedSkin({ ...skin, tube: { ...skin.tube, broken: breaksOf(model) } }, undefined) : skin
}

function* buildSkin(
  mesh: TriangleMesh,
  vertexToPoint: Uint32Array,
  pointCount: number,
  embedding: Embedding | null,
  options: SkinOptions,
): Generator<void, Skin> {
  const creaseAngle = options.creaseAngle ?? DEFAULT_CREASE_ANGLE
  if (!(Number.isFinite(creaseAngle) && creaseAngle >= 0 && creaseAngle <= 180)) {
    const remedy = 'Use 0 to keep every edge as hard as it is, 30 for most meshes, 180 to smooth all seams.'
    throw new SettingError('SoftBody', 'creaseAngle', creaseAngle, 'must be between 0 and 180', remedy)
  }
  const groups = yield* normalGroups(mesh, vertexToPoint, pointCount, creaseAngle)
  const tangents = yield* tangentRows(mesh, groups.corners)
  const vertexCount = vertexToPoint.length
  const weights = new Float64Array(groups.corners.length).fill(1)
  return sealedSkin({ ...groups, vertexCount, pointCount, embedding, vertexToPoint, weights, tangents }, undefined)
}

/**
 * A frozen skin. All are made by one literal and so are one kind of object: else the loops that read them would be
 * compiled anew when a cloth tears, all in one frame.
 */
export function sealedSkin<T extends Doubled | undefined>(skin: Skin, torn: T): Skin & { readonly torn: T } {
  return Object.freeze({
    groupCount: skin.groupCount,
    vertexToGroup: skin.vertexToGroup,
    triangles: skin.triangles,
    corners: skin.corners,
    triangleGroups: skin.triangleGroups,
    groupSigns: skin.groupSigns,
    restNormals: skin.restNormals,
    vertexCount: skin.vertexCount,
    pointCount: skin.pointCount,
    embedding: skin.embedding,
    tube: skin.tube,
    vertexToPoint: skin.vertexToPoint,
    weights: skin.weights,
    tangents: skin.tangents,
    torn,
  })
}

export function createSkinWorkspace(skin: Skin): SkinWorkspace {
  return {
    points: new Float64Array(3 * skin.pointCount),
    sums: new Float64Array(3 * skin.groupCount),
    normals: skin.restNormals.slice(),
    tangentSums: new Float64Array(skin.tangents?.rest.length ?? 0),
    tangents: skin.tangents?.rest.slice() ?? new Float64Array(0),
    start: new Float64Array(3),
  }
}

/**
 * Writes the render mesh as the particles carry it. Normals are those of the faces, by area and the skin's weights;
 * where a group's faces have collapsed its last normal stays. Tangents follow the deformed u direction. Allocates nothing.
 * @param particles [3 n] world positions [m]
 * @param worldToLocal [16] affine map into the render mesh's frame, column by column as three's Matrix4.elements
 */
export function updateSkin(
  skin: Skin,
  workspace: SkinWorkspace,
  particles: Float64Array,
  worldToLocal: ArrayLike<number>,
  out: SkinOutput,
): void {
  if (skin.tube) placeTube(skin.tube, particles, worldToLocal, workspace.start, workspace.points)
  else placePoints(skin, particles, worldToLocal, workspace.points)
  boundPoints(workspace.points, out.bounds)
  sumNormals(skin, workspace)
  const { points, normals } = workspace
  gather(skin.vertexToPoint, points, out.positions)
  gather(skin.vertexToGroup, normals, out.normals)
  if (skin.tangents && out.tangents) {
    const { tangentSums, tangents } = workspace
    updateTangents(
      skin.tangents,
      skin.corners,
      skin.triangles,
      points,
      out.normals,
      tangentSums,
      tangents,
      out.tangents,
    )
  }
}

/** Writes the vector of each vertex: number at[vertex] of a list. */
function gather(at: Uint32Array, vectors: Float64Array, out: Float32Array): void {
  for (let vertex = 0; vertex < at.length; vertex++) {
    const from = 3 * at[vertex]!
    const o = 3 * vertex
    out[o] = vectors[from]!
    out[o + 1] = vectors[from + 1]!
    out[o + 2] = vectors[from + 2]!
  }
}

function placePoints(skin: Skin, particles: Float64Array, m: ArrayLike<number>, points: Float64Array): void {
  const { embedding } = skin
  const m0 = m[0]!
  const m1 = m[1]!
  const m2 = m[2]!
  const m4 = m[4]!
  const m5 = m[5]!
  const m6 = m[6]!
  const m8 = m[8]!
  const m9 = m[9]!
  const m10 = m[10]!
  const m12 = m[12]!
  const m13 = m[13]!
  const m14 = m[14]!
  for (let p = 0; p < skin.pointCount; p++) {
    let x = 0
    let y = 0
    let z = 0
    if (embedding === null) {
      x = particles[3 * p]!
      y = particles[3 * p + 1]!
      z = particles[3 * p + 2]!
    } else {
      for (let i = 4 * p; i < 4 * p + 4; i++) {
        const weight = embedding.weights[i]!
        const particle = 3 * embedding.particles[i]!
        x += weight * particles[particle]!
        y += weight * particles[particle + 1]!
        z += weight * particles[particle + 2]!
      }
    }
    points[3 * p] = m0 * x + m4 * y + m8 * z + m12
    points[3 * p + 1] = m1 * x + m5 * y + m9 * z + m13
    points[3 * p + 2] = m2 * x + m6 * y + m10 * z + m14
  }
}

/** The sphere is the smallest one about the middle of the box. */
function boundPoints(points: Float64Array, bounds: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity
    let high = -Infinity
    for (let i = axis; i < points.length; i += 3) {
      const value = points[i]!
      if (value < low) low = value
      if (value > high) high = value
    }
    bounds[axis] = low
    bounds[3 + axis] = high
    bounds[6 + axis] = (low + high) / 2
  }
  const cx = bounds[6]!
  const cy = bounds[7]!
  const cz = bounds[8]!
  let square = 0
  for (let i = 0; i < points.length; i += 3) {
    const dx = points[i]! - cx
    const dy = points[i + 1]! - cy
    const dz = points[i + 2]! - cz
    const distance = dx * dx + dy * dy + dz * dz
    if (distance > square) square = distance
  }
  bounds[9] = Math.sqrt(square)
}

type Normals = Pick<SkinWorkspace, 'points' | 'sums' | 'normals'>

function sumNormals(skin: Skin, { points, sums, normals }: Normals): void {
  sums.fill(0)
  addFaces(skin, points, sums)
  takeUnits(skin.groupSigns, sums, normals)
}

function addFaces({ triangles, triangleGroups, weights }: Skin, points: Float64Array, sums: Float64Array): void {
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t]!
    const b = 3 * triangles[t + 1]!
    const c = 3 * triangles[t + 2]!
    const ux = points[b]! - points[a]!
    const uy = points[b + 1]! - points[a + 1]!
    const uz = points[b + 2]! - points[a + 2]!
    const vx = points[c]! - points[a]!
    const vy = points[c + 1]! - points[a + 1]!
    const vz = points[c + 2]! - points[a + 2]!
    const nx = uy * vz - uz * vy
    const ny = uz * vx - ux * vz
    const nz = ux * vy - uy * vx
    for (let corner = t; corner < t + 3; corner++) {
      const group = 3 * triangleGroups[corner]!
      const weight = weights[corner]!
      sums[group] = sums[group]! + weight * nx
      sums[group + 1] = sums[group + 1]! + weight * ny
      sums[group + 2] = sums[group + 2]! + weight * nz
    }
  }
}

function takeUnits(signs: Float64Array, sums: Float64Array, normals: Float64Array): void {
  for (let group = 0; group < signs.length; group++) {
    const g = 3 * group
    const x = sums[g]!
    const y = sums[g + 1]!
    const z = sums[g + 2]!
    const square = x * x + y * y + z * z
    // Also false for a sum that is not a number.
    if (square > 0 && square < Infinity) {
      const scale = signs[group]! / Math.sqrt(square)
      normals[g] = x * scale
      normals[g + 1] = y * scale
      normals[g + 2] = z * scale
    }
  }
}

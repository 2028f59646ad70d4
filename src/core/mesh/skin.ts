import type { Embedding } from './embed.js'
import type { Surface, TriangleMesh } from './weld.js'

/** Frozen rest data that carries a render mesh along with particles; shared by all instances of a model. */
export interface Skin {
  readonly vertexCount: number
  readonly pointCount: number
  readonly groupCount: number
  /** Ties of the welded points; null where point i is particle i (cloth). */
  readonly embedding: Embedding | null
  /** [n] render vertex -> welded point. */
  readonly vertexToPoint: Uint32Array
  /** [n] render vertex -> normal group. */
  readonly vertexToGroup: Uint32Array
  /** [3 t] welded points of each triangle with an area. */
  readonly triangles: Uint32Array
  /** [3 t] normal group of each corner of these triangles. */
  readonly triangleGroups: Uint32Array
  /** [g] 1, or -1 where the mesh's own normals point against the winding of its faces. */
  readonly groupSigns: Float64Array
  /** [3 g] unit normals at rest. */
  readonly restNormals: Float64Array
}

/** Scratch of one instance of a skin. */
export interface SkinWorkspace {
  readonly points: Float64Array
  readonly normals: Float64Array
  readonly sums: Float64Array
}

/** What a frame writes. */
export interface SkinOutput {
  /** [3 n] local render positions. */
  readonly positions: Float32Array
  /** [3 n] local unit normals. */
  readonly normals: Float32Array
  /** [10] local bounds: min xyz, max xyz, centre xyz of a sphere, its radius. */
  readonly bounds: Float64Array
}
export interface SkinOptions {
  /** Vertices at one place whose normals differ by less share a normal [degrees], default 30. */
  readonly creaseAngle?: number
}
export function* createSkin(
  _mesh: TriangleMesh,
  _surface: Surface,
  _embedding: Embedding,
  _options: SkinOptions = {},
): Generator<void, Skin> {
  throw new Error('not written yet')
}
/** Skin of a mesh whose vertices are the particles (cloth); `mesh.positions` are the rest positions. */
export function identitySkin(_mesh: TriangleMesh): Skin {
  throw new Error('not written yet')
}
export function createSkinWorkspace(_skin: Skin): SkinWorkspace {
  throw new Error('not written yet')
}
/** Allocates nothing. `worldToLocal` is column-major (three's Matrix4.elements order). */
export function updateSkin(
  _skin: Skin,
  _workspace: SkinWorkspace,
  _particles: Float64Array,
  _worldToLocal: ArrayLike<number>,
  _out: SkinOutput,
): void {
  throw new Error('not written yet')
}

import { BufferAttribute, BufferGeometry } from 'three'
import { SettingError } from '../../headless.js'
import type { ShapeBuilder } from './bodyOptions.js'
import type { Shape } from './modelCache.js'
import type { RestPose } from './restPose.js'

/** What a body is drawn as that brings its own mesh, and how it is made. */
export interface MadeShape {
  readonly geometry: BufferGeometry
  readonly builder: ShapeBuilder
}

/** @param key equal for equal shapes */
export function madeShape(
  key: string,
  mesh: { readonly positions: Float64Array; readonly uvs: Float64Array; readonly index: Uint32Array },
  make: (pose: RestPose) => Shape,
): MadeShape {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(mesh.positions), 3))
  geometry.setAttribute('uv', new BufferAttribute(Float32Array.from(mesh.uvs), 2))
  geometry.setIndex(new BufferAttribute(mesh.index, 1))
  geometry.computeVertexNormals()
  const now = (_: BufferGeometry, pose: RestPose) => make(pose)
  const later = (_: BufferGeometry, pose: RestPose) => ({ done: Promise.resolve(make(pose)), leave: () => {} })
  return { geometry, builder: { key, now, later } }
}

/** The scale of a pose. @throws SettingError for one that is not the same along all axes */
export function evenScale(component: string, { linear }: RestPose): number {
  const scale = linear[0]!
  if (linear.every((entry, k) => Math.abs(entry - (k % 4 === 0 ? scale : 0)) <= 1e-6 * scale)) return scale
  const problem = 'is not the same along all axes'
  throw new SettingError(component, 'scale', linear, problem, 'Scale it and its parents evenly.')
}

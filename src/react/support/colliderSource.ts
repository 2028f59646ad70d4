import type { BufferGeometry, Object3D } from 'three'
import { type ColliderShape, hull, mesh, SettingError } from '../../headless.js'
import { meshesBelow } from './bodyMeshes.js'
import { namesOf, partsOf } from './bodySource.js'
import { sameStamp, stampOf } from './identity.js'
import { mergedGeometry } from './mergedGeometry.js'
import { checkMesh, meshError, type Named, namedGeometry } from './meshChecks.js'
import { triangleMesh } from './triangleMesh.js'

interface Built {
  readonly stamp: readonly unknown[]
  readonly shapes: Map<string, ColliderShape>
}

/** Shapes by geometry: all colliders of one share its tree, as long as somebody holds the geometry. */
const built = new WeakMap<BufferGeometry, Built>()

/** What a shape is made of: a geometry, and the meshes or the prop that it came from. */
interface Source {
  readonly geometry: BufferGeometry
  readonly prop: 'children' | 'geometry'
  readonly meshes: readonly Named[]
}

/**
 * The surface of all meshes below a collider's group, in the group's space. Hidden ones count: a collider may be simpler
 * than what is seen.
 * @throws SettingError without a mesh, or for one that has no fixed triangles
 */
function sourceBelow(component: string, root: Object3D): Source {
  const meshes = root.children.flatMap(meshesBelow)
  if (meshes.length === 0) {
    const remedy = 'Give it a <mesh>, or a geometry; a <Suspense> goes outside of it.'
    throw new SettingError(component, 'children', root.name || root.type, 'there is no mesh below it', remedy)
  }
  for (const below of meshes) checkMesh(component, 'children', below)
  const parts = partsOf(meshes, root)
  return { geometry: mergedGeometry(parts), prop: 'children', meshes: namesOf(parts) }
}

function sourceGiven(component: string, geometry: BufferGeometry): Source {
  return { geometry, prop: 'geometry', meshes: [namedGeometry(component, geometry)] }
}

/** A shape of a geometry, or of the meshes below a group: the same one as long as these do not change. */
function shapeOf(
  component: string,
  geometry: BufferGeometry | undefined,
  root: Object3D,
  key: string,
  build: (source: BufferGeometry) => ColliderShape,
): ColliderShape {
  const source = geometry ? sourceGiven(component, geometry) : sourceBelow(component, root)
  const stamp = stampOf(source.geometry)
  let entry = built.get(source.geometry)
  if (!entry || !sameStamp(entry.stamp, stamp)) {
    entry = { stamp, shapes: new Map() }
    built.set(source.geometry, entry)
  }
  const known = entry.shapes.get(key)
  if (known) return known
  try {
    const shape = build(source.geometry)
    entry.shapes.set(key, shape)
    return shape
  } catch (error) {
    throw meshError(component, source.prop, source.meshes, error)
  }
}

/** The mesh collider of a geometry, or of the meshes below a group. @throws SettingError */
export function meshShapeOf(
  geometry: BufferGeometry | undefined,
  root: Object3D,
  solid: boolean | undefined,
  thickness: number | undefined,
): ColliderShape {
  return shapeOf('Collider.Mesh', geometry, root, `mesh,${solid},${thickness}`, (source) =>
    mesh(triangleMesh(source), { solid, thickness }),
  )
}

/** The convex hull of a geometry's vertices, or of those of the meshes below a group. @throws SettingError */
export function hullShapeOf(geometry: BufferGeometry | undefined, root: Object3D): ColliderShape {
  return shapeOf('Collider.Hull', geometry, root, 'hull', (source) => hull(triangleMesh(source).positions))
}

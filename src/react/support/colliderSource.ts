import type { BufferGeometry, Object3D } from 'three'
import { type ColliderShape, hull, mesh, SettingError } from '../../headless.js'
import { meshesBelow } from './bodyMeshes.js'
import { partsOf } from './bodySource.js'
import { sameStamp, stampOf } from './identity.js'
import { mergedGeometry } from './mergedGeometry.js'
import { checkMesh } from './meshChecks.js'
import { triangleMesh } from './triangleMesh.js'

const unmoved = { linear: [1, 0, 0, 0, 1, 0, 0, 0, 1], key: '1,0,0,0,1,0,0,0,1' }

interface Built {
  readonly stamp: readonly unknown[]
  readonly shapes: Map<string, ColliderShape>
}

/** Shapes by geometry: all colliders of one share its tree, as long as somebody holds the geometry. */
const built = new WeakMap<BufferGeometry, Built>()

/**
 * The surface of all meshes below a collider's group, in the group's space. Hidden ones count: a collider may be simpler
 * than what is seen.
 * @throws SettingError without a mesh, or for one that has no fixed triangles
 */
function geometryBelow(component: string, root: Object3D): BufferGeometry {
  const meshes = root.children.flatMap(meshesBelow)
  if (meshes.length === 0) {
    const remedy = 'Give it a <mesh>, or a geometry; a <Suspense> goes outside of it.'
    throw new SettingError(component, 'children', root.name || root.type, 'there is no mesh below it', remedy)
  }
  for (const below of meshes) checkMesh(component, 'children', below)
  return mergedGeometry(partsOf(meshes, root))
}

function checked(component: string, geometry: BufferGeometry): BufferGeometry {
  if (geometry.getAttribute('position')?.count) return geometry
  throw new SettingError(component, 'geometry', geometry.type, 'has no positions', 'Give it a position attribute.')
}

/** A shape of a geometry, or of the meshes below a group: the same one as long as these do not change. */
function shapeOf(
  component: string,
  geometry: BufferGeometry | undefined,
  root: Object3D,
  key: string,
  build: (source: BufferGeometry) => ColliderShape,
): ColliderShape {
  const source = geometry ? checked(component, geometry) : geometryBelow(component, root)
  const stamp = stampOf(source)
  let entry = built.get(source)
  if (!entry || !sameStamp(entry.stamp, stamp)) {
    entry = { stamp, shapes: new Map() }
    built.set(source, entry)
  }
  let shape = entry.shapes.get(key)
  if (!shape) {
    shape = build(source)
    entry.shapes.set(key, shape)
  }
  return shape
}

/** The mesh collider of a geometry, or of the meshes below a group. @throws SettingError */
export function meshShapeOf(
  geometry: BufferGeometry | undefined,
  root: Object3D,
  solid: boolean | undefined,
  thickness: number | undefined,
): ColliderShape {
  return shapeOf('Collider.Mesh', geometry, root, `mesh,${solid},${thickness}`, (source) =>
    mesh(triangleMesh(source, unmoved), { solid, thickness }),
  )
}

/** The convex hull of a geometry's vertices, or of those of the meshes below a group. @throws SettingError */
export function hullShapeOf(geometry: BufferGeometry | undefined, root: Object3D): ColliderShape {
  return shapeOf('Collider.Hull', geometry, root, 'hull', (source) => hull(triangleMesh(source, unmoved).positions))
}

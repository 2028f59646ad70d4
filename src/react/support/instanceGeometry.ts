import { BufferAttribute, BufferGeometry, DynamicDrawUsage, type Mesh } from 'three'
import { triples } from './triangleMesh.js'

/** Throws an Error that says what to do about a mesh that cannot be simulated. */
export function checkMesh(component: string, mesh: Mesh): void {
  const refuse = (problem: string): never => {
    throw new Error(`<${component}> '${mesh.name || mesh.type}': ${problem}`)
  }
  if ('isSkinnedMesh' in mesh) refuse('a skinned mesh cannot be simulated. Use a Mesh with its geometry.')
  if ('isInstancedMesh' in mesh || 'isBatchedMesh' in mesh)
    refuse('instances cannot be simulated. Use a mesh for each body.')
  const { geometry } = mesh
  if (!geometry.getAttribute('position')?.count) refuse('its geometry has no positions. Give the mesh a geometry.')
  if (Object.keys(geometry.morphAttributes).length > 0) {
    refuse('morph targets cannot be simulated. Delete geometry.morphAttributes of a clone.')
  }
}

/**
 * A geometry for one body: index, groups, draw range and attributes are the source's own, position and normal are
 * copies that each frame writes. Tangents, where there are any, stay those of the rest shape.
 */
export function createInstanceGeometry(source: BufferGeometry): BufferGeometry {
  const geometry = new BufferGeometry()
  geometry.name = source.name
  geometry.userData = source.userData
  geometry.groups = source.groups
  geometry.drawRange = source.drawRange
  geometry.setIndex(source.index)
  for (const name of Object.keys(source.attributes)) geometry.setAttribute(name, source.attributes[name]!)
  const position = source.getAttribute('position')
  const normal = source.getAttribute('normal')
  const positions = Float32Array.from(triples(position))
  geometry.setAttribute('position', new BufferAttribute(positions, 3).setUsage(DynamicDrawUsage))
  const normals = normal ? Float32Array.from(triples(normal)) : new Float32Array(positions.length)
  geometry.setAttribute('normal', new BufferAttribute(normals, 3).setUsage(DynamicDrawUsage))
  geometry.computeBoundingBox()
  geometry.computeBoundingSphere()
  return geometry
}

/** Frees what belongs to the instance alone: disposing shared attributes would take them from those that still draw. */
export function disposeInstanceGeometry(geometry: BufferGeometry): void {
  geometry.setIndex(null)
  for (const name of Object.keys(geometry.attributes)) {
    if (name !== 'position' && name !== 'normal') geometry.deleteAttribute(name)
  }
  geometry.dispose()
}

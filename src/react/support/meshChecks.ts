import type { Mesh } from 'three'
import { SettingError } from '../../headless.js'

/** @throws SettingError that names a mesh which cannot be simulated, and says what to do about it */
export function checkMesh(component: string, prop: string, mesh: Mesh): void {
  const refuse = (problem: string, remedy: string): never => {
    throw new SettingError(component, prop, mesh.name || mesh.type, problem, remedy)
  }
  if ('isSkinnedMesh' in mesh) {
    refuse('a skinned mesh cannot be simulated', 'Use new Mesh(geometry, material): it has the pose of the binding.')
  }
  const { geometry } = mesh
  if ('isInstancedMesh' in mesh || 'isBatchedMesh' in mesh || 'isInstancedBufferGeometry' in geometry) {
    refuse('instances cannot be simulated', 'Use a mesh for each of them, or keep it outside of the body.')
  }
  if (isLevelOfDetail(mesh)) {
    refuse('levels of detail cannot be simulated', 'Give the body one of the levels.')
  }
  if (!geometry.getAttribute('position')?.count) {
    refuse('its geometry has no positions', 'Give the mesh a geometry.')
  }
  if (Object.keys(geometry.morphAttributes).length > 0) {
    refuse('morph targets cannot be simulated', 'Delete geometry.morphAttributes of a clone.')
  }
}

function isLevelOfDetail(mesh: Mesh): boolean {
  for (let at = mesh.parent; at; at = at.parent) if ('isLOD' in at) return true
  return false
}

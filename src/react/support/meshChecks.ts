import type { BufferGeometry, Mesh } from 'three'
import { checkTriangles, SettingError } from '../../headless.js'
import { isDevelopment } from './development.js'
import { sourceOf } from './instanceGeometry.js'
import { namedError } from './propKeeper.js'
import { triangleCount, triangleMesh } from './triangleMesh.js'

/** What the engine calls triangles, and the corners of a hull. */
const triangles = new Set(['Mesh.positions', 'Mesh.index', 'Collider.Mesh.geometry'])
const corners = 'Collider.Hull.points'

/** A geometry, and what users call the mesh that it is of. */
export interface Named {
  readonly name: string
  readonly geometry: BufferGeometry
}

/** A geometry that is given as a prop. @throws SettingError for one without vertices, or without fixed ones */
export function namedGeometry(component: string, geometry: BufferGeometry): Named {
  const name = geometry.name || geometry.type
  const flaw = flawOf(geometry) ?? changeOf(geometry)
  if (flaw) throw new SettingError(component, 'geometry', name, ...flaw)
  warnOfRange(component, name, geometry)
  return { name, geometry }
}

type Flaw = readonly [problem: string, remedy: string]

const instances: Flaw = [
  'instances cannot be simulated',
  'Use a mesh for each of them, or keep it outside of the body.',
]
const morphs: Flaw = ['morph targets cannot be simulated', 'Delete geometry.morphAttributes of a clone.']

/** Why vertices have several places, and what to do; undefined where they have one. */
function changeOf(geometry: BufferGeometry): Flaw | undefined {
  if ('isInstancedBufferGeometry' in geometry) return instances
  return Object.keys(geometry.morphAttributes).length > 0 ? morphs : undefined
}

/** Why vertices have no places, and what to do; undefined where they have. */
function flawOf(geometry: BufferGeometry): Flaw | undefined {
  const position = geometry.getAttribute('position')
  if (!position?.count) return ['has no positions', 'Give it a position attribute.']
  if (position.itemSize < 3) return [`has positions of ${position.itemSize} numbers`, 'Give three numbers a vertex.']
  return undefined
}

/**
 * What the engine says of triangles, said of the prop and the mesh that they came from: of the first that is wrong by
 * itself, or of all. Any other error gets the component's name.
 */
export function meshError(component: string, prop: string, meshes: readonly Named[], error: unknown): Error {
  const subject = error instanceof SettingError ? `${error.component}.${error.prop}` : ''
  if (!triangles.has(subject) && subject !== corners) return namedError(component, error)
  const names = meshes.map(({ name }) => name)
  const all: Wrong = [names.length === 1 ? names[0] : names, error as SettingError]
  const [value, { problem, remedy }] = (subject !== corners && firstWrong(meshes)) || all
  return new SettingError(component, prop, value, problem, remedy)
}

type Wrong = readonly [name: unknown, error: SettingError]

function firstWrong(meshes: readonly Named[]): Wrong | undefined {
  for (const { name, geometry } of meshes) {
    try {
      checkTriangles(triangleMesh(geometry))
    } catch (error) {
      return [name, error as SettingError]
    }
  }
  return undefined
}

/** @throws SettingError that names the first mesh whose triangles are none */
export function checkSurfaces(component: string, prop: string, meshes: readonly Named[]): void {
  const wrong = firstWrong(meshes)
  if (wrong) throw meshError(component, prop, meshes, wrong[1])
}

/** @throws SettingError that names a mesh which cannot be simulated, and says what to do about it */
export function checkMesh(component: string, prop: string, mesh: Mesh): void {
  const refuse = (...[problem, remedy]: Flaw): never => {
    throw new SettingError(component, prop, mesh.name || mesh.type, problem, remedy)
  }
  if ('isSkinnedMesh' in mesh) {
    refuse('a skinned mesh cannot be simulated', 'Use new Mesh(geometry, material): it has the pose of the binding.')
  }
  const { geometry } = mesh
  if ('isInstancedMesh' in mesh || 'isBatchedMesh' in mesh) refuse(...instances)
  if (isLevelOfDetail(mesh)) {
    refuse('levels of detail cannot be simulated', 'Give the body one of the levels.')
  }
  const flaw = flawOf(geometry)
  if (flaw) refuse(`its geometry ${flaw[0]}`, flaw[1])
  const change = changeOf(geometry)
  if (change) refuse(...change)
  warnOfRange(component, mesh.name || mesh.type, geometry)
}

/** Geometries of which it was said that all of them counts. */
const ranged = new WeakSet<BufferGeometry>()

/** In development, says once of a geometry that it counts as a whole where only a part is drawn. */
function warnOfRange(component: string, name: string, geometry: BufferGeometry): void {
  const { start, count } = geometry.drawRange
  const whole = start === 0 && count >= 3 * triangleCount(geometry)
  const source = sourceOf(geometry)
  if (whole || ranged.has(source) || !isDevelopment()) return
  ranged.add(source)
  const remedy = 'Leave the other triangles out of its index.'
  console.warn(`<${component}>: of '${name}' a part is drawn, by its drawRange, and all of it is simulated. ${remedy}`)
}

function isLevelOfDetail(mesh: Mesh): boolean {
  for (let at = mesh.parent; at; at = at.parent) if ('isLOD' in at) return true
  return false
}

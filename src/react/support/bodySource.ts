import type { Instance } from '@react-three/fiber'
import { type BufferGeometry, Group, Matrix4, type Mesh, type Object3D } from 'three'
import { SettingError } from '../../headless.js'
import { flatBelow, isHiddenBelow, meshesBelow, meshesWithin } from './bodyMeshes.js'
import { isDevelopment } from './development.js'
import { sourceOf } from './instanceGeometry.js'
import { mergedGeometry } from './mergedGeometry.js'
import { checkMesh, checkSurfaces, type Named } from './meshChecks.js'
import { readRestPose } from './restPose.js'

/** Which prop gives a body its meshes, and for `object` the scene that is shown for it. */
export interface MeshOrigin {
  readonly prop: 'children' | 'geometry' | 'object' | 'ref' | 'args'
  readonly object?: Object3D | undefined
}

/** One mesh of a body. */
export interface Part {
  readonly mesh: Mesh
  /** The body's own group, or the mesh itself. */
  readonly root: Object3D
  /** The user's geometry; frames write into one of the body's own. */
  readonly geometry: BufferGeometry
  /** From the mesh's space to the body's. */
  readonly placement: Matrix4
  /** Its first vertex among those of all parts. */
  readonly firstVertex: number
  /** True where its placement turns faces inside out that those of the first part leave, or the other way round. */
  readonly mirrored: boolean
}

/** All that a body is made from. */
export interface BodySource {
  /** The object whose pose the body has, and whose space its own is: the only mesh, or the root of several. */
  readonly frame: Object3D
  /** From the frame's space to the root's. */
  readonly toRoot: Matrix4
  /** Every mesh below the root, also those that are left out. */
  readonly found: readonly Mesh[]
  readonly parts: readonly Part[]
  /** The meshes of the parts. */
  readonly meshes: readonly Mesh[]
  /** The surface of all parts, in the body's space. */
  readonly geometry: BufferGeometry
}

/** Geometries of meshes of which it was said that they are left out. */
const said = new WeakSet<BufferGeometry>()

/**
 * The meshes at or below `root` as the source of one body. Hidden ones are left out, also by a scale of 0 along all axes,
 * unless there are no others.
 * @throws SettingError for a mesh that cannot be simulated, or when there is none
 */
export function readSource(component: string, root: Object3D, origin: MeshOrigin): BodySource {
  const { found, meshes } = meshesOf(component, root, origin)
  const frame = meshes.length === 1 && origin.prop !== 'object' ? meshes[0]! : root
  const parts = partsOf(meshes, frame, root)
  const toRoot = matrixTo(root, frame)
  return { frame, toRoot, found, parts, meshes, geometry: mergedGeometry(parts) }
}

/**
 * Whether `object`, which is not shown yet, can be a body.
 * @throws SettingError for a mesh that cannot be simulated, or when there is none
 */
export function checkObject(component: string, object: Object3D): void {
  const root = new Group().add(object)
  root.name = object.name || object.type
  try {
    const { meshes } = meshesOf(component, root, { prop: 'object', object })
    checkSurfaces(component, 'object', namesOf(partsOf(meshes, root)))
  } finally {
    root.remove(object)
  }
}

/** All meshes at or below `root`, and those that are simulated. @throws SettingError as `readSource` */
function meshesOf(component: string, root: Object3D, origin: MeshOrigin): Pick<BodySource, 'found' | 'meshes'> {
  const found = meshesBelow(root)
  if (found.length === 0) {
    const taken = takenFrom(root)
    if (taken) {
      const remedy = 'Give each place a clone of its own, object.clone(), or use the object prop, which clones it.'
      throw new SettingError(component, 'children', taken.name || taken.type, 'is shown elsewhere as well', remedy)
    }
    const remedy = 'Give it a <mesh>, an object or a geometry; a <Suspense> goes outside of it.'
    throw new SettingError(component, origin.prop, root.name || root.type, 'there is no mesh below it', remedy)
  }
  checkOrigin(component, root, origin)
  const shown = found.filter((mesh) => !isHiddenBelow(root, mesh) && !isVanished(root, mesh))
  const meshes = shown.length > 0 ? shown : found
  warnOfVanished(component, root, found, meshes)
  for (const mesh of meshes) {
    checkMesh(component, origin.prop, mesh)
    checkDepth(component, root, origin, mesh)
    readRestPose(component, mesh)
  }
  return { found, meshes }
}

/** True for a mesh that a scale shrinks to a point, as files do to hide it. */
function isVanished(root: Object3D, mesh: Object3D): boolean {
  return flatBelow(root, mesh)?.scale.lengthSq() === 0
}

/** In development, says once of a mesh that it is left out though it is not said to be hidden. */
function warnOfVanished(component: string, root: Object3D, found: readonly Mesh[], taken: readonly Mesh[]): void {
  if (!isDevelopment()) return
  for (const mesh of found) {
    const geometry = sourceOf(mesh.geometry)
    if (taken.includes(mesh) || isHiddenBelow(root, mesh) || said.has(geometry)) continue
    said.add(geometry)
    const remedy = 'Set visible to false to hide it, or give it a scale at mount and hide it later'
    console.warn(`<${component}>: '${mesh.name || mesh.type}' has scale 0 and is not simulated. ${remedy}.`)
  }
}

/** @throws SettingError that names a mesh below the body's root which a scale of 0 flattens */
function checkDepth(component: string, root: Object3D, { prop }: MeshOrigin, mesh: Mesh): void {
  const flat = flatBelow(root, mesh)
  if (!flat) return
  const owner = flat === mesh ? 'it' : `'${flat.name || flat.type}' above it`
  const problem = `is flat: ${owner} has scale [${flat.scale.toArray().join(', ')}]`
  const remedy = 'Use scales other than 0, or set visible to false to leave it out.'
  throw new SettingError(component, prop, mesh.name || mesh.type, problem, remedy)
}

/** A `<primitive>` among what React has put below `root` whose object three has below something else. */
function takenFrom(root: Object3D): Object3D | undefined {
  const { children = [] } = (root as { __r3f?: Instance<Object3D> }).__r3f ?? {}
  for (const { object, type } of children) {
    if (!object?.isObject3D) continue // also where an error has kept R3F from making it
    if (type === 'primitive' && object.parent && object.parent !== root) return object
    const taken = takenFrom(object)
    if (taken) return taken
  }
  return undefined
}

/** A scene, a geometry or a size that is given as a prop is the whole body. */
function checkOrigin(component: string, root: Object3D, { prop, object }: MeshOrigin): void {
  const isWhole = prop === 'geometry' || prop === 'args'
  const within = meshesWithin(root)
  const isExtra = (mesh: Mesh) => (object ? !isBelow(object, mesh) : isWhole && mesh !== within[0])
  const extra = within.find(isExtra)
  if (!extra) return
  const remedy = `Give one of them; what is not simulated goes outside of the <${component}>.`
  throw new SettingError(component, prop, extra.name || extra.type, 'is a mesh beside it, among the children', remedy)
}

function isBelow(root: Object3D, object: Object3D): boolean {
  for (let at: Object3D | null = object; at; at = at.parent) if (at === root) return true
  return false
}

/** What `mergedGeometry` joins: meshes below `root`, and where they are in the space of `frame`. */
export function partsOf(meshes: readonly Mesh[], frame: Object3D, root = frame): Part[] {
  let firstVertex = 0
  let firstMirrored = false
  return meshes.map((mesh, k) => {
    const geometry = sourceOf(mesh.geometry)
    const placement = matrixTo(frame, mesh)
    const mirrored = placement.determinant() < 0
    if (k === 0) firstMirrored = mirrored
    const part = { mesh, root, geometry, placement, firstVertex, mirrored: mirrored !== firstMirrored }
    firstVertex += geometry.getAttribute('position').count
    return part
  })
}

/** What errors call the meshes of parts. */
export function namesOf(parts: readonly Part[]): Named[] {
  return parts.map(({ mesh, geometry }) => ({ name: mesh.name || mesh.type, geometry }))
}

/**
 * From the space of `object` to that of `ancestor`, by the matrices between them: the same bits wherever the ancestor
 * is, so that equal scenes share a shape.
 */
function matrixTo(ancestor: Object3D, object: Object3D): Matrix4 {
  const matrix = new Matrix4()
  for (let at: Object3D | null = object; at && at !== ancestor; at = at.parent) {
    if (at.matrixAutoUpdate) at.updateMatrix()
    matrix.premultiply(at.matrix)
  }
  return matrix
}

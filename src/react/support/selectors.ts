import { Box3, type BufferGeometry, type Object3D, Vector3 } from 'three'
import { particleOfPoint, SettingError, type Skin } from '../../headless.js'
import type { Limb, PinSelector } from '../types.js'
import type { Part } from './bodySource.js'
import type { NamedVertices } from './modelCache.js'
import { usedVertices } from './triangleMesh.js'

/** Whether a particle counts among those that carry a vertex, by its weight in it. */
export type Share = (weight: number) => boolean

/** All that a vertex hangs on is held, so that it does not move: what is left is the rounding of what is drawn. */
export const held: Share = (weight) => Math.abs(weight) > 1e-7
/** What is attached need only follow. */
export const attached: Share = (weight) => weight > 0.1

type VertexTest = (point: Vector3, index: number) => boolean
type Positions = ReturnType<BufferGeometry['getAttribute']>
type Fail = (problem: string, remedy: string, options?: { readonly cause: unknown }) => never

/**
 * Render vertices that a selector names, ascending. Those that no triangle uses are not in the body: by its number one
 * stands for the nearest that is, and nothing else names it.
 * @param parts the meshes that `geometry` was put together from
 * @throws SettingError when it names none, or a vertex, an attribute or a mesh that does not exist
 */
export function selectVertices(
  component: string,
  prop: string,
  selector: PinSelector,
  geometry: BufferGeometry,
  parts: readonly Part[] = [],
  named?: NamedVertices,
): number[] {
  const fail: Fail = (problem, remedy, options) => {
    throw new SettingError(component, prop, selector, problem, remedy, options)
  }
  const ofParts = named && verticesOfParts(selector, named, fail)
  const vertices = ofParts ?? (selector === 'corners' ? cornersOf(geometry) : matching(selector, geometry, parts, fail))
  if (vertices.length === 0) {
    const ways = "'top', 'corners', indices, { attribute }, { mesh }, a Box3 or a predicate"
    fail('selects no vertex', `Use one that holds some, in the space of the ${spaceOf(geometry, parts)}: ${ways}.`)
  }
  return vertices
}

function isNames(selector: PinSelector): selector is readonly Limb[] {
  return Array.isArray(selector) && typeof selector[0] === 'string'
}

/** Vertices of parts by name or number; undefined for a selector that is no such thing. */
function verticesOfParts(selector: PinSelector, { names, numbers }: NamedVertices, fail: Fail): number[] | undefined {
  if (typeof selector === 'string') return names[selector]?.slice()
  if (isNames(selector))
    return selector.flatMap((name) => names[name] ?? fail(`has no ${name}`, 'Name a part that is there.'))
  if (!numbers || !Array.isArray(selector)) return undefined
  const chosen = selector as readonly number[]
  const beyond = chosen.find((index) => index >= numbers.length)
  if (beyond !== undefined) fail(`particle ${beyond} does not exist`, `Use indices below ${numbers.length}.`)
  return chosen.flatMap((index) => numbers[index]!)
}

function spaceOf(geometry: BufferGeometry, parts: readonly Part[]): string {
  return parts.some((part) => part.geometry !== geometry) ? 'body' : 'geometry'
}

function matching(
  selector: Exclude<PinSelector, 'corners'>,
  geometry: BufferGeometry,
  parts: readonly Part[],
  fail: Fail,
): number[] {
  const test = predicate(selector, geometry, parts, fail)
  const position = geometry.getAttribute('position')
  const point = new Vector3()
  const vertices: number[] = []
  const used = usedVertices(geometry)
  for (let i = 0; i < position.count; i++) {
    if (used[i] === 1 && test(point.fromBufferAttribute(position, i), i)) vertices.push(i)
  }
  return vertices
}

function predicate(
  selector: Exclude<PinSelector, 'corners'>,
  geometry: BufferGeometry,
  parts: readonly Part[],
  fail: Fail,
): VertexTest {
  if (typeof selector === 'function') return asked(selector, fail)
  if (selector === 'top') {
    const box = boxOf(geometry)
    const from = box.max.y - 0.02 * (box.max.y - box.min.y)
    return (point) => point.y >= from
  }
  if (typeof selector === 'string' || isNames(selector)) {
    return fail('the body has no such part', 'A rope has ends, a ragdoll has limbs.')
  }
  if ('isBox3' in selector) return (point) => selector.containsPoint(point)
  if ('attribute' in selector) return byAttribute(selector.attribute, geometry, parts, fail)
  const chosen = 'mesh' in selector ? verticesOfMesh(selector, parts, fail) : existing(selector, geometry, fail)
  return oneOf('mesh' in selector && !selector.indices ? chosen : nearestUsed(chosen, geometry))
}

/** A predicate of the user's. */
function asked(test: VertexTest, fail: Fail): VertexTest {
  return (point, index) => {
    try {
      return test(point, index)
    } catch (cause) {
      return fail(`threw ${String(cause)} at vertex ${index}`, 'It is given the point and the number of a vertex.', {
        cause,
      })
    }
  }
}

function oneOf(vertices: readonly number[]): VertexTest {
  const wanted = new Set(vertices)
  return (_, index) => wanted.has(index)
}

function existing(indices: readonly number[], geometry: BufferGeometry, fail: Fail): readonly number[] {
  const { count } = geometry.getAttribute('position')
  const beyond = indices.find((index) => index >= count)
  if (beyond !== undefined) fail(`vertex ${beyond} does not exist`, `Use indices below ${count}.`)
  return indices
}

/** Instead of each vertex that no triangle uses, the nearest one that some does. */
function nearestUsed(vertices: readonly number[], geometry: BufferGeometry): readonly number[] {
  const used = usedVertices(geometry)
  const position = geometry.getAttribute('position')
  const at = new Vector3()
  return vertices.map((vertex) =>
    used[vertex] === 1 ? vertex : nearestTo(at.fromBufferAttribute(position, vertex), position, used),
  )
}

/** A mesh without the attribute has no vertex of it. */
function byAttribute(name: string, geometry: BufferGeometry, parts: readonly Part[], fail: Fail): VertexTest {
  const pieces = parts.length > 0 ? parts : [{ geometry, firstVertex: 0 }]
  if (!pieces.some((piece) => piece.geometry.getAttribute(name))) {
    const names = new Set(pieces.flatMap((piece) => Object.keys(piece.geometry.attributes)))
    fail('the geometry has no such attribute', `It has ${[...names].join(', ')}.`)
  }
  const held: number[] = []
  for (const piece of pieces) {
    const attribute = piece.geometry.getAttribute(name)
    if (!attribute) continue
    for (let i = 0; i < attribute.count; i++) if (attribute.getX(i) > 0.5) held.push(piece.firstVertex + i)
  }
  return oneOf(held)
}

/** Vertices of the meshes with that name, or below a group of the body that has it: a glTF mesh of two materials is one. */
function verticesOfMesh(
  selector: { mesh: string; indices?: readonly number[] },
  parts: readonly Part[],
  fail: Fail,
): number[] {
  const named = parts.filter((part) => isNamed(part, selector.mesh))
  if (named.length === 0) {
    fail('the body has no such mesh', `It has ${parts.map(({ mesh }) => `'${mesh.name || mesh.type}'`).join(', ')}.`)
  }
  const vertices = named.flatMap(({ geometry, firstVertex }) =>
    Array.from({ length: geometry.getAttribute('position').count }, (_, i) => firstVertex + i),
  )
  const { indices } = selector
  if (!indices) return vertices
  const beyond = indices.find((index) => index >= vertices.length)
  if (beyond !== undefined) fail(`vertex ${beyond} of it does not exist`, `Use indices below ${vertices.length}.`)
  return indices.map((index) => vertices[index]!)
}

/** Whether the mesh has that name, or what is above it, up to the body's own group. */
function isNamed({ mesh, root }: Part, name: string): boolean {
  for (let at: Object3D | null = mesh; at; at = at === root ? null : at.parent) if (at.name === name) return true
  return false
}

function boxOf(geometry: BufferGeometry): Box3 {
  const position = geometry.getAttribute('position')
  const used = usedVertices(geometry)
  const box = new Box3()
  const point = new Vector3()
  for (let i = 0; i < position.count; i++) {
    if (used[i] === 1) box.expandByPoint(point.fromBufferAttribute(position, i))
  }
  return box
}

function cornersOf(geometry: BufferGeometry): number[] {
  const position = geometry.getAttribute('position')
  const used = usedVertices(geometry)
  const { min, max } = boxOf(geometry)
  const corner = new Vector3()
  const found = new Set<number>()
  for (let c = 0; c < 8; c++) {
    corner.set(c & 1 ? max.x : min.x, c & 2 ? max.y : min.y, c & 4 ? max.z : min.z)
    found.add(nearestTo(corner, position, used))
  }
  return [...found].sort((a, b) => a - b)
}

/** The first of the used vertices that are nearest to a place. */
function nearestTo(place: Vector3, position: Positions, used: Uint8Array): number {
  const point = new Vector3()
  let nearest = 0
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < position.count; i++) {
    if (used[i] === 0) continue
    const distance = point.fromBufferAttribute(position, i).distanceToSquared(place)
    if (distance >= least) continue
    least = distance
    nearest = i
  }
  return nearest
}

/** Particles that carry render vertices: those whose share of one of them counts, and the one with most. Ascending. */
export function particlesOf(vertices: readonly number[], skin: Skin, counts: Share): Uint32Array {
  const particles = new Set<number>()
  for (const vertex of vertices) {
    const point = skin.vertexToPoint[vertex]!
    if (skin.tube) {
      particles.add(particleOfPoint(skin.tube, point))
      continue
    }
    if (!skin.embedding) {
      particles.add(point)
      continue
    }
    const { particles: ties, weights } = skin.embedding
    let strongest = 4 * point
    for (let k = 4 * point; k < 4 * point + 4; k++) {
      if (weights[k]! > weights[strongest]!) strongest = k
      if (counts(weights[k]!)) particles.add(ties[k]!)
    }
    particles.add(ties[strongest]!)
  }
  return Uint32Array.from(particles).sort()
}

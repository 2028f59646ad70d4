import { Box3, type BufferGeometry, Vector3 } from 'three'
import { SettingError, type Skin } from '../../headless.js'
import type { PinSelector } from '../types.js'

/** A particle that carries a vertex by less than this share is not held with it. */
const leastWeight = 0.1

/**
 * Render vertices that a selector names, ascending.
 * @throws SettingError when it names none, or a vertex or an attribute that does not exist
 */
export function selectVertices(
  component: string,
  prop: string,
  selector: PinSelector,
  geometry: BufferGeometry,
): number[] {
  const fail = (problem: string, remedy: string): never => {
    throw new SettingError(component, prop, selector, problem, remedy)
  }
  const position = geometry.getAttribute('position')
  if (Array.isArray(selector)) {
    const beyond = selector.find((index: number) => index >= position.count)
    if (beyond !== undefined) fail(`vertex ${beyond} does not exist`, `Use indices below ${position.count}.`)
  }
  if (typeof selector === 'object' && 'attribute' in selector && !geometry.getAttribute(selector.attribute)) {
    fail('the geometry has no such attribute', `It has ${Object.keys(geometry.attributes).join(', ')}.`)
  }
  const vertices = selector === 'corners' ? cornersOf(geometry) : matching(selector, geometry)
  if (vertices.length === 0) fail('selects no vertex', 'The selector is in the space of the geometry.')
  return vertices
}

function matching(selector: Exclude<PinSelector, 'corners'>, geometry: BufferGeometry): number[] {
  const test = predicate(selector, geometry)
  const position = geometry.getAttribute('position')
  const point = new Vector3()
  const vertices: number[] = []
  for (let i = 0; i < position.count; i++) {
    if (test(point.fromBufferAttribute(position, i), i)) vertices.push(i)
  }
  return vertices
}

function predicate(
  selector: Exclude<PinSelector, 'corners'>,
  geometry: BufferGeometry,
): (point: Vector3, index: number) => boolean {
  if (typeof selector === 'function') return selector
  if (selector === 'top') {
    const box = boxOf(geometry)
    const from = box.max.y - 0.02 * (box.max.y - box.min.y)
    return (point) => point.y >= from
  }
  if ('isBox3' in selector) return (point) => selector.containsPoint(point)
  if ('attribute' in selector) {
    const attribute = geometry.getAttribute(selector.attribute)
    return (_, index) => attribute.getX(index) > 0.5
  }
  const wanted = new Set(selector)
  return (_, index) => wanted.has(index)
}

function boxOf(geometry: BufferGeometry): Box3 {
  const position = geometry.getAttribute('position')
  const box = new Box3()
  const point = new Vector3()
  for (let i = 0; i < position.count; i++) box.expandByPoint(point.fromBufferAttribute(position, i))
  return box
}

function cornersOf(geometry: BufferGeometry): number[] {
  const position = geometry.getAttribute('position')
  const { min, max } = boxOf(geometry)
  const corner = new Vector3()
  const point = new Vector3()
  const found = new Set<number>()
  for (let c = 0; c < 8; c++) {
    corner.set(c & 1 ? max.x : min.x, c & 2 ? max.y : min.y, c & 4 ? max.z : min.z)
    let nearest = 0
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < position.count; i++) {
      const distance = point.fromBufferAttribute(position, i).distanceToSquared(corner)
      if (distance >= least) continue
      least = distance
      nearest = i
    }
    found.add(nearest)
  }
  return [...found].sort((a, b) => a - b)
}

/** Particles that carry render vertices: each with at least a tenth of one of them, and the one with most. Ascending. */
export function particlesOf(vertices: readonly number[], skin: Skin): Uint32Array {
  const particles = new Set<number>()
  for (const vertex of vertices) {
    const point = skin.vertexToPoint[vertex]!
    if (!skin.embedding) {
      particles.add(point)
      continue
    }
    const { particles: ties, weights } = skin.embedding
    let strongest = 4 * point
    for (let k = 4 * point; k < 4 * point + 4; k++) {
      if (weights[k]! > weights[strongest]!) strongest = k
      if (weights[k]! > leastWeight) particles.add(ties[k]!)
    }
    particles.add(ties[strongest]!)
  }
  return Uint32Array.from(particles).sort()
}

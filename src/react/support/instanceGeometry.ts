import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from 'three'
import { tangentsOf, triples } from './triangleMesh.js'

/** From a geometry that a body writes to the one it was made from; a clone of a scene may show it as well. */
const sources = new WeakMap<BufferGeometry, BufferGeometry>()

/** The geometry that was given: for one that a body writes the one it was made from. */
export function sourceOf(geometry: BufferGeometry): BufferGeometry {
  return sources.get(geometry) ?? geometry
}

/**
 * A geometry for one body: index, groups, draw range and attributes are the source's own; position, normal and, where
 * there is one, tangent are copies that each frame writes.
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
  const tangents = tangentsOf(source)
  if (tangents) {
    const copy = new BufferAttribute(Float32Array.from(tangents), 4)
    geometry.setAttribute('tangent', copy.setUsage(DynamicDrawUsage))
  }
  geometry.computeBoundingBox()
  geometry.computeBoundingSphere()
  sources.set(geometry, source)
  return geometry
}

/** Attributes that are the instance's own. */
const own = new Set(['position', 'normal', 'tangent'])

/**
 * Frees what belongs to the instance alone: disposing shared attributes would take them from those that still draw.
 * @param all true where nothing is shared any more
 */
export function disposeInstanceGeometry(geometry: BufferGeometry, all = false): void {
  if (!all) {
    geometry.setIndex(null)
    for (const name of Object.keys(geometry.attributes)) {
      if (!own.has(name)) geometry.deleteAttribute(name)
    }
  }
  geometry.dispose()
}

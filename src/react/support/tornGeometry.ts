import { BufferAttribute, type BufferGeometry, DynamicDrawUsage, type InterleavedBufferAttribute } from 'three'

type Attribute = BufferAttribute | InterleavedBufferAttribute

/** Attributes that every frame writes. */
const written = new Set(['position', 'normal', 'tangent'])
/** Vertices that a torn geometry has room for: as many again, so that a rip seldom needs new buffers. */
const ROOM = 2

/** What a geometry that shows a torn body has of its own: all that is of vertices, and an index. */
export class TornGeometry {
  private readonly count: number
  private readonly sources = new Map<string, Attribute>()
  private capacity = 0

  /** @param geometry of a body, with attributes shared with the one it was made from */
  constructor(private readonly geometry: BufferGeometry) {
    this.count = geometry.attributes.position!.count
    for (const [name, attribute] of Object.entries(geometry.attributes)) {
      if (!('isInstancedBufferAttribute' in attribute)) this.sources.set(name, attribute)
    }
  }

  /**
   * Doubles vertices, after those that were there from the beginning.
   * @param doubles of which vertex each is a copy
   * @param corners [3 t] vertices of the triangles
   */
  take(doubles: readonly number[], corners: Uint32Array): void {
    const { geometry, count, sources } = this
    if (this.capacity < count + doubles.length) this.grow(count + doubles.length)
    for (const [name, source] of sources) {
      if (written.has(name)) continue
      const attribute = geometry.attributes[name] as BufferAttribute
      doubles.forEach((vertex, k) => copyVertex(source, vertex, attribute, count + k))
      attribute.needsUpdate = true
    }
    const index = geometry.index!
    ;(index.array as Uint32Array).set(corners)
    index.needsUpdate = true
  }

  /** Buffers cannot grow: those of the geometry are freed, and made anew. */
  private grow(vertices: number): void {
    const { geometry, count, sources } = this
    const indexCount = geometry.index?.count ?? count
    const first = this.capacity === 0
    this.capacity = Math.max(ROOM * count, Math.ceil(1.5 * vertices))
    const last = { ...geometry.attributes } as Record<string, BufferAttribute>
    geometry.setIndex(null)
    for (const name of sources.keys()) if (first && !written.has(name)) geometry.deleteAttribute(name)
    geometry.dispose()
    for (const [name, source] of sources) {
      const attribute = roomy(source, this.capacity)
      if (written.has(name)) attribute.setUsage(DynamicDrawUsage).array.set(last[name]!.array)
      else for (let vertex = 0; vertex < count; vertex++) copyVertex(source, vertex, attribute, vertex)
      geometry.setAttribute(name, attribute)
    }
    geometry.setIndex(new BufferAttribute(new Uint32Array(indexCount), 1))
  }
}

function roomy(source: Attribute, count: number): BufferAttribute {
  const Numbers = source.array.constructor as new (length: number) => BufferAttribute['array']
  return new BufferAttribute(new Numbers(count * source.itemSize), source.itemSize, source.normalized)
}

function copyVertex(from: Attribute, vertex: number, to: BufferAttribute, at: number): void {
  for (let k = 0; k < from.itemSize; k++) to.setComponent(at, k, from.getComponent(vertex, k))
}

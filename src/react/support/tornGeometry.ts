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
  /** The geometry's attributes with more room: made before the tear that needs them, and in use from then on. */
  private attributes = new Map<string, BufferAttribute>()
  private readonly index: BufferAttribute
  private capacity: number
  /** False until the first tear: what the geometry has is shared. */
  used = false

  /** @param geometry of a body, with attributes shared with the one it was made from; stays as it is until a tear */
  constructor(private readonly geometry: BufferGeometry) {
    this.count = geometry.attributes.position!.count
    for (const [name, attribute] of Object.entries(geometry.attributes)) {
      if (!('isInstancedBufferAttribute' in attribute)) this.sources.set(name, attribute)
    }
    this.index = new BufferAttribute(new Uint32Array(geometry.index?.count ?? this.count), 1)
    this.capacity = ROOM * this.count
    this.reserve()
  }

  /**
   * Doubles vertices, after those that were there from the beginning.
   * @param doubles of which vertex each is a copy
   * @param corners [3 t] vertices of the triangles
   */
  take(doubles: readonly number[], corners: Uint32Array): void {
    const { count, sources, index } = this
    if (this.capacity < count + doubles.length) {
      this.capacity = Math.ceil(1.5 * (count + doubles.length))
      this.reserve()
      this.use()
    } else if (!this.used) this.use()
    for (const [name, source] of sources) {
      if (written.has(name)) continue
      const attribute = this.attributes.get(name)!
      const values = rowsOf(source)
      for (let k = 0; k < doubles.length; k++) copyVertex(values, doubles[k]!, attribute, count + k)
      attribute.needsUpdate = true
    }
    ;(index.array as Uint32Array).set(corners)
    index.needsUpdate = true
  }

  /** Makes attributes with the room of now. */
  private reserve(): void {
    const { count, sources } = this
    this.attributes = new Map<string, BufferAttribute>()
    for (const [name, source] of sources) {
      const attribute = roomy(source, this.capacity)
      if (written.has(name)) attribute.setUsage(DynamicDrawUsage)
      else {
        const values = rowsOf(source)
        for (let vertex = 0; vertex < count; vertex++) copyVertex(values, vertex, attribute, vertex)
      }
      this.attributes.set(name, attribute)
    }
  }

  /** Buffers cannot grow: those of the geometry are freed, and others taken. */
  private use(): void {
    const { geometry, used } = this
    const last = { ...geometry.attributes } as Record<string, BufferAttribute>
    geometry.setIndex(null)
    for (const name of this.sources.keys()) if (!used && !written.has(name)) geometry.deleteAttribute(name)
    geometry.dispose()
    for (const [name, attribute] of this.attributes) {
      if (written.has(name)) attribute.array.set(last[name]!.array)
      geometry.setAttribute(name, attribute)
    }
    geometry.setIndex(this.index)
    this.used = true
  }
}

function roomy(source: Attribute, count: number): BufferAttribute {
  const Numbers = source.array.constructor as new (length: number) => BufferAttribute['array']
  return new BufferAttribute(new Numbers(count * source.itemSize), source.itemSize, source.normalized)
}

/** Where an attribute keeps its values: those of vertex i start at offset + i stride. */
interface Rows {
  readonly array: BufferAttribute['array']
  readonly stride: number
  readonly offset: number
}

function rowsOf(source: Attribute): Rows {
  if ('data' in source) return { array: source.data.array, stride: source.data.stride, offset: source.offset }
  return { array: source.array, stride: source.itemSize, offset: 0 }
}

function copyVertex({ array, stride, offset }: Rows, vertex: number, to: BufferAttribute, at: number): void {
  for (let k = 0; k < to.itemSize; k++) to.array[at * to.itemSize + k] = array[offset + vertex * stride + k]!
}

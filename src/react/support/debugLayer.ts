import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Points,
  PointsMaterial,
} from 'three'
import type { DebugLayer } from '../types.js'

const colors: Record<DebugLayer, number> = {
  tets: 0xffffff,
  edges: 0x3b82f6,
  particles: 0xf8fafc,
  contacts: 0xfacc15,
  pins: 0xef4444,
  bounds: 0x22c55e,
}
const pointSizes: Partial<Record<DebugLayer, number>> = { particles: 3, pins: 6 }
/** Points that a buffer has room for at first. */
const leastRoom = 1024

/** The points, lines or triangles of one layer, in buffers that grow and are kept. Pointers do not hit them. */
export class LayerBuffer {
  readonly object: LineSegments | Points | Mesh
  /** [3 n] m */
  positions = new Float32Array(0)
  /** [3 n] red, green, blue, where the layer's points have colours of their own */
  colors = new Float32Array(0)
  /** Points written in this frame. */
  count = 0
  private readonly geometry = new BufferGeometry()

  constructor(private readonly name: DebugLayer) {
    const { geometry } = this
    const look = { color: colors[name], depthTest: false, transparent: true, toneMapped: false }
    const size = pointSizes[name]
    if (name === 'tets') {
      const material = new MeshBasicMaterial({ ...look, depthTest: true, vertexColors: true })
      this.object = new Mesh(geometry, material)
      // Over the scene, but not through each other.
      this.object.onBeforeRender = (renderer) => renderer.clearDepth()
    } else if (size) {
      this.object = new Points(geometry, new PointsMaterial({ ...look, opacity: 0.8, size, sizeAttenuation: false }))
    } else {
      this.object = new LineSegments(
        geometry,
        new LineBasicMaterial({ ...look, opacity: name === 'edges' ? 0.4 : 0.8 }),
      )
    }
    this.object.name = name
    this.object.frustumCulled = false
    this.object.renderOrder = name === 'tets' ? 999 : 1000
    this.object.raycast = () => {}
  }

  start(): void {
    this.count = 0
  }

  /** Makes room for `more` points. */
  reserve(more: number): void {
    const room = this.positions.length / 3
    if (this.count + more <= room) return
    this.geometry.dispose() // the buffers on the device have the old size
    const length = 3 * Math.max(leastRoom, 2 * room, this.count + more)
    this.positions = this.grown('position', this.positions, length)
    if (this.name === 'tets') this.colors = this.grown('color', this.colors, length)
  }

  finish(): void {
    this.geometry.setDrawRange(0, this.count)
    const { position, color } = this.geometry.attributes
    if (position) position.needsUpdate = true
    if (color) color.needsUpdate = true
  }

  dispose(): void {
    this.geometry.dispose()
    const { material } = this.object
    if (!Array.isArray(material)) material.dispose()
  }

  private grown(name: string, old: Float32Array, length: number): Float32Array<ArrayBuffer> {
    const wider = new Float32Array(length)
    wider.set(old)
    this.geometry.setAttribute(name, new BufferAttribute(wider, 3).setUsage(DynamicDrawUsage))
    return wider
  }
}

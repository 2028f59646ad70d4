import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Points,
  PointsMaterial,
} from 'three'
import type { DebugLayer } from '../types.js'
import type { BodyInstance } from './bodyInstance.js'
import type { FrameView, WorldRuntime } from './worldRuntime.js'

const colors: Record<DebugLayer, number> = {
  constraints: 0x3b82f6,
  particles: 0xf8fafc,
  pins: 0xef4444,
  bounds: 0x22c55e,
}
/** Corners of a box, as bits of x, y, z, in pairs that differ in one: its edges. */
const boxEdges = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7]
const box = new Float64Array(6)

/** One layer of lines or points in a buffer that grows and is kept. */
class Layer {
  readonly object: LineSegments | Points
  private readonly geometry = new BufferGeometry()
  private points = new Float32Array(0)
  private count = 0

  constructor(name: DebugLayer) {
    const color = colors[name]
    const look = { color, depthTest: false, transparent: true, opacity: 0.8, toneMapped: false }
    this.object =
      name === 'particles' || name === 'pins'
        ? new Points(
            this.geometry,
            new PointsMaterial({ ...look, size: name === 'pins' ? 6 : 3, sizeAttenuation: false }),
          )
        : new LineSegments(this.geometry, new LineBasicMaterial({ ...look, opacity: 0.4 }))
    this.object.name = name
    this.object.frustumCulled = false
    this.object.renderOrder = 1000
    this.object.raycast = () => {}
  }

  start(): void {
    this.count = 0
  }

  /** Adds point `i` of `points` [3 n]. */
  add(points: Float64Array, i: number): void {
    this.put(points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!)
  }

  put(x: number, y: number, z: number): void {
    const at = 3 * this.count++
    if (at + 3 > this.points.length) this.grow()
    this.points[at] = x
    this.points[at + 1] = y
    this.points[at + 2] = z
  }

  finish(): void {
    this.geometry.setDrawRange(0, this.count)
    const position = this.geometry.getAttribute('position')
    if (position) position.needsUpdate = true
  }

  dispose(): void {
    this.geometry.dispose()
    const { material } = this.object
    if (!Array.isArray(material)) material.dispose()
  }

  private grow(): void {
    const wider = new Float32Array(Math.max(3 * 1024, 2 * this.points.length))
    wider.set(this.points)
    this.points = wider
    this.geometry.dispose() // the buffer on the device has the old size
    this.geometry.setAttribute('position', new BufferAttribute(wider, 3).setUsage(DynamicDrawUsage))
  }
}

/** Draws the bodies of a world as the engine sees them. Steady scenes allocate nothing. */
export class DebugDrawing implements FrameView {
  readonly group = new Group()
  private readonly layers: Partial<Record<DebugLayer, Layer>> = {}

  constructor(
    private readonly runtime: WorldRuntime,
    names: readonly DebugLayer[],
  ) {
    this.group.matrixAutoUpdate = false
    for (const name of names) {
      const layer = new Layer(name)
      this.layers[name] = layer
      this.group.add(layer.object)
    }
  }

  draw(): void {
    const { constraints, particles, pins, bounds } = this.layers
    constraints?.start()
    particles?.start()
    pins?.start()
    bounds?.start()
    const { bodies } = this.runtime
    for (let k = 0; k < bodies.length; k++) this.drawBody(bodies[k]!)
    constraints?.finish()
    particles?.finish()
    pins?.finish()
    bounds?.finish()
    // What is drawn is in the world, wherever the view is mounted.
    const { group } = this
    if (!group.parent) return
    group.parent.updateWorldMatrix(true, false)
    group.matrix.copy(group.parent.matrixWorld).invert()
    group.matrixWorldNeedsUpdate = true
  }

  dispose(): void {
    for (const layer of Object.values(this.layers)) layer.dispose()
  }

  private drawBody(instance: BodyInstance): void {
    const { constraints, particles, pins, bounds } = this.layers
    const { body, drawn } = instance
    if (!body || !drawn) return
    if (constraints) {
      const { edges } = body.model
      for (let e = 0; e < edges.length; e++) constraints.add(drawn, edges[e]!)
    }
    if (particles) for (let i = 0; i < body.particleCount; i++) particles.add(drawn, i)
    if (pins) for (let i = 0; i < body.particleCount; i++) if (body.isPinned(i)) pins.add(drawn, i)
    if (!bounds) return
    body.bounds(box)
    for (let e = 0; e < boxEdges.length; e++) {
      const corner = boxEdges[e]!
      bounds.put(box[corner & 1 ? 3 : 0]!, box[corner & 2 ? 4 : 1]!, box[corner & 4 ? 5 : 2]!)
    }
  }
}

import { Group, Matrix4 } from 'three'
import type { Body, Model } from '../../headless.js'
import type { DebugLayer } from '../types.js'
import { markAsOther } from './bodyMeshes.js'
import { boxPoints, writeBox } from './boxOutline.js'
import { LayerBuffer } from './debugLayer.js'
import { invertFrame } from './frames.js'
import { refreshWorldMatrix } from './worldMatrix.js'
import type { FrameView, WorldRuntime } from './worldRuntime.js'

/** Corners of a tetrahedron's four faces, counter-clockwise from outside. */
const tetFaces = [1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1]
const tetEdges = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3]
/** Tetrahedra are drawn this much smaller, so that they are told apart. */
const tetScale = 0.85
/** Relative change of length at which the colour is full. */
const fullStrain = 0.2
/** A contact's line, as a share of the size of the largest body, or ball. */
const contactLength = 0.06

const inverse = new Matrix4()

/** Draws the bodies and free particles of a world as the engine sees them. Steady scenes allocate nothing. */
export class DebugDrawing implements FrameView {
  readonly group = new Group()
  private readonly layers: Partial<Record<DebugLayer, LayerBuffer>> = {}
  private readonly all: LayerBuffer[] = []
  /** Six numbers a contact. */
  private contacts = new Float64Array(6 * 256)
  /** [3 n] where the free particles are that are being drawn [m]. */
  private places = new Float64Array(0)

  constructor(
    private readonly runtime: WorldRuntime,
    names: readonly DebugLayer[],
  ) {
    this.group.matrixAutoUpdate = false
    markAsOther(this.group)
    for (const name of names) {
      const layer = new LayerBuffer(name)
      this.layers[name] = layer
      this.all.push(layer)
      this.group.add(layer.object)
    }
  }

  draw(): void {
    for (let k = 0; k < this.all.length; k++) this.all[k]!.start()
    const { bodies, crowds } = this.runtime
    for (let k = 0; k < bodies.length; k++) {
      const { body, drawn } = bodies[k]!
      if (body && drawn) this.drawBody(body, drawn)
    }
    for (let k = 0; k < crowds.length; k++) this.drawCrowd(crowds[k]!.body)
    if (this.layers.contacts) this.drawContacts(this.layers.contacts)
    for (let k = 0; k < this.all.length; k++) this.all[k]!.finish()
    // What is drawn is in the world, wherever the view is mounted.
    const { group } = this
    if (!group.parent) return
    refreshWorldMatrix(group.parent)
    if (!invertFrame(group.parent.matrixWorld, inverse)) return
    group.matrix.copy(inverse)
    group.matrixWorldNeedsUpdate = true
  }

  dispose(): void {
    for (const layer of this.all) layer.dispose()
  }

  private drawCrowd(body: Body | null): void {
    if (!body) return
    if (this.places.length < 3 * body.particleCount) this.places = new Float64Array(6 * body.particleCount)
    this.drawBody(body, body.readPositions(this.places, this.runtime.interpolated))
  }

  private drawBody(body: Body, drawn: Float64Array): void {
    const { tets, edges, particles, pins, bounds } = this.layers
    const count = body.particleCount
    if (tets) drawTets(tets, body.model, drawn)
    if (edges) {
      const ends = body.model.edges
      edges.reserve(ends.length)
      for (let e = 0; e < ends.length; e++) addPoint(edges, drawn, ends[e]!)
    }
    if (particles) {
      particles.reserve(count)
      for (let i = 0; i < count; i++) addPoint(particles, drawn, i)
    }
    if (pins) drawPins(pins, body, drawn)
    if (bounds) {
      bounds.reserve(boxPoints)
      bounds.count = writeBox(body, bounds.positions, bounds.count)
    }
  }

  /** A line from each contact along the way that it pushes. */
  private drawContacts(layer: LayerBuffer): void {
    const { world, bodies, crowds } = this.runtime
    let count = world.readContacts(this.contacts)
    if (6 * count > this.contacts.length) {
      this.contacts = new Float64Array(12 * count)
      count = world.readContacts(this.contacts)
    }
    let length = 0
    for (let k = 0; k < bodies.length; k++) length = Math.max(length, bodies[k]!.body?.model.size ?? 0)
    for (let k = 0; k < crowds.length; k++) length = Math.max(length, crowds[k]!.body?.model.size ?? 0)
    length *= contactLength
    layer.reserve(2 * count)
    const { contacts } = this
    const { positions } = layer
    for (let k = 0; k < count; k++) {
      for (let d = 0; d < 3; d++) {
        const x = contacts[6 * k + d]!
        positions[6 * k + d] = x
        positions[6 * k + 3 + d] = x + length * contacts[6 * k + 3 + d]!
      }
    }
    layer.count = 2 * count
  }
}

/** Adds point `i` of `points` [3 n]; there is room for it. */
function addPoint(layer: LayerBuffer, points: Float64Array, i: number): void {
  const at = 3 * layer.count++
  layer.positions[at] = points[3 * i]!
  layer.positions[at + 1] = points[3 * i + 1]!
  layer.positions[at + 2] = points[3 * i + 2]!
}

function drawPins(layer: LayerBuffer, body: Body, drawn: Float64Array): void {
  for (let i = 0; i < body.particleCount; i++) {
    if (!body.isPinned(i)) continue
    layer.reserve(1)
    addPoint(layer, drawn, i)
  }
}

/**
 * Tetrahedra in the colour of their strain: that edge's relative change of length which is the greatest. White is at
 * rest, red 20% longer or more, blue 20% shorter or more.
 */
function drawTets(layer: LayerBuffer, { tets, positions: rest }: Model, drawn: Float64Array): void {
  layer.reserve(3 * tets.length)
  const { positions, colors } = layer
  for (let t = 0; t < tets.length; t += 4) {
    let strain = 0
    for (let e = 0; e < 12; e += 2) {
      const a = 3 * tets[t + tetEdges[e]!]!
      const b = 3 * tets[t + tetEdges[e + 1]!]!
      let now = 0
      let before = 0
      for (let d = 0; d < 3; d++) {
        now += (drawn[a + d]! - drawn[b + d]!) ** 2
        before += (rest[a + d]! - rest[b + d]!) ** 2
      }
      const change = Math.sqrt(now / before) - 1
      if (Math.abs(change) > Math.abs(strain)) strain = change
    }
    const share = Math.min(1, Math.abs(strain) / fullStrain)
    const red = strain < 0 ? 1 - share : 1
    const blue = strain > 0 ? 1 - share : 1
    for (let corner = 0; corner < 12; corner++) {
      const at = 3 * layer.count++
      const p = 3 * tets[t + tetFaces[corner]!]!
      for (let d = 0; d < 3; d++) {
        let middle = 0
        for (let k = 0; k < 4; k++) middle += 0.25 * drawn[3 * tets[t + k]! + d]!
        positions[at + d] = middle + tetScale * (drawn[p + d]! - middle)
      }
      colors[at] = red
      colors[at + 1] = 1 - share
      colors[at + 2] = blue
    }
  }
}

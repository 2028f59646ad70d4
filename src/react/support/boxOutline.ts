import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from 'three'
import type { Body } from '../../headless.js'

/** Corners of a box, as bits of x, y, z, in pairs that differ in one: its edges. */
const boxEdges = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7]
/** Points that a box is drawn with. */
export const boxPoints = boxEdges.length
const box = new Float64Array(6)

/** Writes the edges of a body's bounding box into `out`, from point number `at`; returns the number after the last. */
export function writeBox(body: Body, out: Float32Array, at: number): number {
  body.bounds(box)
  for (let e = 0; e < boxPoints; e++) {
    const corner = boxEdges[e]!
    out[3 * (at + e)] = box[corner & 1 ? 3 : 0]!
    out[3 * (at + e) + 1] = box[corner & 2 ? 4 : 1]!
    out[3 * (at + e) + 2] = box[corner & 4 ? 5 : 2]!
  }
  return at + boxPoints
}

/** A box around one body, over the scene. Pointers do not hit it. */
export class BoxOutline {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>
  private readonly points = new Float32Array(3 * boxPoints)

  constructor(color: number) {
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(this.points, 3))
    this.object = new LineSegments(geometry, new LineBasicMaterial({ color, depthTest: false, transparent: true }))
    this.object.name = 'keyboard selection'
    this.object.frustumCulled = false
    this.object.renderOrder = 1000
    this.object.raycast = () => {}
  }

  /** Puts the box around a body. */
  draw(body: Body): void {
    writeBox(body, this.points, 0)
    this.object.geometry.attributes.position!.needsUpdate = true
  }

  dispose(): void {
    this.object.removeFromParent()
    this.object.geometry.dispose()
    this.object.material.dispose()
  }
}

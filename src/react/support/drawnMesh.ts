import type { BufferGeometry, Mesh } from 'three'
import type { SkinOutput } from '../../headless.js'
import { createInstanceGeometry, disposeInstanceGeometry } from './instanceGeometry.js'
import { installRaycast } from './meshRaycast.js'

/** A mesh while it shows a body: with a geometry of the body's own, that every frame writes. */
export class DrawnMesh {
  readonly geometry: BufferGeometry
  /** What a frame writes: the geometry's own arrays, and bounds. Then `finish` makes it seen. */
  readonly output: SkinOutput
  private readonly removeRaycast: () => void

  constructor(
    readonly mesh: Mesh,
    private readonly source: BufferGeometry,
  ) {
    this.geometry = createInstanceGeometry(source)
    const { tangent } = this.geometry.attributes
    this.output = {
      positions: this.geometry.attributes.position!.array as Float32Array,
      normals: this.geometry.attributes.normal!.array as Float32Array,
      tangents: tangent ? (tangent.array as Float32Array) : null,
      bounds: new Float64Array(10),
    }
    this.removeRaycast = installRaycast(mesh)
    this.show()
  }

  /** False once somebody has given the mesh another geometry. */
  get shown(): boolean {
    return this.mesh.geometry === this.geometry
  }

  show(): void {
    this.mesh.geometry = this.geometry
  }

  /** Marks what has been written. */
  finish(): void {
    const { geometry, output } = this
    geometry.attributes.position!.needsUpdate = true
    geometry.attributes.normal!.needsUpdate = true
    if (geometry.attributes.tangent) geometry.attributes.tangent.needsUpdate = true
    const b = output.bounds
    geometry.boundingBox!.min.set(b[0]!, b[1]!, b[2])
    geometry.boundingBox!.max.set(b[3]!, b[4]!, b[5])
    geometry.boundingSphere!.center.set(b[6]!, b[7]!, b[8])
    geometry.boundingSphere!.radius = b[9]!
  }

  /** Gives the mesh its own geometry back, unless somebody has given it another. */
  dispose(): void {
    this.removeRaycast()
    if (this.shown) this.mesh.geometry = this.source
    disposeInstanceGeometry(this.geometry)
  }
}

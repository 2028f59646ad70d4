import type { BufferGeometry, Mesh } from 'three'
import type { SkinOutput } from '../../headless.js'
import { createInstanceGeometry, disposeInstanceGeometry } from './instanceGeometry.js'
import { installRaycast } from './meshRaycast.js'
import { TornGeometry } from './tornGeometry.js'

/** A mesh while it shows a body: with a geometry of the body's own, that every frame writes. */
export class DrawnMesh {
  readonly geometry: BufferGeometry
  /** What a frame writes: the geometry's own arrays, and bounds. Then `finish` makes it seen. */
  output: SkinOutput
  private torn: TornGeometry | null = null
  private readonly removeRaycast: () => void

  constructor(
    readonly mesh: Mesh,
    private readonly source: BufferGeometry,
  ) {
    this.geometry = createInstanceGeometry(source)
    this.output = outputOf(this.geometry, this.geometry.attributes.position!.count)
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

  /** Shows the body again where React has given the mesh its own geometry once more, as it does when it moves it. */
  showAgain(): void {
    if (this.mesh.geometry === this.source) this.show()
  }

  /** Makes room for a tear, so that the first one is not late. */
  prepareToTear(): void {
    this.torn ??= new TornGeometry(this.geometry)
  }

  /**
   * Shows a body that was torn, or is whole again: some vertices are doubled, and triangles have other ones.
   * @param doubles of which vertex each of those after the geometry's own is a copy
   * @param corners [3 t] vertices of the triangles
   */
  tear(doubles: readonly number[], corners: Uint32Array): void {
    this.torn ??= new TornGeometry(this.geometry)
    this.torn.take(doubles, corners)
    this.output = outputOf(this.geometry, this.source.getAttribute('position').count + doubles.length)
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
    disposeInstanceGeometry(this.geometry, this.torn?.used ?? false)
  }
}

/** The first `count` vertices of what a frame writes. */
function outputOf({ attributes }: BufferGeometry, count: number): SkinOutput {
  const { position, normal, tangent } = attributes
  return {
    positions: (position!.array as Float32Array).subarray(0, 3 * count),
    normals: (normal!.array as Float32Array).subarray(0, 3 * count),
    tangents: tangent ? (tangent.array as Float32Array).subarray(0, 4 * count) : null,
    bounds: new Float64Array(10),
  }
}

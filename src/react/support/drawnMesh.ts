import { type BufferGeometry, Matrix4, type Mesh } from 'three'
import { type Body, createSkinWorkspace, type SkinOutput, type SkinWorkspace, updateSkin } from '../../headless.js'
import { createInstanceGeometry, disposeInstanceGeometry } from './instanceGeometry.js'
import type { Shape } from './modelCache.js'

const inverse = new Matrix4()

/** A mesh while it shows a body: with a geometry of the body's own, that every frame writes. */
export class DrawnMesh {
  readonly geometry: BufferGeometry
  /** Positions as they are drawn [3 n] m, in the world. */
  readonly particles: Float64Array
  private readonly workspace: SkinWorkspace
  private readonly output: SkinOutput

  constructor(
    private readonly mesh: Mesh,
    private readonly source: BufferGeometry,
    private readonly shape: Shape,
  ) {
    this.geometry = createInstanceGeometry(source)
    this.particles = new Float64Array(3 * shape.model.particleCount)
    this.workspace = createSkinWorkspace(shape.skin)
    this.output = {
      positions: this.geometry.attributes.position!.array as Float32Array,
      normals: this.geometry.attributes.normal!.array as Float32Array,
      bounds: new Float64Array(10),
    }
    mesh.geometry = this.geometry
  }

  /** False once somebody has given the mesh another geometry. */
  get shown(): boolean {
    return this.mesh.geometry === this.geometry
  }

  /** Writes the body's state in the mesh's frame, wherever that is now: what is drawn is where the body is. */
  write(body: Body, interpolated: boolean): void {
    const { mesh, geometry, output } = this
    mesh.updateWorldMatrix(true, false)
    inverse.copy(mesh.matrixWorld).invert()
    body.readPositions(this.particles, interpolated)
    updateSkin(this.shape.skin, this.workspace, this.particles, inverse.elements, output)
    geometry.attributes.position!.needsUpdate = true
    geometry.attributes.normal!.needsUpdate = true
    const b = output.bounds
    geometry.boundingBox!.min.set(b[0]!, b[1]!, b[2])
    geometry.boundingBox!.max.set(b[3]!, b[4]!, b[5])
    geometry.boundingSphere!.center.set(b[6]!, b[7]!, b[8])
    geometry.boundingSphere!.radius = b[9]!
  }

  /** Gives the mesh its own geometry back, unless somebody has given it another. */
  dispose(): void {
    if (this.shown) this.mesh.geometry = this.source
    disposeInstanceGeometry(this.geometry)
  }
}

import { Matrix4 } from 'three'
import { type Body, createSkinWorkspace, type SkinOutput, type SkinWorkspace, updateSkin } from '../../headless.js'
import type { BodySource } from './bodySource.js'
import { carryPart } from './carryPart.js'
import { DrawnMesh } from './drawnMesh.js'
import type { Shape } from './modelCache.js'

const inverse = new Matrix4()

/** The meshes that show a body. */
export class DrawnBody {
  readonly meshes: readonly DrawnMesh[]
  /** Positions as they are drawn [3 n] m, in the world. */
  readonly particles: Float64Array
  private readonly workspace: SkinWorkspace
  /** Where the skin is written: into the only mesh, or into all vertices in the body's space, to be dealt out. */
  private readonly output: SkinOutput

  constructor(
    private readonly source: BodySource,
    private readonly shape: Shape,
  ) {
    const { vertexCount } = shape.skin
    this.particles = new Float64Array(3 * shape.model.particleCount)
    this.workspace = createSkinWorkspace(shape.skin)
    this.meshes = source.parts.map(({ mesh, geometry }) => new DrawnMesh(mesh, geometry))
    this.output =
      this.meshes.length === 1
        ? this.meshes[0]!.output
        : {
            positions: new Float32Array(3 * vertexCount),
            normals: new Float32Array(3 * vertexCount),
            tangents: shape.skin.tangents && new Float32Array(4 * vertexCount),
            bounds: new Float64Array(10),
          }
  }

  /** False once somebody has given one of the meshes another geometry. */
  get shown(): boolean {
    const { meshes } = this
    for (let k = 0; k < meshes.length; k++) if (!meshes[k]!.shown) return false
    return true
  }

  show(): void {
    for (const mesh of this.meshes) mesh.show()
  }

  /** Writes the body's state in the meshes' frames, wherever those are now: what is drawn is where the body is. */
  write(body: Body, interpolated: boolean): void {
    const { meshes, source, output } = this
    const { parts } = source
    const frame = parts.length === 1 ? parts[0]!.mesh : source.frame
    frame.updateWorldMatrix(true, false)
    inverse.copy(frame.matrixWorld).invert()
    body.readPositions(this.particles, interpolated)
    updateSkin(this.shape.skin, this.workspace, this.particles, inverse.elements, output)
    for (let k = 0; k < meshes.length; k++) {
      const { mesh, output: own } = meshes[k]!
      if (own !== output) {
        mesh.updateWorldMatrix(true, false)
        inverse.copy(mesh.matrixWorld).invert().multiply(frame.matrixWorld)
        const { firstVertex, mirrored } = parts[k]!
        carryPart(output, firstVertex, inverse.elements, mirrored, own)
      }
      meshes[k]!.finish()
    }
  }

  dispose(): void {
    for (const mesh of this.meshes) mesh.dispose()
  }
}

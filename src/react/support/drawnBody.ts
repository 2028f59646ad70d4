import { Matrix4 } from 'three'
import {
  type Body,
  brokenSkin,
  createSkinWorkspace,
  type Model,
  prepareTornSkin,
  type Skin,
  type SkinOutput,
  type SkinWorkspace,
  tears,
  tornSkin,
  updateSkin,
  type VertexRange,
} from '../../headless.js'
import type { BodySource } from './bodySource.js'
import { carryPart } from './carryPart.js'
import { DrawnMesh } from './drawnMesh.js'
import { invertFrame } from './frames.js'
import type { Shape } from './modelCache.js'
import { TornCorners } from './tornCorners.js'
import { refreshWorldMatrix } from './worldMatrix.js'

const inverse = new Matrix4()

/** The meshes that show a body. */
export class DrawnBody {
  readonly meshes: readonly DrawnMesh[]
  /** Positions as they are drawn [3 n] m, in the world. */
  particles: Float64Array
  private workspace: SkinWorkspace
  /** Where the skin is written: into the only mesh, or into all vertices in the body's space, to be dealt out. */
  private output: SkinOutput
  /** The model that is shown, torn as it is. */
  private model: Model
  private skin: Skin
  /** By part: its first vertex. */
  private firsts: readonly number[]
  private corners: TornCorners | null = null
  private prepared = false

  constructor(
    private readonly source: BodySource,
    private readonly shape: Shape,
  ) {
    this.model = shape.model
    this.skin = shape.skin
    this.firsts = source.parts.map(({ firstVertex }) => firstVertex)
    this.particles = new Float64Array(3 * shape.model.particleCount)
    this.workspace = createSkinWorkspace(shape.skin)
    this.meshes = source.parts.map(({ mesh, geometry }) => new DrawnMesh(mesh, geometry))
    this.output = this.outputNow()
  }

  private outputNow(): SkinOutput {
    const { vertexCount, tangents } = this.skin
    if (this.meshes.length === 1) return this.meshes[0]!.output
    return {
      positions: new Float32Array(3 * vertexCount),
      normals: new Float32Array(3 * vertexCount),
      tangents: tangents && new Float32Array(4 * vertexCount),
      bounds: new Float64Array(10),
    }
  }

  /** Makes what the first tear needs, in a frame in which nothing tears. */
  private prepareToTear(): void {
    this.prepared = true
    const { parts } = this.source
    if (!prepareTornSkin(this.shape.skin, this.shape.model, this.ranges())) return
    this.corners ??= new TornCorners(parts, this.shape.skin)
    for (const mesh of this.meshes) mesh.prepareToTear()
  }

  private ranges(): VertexRange[] {
    return this.source.parts.map(({ firstVertex, geometry }) => {
      return { first: firstVertex, count: geometry.getAttribute('position').count }
    })
  }

  /** The body has been torn, or is whole again. */
  private tear(model: Model): void {
    this.model = model
    if (this.shape.skin.tube) {
      this.skin = brokenSkin(this.shape.skin, model)
      return
    }
    const { parts } = this.source
    const skin = tornSkin(this.shape.skin, model, this.ranges())
    this.skin = skin
    this.firsts = skin.torn.firsts
    this.workspace = createSkinWorkspace(skin)
    if (this.particles.length < 3 * model.particleCount) this.particles = new Float64Array(4 * model.particleCount)
    this.corners ??= new TornCorners(parts, this.shape.skin)
    this.corners.take(skin)
    for (let k = 0; k < parts.length; k++) this.meshes[k]!.tear(skin.torn.doubles[k]!, this.corners.ofParts[k]!)
    this.output = this.outputNow()
  }

  /** False once somebody has given one of the meshes another geometry. One that has its own again shows the body again. */
  shows(): boolean {
    const { meshes } = this
    for (let k = 0; k < meshes.length; k++) {
      meshes[k]!.showAgain()
      if (!meshes[k]!.shown) return false
    }
    return true
  }

  show(): void {
    for (const mesh of this.meshes) mesh.show()
  }

  /**
   * Writes the body's state in the meshes' frames, wherever those are now: what is drawn is where the body is. In a frame
   * that is flat or not finite nothing has a place: there what was drawn last stays.
   */
  write(body: Body, interpolated: boolean): void {
    if (body.model !== this.model) this.tear(body.model)
    else if (!this.prepared && tears(body.settings)) this.prepareToTear()
    const { meshes, source, output } = this
    const { parts } = source
    const frame = parts.length === 1 ? parts[0]!.mesh : source.frame
    refreshWorldMatrix(frame)
    body.readPositions(this.particles, interpolated)
    if (!invertFrame(frame.matrixWorld, inverse)) return
    updateSkin(this.skin, this.workspace, this.particles, inverse.elements, output)
    for (let k = 0; k < meshes.length; k++) {
      const { mesh, output: own } = meshes[k]!
      if (own !== output) {
        refreshWorldMatrix(mesh)
        if (!invertFrame(mesh.matrixWorld, inverse)) continue
        inverse.multiply(frame.matrixWorld)
        const { mirrored } = parts[k]!
        carryPart(output, this.firsts[k]!, inverse.elements, mirrored, own)
      }
      meshes[k]!.finish()
    }
  }

  dispose(): void {
    for (const mesh of this.meshes) mesh.dispose()
  }
}

import { BufferAttribute, BufferGeometry } from 'three'
import { particleOfPoint, type RopeOptions, ropeModel, SettingError, type Vec3 } from '../../headless.js'
import type { ShapeBuilder } from './bodyOptions.js'
import type { NamedVertices, Shape } from './modelCache.js'
import { warnOnce } from './propKeeper.js'
import type { RestPose } from './restPose.js'

/** What a rope is drawn as, and how its body is made. */
export interface RopeShape {
  readonly geometry: BufferGeometry
  readonly builder: ShapeBuilder
}

/** The last shape that could be made: options that do not go together throw at mount, later they warn and it stays. */
export class KeptShape {
  private last: RopeShape | undefined
  private readonly said = new Set<string>()

  next(options: Partial<RopeOptions>): RopeShape {
    try {
      this.last = ropeShape(options)
    } catch (error) {
      if (!this.last) throw error
      warnOnce(this.said, error)
    }
    return this.last
  }
}

function ropeShape(options: Partial<RopeOptions>): RopeShape {
  const key = JSON.stringify(options)
  const { mesh } = ropeModel(options)
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(mesh.positions), 3))
  geometry.setAttribute('uv', new BufferAttribute(Float32Array.from(mesh.uvs), 2))
  geometry.setIndex(new BufferAttribute(mesh.index, 1))
  geometry.computeVertexNormals()
  const now = (_: BufferGeometry, pose: RestPose) => scaledRope(options, pose)
  const later = (_: BufferGeometry, pose: RestPose) => ({ done: Promise.resolve(now(_, pose)), leave: () => {} })
  return { geometry, builder: { key, now, later } }
}

/** The rope as its parents scale it. @throws SettingError for a scale that is not the same along all axes */
function scaledRope(options: Partial<RopeOptions>, pose: RestPose): Shape {
  const scale = pose.linear[0]!
  const even = pose.linear.every((entry, k) => Math.abs(entry - (k % 4 === 0 ? scale : 0)) <= 1e-6 * scale)
  if (!even) {
    const problem = 'is not the same along all axes'
    throw new SettingError('Rope', 'scale', pose.linear, problem, 'Scale it and its parents evenly.')
  }
  const { points, length, radius = 0.02 } = options
  const { model, skin } = ropeModel({
    ...options,
    radius: radius * scale,
    ...(points && { points: points.map((point) => point.map((x) => x * scale) as unknown as Vec3) }),
    ...(length !== undefined && { length: length * scale }),
  })
  const numbers: number[][] = Array.from({ length: model.particleCount }, () => [])
  skin.vertexToPoint.forEach((point, vertex) => numbers[particleOfPoint(skin.tube!, point)]!.push(vertex))
  const [start, end] = [numbers[0]!, numbers[numbers.length - 1]!]
  const named: NamedVertices = { names: { start, end, ends: [...start, ...end] }, numbers }
  return { model, skin, named }
}

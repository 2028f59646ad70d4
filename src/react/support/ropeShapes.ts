import { particleOfPoint, type RopeOptions, ropeModel, type Vec3 } from '../../headless.js'
import { evenScale, type MadeShape, madeShape } from './madeShapes.js'
import type { NamedVertices, Shape } from './modelCache.js'
import { warnOnce } from './propKeeper.js'
import type { RestPose } from './restPose.js'

/** The last shape that could be made: options that do not go together throw at mount, later they warn and it stays. */
export class KeptShape {
  private last: MadeShape | undefined
  private readonly said = new Set<string>()

  next(options: Partial<RopeOptions>): MadeShape {
    try {
      this.last = ropeShape(options)
    } catch (error) {
      if (!this.last) throw error
      warnOnce(this.said, error)
    }
    return this.last
  }
}

function ropeShape(options: Partial<RopeOptions>): MadeShape {
  const { mesh } = ropeModel(options)
  return madeShape(JSON.stringify(options), mesh, (pose) => scaledRope(options, pose))
}

/** The rope as its parents scale it. @throws SettingError for a scale that is not the same along all axes */
function scaledRope(options: Partial<RopeOptions>, pose: RestPose): Shape {
  const scale = evenScale('Rope', pose)
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

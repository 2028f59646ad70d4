import { isSize, SettingError } from '../validation.js'
import type { ColliderShape } from './shape.js'

/**
 * Cylinder along y with a half ball on each end, about its own origin.
 * @param radius [m] above zero
 * @param height of the cylinder between the half balls [m], above zero
 */
export function capsule(radius: number, height: number): ColliderShape {
  for (const size of [radius, height]) {
    if (!isSize(size)) {
      throw new SettingError(
        'Collider.Capsule',
        'args',
        [radius, height],
        'radius and height must be above zero',
        'Use metres, such as [0.5, 1].',
      )
    }
  }
  const half = height / 2
  return Object.freeze({
    name: 'capsule',
    inradius: radius,
    convex: true,
    bounds: Float64Array.of(-radius, -half - radius, -radius, radius, half + radius, radius),
    distance(query: Float64Array) {
      const x = query[0]!
      const y = query[1]!
      const z = query[2]!
      // From the nearest point of the axis.
      const dy = y - (y > half ? half : y < -half ? -half : y)
      const r = Math.sqrt(x * x + dy * dy + z * z)
      query[3] = r - radius
      // On the axis every way out to the side is as short.
      query[4] = r > 0 ? x / r : 1
      query[5] = r > 0 ? dy / r : 0
      query[6] = r > 0 ? z / r : 0
    },
  })
}

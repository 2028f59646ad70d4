import { isSize, SettingError } from '../validation.js'
import type { ColliderShape } from './shape.js'

/** Ball about its own origin. @param radius [m] above zero */
export function sphere(radius: number): ColliderShape {
  if (!isSize(radius)) {
    throw new SettingError(
      'Collider.Sphere',
      'args',
      radius,
      'the radius must be above zero',
      'Use metres, such as [0.5].',
    )
  }
  return Object.freeze({
    name: 'sphere',
    inradius: radius,
    convex: true,
    bounds: Float64Array.of(-radius, -radius, -radius, radius, radius, radius),
    distance(query: Float64Array) {
      const x = query[0]!
      const y = query[1]!
      const z = query[2]!
      const r = Math.sqrt(x * x + y * y + z * z)
      query[3] = r - radius
      // At the very centre every way out is as short.
      query[4] = r > 0 ? x / r : 0
      query[5] = r > 0 ? y / r : 1
      query[6] = r > 0 ? z / r : 0
    },
  })
}

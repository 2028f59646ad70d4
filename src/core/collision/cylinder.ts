import { isSize, SettingError } from '../validation.js'
import type { ColliderShape } from './shape.js'

/**
 * Cylinder along y with flat ends, about its own origin.
 * @param radius [m] above zero
 * @param height between the ends [m], above zero
 */
export function cylinder(radius: number, height: number): ColliderShape {
  for (const size of [radius, height]) {
    if (!isSize(size)) {
      throw new SettingError(
        'Collider.Cylinder',
        'args',
        [radius, height],
        'radius and height must be above zero',
        'Use metres, such as [0.5, 1].',
      )
    }
  }
  const half = height / 2
  return Object.freeze({
    name: 'cylinder',
    inradius: Math.min(radius, half),
    convex: true,
    bounds: Float64Array.of(-radius, -half, -radius, radius, half, radius),
    distance(query: Float64Array) {
      const x = query[0]!
      const y = query[1]!
      const z = query[2]!
      const r = Math.sqrt(x * x + z * z)
      // On the axis every way out to the side is as short.
      const rx = r > 0 ? x / r : 1
      const rz = r > 0 ? z / r : 0
      const sy = y < 0 ? -1 : 1
      // A box in the half plane of r and |y|.
      const dr = r - radius
      const dy = y * sy - half
      const or = dr > 0 ? dr : 0
      const oy = dy > 0 ? dy : 0
      const d = Math.sqrt(or * or + oy * oy)
      // Both cases are worked out every time, as for a box.
      const inside = d === 0
      const length = inside ? 1 : d
      const side = dr >= dy
      const nr = inside ? (side ? 1 : 0) : or
      query[3] = inside ? (side ? dr : dy) : d
      query[4] = (rx * nr) / length
      query[5] = (sy * (inside ? (side ? 0 : 1) : oy)) / length
      query[6] = (rz * nr) / length
    },
  })
}

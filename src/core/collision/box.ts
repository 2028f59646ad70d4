import { isSize, SettingError } from '../validation.js'
import type { Vec3 } from '../vectors.js'
import type { ColliderShape } from './shape.js'

/** Box about its own origin. @param halfExtents half of each side [m], above zero */
export function box(halfExtents: Vec3): ColliderShape {
  for (let d = 0; d < 3; d++) {
    if (!isSize(halfExtents?.[d])) {
      throw new SettingError(
        'Collider.Box',
        'args',
        halfExtents,
        'every side must be above zero',
        'Use metres, such as [0.5, 0.5, 0.5].',
      )
    }
  }
  const [hx, hy, hz] = halfExtents
  return Object.freeze({
    name: 'box',
    inradius: Math.min(hx, hy, hz),
    convex: true,
    bounds: Float64Array.of(-hx, -hy, -hz, hx, hy, hz),
    distance(query: Float64Array) {
      const x = query[0]!
      const y = query[1]!
      const z = query[2]!
      const sx = x < 0 ? -1 : 1
      const sy = y < 0 ? -1 : 1
      const sz = z < 0 ? -1 : 1
      const dx = x * sx - hx
      const dy = y * sy - hy
      const dz = z * sz - hz
      const ox = dx > 0 ? dx : 0
      const oy = dy > 0 ? dy : 0
      const oz = dz > 0 ? dz : 0
      const d = Math.sqrt(ox * ox + oy * oy + oz * oz)
      // Inside, the way out is by the nearest face. Both cases are worked out every time: a branch that is first taken
      // late would have the function compiled anew, and allocate meanwhile.
      const inside = d === 0
      const length = inside ? 1 : d
      const overY = dx >= dy
      const overZ = dx >= dz
      const yOverZ = dy >= dz
      const byX = overY && overZ
      const byY = !byX && yOverZ
      const byZ = !byX && !yOverZ
      query[3] = inside ? (byX ? dx : byY ? dy : dz) : d
      query[4] = (sx * (inside ? (byX ? 1 : 0) : ox)) / length
      query[5] = (sy * (inside ? (byY ? 1 : 0) : oy)) / length
      query[6] = (sz * (inside ? (byZ ? 1 : 0) : oz)) / length
    },
  })
}

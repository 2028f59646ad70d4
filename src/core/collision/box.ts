import { SettingError } from '../settings.js'
import type { Vec3 } from '../vectors.js'
import type { ColliderShape } from './shape.js'

/** Box about its own origin. @param halfExtents half of each side [m], above zero */
export function box(halfExtents: Vec3): ColliderShape {
  const [hx, hy, hz] = halfExtents
  for (const half of [hx, hy, hz]) {
    if (!(half > 0 && half < 1e9)) {
      throw new SettingError('Collider.Box', 'args', halfExtents, 'every side must be above zero', 'Use metres, such as [0.5, 0.5, 0.5].')
    }
  }
  return Object.freeze({
    name: 'box',
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
      query[4] = 0
      query[5] = 0
      query[6] = 0
      const ox = dx > 0 ? dx : 0
      const oy = dy > 0 ? dy : 0
      const oz = dz > 0 ? dz : 0
      const d = Math.sqrt(ox * ox + oy * oy + oz * oz)
      if (d === 0) {
        // Inside: out by the nearest face.
        if (dx >= dy && dx >= dz) {
          query[3] = dx
          query[4] = sx
        } else if (dy >= dz) {
          query[3] = dy
          query[5] = sy
        } else {
          query[3] = dz
          query[6] = sz
        }
        return
      }
      query[3] = d
      query[4] = (sx * ox) / d
      query[5] = (sy * oy) / d
      query[6] = (sz * oz) / d
    },
  })
}

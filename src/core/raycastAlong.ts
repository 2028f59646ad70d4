import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/**
 * The number of the rope's segment, a capsule of the rope's radius, that a ray meets nearer than nearest[0] [m], which
 * together with the share along the segment, nearest[1], is then of it; -1 for none. A ray that starts inside meets
 * nothing.
 * @param ray origin and unit direction
 */
export function castAtSegments(
  { positions: x }: State,
  { start, model, settings }: BodyRecord,
  ray: Float64Array,
  nearest: Float64Array,
): number {
  const { edges } = model
  const radius = settings.thickness ?? model.thickness
  const vx = ray[3]!
  const vy = ray[4]!
  const vz = ray[5]!
  let found = -1
  for (let e = 0; e < edges.length; e += 2) {
    const a = (start + edges[e]!) * 3
    const b = (start + edges[e + 1]!) * 3
    const ux = x[b]! - x[a]!
    const uy = x[b + 1]! - x[a + 1]!
    const uz = x[b + 2]! - x[a + 2]!
    const ox = ray[0]! - x[a]!
    const oy = ray[1]! - x[a + 1]!
    const oz = ray[2]! - x[a + 2]!
    const uu = ux * ux + uy * uy + uz * uz
    const uv = ux * vx + uy * vy + uz * vz
    const uo = ux * ox + uy * oy + uz * oz
    const vo = vx * ox + vy * oy + vz * oz
    const oo = ox * ox + oy * oy + oz * oz
    // |o + t v - s u| = radius with s where it is least: the endless cylinder.
    const across = uu - uv * uv
    const half = uu * vo - uo * uv
    const root = half * half - across * (uu * oo - uo * uo - radius * radius * uu)
    let t = across > 0 && root >= 0 ? (-half - Math.sqrt(root)) / across : Number.NaN
    let s = uu > 0 ? (uo + t * uv) / uu : 0
    if (!(s >= 0 && s <= 1)) {
      // Past an end: the balls there.
      t = Number.POSITIVE_INFINITY
      for (let end = 0; end < 2; end++) {
        const beyond = vo - end * uv
        const square = beyond * beyond - (oo - 2 * end * uo + end * uu - radius * radius)
        const at = square >= 0 ? -beyond - Math.sqrt(square) : Number.POSITIVE_INFINITY
        if (!(at >= 0 && at < t)) continue
        t = at
        s = end
      }
    }
    if (!(t >= 0 && t < nearest[0]!)) continue
    nearest[0] = t
    nearest[1] = s
    found = e / 2
  }
  return found
}

import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/** How far beside a triangle still counts as on it, in barycentric weights: between two of them no ray slips through. */
const EDGE = 1e-12

/**
 * The number of the triangle that is nearer than what was hit so far, which `nearest` then holds, with the weights of the
 * second and the third corner; -1 for none.
 * @param ray origin [m] and unit direction
 */
export function castAtTriangles(
  { positions: x }: State,
  { start, model }: BodyRecord,
  ray: Float64Array,
  nearest: Float64Array,
): number {
  const { triangles } = model
  const vx = ray[3]!
  const vy = ray[4]!
  const vz = ray[5]!
  let found = -1
  for (let t = 0; t < triangles.length; t += 3) {
    const o = (start + triangles[t]!) * 3
    const a = (start + triangles[t + 1]!) * 3
    const b = (start + triangles[t + 2]!) * 3
    const ux = x[a]! - x[o]!
    const uy = x[a + 1]! - x[o + 1]!
    const uz = x[a + 2]! - x[o + 2]!
    const wx = x[b]! - x[o]!
    const wy = x[b + 1]! - x[o + 1]!
    const wz = x[b + 2]! - x[o + 2]!
    // Cramer's rule for o + s u + r w = origin + distance v (Moeller, Trumbore 1997), from either side.
    const px = vy * wz - vz * wy
    const py = vz * wx - vx * wz
    const pz = vx * wy - vy * wx
    const det = ux * px + uy * py + uz * pz
    if (det === 0) continue // seen from its edge, or without area
    const tx = ray[0]! - x[o]!
    const ty = ray[1]! - x[o + 1]!
    const tz = ray[2]! - x[o + 2]!
    const s = (tx * px + ty * py + tz * pz) / det
    if (!(s >= -EDGE && s <= 1 + EDGE)) continue
    const qx = ty * uz - tz * uy
    const qy = tz * ux - tx * uz
    const qz = tx * uy - ty * ux
    const r = (vx * qx + vy * qy + vz * qz) / det
    if (!(r >= -EDGE && s + r <= 1 + EDGE)) continue
    const distance = (wx * qx + wy * qy + wz * qz) / det
    if (!(distance >= 0 && distance <= nearest[0]!)) continue
    if (distance === nearest[0] && found >= 0) continue
    nearest[0] = distance
    nearest[1] = s
    nearest[2] = r
    found = t / 3
  }
  return found
}

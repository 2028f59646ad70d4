import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/**
 * The number of the free particle, a ball, that a ray meets nearer than nearest[0] [m], which is then of it; -1 for none.
 * A ray that starts inside meets nothing.
 * @param ray origin and unit direction
 */
export function castAtBalls(
  { positions: x }: State,
  { start, model, settings }: BodyRecord,
  ray: Float64Array,
  nearest: Float64Array,
): number {
  const radius = settings.thickness ?? model.thickness
  let found = -1
  if (radius === 0) return found // a point: nothing meets it
  for (let i = 0; i < model.particleCount; i++) {
    const p = (start + i) * 3
    const ox = ray[0]! - x[p]!
    const oy = ray[1]! - x[p + 1]!
    const oz = ray[2]! - x[p + 2]!
    // |o + t v| = radius, t the smaller root.
    const half = ox * ray[3]! + oy * ray[4]! + oz * ray[5]!
    const root = half * half - (ox * ox + oy * oy + oz * oz - radius * radius)
    const t = root >= 0 ? -half - Math.sqrt(root) : -1
    if (!(t >= 0 && t < nearest[0]!)) continue
    nearest[0] = t
    found = i
  }
  return found
}

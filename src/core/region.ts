import { SettingError } from './validation.js'
import type { Vec3 } from './vectors.js'

/** Particles of a body with weights that sum to 1: where a force, an impulse or an attachment acts. */
export interface Region {
  readonly particles: Uint32Array
  readonly weights: Float64Array
}

/**
 * Of the `count` particles from `start` on, those within `radius` [m] of a point, in numbers from 0, with weights that fall
 * off smoothly and sum to 1; the four nearest where there are fewer. Never empty.
 */
export function regionAt(positions: Float64Array, start: number, count: number, point: Vec3, radius: number): Region {
  const [px, py, pz] = point
  const distances = new Float64Array(count)
  let particles: number[] = []
  for (let i = 0, p = start * 3; i < count; i++, p += 3) {
    const x = positions[p]! - px
    const y = positions[p + 1]! - py
    const z = positions[p + 2]! - pz
    distances[i] = Math.sqrt(x * x + y * y + z * z)
    if (distances[i]! < radius) particles.push(i)
  }
  let reach = radius
  if (particles.length < Math.min(4, count)) {
    particles = Array.from({ length: count }, (_, i) => i)
      .sort((a, b) => distances[a]! - distances[b]! || a - b)
      .slice(0, 4)
    reach = 2 * distances[particles[particles.length - 1]!]! || 1
  }
  const weights = new Float64Array(particles.length)
  let total = 0
  for (let k = 0; k < weights.length; k++) {
    const s = 1 - (distances[particles[k]!]! / reach) * (distances[particles[k]!]! / reach)
    weights[k] = s * s
    total += s * s
  }
  for (let k = 0; k < weights.length; k++) weights[k] = weights[k]! / total
  return { particles: new Uint32Array(particles), weights }
}

/** Allocates nothing where the region is sound. */
export function checkRegion(name: string, method: string, { particles, weights }: Region, particleCount: number): void {
  const remedy = 'Use body.region(point, radius) of the same body.'
  if (particles.length === 0 || particles.length !== weights.length) {
    const problem = 'needs as many weights as particles, and at least one'
    throw new SettingError(name, `${method}.region`, particles.length, problem, remedy)
  }
  for (let k = 0; k < particles.length; k++) {
    if (!(particles[k]! < particleCount)) {
      const problem = 'names a particle that does not exist'
      throw new SettingError(name, `${method}.region`, particles[k], problem, remedy)
    }
    if (!Number.isFinite(weights[k]!)) {
      throw new SettingError(name, `${method}.region`, weights[k], 'has a weight that is not finite', remedy)
    }
  }
}

import type { Model } from './model.js'
import { aimAt, ball, type Falloff, found, RADIUS, weigh } from './spread.js'
import { hangingTogether } from './tear/pieces.js'
import { SettingError } from './validation.js'
import type { Vec3 } from './vectors.js'

/** Particles of a body with weights that sum to 1: where a force, an impulse or an attachment acts. */
export interface Region {
  readonly particles: Uint32Array
  readonly weights: Float64Array
}

/**
 * Of the `count` particles from `start` on, those within `radius` [m] of a point, in numbers from 0, with weights that fall
 * off and sum to 1; the four nearest where there are fewer. Never empty.
 */
export function regionAt(
  positions: Float64Array,
  start: number,
  count: number,
  point: Vec3,
  radius: number,
  falloff: Falloff = 'smooth',
): Region {
  aimAt(point)
  ball[RADIUS] = radius
  weigh(positions, start * 3, count, falloff)
  return { particles: found.particles.slice(0, found.count), weights: found.weights.slice(0, found.count) }
}

/** What hangs together with some particles of a body, with weights by mass. */
export function pieceAt(model: Model, particles: Uint32Array): Region {
  const { massShares, particleCount } = model
  const hanging = hangingTogether(model, particles)
  const all = hanging ?? new Uint32Array(particleCount)
  if (!hanging) for (let i = 0; i < particleCount; i++) all[i] = i
  let mass = 0
  for (const i of all) mass += massShares[i]!
  const weights = new Float64Array(all.length)
  for (let k = 0; k < all.length; k++) weights[k] = massShares[all[k]!]! / mass
  return { particles: all, weights }
}

/** Allocates nothing where the region is sound. */
export function checkRegion(name: string, method: string, region: Region, particleCount: number): void {
  const remedy = 'Use body.region(point, radius) of the same body.'
  const particles = region?.particles
  const weights = region?.weights
  if (!particles?.length || particles.length !== weights?.length) {
    const problem = 'needs as many weights as particles, and at least one'
    throw new SettingError(name, `${method}.region`, particles?.length, problem, remedy)
  }
  for (let k = 0; k < particles.length; k++) {
    if (!(Number.isInteger(particles[k]) && particles[k]! >= 0 && particles[k]! < particleCount)) {
      const problem = 'names a particle that does not exist'
      throw new SettingError(name, `${method}.region`, particles[k], problem, remedy)
    }
    if (!Number.isFinite(weights[k]!)) {
      throw new SettingError(name, `${method}.region`, weights[k], 'has a weight that is not finite', remedy)
    }
  }
}

import type { Region } from './region.js'
import { checkGroup, SettingError } from './validation.js'
import type { Vec3 } from './vectors.js'

/**
 * How what acts at a point fades with the distance s, in radii: 'smooth' (1 - s^2)^2, 'linear' 1 - s, 'constant' 1.
 */
export type Falloff = 'smooth' | 'linear' | 'constant'

/** How far around a point something acts. */
export interface Spread {
  /** [m] above 0; default 0.15 of the body's size. */
  radius?: number
  /** Default 'smooth'. */
  falloff?: Falloff
}

/** Where an impulse or a force acts: a region of the body, or a point of the world [m]. */
export type Place = Region | Vec3

/** Radius about a point where none is given, as a share of the body's size. */
export const SPREAD_SHARE = 0.15

/** Fewest particles that share what acts at a point. */
const FEWEST = 4

const spreadOptions: Record<keyof Spread, true> = { radius: true, falloff: true }
const falloffs: readonly Falloff[] = ['smooth', 'linear', 'constant']

/** The particles of the last `weigh` and their weights: the first `count` of each. */
export const found = { count: 0, particles: new Uint32Array(0), weights: new Float64Array(0) }

/** Where to weigh: x, y, z and the radius [m]. By array, since a call with numbers allocates. */
export const ball = new Float64Array(4)
export const RADIUS = 3

const nearest = new Uint32Array(FEWEST)
const distances = new Float64Array(FEWEST)

/** @throws SettingError for a radius or a falloff that is none, or what is neither */
export function checkSpread(name: string, method: string, spread: Spread): void {
  checkGroup(name, method, spread, spreadOptions)
  const { radius, falloff } = spread
  if (radius !== undefined && !(Number.isFinite(radius) && radius > 0)) {
    throw new SettingError(
      name,
      `${method}.radius`,
      radius,
      'must be above 0',
      'Leave it out for 0.15 of the size [m].',
    )
  }
  if (falloff !== undefined && !falloffs.includes(falloff)) {
    throw new SettingError(name, `${method}.falloff`, falloff, 'is not known', `Use one of: ${falloffs.join(', ')}.`)
  }
}

/** Sets where `weigh` looks; how far is at `ball[RADIUS]`. */
export function aimAt(point: Vec3): void {
  for (let d = 0; d < 3; d++) ball[d] = point[d]!
}

/**
 * Lists the particles about where it was aimed at with weights that sum to 1; the four nearest where there are fewer, so that a point
 * is never beside the body. Allocates nothing but room for more particles than ever before.
 * @param x positions, those of the body from x[first] on, `count` particles
 */
export function weigh(x: Float64Array, first: number, count: number, falloff: Falloff): void {
  if (found.particles.length < count) {
    found.particles = new Uint32Array(count)
    found.weights = new Float64Array(count)
  }
  const { particles, weights } = found
  const radius = ball[RADIUS]!
  let n = 0
  for (let i = 0, p = first; i < count; i++, p += 3) {
    const dx = x[p]! - ball[0]!
    const dy = x[p + 1]! - ball[1]!
    const dz = x[p + 2]! - ball[2]!
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (!(distance < radius)) continue
    particles[n] = i
    weights[n++] = distance / radius
  }
  if (n < Math.min(FEWEST, count)) {
    n = findNearest(x, first, count)
    // Twice as far as the farthest of them, so that this one has a weight too.
    const reach = 2 * distances[n - 1]! || 1
    for (let k = 0; k < n; k++) {
      particles[k] = nearest[k]!
      weights[k] = distances[k]! / reach
    }
  }
  fade(weights, n, falloff)
  let total = 0
  for (let k = 0; k < n; k++) total += weights[k]!
  for (let k = 0; k < n; k++) weights[k] = weights[k]! / total
  found.count = n
}

/** Turns the first `count` distances in radii, each below 1, into what is left there. */
export function fade(shares: Float64Array, count: number, falloff: Falloff): void {
  for (let k = 0; k < count; k++) {
    const near = 1 - shares[k]! * shares[k]!
    shares[k] = falloff === 'smooth' ? near * near : falloff === 'linear' ? 1 - shares[k]! : 1
  }
}

/** The nearest particles, nearest first; of equals the first. Returns how many there are. */
function findNearest(x: Float64Array, first: number, count: number): number {
  let n = 0
  for (let i = 0, p = first; i < count; i++, p += 3) {
    const dx = x[p]! - ball[0]!
    const dy = x[p + 1]! - ball[1]!
    const dz = x[p + 2]! - ball[2]!
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
    let k = n
    while (k > 0 && distances[k - 1]! > distance) k--
    if (k === FEWEST) continue
    n = Math.min(FEWEST, n + 1)
    for (let m = n - 1; m > k; m--) {
      nearest[m] = nearest[m - 1]!
      distances[m] = distances[m - 1]!
    }
    nearest[k] = i
    distances[k] = distance
  }
  return n
}

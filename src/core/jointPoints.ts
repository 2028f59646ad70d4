import { LINK } from './jointRecord.js'
import type { NearestPoint } from './nearest.js'
import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/** Where a particle of a body is [m]. */
export function positionOf({ positions: x }: State, { start }: BodyRecord, particle: number): Float64Array {
  return x.slice((start + particle) * 3, (start + particle) * 3 + 3)
}

/** Where the point that was found is [m]. */
export function pointOf(state: State, body: BodyRecord, { particles, weights }: NearestPoint): Float64Array {
  const point = new Float64Array(3)
  linkPoint(state, body, particles, weights, 0, point)
  return point
}

/** The mean of particles [m]. */
export function meanOf(state: State, body: BodyRecord, particles: Uint32Array): Float64Array {
  const mean = new Float64Array(3)
  for (const particle of particles) {
    const point = positionOf(state, body, particle)
    for (let d = 0; d < 3; d++) mean[d] = mean[d]! + point[d]! / particles.length
  }
  return mean
}

/** The point of a link, its weights times its particles [m], into `out`. */
export function linkPoint(
  { positions: x }: State,
  { start }: BodyRecord,
  particles: Uint32Array,
  weights: Float64Array,
  link: number,
  out: Float64Array,
): void {
  out.fill(0)
  for (let k = link * LINK; k < link * LINK + LINK; k++) {
    for (let d = 0; d < 3; d++) out[d] = out[d]! + weights[k]! * x[(start + particles[k]!) * 3 + d]!
  }
}

export function distanceBetween(one: ArrayLike<number>, two: ArrayLike<number>): number {
  const [x, y, z] = [one[0]! - two[0]!, one[1]! - two[1]!, one[2]! - two[2]!]
  return Math.sqrt(x * x + y * y + z * z)
}

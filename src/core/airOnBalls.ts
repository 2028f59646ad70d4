import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/**
 * Drag of the air on the free particles from..to, balls of radius r: with u the air's velocity less the particle's,
 *
 *   F = rho / 2 drag pi r^2 |u| u
 *
 * as an impulse a substep, implicit as that on triangles: u <- u / (1 + k |u|). A ball has 0.47 for its drag (Hoerner 1965).
 * @param air velocity of the air at each particle [3 n] m/s, from airStart on
 * @param numbers h rho / 2 drag pi r^2 first
 */
export function pushBalls(
  { velocities: v, inverseMasses: w }: State,
  { start }: BodyRecord,
  from: number,
  to: number,
  air: Float64Array,
  airStart: number,
  numbers: Float64Array,
): void {
  for (let k = from; k < to; k++) {
    const p = (start + k) * 3
    const at = airStart + k * 3
    const ux = air[at]! - v[p]!
    const uy = air[at + 1]! - v[p + 1]!
    const uz = air[at + 2]! - v[p + 2]!
    const braking = numbers[0]! * w[start + k]! * Math.sqrt(ux * ux + uy * uy + uz * uz)
    const share = braking / (1 + braking)
    v[p] = v[p]! + share * ux
    v[p + 1] = v[p + 1]! + share * uy
    v[p + 2] = v[p + 2]! + share * uz
  }
}

import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/**
 * Drag of the air on the segments from..to of a rope of radius r: of a cylinder across its axis, with u the part of the
 * air's velocity less the segment's that is across it and L the segment's length,
 *
 *   F = rho / 2 drag 2 r L |u| u
 *
 * as an impulse a substep, implicit as that on triangles. Half of the force goes to each end.
 * @param air velocity of the air at each segment [3 n] m/s, from airStart on
 * @param numbers h rho drag r first
 */
export function pushAlong(
  { positions: x, velocities: v, inverseMasses: w }: State,
  { model, start }: BodyRecord,
  from: number,
  to: number,
  air: Float64Array,
  airStart: number,
  numbers: Float64Array,
): void {
  const { edges } = model
  const drag = numbers[0]!
  for (let e = from; e < to; e += 2) {
    const i = start + edges[e]!
    const j = start + edges[e + 1]!
    const W = (w[i]! + w[j]!) / 4
    if (W === 0) continue // pinned
    const p = i * 3
    const q = j * 3
    const tx = x[q]! - x[p]!
    const ty = x[q + 1]! - x[p + 1]!
    const tz = x[q + 2]! - x[p + 2]!
    const square = tx * tx + ty * ty + tz * tz
    if (square === 0) continue
    const at = airStart + (e >> 1) * 3
    let ux = air[at]! - (v[p]! + v[q]!) / 2
    let uy = air[at + 1]! - (v[p + 1]! + v[q + 1]!) / 2
    let uz = air[at + 2]! - (v[p + 2]! + v[q + 2]!) / 2
    const along = (ux * tx + uy * ty + uz * tz) / square
    ux -= along * tx
    uy -= along * ty
    uz -= along * tz
    const speed = Math.sqrt(ux * ux + uy * uy + uz * uz)
    const braking = drag * Math.sqrt(square) * speed
    // J = (1 - 1 / (1 + k W)) u / W, half of it at each end.
    const share = (0.5 * braking) / (1 + braking * W)
    const si = w[i]! * share
    const sj = w[j]! * share
    v[p] = v[p]! + si * ux
    v[p + 1] = v[p + 1]! + si * uy
    v[p + 2] = v[p + 2]! + si * uz
    v[q] = v[q]! + sj * ux
    v[q + 1] = v[q + 1]! + sj * uy
    v[q + 2] = v[q + 2]! + sj * uz
  }
}

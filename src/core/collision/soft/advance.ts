import type { State } from '../../state.js'
import { NEAR, near, nearestOfSegments, nearestOnTriangle } from './closest.js'
import { PAIR, type SoftPairs } from './softPairs.js'
import { isSpent, spend } from './work.js'

/**
 * Steps along a way before a pair that comes ever nearer, and is never near, counts as met; and where the step of the world
 * has spent its work, which a knot of particles that fly through each other does.
 */
const MOST_STEPS = 1000
const FEW_STEPS = 8
/** What a step along a way costs, in impacts resolved. */
const STEP = 3

/** How near a pair must come on its way, in thicknesses, to count as met. */
export const meets = Float64Array.of(0.2)
/** What `measureApproach` found [m^2]. */
const approach = new Float64Array(1)
/** The four points of a pair on their way. */
const points = new Float64Array(12)
/** The share of the substep that has passed; of the last `advance`, when the pair met. */
export const time = new Float64Array(1)

/**
 * Follows the four points of a pair from `previous` to `positions`, in straight lines, to where its elements first come
 * within a small distance; true where they do, and then `near` tells how they lay. Across the plane that parts them now,
 * the fastest corners come together no sooner than in the distance over their speed along its normal: steps of that length
 * cannot miss an impact, whatever the points do (conservative advancement; Mirtich 1996), and what slides along costs none.
 */
export function advance(state: State, pairs: SoftPairs, pair: number): boolean {
  const most = isSpent() ? FEW_STEPS : MOST_STEPS
  time[0] = 0
  follow(state, pairs, pair)
  let distance = Math.sqrt(near[NEAR.SQUARE]!)
  if (distance === 0) return false
  const least = Math.min(meets[0]! * pairs.thickness[pair]!, 0.5 * distance)
  for (let step = 0; step < most; step++) {
    spend(STEP)
    measureApproach(state, pairs, pair)
    if (!(approach[0]! > 0)) return false
    time[0] = time[0] + ((distance - 0.8 * least) * distance) / approach[0]!
    if (time[0] >= 1) return false
    follow(state, pairs, pair)
    distance = Math.sqrt(near[NEAR.SQUARE]!)
    // What lies in each other but for rounding may come to 0, and then no side of it is known.
    if (distance <= least) return distance > 0
  }
  return !waysApart(state, pairs, pair)
}

/**
 * True where the boxes of what the ways of a pair's elements have left from `time` on, as its first point sees them, are
 * apart by more than what counts as met: nothing need be followed. What flies along beside is apart so, however far.
 */
export function waysApart({ positions: x, previous: y }: State, pairs: SoftPairs, pair: number): boolean {
  const { particles } = pairs
  const k = pair * 4
  const firsts = pairs.kind[pair] === PAIR.EDGES ? 2 : 1
  const margin = meets[0]! * pairs.thickness[pair]!
  const left = 1 - time[0]!
  const o = particles[k]! * 3
  for (let d = 0; d < 3; d++) {
    const seen = left * (x[o + d]! - y[o + d]!)
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    let otherLow = Number.POSITIVE_INFINITY
    let otherHigh = Number.NEGATIVE_INFINITY
    for (let l = 0; l < 4; l++) {
      const p = particles[k + l]! * 3 + d
      const way = left * (x[p]! - y[p]!)
      const to = x[p]! - seen
      const from = x[p]! - way
      if (l < firsts) {
        low = Math.min(low, to, from)
        high = Math.max(high, to, from)
      } else {
        otherLow = Math.min(otherLow, to, from)
        otherHigh = Math.max(otherHigh, to, from)
      }
    }
    if (low > otherHigh + margin || otherLow > high + margin) return true
  }
  return false
}

/** How far the corners of the two elements come together along the gap in `near`, at most, times the gap [m^2]. */
function measureApproach({ positions: x, previous: y }: State, pairs: SoftPairs, pair: number): void {
  const { particles } = pairs
  const gx = near[NEAR.GAP]!
  const gy = near[NEAR.GAP + 1]!
  const gz = near[NEAR.GAP + 2]!
  const firsts = pairs.kind[pair] === PAIR.EDGES ? 2 : 1
  let first = Number.POSITIVE_INFINITY
  let second = Number.NEGATIVE_INFINITY
  for (let k = 0; k < 4; k++) {
    const p = particles[pair * 4 + k]! * 3
    const way = gx * (x[p]! - y[p]!) + gy * (x[p + 1]! - y[p + 1]!) + gz * (x[p + 2]! - y[p + 2]!)
    if (k < firsts) first = Math.min(first, way)
    else second = Math.max(second, way)
  }
  approach[0] = second - first
}

/** The nearest points of a pair at `time`, into `near`. */
function follow({ positions: x, previous: y }: State, pairs: SoftPairs, pair: number): void {
  const t = time[0]!
  for (let k = 0; k < 4; k++) {
    const p = pairs.particles[pair * 4 + k]! * 3
    const o = k * 3
    points[o] = y[p]! + t * (x[p]! - y[p]!)
    points[o + 1] = y[p + 1]! + t * (x[p + 1]! - y[p + 1]!)
    points[o + 2] = y[p + 2]! + t * (x[p + 2]! - y[p + 2]!)
  }
  if (pairs.kind[pair] === PAIR.EDGES) nearestOfSegments(points, 0, 3, 6, 9)
  else nearestOnTriangle(points, 0, 3, 6, 9)
}

import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/** How many other bodies' blows a body remembers at once. */
export const HITS = 8

/**
 * What a body remembers of the blow of another one, as numbers in a row: the other's slot + 1 (0 is none) and generation;
 * for how long still [s]; 1 if they touched in the last substep, and in the present one; what the blow is doing; at what
 * velocity this one came where they met, seen from the other [m/s], and the energy that both had [J]; since then the sums
 * of the impulses [N s], of these along their normals, which point to this body, and of their points, and of `TIME`, times
 * them.
 */
export const HIT = {
  SLOT: 0,
  GENERATION: 1,
  TIME: 2,
  TOUCHED: 3,
  TOUCHES: 4,
  PHASE: 5,
  VELOCITY: 6,
  ENERGY: 9,
  WEIGHT: 10,
  NORMAL: 11,
  POINT: 14,
  WHEN: 17,
  SIZE: 18,
} as const

/** True where a body remembers a blow of another one, which is judged when they part. */
export function remembersHit({ hits }: BodyRecord, { slot, generation }: BodyRecord): boolean {
  for (let i = 0; i < HITS * HIT.SIZE; i += HIT.SIZE) {
    if (hits[i + HIT.SLOT] === slot + 1 && hits[i + HIT.GENERATION] === generation) return hits[i + HIT.TIME]! > 0
  }
  return false
}

/** Where `hits` tell of another body, or could: -1 where all places are in use. */
export function placeOfHit(hits: Float64Array, { slot, generation }: BodyRecord): number {
  let free = -1
  for (let i = 0; i < HITS * HIT.SIZE; i += HIT.SIZE) {
    if (hits[i + HIT.SLOT] === slot + 1 && hits[i + HIT.GENERATION] === generation) return i
    if (hits[i + HIT.SLOT] === 0 && free < 0) free = i
  }
  if (free < 0) return -1
  hits[free + HIT.SLOT] = slot + 1
  hits[free + HIT.GENERATION] = generation
  return free
}

/** No blow answers any more for how fast a body springs off others: something else moves it. */
export function forgetHits({ bodies }: State, body: BodyRecord): void {
  for (let i = 0; i < HITS * HIT.SIZE; i += HIT.SIZE) body.hits[i + HIT.TIME] = 0
  for (let b = 0; b < bodies.live.length; b++) {
    const { hits } = bodies.live[b]!
    for (let i = 0; i < HITS * HIT.SIZE; i += HIT.SIZE) {
      if (hits[i + HIT.SLOT] === body.slot + 1) hits[i + HIT.TIME] = 0
    }
  }
}

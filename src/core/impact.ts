import type { BodyRecord } from './records.js'
import type { Handle } from './slots.js'

/** How many colliders' impacts a body remembers at once. */
export const IMPACTS = 4

/** Cosine of the angle between the normals of two colliders up to which they make one floor, and have one impact. */
export const ALIKE = 0.97

/**
 * What a body remembers of its impact on a collider, as numbers in a row: the collider's slot + 1 (0 is none) and
 * generation; for how long still [s]; the approach speed of its centre of mass [m/s] and the share that is given back;
 * the normal; the velocity of the collider's surface [m/s]; what impulses have added along the normal since, and the
 * greatest speed away from the collider so far [m/s]; what it is doing since; 1 if it touched in the last substep, and
 * in the present one; its energy before the impact, against the surface [J]; where its centre was then, along the normal [m]; for
 * how long it has been all but stopped [s]; the velocity of its centre before the impact [m/s]; twice the energy per mass
 * that it came with along the surface and about its centre, which may lift it as it tumbles [m^2/s^2]. Colliders that lie
 * side by side make one floor, and have one impact: place + 1 of the one that answers for this one (0 is itself), and what
 * the collider pushed in the last substep in which the floor did [kg m].
 */
export const IMPACT = {
  COLLIDER: 0,
  GENERATION: 1,
  TIME: 2,
  SPEED: 3,
  SHARE: 4,
  NORMAL: 5,
  SURFACE: 8,
  GIVEN: 11,
  PEAK: 12,
  PHASE: 13,
  TOUCHED: 14,
  TOUCHES: 15,
  ENERGY: 16,
  HEIGHT: 17,
  STOPPED: 18,
  VELOCITY: 19,
  TUMBLES: 22,
  WITH: 23,
  PUSHED: 24,
  SIZE: 25,
} as const

/** `IMPACT.PHASE` of a body that is being stopped: it has not been sent off yet. */
export const STOPS = 1

/** Place of the impact that answers for that at `i`. */
export const leaderOf = (impacts: Float64Array, i: number): number =>
  impacts[i + IMPACT.WITH] === 0 ? i : impacts[i + IMPACT.WITH]! - 1

/** True where a body that bounces is being stopped by a collider. */
export function isStopped({ impacts }: BodyRecord, { slot, generation }: Handle): boolean {
  for (let i = 0; i < IMPACTS * IMPACT.SIZE; i += IMPACT.SIZE) {
    if (impacts[i + IMPACT.COLLIDER] !== slot + 1 || impacts[i + IMPACT.GENERATION] !== generation) continue
    const l = leaderOf(impacts, i)
    return impacts[l + IMPACT.TIME]! > 0 && impacts[l + IMPACT.PHASE] === STOPS && impacts[l + IMPACT.SHARE]! > 0
  }
  return false
}

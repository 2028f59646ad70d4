import { groupsMeet, pushEachOther } from './collision/groups.js'
import { TOUCH } from './collision/touches.js'
import type { BodyRecord, ColliderRecord } from './records.js'

/** Steps without a touch after which two have parted: what lies still may lose touch for less. */
export const PARTED = 5

/**
 * `ContactPair.numbers`: steps since the last touch; of the last touch, and of what has been given since in this step,
 * `TOUCH`; what an impact is doing, for how long [s]; 1 where its force has faded; the greatest impulse of one of its steps
 * [N s]; what the other colliders of the floor have given in it; `TOUCH` of itself, the point being that of the greatest
 * step. As long as it goes on, its normal is a sum by impulse. Then, of the touch: what a step has had to bear while nothing
 * struck, and what the last impact was, fading [N s]. All but `TOUCH` is of the whole floor that the collider is part of.
 */
export const PAIR = {
  LAPSED: 0,
  TOUCH: 1,
  PHASE: 11,
  TIME: 12,
  FADED: 13,
  PEAK: 14,
  OTHERS: 15,
  IMPACT: 16,
  BORNE: 26,
  LAST: 27,
  SIZE: 28,
} as const

/** Where the normal of the last touch stands in it, and the impulse that it has given in all. */
export const NORMAL = PAIR.TOUCH + TOUCH.NORMAL
export const WHOLE = PAIR.TOUCH + TOUCH.WHOLE

/** Two that touch, from the step in which they began to until they have parted. */
export interface ContactPair {
  body: BodyRecord
  other: BodyRecord | ColliderRecord
  withCollider: boolean
  /** `PAIR` */
  readonly numbers: Float64Array
  /** Listeners know that the two touch; no part of the state. */
  told: boolean
  /** The two have parted, and the pair is about to go. */
  over: boolean
}

/** A pair as a snapshot gives it back. */
export type KeptPair = Readonly<Omit<ContactPair, 'told' | 'over'>>

/** True where the two push each other, false where one of them is a sensor. */
export function isSolid({ body, other, withCollider }: ContactPair): boolean {
  return pushEachOther(body.settings, withCollider ? (other as ColliderRecord) : (other as BodyRecord).settings)
}

/** True where the groups of the two let them meet. */
export function canMeet({ body, other, withCollider }: ContactPair): boolean {
  const groups = withCollider
    ? (other as ColliderRecord).collisionGroups
    : (other as BodyRecord).settings.collisionGroups
  return groupsMeet(body.settings.collisionGroups, groups)
}

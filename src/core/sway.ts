import type { ColliderContacts } from './collision/colliderContacts.js'
import type { SoftContacts } from './collision/soft/softContacts.js'
import { dampShape } from './damping.js'
import type { State } from './state.js'

/**
 * At most so much of its sway a stack loses [1/s]. Its slow swings fade within seconds, while what is about to tip is
 * hardly held up: at more it would creep for long before it falls.
 */
export const SWAY_RATE = 1

/**
 * Damps the sway of stacks. In a tower that swings, what deforms most is what stands lowest, while the motion is above:
 * each body up there moves rigidly, which damping its own shape spares. So what stands on another follows what damping
 * changes in that: level by level from below, each body is drawn to the rigid motion that what bears it has.
 * @param shares by live body, what it loses in the substep: at the rate of its `shapeDamping`, but no more than `SWAY_RATE`
 */
export function dampSway(
  state: State,
  colliders: ColliderContacts,
  soft: SoftContacts,
  shares: readonly Float64Array[],
): void {
  const count = soft.beginSway(state)
  for (let k = 0; k < count; k++) {
    const b = soft.standingAt(k)
    const body = state.bodies.live[b]!
    if (body.asleep || shares[b]![0] === 0) continue
    colliders.anchor(state, b)
    soft.bear(state, b, colliders.anchors, shares)
    dampShape(state, body, shares[b]!, colliders.anchors)
    colliders.keepDragged(b)
  }
}

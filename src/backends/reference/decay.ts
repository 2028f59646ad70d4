import type { ColliderContacts } from '../../core/collision/colliderContacts.js'
import type { SoftContacts } from '../../core/collision/soft/softContacts.js'
import { dampShape, dragged } from '../../core/damping.js'
import { exp } from '../../core/math/elementary.js'
import type { BodyRecord } from '../../core/records.js'
import type { Rolling } from '../../core/rolling.js'
import type { State } from '../../core/state.js'
import { dampSway, SWAY_RATE } from '../../core/sway.js'
import type { Limbs } from './limbs.js'

/** All of the way to the rigid motion. */
const whole = Float64Array.of(1)

/** What damping does in one substep, a number a live body; by array, since a call with a number allocates. */
export interface Decay {
  /** Share of the way towards the rigid motion. */
  readonly shapeShares: readonly Float64Array[]
  /** The same, of what sways on what bears it. */
  readonly swayShares: readonly Float64Array[]
  /** What is left of the velocity. */
  readonly factors: readonly Float64Array[]
  /** Share of its slip that a point loses that touches something. */
  readonly slipShares: readonly Float64Array[]
}

export function bakeDecay(state: State, h: number): Decay {
  const { live } = state.bodies
  return {
    shapeShares: live.map(({ settings }) => Float64Array.of(1 - exp(-settings.shapeDamping * h))),
    swayShares: live.map(({ settings }) => Float64Array.of(1 - exp(-Math.min(settings.shapeDamping, SWAY_RATE) * h))),
    factors: live.map(({ settings }) => Float64Array.of(exp(-settings.damping * h))),
    slipShares: live.map(({ settings }) => Float64Array.of(1 - exp(-settings.contactDamping * h))),
  }
}

/**
 * Draws velocities towards each body's rigid motion, of stacks towards that of what bears them, then towards rest. A figure
 * that is out of joint has none but that: what limbs and joints take from each other in turns is no motion. What rolls is
 * slowed beside that.
 */
export function damp(
  state: State,
  decay: Decay,
  limbs: Limbs,
  rolling: Rolling,
  contacts: ColliderContacts,
  soft: SoftContacts,
  substeps: number,
  h: Float64Array,
): void {
  const { shapeShares, swayShares, factors } = decay
  for (let k = 0; k < limbs.count; k++) {
    const b = limbs.bodyOf(k, state)
    if (b < 0 || !limbs.isDrawn(k)) continue
    dampShape(state, state.bodies.live[b]!, whole, limbs.anchor(state, k, substeps, h))
  }
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    const rolls = rolling.takeOut(state, b, contacts)
    dragged.fill(0)
    if (shapeShares[b]![0] !== 0) {
      contacts.anchor(state, b)
      soft.anchor(state, b, contacts.anchors)
      dampShape(state, body, shapeShares[b]!, contacts.anchors)
    }
    if (rolls) rolling.putBack(state, b)
    contacts.keepDragged(b)
  }
  dampSway(state, contacts, soft, swayShares)
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (!body.asleep && factors[b]![0] !== 1) scaleVelocities(state, body, factors[b]!)
  }
}

function scaleVelocities({ velocities: v, inverseMasses: w }: State, body: BodyRecord, factor: Float64Array): void {
  const k = factor[0]!
  for (let i = body.start; i < body.start + body.model.particleCount; i++) {
    if (w[i] === 0) continue
    for (let p = i * 3; p < i * 3 + 3; p++) v[p] = v[p]! * k
  }
}

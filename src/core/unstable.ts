import type { Body } from './body.js'
import type { Events } from './events.js'
import type { Listeners } from './listeners.js'
import { UNSTABLE } from './records.js'
import type { State } from './state.js'

/** Why the engine had to step in: turned inside out, no longer finite, faster than `maxSpeed`, stopped before it crosses. */
export type UnstableReason = 'inverted' | 'nonFinite' | 'speed' | 'contact'

/** Called after a step in which a guard acted on a body, or began to turn back what lay inside out. */
export type UnstableCallback = (body: Body, reason: UnstableReason) => void

const reasons: readonly (readonly [number, UnstableReason])[] = [
  [UNSTABLE.INVERTED, 'inverted'],
  [UNSTABLE.NON_FINITE, 'nonFinite'],
  [UNSTABLE.SPEED, 'speed'],
  [UNSTABLE.CONTACT, 'contact'],
]

/** Tells, for each body that a guard acted on in the last step, each reason. */
export function tellUnstable({ bodies }: State, events: Events, listeners: Listeners<UnstableCallback>): void {
  const { live } = bodies
  for (let b = 0; b < live.length; b++) {
    const record = live[b]!
    if (record.unstable === 0) continue
    const { unstable } = record
    record.unstable = 0
    const body = events.bodyOf(record)
    for (const [bit, reason] of reasons) {
      if ((unstable & bit) === 0) continue
      for (let k = 0; k < listeners.count; k++) listeners.at(k)?.(body, reason)
    }
  }
}

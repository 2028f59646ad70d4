import type { Stats } from '../../core/counters.js'
import { forgetHits } from '../../core/hit.js'
import { joins } from '../../core/jointRecord.js'
import { type BodyRecord, UNSTABLE } from '../../core/records.js'
import { endSettling } from '../../core/settling.js'
import type { State } from '../../core/state.js'
import type { WorldSettings } from '../../core/worldSettings.js'

/** Sum of coordinates [m] and speeds [m/s] beyond which a body is gone: what a geometry holds in 32 bits ends at 3e38. */
const MOST = 1e30

/**
 * Guard: no particle is faster than the world's `maxSpeed`. Before particles move as well: what is thrown comes no farther
 * in a substep than that allows, and what it meets on its way stays finite. What is beyond all bounds stops, and its body
 * is about to be put back.
 */
export function limitSpeed(state: State, settings: Readonly<WorldSettings>, stats: Stats): void {
  const { velocities: v, inverseMasses: w } = state
  const limit = settings.maxSpeed
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      const p = i * 3
      const speed2 = v[p]! * v[p]! + v[p + 1]! * v[p + 1]! + v[p + 2]! * v[p + 2]!
      if (speed2 <= limit * limit || w[i] === 0) continue
      if (!(speed2 < MOST * MOST)) {
        body.unstable |= UNSTABLE.LOST
        v[p] = 0
        v[p + 1] = 0
        v[p + 2] = 0
        continue
      }
      const scale = limit / Math.sqrt(speed2)
      v[p] = v[p]! * scale
      v[p + 1] = v[p + 1]! * scale
      v[p + 2] = v[p + 2]! * scale
      stats.speedClamps++
      body.unstable |= UNSTABLE.SPEED
    }
  }
}

/** Guard: a body that is no longer finite goes back to where the step found it, at rest. */
export function keepFinite(state: State, stats: Stats): void {
  const { live } = state.bodies
  const before = stats.nonFiniteRescues
  for (let b = 0; b < live.length; b++) if (!live[b]!.asleep) keepBodyFinite(state, live[b]!, stats)
  if (stats.nonFiniteRescues === before) return
  // What sleeps does not move, but no number times nothing is nothing: it may have touched one that was not finite.
  for (let b = 0; b < live.length; b++) if (live[b]!.asleep) keepBodyFinite(state, live[b]!, stats)
}

function keepBodyFinite(state: State, body: BodyRecord, stats: Stats): void {
  const { positions: x, velocities: v, stepStart, rotations } = state
  const from = body.start * 3
  const to = from + body.model.particleCount * 3
  let sum = 0
  for (let p = from; p < to; p++) sum += Math.abs(x[p]!) + Math.abs(v[p]!)
  if (sum < MOST && (body.unstable & UNSTABLE.LOST) === 0) return
  stats.nonFiniteRescues++
  body.unstable = (body.unstable & ~UNSTABLE.LOST) | UNSTABLE.NON_FINITE
  for (let p = from; p < to; p++) {
    x[p] = stepStart[p]!
    v[p] = 0
  }
  endSettling(body)
  body.impacts.fill(0)
  forgetHits(state, body)
  for (let a = 0; a < state.attachments.live.length; a++) {
    const attachment = state.attachments.live[a]!
    if (attachment.body.slot === body.slot) attachment.force.fill(0)
  }
  for (let j = 0; j < state.joints.live.length; j++) {
    if (joins(state.joints.live[j]!, body)) state.joints.live[j]!.force.fill(0)
  }
  for (let k = 0; k < body.rotationCount * 4; k++) rotations[body.rotationStart * 4 + k] = k % 4 === 3 ? 1 : 0
}

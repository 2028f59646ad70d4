import { type BodyRecord, RESCUE, SLEEP, type State } from '../state.js'

/** Within this distance of where it was, a particle has not moved: [m], and as a share of its body's size. */
const REACH = 5e-4
const REACH_SHARE = 1e-3
/** Share of that within which the centre of mass must stay: what trembles in place may, what creeps may not. */
const CREEP = 0.25

const center = new Float64Array(3)

/**
 * Notices bodies on which nothing moves: no particle has got away from where it was, and the centre of mass has not
 * crept. Places are compared instead of speeds, since what lies in contact trembles by much less than a pixel, but
 * quickly. `SLEEP.CALM` says for how long that has been so [s].
 */
export function watchCalm(state: State, timeStep: Float64Array): void {
  const bodies = state.bodies.live
  for (let b = 0; b < bodies.length; b++) {
    const body = bodies[b]!
    if (body.asleep) continue
    const { sleep } = body
    findCenter(state, body)
    if (sleep[SLEEP.CALM] === 0 || hasMoved(state, body)) {
      sleep[SLEEP.CALM] = 0
      for (let d = 0; d < 3; d++) sleep[SLEEP.CENTER + d] = center[d]!
      for (let p = body.start * 3; p < (body.start + body.model.particleCount) * 3; p++) {
        state.anchors[p] = state.positions[p]!
      }
    }
    sleep[SLEEP.CALM] = sleep[SLEEP.CALM]! + timeStep[0]!
  }
  // What is led somewhere is on its way, however slowly.
  for (let a = 0; a < state.attachments.live.length; a++) {
    const { body, from, goal } = state.attachments.live[a]!
    if (from[0] === goal[0] && from[1] === goal[1] && from[2] === goal[2]) continue
    const held = state.bodies.get(body)
    if (held) held.sleep[SLEEP.CALM] = 0
  }
}

function hasMoved({ positions: x, anchors, goals, inverseMasses: w }: State, body: BodyRecord): boolean {
  if (body.rescue[RESCUE.LOST] !== 0) return true
  const { start, model, sleep } = body
  const reach = Math.min(REACH, REACH_SHARE * model.size)
  let crept = 0
  for (let d = 0; d < 3; d++) {
    const way = center[d]! - sleep[SLEEP.CENTER + d]!
    crept += way * way
  }
  if (crept > CREEP * reach * (CREEP * reach)) return true
  sleep[SLEEP.PINNED] = 0
  for (let i = start; i < start + model.particleCount; i++) {
    const p = i * 3
    const dx = x[p]! - anchors[p]!
    const dy = x[p + 1]! - anchors[p + 1]!
    const dz = x[p + 2]! - anchors[p + 2]!
    if (dx * dx + dy * dy + dz * dz > reach * reach) return true
    if (w[i] !== 0) continue
    if (goals[p] !== x[p] || goals[p + 1] !== x[p + 1] || goals[p + 2] !== x[p + 2]) return true
    sleep[SLEEP.PINNED] = 1
  }
  return false
}

function findCenter({ positions: x, masses }: State, { start, model, mass }: BodyRecord): void {
  let cx = 0
  let cy = 0
  let cz = 0
  for (let i = start; i < start + model.particleCount; i++) {
    const m = masses[i]!
    cx += m * x[i * 3]!
    cy += m * x[i * 3 + 1]!
    cz += m * x[i * 3 + 2]!
  }
  center[0] = cx / mass
  center[1] = cy / mass
  center[2] = cz / mass
}

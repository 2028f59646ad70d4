import type { AttractorRecord } from './attractor.js'
import type { Frame } from './jointRecord.js'
import { interpolateQuaternions } from './math/quaternion.js'
import type { State } from './state.js'

const from = new Float64Array(4)
const to = new Float64Array(4)

/** Spreads what was asked for since the last frame over `steps` steps. */
export function spreadGoals(state: State, steps: number): void {
  for (const record of state.colliders.live) if (record.sweep === 0) record.sweep = steps
  for (const record of state.attachments.live) if (record.sweep === 0) record.sweep = steps
  for (const { frame } of state.joints.live) if (frame?.sweep === 0) frame.sweep = steps
  for (const record of state.bodies.live) if (record.sweep === 0) record.sweep = steps
  for (const record of state.attractors.live) if (record.sweep === 0) record.sweep = steps
}

/** Sets the targets of the next step: an even part of the way to each goal. */
export function aimAtGoals(state: State): void {
  for (const record of state.colliders.live) aimFrame(record)
  for (const { frame, collider } of state.joints.live) if (frame && !collider) aimFrame(frame)
  for (const record of state.attachments.live) {
    const t = 1 / nextSweep(record)
    for (let d = 0; d < 3; d++) record.target[d] = along(record.from[d]!, record.goal[d]!, t)
  }
  for (const record of state.attractors.live) aimAttractor(record)
  const { positions: x, targets, goals, inverseMasses: w } = state
  for (const record of state.bodies.live) {
    if (record.asleep) continue // its pins stand where they shall
    const t = 1 / nextSweep(record)
    for (let i = record.start; i < record.start + record.model.particleCount; i++) {
      if (w[i] !== 0) continue
      for (let p = i * 3; p < i * 3 + 3; p++) targets[p] = along(x[p]!, goals[p]!, t)
    }
  }
}

function aimAttractor(record: AttractorRecord): void {
  const { from, target, goal } = record
  const steps = nextSweep(record)
  for (let d = 0; d < 3; d++) target[d] = steps === 1 ? goal[d]! : from[d]! + (goal[d]! - from[d]!) / steps
}

function aimFrame(record: Frame): void {
  const t = 1 / nextSweep(record)
  for (let d = 0; d < 3; d++) record.target[d] = along(record.pose[d]!, record.goal[d]!, t)
  if (t === 1) for (let k = 3; k < 7; k++) record.target[k] = record.goal[k]!
  else {
    for (let k = 0; k < 4; k++) {
      from[k] = record.pose[3 + k]!
      to[k] = record.goal[3 + k]!
    }
    interpolateQuaternions(from, to, t, to)
    for (let k = 0; k < 4; k++) record.target[3 + k] = to[k]!
  }
}

/** Steps left in a sweep, counting this one. */
function nextSweep(record: { sweep: number }): number {
  const steps = Math.max(1, record.sweep)
  record.sweep = Math.max(1, steps - 1)
  return steps
}

function along(a: number, b: number, t: number): number {
  return t === 1 ? b : a + t * (b - a)
}

import type { State } from '../../core/state.js'
import type { WorldSettings } from '../../core/worldSettings.js'

/** Notes where the step starts; what sleeps has been there since before. */
export function keepStart(state: State): void {
  const { positions: x, stepStart } = state
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    for (let p = body.start * 3; p < (body.start + body.model.particleCount) * 3; p++) stepStart[p] = x[p]!
  }
}

/** A pinned particle moves evenly to its target over the step. */
export function aimPins(state: State, settings: Readonly<WorldSettings>): void {
  const { positions: x, velocities: v, inverseMasses: w, targets } = state
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      if (w[i] !== 0) continue
      for (let p = i * 3; p < i * 3 + 3; p++) v[p] = (targets[p]! - x[p]!) / settings.timeStep
    }
  }
}

/** v += h (g + f / m). */
export function accelerate(state: State, settings: Readonly<WorldSettings>): void {
  const { velocities: v, inverseMasses: w, forces } = state
  const h = settings.timeStep / settings.substeps
  const { gravity } = settings
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    const scale = body.settings.gravityScale * h
    const gx = gravity[0] * scale
    const gy = gravity[1] * scale
    const gz = gravity[2] * scale
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      const wi = w[i]!
      if (wi === 0) continue
      const p = i * 3
      v[p] = v[p]! + gx + h * wi * forces[p]!
      v[p + 1] = v[p + 1]! + gy + h * wi * forces[p + 1]!
      v[p + 2] = v[p + 2]! + gz + h * wi * forces[p + 2]!
    }
  }
}

/** x += h v. */
export function move(state: State, h: Float64Array): void {
  const { positions: x, previous, velocities: v } = state
  const dt = h[0]!
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    for (let p = body.start * 3; p < (body.start + body.model.particleCount) * 3; p++) {
      previous[p] = x[p]!
      x[p] = x[p]! + dt * v[p]!
    }
  }
}

/** v = (x - previous) / h. */
export function updateVelocities(state: State, h: Float64Array): void {
  const { positions: x, previous, velocities: v, inverseMasses: w } = state
  const rate = 1 / h[0]!
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      if (w[i] === 0) continue // a pin keeps the velocity of its way to the target
      const p = i * 3
      v[p] = (x[p]! - previous[p]!) * rate
      v[p + 1] = (x[p + 1]! - previous[p + 1]!) * rate
      v[p + 2] = (x[p + 2]! - previous[p + 2]!) * rate
    }
  }
}

/** Targets are reached: pins stand exactly on theirs, colliders at the end of their sweep; forces are spent. */
export function arrive(state: State): void {
  const { positions: x, inverseMasses: w, targets, forces } = state
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep) continue
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      for (let p = i * 3; p < i * 3 + 3; p++) {
        if (w[i] === 0) x[p] = targets[p]!
        forces[p] = 0
      }
    }
  }
  for (let c = 0; c < state.colliders.live.length; c++) {
    const { pose, target } = state.colliders.live[c]!
    pose.set(target)
  }
}

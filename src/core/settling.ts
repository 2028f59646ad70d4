import { dampShape, none } from './damping.js'
import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/** Share of its way in a substep that a particle goes as long as it goes one way. */
const SHARE = 0.25
/** How much a substep weighs in the means of ways: one over how many they remember. */
const WEIGHT = 0.03
/** Numbers of a particle: the mean of its ways [m], x, y, z, and of their lengths [m]. */
const SIZE = 4

const all = Float64Array.of(1)
const empty = new Float64Array(0)

/** Lets a body settle from now on, see `settle`. */
export function beginSettling(body: BodyRecord): void {
  body.settling = new Float64Array(SIZE * body.model.particleCount)
}

export function endSettling(body: BodyRecord): void {
  body.settling = empty
}

/** False as well where it has been torn since. */
export function settles({ settling, model }: BodyRecord): boolean {
  return settling.length > 0 && settling.length === SIZE * model.particleCount
}

/**
 * At the end of a substep of h[0] [s], bodies that settle keep nothing but their rigid motion, and of what their
 * constraints have moved a particle it goes a part: the less, the more it goes to and fro, in however many substeps. So
 * what no sweep can solve ends where it is on average, and what the whole pushes one way gets there within some steps.
 * Velocities keep their linear and angular momentum.
 */
export function settle(state: State, h: Float64Array): void {
  for (let b = 0; b < state.bodies.live.length; b++) {
    const body = state.bodies.live[b]!
    if (body.asleep || !settles(body)) continue
    dampShape(state, body, all, none)
    goInPart(state, body, h)
  }
}

function goInPart(state: State, { start, settling, model }: BodyRecord, h: Float64Array): void {
  const { positions: x, previous, velocities: v, inverseMasses: w } = state
  const dt = h[0]!
  const end = start + model.particleCount
  for (let i = start, s = 0; i < end; i++, s += SIZE) {
    if (w[i] === 0) continue
    const p = 3 * i
    const rx = previous[p]! + dt * v[p]!
    const ry = previous[p + 1]! + dt * v[p + 1]!
    const rz = previous[p + 2]! + dt * v[p + 2]!
    const dx = x[p]! - rx
    const dy = x[p + 1]! - ry
    const dz = x[p + 2]! - rz
    const mx = settling[s]! + WEIGHT * (dx - settling[s]!)
    const my = settling[s + 1]! + WEIGHT * (dy - settling[s + 1]!)
    const mz = settling[s + 2]! + WEIGHT * (dz - settling[s + 2]!)
    const length = settling[s + 3]! + WEIGHT * (Math.sqrt(dx * dx + dy * dy + dz * dz) - settling[s + 3]!)
    settling[s] = mx
    settling[s + 1] = my
    settling[s + 2] = mz
    settling[s + 3] = length
    const onward = (mx * mx + my * my + mz * mz) / Math.max(length * length, Number.MIN_VALUE)
    const share = SHARE * onward * onward
    x[p] = rx + share * dx
    x[p + 1] = ry + share * dy
    x[p + 2] = rz + share * dz
  }
}

import type { BodyRecord } from '../../records.js'
import type { State } from '../../state.js'

/** Of the body last measured: its centre of mass [m] and that one's velocity [m/s]. */
export const center = new Float64Array(3)
export const velocity = new Float64Array(3)
/** How much it yields as a whole [1/kg]: 0 where it is pinned or sleeps. */
export const yielding = new Float64Array(1)
/** The mean square of its particles' velocities against that [m^2/s^2]. */
export const stir = new Float64Array(1)
/** Of two bodies, the square of the velocity at which their centres pass, and the larger of both `stir` [m^2/s^2]. */
export const passing = new Float64Array(2)
/** What `shiftWhole` and `pushWhole` move a body by [m]. */
export const shift = new Float64Array(3)

/** Measures a body as a whole. */
export function measureWhole(
  { positions: x, velocities: v, masses, inverseMasses: w }: State,
  { start, model, mass, asleep }: BodyRecord,
): void {
  center.fill(0)
  velocity.fill(0)
  yielding[0] = asleep ? 0 : 1 / mass
  stir[0] = 0
  for (let i = start; i < start + model.particleCount; i++) {
    if (w[i] === 0) yielding[0] = 0
    const share = masses[i]! / mass
    for (let d = 0; d < 3; d++) {
      center[d] = center[d]! + share * x[i * 3 + d]!
      velocity[d] = velocity[d]! + share * v[i * 3 + d]!
      stir[0] = stir[0] + share * v[i * 3 + d]! * v[i * 3 + d]!
    }
  }
  for (let d = 0; d < 3; d++) stir[0] = stir[0] - velocity[d]! * velocity[d]!
}

/** Measures how two bodies pass each other, into `passing`. */
export function measurePassing(state: State, one: BodyRecord, other: BodyRecord): void {
  measureWhole(state, one)
  const vx = velocity[0]!
  const vy = velocity[1]!
  const vz = velocity[2]!
  const stirred = stir[0]!
  measureWhole(state, other)
  const dx = vx - velocity[0]!
  const dy = vy - velocity[1]!
  const dz = vz - velocity[2]!
  passing[0] = dx * dx + dy * dy + dz * dz
  passing[1] = Math.max(stirred, stir[0]!)
}

/**
 * Puts a body elsewhere, by `shift`, as if it had always been there. Adds to spins[o] the angular momentum about the origin
 * that it gets by that [kg m^2/s].
 */
export function shiftWhole(state: State, body: BodyRecord, spins: Float64Array, o: number): void {
  const { mass } = body
  measureWhole(state, body)
  const mx = shift[0]! * mass
  const my = shift[1]! * mass
  const mz = shift[2]! * mass
  spins[o] = spins[o]! + my * velocity[2]! - mz * velocity[1]!
  spins[o + 1] = spins[o + 1]! + mz * velocity[0]! - mx * velocity[2]!
  spins[o + 2] = spins[o + 2]! + mx * velocity[1]! - my * velocity[0]!
  placeWhole(state, body)
}

/** Puts a body elsewhere, by `shift`, as if it had always been there. */
export function placeWhole({ positions: x, previous: y }: State, { start, model }: BodyRecord): void {
  for (let d = 0; d < 3; d++) {
    const far = shift[d]!
    for (let p = start * 3 + d; p < (start + model.particleCount) * 3; p += 3) {
      x[p] = x[p]! + far
      y[p] = y[p]! + far
    }
  }
}

/** Moves a body by `shift` within the substep: its velocity changes by as much. */
export function pushWhole({ positions: x }: State, { start, model }: BodyRecord): void {
  for (let d = 0; d < 3; d++) {
    const far = shift[d]!
    for (let p = start * 3 + d; p < (start + model.particleCount) * 3; p += 3) x[p] = x[p]! + far
  }
}

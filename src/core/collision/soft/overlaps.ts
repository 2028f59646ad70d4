import type { BodyRecord, State } from '../../state.js'
import { NEAR, near } from './closest.js'
import { roomy } from './columns.js'

/** Speed at which overlapping solids are drawn apart [m/s]. */
const SPEED = 2

/** Relative speed up to which two bodies count as lying in each other [m/s]. */
const SLOW = 0.2

/** Share of a body's surface particles that must be in another one: a fall presses in fewer. */
const SWALLOWED = 0.05

/** What the bodies' centres say of the way out, beside what the nearest surfaces say. */
const CENTERS = 0.2

const center = new Float64Array(3)
const mass = new Float64Array(1)

/**
 * Solids that overlap deeply, since they were put so. Each particle knows a way out, but not all the same one, and the
 * body would be drawn out in all directions: so contact of the two stands down, and both are moved apart as wholes, in
 * the mean direction, until no particle of one is deep in the other (after Heidelberger et al. 2004).
 */
export class Overlaps {
  /** Pairs of bodies. */
  count = 0
  /** [2 n] live bodies. */
  private bodies = new Uint32Array(0)
  /** [3 n] sum of the unit ways out of the first body's particles, less those of the second's; then the direction. */
  private ways = new Float64Array(0)
  /** [2 n] how many particles of the first are in the second, and of the second in the first. */
  private found = new Uint32Array(0)

  clear(): void {
    this.count = 0
  }

  /** A particle of live body `a` is in live body `b`; `near` tells the nearest surface. */
  add(a: number, b: number): void {
    const size = Math.sqrt(near[NEAR.SQUARE]!)
    if (size === 0) return
    const k = this.placeOf(Math.min(a, b), Math.max(a, b))
    // The gap points from the surface to the particle: the way out is against it.
    const scale = (a < b ? -1 : 1) / size
    for (let d = 0; d < 3; d++) this.ways[k * 3 + d] = this.ways[k * 3 + d]! + scale * near[NEAR.GAP + d]!
    const side = k * 2 + (a < b ? 0 : 1)
    this.found[side] = this.found[side]! + 1
  }

  /** True where two live bodies overlap. */
  has(a: number, b: number): boolean {
    const first = Math.min(a, b)
    const second = Math.max(a, b)
    for (let k = 0; k < this.count; k++) {
      if (this.bodies[k * 2] === first && this.bodies[k * 2 + 1] === second) return true
    }
    return false
  }

  private placeOf(first: number, second: number): number {
    for (let k = 0; k < this.count; k++) {
      if (this.bodies[k * 2] === first && this.bodies[k * 2 + 1] === second) return k
    }
    const k = this.count++
    this.bodies = roomy(this.bodies, this.count * 2)
    this.ways = roomy(this.ways, this.count * 3)
    this.found = roomy(this.found, this.count * 2)
    this.bodies[k * 2] = first
    this.bodies[k * 2 + 1] = second
    this.ways.fill(0, k * 3, k * 3 + 3)
    this.found.fill(0, k * 2, k * 2 + 2)
    return k
  }

  /** Drops the pairs that only press into each other; all particles are known. `starts` are those of the bodies' vertices. */
  keepSwallowed(starts: Uint32Array): void {
    let kept = 0
    for (let k = 0; k < this.count; k++) {
      const a = this.bodies[k * 2]!
      const b = this.bodies[k * 2 + 1]!
      const first = this.found[k * 2]! > SWALLOWED * (starts[a + 1]! - starts[a]!)
      const second = this.found[k * 2 + 1]! > SWALLOWED * (starts[b + 1]! - starts[b]!)
      if (!first && !second) continue
      for (let d = 0; d < 2; d++) {
        this.bodies[kept * 2 + d] = this.bodies[k * 2 + d]!
        this.found[kept * 2 + d] = this.found[k * 2 + d]!
      }
      for (let d = 0; d < 3; d++) this.ways[kept * 3 + d] = this.ways[k * 3 + d]!
      kept++
    }
    this.count = kept
  }

  /** Chooses the directions. */
  direct(state: State): void {
    for (let k = 0; k < this.count; k++) {
      const o = k * 3
      for (let d = 0; d < 3; d++) this.ways[o + d] = this.ways[o + d]! / (this.found[k * 2]! + this.found[k * 2 + 1]!)
      measure(state, state.bodies.live[this.bodies[k * 2]!]!)
      const x = center[0]!
      const y = center[1]!
      const z = center[2]!
      measure(state, state.bodies.live[this.bodies[k * 2 + 1]!]!)
      const dx = x - center[0]!
      const dy = y - center[1]!
      const dz = z - center[2]!
      const apart = Math.sqrt(dx * dx + dy * dy + dz * dz)
      const scale = apart > 0 ? CENTERS / apart : 0
      // Of two that are nearly at one place, each particle is nearest to the side that would bring them there wholly.
      if (dx * this.ways[o]! + dy * this.ways[o + 1]! + dz * this.ways[o + 2]! < 0) this.ways.fill(0, o, o + 3)
      this.ways[o] = this.ways[o]! + scale * dx
      this.ways[o + 1] = this.ways[o + 1]! + scale * dy
      this.ways[o + 2] = this.ways[o + 2]! + scale * dz
      let size = 0
      for (let d = o; d < o + 3; d++) size += this.ways[d]! * this.ways[d]!
      size = Math.sqrt(size)
      // Two that fill the same place have no way out that is better than another.
      if (size === 0) this.ways[o + 1] = 1
      else for (let d = o; d < o + 3; d++) this.ways[d] = this.ways[d]! / size
    }
    this.keepSlow(state)
  }

  /** Two that run into each other, or rebound, do not overlap: contact brakes them. */
  private keepSlow({ bodies, velocities: v, masses }: State): void {
    let kept = 0
    for (let k = 0; k < this.count; k++) {
      let closing = 0
      for (let side = 0; side < 2; side++) {
        const { start, model, mass: whole } = bodies.live[this.bodies[k * 2 + side]!]!
        const sign = side === 0 ? -1 : 1
        for (let i = start; i < start + model.particleCount; i++) {
          for (let d = 0; d < 3; d++) closing += ((sign * masses[i]!) / whole) * v[i * 3 + d]! * this.ways[k * 3 + d]!
        }
      }
      if (Math.abs(closing) > SLOW) continue
      for (let d = 0; d < 2; d++) this.bodies[kept * 2 + d] = this.bodies[k * 2 + d]!
      for (let d = 0; d < 3; d++) this.ways[kept * 3 + d] = this.ways[k * 3 + d]!
      kept++
    }
    this.count = kept
  }

  /** Moves overlapping bodies apart for a substep of h[0] [s]; their centre of mass stays, and nothing gets faster. */
  part(state: State, h: Float64Array): void {
    for (let k = 0; k < this.count; k++) {
      const a = state.bodies.live[this.bodies[k * 2]!]!
      const b = state.bodies.live[this.bodies[k * 2 + 1]!]!
      measure(state, a)
      const first = mass[0]!
      measure(state, b)
      const second = mass[0]!
      if (first === 0 && second === 0) continue
      const far = SPEED * h[0]!
      center[0] = (far * first) / (first + second)
      shift(state, a, this.ways, k * 3)
      center[0] = (-far * second) / (first + second)
      shift(state, b, this.ways, k * 3)
    }
  }
}

/** A body's centre of mass [m], and in `mass` what it yields [1/kg]: 0 where it is pinned or sleeps. */
function measure(
  { positions: x, masses, inverseMasses: w }: State,
  { start, model, mass: whole, asleep }: BodyRecord,
): void {
  center.fill(0)
  mass[0] = asleep ? 0 : 1 / whole
  for (let i = start; i < start + model.particleCount; i++) {
    if (w[i] === 0) mass[0] = 0
    for (let d = 0; d < 3; d++) center[d] = center[d]! + (masses[i]! / whole) * x[i * 3 + d]!
  }
}

/** Moves a body by center[0] along the direction at ways[o], as if it had always been there. */
function shift(
  { positions: x, previous: y }: State,
  { start, model }: BodyRecord,
  ways: Float64Array,
  o: number,
): void {
  for (let d = 0; d < 3; d++) {
    const by = center[0]! * ways[o + d]!
    if (by === 0) continue
    for (let p = start * 3 + d; p < (start + model.particleCount) * 3; p += 3) {
      x[p] = x[p]! + by
      y[p] = y[p]! + by
    }
  }
}

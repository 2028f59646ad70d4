import type { BodyRecord, State } from '../../state.js'
import { NEAR, near } from './closest.js'
import { roomy } from './columns.js'

/** Speed at which overlapping solids are drawn apart [m/s]. */
const SPEED = 2

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
  private found = new Uint32Array(0)

  clear(): void {
    this.count = 0
  }

  /** A particle of live body `a` is deep in live body `b`; `near` tells the nearest surface. */
  add(a: number, b: number): void {
    const size = Math.sqrt(near[NEAR.SQUARE]!)
    if (size === 0) return
    const k = this.placeOf(Math.min(a, b), Math.max(a, b))
    // The gap points from the surface to the particle: the way out is against it.
    const scale = (a < b ? -1 : 1) / size
    for (let d = 0; d < 3; d++) this.ways[k * 3 + d] = this.ways[k * 3 + d]! + scale * near[NEAR.GAP + d]!
    this.found[k] = this.found[k]! + 1
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
    this.found = roomy(this.found, this.count)
    this.bodies[k * 2] = first
    this.bodies[k * 2 + 1] = second
    this.ways.fill(0, k * 3, k * 3 + 3)
    this.found[k] = 0
    return k
  }

  /** Chooses the directions, all particles being known. */
  direct(state: State): void {
    for (let k = 0; k < this.count; k++) {
      const o = k * 3
      for (let d = 0; d < 3; d++) this.ways[o + d] = this.ways[o + d]! / this.found[k]!
      measure(state, state.bodies.live[this.bodies[k * 2]!]!)
      const [x, y, z] = [center[0]!, center[1]!, center[2]!]
      measure(state, state.bodies.live[this.bodies[k * 2 + 1]!]!)
      const [dx, dy, dz] = [x - center[0]!, y - center[1]!, z - center[2]!]
      const apart = Math.sqrt(dx * dx + dy * dy + dz * dz)
      const scale = apart > 0 ? CENTERS / apart : 0
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

/** A body's centre of mass [m], and in `mass` what it yields [1/kg]: 0 where it is pinned. */
function measure({ positions: x, masses, inverseMasses: w }: State, { start, model, mass: whole }: BodyRecord): void {
  center.fill(0)
  mass[0] = 1 / whole
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

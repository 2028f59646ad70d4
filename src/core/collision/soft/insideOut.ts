import { type BodyRecord, RESCUE } from '../../records.js'
import type { State } from '../../state.js'
import type { WorldSettings } from '../../worldSettings.js'
import { roomy } from './columns.js'
import type { SoftPairs } from './softPairs.js'
import type { Surfaces } from './surfaces.js'
import { measurePassing, passing } from './wholes.js'

/** Speed up to which one body lies on another, and either moves within [m/s]: what runs into it is not let in. */
const SLOW = 0.5

/** What is inside out for so long does not find back by itself [s]. */
const PATIENCE = 0.5
/** Share of the time in which it is not that is taken off. */
const FORGIVEN = 0.25

/**
 * Tetrahedra behind solids' surfaces that have been turned inside out. A weight that rests on one can hold it so, since it
 * takes less to hold it than to turn it. Contact there stands down for a step at a time, until the material has turned it
 * back. How it was when the substep began counts: by the time that contact is asked, the material has had its turn.
 */
export class InsideOut {
  /** By particle: 1 at the corners of a triangle behind which the last search found such a tetrahedron. */
  private marks = new Uint8Array(0)
  /** By live body: 1 where it has any. */
  private crushed = new Uint8Array(0)
  private any = false

  constructor(private readonly surfaces: Surfaces) {}

  /** A search begins. */
  clear(state: State): void {
    this.marks = roomy(this.marks, state.masses.length)
    this.crushed = roomy(this.crushed, this.surfaces.bodies.length)
    if (this.any) {
      this.marks.fill(0)
      this.crushed.fill(0)
    }
    this.any = false
  }

  /** Asks for those that have such tetrahedra. */
  askAgain(asked: Uint8Array): void {
    for (let b = 0; b < this.surfaces.bodies.length; b++) if (this.crushed[b] === 1) asked[b] = 1
  }

  /** Looks at the tetrahedron behind a triangle of all surfaces. */
  look({ previous: x }: State, t: number): void {
    const { triangles, apexes } = this.surfaces
    const a = triangles[t * 3]! * 3
    const b = triangles[t * 3 + 1]! * 3
    const c = triangles[t * 3 + 2]! * 3
    const p = apexes[t]! * 3
    if (p === a) return
    const ux = x[b]! - x[a]!
    const uy = x[b + 1]! - x[a + 1]!
    const uz = x[b + 2]! - x[a + 2]!
    const vx = x[c]! - x[a]!
    const vy = x[c + 1]! - x[a + 1]!
    const vz = x[c + 2]! - x[a + 2]!
    const px = x[p]! - x[a]!
    const py = x[p + 1]! - x[a + 1]!
    const pz = x[p + 2]! - x[a + 2]!
    // Six times the volume by which the fourth corner is above the triangle: below 0 where it is behind it.
    if (px * (uy * vz - uz * vy) + py * (uz * vx - ux * vz) + pz * (ux * vy - uy * vx) < 0) return
    this.any = true
    this.crushed[this.surfaces.bodyOf[triangles[t * 3]!]!] = 1
    for (let k = t * 3; k < t * 3 + 3; k++) this.marks[triangles[k]!] = 1
  }

  /** True where the last search found such a tetrahedron in a live body. */
  has(b: number): boolean {
    return this.crushed[b] === 1
  }

  /** Counts, once a step, for how long bodies have been inside out, anew once that was long. */
  count({ timeStep }: Readonly<WorldSettings>): void {
    const { bodies } = this.surfaces
    for (let b = 0; b < bodies.length; b++) {
      const { asleep, rescue } = bodies[b]!
      const time = rescue[RESCUE.TURNED]!
      if (asleep) continue
      if (time > PATIENCE) rescue[RESCUE.TURNED] = 0
      else rescue[RESCUE.TURNED] = this.has(b) ? time + timeStep : Math.max(0, time - FORGIVEN * timeStep)
    }
  }

  /** Lets the pairs of two solids stand down, from the `from`-th on, whose particle or triangle is inside out. */
  standDown(state: State, pairs: SoftPairs, from: number): void {
    if (!this.any) return
    const { marks } = this
    let first = -1
    let second = -1
    let slow = false
    const { particles } = pairs
    for (let pair = from; pair < pairs.count; pair++) {
      if (pairs.slow[pair] === 0 || pairs.silent[pair] !== 0) continue
      const k = pair * 4
      const triangle = marks[particles[k + 1]!]! & marks[particles[k + 2]!]! & marks[particles[k + 3]!]!
      if ((marks[particles[k]!]! | triangle) === 0) continue
      if (pairs.first[pair] !== first || pairs.second[pair] !== second) {
        first = pairs.first[pair]!
        second = pairs.second[pair]!
        slow = this.isSlow(state, first, second)
      }
      if (slow) pairs.silent[pair] = 2
    }
  }

  /** True where neither passes the other, nor springs, as one does at the turn of an impact, where their centres stand still. */
  private isSlow(state: State, a: number, b: number): boolean {
    measurePassing(state, this.surfaces.bodies[a]!, this.surfaces.bodies[b]!)
    return Math.max(passing[0]!, passing[1]!) <= SLOW * SLOW
  }
}

/** True where a body's surface has been inside out beside others for long. */
export function isStuck({ rescue }: BodyRecord): boolean {
  return rescue[RESCUE.TURNED]! > PATIENCE
}

import type { Model } from '../model.js'
import type { Fans } from './fans.js'
import type { Loads } from './load.js'
import { elementsOf, type Weave, weaveOf } from './weave.js'

/** How far a line goes on to either side, and how far what is about it, in cells. */
const LONG = 6
const WIDE = 2

/**
 * Loads across lines through particles, across the pull.
 *
 * What the solver has not evened out differs from triangle to triangle by a quarter and more, and much of that from one
 * patch of an irregular mesh to the next, but what is handed on across all of a strip is its load, at any line across it.
 * So triangles count by A grad(f) . d, f a function of the particles that rises along the pull d from one side of the
 * line to the other: the sum of A (T grad f) . d over a whole strip is then its load exactly, since forces on free
 * particles are in balance (virtual work). To the ends of the line triangles count less and less.
 */
export class Lines {
  private readonly elements: Uint32Array
  private readonly rest: Float64Array
  private readonly weave: Weave
  /** The triangle of each of the fans' corners. */
  private readonly triangles: Uint32Array
  /** By triangle: the last search that came by it. By particle: that which placed it, and that which goes on from it. */
  private readonly seen: Uint32Array
  private readonly placed: Uint32Array
  private readonly met: Uint32Array
  /** By particle that is placed: the way to it along the line, and its height over it [4 n] m. */
  private readonly places: Float64Array
  /** The particles that the last search has gone on from. */
  private readonly reached: Uint32Array
  private count = 0
  private readonly search = new Uint32Array(1)

  constructor(
    private readonly model: Model,
    private readonly fans: Fans,
    private readonly loads: Loads,
  ) {
    this.weave = weaveOf(model)
    this.elements = elementsOf(model)
    this.rest = model.sets[this.weave.membrane]!.rest
    this.triangles = fans.corners.map((corner) => Math.floor(corner / 3))
    this.seen = new Uint32Array(this.weave.areas.length)
    this.placed = new Uint32Array(model.particleCount)
    this.met = new Uint32Array(model.particleCount)
    this.places = new Float64Array(4 * model.particleCount)
    this.reached = new Uint32Array(model.particleCount)
  }

  /**
   * Whether the line through a particle bears more than its strength.
   * @param pull unit direction at rest
   * @param cells by particle: side of the cells about it [m]
   */
  isOver(particle: number, pull: Float64Array, cells: Float64Array): boolean {
    const { elements, rest, loads, fans, triangles, seen, met, places, reached, search } = this
    const { starts } = fans
    const { areas, threads } = this.weave
    const px = pull[0]!
    const py = pull[1]!
    const pz = pull[2]!
    const wide = WIDE * cells[particle]!
    const long = 3 * LONG * cells[particle]!
    let sum = 0
    let weights = 0
    let count = 1
    search[0]!++
    const now = search[0]!
    reached[0] = particle
    met[particle] = now
    for (let k = 0; k < count; k++) {
      const end = starts[reached[k]! + 1]!
      for (let at = starts[reached[k]!]!; at < end; at++) {
        const t = triangles[at]!
        if (seen[t] === now) continue
        seen[t] = now
        this.place(t, particle, pull)
        const i = elements[3 * t]!
        const j = elements[3 * t + 1]!
        const l = elements[3 * t + 2]!
        const x = places[4 * i]! + places[4 * j]! + places[4 * l]!
        const y = places[4 * i + 1]! + places[4 * j + 1]! + places[4 * l + 1]!
        const z = places[4 * i + 2]! + places[4 * j + 2]! + places[4 * l + 2]!
        const share = 1 - Math.sqrt(x * x + y * y + z * z) / long
        if (share <= 0) continue
        const height = Math.max(-wide, Math.min(wide, places[4 * i + 3]!))
        const one = Math.max(-wide, Math.min(wide, places[4 * j + 3]!)) - height
        const two = Math.max(-wide, Math.min(wide, places[4 * l + 3]!)) - height
        if (one === 0 && two === 0) continue
        const gu = one * rest[4 * t]! + two * rest[4 * t + 2]!
        const gv = one * rest[4 * t + 1]! + two * rest[4 * t + 3]!
        const u = threads[6 * t]! * px + threads[6 * t + 1]! * py + threads[6 * t + 2]! * pz
        const v = threads[6 * t + 3]! * px + threads[6 * t + 4]! * py + threads[6 * t + 5]! * pz
        const weight = share * areas[t]!
        sum += weight * (loads[3 * t]! * gu * u + loads[3 * t + 1]! * gv * v + loads[3 * t + 2]! * (gu * v + gv * u))
        weights += weight * (gu * u + gv * v)
        for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
          const other = elements[corner]!
          if (met[other] === now) continue
          met[other] = now
          reached[count++] = other
        }
      }
    }
    this.count = count
    return weights > 0 && sum > weights
  }

  /** Marks the particles near to the last line's, as far as `near[0]` cells along the line and over it. */
  markNear(marks: Uint8Array, mark: number, cells: Float64Array, near: Float64Array): void {
    const { reached, places } = this
    const away = near[0]! * cells[reached[0]!]!
    for (let k = 0; k < this.count; k++) {
      const p = 4 * reached[k]!
      const along = places[p]! * places[p]! + places[p + 1]! * places[p + 1]! + places[p + 2]! * places[p + 2]!
      if (along <= away * away && Math.abs(places[p + 3]!) <= away) marks[reached[k]!]! |= mark
    }
  }

  /** Where the particles of a triangle are, seen from the one that the line goes through. */
  private place(t: number, from: number, pull: Float64Array): void {
    const { elements, placed, places } = this
    const { positions } = this.model
    for (let c = 3 * t; c < 3 * t + 3; c++) {
      const particle = elements[c]!
      if (placed[particle] === this.search[0]) continue
      placed[particle] = this.search[0]!
      const x = positions[3 * particle]! - positions[3 * from]!
      const y = positions[3 * particle + 1]! - positions[3 * from + 1]!
      const z = positions[3 * particle + 2]! - positions[3 * from + 2]!
      const height = x * pull[0]! + y * pull[1]! + z * pull[2]!
      places[4 * particle] = x - height * pull[0]!
      places[4 * particle + 1] = y - height * pull[1]!
      places[4 * particle + 2] = z - height * pull[2]!
      places[4 * particle + 3] = height
    }
  }
}

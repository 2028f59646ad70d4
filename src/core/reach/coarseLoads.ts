import type { LevelSource } from './coarseGrid.js'
import type { Level } from './coarseLevel.js'
import { type Holds, LEFT } from './holds.js'

/**
 * What particles bear that are held singly (`Holds`) of the pulls of a sheet's levels, which take them for pinned. A pull p
 * at a point of a level moves it by w p, and with it the free particles below, by their weights: these gain G w p, G the sum
 * of weight times mass over the steps from level to level. The rest of p is borne by what is pinned or held below, each
 * particle by its part in that mass. Where a point is pinned as a whole w is next to nothing, so that its way tells of p.
 */
export class CoarseLoads {
  /** By level: its points that have held particles below, of which that is, and what it bears a metre of their way [kg]. */
  private readonly points: readonly Uint32Array[]
  private readonly bearers: readonly Uint32Array[]
  private readonly parts: readonly Float64Array[]
  /** By entry: where the point was before the level's own pulls [m]. */
  private readonly before: readonly Float64Array[]
  /** By held particle [kg m]. */
  private readonly loads: Float64Array

  /**
   * @param levels from fine to coarse
   * @param finest what the first of them is over
   * @param held places in it
   */
  constructor(
    levels: readonly Level[],
    finest: LevelSource,
    held: readonly number[],
    /** The particles there, in the body's own numbers. */
    private readonly particles: readonly number[],
  ) {
    let finer = finest
    let gains = finest.masses.map((mass, k) => mass * finest.free[k]!)
    let still = finest.masses.map((mass, k) => mass * (1 - finest.free[k]!))
    let bearing = held.map((place) => new Map([[place, finest.masses[place]!]]))
    const entries = levels.map((level) => {
      const { coarse, weights, shares } = level.means
      const above = { gains: new Float64Array(level.inverseMasses.length), still: level.inverseMasses.map(() => 0) }
      const each = (k: number, act: (K: number, weight: number, counts: boolean) => void) => {
        for (let e = 4 * k; e < 4 * k + 4; e++) act(coarse[e]!, weights[e]!, shares[e] !== 0)
      }
      finer.points.forEach((_, k) =>
        each(k, (K, weight, counts) => {
          if (finer.free[k] !== 0) above.gains[K] = above.gains[K]! + weight * gains[k]!
          if (counts) above.still[K] = above.still[K]! + weight * still[k]!
        }),
      )
      bearing = bearing.map((below) => {
        const over = new Map<number, number>()
        for (const [k, mass] of below) {
          each(k, (K, weight, counts) => {
            if (counts) over.set(K, (over.get(K) ?? 0) + weight * mass)
          })
        }
        return over
      })
      const found = bearing.flatMap((over, bearer) =>
        [...over].map(([point, mass]) => {
          const w = level.inverseMasses[point]! || LEFT / level.source.masses[point]!
          level.inverseMasses[point] = w
          return { point, bearer, part: ((mass / above.still[point]!) * (1 - above.gains[point]! * w)) / w }
        }),
      )
      finer = level.source
      gains = above.gains
      still = above.still
      return found
    })
    this.points = entries.map((list) => Uint32Array.from(list, ({ point }) => point))
    this.bearers = entries.map((list) => Uint32Array.from(list, ({ bearer }) => bearer))
    this.parts = entries.map((list) => Float64Array.from(list, ({ part }) => part))
    this.before = entries.map((list) => new Float64Array(3 * list.length))
    this.loads = new Float64Array(3 * held.length)
  }

  /** True where one of them is put far away in this substep, of a body that starts at `first`. */
  isFlung(holds: Holds, first: number): boolean {
    for (let k = 0; k < this.particles.length; k++) if (holds.isFar(first + this.particles[k]!)) return true
    return false
  }

  /** Level `l` is about to pull. */
  note(l: number, x: Float64Array): void {
    const points = this.points[l]!
    const before = this.before[l]!
    for (let e = 0; e < points.length; e++) for (let d = 0; d < 3; d++) before[e * 3 + d] = x[points[e]! * 3 + d]!
  }

  /** It has pulled. */
  add(l: number, x: Float64Array): void {
    const points = this.points[l]!
    const bearers = this.bearers[l]!
    const parts = this.parts[l]!
    const before = this.before[l]!
    const { loads } = this
    for (let e = 0; e < points.length; e++) {
      const to = bearers[e]! * 3
      for (let d = 0; d < 3; d++) {
        loads[to + d] = loads[to + d]! + parts[e]! * (x[points[e]! * 3 + d]! - before[e * 3 + d]!)
      }
    }
  }

  /** Draws at the held particles, of a body that starts at x[3 first] and w[first], by what they bear. */
  draw(x: Float64Array, w: Float64Array, first: number): void {
    const { particles, loads } = this
    for (let k = 0; k < particles.length; k++) {
      const i = first + particles[k]!
      for (let d = 0; d < 3; d++) x[i * 3 + d] = x[i * 3 + d]! + w[i]! * loads[k * 3 + d]!
    }
    loads.fill(0)
  }
}

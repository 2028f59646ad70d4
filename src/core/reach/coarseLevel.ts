import type { LevelSource } from './coarseGrid.js'

/** A cloth that is drawn between pins is strained as evenly as its threads tell only after some. */
const SWEEPS = 4

/** A coarser grid over a finer one: see `CoarseLevels`. Its points are numbered by row, in each by column. */
export class Level {
  /** Means of the finer points [m], [3 n]. */
  readonly x: Float64Array
  /** By side: what coarser levels bear of it, multipliers per area. */
  readonly given: Float64Array
  /** `x` before it was moved. */
  private readonly before: Float64Array
  /** By side. */
  private readonly lambda: Float64Array
  private readonly resting: Uint8Array

  constructor(
    readonly source: LevelSource,
    /** [n] 1/kg; 0 where it is pinned, next to that where it is held (`CoarseLoads`). */
    readonly inverseMasses: Float64Array,
    readonly means: Means,
    private readonly sides: Sides,
    private readonly shares: Shares,
  ) {
    const count = inverseMasses.length
    this.x = new Float64Array(3 * count)
    this.given = new Float64Array(sides.lengths.length)
    this.before = new Float64Array(3 * count)
    this.lambda = new Float64Array(sides.lengths.length)
    this.resting = new Uint8Array(sides.lengths.length)
  }

  /** @param compliances / h^2 of a square metre along u and v */
  soften(compliances: ArrayLike<number>): void {
    const { along, areas, alphas } = this.sides
    for (let side = 0; side < areas.length; side++) alphas[side] = compliances[side < along ? 0 : 1]! / areas[side]!
  }

  /** Lets sides rest whose points cover torn ones, and returns these points. */
  rest(torn: ReadonlySet<number>): ReadonlySet<number> {
    const { points, starts, coarse } = this.means
    const { ends } = this.sides
    const over = new Set<number>()
    for (let k = 0; k < points.length; k++) {
      if (torn.has(points[k]!)) for (let e = starts[k]!; e < starts[k + 1]!; e++) over.add(coarse[e]!)
    }
    for (let side = 0; side < this.resting.length; side++) {
      this.resting[side] = over.has(ends[side * 2]!) || over.has(ends[side * 2 + 1]!) ? 1 : 0
    }
    return over
  }

  /** Sets the points to the means of the finer ones, which start at x[3 first]. */
  gather(x: Float64Array, first: number): void {
    const { points, starts, coarse, shares } = this.means
    const means = this.x
    means.fill(0)
    for (let k = 0; k < points.length; k++) {
      const p = (first + points[k]!) * 3
      for (let e = starts[k]!; e < starts[k + 1]!; e++) {
        const q = coarse[e]! * 3
        const share = shares[e]!
        means[q] = means[q]! + share * x[p]!
        means[q + 1] = means[q + 1]! + share * x[p + 1]!
        means[q + 2] = means[q + 2]! + share * x[p + 2]!
      }
    }
    this.before.set(means)
  }

  /** Sweeps over the sides: each that is too long for what it bears pulls. */
  pull(): void {
    const { lambda, given, resting } = this
    const { areas } = this.sides
    for (let side = 0; side < areas.length; side++) lambda[side] = resting[side] === 0 ? areas[side]! * given[side]! : 0
    for (let sweep = 0; sweep < SWEEPS; sweep++) pullSides(this.sides, resting, this.inverseMasses, this.x, lambda)
  }

  /** Moves the finer points that are free, which start at x[3 first]. */
  move(x: Float64Array, first: number): void {
    const { points, free, starts, coarse, weights } = this.means
    const { x: means, before } = this
    for (let k = 0; k < points.length; k++) {
      if (free[k] === 0) continue // pinned
      const p = (first + points[k]!) * 3
      for (let e = starts[k]!; e < starts[k + 1]!; e++) {
        const q = coarse[e]! * 3
        const weight = weights[e]!
        x[p] = x[p]! + weight * (means[q]! - before[q]!)
        x[p + 1] = x[p + 1]! + weight * (means[q + 1]! - before[q + 1]!)
        x[p + 2] = x[p + 2]! + weight * (means[q + 2]! - before[q + 2]!)
      }
    }
  }

  /** Tells each finer side what is borne of it, by area. */
  tell(out: Float64Array): void {
    const { starts, sides, parts } = this.shares
    const { areas } = this.sides
    for (let finer = 0; finer + 1 < starts.length; finer++) {
      out[finer] = 0
      for (let e = starts[finer]!; e < starts[finer + 1]!; e++) {
        out[finer] = out[finer]! + (parts[e]! * this.lambda[sides[e]!]!) / areas[sides[e]!]!
      }
    }
  }
}

/** How the points of a coarser grid are means of the finer ones. */
export interface Means {
  /** By place in the finer grid: its point's number. */
  readonly points: Uint32Array
  /** By place: the part of its mass that no pin holds. */
  readonly free: Float64Array
  /** The points above that place: entries starts[k]..starts[k + 1] of what follows. */
  readonly starts: Uint32Array
  readonly coarse: Uint32Array
  /** Bilinear in the finer place; 1 together. A finer point follows the coarse ones by these. */
  readonly weights: Float64Array
  /** Part of the finer point in the mean of the coarse one. */
  readonly shares: Float64Array
}

/** Sides of a grid, first those along u, then those along v. */
export interface Sides {
  readonly along: number
  /** [2 s] */
  readonly ends: Uint32Array
  /** Between the means at rest [m]. */
  readonly lengths: Float64Array
  /** Of the cloth that a side stands for [m^2]. */
  readonly areas: Float64Array
  /** Compliances / h^2. */
  readonly alphas: Float64Array
}

/** What the sides of a level bear of each finer side: entries starts[f]..starts[f + 1]. */
export interface Shares {
  readonly starts: Uint32Array
  readonly sides: Uint32Array
  readonly parts: Float64Array
}

/** C = |a - b| / L - 1 <= 0. What a side bears may grow and fade, but it never pushes: no multiplier is above 0. */
function pullSides(
  { ends, lengths, alphas }: Sides,
  resting: Uint8Array,
  w: Float64Array,
  x: Float64Array,
  lambda: Float64Array,
): void {
  for (let side = 0; side < lengths.length; side++) {
    const a = ends[side * 2]!
    const b = ends[side * 2 + 1]!
    const wa = w[a]!
    const wb = w[b]!
    if (resting[side] === 1 || wa + wb === 0) continue
    const p = a * 3
    const q = b * 3
    const dx = x[p]! - x[q]!
    const dy = x[p + 1]! - x[q + 1]!
    const dz = x[p + 2]! - x[q + 2]!
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
    const length = lengths[side]!
    const before = lambda[side]!
    if (distance === 0 || (distance <= length && before === 0)) continue
    const alpha = alphas[side]!
    const C = distance / length - 1
    const change = Math.min(-(C + alpha * before) / ((wa + wb) / (length * length) + alpha), -before)
    lambda[side] = before + change
    const s = change / (length * distance)
    x[p] = x[p]! + s * wa * dx
    x[p + 1] = x[p + 1]! + s * wa * dy
    x[p + 2] = x[p + 2]! + s * wa * dz
    x[q] = x[q]! - s * wb * dx
    x[q + 1] = x[q + 1]! - s * wb * dy
    x[q + 2] = x[q + 2]! - s * wb * dz
  }
}

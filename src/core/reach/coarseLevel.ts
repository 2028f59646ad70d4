import type { LevelSource } from './coarseGrid.js'
import { type CellBearers, CoarseShear, FOLDED, TAUT } from './coarseShear.js'

/** A cloth that is drawn between pins is strained as evenly as its threads tell only after some. */
const SWEEPS = 4
/** Numbers of `Level.terms` a side. */
const TERMS = 5

/** A coarser grid over a finer one: see `CoarseLevels`. Its points are numbered by row, in each by column. */
export class Level {
  /** Means of the finer points [m], [3 n]. */
  readonly x: Float64Array
  /** By side: what coarser levels bear of it, multipliers per area. */
  readonly given: Float64Array
  readonly shear: CoarseShear
  /** `x` before it was moved, then by how much it was. */
  protected readonly moved: Float64Array
  /** By side: multipliers per area. */
  readonly lambda: Float64Array
  private readonly resting: Uint8Array
  /** Of the sides along u and v: / h^2, of a square metre. */
  private readonly compliances = new Float64Array(2)
  /** By side: L, 1 / L, by how much a multiplier answers to C, 0 where it rests, and by how much it moves the two ends. */
  private readonly terms: Float64Array
  /** Scratch of `move` and `tell`. */
  private readonly between: Float64Array

  constructor(
    readonly source: LevelSource,
    /** [n] 1/kg; 0 where it is pinned, next to that where it is held (`CoarseLoads`). */
    readonly inverseMasses: Float64Array,
    readonly means: Means,
    protected readonly sides: Sides,
    private readonly bearing: Bearing,
    bearers: CellBearers,
  ) {
    this.shear = new CoarseShear(source, inverseMasses, bearers)
    const count = inverseMasses.length
    this.x = new Float64Array(3 * count)
    this.given = new Float64Array(sides.lengths.length)
    this.moved = new Float64Array(3 * count)
    this.lambda = new Float64Array(sides.lengths.length)
    this.resting = new Uint8Array(sides.lengths.length)
    this.between = new Float64Array(3 * source.rows.length * means.across.parts.length)
    this.terms = new Float64Array(TERMS * sides.lengths.length)
  }

  /** @param compliances / h^2 of a square metre along u and v, and of their shear */
  soften(compliances: ArrayLike<number>): void {
    this.compliances.set([compliances[0]!, compliances[1]!])
    this.shear.soften(compliances[2]!)
    this.bakeTerms()
  }

  /** Lets sides and cells rest whose points cover torn ones, and returns these points. */
  rest(torn: ReadonlySet<number>): ReadonlySet<number> {
    const { points, coarse } = this.means
    const { ends, areas } = this.sides
    const over = new Set<number>()
    for (let k = 0; k < points.length; k++) {
      if (torn.has(points[k]!)) for (let e = k * 4; e < k * 4 + 4; e++) over.add(coarse[e]!)
    }
    for (let side = 0; side < this.resting.length; side++) {
      const isOver = over.has(ends[side * 2]!) || over.has(ends[side * 2 + 1]!)
      this.resting[side] = isOver || areas[side] === 0 ? 1 : 0
    }
    this.shear.rest(over)
    this.bakeTerms()
    return over
  }

  private bakeTerms(): void {
    const { along, ends, lengths, areas } = this.sides
    const { terms, compliances, resting, inverseMasses: w } = this
    for (let side = 0; side < areas.length; side++) {
      const length = lengths[side]!
      const area = areas[side]!
      const [wa, wb] = [w[ends[side * 2]!]!, w[ends[side * 2 + 1]!]!]
      const weight = wa + wb
      const still = resting[side] === 1 || weight === 0
      const at = side * TERMS
      terms[at] = length
      terms[at + 1] = 1 / length
      terms[at + 2] = still ? 0 : 1 / ((weight * area) / (length * length) + compliances[side < along ? 0 : 1]!)
      terms[at + 3] = (wa * area) / length
      terms[at + 4] = (wb * area) / length
    }
  }

  /** Sets the points to the means of the finer ones, which start at x[3 first]. */
  gather(x: Float64Array, first: number): void {
    const { below, belowShares } = this.means
    const means = this.x
    // One by one, as the places at rest were summed: what lies at rest is there to the last bit.
    const before = this.moved
    for (let K = 0; K < means.length; K += 3) {
      means[K] = 0
      means[K + 1] = 0
      means[K + 2] = 0
      for (let e = K * 3; e < K * 3 + 9; e += 3) {
        const a = (first + below[e]!) * 3
        const b = (first + below[e + 1]!) * 3
        const c = (first + below[e + 2]!) * 3
        const s = belowShares[e]!
        const t = belowShares[e + 1]!
        const u = belowShares[e + 2]!
        means[K] = means[K]! + s * x[a]! + t * x[b]! + u * x[c]!
        means[K + 1] = means[K + 1]! + s * x[a + 1]! + t * x[b + 1]! + u * x[c + 1]!
        means[K + 2] = means[K + 2]! + s * x[a + 2]! + t * x[b + 2]! + u * x[c + 2]!
      }
    }
    before.set(means)
  }

  /** Sweeps over the sides, each of which pulls that is too long for what it bears, and over the cells. */
  pull(): void {
    const columns = this.source.columns.length
    const rows = this.source.rows.length
    this.begin()
    this.shear.begin()
    const { along } = this.sides
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      for (let i = 0; i + 1 < columns; i++) this.pullAbreast(0, i * rows, rows, i, columns, 1)
      for (let j = 0; j + 1 < rows; j++) this.pullAbreast(1, along + j * columns, columns, j * columns, 1, columns)
      this.shear.pull(this.x)
    }
  }

  /**
   * Takes up what coarser levels bear. One that is short lies over folds, and has another direction than what was drawn:
   * taken up along the folds, that would be no force of a spring, and would drive them.
   */
  private begin(): void {
    const { x, lambda, given, resting } = this
    const { ends, lengths } = this.sides
    for (let side = 0; side < lambda.length; side++) {
      lambda[side] = resting[side] === 0 ? given[side]! : 0
      if (lambda[side] === 0) continue
      const p = ends[side * 2]! * 3
      const q = ends[side * 2 + 1]! * 3
      const dx = x[p]! - x[q]!
      const dy = x[p + 1]! - x[q + 1]!
      const dz = x[p + 2]! - x[q + 2]!
      const taut = (dx * dx + dy * dy + dz * dz) / (lengths[side]! * lengths[side]!)
      if (taut < TAUT) lambda[side] = taut > FOLDED ? (lambda[side]! * (taut - FOLDED)) / (TAUT - FOLDED) : 0
    }
  }

  /**
   * C = |a - b| / L - 1 <= 0, of `count` sides along a thread that lie abreast, so that none waits for the one before. What
   * a side bears may grow and fade, but it never pushes: no multiplier is above 0.
   * @param point where the first one begins, the next one `beside` that, each as far as `ahead`
   */
  private pullAbreast(thread: number, side: number, count: number, point: number, beside: number, ahead: number): void {
    const { x, lambda, terms } = this
    const alpha = this.compliances[thread]!
    for (let k = 0; k < count; k++) {
      const p = (point + k * beside) * 3
      const q = p + ahead * 3
      const at = (side + k) * TERMS
      const dx = x[p]! - x[q]!
      const dy = x[p + 1]! - x[q + 1]!
      const dz = x[p + 2]! - x[q + 2]!
      const square = dx * dx + dy * dy + dz * dz
      const before = lambda[side + k]!
      const length = terms[at]!
      if (square === 0 || (square <= length * length && before === 0)) continue
      const distance = Math.sqrt(square)
      const C = (distance - length) * terms[at + 1]!
      const change = Math.min(-(C + alpha * before) * terms[at + 2]!, -before)
      lambda[side + k] = before + change
      const s = change * (1 / distance)
      const sa = s * terms[at + 3]!
      const sb = s * terms[at + 4]!
      x[p] = x[p]! + sa * dx
      x[p + 1] = x[p + 1]! + sa * dy
      x[p + 2] = x[p + 2]! + sa * dz
      x[q] = x[q]! - sb * dx
      x[q + 1] = x[q + 1]! - sb * dy
      x[q + 2] = x[q + 2]! - sb * dz
    }
  }

  /** Moves the finer points that are free, which start at x[3 first]. */
  move(x: Float64Array, first: number): void {
    const { points, free, across, down } = this.means
    const { x: means, moved, between } = this
    const width = this.source.columns.length
    const columns = across.parts.length
    for (let q = 0; q < moved.length; q++) moved[q] = means[q]! - moved[q]!
    for (let K = 0, to = 0; K < means.length; K += 3 * width) {
      for (let i = 0; i < columns; i++, to += 3) {
        const a = K + 3 * across.lower[i]!
        const b = K + 3 * across.upper[i]!
        const part = across.parts[i]!
        between[to] = (1 - part) * moved[a]! + part * moved[b]!
        between[to + 1] = (1 - part) * moved[a + 1]! + part * moved[b + 1]!
        between[to + 2] = (1 - part) * moved[a + 2]! + part * moved[b + 2]!
      }
    }
    for (let j = 0, k = 0; j < down.parts.length; j++) {
      const part = down.parts[j]!
      let a = 3 * columns * down.lower[j]!
      let b = 3 * columns * down.upper[j]!
      for (const end = k + columns; k < end; k++, a += 3, b += 3) {
        if (free[k] === 0) continue // pinned
        const p = (first + points[k]!) * 3
        x[p] = x[p]! + ((1 - part) * between[a]! + part * between[b]!)
        x[p + 1] = x[p + 1]! + ((1 - part) * between[a + 1]! + part * between[b + 1]!)
        x[p + 2] = x[p + 2]! + ((1 - part) * between[a + 2]! + part * between[b + 2]!)
      }
    }
  }

  /** Tells each finer side what is borne of it, by area. */
  tell(out: Float64Array): void {
    const { lambda, between, bearing, sides } = this
    const { across, down } = this.means
    tellAlong(lambda, 0, bearing.u, between, down, out, 0)
    tellAlong(lambda, sides.along, bearing.v, between, across, out, (across.parts.length - 1) * down.parts.length)
  }
}

/** How the points of a coarser grid are means of the finer ones. */
export interface Means {
  /** By place in the finer grid: its point's number. */
  readonly points: Uint32Array
  /** By place: the part of its mass that no pin holds. */
  readonly free: Float64Array
  /** Of its columns among the coarser ones, of its rows. A finer point follows the coarse ones by these. */
  readonly across: Between
  readonly down: Between
  /** By place: the points above it, four, of which some may have no weight. */
  readonly coarse: Uint32Array
  /** Bilinear in the finer place; 1 together. */
  readonly weights: Float64Array
  /** Part of the finer point in the mean of the coarse one. */
  readonly shares: Float64Array
  /** By coarse point: the finer ones below it, nine, and their shares. */
  readonly below: Uint32Array
  readonly belowShares: Float64Array
}

/** Of finer places: those of the coarser before and after it, and its part of the way between them. */
export interface Between {
  readonly lower: Uint32Array
  readonly upper: Uint32Array
  readonly parts: Float64Array
}

/** Sides of a grid, first those along u, by column, then those along v, by row. */
export interface Sides {
  readonly along: number
  /** [2 s] */
  readonly ends: Uint32Array
  /** Between the means at rest [m]. */
  readonly lengths: Float64Array
  /** Of the cloth that a side stands for [m^2]. */
  readonly areas: Float64Array
}

/**
 * What the sides of a level bear of the finer ones on the same line, along u and along v. By finer side from i to i + 1 and
 * line: parts of two sides, the one that it lies in and the nearer of the two beside that.
 */
export interface Bearing {
  readonly u: Float64Array
  readonly v: Float64Array
}

/** Tells the finer sides along one of the threads: first those on the lines of the coarser grid, then those between. */
function tellAlong(
  lambda: Float64Array,
  from: number,
  bearing: Float64Array,
  between: Float64Array,
  { lower, upper, parts }: Between,
  out: Float64Array,
  to: number,
): void {
  const lines = upper[parts.length - 1]! + 1
  const count = bearing.length / (2 * lines)
  const last = (count - 1) >> 1
  for (let i = 0; i < count; i++) {
    const K = i >> 1
    const one = from + K * lines
    const other = from + (i % 2 === 0 ? Math.max(K - 1, 0) : Math.min(K + 1, last)) * lines
    const at = i * lines
    for (let line = 0; line < lines; line++) {
      const e = (at + line) * 2
      between[line] = bearing[e]! * lambda[one + line]! + bearing[e + 1]! * lambda[other + line]!
    }
    const start = to + i * parts.length
    for (let line = 0; line < parts.length; line++) {
      const part = parts[line]!
      out[start + line] = (1 - part) * between[lower[line]!]! + part * between[upper[line]!]!
    }
  }
}

import { FOLDS } from '../records.js'
import type { LevelSource } from './coarseGrid.js'

/** Numbers of `CoarseShear.terms` a cell. */
const TERMS = 4
/**
 * Parts of the square of its length at rest, of a side between means, up to which it lies over folds and bears nothing of
 * what it is told, nor does its cell, and from which all. Wider, and cloths that hang in folds flutter.
 */
export const FOLDED = 0.99
export const TAUT = 0.999
/**
 * Within that a cell learns that it lies over folds, and that it does no more [s]. Were it told in each substep, its force
 * would be no function of where it is that has a potential, and drive what hangs in folds to and fro; were it to forget folds
 * as soon as it learns of them, some would go on.
 */
const FOLDS_WITHIN = 0.25
const UNFOLDS_WITHIN = 1
/** A cell that bears less than this part bears none. */
const NONE = 1e-3
/** An angle that is less is none: what lies at rest is left alone [rad]. */
const ROUNDING = 1e-12

/** What the cells of a level bear of the shear between the threads: see `CoarseLevels`. Numbered by row, in each by column. */
export class CoarseShear {
  /** By cell: what coarser levels bear of it, multipliers per area. */
  readonly given: Float64Array
  /** By cell, see `FOLDS`; the body's, where there is one. */
  folds: Float64Array
  readonly count: number
  /** By cell: multipliers per area. */
  readonly lambda: Float64Array
  private readonly resting: Uint8Array
  /** / h^2, of a square metre. */
  private compliance = 0
  /** By cell: the cosine between its sides at rest, the squares of both, their product. */
  private readonly terms: Float64Array

  constructor(
    private readonly source: LevelSource,
    private readonly inverseMasses: Float64Array,
    private readonly bearers: CellBearers,
  ) {
    const count = (source.columns.length - 1) * (source.rows.length - 1)
    this.count = count
    this.folds = new Float64Array(FOLDS.SIZE * count).fill(-1)
    this.given = new Float64Array(count)
    this.lambda = new Float64Array(count)
    this.resting = new Uint8Array(count)
    this.terms = new Float64Array(TERMS * count)
    const { u, v } = source
    const width = source.columns.length
    for (let cell = 0; cell < count; cell++) {
      const [i, j] = [cell % (width - 1), Math.floor(cell / (width - 1))]
      const p = j * width + i
      const between = (two: readonly number[], one: readonly number[]) => {
        const along = (at: Float64Array) => two.reduce((sum, k, e) => sum + at[p + k]! - at[p + one[e]!]!, 0) / 2
        return [along(u), along(v)] as const
      }
      const a = between([1, width + 1], [0, width])
      const b = between([width, width + 1], [0, 1])
      const [aa, bb] = [a[0] * a[0] + a[1] * a[1], b[0] * b[0] + b[1] * b[1]]
      const area = Math.sqrt(aa * bb)
      const across = source.columns[i + 1]! - source.columns[i]!
      const down = source.rows[j + 1]! - source.rows[j]!
      const part = source.cover ? source.cover.cells[cell]! / (across * down) : 1
      const stands = part * area
      const terms = stands === 0 ? [0, 1, 1, 0] : [(a[0] * b[0] + a[1] * b[1]) / area, aa, bb, stands]
      this.terms.set(terms, cell * TERMS)
    }
  }

  /** @param compliance / h^2 of a square metre */
  soften(compliance: number): void {
    this.compliance = compliance
  }

  /** Lets cells rest that have one of these points. */
  rest(points: ReadonlySet<number>): void {
    const width = this.source.columns.length
    for (let cell = 0; cell < this.resting.length; cell++) {
      const p = Math.floor(cell / (width - 1)) * width + (cell % (width - 1))
      const isOver = points.has(p) || points.has(p + 1) || points.has(p + width) || points.has(p + width + 1)
      this.resting[cell] = isOver || this.terms[cell * TERMS + 3] === 0 ? 1 : 0
    }
  }

  /**
   * What a cell bears follows the folds that its points x [3 n] lie over in a step of timeStep[0] [s]. Whose sides are short is
   * folded, and would tell its triangles of a shear that they lie otherwise in. And folds draw the sides from a right angle
   * where the threads stand at one everywhere: <u> <v> = -<du dv>, at most half of <du^2> + <dv^2>, which is what the means
   * lack of the threads' lengths, squared. Twice that counts, since at a hem they are not means over the same points.
   */
  follow(x: Float64Array, timeStep: Float64Array): void {
    const { folds, terms } = this
    const width = this.source.columns.length
    const folding = Math.min(1, timeStep[0]! / FOLDS_WITHIN)
    const unfolding = Math.min(1, timeStep[0]! / UNFOLDS_WITHIN)
    for (let cell = 0; cell < this.count; cell++) {
      const p = (Math.floor(cell / (width - 1)) * width + (cell % (width - 1))) * 3
      const q = p + width * 3
      let aa = 0
      let bb = 0
      for (let d = 0; d < 3; d++) {
        const along = x[q + 3 + d]! - x[p + d]!
        const across = x[p + 3 + d]! - x[q + d]!
        aa += (along + across) * (along + across)
        bb += (along - across) * (along - across)
      }
      const alongU = aa / (4 * terms[cell * TERMS + 1]!)
      const alongV = bb / (4 * terms[cell * TERMS + 2]!)
      const taut = (Math.min(alongU, alongV) - FOLDED) / (TAUT - FOLDED)
      const part = Math.max(0, Math.min(1, taut))
      const cosine = Math.max(0, 1 - alongU) + Math.max(0, 1 - alongV)
      const at = cell * FOLDS.SIZE
      const isNew = folds[at]! < 0
      const change = part - folds[at]!
      folds[at] = isNew ? part : folds[at]! + (change < 0 ? folding : unfolding) * change
      const turn = cosine - folds[at + FOLDS.COSINE]!
      folds[at + FOLDS.COSINE] = isNew ? cosine : folds[at + FOLDS.COSINE]! + (turn > 0 ? folding : unfolding) * turn
    }
  }

  /** Takes up what coarser levels bear. */
  begin(): void {
    const { lambda, given, resting } = this
    for (let cell = 0; cell < lambda.length; cell++) lambda[cell] = resting[cell] === 0 ? given[cell]! : 0
  }

  /** One sweep over the cells of the points x [3 n], no two neighbours one after the other. */
  pull(x: Float64Array): void {
    const columns = this.source.columns.length - 1
    const rows = this.source.rows.length - 1
    for (let color = 0; color < 4; color++) {
      for (let j = color >> 1; j < rows; j += 2) {
        for (let i = color & 1; i < columns; i += 2) this.straighten(x, j * columns + i, j * (columns + 1) + i)
      }
    }
  }

  /**
   * C = a b / (|a| |b|) less that at rest, a and b the means of the sides along u and v of the cell whose first point is p,
   * but only beyond what folds can make of it.
   */
  private straighten(x: Float64Array, cell: number, p: number): void {
    if (this.resting[cell] === 1) return
    const { lambda, terms, folds, inverseMasses: w } = this
    const part = folds[cell * FOLDS.SIZE + FOLDS.PART]!
    if (part < NONE) {
      lambda[cell] = 0
      return
    }
    const q = p + this.source.columns.length
    const x0 = p * 3
    const x1 = x0 + 3
    const x2 = q * 3
    const x3 = x2 + 3
    const ax = (x[x1]! - x[x0]! + x[x3]! - x[x2]!) / 2
    const ay = (x[x1 + 1]! - x[x0 + 1]! + x[x3 + 1]! - x[x2 + 1]!) / 2
    const az = (x[x1 + 2]! - x[x0 + 2]! + x[x3 + 2]! - x[x2 + 2]!) / 2
    const bx = (x[x2]! - x[x0]! + x[x3]! - x[x1]!) / 2
    const by = (x[x2 + 1]! - x[x0 + 1]! + x[x3 + 1]! - x[x1 + 1]!) / 2
    const bz = (x[x2 + 2]! - x[x0 + 2]! + x[x3 + 2]! - x[x1 + 2]!) / 2
    const aa = ax * ax + ay * ay + az * az
    const bb = bx * bx + by * by + bz * bz
    const product = ax * bx + ay * by + az * bz
    const at = cell * TERMS
    const ab = Math.sqrt(aa * bb)
    const c = product / ab
    const turned = c - terms[at]!
    const given = lambda[cell]!
    const sign = given < 0 || (given === 0 && turned > 0) ? 1 : -1
    const C = sign * turned - folds[cell * FOLDS.SIZE + FOLDS.COSINE]!
    if (C < ROUNDING && given === 0) return
    const area = terms[at + 3]!
    const alpha = this.compliance / part
    // The gradient is g = (b / |b| - c a / |a|) / |a| by a, k = (a / |a| - c b / |b|) / |b| by b: (g + k) / 2 at the last point,
    // less that at the first, (g - k) / 2 at the second, less that at the third.
    const square = (1 - c * c) / 4
    const even = square * (1 / aa + 1 / bb)
    const odd = (2 * square * c) / ab
    const w0 = w[p]!
    const w1 = w[p + 1]!
    const w2 = w[q]!
    const w3 = w[q + 1]!
    const weight = area * ((w0 + w3) * (even - odd) + (w1 + w2) * (even + odd))
    if (weight === 0) return // pinned
    const before = sign * given
    const change = Math.min(-(C + alpha * before) / (weight + alpha), -before)
    lambda[cell] = given + sign * change
    const s = (sign * change * area) / 2
    const saa = (-s * c) / aa
    const sab = s / ab
    const sbb = (-s * c) / bb
    const gx = saa * ax + sab * bx
    const gy = saa * ay + sab * by
    const gz = saa * az + sab * bz
    const kx = sab * ax + sbb * bx
    const ky = sab * ay + sbb * by
    const kz = sab * az + sbb * bz
    x[x0] = x[x0]! - w0 * (gx + kx)
    x[x0 + 1] = x[x0 + 1]! - w0 * (gy + ky)
    x[x0 + 2] = x[x0 + 2]! - w0 * (gz + kz)
    x[x1] = x[x1]! + w1 * (gx - kx)
    x[x1 + 1] = x[x1 + 1]! + w1 * (gy - ky)
    x[x1 + 2] = x[x1 + 2]! + w1 * (gz - kz)
    x[x2] = x[x2]! - w2 * (gx - kx)
    x[x2 + 1] = x[x2 + 1]! - w2 * (gy - ky)
    x[x2 + 2] = x[x2 + 2]! - w2 * (gz - kz)
    x[x3] = x[x3]! + w3 * (gx + kx)
    x[x3 + 1] = x[x3 + 1]! + w3 * (gy + ky)
    x[x3 + 2] = x[x3 + 2]! + w3 * (gz + kz)
  }

  /** Tells each finer cell what is borne of it, by area. */
  tell(out: Float64Array): void {
    const { cells, parts } = this.bearers
    const { lambda } = this
    for (let k = 0, e = 0; k < out.length; k++, e += 4) {
      out[k] =
        parts[e]! * lambda[cells[e]!]! +
        parts[e + 1]! * lambda[cells[e + 1]!]! +
        parts[e + 2]! * lambda[cells[e + 2]!]! +
        parts[e + 3]! * lambda[cells[e + 3]!]!
    }
  }
}

/** What the cells of a level are to the finer ones. */
export interface CellBearers {
  /** By finer cell, four each: the cells that bear some of it, and how much. */
  readonly cells: Uint32Array
  readonly parts: Float64Array
}

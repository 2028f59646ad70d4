import { type Cover, type LevelSource, massesOver, type Part, sidesOf, standEmpty } from './coarseGrid.js'
import { Level, type Means, type Sides } from './coarseLevel.js'
import type { CellBearers } from './coarseShear.js'
import { areaWithin } from './outline.js'

/** A mean of less than this part of the mass of the heaviest is none: at a corner of a rectangle it is a quarter. */
const LIGHT = 0.15
/** How much a side may lean across its thread, and how near its ends may be to each other, of what it is in the grid. */
const TILT = 0.3
const NEAR = 0.25
/** What the sides and cells of a grid over a sheet of this outline stand for, a side for half of the cells beside it. */
function coverOf(
  columns: Float64Array,
  rows: Float64Array,
  outline: readonly number[],
  masses: Float64Array,
  u: Float64Array,
  v: Float64Array,
): Cover {
  const [width, height] = [columns.length, rows.length]
  const cover = {
    u: new Float64Array((width - 1) * height),
    v: new Float64Array(width * (height - 1)),
    cells: new Float64Array((width - 1) * (height - 1)),
  }
  /** Of two points of the grid, one after the other `along` a thread: true where they have means so far apart. */
  const areApart = (p: number, q: number, along: Float64Array, spacing: number) =>
    masses[p] !== 0 && masses[q] !== 0 && along[q]! - along[p]! > NEAR * spacing
  const isStraight = (p: number, q: number, along: Float64Array, across: Float64Array) =>
    Math.abs(across[q]! - across[p]!) <= TILT * (along[q]! - along[p]!)
  const [wide, high] = [columns[1]! - columns[0]!, rows[1]! - rows[0]!]
  const add = (out: Float64Array, one: number, hasOne: boolean, two: number, hasTwo: boolean, area: number) => {
    if (hasOne) out[one] = out[one]! + (hasTwo ? area / 2 : area)
    if (hasTwo) out[two] = out[two]! + (hasOne ? area / 2 : area)
  }
  for (let cell = 0; cell < cover.cells.length; cell++) {
    const [i, j] = [cell % (width - 1), Math.floor(cell / (width - 1))]
    const area = areaWithin(outline, columns[i]!, columns[i + 1]!, rows[j]!, rows[j + 1]!)
    const p = j * width + i
    const q = p + width
    const [top, bottom] = [areApart(p, p + 1, u, wide), areApart(q, q + 1, u, wide)]
    const [left, right] = [areApart(p, q, v, high), areApart(p + 1, q + 1, v, high)]
    const sides = [
      top && isStraight(p, p + 1, u, v),
      bottom && isStraight(q, q + 1, u, v),
      left && isStraight(p, q, v, u),
      right && isStraight(p + 1, q + 1, v, u),
    ] as const
    add(cover.u, i * height + j, sides[0], i * height + j + 1, sides[1], area)
    add(cover.v, j * width + i, sides[2], j * width + i + 1, sides[3], area)
    if (top && bottom && left && right) cover.cells[cell] = area
  }
  return cover
}

/** The level over scattered points. */
export function scatteredLevel(finest: LevelSource, outline: readonly number[]): ScatteredLevel {
  const { columns, rows } = finest
  const width = columns.length
  const count = width * rows.length
  const n = finest.masses.length
  const coarse = new Uint32Array(4 * n)
  const weights = new Float64Array(4 * n)
  const nearest = new Int32Array(count).fill(-1)
  const least = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  for (let p = 0; p < n; p++) {
    const [i, s] = within(columns, finest.u[p]!)
    const [j, t] = within(rows, finest.v[p]!)
    for (let e = 0; e < 4; e++) {
      const [a, b] = [e & 1, e >> 1]
      const K = (j + b) * width + i + a
      coarse[4 * p + e] = K
      weights[4 * p + e] = (a === 1 ? s : 1 - s) * (b === 1 ? t : 1 - t)
      const off = Math.max(Math.abs(a - s), Math.abs(b - t))
      if (off >= Math.min(0.5, least[K]!)) continue
      least[K] = off
      nearest[K] = p
    }
  }
  const weightOf = (p: number, K: number) => {
    let weight = 0
    for (let e = 4 * p; e < 4 * p + 4; e++) if (coarse[e] === K) weight += weights[e]!
    return weight
  }
  leaveLight(coarse, weights, finest, count)
  const pinned = Array.from(nearest, (p, K) => p >= 0 && finest.free[p] === 0 && weightOf(p, K) > 0)
  const { masses, free, held } = massesOver(coarse, weights, finest, count)
  const shares = new Float64Array(coarse.length)
  const u = new Float64Array(count)
  const v = new Float64Array(count)
  const parts = Array.from({ length: count }, (): (Part & { readonly point: number })[] => [])
  for (let e = 0; e < coarse.length; e++) {
    const [K, p] = [coarse[e]!, e >> 2]
    const whole = pinned[K] ? held[K]! : masses[K]!
    const counts = !pinned[K] || finest.free[p] === 0
    if (!counts || weights[e] === 0) continue
    shares[e] = (weights[e]! * finest.masses[p]!) / whole
    parts[K]!.push({ share: shares[e]!, u: finest.u[p]!, v: finest.v[p]!, point: p })
    u[K] = u[K]! + shares[e]! * finest.u[p]!
    v[K] = v[K]! + shares[e]! * finest.v[p]!
  }
  standEmpty(u, v, masses, columns, rows)
  const cover = coverOf(columns, rows, outline, masses, u, v)
  const source: LevelSource = {
    columns,
    rows,
    points: Uint32Array.from({ length: count }, (_, K) => K),
    u,
    v,
    masses,
    free: free.map((mass, K) => (pinned[K] || masses[K] === 0 ? 0 : mass / masses[K]!)),
    cover,
  }
  const none = { lower: new Uint32Array(0), upper: new Uint32Array(0), parts: new Float64Array(0) }
  const means: Means = {
    points: finest.points,
    free: finest.free,
    across: none,
    down: none,
    coarse,
    weights,
    shares,
    below: Uint32Array.from(parts.flatMap((list) => list.map(({ point }) => point))),
    belowShares: Float64Array.from(parts.flatMap((list) => list.map(({ share }) => share))),
  }
  const starts = new Uint32Array(count + 1)
  parts.forEach((list, K) => (starts[K + 1] = starts[K]! + list.length))
  const inverseMasses = source.free.map((part, K) => (part === 0 ? 0 : part / masses[K]!))
  return new ScatteredLevel(
    source,
    inverseMasses,
    means,
    sidesOf(source, (K) => parts[K]!, pinned),
    starts,
  )
}

/** Leaves what is about means at the rim that have next to no mass to the others about it. */
function leaveLight(coarse: Uint32Array, weights: Float64Array, finest: LevelSource, count: number): void {
  const { masses: all } = massesOver(coarse, weights, finest, count)
  const least = LIGHT * all.reduce((most, mass) => Math.max(most, mass))
  for (let at = 0; at < coarse.length; at += 4) {
    let sum = 0
    for (let e = at; e < at + 4; e++) if (all[coarse[e]!]! >= least) sum += weights[e]!
    if (sum === 0) continue
    for (let e = at; e < at + 4; e++) weights[e] = all[coarse[e]!]! >= least ? weights[e]! / sum : 0
  }
}

const NONE: CellBearers = { cells: new Uint32Array(0), parts: new Float64Array(0) }

/** A grid over points that stand anyhow: they are drawn into the means about them, and follow these, by bilinear weights. */
export class ScatteredLevel extends Level {
  constructor(
    source: LevelSource,
    inverseMasses: Float64Array,
    means: Means,
    sides: Sides,
    /** By mean: where its points begin among all that are below one. */
    private readonly starts: Uint32Array,
  ) {
    super(source, inverseMasses, means, sides, { u: new Float64Array(0), v: new Float64Array(0) }, NONE)
  }

  /** The part of mean K whose points a triangle of corners a <= b <= c along a thread has before it, at these places. */
  partBefore(K: number, [a, b, c]: readonly [number, number, number], places: Float64Array): number {
    const { below, belowShares } = this.means
    let sum = 0
    for (let e = this.starts[K]!; e < this.starts[K + 1]!; e++) {
      const at = places[below[e]!]!
      // What of its area is beyond the point.
      let beyond = 0
      if (at <= a) beyond = 1
      else if (at < b) beyond = 1 - ((at - a) * (at - a)) / ((b - a) * (c - a))
      else if (at < c) beyond = ((c - at) * (c - at)) / ((c - b) * (c - a))
      sum += belowShares[e]! * beyond
    }
    return sum
  }

  /** True for a side that stands for some of the cloth. */
  stands(side: number): boolean {
    return this.sides.areas[side] !== 0
  }

  override gather(x: Float64Array, first: number): void {
    const { below, belowShares } = this.means
    const { x: means, starts } = this
    for (let K = 0; K + 1 < starts.length; K++) {
      let mx = 0
      let my = 0
      let mz = 0
      for (let e = starts[K]!; e < starts[K + 1]!; e++) {
        const p = (first + below[e]!) * 3
        const share = belowShares[e]!
        mx += share * x[p]!
        my += share * x[p + 1]!
        mz += share * x[p + 2]!
      }
      means[K * 3] = mx
      means[K * 3 + 1] = my
      means[K * 3 + 2] = mz
    }
    this.moved.set(means)
  }

  override move(x: Float64Array, first: number): void {
    const { free, coarse, weights } = this.means
    const { x: means, moved } = this
    for (let q = 0; q < moved.length; q++) moved[q] = means[q]! - moved[q]!
    for (let i = 0; i < free.length; i++) {
      if (free[i] === 0) continue // pinned
      const p = (first + i) * 3
      for (let e = i * 4; e < i * 4 + 4; e++) {
        const K = coarse[e]! * 3
        const weight = weights[e]!
        x[p] = x[p]! + weight * moved[K]!
        x[p + 1] = x[p + 1]! + weight * moved[K + 1]!
        x[p + 2] = x[p + 2]! + weight * moved[K + 2]!
      }
    }
  }
}

/** Number of the interval of even places that a value is in, and how far along it is, 0 to 1. */
export function within(places: Float64Array, value: number): readonly [number, number] {
  const count = places.length - 1
  const along = ((value - places[0]!) / (places[count]! - places[0]!)) * count
  const k = Math.max(0, Math.min(count - 1, Math.floor(along)))
  return [k, Math.max(0, Math.min(1, along - k))]
}

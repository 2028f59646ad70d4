import { type Bearing, type Between, Level, type Means, type Sides } from './coarseLevel.js'
import type { CellBearers } from './coarseShear.js'

/** Shares, or places [m], that differ by less are the same. */
const ROUNDING = 1e-9

/** What a level is made of: the cloth itself, or the level below. Points by row, in each by column. */
export interface LevelSource {
  /** Places of columns along u and of rows along v [m]. */
  readonly columns: Float64Array
  readonly rows: Float64Array
  /** By place in the grid: the number of the point there. */
  readonly points: Uint32Array
  /** By place: where its mean is at rest [m]. */
  readonly u: Float64Array
  readonly v: Float64Array
  /** By place [kg]. */
  readonly masses: Float64Array
  /** By place: the part of the mass that nothing pins or holds. */
  readonly free: Float64Array
  /** By side along u, by side along v, and by cell: the cloth that it stands for [m^2]; absent where that fills the grid. */
  readonly cover?: Cover
}

export interface Cover {
  readonly u: Float64Array
  readonly v: Float64Array
  readonly cells: Float64Array
}

/** The level over a finer one, rigid until it is told how soft it is. */
export function levelOver(finer: LevelSource): Level {
  const [across, down] = [halved(finer.columns), halved(finer.rows)]
  const columns = across.places
  const rows = down.places
  const count = columns.length * rows.length
  const coarse = new Uint32Array(4 * finer.points.length)
  const weights = new Float64Array(4 * finer.points.length)
  for (let place = 0; place < finer.points.length; place++) {
    const [i, j] = [place % finer.columns.length, Math.floor(place / finer.columns.length)]
    let e = place * 4
    for (const [row, byRow] of about(down, j)) {
      for (const [column, byColumn] of about(across, i)) {
        coarse[e] = row * columns.length + column
        weights[e++] = byRow * byColumn
      }
    }
  }
  const each = (act: (place: number, K: number, entry: number) => void) => {
    for (let k = 0; k < finer.points.length; k++) for (let e = 4 * k; e < 4 * k + 4; e++) act(k, coarse[e]!, e)
  }
  const { masses, free, held } = massesOver(coarse, weights, finer, count)
  // Where the finer point below is pinned, the pinned ones alone are the mean.
  const below = Array.from({ length: count }, (_, K) => {
    const row = down.below[Math.floor(K / columns.length)]!
    return row * finer.columns.length + across.below[K % columns.length]!
  })
  const pinned = below.map((place) => finer.free[place] === 0 && finer.masses[place] !== 0)
  const shares = new Float64Array(weights.length)
  const u = new Float64Array(count)
  const v = new Float64Array(count)
  each((k, K, e) => {
    const counts = !pinned[K] || finer.free[k] === 0
    const whole = pinned[K] ? held[K]! : masses[K]!
    shares[e] = counts && whole > 0 ? (weights[e]! * finer.masses[k]!) / whole : 0
    u[K] = u[K]! + shares[e] * finer.u[k]!
    v[K] = v[K]! + shares[e] * finer.v[k]!
  })
  standEmpty(u, v, masses, columns, rows)
  const source: LevelSource = {
    columns,
    rows,
    points: Uint32Array.from({ length: count }, (_, K) => K),
    u,
    v,
    masses,
    free: free.map((mass, K) => (pinned[K] || masses[K] === 0 ? 0 : mass / masses[K]!)),
    ...(finer.cover && { cover: coverOver(finer.cover, across, down, masses) }),
  }
  const means: Means = {
    points: finer.points,
    free: finer.free,
    across,
    down,
    coarse,
    weights,
    shares,
    ...belowOf(finer.points, coarse, shares, count),
  }
  const partsOf = (K: number) => {
    const [i, j] = [across.below[K % columns.length]!, down.below[Math.floor(K / columns.length)]!]
    const parts: Part[] = []
    for (let row = Math.max(j - 1, 0); row <= Math.min(j + 1, finer.rows.length - 1); row++) {
      for (let column = Math.max(i - 1, 0); column <= Math.min(i + 1, finer.columns.length - 1); column++) {
        const k = row * finer.columns.length + column
        for (let e = 4 * k; e < 4 * k + 4; e++)
          if (coarse[e] === K && shares[e] !== 0) parts.push({ share: shares[e]!, u: finer.u[k]!, v: finer.v[k]! })
      }
    }
    return parts
  }
  const inverseMasses = source.free.map((part, K) => (part === 0 ? 0 : part / masses[K]!))
  const bearing = bearingOf(across, down, pinned)
  const bearers = cellBearersOf(across, down, pinned, bearing)
  return new Level(source, inverseMasses, means, sidesOf(source, partsOf, pinned), bearing, bearers)
}

/** By coarse point: the mass of the finer ones about it by their weights, what of that is free, and what is pinned [kg]. */
export function massesOver(
  coarse: Uint32Array,
  weights: Float64Array,
  finer: Pick<LevelSource, 'masses' | 'free'>,
  count: number,
): { masses: Float64Array; free: Float64Array; held: Float64Array } {
  const masses = new Float64Array(count)
  const free = new Float64Array(count)
  const held = new Float64Array(count)
  for (let e = 0; e < coarse.length; e++) {
    const K = coarse[e]!
    const mass = weights[e]! * finer.masses[e >> 2]!
    masses[K] = masses[K]! + mass
    free[K] = free[K]! + mass * finer.free[e >> 2]!
    if (finer.free[e >> 2] === 0) held[K] = held[K]! + mass
  }
  return { masses, free, held }
}

/** Puts the places u, v [m] of points that nothing is about where these stand in the grid. */
export function standEmpty(
  u: Float64Array,
  v: Float64Array,
  masses: Float64Array,
  columns: Float64Array,
  rows: Float64Array,
): void {
  for (let K = 0; K < masses.length; K++) {
    if (masses[K] !== 0) continue
    u[K] = columns[K % columns.length]!
    v[K] = rows[Math.floor(K / columns.length)]!
  }
}

/** What the sides and cells over finer ones stand for together. */
function coverOver(finer: Cover, across: Halved, down: Halved, masses: Float64Array): Cover {
  const [width, height] = [across.places.length, down.places.length]
  const along = (areas: Float64Array, ahead: Halved, lines: Halved) => {
    const out = new Float64Array((ahead.places.length - 1) * lines.places.length)
    const count = lines.parts.length
    for (let side = 0; side < areas.length; side++) {
      const from = (Math.floor(side / count) >> 1) * lines.places.length
      for (const [line, weight] of about(lines, side % count))
        out[from + line] = out[from + line]! + weight * areas[side]!
    }
    return out
  }
  const cells = new Float64Array((width - 1) * (height - 1))
  finer.cells.forEach((area, cell) => {
    const [i, j] = [cell % (across.parts.length - 1), Math.floor(cell / (across.parts.length - 1))]
    const K = (j >> 1) * (width - 1) + (i >> 1)
    cells[K] = cells[K]! + area
  })
  const cover = { u: along(finer.u, across, down), v: along(finer.v, down, across), cells }
  bareEmpty(cover, masses, width, height)
  return cover
}

/** What has an end that nothing is about stands for nothing. */
function bareEmpty({ u, v, cells }: Cover, masses: Float64Array, width: number, height: number): void {
  const empty = (i: number, j: number) => masses[j * width + i] === 0
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      if (i + 1 < width && (empty(i, j) || empty(i + 1, j))) u[i * height + j] = 0
      if (j + 1 < height && (empty(i, j) || empty(i, j + 1))) v[j * width + i] = 0
      if (i + 1 === width || j + 1 === height) continue
      if (empty(i, j) || empty(i + 1, j) || empty(i, j + 1) || empty(i + 1, j + 1)) cells[j * (width - 1) + i] = 0
    }
  }
}

/** By coarse point, nine each: the finer points below it, and their shares. */
function belowOf(
  points: Uint32Array,
  coarse: Uint32Array,
  shares: Float64Array,
  count: number,
): Pick<Means, 'below' | 'belowShares'> {
  const below = new Uint32Array(9 * count)
  const belowShares = new Float64Array(9 * count)
  const found = new Uint8Array(count)
  for (let e = 0; e < coarse.length; e++) {
    if (shares[e] === 0) continue
    const K = coarse[e]!
    const at = 9 * K + found[K]!++
    below[at] = points[e >> 2]!
    belowShares[at] = shares[e]!
  }
  for (let K = 0; K < count; K++) below.fill(below[9 * K]!, 9 * K + found[K]!, 9 * K + 9)
  return { below, belowShares }
}

/** Every second of some places in a row, and the last. */
interface Halved extends Between {
  readonly places: Float64Array
  /** By place: which of the finer ones it is. */
  readonly below: readonly number[]
  /** By finer place i: what the mean before it has of its weight up to there, and the mean after it. */
  readonly before: Float64Array
  readonly after: Float64Array
}

function halved(places: Float64Array): Halved {
  const last = places.length - 1
  const below = Array.from({ length: Math.ceil(last / 2) + 1 }, (_, K) => Math.min(2 * K, last))
  const isBetween = Array.from(places, (_, i) => i % 2 === 1 && i < last)
  const lower = Uint32Array.from(places, (_, i) => (isBetween[i] ? i >> 1 : (i + 1) >> 1))
  const upper = Uint32Array.from(places, (_, i) => (i + 1) >> 1)
  const parts = Float64Array.from(places, (place, i) => {
    return isBetween[i] ? (place - places[i - 1]!) / (places[i + 1]! - places[i - 1]!) : 0
  })
  const whole = new Float64Array(below.length)
  const before = new Float64Array(places.length)
  const after = new Float64Array(places.length)
  for (let i = 0; i <= last; i++) {
    for (const [K, weight] of about({ lower, upper, parts }, i)) whole[K] = whole[K]! + weight * widthAt(places, i)
    before[i] = whole[i >> 1]!
    if (i < last) after[i] = whole[(i >> 1) + 1]!
  }
  for (let i = 0; i < last; i++) {
    before[i] = before[i]! / whole[i >> 1]!
    after[i] = after[i]! / whole[(i >> 1) + 1]!
  }
  return { places: Float64Array.from(below, (i) => places[i]!), below, lower, upper, parts, before, after }
}

/** The coarser places about a finer one, with their weights. */
const about = ({ lower, upper, parts }: Between, i: number) =>
  [
    [lower[i]!, 1 - parts[i]!],
    [upper[i]!, parts[i]!],
  ] as const

/** A finer point in a mean. */
export interface Part {
  readonly share: number
  readonly u: number
  readonly v: number
}

export function sidesOf(
  { columns, rows, u, v, cover }: LevelSource,
  partsOf: (K: number) => readonly Part[],
  pinned: readonly boolean[],
): Sides {
  const at = (i: number, j: number) => j * columns.length + i
  const ends: number[] = []
  const lengths: number[] = []
  const areas: number[] = []
  const add = (a: number, b: number, width: number, across: (part: Part) => number) => {
    ends.push(a, b)
    const straight = apart(u[b]! - u[a]!, v[b]! - v[a]!)
    const length = pinned[a] === pinned[b] ? straight : mostApart(partsOf(a), partsOf(b), straight, across)
    lengths.push(length)
    areas.push(length * width)
  }
  for (let i = 0; i + 1 < columns.length; i++) {
    for (let j = 0; j < rows.length; j++) {
      add(
        at(i, j),
        at(i + 1, j),
        cover ? cover.u[i * rows.length + j]! / (columns[i + 1]! - columns[i]!) : widthAt(rows, j),
        (part) => part.v,
      )
    }
  }
  const along = lengths.length
  for (let j = 0; j + 1 < rows.length; j++) {
    for (let i = 0; i < columns.length; i++) {
      add(
        at(i, j),
        at(i, j + 1),
        cover ? cover.v[j * columns.length + i]! / (rows[j + 1]! - rows[j]!) : widthAt(columns, i),
        (part) => part.u,
      )
    }
  }
  return {
    along,
    ends: Uint32Array.from(ends),
    // What stands for nothing is never too long.
    lengths: Float64Array.from(lengths, (length, side) => (areas[side] === 0 ? Number.POSITIVE_INFINITY : length)),
    areas: Float64Array.from(areas),
  }
}

/**
 * A side draws at the finer points in its two means, each by its share: what it bears of a finer side is what it draws at
 * points on the one hand of that. A pinned mean bears where it is.
 */
function bearingOf(across: Halved, down: Halved, pinned: readonly boolean[]): Bearing {
  const [width, height] = [across.places.length, down.places.length]
  /** Lines of sides whose points are `stride` apart, those of one line and the next `beside`. */
  const along = ({ places, parts, before, after }: Halved, lines: number, stride: number, beside: number) => {
    const bearing = new Float64Array(2 * lines * (parts.length - 1))
    for (let i = 0; i + 1 < parts.length; i++) {
      const K = i >> 1
      for (let line = 0; line < lines; line++) {
        const point = line * beside + K * stride
        const one = pinned[point] ? 1 : before[i]!
        const two = pinned[point + stride] ? 0 : after[i]!
        const e = 2 * (i * lines + line)
        bearing[e] = one - two
        if (i % 2 === 0 && K > 0) bearing[e + 1] = 1 - one
        if (i % 2 === 1 && K + 2 < places.length) bearing[e + 1] = two
      }
    }
    return bearing
  }
  return { u: along(across, height, 1, width), v: along(down, width, width, 1) }
}

/** A cell bears of a finer one what its sides along u bear of those along u, of what its sides along v bear along v. */
function cellBearersOf(across: Halved, down: Halved, pinned: readonly boolean[], bearing: Bearing): CellBearers {
  const [width, height] = [across.places.length - 1, down.places.length - 1]
  // A side's number is k * lines + line, a point's k * stride + line * beside.
  const u = { parts: bearing.u, lines: height + 1, last: width - 1, stride: 1, beside: width + 1 }
  const v = { parts: bearing.v, lines: width + 1, last: height - 1, stride: width + 1, beside: 1 }
  /** The two that bear of side k, and the mean of their parts on the lines beside the cell; on one that is pinned nothing moves. */
  const along = ({ parts, lines, last, stride, beside }: typeof u, k: number, line: number) => {
    const own = k >> 1
    const isStill = (l: number) => pinned[own * stride + l * beside]! && pinned[(own + 1) * stride + l * beside]!
    const beyond = [line, line + 1].filter((l) => isStill(l) === (isStill(line) && isStill(line + 1)))
    const mean = (part: number) =>
      beyond.reduce((sum, l) => sum + parts[2 * (k * lines + l) + part]!, 0) / beyond.length
    return [
      [own, mean(0)],
      [k % 2 === 0 ? Math.max(own - 1, 0) : Math.min(own + 1, last), mean(1)],
    ] as const
  }
  const cells: number[] = []
  const parts: number[] = []
  for (let j = 0; j + 1 < down.parts.length; j++) {
    for (let i = 0; i + 1 < across.parts.length; i++) {
      for (const [row, byRow] of along(v, j, i >> 1)) {
        for (const [column, byColumn] of along(u, i, j >> 1)) {
          cells.push(row * width + column)
          parts.push(byRow * byColumn)
        }
      }
    }
  }
  return { cells: Uint32Array.from(cells), parts: Float64Array.from(parts) }
}

/** Half of the way between the places before and after one. */
function widthAt(places: Float64Array, k: number): number {
  return (places[Math.min(k + 1, places.length - 1)]! - places[Math.max(k - 1, 0)]!) / 2
}

/**
 * How far two means can be apart, `straight` as they lie in the plane [m]. No fold draws those apart whose points lie on the
 * same threads with the same parts on each; others at most to the mean distance of all points of one from all of the other.
 */
function mostApart(
  one: readonly Part[],
  two: readonly Part[],
  straight: number,
  across: (part: Part) => number,
): number {
  const shareAt = (parts: readonly Part[], place: number) =>
    parts.reduce((sum, part) => (Math.abs(across(part) - place) < ROUNDING ? sum + part.share : sum), 0)
  const isAlike = (part: Part) => Math.abs(shareAt(one, across(part)) - shareAt(two, across(part))) < ROUNDING
  if (one.every(isAlike) && two.every(isAlike)) return straight
  let sum = 0
  for (const a of one) for (const b of two) sum += a.share * b.share * apart(a.u - b.u, a.v - b.v)
  return sum
}

const apart = (du: number, dv: number) => Math.sqrt(du * du + dv * dv)

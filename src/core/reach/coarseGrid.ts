import { Level, type Means, type Shares, type Sides } from './coarseLevel.js'

/** Shares that differ by less are the same. */
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
}

/** The level over a finer one, rigid until it is told how soft it is. */
export function levelOver(finer: LevelSource): Level {
  const [across, down] = [halved(finer.columns), halved(finer.rows)]
  const columns = across.places
  const rows = down.places
  const count = columns.length * rows.length
  const starts = new Uint32Array(finer.points.length + 1)
  const coarse = new Uint32Array(4 * finer.points.length)
  const weights = new Float64Array(4 * finer.points.length)
  for (let place = 0, entry = 0; place < finer.points.length; place++) {
    for (const [row, byRow] of down.about[Math.floor(place / finer.columns.length)]!) {
      for (const [column, byColumn] of across.about[place % finer.columns.length]!) {
        coarse[entry] = row * columns.length + column
        weights[entry++] = byRow * byColumn
      }
    }
    starts[place + 1] = entry
  }
  const each = (act: (place: number, K: number, entry: number) => void) => {
    for (let k = 0; k < finer.points.length; k++)
      for (let e = starts[k]!; e < starts[k + 1]!; e++) act(k, coarse[e]!, e)
  }
  const masses = new Float64Array(count)
  const free = new Float64Array(count)
  const held = new Float64Array(count)
  each((k, K, e) => {
    const mass = weights[e]! * finer.masses[k]!
    masses[K] = masses[K]! + mass
    free[K] = free[K]! + mass * finer.free[k]!
    if (finer.free[k] === 0) held[K] = held[K]! + mass
  })
  // Where the finer point below is pinned, the pinned ones alone are the mean.
  const below = Array.from({ length: count }, (_, K) => {
    const row = down.below[Math.floor(K / columns.length)]!
    return row * finer.columns.length + across.below[K % columns.length]!
  })
  const pinned = below.map((place) => finer.free[place] === 0)
  const shares = new Float64Array(weights.length)
  const u = new Float64Array(count)
  const v = new Float64Array(count)
  each((k, K, e) => {
    const counts = !pinned[K] || finer.free[k] === 0
    shares[e] = counts ? (weights[e]! * finer.masses[k]!) / (pinned[K] ? held[K]! : masses[K]!) : 0
    u[K] = u[K]! + shares[e] * finer.u[k]!
    v[K] = v[K]! + shares[e] * finer.v[k]!
  })
  const source: LevelSource = {
    columns,
    rows,
    points: Uint32Array.from({ length: count }, (_, K) => K),
    u,
    v,
    masses,
    free: free.map((mass, K) => (pinned[K] ? 0 : mass / masses[K]!)),
  }
  const means: Means = {
    points: finer.points,
    free: finer.free,
    starts,
    coarse,
    weights,
    shares,
  }
  const partsOf = (K: number) => {
    const [i, j] = [across.below[K % columns.length]!, down.below[Math.floor(K / columns.length)]!]
    const parts: Part[] = []
    for (let row = Math.max(j - 1, 0); row <= Math.min(j + 1, finer.rows.length - 1); row++) {
      for (let column = Math.max(i - 1, 0); column <= Math.min(i + 1, finer.columns.length - 1); column++) {
        const k = row * finer.columns.length + column
        for (let e = starts[k]!; e < starts[k + 1]!; e++)
          if (coarse[e] === K) parts.push({ share: shares[e]!, u: finer.u[k]!, v: finer.v[k]! })
      }
    }
    return parts
  }
  const inverseMasses = source.free.map((part, K) => part / masses[K]!)
  return new Level(
    source,
    inverseMasses,
    means,
    sidesOf(source, partsOf, pinned),
    sharesOf(finer, across, down, pinned),
  )
}

/** Every second of some places in a row, and the last. */
interface Halved {
  readonly places: Float64Array
  /** By place: which of the finer ones it is. */
  readonly below: readonly number[]
  /** By finer place: those about it, with their weights. */
  readonly about: readonly (readonly (readonly [number, number])[])[]
  /** By finer place i: what the mean before it has of its weight up to there, and the mean after it. */
  readonly before: Float64Array
  readonly after: Float64Array
}

function halved(places: Float64Array): Halved {
  const last = places.length - 1
  const below = Array.from({ length: Math.ceil(last / 2) + 1 }, (_, K) => Math.min(2 * K, last))
  const about = Array.from(places, (place, i) => {
    const K = i >> 1
    if (below[K] === i) return [[K, 1] as const]
    if (i === last) return [[K + 1, 1] as const]
    const [from, to] = [places[i - 1]!, places[i + 1]!]
    const part = (place - from) / (to - from)
    return [[K, 1 - part] as const, [K + 1, part] as const]
  })
  const whole = new Float64Array(below.length)
  const before = new Float64Array(places.length)
  const after = new Float64Array(places.length)
  about.forEach((weights, i) => {
    for (const [K, weight] of weights) whole[K] = whole[K]! + weight * widthAt(places, i)
    before[i] = whole[i >> 1]!
    if (i < last) after[i] = whole[(i >> 1) + 1]!
  })
  for (let i = 0; i < last; i++) {
    before[i] = before[i]! / whole[i >> 1]!
    after[i] = after[i]! / whole[(i >> 1) + 1]!
  }
  return { places: Float64Array.from(below, (i) => places[i]!), below, about, before, after }
}

/** A finer point in a mean. */
interface Part {
  readonly share: number
  readonly u: number
  readonly v: number
}

function sidesOf(
  { columns, rows, u, v }: LevelSource,
  partsOf: (K: number) => Part[],
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
  for (let j = 0; j < rows.length; j++) {
    for (let i = 0; i + 1 < columns.length; i++) {
      add(at(i, j), at(i + 1, j), widthAt(rows, j), (part) => part.v)
    }
  }
  const along = lengths.length
  for (let j = 0; j + 1 < rows.length; j++) {
    for (let i = 0; i < columns.length; i++) {
      add(at(i, j), at(i, j + 1), widthAt(columns, i), (part) => part.u)
    }
  }
  return {
    along,
    ends: Uint32Array.from(ends),
    lengths: Float64Array.from(lengths),
    areas: Float64Array.from(areas),
    alphas: new Float64Array(areas.length),
  }
}

/**
 * A side draws at the finer points in its two means, each by its share: what it bears of a finer side is what it draws at
 * points on the one hand of that. A pinned mean bears where it is.
 */
function sharesOf(finer: LevelSource, across: Halved, down: Halved, pinned: readonly boolean[]): Shares {
  const [width, height] = [across.places.length, down.places.length]
  const starts = [0]
  const sides: number[] = []
  const parts: number[] = []
  const share = (side: number, part: number) => {
    if (part === 0) return
    sides.push(side)
    parts.push(part)
  }
  /** What the finer side from i on has of a line of sides that starts at `side`, its points at `first`, `stride` apart. */
  const add = (
    { places, before, after }: Halved,
    i: number,
    weight: number,
    first: number,
    side: number,
    stride: number,
  ) => {
    const K = i >> 1
    const one = pinned[first + K * stride] ? 1 : before[i]!
    const two = pinned[first + (K + 1) * stride] ? 0 : after[i]!
    if (K > 0) share(side - stride, weight * (1 - one))
    share(side, weight * (one - two))
    if (K + 2 < places.length) share(side + stride, weight * two)
  }
  for (let j = 0; j < finer.rows.length; j++) {
    for (let i = 0; i + 1 < finer.columns.length; i++) {
      for (const [row, weight] of down.about[j]!) {
        add(across, i, weight, row * width, row * (width - 1) + (i >> 1), 1)
      }
      starts.push(sides.length)
    }
  }
  const along = (width - 1) * height
  for (let j = 0; j + 1 < finer.rows.length; j++) {
    for (let i = 0; i < finer.columns.length; i++) {
      for (const [column, weight] of across.about[i]!) {
        add(down, j, weight, column, along + (j >> 1) * width + column, width)
      }
      starts.push(sides.length)
    }
  }
  return { starts: Uint32Array.from(starts), sides: Uint32Array.from(sides), parts: Float64Array.from(parts) }
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
  const left = new Map<number, number>()
  for (const part of one) left.set(across(part), (left.get(across(part)) ?? 0) + part.share)
  for (const part of two) left.set(across(part), (left.get(across(part)) ?? 0) - part.share)
  if ([...left.values()].every((share) => Math.abs(share) < ROUNDING)) return straight
  let sum = 0
  for (const a of one) for (const b of two) sum += a.share * b.share * apart(a.u - b.u, a.v - b.v)
  return sum
}

const apart = (du: number, dv: number) => Math.sqrt(du * du + dv * dv)

import { edgeLengths } from '../mesh/edges.js'
import type { Model } from '../model.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'
import type { Holds } from './holds.js'
import { isSheet, type PinDistances } from './pinDistances.js'

/** Most sweeps of a substep; the ones after the first are for what the ones before have left. */
const SWEEPS = 3
/** What edges of a tethered cloth may be strained by, beyond the slack: its whip when it is shaken. */
const BEYOND_TETHER = 0.05

export interface LimitRows {
  readonly body: BodyRecord
  readonly model: Model
  /** Two a row. */
  readonly particles: Uint32Array
  /** Greatest length [m] of each row's edge. */
  readonly lengths: Float64Array
  /** What each row has taken back in the present step, over the inverse masses [kg m]. */
  readonly pulls: Float64Array
}

/**
 * Edges of a cloth are strained by no more than `strainLimit`: C = |x0 - x1| - (1 + strainLimit) L <= 0, without
 * compliance, by mass, so that momentum is kept and nothing is driven. From the pins outwards, since there the cloth is
 * drawn out most and what is taken back is handed on within a sweep. (To hold the inner ends of edges, or to make them
 * heavier, converges at once and feeds energy in.) `Tethers` carries what is beyond three sweeps.
 *
 * A tethered cloth has such a limit as well, 5% beyond the slack: tethers hold what hangs, and not an edge that snaps.
 */
export class StrainLimits {
  private rows: readonly LimitRows[] = []

  constructor(
    private readonly distances: PinDistances,
    private readonly holds: Holds,
  ) {}

  /** To be called where bodies have come or gone, or their settings or pins have changed. */
  bake(state: State): void {
    this.rows = state.bodies.live.filter(isLimited).map((body) => this.rowsOf(state, body))
  }

  /** To be called where bodies have torn. */
  follow(state: State): void {
    this.rows = this.rows.map((rows) => (rows.model === rows.body.model ? rows : this.rowsOf(state, rows.body)))
  }

  private rowsOf(state: State, body: BodyRecord): LimitRows {
    const { model, start } = body
    const { edges, positions } = model
    const atRest = edgeLengths(edges, positions)
    const still = (end: number) => this.holds.isStill(state, start + edges[end]!)
    // Where both ends are held nothing can be taken back.
    const order = outwards(this.levels(state, body), edges).filter((edge) => !(still(edge * 2) && still(edge * 2 + 1)))
    const particles = new Uint32Array(2 * order.length)
    const lengths = new Float64Array(order.length)
    order.forEach((edge, row) => {
      const [i, j] = [edges[edge * 2]!, edges[edge * 2 + 1]!]
      lengths[row] = atRest[edge]! * (1 + limitOf(body))
      particles[row * 2] = start + i
      particles[row * 2 + 1] = start + j
    })
    return { body, model, particles, lengths, pulls: new Float64Array(lengths.length) }
  }

  /** A step begins. */
  begin(): void {
    for (let b = 0; b < this.rows.length; b++) this.rows[b]!.pulls.fill(0)
  }

  /** The rows of a body; undefined where it has no limit. */
  of(body: BodyRecord): LimitRows | undefined {
    return this.rows.find((rows) => rows.body === body)
  }

  /** Way from each particle to the nearest pin [m], as if nothing were torn; without one, how far down the list it is. */
  private levels(state: State, body: BodyRecord): Float64Array {
    const { points, distances } = this.distances.ofWhole(state, body)
    const { torn, particleCount } = body.model
    const count = torn?.whole.particleCount ?? particleCount
    const levels = new Float64Array(particleCount)
    for (let i = 0; i < count; i++) levels[i] = this.holds.isStill(state, body.start + i) ? 0 : FREE
    for (let k = 0; k < points.length; k++) levels[points[k]!] = Math.min(levels[points[k]!]!, distances[k]!)
    for (let i = count; i < particleCount; i++) levels[i] = levels[torn!.origins[i - count]!]!
    return levels
  }

  /** Up to `SWEEPS` sweeps. */
  project({ positions: x, inverseMasses: w }: State): void {
    for (let b = 0; b < this.rows.length; b++) {
      const { body, particles, lengths, pulls } = this.rows[b]!
      if (body.asleep) continue
      for (let sweep = 0; sweep < SWEEPS && shorten(x, w, particles, lengths, pulls); sweep++);
    }
  }
}

/** Level of what no pin holds. */
const FREE = 1e300

const limitOf = ({ settings }: BodyRecord) => Math.min(settings.strainLimit, settings.tether - 1 + BEYOND_TETHER)
const isLimited = (body: BodyRecord) => isSheet(body) && limitOf(body) < Number.POSITIVE_INFINITY

/** Edges by how far their outer ends are from the pins, then their inner ones, then as they come. */
function outwards(levels: Float64Array, edges: Uint32Array): Uint32Array {
  const outer = new Float64Array(edges.length / 2)
  const inner = new Float64Array(edges.length / 2)
  for (let e = 0; e < outer.length; e++) {
    const [a, b] = [levels[edges[e * 2]!]!, levels[edges[e * 2 + 1]!]!]
    outer[e] = Math.max(a, b)
    inner[e] = Math.min(a, b)
  }
  const order = Uint32Array.from(outer, (_, e) => e)
  return order.sort((a, b) => outer[a]! - outer[b]! || inner[a]! - inner[b]! || a - b)
}

/** One sweep; false where nothing was too long. */
function shorten(
  x: Float64Array,
  w: Float64Array,
  particles: Uint32Array,
  lengths: Float64Array,
  pulls: Float64Array,
): boolean {
  let any = false
  for (let row = 0; row < lengths.length; row++) {
    const i = particles[row * 2]!
    const j = particles[row * 2 + 1]!
    const a = i * 3
    const b = j * 3
    const dx = x[a]! - x[b]!
    const dy = x[a + 1]! - x[b + 1]!
    const dz = x[a + 2]! - x[b + 2]!
    const squared = dx * dx + dy * dy + dz * dz
    const length = lengths[row]!
    const wi = w[i]!
    const wj = w[j]!
    if (!(squared > length * length) || wi + wj === 0) continue
    any = true
    const distance = Math.sqrt(squared)
    const scale = (1 - length / distance) / (wi + wj)
    pulls[row] = pulls[row]! + scale * distance
    const si = scale * wi
    const sj = scale * wj
    x[a] = x[a]! - si * dx
    x[a + 1] = x[a + 1]! - si * dy
    x[a + 2] = x[a + 2]! - si * dz
    x[b] = x[b]! + sj * dx
    x[b + 1] = x[b + 1]! + sj * dy
    x[b + 2] = x[b + 2]! + sj * dz
  }
  return any
}

import type { Columns, Rows } from './constraints/kind.js'
import { grow, shapeMatching } from './constraints/shapeMatching.js'
import type { Stats } from './counters.js'
import { type Anchors, dampShape } from './damping.js'
import { exp } from './math/elementary.js'
import { type BodyRecord, RESCUE, UNSTABLE } from './records.js'
import type { State } from './state.js'
import { placesAt } from './unflowed.js'
import { unfold } from './unfold.js'

/** A body counts as lost when of so many tetrahedra one is inverted. */
const LOST = 3
/** Volume below which a tetrahedron counts as inverted, in mean rest volumes: what rounding leaves of a flat one. */
const FLAT = 1e-9
/** For how long after its last inverted tetrahedron a body still counts as lost [s]: the material can invert some again. */
const MEMORY = 0.5
/** A look at a body that is not being rescued takes every so manieth tetrahedron. */
const STRIDE = 7
/** Below so many tetrahedra a look takes all. */
const FEW = 200
/** Tetrahedra that one call judges: what is called often is compiled soon, and arithmetic allocates until then. */
const A_CALL = 16

/** Angular frequency of the pull in its first step [rad/s]. */
const RATE = 30
/** What each step makes of it. */
const GROWTH = 1.2
/** The most it comes to, in 1 / h: all but rigid. */
const MOST = 20
/** The most it comes to while something touches it [rad/s]: more would draw a body through a press, or hold it in the floor. */
const MOST_TOUCHED = 100

/** Knows whether something pushed the `b`-th live body in this substep. */
interface Touching {
  touches(b: number): boolean
}

const free: Anchors = { count: 0, points: new Float64Array(0) }

/**
 * Puts right what has turned inside out. A body whose tetrahedra are inverted, a third of them or more, has lost its
 * shape: it was thrown together, flattened or mirrored, and its material might find a rest of another shape. Until none
 * has been inverted for `MEMORY` it unfolds (`unfold`), and in each step that finds one inverted its particles are drawn
 * towards the rest shape where it fits best: the pull of `shapeMatching`, from step to step stiffer, damped towards the
 * rigid motion. Then the material does the rest. All keep linear and angular momentum. Pinned particles stay. A body
 * whose `rescue` is off unfolds without the pull.
 *
 * What a fall or a press inverts is left to the material: some 5% of the tetrahedra, and a third only where a body is
 * pressed flatter than a sixth of its height.
 */
export class Rescue {
  /** By live body: 1 where it has lost its shape. */
  private lost = new Uint8Array(0)
  /** By live body: 1 where it is pulled in this step. */
  private acts = new Uint8Array(0)
  /** By live body: 1 where tetrahedra are what holds it together. */
  private watched = new Uint8Array(0)
  /** By live body: the whole of it as one group, made when it is first needed. */
  private rows: (Rows | undefined)[] = []
  /** By live body: six times the least volume of an upright tetrahedron [m^3]. */
  private least = new Float64Array(0)
  private readonly h = new Float64Array(1)
  private readonly share = new Float64Array(1)
  private readonly columns: { -readonly [K in keyof Columns]: Columns[K] } = {
    positions: new Float64Array(0),
    previous: new Float64Array(0),
    inverseMasses: new Float64Array(0),
    masses: new Float64Array(0),
    rotations: new Float64Array(0),
  }

  /** To be called where bodies have come or gone, or their settings have changed. */
  bake({ bodies }: State): void {
    this.lost = new Uint8Array(bodies.live.length)
    this.acts = new Uint8Array(bodies.live.length)
    this.watched = Uint8Array.from(bodies.live, (body) => (isWatched(body) ? 1 : 0))
    this.rows = bodies.live.map(() => undefined)
    this.least = Float64Array.from(bodies.live, ({ model }) => (24 * FLAT * model.volume) / model.tets.length)
    for (const body of bodies.live) if (!isWatched(body)) forget(body)
  }

  /** Looks, once a step of timeStep[0] [s] in substeps of h[0] [s], at which bodies are lost. */
  begin(state: State, timeStep: Float64Array, h: Float64Array, stats: Stats): void {
    this.h[0] = h[0]!
    for (let b = 0; b < this.watched.length; b++) {
      this.lost[b] = 0
      this.acts[b] = 0
      if (this.watched[b] === 0) continue
      const body = state.bodies.live[b]!
      if (body.asleep) continue
      const { rescue } = body
      if (rescue[RESCUE.LOST] === 0 ? this.isLost(state, b) : this.hasInverted(state, b)) {
        if (rescue[RESCUE.LOST] === 0) rescue[RESCUE.TOUCHED] = 1 // until it is known
        rescue[RESCUE.LOST] = MEMORY
        body.unstable |= UNSTABLE.INVERTED
        stats.inversionRescues++
        if (body.settings.rescue) this.pull(body, b, h)
      } else if (rescue[RESCUE.LOST] !== 0) {
        rescue[RESCUE.LOST] = Math.max(0, rescue[RESCUE.LOST]! - timeStep[0]!)
        if (rescue[RESCUE.LOST] === 0) forget(body)
      }
      if (rescue[RESCUE.LOST] !== 0) this.lost[b] = 1
    }
  }

  /** True where of the tetrahedra, every `STRIDE`th of many, one in `LOST` or more is inverted. */
  private isLost({ positions, bodies }: State, b: number): boolean {
    const { model, start } = bodies.live[b]!
    const { tets } = model
    const step = tets.length < 4 * FEW ? 4 : 4 * STRIDE
    let found = 0
    for (let t = 0; t < tets.length; t += step * A_CALL) {
      found += countInverted(positions, tets, t, Math.min(t + step * A_CALL, tets.length), step, start, this.least, b)
    }
    return found * LOST * step >= tets.length
  }

  /** True where any tetrahedron is inverted. */
  private hasInverted({ positions, bodies }: State, b: number): boolean {
    const { model, start } = bodies.live[b]!
    const { tets } = model
    let found = 0
    for (let t = 0; t < tets.length && found === 0; t += 4 * A_CALL) {
      found = countInverted(positions, tets, t, Math.min(t + 4 * A_CALL, tets.length), 4, start, this.least, b)
    }
    return found !== 0
  }

  private pull(body: BodyRecord, b: number, h: Float64Array): void {
    const { rescue } = body
    // To choose between a name and a number would allocate.
    rescue[RESCUE.RATE] = rescue[RESCUE.RATE]! * GROWTH
    if (rescue[RESCUE.RATE] === 0) rescue[RESCUE.RATE] = RATE
    const most = MOST / h[0]!
    rescue[RESCUE.RATE] = Math.min(
      rescue[RESCUE.RATE]!,
      rescue[RESCUE.TOUCHED] === 0 ? most : Math.min(MOST_TOUCHED, most),
    )
    this.acts[b] = 1
    const rows = (this.rows[b] ??= wholeBody(body))
    const swing = rescue[RESCUE.RATE]! * h[0]!
    rows.material[0] = 1 / (swing * swing)
  }

  /** One sweep, after the constraints. `grown`: by live body, see `Inflation`. */
  project(state: State, grown: Float64Array): void {
    for (let b = 0; b < this.lost.length; b++) {
      if (this.lost[b] === 0) continue
      unfold(state, state.bodies.live[b]!, this.h)
      if (this.acts[b] === 0) continue
      const { columns } = this
      columns.positions = state.positions
      columns.previous = state.previous
      columns.inverseMasses = state.inverseMasses
      columns.masses = state.masses
      columns.rotations = state.bodies.live[b]!.rescue
      const rows = this.rows[b]!
      grow(rows, grown, b)
      rows.lambda.fill(0)
      shapeMatching.project(rows, 0, 1, columns)
    }
  }

  /**
   * Keeps what is drawn together from swinging through: the critical damping of the pull. What something touches keeps
   * nothing but its rigid motion, so that to be put right makes no energy for that to take.
   */
  damp(state: State, colliders: Touching, others: Touching, h: Float64Array): void {
    for (let b = 0; b < this.lost.length; b++) {
      if (this.lost[b] === 0) continue
      const body = state.bodies.live[b]!
      body.rescue[RESCUE.TOUCHED] = colliders.touches(b) || others.touches(b) ? 1 : 0
      if (this.acts[b] === 0) continue
      this.share[0] = 1 - exp(-2 * body.rescue[RESCUE.RATE]! * h[0]!)
      if (body.rescue[RESCUE.TOUCHED] !== 0) this.share[0] = 1
      dampShape(state, body, this.share, free)
    }
  }
}

/** True where the material of its tetrahedra holds a body: what springs or pressure alone hold may lie as it likes. */
function isWatched({ settings, model }: BodyRecord): boolean {
  if (model.tets.length === 0) return false
  return model.sets.some(({ name, kind }) => kind.arity === 4 && (settings.elastic[name] ?? model.elastic[name]))
}

/** The whole body as one row of shape matching, whose warm start is in the body's record; it follows what flows. */
export function wholeBody({ model, start, plastic }: BodyRecord): Rows {
  const count = model.particleCount
  const indices = Uint32Array.from({ length: count }, (_, i) => i)
  let rest: Float64Array = new Float64Array(3 * count)
  if (plastic.length > 0) rest = plastic.subarray(placesAt(model))
  else shapeMatching.measure(model.positions, indices, 0, count, model.massShares, rest, 0)
  return {
    count: 1,
    indices: indices.map((i) => start + i),
    offsets: Uint32Array.of(0, count),
    rest,
    material: new Float64Array(shapeMatching.materialSize),
    lambda: new Float64Array(3 * count),
    iterated: false,
    rotations: Uint32Array.of(RESCUE.ROTATION / 4),
  }
}

function forget({ rescue }: BodyRecord): void {
  rescue[RESCUE.RATE] = 0
  rescue[RESCUE.LOST] = 0
}

/** Of the tetrahedra tets[t] for t = from, from + step, ... below `to`, those whose sixfold volume is not above least[b]. */
function countInverted(
  x: Float64Array,
  tets: Uint32Array,
  from: number,
  to: number,
  step: number,
  start: number,
  least: Float64Array,
  b: number,
): number {
  let count = 0
  for (let t = from; t < to; t += step) if (!(sixVolumes(x, tets, t, start) > least[b]!)) count++
  return count
}

/** Six times the signed volume of the tetrahedron tets[t..t + 3] of the body that starts at `start` [m^3]. */
function sixVolumes(x: Float64Array, tets: Uint32Array, t: number, start: number): number {
  const p0 = (start + tets[t]!) * 3
  const p1 = (start + tets[t + 1]!) * 3
  const p2 = (start + tets[t + 2]!) * 3
  const p3 = (start + tets[t + 3]!) * 3
  const x0 = x[p0]!
  const y0 = x[p0 + 1]!
  const z0 = x[p0 + 2]!
  const ax = x[p1]! - x0
  const ay = x[p1 + 1]! - y0
  const az = x[p1 + 2]! - z0
  const bx = x[p2]! - x0
  const by = x[p2 + 1]! - y0
  const bz = x[p2 + 2]! - z0
  const cx = x[p3]! - x0
  const cy = x[p3 + 1]! - y0
  const cz = x[p3 + 2]! - z0
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
}

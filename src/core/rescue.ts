import type { Rows } from './constraints/kind.js'
import type { Stats } from './counters.js'
import { dampShape, none } from './damping.js'
import type { Inverted } from './inverted.js'
import { exp } from './math/elementary.js'
import { type BodyRecord, RESCUE, UNSTABLE } from './records.js'
import type { State } from './state.js'
import { unfold } from './unfold.js'
import { drawToShape, wholeBody } from './wholeBody.js'

/** A body counts as lost when of so many tetrahedra one is inverted. */
const LOST = 3
/** For how long after its last inverted tetrahedron a body still counts as lost [s]: the material can invert some again. */
const MEMORY = 0.5
/** A look at a body that is not being rescued takes every so manieth tetrahedron. */
const STRIDE = 7
/** Below so many tetrahedra a look takes all. */
const FEW = 200

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
  constructor(private readonly inverted: Inverted) {}

  /** By live body: 1 where it has lost its shape. */
  private lost = new Uint8Array(0)
  /** By live body: 1 where it is pulled in this step. */
  private acts = new Uint8Array(0)
  /** By live body: the whole of it as one group, made when it is first needed. */
  private rows: (Rows | undefined)[] = []
  private readonly h = new Float64Array(1)
  private readonly share = new Float64Array(1)

  /** To be called where bodies have come or gone, or their settings have changed. */
  bake({ bodies }: State): void {
    this.lost = new Uint8Array(bodies.live.length)
    this.acts = new Uint8Array(bodies.live.length)
    this.rows = bodies.live.map(() => undefined)
    for (let b = 0; b < bodies.live.length; b++) if (this.inverted.watched[b] === 0) forget(bodies.live[b]!)
  }

  /** Looks, once a step of timeStep[0] [s] in substeps of h[0] [s], at which bodies are lost. */
  begin(state: State, timeStep: Float64Array, h: Float64Array, stats: Stats): void {
    this.h[0] = h[0]!
    for (let b = 0; b < this.lost.length; b++) {
      this.lost[b] = 0
      this.acts[b] = 0
      if (this.inverted.watched[b] === 0) continue
      const body = state.bodies.live[b]!
      if (body.asleep) continue
      const { rescue } = body
      if (rescue[RESCUE.LOST] === 0 ? this.isLost(state, b) : this.inverted.has(state, b)) {
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
  private isLost(state: State, b: number): boolean {
    const { tets } = state.bodies.live[b]!.model
    const stride = tets.length < 4 * FEW ? 1 : STRIDE
    return this.inverted.count(state, b, stride) * LOST * 4 * stride >= tets.length
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
      if (this.acts[b] !== 0) drawToShape(state, state.bodies.live[b]!, this.rows[b]!, grown, b)
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
      dampShape(state, body, this.share, none)
    }
  }
}

function forget({ rescue }: BodyRecord): void {
  rescue[RESCUE.RATE] = 0
  rescue[RESCUE.LOST] = 0
}

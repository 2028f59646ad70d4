import type { Model } from '../model.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'
import { tears } from '../tear/takeOver.js'
import { isSheet, type PinDistances } from './pinDistances.js'

interface Rows {
  readonly body: BodyRecord
  readonly model: Model
  /** The particle and the pin, two a row. */
  readonly particles: Uint32Array
  /** [m] */
  readonly lengths: Float64Array
}

/**
 * Long-range attachments (Kim, Chentanez and Mueller 2012): a particle of a cloth gets no farther from a pin than
 * `tether` times the way along the surface at rest, C = |x - p| - tether L <= 0. So the pin bears at once what each
 * substep would otherwise carry on by a few edges only. Folding is not hindered. Of pins that are joined by edges the
 * nearest counts. Lengths belong to a particle and a pin: they are found anew whenever pins change.
 *
 * Where no edge is strained by more than `strainLimit`, no way is, so that a limit of strain is a tether as well; but not
 * of a cloth that may tear, since what a tether carries past it cannot tear it.
 *
 * Acts from outside: what it takes, the pin bears, or what is held there and next to pinned (`Holds`).
 */
export class Tethers {
  private rows: readonly Rows[] = []

  constructor(private readonly distances: PinDistances) {}

  /** To be called where bodies have come or gone, or their settings or pins have changed. */
  bake(state: State): void {
    this.rows = state.bodies.live.filter(isTethered).map((body) => this.rowsOf(state, body))
  }

  /** To be called where bodies have torn. */
  follow(state: State): void {
    this.rows = this.rows.map((rows) => (rows.model === rows.body.model ? rows : this.rowsOf(state, rows.body)))
  }

  private rowsOf(state: State, body: BodyRecord): Rows {
    const { points, sources, distances } = this.distances.of(state, body)
    const particles = new Uint32Array(2 * points.length)
    for (let row = 0; row < points.length; row++) {
      particles[row * 2] = body.start + points[row]!
      particles[row * 2 + 1] = body.start + sources[row]!
    }
    const slack = slackOf(body)
    return { body, model: body.model, particles, lengths: distances.map((distance) => distance * slack) }
  }

  /** One sweep. */
  project({ positions: x, inverseMasses: w }: State): void {
    for (let b = 0; b < this.rows.length; b++) {
      const { body, particles, lengths } = this.rows[b]!
      if (!body.asleep) pull(x, w, particles, lengths)
    }
  }
}

const slackOf = ({ settings }: BodyRecord) =>
  tears(settings) ? settings.tether : Math.min(settings.tether, 1 + settings.strainLimit)
const isTethered = (body: BodyRecord) => isSheet(body) && slackOf(body) < Number.POSITIVE_INFINITY

function pull(x: Float64Array, w: Float64Array, particles: Uint32Array, lengths: Float64Array): void {
  for (let row = 0; row < lengths.length; row++) {
    const i = particles[row * 2]! * 3
    const p = particles[row * 2 + 1]! * 3
    const dx = x[i]! - x[p]!
    const dy = x[i + 1]! - x[p + 1]!
    const dz = x[i + 2]! - x[p + 2]!
    const squared = dx * dx + dy * dy + dz * dz
    const length = lengths[row]!
    if (!(squared > length * length)) continue
    const scale = length / Math.sqrt(squared) - 1
    x[i] = x[i]! + scale * dx
    x[i + 1] = x[i + 1]! + scale * dy
    x[i + 2] = x[i + 2]! + scale * dz
    const light = w[particles[row * 2 + 1]!]!
    if (light === 0) continue // pinned
    const back = (scale * light) / w[particles[row * 2]!]!
    x[p] = x[p]! - back * dx
    x[p + 1] = x[p + 1]! - back * dy
    x[p + 2] = x[p + 2]! - back * dz
  }
}

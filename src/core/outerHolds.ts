import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/** What holds a body rigidly from outside in a substep: where it does, and how hard it pulls. */
export class OuterHolds {
  /** Held points, see `Anchors`; none of pins. */
  readonly anchors = { count: 0, points: new Float64Array(0) }
  /** Sum of the pulls, x, y and z [kg m]; sum of their sizes [kg m]; sum of how far they have moved what they hold [m]. */
  private readonly pulls = new Float64Array(5)

  private pinned = false

  /** Begins with the pins of a body. */
  begin({ inverseMasses: w }: State, { start, model }: BodyRecord): void {
    this.anchors.count = 0
    this.pulls.fill(0)
    this.pinned = false
    for (let i = start; i < start + model.particleCount && !this.pinned; i++) this.pinned = w[i] === 0
  }

  /** True where anything holds it. */
  get hold(): boolean {
    return this.pinned || this.anchors.count > 0
  }

  /** Adds a held point: where it is [m], and how far what holds it comes [m] in a substep of h[0] [s]. */
  addPoint(point: Float64Array, way: Float64Array, h: Float64Array): void {
    const { anchors } = this
    const at = anchors.count * 6
    if (anchors.points.length < at + 6) {
      const points = new Float64Array(2 * at + 96)
      points.set(anchors.points)
      anchors.points = points
    }
    for (let d = 0; d < 3; d++) {
      anchors.points[at + d] = point[d]!
      anchors.points[at + 3 + d] = way[d]! / h[0]!
    }
    anchors.count++
  }

  /** Adds the pull of a hold [kg m] on what has the inverse mass light[0] [1/kg] there. */
  addPull(pull: Float64Array, light: Float64Array): void {
    const { pulls } = this
    let square = 0
    for (let d = 0; d < 3; d++) {
      pulls[d] = pulls[d]! + pull[d]!
      square += pull[d]! * pull[d]!
    }
    const size = Math.sqrt(square)
    pulls[3] = pulls[3]! + size
    pulls[4] = pulls[4]! + size * light[0]!
  }

  /**
   * True where holds pull one against the other, further than reach[0] [m] and by more than they bear together. Pins may
   * be what any other hold pulls against.
   */
  pullApart(reach: Float64Array): boolean {
    const { pulls } = this
    const sum = pulls[3]!
    const all = Math.sqrt(pulls[0]! * pulls[0]! + pulls[1]! * pulls[1]! + pulls[2]! * pulls[2]!)
    const net = this.pinned ? 0 : all
    return sum > 2 * net && pulls[4]! * (sum - net) > reach[0]! * sum
  }
}

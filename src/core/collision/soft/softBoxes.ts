import type { State } from '../../state.js'
import { BOX } from './boxTree.js'
import { roomy } from './columns.js'
import type { InsideOut } from './insideOut.js'
import type { Meetings } from './meetings.js'
import { SURFACE, type Surfaces } from './surfaces.js'

/** Boxes of some elements, and which these are. */
export interface Boxed {
  count: number
  ids: Uint32Array<ArrayBuffer>
  boxes: Float64Array<ArrayBuffer>
}

/** The boxes of triangles and edges that may touch anything: about their ways in the substep, and as far as they are looked for. */
export class SoftBoxes {
  readonly triangles: Boxed = boxed()
  readonly edges: Boxed = boxed()
  readonly rims: Boxed = boxed()
  /** By live body: the first of its triangles' boxes, of its edges', and the end. */
  firstTriangles = new Uint32Array(0)
  firstEdges = new Uint32Array(0)
  firstRims = new Uint32Array(0)

  /** What does not reach into it is not boxed [6] m. */
  private readonly zone = new Float64Array(BOX)

  constructor(
    private readonly surfaces: Surfaces,
    private readonly meetings: Meetings,
    private readonly insideOut: InsideOut,
  ) {}

  /** From now on all that may touch is boxed. */
  openZone(): void {
    this.zone.fill(Number.NEGATIVE_INFINITY, 0, 3)
    this.zone.fill(Number.POSITIVE_INFINITY, 3)
  }

  /** From now on only what is near lost particles, or the elements that have one, is boxed. */
  closeZone(state: State): void {
    const { surfaces, meetings, zone } = this
    const { vertices, vertexStarts, edges, edgeStarts } = surfaces
    const { lost } = meetings.leashes
    zone.fill(Number.POSITIVE_INFINITY, 0, 3)
    zone.fill(Number.NEGATIVE_INFINITY, 3)
    for (let b = 0; b < surfaces.bodies.length; b++) {
      if (meetings.asked[b] === 0) continue
      for (let v = vertexStarts[b]!; v < vertexStarts[b + 1]!; v++) {
        if (lost[vertices[v]!] === 1) this.widenZone(state, b, vertices[v]!)
      }
      for (let e = edgeStarts[b]! * 2; e < edgeStarts[b + 1]! * 2; e += 2) {
        if ((lost[edges[e]!]! | lost[edges[e + 1]!]!) === 0) continue
        this.widenZone(state, b, edges[e]!)
        this.widenZone(state, b, edges[e + 1]!)
      }
    }
  }

  /** Takes the way of particle i of live body b, and its reach, into the zone. */
  private widenZone({ previous: y }: State, b: number, i: number): void {
    const { zone } = this
    const { longest, origin } = this.meetings.leashes
    const reach = longest[i]! + this.surfaces.numbers[b * SURFACE.SIZE + SURFACE.THICKNESS]!
    for (let d = 0; d < 3; d++) {
      const to = origin[i * 3 + d]!
      const from = y[i * 3 + d]!
      zone[d] = Math.min(zone[d]!, to - reach, from - reach)
      zone[3 + d] = Math.max(zone[3 + d]!, to + reach, from + reach)
    }
  }

  /** Boxes of the triangles that may touch. */
  boxTriangles(state: State): void {
    const { surfaces, meetings, triangles: out } = this
    out.count = 0
    this.firstTriangles = roomy(this.firstTriangles, surfaces.bodies.length + 1)
    for (let b = 0; b < surfaces.bodies.length; b++) {
      this.firstTriangles[b] = out.count
      this.firstTriangles[b + 1] = out.count
      if (meetings.near[b] === 0) continue
      for (let t = surfaces.triangleStarts[b]!; t < surfaces.triangleStarts[b + 1]!; t++) {
        this.box(state, b, surfaces.triangles, t * 3, 3, SURFACE.THICKNESS, out, t)
      }
      if (surfaces.solid[b] === 1)
        for (let k = this.firstTriangles[b]!; k < out.count; k++) this.insideOut.look(state, out.ids[k]!)
      this.firstTriangles[b + 1] = out.count
    }
  }

  /** Boxes of the edges that may touch a sheet or a rope, or are of one. */
  boxEdges(state: State): void {
    const { surfaces, meetings, edges: out } = this
    out.count = 0
    this.firstEdges = roomy(this.firstEdges, surfaces.bodies.length + 1)
    for (let b = 0; b < surfaces.bodies.length; b++) {
      this.firstEdges[b] = out.count
      this.firstEdges[b + 1] = out.count
      if (meetings.nearSheet[b] === 0) continue
      for (let e = surfaces.edgeStarts[b]!; e < surfaces.edgeStarts[b + 1]!; e++) {
        this.box(state, b, surfaces.edges, e * 2, 2, SURFACE.THICKNESS, out, e)
      }
      this.firstEdges[b + 1] = out.count
    }
  }

  /** Boxes of the rims that may touch those of another solid. */
  boxRims(state: State): void {
    const { surfaces, meetings, rims: out } = this
    out.count = 0
    this.firstRims = roomy(this.firstRims, surfaces.bodies.length + 1)
    for (let b = 0; b < surfaces.bodies.length; b++) {
      this.firstRims[b] = out.count
      this.firstRims[b + 1] = out.count
      if (meetings.near[b] === 0) continue
      for (let r = surfaces.rimStarts[b]!; r < surfaces.rimStarts[b + 1]!; r++) {
        this.box(state, b, surfaces.rims, r * 4, 2, SURFACE.RIM_REACH, out, r)
      }
      this.firstRims[b + 1] = out.count
    }
  }

  /** Adds the box of an element of live body b, the ways of its particles and the reach, unless it is out of its region or the zone. */
  private box(
    state: State,
    b: number,
    particles: Uint32Array,
    at: number,
    arity: number,
    off: number,
    out: Boxed,
    id: number,
  ): void {
    out.boxes = roomy(out.boxes, (out.count + 1) * BOX)
    const { boxes } = out
    const o = out.count * BOX
    const { zone } = this
    const { regions, leashes } = this.meetings
    const { longest, drifts, origin } = leashes
    let leash = 0
    for (let k = at; k < at + arity; k++) leash = Math.max(leash, longest[particles[k]!]!)
    const reach = leash + this.surfaces.numbers[b * SURFACE.SIZE + off]!
    for (let d = 0; d < 3; d++) {
      const drift = drifts[b * 3 + d]!
      let low = Number.POSITIVE_INFINITY
      let high = Number.NEGATIVE_INFINITY
      for (let k = at; k < at + arity; k++) {
        const p = particles[k]! * 3 + d
        const to = origin[p]!
        const from = state.previous[p]! + drift
        if (to < low) low = to
        if (from < low) low = from
        if (to > high) high = to
        if (from > high) high = from
      }
      low -= reach
      high += reach
      if (low > regions[b * BOX + 3 + d]! || high < regions[b * BOX + d]!) return
      if (low > zone[3 + d]! || high < zone[d]!) return
      boxes[o + d] = low
      boxes[o + 3 + d] = high
    }
    if (!this.meetings.reaches(b, boxes, o)) return
    out.ids = roomy(out.ids, out.count + 1)
    out.ids[out.count++] = id
  }
}

function boxed(): Boxed {
  return { count: 0, ids: new Uint32Array(0), boxes: new Float64Array(0) }
}

import type { WorldSettings } from '../../settings.js'
import type { State } from '../../state.js'
import { BOX, BoxTree } from './boxTree.js'
import { NEAR, near, nearestOfSegments, nearestOnTriangle } from './closest.js'
import { roomy } from './columns.js'
import { Depths } from './depths.js'
import { Meetings } from './meetings.js'
import { Overlaps } from './overlaps.js'
import { PAIR, SoftPairs } from './softPairs.js'
import { MEETING, SURFACE, Surfaces } from './surfaces.js'
import { Tangles } from './tangles.js'

/** Part of their distance at rest that two elements of one body keep: a rest shape never pushes itself. */
const REST_SHARE = 0.5

/** Part of a solid's mean edge that a particle may come in by, and is nearest to where it did. */
const CAUGHT = 0.25

/** Boxes of some elements, and which these are. */
interface Boxed {
  count: number
  ids: Uint32Array<ArrayBuffer>
  boxes: Float64Array<ArrayBuffer>
}

const probe = new Float64Array(BOX)
const way = new Float64Array(1)
const rest = new Float64Array(12)

/** Finds the pairs of surface elements that may touch until the end of the step, or until a body strays. */
export class SoftSearch {
  readonly surfaces = new Surfaces()
  readonly pairs = new SoftPairs()
  readonly meetings = new Meetings(this.surfaces)
  readonly overlaps = new Overlaps()
  readonly tangles = new Tangles(this.surfaces)
  private readonly grid = new BoxTree()
  private readonly depths = new Depths(this.surfaces, this.meetings, this.grid)
  private readonly triangles: Boxed = boxed()
  private readonly edges: Boxed = boxed()
  /** By live body: the first of its triangles' boxes, of its edges', and the end. */
  private firstBoxes = new Uint32Array(0)
  private firstEdges = new Uint32Array(0)
  private bounce = new Float64Array(1)

  /**
   * Lists the pairs of the rest of the step, of which `left` substeps are left. @param first in this step: what has not
   * crossed by then is looked for no more
   */
  search(state: State, settings: Readonly<WorldSettings>, left: number, first: boolean): void {
    const { pairs, meetings } = this
    const tangled = first || this.tangles.count > 0
    pairs.count = 0
    if (tangled) this.tangles.clear(state)
    this.overlaps.clear()
    if (!meetings.search(state, settings, left)) return
    this.settleSleepers(state)
    const { gravity, timeStep, substeps } = settings
    const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    this.bounce[0] = (2 * g * timeStep) / substeps
    this.boxTriangles(state)
    this.grid.build(this.triangles.boxes, this.triangles.count)
    this.boxEdges(state)
    if (tangled) this.findTangles(state)
    this.pairVertices(state)
    this.partOverlaps(state)
    if (this.edges.count === 0) return
    this.grid.build(this.edges.boxes, this.edges.count)
    this.pairEdges(state)
  }

  /** What sleeps has made no way, wherever a snapshot has found it. */
  private settleSleepers({ positions: x, previous: y }: State): void {
    const { surfaces, meetings } = this
    for (let b = 0; b < surfaces.bodies.length; b++) {
      if (meetings.near[b] === 0 || surfaces.asleep[b] === 0) continue
      const { start, model } = surfaces.bodies[b]!
      for (let p = start * 3; p < (start + model.particleCount) * 3; p++) y[p] = x[p]!
    }
  }

  private boxTriangles(state: State): void {
    const { surfaces, meetings, triangles: out } = this
    out.count = 0
    this.firstBoxes = roomy(this.firstBoxes, surfaces.bodies.length + 1)
    for (let b = 0; b < surfaces.bodies.length; b++) {
      this.firstBoxes[b] = out.count
      this.firstBoxes[b + 1] = out.count
      if (meetings.near[b] === 0) continue
      for (let t = surfaces.triangleStarts[b]!; t < surfaces.triangleStarts[b + 1]!; t++) {
        this.box(state, b, surfaces.triangles, t * 3, 3, out, t)
      }
      this.firstBoxes[b + 1] = out.count
    }
  }

  private boxEdges(state: State): void {
    const { surfaces, meetings, edges: out } = this
    out.count = 0
    this.firstEdges = roomy(this.firstEdges, surfaces.bodies.length + 1)
    for (let b = 0; b < surfaces.bodies.length; b++) {
      this.firstEdges[b] = out.count
      this.firstEdges[b + 1] = out.count
      if (meetings.nearSheet[b] === 0) continue
      for (let e = surfaces.edgeStarts[b]!; e < surfaces.edgeStarts[b + 1]!; e++) {
        this.box(state, b, surfaces.edges, e * 2, 2, out, e)
      }
      this.firstEdges[b + 1] = out.count
    }
  }

  /** Adds the box of an element of live body b, the ways of its particles and the reach, unless it is out of its region. */
  private box(
    state: State,
    b: number,
    particles: Uint32Array,
    at: number,
    arity: number,
    out: Boxed,
    id: number,
  ): void {
    out.boxes = roomy(out.boxes, (out.count + 1) * BOX)
    const { boxes } = out
    const o = out.count * BOX
    const { regions, leashes } = this.meetings
    const { longest, drifts } = leashes
    let leash = 0
    for (let k = at; k < at + arity; k++) leash = Math.max(leash, longest[particles[k]!]!)
    const reach = leash + this.surfaces.numbers[b * SURFACE.SIZE + SURFACE.THICKNESS]!
    for (let d = 0; d < 3; d++) {
      const drift = drifts[b * 3 + d]!
      let low = Number.POSITIVE_INFINITY
      let high = Number.NEGATIVE_INFINITY
      for (let k = at; k < at + arity; k++) {
        const p = particles[k]! * 3 + d
        const to = state.positions[p]!
        const from = state.previous[p]! + drift
        if (to < low) low = to
        if (from < low) low = from
        if (to > high) high = to
        if (from > high) high = from
      }
      low -= reach
      high += reach
      if (low > regions[b * BOX + 3 + d]! || high < regions[b * BOX + d]!) return
      boxes[o + d] = low
      boxes[o + 3 + d] = high
    }
    if (!this.meetings.reaches(b, boxes, o)) return
    out.ids = roomy(out.ids, out.count + 1)
    out.ids[out.count++] = id
  }

  /** Edges that cross triangles at the start of the substep. */
  private findTangles(state: State): void {
    const { surfaces, edges, grid, triangles, tangles } = this
    const x = state.previous
    for (let k = 0; k < edges.count; k++) {
      const i = surfaces.edges[edges.ids[k]! * 2]! * 3
      const j = surfaces.edges[edges.ids[k]! * 2 + 1]! * 3
      for (let d = 0; d < 3; d++) {
        probe[d] = Math.min(x[i + d]!, x[j + d]!)
        probe[3 + d] = Math.max(x[i + d]!, x[j + d]!)
      }
      const b = surfaces.bodyOf[surfaces.edges[edges.ids[k]! * 2]!]!
      const own = surfaces.self[b] === 0
      grid.query(probe, 0, own ? this.firstBoxes[b]! : 0, own ? this.firstBoxes[b + 1]! : 0)
      for (let l = 0; l < grid.count; l++) tangles.add(state, edges.ids[k]!, triangles.ids[grid.found[l]!]!)
    }
    tangles.mark()
  }

  /** Particles with the triangles near them, a particle's triangles in ascending order. */
  private pairVertices(state: State): void {
    const { surfaces, meetings, grid, triangles } = this
    const { regions } = meetings
    for (let b = 0; b < surfaces.bodies.length; b++) {
      if (meetings.near[b] === 0) continue
      const thickness = surfaces.numbers[b * SURFACE.SIZE + SURFACE.THICKNESS]!
      const end = surfaces.vertexStarts[b + 1]!
      for (let v = surfaces.vertexStarts[b]!; v < end; v++) {
        const i = surfaces.vertices[v]!
        const reach = meetings.leashes.longest[i]! + thickness
        let outside = false
        for (let d = 0; d < 3; d++) {
          const to = state.positions[i * 3 + d]!
          const from = state.previous[i * 3 + d]! + meetings.leashes.drifts[b * 3 + d]!
          probe[d] = Math.min(to, from) - reach
          probe[3 + d] = Math.max(to, from) + reach
          outside = outside || probe[d]! > regions[b * BOX + 3 + d]! || probe[3 + d]! < regions[b * BOX + d]!
        }
        if (outside || !meetings.reaches(b, probe, 0)) continue
        if (surfaces.self[b] === 0) grid.query(probe, 0, this.firstBoxes[b]!, this.firstBoxes[b + 1]!)
        else grid.query(probe, 0, 0, 0)
        sort(grid.found, grid.count)
        const first = this.pairs.count
        for (let k = 0; k < grid.count; k++) this.pairTriangle(state, b, i, triangles.ids[grid.found[k]!]!, false)
        this.pairDepths(state, b, i, first)
        this.groupSolids(first)
        if (surfaces.solid[b] === 1) this.noteInside(state, b, first)
      }
    }
  }

  /** Notes in which solids a particle was when the substep began, by more than contacts leave. */
  private noteInside({ previous: x }: State, b: number, first: number): void {
    const { pairs } = this
    const { particles } = pairs
    for (let pair = first; pair < pairs.count; pair += pairs.group[pair]!) {
      if (pairs.kind[pair] !== PAIR.SOLID) continue
      if (pairs.found[pair]! < 0) continue // deep, and noted already
      let nearest = -1
      let square = Number.POSITIVE_INFINITY
      let most = -1
      for (let other = pair; other < pair + pairs.group[pair]!; other++) {
        pairs.measure(x, other)
        const here = near[NEAR.SQUARE]!
        if (here > square * (1 + 1e-9)) continue
        if (here < square * (1 - 1e-9)) most = -1
        const k = other * 4
        // At a rim that two triangles share, the one that faces the particle more tells the side.
        const inside = side(x, particles[k + 1]! * 3, particles[k + 2]! * 3, particles[k + 3]! * 3) < 0
        if (Math.abs(facing[0]!) <= most) continue
        most = Math.abs(facing[0]!)
        square = here
        nearest = inside ? other : -1
      }
      if (nearest < 0) continue
      const thickness = pairs.thickness[nearest]!
      if (square <= thickness * thickness) continue
      pairs.measure(x, nearest)
      this.overlaps.add(b, pairs.second[nearest]!)
    }
  }

  /** What overlaps deeply is moved apart as a whole instead. */
  private partOverlaps(state: State): void {
    const { pairs, overlaps } = this
    overlaps.keepSwallowed(this.surfaces.vertexStarts)
    if (overlaps.count === 0) return
    overlaps.direct(state)
    for (let k = 0; k < pairs.count; k++) if (overlaps.has(pairs.first[k]!, pairs.second[k]!)) pairs.silent[k] = 2
  }

  /** A particle in a solid none of whose triangles is near, with the one that is nearest. */
  private pairDepths(state: State, b: number, i: number, first: number): void {
    const { partners, partnerStarts } = this.meetings
    const { pairs, depths } = this
    for (let k = partnerStarts[b]!; k < partnerStarts[b + 1]!; k++) {
      const solid = partners[k]!
      if (this.surfaces.solid[solid] === 0 || this.surfaces.meeting(b, solid) !== MEETING.PUSH) continue
      let known = false
      for (let pair = first; pair < pairs.count && !known; pair++) known = pairs.second[pair] === solid
      if (known || !depths.isInside(state, i, solid, this.triangles.ids)) continue
      const triangle = depths.nearest(state, i, solid)
      if (this.surfaces.solid[b] === 1) this.overlaps.add(b, solid)
      this.pairTriangle(state, b, i, triangle, true)
    }
  }

  private pairTriangle(state: State, body: number, i: number, t: number, deep: boolean): void {
    const { surfaces, pairs } = this
    const a = surfaces.triangles[t * 3]!
    const b = surfaces.triangles[t * 3 + 1]!
    const c = surfaces.triangles[t * 3 + 2]!
    const { origins } = surfaces
    if (origins[a] === origins[i] || origins[b] === origins[i] || origins[c] === origins[i]) return
    const other = surfaces.bodyOf[a]!
    const meeting = surfaces.meeting(body, other)
    if (meeting === MEETING.NOTHING) return
    const own = body === other
    const pair = pairs.add()
    pairs.kind[pair] = !own && surfaces.solid[other] === 1 ? PAIR.SOLID : PAIR.SHEET
    this.fill(state, pair, body, other, i, a, b, c, meeting, deep)
    if (own && surfaces.solid[body] === 1 && this.isBehind(state, i, a, b, c)) pairs.count = pair
  }

  /** True where a particle is on the inner side of a triangle. */
  private isBehind({ positions: x }: State, i: number, a: number, b: number, c: number): boolean {
    nearestOnTriangle(x, i * 3, a * 3, b * 3, c * 3)
    return side(x, a * 3, b * 3, c * 3) < 0
  }

  /** Pairs of one particle from `first` on: those with the same solid are a group. */
  private groupSolids(first: number): void {
    const { pairs, surfaces } = this
    let leader = first
    for (let pair = first; pair < pairs.count; pair++) {
      const joins =
        pair > first &&
        pairs.kind[pair] === PAIR.SOLID &&
        pairs.kind[leader] === PAIR.SOLID &&
        surfaces.bodyOf[pairs.particles[pair * 4 + 1]!] === surfaces.bodyOf[pairs.particles[leader * 4 + 1]!]
      if (!joins) leader = pair
      pairs.group[pair] = 0
      pairs.group[leader] = pairs.group[leader]! + 1
    }
  }

  private pairEdges(state: State): void {
    const { surfaces, grid, edges, pairs } = this
    const { origins: o } = surfaces
    for (let k = 0; k < edges.count; k++) {
      const e = edges.ids[k]!
      const a = surfaces.edges[e * 2]!
      const b = surfaces.edges[e * 2 + 1]!
      const body = surfaces.bodyOf[a]!
      grid.query(edges.boxes, k * BOX, 0, surfaces.self[body] === 0 ? this.firstEdges[body + 1]! : k + 1)
      sort(grid.found, grid.count)
      for (let l = 0; l < grid.count; l++) {
        const f = edges.ids[grid.found[l]!]!
        const c = surfaces.edges[f * 2]!
        const d = surfaces.edges[f * 2 + 1]!
        if (o[a] === o[c] || o[a] === o[d] || o[b] === o[c] || o[b] === o[d]) continue
        const other = surfaces.bodyOf[c]!
        if (body !== other && surfaces.solid[body] === 1 && surfaces.solid[other] === 1) continue
        const meeting = surfaces.meeting(body, other)
        if (meeting === MEETING.NOTHING) continue
        const pair = pairs.add()
        pairs.kind[pair] = PAIR.EDGES
        pairs.group[pair] = 1
        this.fill(state, pair, body, other, a, b, c, d, meeting, false)
      }
    }
  }

  /** Settings of a pair; drops it where its elements, unless one is `deep` inside, are too far from each other to touch. */
  private fill(
    state: State,
    pair: number,
    body: number,
    other: number,
    i: number,
    j: number,
    k: number,
    l: number,
    meeting: number,
    deep: boolean,
  ): void {
    const { pairs, meetings } = this
    const { numbers } = this.surfaces
    const s = body * SURFACE.SIZE
    const o = other * SURFACE.SIZE
    pairs.particles[pair * 4] = i
    pairs.particles[pair * 4 + 1] = j
    pairs.particles[pair * 4 + 2] = k
    pairs.particles[pair * 4 + 3] = l
    const thickness = numbers[s + SURFACE.THICKNESS]! + numbers[o + SURFACE.THICKNESS]!
    pairs.measure(state.positions, pair)
    const distance = Math.sqrt(near[NEAR.SQUARE]!)
    const { longest, ways } = meetings.leashes
    const edges = pairs.kind[pair] === PAIR.EDGES
    const last = Math.max(longest[k]!, longest[l]!)
    const stray = edges ? Math.max(longest[i]!, longest[j]!) + last : longest[i]! + Math.max(longest[j]!, last)
    const most = Math.max(ways[i]!, ways[j]!) + Math.max(ways[j]!, ways[k]!, ways[l]!)
    // Most pairs that are looked at are this far apart, and cost no more.
    if (distance > thickness + stray + most && !deep) {
      pairs.count = pair
      return
    }
    pairs.thickness[pair] = thickness
    pairs.found[pair] = deep ? -distance : distance
    pairs.first[pair] = body
    pairs.second[pair] = other
    pairs.measureWay(state, pair, way)
    const margin = Math.sqrt(way[0]!) + stray
    const w = this.surfaces.mobility
    const { loose } = this.tangles
    if (pairs.kind[pair] !== PAIR.SOLID && loose[i]! + loose[j]! + loose[k]! + loose[l]! > 0) {
      pairs.count = pair
      return
    }
    if ((distance > thickness + margin && !deep) || w[i]! + w[j]! + w[k]! + w[l]! === 0) {
      pairs.count = pair
      return
    }
    if (body === other) {
      this.limitBy(pair, body, i, j, k, l)
      if (distance > pairs.thickness[pair] + margin) {
        pairs.count = pair
        return
      }
    }
    pairs.silent[pair] = meeting === MEETING.NOTICE ? 1 : 0
    const solids = pairs.kind[pair] === PAIR.SOLID && this.surfaces.solid[body] === 1
    pairs.slow[pair] = solids ? CAUGHT * numbers[o + SURFACE.EDGE]! : 0
    pairs.friction[pair] = Math.sqrt(numbers[s + SURFACE.FRICTION]! * numbers[o + SURFACE.FRICTION]!)
    pairs.restitution[pair] = Math.max(numbers[s + SURFACE.RESTITUTION]!, numbers[o + SURFACE.RESTITUTION]!)
    const scale = Math.max(Math.abs(numbers[s + SURFACE.GRAVITY]!), Math.abs(numbers[o + SURFACE.GRAVITY]!))
    pairs.slowest[pair] = this.bounce[0]! * scale
  }

  /** Keeps the thickness of a pair of one body below what its elements are apart at rest. */
  private limitBy(pair: number, body: number, i: number, j: number, k: number, l: number): void {
    const { pairs } = this
    const { start, model } = this.surfaces.bodies[body]!
    for (let d = 0; d < 3; d++) {
      rest[d] = model.positions[(i - start) * 3 + d]!
      rest[3 + d] = model.positions[(j - start) * 3 + d]!
      rest[6 + d] = model.positions[(k - start) * 3 + d]!
      rest[9 + d] = model.positions[(l - start) * 3 + d]!
    }
    if (pairs.kind[pair] === PAIR.EDGES) nearestOfSegments(rest, 0, 3, 6, 9)
    else nearestOnTriangle(rest, 0, 3, 6, 9)
    pairs.thickness[pair] = Math.min(pairs.thickness[pair]!, REST_SHARE * Math.sqrt(near[NEAR.SQUARE]!))
  }
}

function boxed(): Boxed {
  return { count: 0, ids: new Uint32Array(0), boxes: new Float64Array(0) }
}

/** Sorts the first `count` numbers; they are few. */
function sort(numbers: Uint32Array, count: number): void {
  for (let k = 1; k < count; k++) {
    const value = numbers[k]!
    let at = k
    while (at > 0 && numbers[at - 1]! > value) {
      numbers[at] = numbers[at - 1]!
      at--
    }
    numbers[at] = value
  }
}

/** Of the triangle that `side` looked at last: its unit normal, and how much of the gap is along it [m]. */
export const normal = new Float64Array(3)
export const facing = new Float64Array(1)

/** 1 where the gap in `near` is on the outer side of a triangle, -1 where it is on the inner. */
export function side(x: Float64Array, a: number, b: number, c: number): number {
  const ux = x[b]! - x[a]!
  const uy = x[b + 1]! - x[a + 1]!
  const uz = x[b + 2]! - x[a + 2]!
  const vx = x[c]! - x[a]!
  const vy = x[c + 1]! - x[a + 1]!
  const vz = x[c + 2]! - x[a + 2]!
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz)
  const scale = size > 0 ? 1 / size : 0
  normal[0] = nx * scale
  normal[1] = ny * scale
  normal[2] = nz * scale
  facing[0] = normal[0] * near[NEAR.GAP]! + normal[1] * near[NEAR.GAP + 1]! + normal[2] * near[NEAR.GAP + 2]!
  return facing[0] < 0 ? -1 : 1
}

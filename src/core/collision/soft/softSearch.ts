import type { State } from '../../state.js'
import type { WorldSettings } from '../../worldSettings.js'
import { BOX, BoxTree } from './boxTree.js'
import { NEAR, near, nearestOnTriangle } from './closest.js'
import { roomy } from './columns.js'
import { Depths } from './depths.js'
import { Hooks } from './hooks.js'
import { InsideOut } from './insideOut.js'
import { Meetings } from './meetings.js'
import { Overlaps } from './overlaps.js'
import { Rims } from './rims.js'
import { facing, side } from './side.js'
import { type Boxed, SoftBoxes } from './softBoxes.js'
import { SoftFill } from './softFill.js'
import { PAIR, SoftPairs } from './softPairs.js'
import { SolidCrossings } from './solidCrossings.js'
import { sort } from './sort.js'
import { MEETING, SURFACE, Surfaces } from './surfaces.js'
import { Tangles } from './tangles.js'
import { Touching } from './touching.js'

const probe = new Float64Array(BOX)

/** Finds the pairs of surface elements that may touch until the end of the step, or until a body strays. */
export class SoftSearch {
  readonly surfaces = new Surfaces()
  readonly pairs = new SoftPairs()
  readonly meetings = new Meetings(this.surfaces)
  readonly overlaps = new Overlaps()
  readonly tangles = new Tangles(this.surfaces)
  private readonly insideOut = new InsideOut(this.surfaces)
  private readonly rims = new Rims(this.pairs, this.surfaces)
  private readonly grid = new BoxTree()
  private readonly rimGrid = new BoxTree()
  /** The boxes of triangles that have a lost corner. */
  private readonly lostGrid = new BoxTree()
  private lostTriangles = new Uint32Array(0)
  /** The boxes of those elements whose bodies are asked for: all that the others look for. */
  private readonly askedGrid = new BoxTree()
  private askedOnes = new Uint32Array(0)
  private readonly depths = new Depths(this.surfaces, this.meetings, this.grid)
  private readonly boxes = new SoftBoxes(this.surfaces, this.meetings, this.insideOut)
  private readonly touching = new Touching(this.meetings)
  private readonly hooks = new Hooks(this.meetings)
  private readonly solidCrossings = new SolidCrossings(this.meetings, this.touching, this.hooks, this.boxes, this.grid)
  private readonly filler = new SoftFill(this.surfaces, this.pairs, this.meetings, this.tangles, this.insideOut)

  /**
   * Lists the pairs of the rest of the step, of which `left` substeps are left: the `first` time in it all, later those of
   * bodies that have got further than was looked, or are in others, or inside out. What has not crossed by the first time is
   * looked for no more.
   */
  search(state: State, settings: Readonly<WorldSettings>, left: number, first: boolean): void {
    const { pairs, meetings, overlaps, insideOut } = this
    const tangled = first || this.tangles.count > 0
    meetings.ask(tangled)
    if (tangled) this.tangles.clear(state)
    else this.askAgain()
    overlaps.clear()
    insideOut.clear(state)
    this.hooks.clear()
    const any = meetings.search(state, settings, left, first)
    pairs.drop(meetings.asked)
    if (any) {
      const kept = pairs.count
      this.boxes.openZone()
      this.beginPairs(state, settings)
      if (tangled) this.findTangles(state)
      this.tangles.tell(state, overlaps)
      this.pairVertices(state, false)
      this.pairRims(state)
      this.touching.note(pairs)
      this.solidCrossings.find(state, overlaps)
      overlaps.direct(state, this.surfaces, this.touching, meetings)
      this.pairEdges(state, false)
      this.standDown(state, kept)
    }
    if (first) this.noteFirst(state, settings)
  }

  /** Asks for what has strayed, and for those of whom more is to be known than whom they may touch. */
  private askAgain(): void {
    const { asked } = this.meetings
    this.meetings.askStrayed()
    this.overlaps.askAgain(asked)
    this.insideOut.askAgain(asked)
  }

  /**
   * Within a substep, `left` being left with it: adds what particles may meet that contacts have sent further than was looked,
   * on the ways that they go by now; its bodies are looked for again in the next substep. Returns from which pair on.
   */
  searchLost(state: State, settings: Readonly<WorldSettings>, left: number): number {
    const kept = this.pairs.count
    if (this.meetings.searchLost(state, settings, left)) {
      this.boxes.closeZone(state)
      this.beginPairs(state, settings)
      this.gatherLost()
      this.pairVertices(state, true)
      this.pairEdges(state, true)
      this.standDown(state, kept)
    }
    return kept
  }

  /** Lists the triangles that have a lost corner. */
  private gatherLost(): void {
    const { triangles } = this.boxes
    const { lost } = this.meetings.leashes
    const corners = this.surfaces.triangles
    this.lostTriangles = roomy(this.lostTriangles, triangles.count)
    let count = 0
    for (let k = 0; k < triangles.count; k++) {
      const t = triangles.ids[k]! * 3
      if ((lost[corners[t]!]! | lost[corners[t + 1]!]! | lost[corners[t + 2]!]!) === 1) this.lostTriangles[count++] = k
    }
    this.lostGrid.build(triangles.boxes, count, this.lostTriangles)
  }

  /** Builds the grid of those elements whose bodies are asked for, where not all are. @param firsts by body, with the end */
  private gatherAsked({ boxes, count }: Boxed, firsts: Uint32Array): void {
    const { asked } = this.meetings
    this.askedOnes = roomy(this.askedOnes, count)
    let some = 0
    for (let b = 0; b < this.surfaces.bodies.length; b++) {
      if (asked[b] === 0) continue
      for (let k = firsts[b]!; k < firsts[b + 1]!; k++) this.askedOnes[some++] = k
    }
    if (some < count) this.askedGrid.build(boxes, some, this.askedOnes)
  }

  /** Boxes what may touch; the grid knows the triangles. */
  private beginPairs(state: State, settings: Readonly<WorldSettings>): void {
    this.settleSleepers(state)
    this.filler.begin(settings)
    const { triangles } = this.boxes
    this.boxes.boxTriangles(state)
    this.grid.build(triangles.boxes, triangles.count)
    this.boxes.boxEdges(state)
  }

  /** What a step's first search has found, and what is to be known in the next. */
  private noteFirst(state: State, settings: Readonly<WorldSettings>): void {
    this.overlaps.partings.settle(state)
    this.tangles.age(settings)
    this.insideOut.count(settings)
    this.hooks.count(settings)
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

  /** Edges that cross triangles at the start of the substep. */
  private findTangles(state: State): void {
    const { surfaces, grid, tangles } = this
    const { edges, triangles, firstTriangles } = this.boxes
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
      grid.query(probe, 0, own ? firstTriangles[b]! : 0, own ? firstTriangles[b + 1]! : 0)
      for (let l = 0; l < grid.count; l++) tangles.add(state, edges.ids[k]!, triangles.ids[grid.found[l]!]!)
    }
    tangles.mark(state)
  }

  /**
   * Particles with the triangles near them, a particle's triangles in ascending order. @param lost only those particles, and the
   * triangles that have such corners
   */
  private pairVertices(state: State, lost: boolean): void {
    const { surfaces, meetings } = this
    const { triangles, firstTriangles } = this.boxes
    const { asked, regions } = meetings
    if (!lost) this.gatherAsked(triangles, firstTriangles)
    for (let b = 0; b < surfaces.bodies.length; b++) {
      if (meetings.near[b] === 0) continue
      const all = asked[b] === 0 ? this.askedGrid : this.grid
      const s = b * SURFACE.SIZE
      const off = surfaces.numbers[s + SURFACE.THICKNESS]! + surfaces.numbers[s + SURFACE.BESIDE]!
      const end = surfaces.vertexStarts[b + 1]!
      for (let v = surfaces.vertexStarts[b]!; v < end; v++) {
        const i = surfaces.vertices[v]!
        const reach = meetings.leashes.longest[i]! + off
        let outside = false
        for (let d = 0; d < 3; d++) {
          const to = meetings.leashes.origin[i * 3 + d]!
          const from = state.previous[i * 3 + d]! + meetings.leashes.drifts[b * 3 + d]!
          probe[d] = Math.min(to, from) - reach
          probe[3 + d] = Math.max(to, from) + reach
          outside = outside || probe[d]! > regions[b * BOX + 3 + d]! || probe[3 + d]! < regions[b * BOX + d]!
        }
        if (outside || !meetings.reaches(b, probe, 0)) continue
        const grid = lost && meetings.leashes.lost[i] === 0 ? this.lostGrid : all
        if (surfaces.self[b] === 0) grid.query(probe, 0, firstTriangles[b]!, firstTriangles[b + 1]!)
        else grid.query(probe, 0, 0, 0)
        sort(grid.found, grid.count)
        const first = this.pairs.count
        for (let k = 0; k < grid.count; k++) this.pairTriangle(state, b, i, triangles.ids[grid.found[k]!]!, false)
        if (!lost) this.pairDepths(state, b, i, first)
        this.groupSolids(first)
        if (!lost) this.noteInside(state, b, first)
      }
    }
  }

  /** Notes in which solids a particle was when the substep began, by more than contacts leave. */
  private noteInside(state: State, b: number, first: number): void {
    const { previous: x } = state
    const { pairs } = this
    const { particles } = pairs
    for (let pair = first; pair < pairs.count; pair += pairs.group[pair]!) {
      if (pairs.kind[pair] !== PAIR.SOLID || pairs.silent[pair] !== 0) continue
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
      const i = pairs.particles[nearest * 4]!
      const solid = pairs.second[nearest]!
      // What is outside may be behind what is listed, and behind what is inside out.
      if (!this.depths.isInside(state, i, solid, this.boxes.triangles.ids)) continue
      if (this.surfaces.solid[b] === 1) {
        pairs.measure(x, nearest)
        this.overlaps.add(state, i, b, solid)
      }
      pairs.found[nearest] = -pairs.found[nearest]! // contact pushes it out: it is not far off, however deep
    }
  }

  /** What has to turn back first, or is moved apart as a whole, has no contact. */
  private standDown(state: State, kept: number): void {
    const { pairs, overlaps } = this
    this.insideOut.standDown(state, pairs, kept)
    if (!overlaps.any) return
    this.tangles.leaveTo(overlaps)
    let first = -1
    let second = -1
    let overlap = false
    for (let k = kept; k < pairs.count; k++) {
      if (pairs.first[k] !== first || pairs.second[k] !== second) {
        first = pairs.first[k]!
        second = pairs.second[k]!
        overlap = overlaps.has(first, second)
      }
      if (overlap) pairs.silent[k] = 2
    }
  }

  /** A particle in a solid none of whose triangles is near, with the one that is nearest. */
  private pairDepths(state: State, b: number, i: number, first: number): void {
    const { pairs: bodies } = this.meetings
    const { pairs, depths } = this
    for (let d = 0; d < 3; d++) {
      probe[d] = state.previous[i * 3 + d]!
      probe[3 + d] = probe[d]!
    }
    const count = bodies.reach(b, probe, 0)
    for (let k = 0; k < count; k++) {
      const solid = bodies.found[k]!
      if (this.surfaces.solid[solid] === 0 || this.surfaces.meeting(b, solid) !== MEETING.PUSH) continue
      let known = false
      for (let pair = first; pair < pairs.count && !known; pair++) known = pairs.second[pair] === solid
      if (known || !depths.isInside(state, i, solid, this.boxes.triangles.ids)) continue
      const triangle = depths.nearest(state, i, solid)
      if (this.surfaces.bare[b] === 0) this.overlaps.add(state, i, b, solid)
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
    if (!this.meetings.isAsked(body, other)) return
    const meeting = surfaces.meeting(body, other)
    if (meeting === MEETING.NOTHING || this.meetings.crowds.has(body, other)) return
    const own = body === other
    const pair = pairs.add()
    pairs.kind[pair] = !own && surfaces.solid[other] === 1 ? PAIR.SOLID : PAIR.SHEET
    this.filler.fill(state, pair, body, other, i, a, b, c, meeting, deep)
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

  /** Edges near each other. @param lost only those of which one has a lost particle */
  private pairEdges(state: State, lost: boolean): void {
    const { surfaces, pairs } = this
    const { edges, firstEdges } = this.boxes
    if (edges.count === 0) return
    this.grid.build(edges.boxes, edges.count)
    if (!lost) this.gatherAsked(edges, firstEdges)
    const { origins: o } = surfaces
    for (let k = 0; k < edges.count; k++) {
      const e = edges.ids[k]!
      const a = surfaces.edges[e * 2]!
      const b = surfaces.edges[e * 2 + 1]!
      const body = surfaces.bodyOf[a]!
      if (lost && !this.isLost(e)) continue
      // Each pair is found once: by the first of its edges, or, where only some ask, by one that does.
      const others = surfaces.self[body] === 0
      const grid = lost || this.meetings.asked[body] !== 0 ? this.grid : this.askedGrid
      const from = !lost ? 0 : others ? firstEdges[body]! : k
      grid.query(edges.boxes, k * BOX, from, others ? firstEdges[body + 1]! : k + 1)
      sort(grid.found, grid.count)
      for (let l = 0; l < grid.count; l++) {
        const f = edges.ids[grid.found[l]!]!
        if (lost && f < e && this.isLost(f)) continue
        const c = surfaces.edges[f * 2]!
        const d = surfaces.edges[f * 2 + 1]!
        if (o[a] === o[c] || o[a] === o[d] || o[b] === o[c] || o[b] === o[d]) continue
        const other = surfaces.bodyOf[c]!
        if (body !== other && surfaces.solid[body] === 1 && surfaces.solid[other] === 1) continue
        if (!this.meetings.isAsked(body, other)) continue
        const meeting = surfaces.meeting(body, other)
        if (meeting === MEETING.NOTHING) continue
        const pair = pairs.add()
        pairs.kind[pair] = PAIR.EDGES
        pairs.group[pair] = 1
        this.filler.fill(state, pair, body, other, a, b, c, d, meeting, false)
      }
    }
  }

  /** True where a particle of an edge is lost. */
  private isLost(e: number): boolean {
    const { lost } = this.meetings.leashes
    const { edges } = this.surfaces
    return (lost[edges[e * 2]!]! | lost[edges[e * 2 + 1]!]!) === 1
  }

  /** Rims of two solids. */
  private pairRims(state: State): void {
    const { surfaces, pairs } = this
    this.boxes.boxRims(state)
    const { rims, firstRims } = this.boxes
    if (rims.count === 0) return
    this.rimGrid.build(rims.boxes, rims.count)
    this.gatherAsked(rims, firstRims)
    for (let k = 0; k < rims.count; k++) {
      const e = rims.ids[k]!
      const a = surfaces.rims[e * 4]!
      const b = surfaces.rims[e * 4 + 1]!
      const body = surfaces.bodyOf[a]!
      const grid = this.meetings.asked[body] !== 0 ? this.rimGrid : this.askedGrid
      grid.query(rims.boxes, k * BOX, 0, firstRims[body + 1]!)
      sort(grid.found, grid.count)
      for (let l = 0; l < grid.count; l++) {
        const f = rims.ids[grid.found[l]!]!
        const c = surfaces.rims[f * 4]!
        const other = surfaces.bodyOf[c]!
        if (!this.meetings.isAsked(body, other)) continue
        // Most do not face each other.
        if (!this.rims.mayTouch(state.positions, e, f)) continue
        const meeting = surfaces.meeting(body, other)
        if (meeting !== MEETING.PUSH || this.meetings.crowds.has(body, other)) continue
        if (this.overlaps.swallows(surfaces, body, other)) continue
        const pair = pairs.add()
        pairs.kind[pair] = PAIR.EDGES
        pairs.group[pair] = 1
        pairs.rims[pair * 2] = e + 1
        pairs.rims[pair * 2 + 1] = f + 1
        this.filler.fill(state, pair, body, other, a, b, c, surfaces.rims[f * 4 + 1]!, meeting, false)
      }
    }
  }
}

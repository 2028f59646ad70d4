import { SLEEP } from '../../records.js'
import type { State } from '../../state.js'
import type { WorldSettings } from '../../worldSettings.js'
import { isBounded, leavesBox } from './bodyBoxes.js'
import { BoxPairs } from './boxPairs.js'
import { BOX } from './boxTree.js'
import { roomy } from './columns.js'
import { CommonMatter } from './commonMatter.js'
import { Crowds } from './crowds.js'
import { FASTER, LEASH_EDGES, LEASH_THICKNESSES, Leashes } from './leashes.js'
import { MEETING, SURFACE, type Surfaces } from './surfaces.js'

/**
 * What pins lead faster than this [m/s], and than `maxSpeed`, touches nothing: it would draw what it meets out so far that
 * det F is lost in rounding, and this too would burst. All else is held to `maxSpeed` before it moves.
 */
const WILD = 1e5

/**
 * Which bodies may touch, by boxes about their particles' ways in this substep and what these may stray until the end
 * of the step. What is far from all others costs its box and one look at a tree of boxes.
 */
export class Meetings {
  /** By particle of a surface: how far it may get from where the search found it. */
  readonly leashes: Leashes
  /** Bodies in one place, which do not meet each other. */
  readonly crowds: Crowds
  /** How much of their matter two have in common. */
  readonly matter: CommonMatter
  /** By live body: the longest of them [m]. */
  leash = new Float64Array(0)
  /** By live body: distance at which its particles and triangles are looked for beyond their ways, at most [m]. */
  reach = new Float64Array(0)
  /** By live body: how far one has got from there by now, and was at the start of the substep, at most [m]. */
  strays = new Float64Array(0)
  /** By live body: the longest way of one in this substep [m]. */
  ways = new Float64Array(0)
  /** By live body: 1 where it may touch another, or itself. */
  near = new Uint8Array(0)
  /** True where a particle was further than the search has looked, when `strayed` measured it, wherever it came from. */
  outran = false
  /** By live body: 1 where it may touch a sheet, or is one that may touch anything. */
  nearSheet = new Uint8Array(0)
  /** By live body: the part of its box in which it may touch [6 n] m. */
  regions = new Float64Array(0)

  /** By live body: box about its particles' ways and reach [6 n] m. */
  boxes = new Float64Array(0)
  /** By live body: those that it may touch. */
  readonly pairs = new BoxPairs()
  /** The live bodies that have a box, in ascending order. */
  private order = new Uint32Array(0)
  private count = 0

  constructor(readonly surfaces: Surfaces) {
    this.leashes = new Leashes(surfaces)
    this.matter = new CommonMatter(surfaces)
    this.crowds = new Crowds(surfaces, this.matter)
  }

  /**
   * Looks who may touch until the end of the step, of which `left` substeps are left; true where any may. @param first in
   * this step: what is in a crowd by then is so until its end
   */
  search(state: State, settings: Readonly<WorldSettings>, left: number, first: boolean): boolean {
    const { bodies } = this.surfaces
    const count = bodies.length
    this.leash = roomy(this.leash, count)
    this.reach = roomy(this.reach, count)
    this.strays = roomy(this.strays, count)
    this.ways = roomy(this.ways, count)
    this.near = roomy(this.near, count)
    this.nearSheet = roomy(this.nearSheet, count)
    this.regions = roomy(this.regions, count * BOX)
    this.boxes = roomy(this.boxes, count * BOX)
    this.order = roomy(this.order, count)
    this.leashes.begin(state)
    this.count = 0
    const longest = (Math.max(WILD, settings.maxSpeed) * settings.timeStep) / settings.substeps
    for (let b = 0; b < count; b++) {
      if (this.surfaces.vertexStarts[b] === this.surfaces.vertexStarts[b + 1]) continue
      this.bound(state, settings, b, left)
      if (this.ways[b]! <= longest && isBounded(this.boxes, b * BOX)) this.order[this.count++] = b
    }
    if (first) this.crowds.clear()
    let any = this.find()
    if (any) this.matter.measure(this)
    if (any && first && this.crowds.find(state, this)) any = this.find()
    if (!any) return false
    for (let b = 0; b < count; b++) {
      if (this.near[b] === 1) this.leashes.tie(state, settings, b, left, this.pairs.isAlone(b))
    }
    return true
  }

  /** Those that live body b may touch are partners[partnerStarts[b]] to partners[partnerStarts[b + 1]]. */
  get partners(): Uint32Array {
    return this.pairs.partners
  }

  get partnerStarts(): Uint32Array {
    return this.pairs.starts
  }

  /** True where a body is looked for among others: two that sleep do not meet. */
  asks(b: number): boolean {
    return this.surfaces.asleep[b] === 0
  }

  /** True where two whose boxes overlap may touch. */
  mayMeet(a: number, b: number): boolean {
    return this.surfaces.meeting(a, b) !== MEETING.NOTHING && !this.crowds.has(a, b)
  }

  /** Box, leash and reach of a body. */
  private bound(state: State, settings: Readonly<WorldSettings>, b: number, left: number): void {
    const { positions: x, previous: y } = state
    const { start, model } = this.surfaces.bodies[b]!
    const { boxes } = this
    if (this.surfaces.asleep[b] === 1) {
      this.boundSleeper(b)
      return
    }
    const end = (start + model.particleCount) * 3
    let longest = 0
    for (let d = 0; d < 3; d++) {
      let low = Number.POSITIVE_INFINITY
      let high = Number.NEGATIVE_INFINITY
      for (let p = start * 3 + d; p < end; p += 3) {
        const to = x[p]!
        const from = y[p]!
        if (to < low) low = to
        if (from < low) low = from
        if (to > high) high = to
        if (from > high) high = from
        const way = Math.abs(to - from)
        if (way > longest) longest = way
      }
      boxes[b * BOX + d] = low
      boxes[b * BOX + 3 + d] = high
    }
    this.ways[b] = longest
    const s = b * SURFACE.SIZE
    const { numbers } = this.surfaces
    const thickness = numbers[s + SURFACE.THICKNESS]!
    const edge = numbers[s + SURFACE.EDGE]!
    this.leashes.fall(settings, b, left)
    const far = FASTER * longest * (left - 1) + this.leashes.most[0]!
    this.leash[b] = Math.max(LEASH_THICKNESSES * thickness, Math.min(LEASH_EDGES * edge, far))
    this.reach[b] = this.leash[b] + thickness
    for (let d = 0; d < 3; d++) {
      boxes[b * BOX + d] = boxes[b * BOX + d]! - this.reach[b]
      boxes[b * BOX + 3 + d] = boxes[b * BOX + 3 + d]! + this.reach[b]
    }
  }

  /** A body that sleeps is where it was when it fell asleep. */
  private boundSleeper(b: number): void {
    const { sleep } = this.surfaces.bodies[b]!
    this.leash[b] = 0
    this.ways[b] = 0
    this.reach[b] = this.surfaces.numbers[b * SURFACE.SIZE + SURFACE.THICKNESS]!
    for (let d = 0; d < BOX; d++) this.boxes[b * BOX + d] = sleep[SLEEP.BOX + d]!
  }

  /** Finds who may touch whom, and where; true where any may. */
  private find(): boolean {
    const { order, pairs, surfaces } = this
    this.near.fill(0, 0, surfaces.bodies.length)
    this.nearSheet.fill(0, 0, surfaces.bodies.length)
    pairs.find(this.boxes, surfaces.bodies.length, order, this.count, this)
    const { partners, starts } = pairs
    let any = false
    for (let k = 0; k < this.count; k++) {
      const a = order[k]!
      if (surfaces.meeting(a, a) !== MEETING.NOTHING) this.widen(a, a)
      for (let l = starts[a]!; l < starts[a + 1]!; l++) this.widen(a, partners[l]!)
      any = any || this.near[a] === 1
    }
    return any
  }

  /** Takes what the boxes of `a` and `b` have in common into the region in which `a` may touch. */
  private widen(a: number, b: number): void {
    const { boxes, regions, surfaces } = this
    const o = a * BOX
    for (let d = 0; d < 3; d++) {
      const low = Math.max(boxes[o + d]!, boxes[b * BOX + d]!)
      const high = Math.min(boxes[o + 3 + d]!, boxes[b * BOX + 3 + d]!)
      regions[o + d] = this.near[a] ? Math.min(regions[o + d]!, low) : low
      regions[o + 3 + d] = this.near[a] ? Math.max(regions[o + 3 + d]!, high) : high
    }
    this.near[a] = 1
    if (surfaces.bare[a] === 1 || surfaces.bare[b] === 1) return // points touch no edges
    if (a === b || surfaces.solid[a] === 0 || surfaces.solid[b] === 0) this.nearSheet[a] = 1
  }

  /** True where the box at other[o] reaches into that of a body which live body b may touch, or may touch b itself. */
  reaches(b: number, other: Float64Array, o: number): boolean {
    return this.surfaces.self[b] === 1 || this.pairs.reaches(b, other, o)
  }

  /**
   * Measures strays and ways of bodies that are near others; true where a particle of any has got further than the search
   * has looked.
   */
  strayed(state: State): boolean {
    const { positions: x, previous: y } = state
    const { leashes, surfaces, boxes } = this
    const { vertices, vertexStarts } = surfaces
    let far = false
    let left = false
    this.outran = false
    for (let k = 0; k < this.count; k++) {
      const b = this.order[k]!
      this.ways[b] = 0
      this.strays[b] = 0
      if (surfaces.asleep[b] === 1) continue
      if (this.near[b] === 0) {
        left = leavesBox(boxes, b * BOX, x, y, vertices, vertexStarts[b]!, vertexStarts[b + 1]!) || left
        continue
      }
      far = leashes.measure(state, b, this.pairs.isAlone(b)) || far
      this.outran = this.outran || leashes.outran
      this.strays[b] = leashes.most[0]!
      this.ways[b] = leashes.most[1]!
      if (this.pairs.isAlone(b) && this.count > 1) {
        left = leavesBox(boxes, b * BOX, x, y, vertices, vertexStarts[b]!, vertexStarts[b + 1]!) || left
      }
    }
    this.outran = this.outran || left
    return far || left
  }
}

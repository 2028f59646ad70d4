import { SLEEP } from '../../records.js'
import type { State } from '../../state.js'
import type { WorldSettings } from '../../worldSettings.js'
import { isBounded, leavesBox } from './bodyBoxes.js'
import { BoxPairs } from './boxPairs.js'
import { BOX } from './boxTree.js'
import { roomy } from './columns.js'
import { CommonMatter } from './commonMatter.js'
import { Crowds } from './crowds.js'
import { AHEAD, FASTER, LEASH_EDGES, LEASH_THICKNESSES, Leashes } from './leashes.js'
import { MEETING, SURFACE, type Surfaces } from './surfaces.js'

/**
 * What pins lead faster than this [m/s], and than `maxSpeed`, touches nothing: it would draw what it meets out so far that
 * det F is lost in rounding, and this too would burst. All else is held to `maxSpeed` before it moves.
 */
const WILD = 1e5

/**
 * How a body has got further than was looked for it: where it was when the substep began alone, by now with some particles,
 * by now as a whole.
 */
const STRAYED = 1
const OUTRAN = 2
const LEFT = 3

/** What of a body a search looks for: nothing of its own, all of it, or those of its particles that are lost. */
const ASKED = { NOT: 0, WHOLE: 1, PART: 2 } as const

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
  /**
   * By live body: not 0 where the search in hand looks for it: in a step's first one for each, in a later one for those that
   * have got further than was looked, and what is to be looked for again with them.
   */
  asked = new Uint8Array(0)
  /** By live body: 1 where its particles have leashes; and where they are those of one that may touch only itself. */
  tied = new Uint8Array(0)
  private alone = new Uint8Array(0)
  /** By live body: whether it was further than was looked for it, when `strayed` measured it, and how. */
  private lost = new Uint8Array(0)
  /** By live body: 1 where a search within the substep has asked for it. */
  private again = new Uint8Array(0)
  /** By live body: how far one has got from there by now, and was at the start of the substep, at most [m]. */
  strays = new Float64Array(0)
  /** By live body: the longest way of one in this substep [m]. */
  ways = new Float64Array(0)
  /** By live body: 1 where it may touch another, or itself, and one of the two is asked for. */
  near = new Uint8Array(0)
  /** True where a particle was further than the search has looked, when `strayed` measured it, wherever it came from. */
  outran = false
  /** By live body: 1 where it is so near to a sheet, or is one. */
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

  /** Asks for all live bodies, or for none. */
  ask(all: boolean): void {
    const count = this.surfaces.bodies.length
    this.asked = roomy(this.asked, count)
    this.asked.fill(all ? ASKED.WHOLE : ASKED.NOT, 0, count)
  }

  /** Asks for those that have strayed, when that was measured last, and those that are to be asked for again. */
  askStrayed(): void {
    for (let b = 0; b < this.surfaces.bodies.length; b++) {
      if (this.lost[b] !== 0 || this.again[b] === 1) this.asked[b] = ASKED.WHOLE
    }
  }

  /** True where one of two is asked for. */
  isAsked(a: number, b: number): boolean {
    return (this.asked[a]! | this.asked[b]!) !== 0
  }

  /**
   * Within a substep: looks whom may touch what was further than was looked for it, when that was measured last; true where it
   * may touch any. Each of these bodies is to be asked for again in the next substep.
   */
  searchLost(state: State, settings: Readonly<WorldSettings>, left: number): boolean {
    this.ask(false)
    this.leashes.lost.fill(0)
    for (let k = 0; k < this.count; k++) {
      const b = this.order[k]!
      if (this.lost[b]! < OUTRAN) continue
      this.asked[b] = this.lost[b] === OUTRAN && this.alone[b] === 0 ? ASKED.PART : ASKED.WHOLE
      if (this.asked[b] === ASKED.PART) this.leashes.loose(state, b, this.boxes)
    }
    const any = this.search(state, settings, left, false)
    for (let k = 0; k < this.count; k++) {
      const b = this.order[k]!
      if (this.asked[b] !== ASKED.NOT) this.again[b] = 1
      if (this.asked[b] === ASKED.WHOLE) this.leashes.lose(b)
    }
    return any
  }

  /**
   * Looks whom those that are asked for may touch until the end of the step, of which `left` substeps are left; true where
   * they may touch any. Asks for more where what it finds has no leash yet, or not for others. @param first in this step: what
   * is in a crowd by then is so until its end
   */
  search(state: State, settings: Readonly<WorldSettings>, left: number, first: boolean): boolean {
    const { bodies } = this.surfaces
    const count = bodies.length
    if (first) this.begin(count)
    this.leashes.begin(state)
    this.bound(state, settings, left)
    if (first) this.crowds.clear()
    let any = this.find()
    while (this.askMore()) {
      this.bound(state, settings, left)
      any = this.find()
    }
    if (any) this.matter.measure(this)
    if (any && first && this.crowds.find(state, this)) any = this.find()
    for (let k = 0; k < this.count; k++) {
      const b = this.order[k]!
      if (this.asked[b] !== ASKED.WHOLE) continue
      this.again[b] = 0
      this.tied[b] = this.near[b]!
      this.alone[b] = this.pairs.isAlone(b) ? 1 : 0
      if (this.near[b] === 1) this.leashes.tie(state, settings, b, left, this.alone[b] === 1, this.nearSheet[b] === 1)
    }
    return any
  }

  /** A step's first search of `count` live bodies begins. */
  private begin(count: number): void {
    this.leash = roomy(this.leash, count)
    this.reach = roomy(this.reach, count)
    this.strays = roomy(this.strays, count)
    this.ways = roomy(this.ways, count)
    this.near = roomy(this.near, count)
    this.nearSheet = roomy(this.nearSheet, count)
    this.regions = roomy(this.regions, count * BOX)
    this.boxes = roomy(this.boxes, count * BOX)
    this.order = roomy(this.order, count)
    this.tied = roomy(this.tied, count)
    this.alone = roomy(this.alone, count)
    this.lost = roomy(this.lost, count)
    this.tied.fill(0, 0, count)
    this.lost.fill(0, 0, count)
    this.again = roomy(this.again, count)
    this.again.fill(0, 0, count)
    this.count = 0
    const { vertexStarts } = this.surfaces
    for (let b = 0; b < count; b++) if (vertexStarts[b] !== vertexStarts[b + 1]) this.order[this.count++] = b
  }

  /** Bounds what is asked for; what has burst, or is nowhere, touches nothing from now on. */
  private bound(state: State, settings: Readonly<WorldSettings>, left: number): void {
    const longest = (Math.max(WILD, settings.maxSpeed) * settings.timeStep) / settings.substeps
    let kept = 0
    for (let k = 0; k < this.count; k++) {
      const b = this.order[k]!
      if (this.asked[b] === ASKED.WHOLE) this.boundBody(state, settings, b, left)
      if (this.asked[b] === ASKED.NOT || (this.ways[b]! <= longest && isBounded(this.boxes, b * BOX))) {
        this.order[kept++] = b
      } else this.again[b] = 1 // what is known of it goes
    }
    this.count = kept
  }

  /** Asks for what is near but has no leash for that; true where there is any. */
  private askMore(): boolean {
    let more = false
    for (let k = 0; k < this.count; k++) {
      const b = this.order[k]!
      if (this.asked[b] !== ASKED.NOT || this.near[b] === 0 || (this.tied[b] === 1 && this.alone[b] === 0)) continue
      this.asked[b] = ASKED.WHOLE
      more = true
    }
    return more
  }

  /** Those that live body b may touch are partners[partnerStarts[b]] to partners[partnerStarts[b + 1]]. */
  get partners(): Uint32Array {
    return this.pairs.partners
  }

  get partnerStarts(): Uint32Array {
    return this.pairs.starts
  }

  /** True where a body looks for others: two that sleep do not meet. */
  asks(b: number): boolean {
    return this.asked[b] !== ASKED.NOT && this.surfaces.asleep[b] === 0
  }

  /** True where two whose boxes overlap may touch. */
  mayMeet(a: number, b: number): boolean {
    return this.surfaces.meeting(a, b) !== MEETING.NOTHING && !this.crowds.has(a, b)
  }

  /** Box, leash and reach of a body. */
  private boundBody(state: State, settings: Readonly<WorldSettings>, b: number, left: number): void {
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
    const far = FASTER * longest * Math.max(1, left - 1) + this.leashes.most[0]!
    const high = Math.max(LEASH_EDGES * edge, this.surfaces.solid[b] === 1 ? Math.min(edge, AHEAD * longest) : 0)
    this.leash[b] = Math.max(LEASH_THICKNESSES * thickness, Math.min(high, far))
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
      if (this.asked[a] !== ASKED.NOT && surfaces.meeting(a, a) !== MEETING.NOTHING) this.widen(a, a)
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
    let any = false
    this.outran = false
    for (let k = 0; k < this.count; k++) {
      const b = this.order[k]!
      this.ways[b] = 0
      this.strays[b] = 0
      let lost = 0
      this.lost[b] = lost
      if (surfaces.asleep[b] === 1) continue
      let left = this.tied[b] === 0
      if (this.tied[b] === 1) {
        if (leashes.measure(state, b, this.alone[b] === 1)) lost = leashes.outran ? OUTRAN : STRAYED
        this.strays[b] = leashes.most[0]!
        this.ways[b] = leashes.most[1]!
        left = this.alone[b] === 1 && this.count > 1
      }
      left = left && leavesBox(boxes, b * BOX, x, y, vertices, vertexStarts[b]!, vertexStarts[b + 1]!)
      if (left) lost = LEFT
      this.lost[b] = lost
      this.outran = this.outran || lost >= OUTRAN
      any = any || lost > 0 || this.again[b] === 1
    }
    return any
  }
}

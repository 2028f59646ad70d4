import { SLEEP } from '../../records.js'
import type { State } from '../../state.js'
import type { WorldSettings } from '../../worldSettings.js'
import { isBounded, leavesBox, overlap } from './bodyBoxes.js'
import { BOX } from './boxTree.js'
import { roomy } from './columns.js'
import { CommonMatter } from './commonMatter.js'
import { Crowds } from './crowds.js'
import { FASTER, LEASH_EDGES, LEASH_THICKNESSES, Leashes } from './leashes.js'
import { MEETING, SURFACE, type Surfaces } from './surfaces.js'

/**
 * Which bodies may touch, by boxes about their particles' ways in this substep and what these may stray until the end
 * of the step: a sweep along x over boxes sorted by their left ends (Baraff 1992). What is far from all others costs
 * its box alone.
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
  /** By live body: those that it may touch are partners[starts[b]] to partners[starts[b + 1]]. */
  partners = new Uint32Array(0)
  partnerStarts = new Uint32Array(0)
  private met = new Uint32Array(0)
  private meetingCount = 0
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
    for (let b = 0; b < count; b++) {
      if (this.surfaces.vertexStarts[b] === this.surfaces.vertexStarts[b + 1]) continue
      this.bound(state, settings, b, left)
      if (isBounded(this.boxes, b * BOX)) this.insert(b)
    }
    if (first) this.crowds.clear()
    let any = this.sweep()
    if (any) this.matter.measure(this)
    if (any && first && this.crowds.find(state, this)) any = this.sweep()
    if (!any) return false
    for (let b = 0; b < count; b++) {
      if (this.near[b] === 1) this.leashes.tie(state, settings, b, left, this.isAlone(b))
    }
    return true
  }

  /** True where a body may touch itself and no other. */
  private isAlone(b: number): boolean {
    return this.partnerStarts[b] === this.partnerStarts[b + 1]
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

  /** Keeps the bodies in the order of their boxes' left ends. */
  private insert(b: number): void {
    const { boxes, order } = this
    const left = boxes[b * BOX]!
    let at = this.count++
    while (at > 0 && boxes[order[at - 1]! * BOX]! > left) {
      order[at] = order[at - 1]!
      at--
    }
    order[at] = b
  }

  private sweep(): boolean {
    const { boxes, order, surfaces } = this
    this.near.fill(0, 0, surfaces.bodies.length)
    this.nearSheet.fill(0, 0, surfaces.bodies.length)
    this.meetingCount = 0
    let any = false
    for (let k = 0; k < this.count; k++) {
      const a = order[k]!
      const right = boxes[a * BOX + 3]!
      if (surfaces.meeting(a, a) !== MEETING.NOTHING) {
        this.widen(a, a)
        any = true
      }
      for (let l = k + 1; l < this.count && boxes[order[l]! * BOX]! <= right; l++) {
        const b = order[l]!
        if (!overlap(boxes, a * BOX, b * BOX) || surfaces.meeting(a, b) === MEETING.NOTHING) continue
        if (this.crowds.has(a, b)) continue
        this.widen(a, b)
        this.widen(b, a)
        this.pair(a, b)
        any = true
      }
    }
    this.sortPartners()
    return any
  }

  private pair(a: number, b: number): void {
    this.met = roomy(this.met, (this.meetingCount + 1) * 2)
    this.met[this.meetingCount * 2] = a
    this.met[this.meetingCount * 2 + 1] = b
    this.meetingCount++
  }

  /** Lists, by body, those that it meets. */
  private sortPartners(): void {
    const { met } = this
    const count = this.surfaces.bodies.length
    this.partnerStarts = roomy(this.partnerStarts, count + 2)
    this.partners = roomy(this.partners, this.meetingCount * 2)
    const { partners, partnerStarts: starts } = this
    starts.fill(0, 0, count + 2)
    for (let round = 0; round < 2; round++) {
      for (let k = 0; k < this.meetingCount * 2; k++) {
        const a = met[k]!
        const b = met[k ^ 1]!
        // Counts stand two places on at first; then each is where the next one goes.
        if (round === 0) starts[a + 2] = starts[a + 2]! + 1
        else {
          partners[starts[a + 1]!] = b
          starts[a + 1] = starts[a + 1]! + 1
        }
      }
      if (round === 0) for (let b = 2; b < count + 2; b++) starts[b] = starts[b]! + starts[b - 1]!
    }
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
    const { boxes, partners, partnerStarts, surfaces } = this
    if (surfaces.self[b] === 1) return true
    const end = partnerStarts[b + 1]!
    for (let k = partnerStarts[b]!; k < end; k++) {
      const p = partners[k]! * BOX
      if (
        other[o]! <= boxes[p + 3]! &&
        other[o + 1]! <= boxes[p + 4]! &&
        other[o + 2]! <= boxes[p + 5]! &&
        other[o + 3]! >= boxes[p]! &&
        other[o + 4]! >= boxes[p + 1]! &&
        other[o + 5]! >= boxes[p + 2]!
      )
        return true
    }
    return false
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
      far = leashes.measure(state, b, this.isAlone(b)) || far
      this.outran = this.outran || leashes.outran
      this.strays[b] = leashes.most[0]!
      this.ways[b] = leashes.most[1]!
      if (this.isAlone(b) && this.count > 1) {
        left = leavesBox(boxes, b * BOX, x, y, vertices, vertexStarts[b]!, vertexStarts[b + 1]!) || left
      }
    }
    this.outran = this.outran || left
    return far || left
  }
}

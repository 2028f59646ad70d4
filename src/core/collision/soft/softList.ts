import type { State } from '../../state.js'
import { advance, time, waysApart } from './advance.js'
import { NEAR, near } from './closest.js'
import { roomy } from './columns.js'
import type { Meetings } from './meetings.js'
import { Rims } from './rims.js'
import { beside, facing, normal } from './side.js'
import { PAIR, type SoftPairs } from './softPairs.js'
import { SolidSides } from './solidSides.js'
import type { Surfaces } from './surfaces.js'
import { spend } from './work.js'

/** What it costs to look at a way again before it is followed, in impacts resolved. */
const FOLLOWED = 2

const way = new Float64Array(1)
const best = new Float64Array(near.length)

/**
 * Which of the listed pairs touch in a substep, and how: nearer than their thickness, or struck, where the ways of their
 * points met. Weights and normals of these hold for the substep.
 */
export class SoftList {
  /** The pairs to solve. */
  pairs = new Uint32Array(0)
  count = 0
  /** By live body: 1 where a listed pair has it in it. */
  listed = new Uint8Array(0)
  /** The pairs whose ways met when they were last followed again. */
  met = new Uint32Array(0)
  /** Pairs whose ways met, in the present step. */
  impacts = 0
  /** Whether a way of the group looked at last may have met. */
  private fast = false
  private readonly sides: SolidSides
  private readonly rims: Rims

  constructor(
    private readonly all: SoftPairs,
    private readonly meetings: Meetings,
    surfaces: Surfaces,
  ) {
    this.sides = new SolidSides(all, meetings, surfaces)
    this.rims = new Rims(all, surfaces)
  }

  /** Forgets what is listed, of `bodies` live bodies. */
  clear(bodies: number): void {
    this.count = 0
    this.listed = roomy(this.listed, bodies)
    this.listed.fill(0, 0, bodies)
  }

  /**
   * Lists what touches now or has met on its way, beside what pushed in an earlier iteration of the substep; constraints
   * are solved, and `meetings` has measured the strays.
   */
  look(state: State): void {
    const { all } = this
    let size = 1
    for (let first = 0; first < all.count; first += size) {
      size = all.group[first]!
      if (all.kind[first] === PAIR.SOLID) this.lookAtSolid(state, first, size)
      else if (!this.isClear(first)) this.lookAtPair(state, first)
    }
  }

  /** True where neither end of the ways leads near: what is this far off is not measured. */
  private isClear(pair: number): boolean {
    const { all, meetings } = this
    const found = all.found[pair]!
    const far = all.far[pair]!
    let stray = meetings.strays[all.first[pair]!]! + meetings.strays[all.second[pair]!]!
    if (found - stray <= far) {
      const { particles } = all
      const { strays } = meetings.leashes
      const k = pair * 4
      const i = strays[particles[k]!]!
      const j = strays[particles[k + 1]!]!
      const l = strays[particles[k + 2]!]!
      const m = strays[particles[k + 3]!]!
      const last = Math.max(l, m)
      stray = all.kind[pair] === PAIR.EDGES ? Math.max(i, j) + last : i + Math.max(j, last)
    }
    all.distance[pair] = found - stray
    return found - stray > far
  }

  private lookAtPair(state: State, pair: number): void {
    const { all } = this
    all.measure(state.positions, pair)
    const square = near[NEAR.SQUARE]!
    all.distance[pair] = Math.sqrt(square)
    if (all.rims[pair * 2] !== 0) {
      const { ways } = this.meetings
      // What runs into each other may be past the rim by now.
      if (ways[all.first[pair]!]! + ways[all.second[pair]!]! > all.far[pair]!) return
      if (!this.rims.touch(state.positions, pair)) return
      all.keep(pair, 1)
      this.sides.ease(state, pair)
      this.enlist(pair)
      return
    }
    const thickness = all.thickness[pair]!
    // Two edges that are nearest at an end of one: that is a particle and a triangle too, and counted there.
    const counts = all.kind[pair] !== PAIR.EDGES || near[NEAR.INSIDE] === 1 || all.ends[pair] === 1
    const touches = counts && square < thickness * thickness && square > 0
    if (touches) all.keep(pair, 1)
    if (all.silent[pair] !== 2 && this.isFast(state, pair) && this.meet(state, pair)) this.strike(pair)
    else if (touches) this.enlist(pair)
  }

  /** True where the elements of a pair may have met on their way in this substep; the longest way is in `way` then. */
  private isFast(state: State, pair: number): boolean {
    const { all, meetings } = this
    const distance = all.distance[pair]!
    const slow = all.slow[pair]!
    const most = meetings.ways[all.first[pair]!]! + meetings.ways[all.second[pair]!]!
    if (most <= distance || most <= slow) return false
    all.measureWay(state, pair, way)
    way[0] = Math.sqrt(way[0]!)
    return way[0] > distance && way[0] > slow
  }

  /** True where the ways of a pair meet, as `time` and `near` tell then. */
  private meet(state: State, pair: number): boolean {
    time[0] = 0
    return !waysApart(state, this.all, pair) && advance(state, this.all, pair)
  }

  /** Of a particle and the triangles of a solid near it, the one that counts. */
  private lookAtSolid(state: State, first: number, size: number): void {
    const { all } = this
    const deep = this.isDeep(first, size)
    let nearest = this.findNearest(state, first, size, deep)
    if (nearest < 0) return
    if (this.fast && this.strikeFirst(state, first, size)) return
    near.set(best)
    let inside = this.sides.sideOf(state.positions, nearest)
    // What is thin has come in only where a way of it has met: else it is behind what is inside out.
    if (inside < 0 && all.slow[nearest] === 0 && this.sides.wasOutside(state, first)) inside = 1
    // Farther off than sides are looked for, it may be behind one and outside; of what has come in so far all are asked.
    if (!deep && best[NEAR.SQUARE]! > all.far[nearest]! * all.far[nearest]!) {
      if (inside > 0 || this.sides.isOutside(state, first)) return
      nearest = this.findNearest(state, first, size, true)
      near.set(best)
      if (this.sides.sideOf(state.positions, nearest) > 0) return
    }
    const square = best[NEAR.SQUARE]!
    const thickness = all.thickness[nearest]!
    const touches = inside < 0 || square < thickness * thickness
    this.sides.findReachBeside(nearest)
    const reach = beside[0]!
    if (!touches && square >= reach * reach) return
    // On the surface itself its own normal is the way out.
    if (square === 0) for (let d = 0; d < 3; d++) near[NEAR.GAP + d] = normal[d]!
    all.keep(nearest, inside)
    if (reach > 0 && all.silent[nearest] === 0) {
      const other = this.sides.nearestThatFaces(state, first, size, best)
      if (other >= 0) {
        if (inside > 0) this.sides.ease(state, other)
        else if (deep) this.sides.leaveUpright(state, other)
        this.enlist(other)
        return
      }
    }
    if (inside < 0 && deep) this.sides.leaveUpright(state, nearest)
    if (touches) this.enlist(nearest)
  }

  /** True where the particle of a group was found in the solid, and is not pushed through it at once. */
  private isDeep(first: number, size: number): boolean {
    for (let pair = first; pair < first + size; pair++) if (this.all.found[pair]! < 0) return true
    return false
  }

  /**
   * Of a group the pair whose triangle is nearest, as `best` tells, -1 where all are clear; sets `fast`. Of two that are as
   * near, at a rim that they share, the one that faces the particle more tells the side. @param every whether also what is clear
   */
  private findNearest(state: State, first: number, size: number, every: boolean): number {
    const { all } = this
    let nearest = -1
    let square = Number.POSITIVE_INFINITY
    let most = -1
    this.fast = false
    for (let pair = first; pair < first + size; pair++) {
      if (!every && this.isClear(pair)) continue
      all.measure(state.positions, pair)
      const here = near[NEAR.SQUARE]!
      all.distance[pair] = Math.sqrt(here)
      if (this.isFast(state, pair)) this.fast = true
      if (here > square * (1 + 1e-9)) continue
      if (here < square * (1 - 1e-9)) most = -1
      this.sides.sideOf(state.positions, pair)
      const towards = near[NEAR.INSIDE] === 1 ? Number.POSITIVE_INFINITY : Math.abs(facing[0]!)
      if (towards <= most) continue
      nearest = pair
      square = here
      most = towards
      best.set(near)
    }
    return nearest
  }

  /** Of a group's ways that met, strikes the pair that met first. */
  private strikeFirst(state: State, first: number, size: number): boolean {
    const { all } = this
    let earliest = 1
    let met = -1
    for (let pair = first; pair < first + size; pair++) {
      if (all.silent[pair] === 2 || !this.isFast(state, pair) || !this.sides.cameFromOutside(state, pair)) continue
      if (!this.meet(state, pair) || time[0]! >= earliest) continue
      earliest = time[0]!
      met = pair
      best.set(near)
    }
    if (met < 0) return false
    near.set(best)
    this.strike(met)
    return true
  }

  /** A pair whose ways met as `near` tells; a sensor only notices. */
  private strike(pair: number): void {
    const { all } = this
    this.enlist(pair)
    all.keep(pair, 1)
    if (all.silent[pair] !== 0) return
    all.struck[pair] = 1
    this.impacts++
  }

  private enlist(pair: number): void {
    if (this.all.listed[pair] === 1) return
    this.all.listed[pair] = 1
    this.pairs = roomy(this.pairs, this.count + 1)
    this.pairs[this.count++] = pair
    this.listed[this.all.first[pair]!] = 1
    this.listed[this.all.second[pair]!] = 1
  }

  /**
   * Follows the ways again, contacts having moved each particle by its `shifts`: lists the pairs that meet now. Returns
   * how many; `meetings` has measured the ways. What has not `moved` since they were followed last, and did not meet then,
   * does not meet now.
   */
  followAgain(state: State, shifts: Float64Array, moved: Uint8Array): number {
    const { all, meetings } = this
    const { ways } = meetings
    const { particles } = all
    let met = 0
    let followed = 0
    for (let pair = 0; pair < all.count; pair++) {
      const k = pair * 4
      const still =
        (moved[particles[k]!]! | moved[particles[k + 1]!]! | moved[particles[k + 2]!]! | moved[particles[k + 3]!]!) ===
        0
      if (still && all.struck[pair] === 0) continue
      const most = ways[all.first[pair]!]! + ways[all.second[pair]!]!
      const i = shifts[particles[k]!]!
      const j = shifts[particles[k + 1]!]!
      const last = Math.max(shifts[particles[k + 2]!]!, shifts[particles[k + 3]!]!)
      const shift = all.kind[pair] === PAIR.EDGES ? Math.max(i, j) + last : i + Math.max(j, last)
      if (all.distance[pair]! > most + shift || most <= all.slow[pair]!) continue
      if (all.silent[pair] !== 0 || (all.slow[pair]! > 0 && all.struck[pair] === 1)) continue
      all.measureWay(state, pair, way)
      // Neither is it near now, nor was its way long enough.
      if (all.distance[pair]! > Math.sqrt(way[0]!) + shift) continue
      followed++
      time[0] = 0
      if (waysApart(state, all, pair)) continue
      const distance = all.distance[pair]!
      all.measure(state.positions, pair)
      all.distance[pair] = Math.sqrt(near[NEAR.SQUARE]!)
      const fast = this.isFast(state, pair)
      all.distance[pair] = distance
      if (!fast || (all.kind[pair] === PAIR.SOLID && !this.sides.cameFromOutside(state, pair))) continue
      if (!advance(state, all, pair)) continue
      this.met = roomy(this.met, met + 1)
      this.met[met++] = pair
      this.strike(pair)
    }
    spend(FOLLOWED * followed + (all.count >> 3))
    return met
  }
}

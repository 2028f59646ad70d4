import type { State } from '../../state.js'
import { advance, time } from './advance.js'
import { NEAR, near } from './closest.js'
import { roomy } from './columns.js'
import type { Meetings } from './meetings.js'
import { Outward } from './outward.js'
import { facing, normal, side } from './side.js'
import { PAIR, type SoftPairs } from './softPairs.js'
import { SURFACE, type Surfaces } from './surfaces.js'

const way = new Float64Array(1)
const best = new Float64Array(near.length)
const direction = new Float64Array(3)
/** Reach beside the pair in hand [m], and the share that `ease` leaves. By array, since a call with a number allocates. */
const beside = new Float64Array(2)

/** Square of the cosine with a triangle's normal from which on a particle is above that triangle, not off its rim. */
const ABOVE = 0.98

/**
 * Which of the listed pairs touch in a substep, and how: nearer than their thickness, or struck, where the ways of their
 * points met. Weights and normals of these hold for the substep.
 */
export class SoftList {
  /** The pairs to solve. */
  pairs = new Uint32Array(0)
  count = 0
  /** The pairs whose ways met when they were last followed again. */
  met = new Uint32Array(0)
  /** Pairs whose ways met, in the present step. */
  impacts = 0
  private readonly outward = new Outward()

  constructor(
    private readonly all: SoftPairs,
    private readonly meetings: Meetings,
    private readonly surfaces: Surfaces,
  ) {}

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

  /** All pairs but those that are listed have gone, before a search within the substep. */
  renumber(): void {
    for (let l = 0; l < this.count; l++) this.pairs[l] = l
  }

  /** True where neither end of the ways leads near: what is this far off is not measured. */
  private isClear(pair: number): boolean {
    const { all, meetings } = this
    const found = all.found[pair]!
    const thickness = all.thickness[pair]!
    let stray = meetings.strays[all.first[pair]!]! + meetings.strays[all.second[pair]!]!
    if (found - stray <= thickness) {
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
    return found - stray > thickness
  }

  private lookAtPair(state: State, pair: number): void {
    const { all } = this
    all.measure(state.positions, pair)
    const square = near[NEAR.SQUARE]!
    all.distance[pair] = Math.sqrt(square)
    const thickness = all.thickness[pair]!
    // Two edges that are nearest at an end of one: that is a particle and a triangle too, and counted there.
    const counts = all.kind[pair] !== PAIR.EDGES || near[NEAR.INSIDE] === 1 || all.ends[pair] === 1
    const touches = counts && square < thickness * thickness && square > 0
    if (touches) all.keep(pair, 1)
    if (all.silent[pair] === 0 && this.isFast(state, pair) && advance(state, all, pair)) this.strike(pair)
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

  /** Of a particle and the triangles of a solid near it, the one that counts. */
  private lookAtSolid(state: State, first: number, size: number): void {
    const { all } = this
    let fast = false
    let nearest = -1
    let square = Number.POSITIVE_INFINITY
    let most = -1
    for (let pair = first; pair < first + size; pair++) {
      if (this.isClear(pair)) continue
      all.measure(state.positions, pair)
      const here = near[NEAR.SQUARE]!
      all.distance[pair] = Math.sqrt(here)
      if (this.isFast(state, pair)) fast = true
      if (here > square * (1 + 1e-9)) continue
      if (here < square * (1 - 1e-9)) most = -1
      // At a rim that two triangles share, the one that faces the particle more tells the side.
      this.sideOf(state.positions, pair)
      const towards = near[NEAR.INSIDE] === 1 ? Number.POSITIVE_INFINITY : Math.abs(facing[0]!)
      if (towards <= most) continue
      nearest = pair
      square = here
      most = towards
      best.set(near)
    }
    if (nearest < 0) return
    if (fast && all.silent[first] === 0 && this.strikeFirst(state, first, size)) return
    near.set(best)
    const inside = this.sideOf(state.positions, nearest)
    const thickness = all.thickness[nearest]!
    const touches = inside < 0 || square < thickness * thickness
    this.findReachBeside(nearest)
    const reach = beside[0]!
    if (!touches && square >= reach * reach) return
    const above = facing[0]! * facing[0]! > ABOVE * square
    // On the surface itself its own normal is the way out.
    if (square === 0) for (let d = 0; d < 3; d++) near[NEAR.GAP + d] = normal[d]!
    all.keep(nearest, inside)
    if (reach > 0 && (inside < 0 || above) && this.pushesOutward(state, nearest)) {
      const other = this.nearestThatFaces(state, first, size)
      if (other >= 0) {
        beside[1] = Math.sqrt(square) / reach
        if (inside > 0) this.ease(state, other)
        this.enlist(other)
        return
      }
    }
    if (touches) this.enlist(nearest)
  }

  /**
   * Sets beside[0] to the distance up to which a particle of a solid may be off a side of another one and still be held by
   * the side beside: as far as particles come in, and not as far as through what is thin. 0 for what is no pair of solids,
   * or runs into each other.
   */
  private findReachBeside(pair: number): void {
    const { all } = this
    const { numbers } = this.surfaces
    const a = all.first[pair]!
    const b = all.second[pair]!
    const reach = Math.min(
      all.slow[pair]!,
      numbers[a * SURFACE.SIZE + SURFACE.SLAB]!,
      numbers[b * SURFACE.SIZE + SURFACE.SLAB]!,
    )
    beside[0] = this.meetings.ways[a]! + this.meetings.ways[b]! < 4 * reach ? reach : 0
  }

  /**
   * True where the kept normal of a pair of two solids would push its particle the way that is outward there. Where two
   * sharp rims hook into each other, a particle of each is in the other, and nearest to a side that faces the same way as
   * its own: what both want together cannot be.
   */
  private pushesOutward({ positions: x }: State, pair: number): boolean {
    const { all, surfaces, outward } = this
    outward.take(x, surfaces.bodies[all.first[pair]!]!, all.particles[pair * 4]!)
    for (let d = 0; d < 3; d++) direction[d] = all.normals[pair * 3 + d]!
    return !outward.faces(direction)
  }

  /** Of the triangles that a particle is behind, the nearest one that faces it, whose normal is kept; -1 where none does. */
  private nearestThatFaces({ positions: x }: State, first: number, size: number): number {
    const { all, outward } = this
    let found = -1
    let square = Number.POSITIVE_INFINITY
    for (let pair = first; pair < first + size; pair++) {
      all.measure(x, pair)
      const here = near[NEAR.SQUARE]!
      if (here >= square || this.sideOf(x, pair) > 0 || !outward.faces(normal)) continue
      square = here
      found = pair
      for (let d = 0; d < 3; d++) near[NEAR.GAP + d] = normal[d]!
      all.keep(pair, 1)
    }
    return found
  }

  /** Leaves a pair the share beside[1] of what it is too near: what slips off a rim is let go of little by little. */
  private ease({ positions: x }: State, pair: number): void {
    const { all } = this
    let gap = 0
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const p = all.particles[k]! * 3
      for (let d = 0; d < 3; d++) gap += all.weights[k]! * all.normals[pair * 3 + d]! * x[p + d]!
    }
    all.goal[pair] = all.thickness[pair]! - beside[1]! * (all.thickness[pair]! - gap)
  }

  /** 1 where the gap in `near` is on the outer side of a pair's triangle, -1 where it is on the inner. */
  private sideOf(x: Float64Array, pair: number): number {
    const { particles } = this.all
    const k = pair * 4
    return side(x, particles[k + 1]! * 3, particles[k + 2]! * 3, particles[k + 3]! * 3)
  }

  /** Of a group's ways that met, strikes the pair that met first. */
  private strikeFirst(state: State, first: number, size: number): boolean {
    const { all } = this
    let earliest = 1
    let met = -1
    for (let pair = first; pair < first + size; pair++) {
      if (!this.isFast(state, pair) || !this.cameFromOutside(state, pair)) continue
      if (!advance(state, all, pair) || time[0]! >= earliest) continue
      earliest = time[0]!
      met = pair
      best.set(near)
    }
    if (met < 0) return false
    near.set(best)
    this.strike(met)
    return true
  }

  /**
   * True where the particle of a pair was on the outer side of the triangle when the substep began, or out of the solid:
   * at a sharp rim, or in a fold, what is outside is behind some triangles.
   */
  private cameFromOutside(state: State, pair: number): boolean {
    this.all.measure(state.previous, pair)
    if (this.sideOf(state.previous, pair) > 0) return true
    const { cameFrom, group } = this.all
    let first = pair
    while (group[first] === 0) first--
    if (cameFrom[first] === 0) cameFrom[first] = this.wasOutside(state, first) ? 1 : 2
    return cameFrom[first] === 1
  }

  /** True where the particle of the group from `first` on was on the outer side of the nearest of its triangles. */
  private wasOutside({ previous: x }: State, first: number): boolean {
    const { all } = this
    let square = Number.POSITIVE_INFINITY
    let most = -1
    let outside = false
    for (let other = first; other < first + all.group[first]!; other++) {
      all.measure(x, other)
      const here = near[NEAR.SQUARE]!
      if (here > square * (1 + 1e-9)) continue
      if (here < square * (1 - 1e-9)) most = -1
      const out = this.sideOf(x, other) > 0
      const towards = near[NEAR.INSIDE] === 1 ? Number.POSITIVE_INFINITY : Math.abs(facing[0]!)
      if (towards <= most) continue
      square = here
      most = towards
      outside = out
    }
    return outside
  }

  /** A pair whose ways met as `near` tells. */
  private strike(pair: number): void {
    const { all } = this
    this.enlist(pair)
    all.keep(pair, 1)
    all.struck[pair] = 1
    this.impacts++
  }

  private enlist(pair: number): void {
    if (this.all.listed[pair] === 1) return
    this.all.listed[pair] = 1
    this.pairs = roomy(this.pairs, this.count + 1)
    this.pairs[this.count++] = pair
  }

  /**
   * Follows the ways again, contacts having moved each particle by its `shifts`: lists the pairs that meet now. Returns
   * how many; `meetings` has measured the ways.
   */
  followAgain(state: State, shifts: Float64Array): number {
    const { all, meetings } = this
    const { ways } = meetings
    const { particles } = all
    let met = 0
    for (let pair = 0; pair < all.count; pair++) {
      const most = ways[all.first[pair]!]! + ways[all.second[pair]!]!
      const k = pair * 4
      const i = shifts[particles[k]!]!
      const j = shifts[particles[k + 1]!]!
      const last = Math.max(shifts[particles[k + 2]!]!, shifts[particles[k + 3]!]!)
      const shift = all.kind[pair] === PAIR.EDGES ? Math.max(i, j) + last : i + Math.max(j, last)
      if (all.distance[pair]! > most + shift || most <= all.slow[pair]!) continue
      if (all.silent[pair] !== 0 || (all.slow[pair]! > 0 && all.struck[pair] === 1)) continue
      all.measureWay(state, pair, way)
      // Neither is it near now, nor was its way long enough.
      if (all.distance[pair]! > Math.sqrt(way[0]!) + shift) continue
      const distance = all.distance[pair]!
      all.measure(state.positions, pair)
      all.distance[pair] = Math.sqrt(near[NEAR.SQUARE]!)
      const fast = this.isFast(state, pair)
      all.distance[pair] = distance
      if (!fast || (all.kind[pair] === PAIR.SOLID && !this.cameFromOutside(state, pair))) continue
      if (!advance(state, all, pair)) continue
      this.met = roomy(this.met, met + 1)
      this.met[met++] = pair
      this.strike(pair)
    }
    return met
  }
}

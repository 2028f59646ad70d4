import type { State } from '../state.js'
import { POSE } from './poses.js'
import { before, frame, inverseMass, point, query, Touching } from './touching.js'
import { THICKNESS, TOUCHED, WAY } from './trace.js'

/** Poses in `Poses.data`: at the start and at the end of the substep. */
export const START = 0
export const END = 12

/** What `toLocal` has found [m]. */
export const local = new Float64Array(3)
/** Leads from a point back to where it is held [m]. */
const back = new Float64Array(3)
const normal = new Float64Array(3)
/** A pose within the substep, and a place that is turned by it. */
const posed = new Float64Array(12)
const again = new Float64Array(3)
const way = new Float64Array(WAY)

/** Is told of points that are held at a surface. */
export interface Held {
  /** The point is sum weights[p..] of particles[p..]; the normal is that of the surface, on its side. */
  addHeld(state: State, particles: Uint32Array, weights: Float64Array, p: number, normal: Float64Array): void
}

/** Points that something has sent through the surface of a collider, or into it, and that are held there. */
export class Holds extends Touching {
  /** Who is told of what is held now. */
  protected held: Held | undefined

  /**
   * Pushes may send a point through a surface that is near, and impacts be too many for one substep, as in a sharp
   * groove: of such a way no more is left than leads to the surface.
   */
  protected hold(state: State, first: number, size: number): void {
    this.weigh(state, first)
    if (inverseMass[0] === 0) return
    const end = first + size
    for (let pair = this.wall(first, first, end); pair < end; pair = this.wall(pair + 1, first, end)) {
      this.locate(state, first)
      if (!this.enters(pair, END)) continue
      this.movePoint(state, first, back, state.positions)
      if (!this.held) continue
      this.findNormal(pair)
      this.held.addHeld(state, this.particles, this.weights, first * 4, normal)
    }
  }

  /** Holds all points of a kind, feelers or particles. */
  protected holdAll(state: State, feelers: boolean): void {
    for (let first = 0; first < this.count; first += this.group[first]!) {
      if (this.group[first]! > 1 && (this.weights[first * 4] !== 1) === feelers) {
        this.hold(state, first, this.group[first]!)
      }
    }
  }

  /**
   * What is put elsewhere, as if it had always been there, has no way of its own. Of the one from from[3 n] [m] to `previous`
   * no more is left than leads to a surface that it would pass.
   */
  protected holdPut(state: State, first: number, size: number, from: Float64Array): void {
    this.weigh(state, first)
    if (inverseMass[0] === 0) return
    const end = first + size
    for (let pair = this.wall(first, first, end); pair < end; pair = this.wall(pair + 1, first, end)) {
      this.locatePut(state, first, from)
      if (point[0] === before[0] && point[1] === before[1] && point[2] === before[2]) return
      if (!this.enters(pair, START)) continue
      this.movePoint(state, first, back, state.previous)
      this.movePoint(state, first, back, state.positions)
    }
  }

  /** Holds points that have been sent into something solid at its surface, or as deep as they had been in it. */
  protected holdOut(state: State): void {
    for (let pair = 0; pair < this.count; pair++) {
      const { shape } = this.colliders[this.collider[pair]!]!
      if (shape.enter) continue
      this.locate(state, pair)
      if (!this.measure(pair) || query[3]! >= 0) continue
      const distance = query[3]!
      this.weigh(state, pair)
      if (inverseMass[0] === 0) continue
      this.toLocal(pair, START, before)
      for (let d = 0; d < 3; d++) query[d] = local[d]!
      shape.distance(query)
      const deeper = Math.min(0, query[3]!) - distance
      if (deeper <= 0) continue
      for (let d = 0; d < 3; d++) back[d] = deeper * frame[d]!
      this.movePoint(state, pair, back, state.positions)
      this.held?.addHeld(state, this.particles, this.weights, pair * 4, frame)
    }
  }

  /** From `from` on, the next of a point's pairs that is the first with a collider whose surface ways may pass; `end` for none. */
  private wall(from: number, first: number, end: number): number {
    for (let pair = from; pair < end; pair++) {
      if (pair > first && this.collider[pair] === this.collider[pair - 1]) continue
      if (this.colliders[this.collider[pair]!]!.shape.enter) return pair
    }
    return end
  }

  /** Where the point of a pair was in from[3 n] [m], into `before`, and where the substep begins for it now, into `point`. */
  private locatePut(state: State, pair: number, from: Float64Array): void {
    this.locate(state, pair)
    for (let d = 0; d < 3; d++) {
      point[d] = before[d]!
      before[d] = 0
      for (let k = pair * 4; k < pair * 4 + 4; k++) {
        before[d] = before[d]! + this.weights[k]! * from[this.particles[k]! * 3 + d]!
      }
    }
  }

  /**
   * True where the way from `before` to `point` leads through the surface of a pair's collider, of whose pose at the end of
   * it `pose` tells; `back` leads from `point` to that place then.
   */
  private enters(pair: number, pose: number): boolean {
    const { shape } = this.colliders[this.collider[pair]!]!
    this.toLocal(pair, START, before)
    for (let d = 0; d < 3; d++) way[d] = local[d]!
    this.toLocal(pair, pose, point)
    for (let d = 0; d < 3; d++) way[3 + d] = local[d]! - way[d]!
    way[THICKNESS] = 0
    if (!shape.enter?.(way, query)) return false
    const { data } = this.poses
    const o = this.collider[pair]! * POSE + pose
    for (let d = 0; d < 3; d++) {
      const row = o + 3 + 3 * d
      back[d] = data[o + d]! - point[d]!
      for (let k = 0; k < 3; k++) back[d] = back[d]! + data[row + k]! * (way[k]! + way[TOUCHED]! * way[3 + k]!)
    }
    return true
  }

  /** The normal that `enters` has found at the end of the substep, in the world, into `normal`. */
  private findNormal(pair: number): void {
    const { data } = this.poses
    for (let d = 0; d < 3; d++) {
      const row = this.collider[pair]! * POSE + END + 3 + 3 * d
      normal[d] = data[row]! * query[4]! + data[row + 1]! * query[5]! + data[row + 2]! * query[6]!
    }
  }

  /** True where a place is in a pair's collider, at the start (0) or the end (12) of the substep. */
  protected isWithin(pair: number, pose: number, place: Float64Array): boolean {
    this.toLocal(pair, pose, place)
    for (let d = 0; d < 3; d++) query[d] = local[d]!
    this.colliders[this.collider[pair]!]!.shape.distance(query)
    return query[3]! < 0
  }

  /** A place in the frame of a pair's collider, at the start (0) or the end (12) of the substep, into `local`. */
  protected toLocal(pair: number, pose: number, place: Float64Array): void {
    const data = this.poses.data
    const o = this.collider[pair]! * POSE + pose
    const rx = place[0]! - data[o]!
    const ry = place[1]! - data[o + 1]!
    const rz = place[2]! - data[o + 2]!
    for (let d = 0; d < 3; d++) local[d] = data[o + 3 + d]! * rx + data[o + 6 + d]! * ry + data[o + 9 + d]! * rz
  }

  /** A place in the frame of a pair's collider at share[0] of the substep, into `local`. */
  protected toLocalAt(pair: number, share: Float64Array, place: Float64Array): void {
    const data = this.poses.data
    const o = this.collider[pair]! * POSE
    const t = share[0]!
    for (let k = 0; k < 12; k++) posed[k] = data[o + k]! + t * (data[o + END + k]! - data[o + k]!)
    const rx = place[0]! - posed[0]!
    const ry = place[1]! - posed[1]!
    const rz = place[2]! - posed[2]!
    for (let d = 0; d < 3; d++) local[d] = posed[3 + d]! * rx + posed[6 + d]! * ry + posed[9 + d]! * rz
    // Between two rotations M is none. (3 M - M M^T M) / 2 nearly is the one next to it.
    for (let d = 0; d < 3; d++) {
      const row = 3 + 3 * d
      again[d] = posed[row]! * local[0]! + posed[row + 1]! * local[1]! + posed[row + 2]! * local[2]!
    }
    for (let d = 0; d < 3; d++) {
      local[d] =
        1.5 * local[d]! - 0.5 * (posed[3 + d]! * again[0]! + posed[6 + d]! * again[1]! + posed[9 + d]! * again[2]!)
    }
  }
}

import type { State } from '../../state.js'
import { NEAR, near, nearestOfSegments, nearestOnTriangle } from './closest.js'
import { roomy } from './columns.js'

/** What a pair is made of, and what it does. */
export const PAIR = {
  /** A particle and a triangle of a sheet, or of the particle's own body: they stay on the side where they are. */
  SHEET: 0,
  /** A particle and a triangle of another solid: the particle is kept out of it. */
  SOLID: 1,
  /** Two edges. */
  EDGES: 2,
} as const

/**
 * Pairs of surface elements that may touch, in columns: a particle and a triangle, four points p, a, b, c; or two edges
 * a b and c d. Pairs of a particle with one other solid follow each other: the nearest triangle is the one that counts.
 */
export class SoftPairs {
  count = 0
  /** [4 n] */
  particles = new Uint32Array(0)
  kind = new Uint8Array(0)
  /** Pairs from here on that are of the same particle and solid; 0 where the pair belongs to one before. */
  group = new Uint32Array(0)
  /** 1 where the pair only tells that it is near, 2 where it stands down. */
  silent = new Uint8Array(0)
  /** 1 for two edges that count also where they are nearest at an end: a rope has no triangles that would tell of it. */
  ends = new Uint8Array(0)
  /** [2 n] of two edges the rims that they are, + 1; 0 where one is no rim of a solid. */
  rims = new Uint32Array(0)
  /** Bodies, by their places among the live ones. */
  first = new Uint32Array(0)
  second = new Uint32Array(0)
  /** Distance to keep [m]. */
  thickness = new Float64Array(0)
  /** Distance within which it may count [m]: its thickness, or more for a particle of a solid that is off a rim of another. */
  far = new Float64Array(0)
  friction = new Float64Array(0)
  restitution = new Float64Array(0)
  /** Speed along the normal below which nothing bounces [m/s]. */
  slowest = new Float64Array(0)
  /**
   * Way of one element against the other in a substep, up to which it is not followed [m]: what lies on a solid costs no
   * more. 0 for what is thin.
   */
  slow = new Float64Array(0)

  /** Within a substep: push along the normal so far [m]. */
  push = new Float64Array(0)
  /** [3 n] and friction so far, across it [m]. */
  drag = new Float64Array(0)
  /** Gap to which it pushes at most [m]: less than its thickness where it is eased. */
  goal = new Float64Array(0)
  /** 1 where it touches. */
  listed = new Uint8Array(0)
  /** 1 where the ways of the four met: weights and normal are then those of that moment. */
  struck = new Uint8Array(0)
  /** By first of a group: 1 where its particle was out of the solid when the substep began, 2 where within, 0 not looked yet. */
  cameFrom = new Uint8Array(0)
  /** [4 n] weights of the four points, sum 0. */
  weights = new Float64Array(0)
  /** [3 n] from the second element to the first. */
  normals = new Float64Array(0)
  /** Speed along the normal before the contact [m/s]. */
  approach = new Float64Array(0)
  /** Distance where either was searched for last [m], below 0 of what was deep inside. */
  found = new Float64Array(0)
  /** Distance before the contacts of the substep, or less [m]. */
  distance = new Float64Array(0)

  /** Adds a pair, whose columns are to be filled in; returns its number. */
  add(): number {
    const pair = this.count++
    if (this.count > this.kind.length) this.grow()
    this.silent[pair] = 0
    this.rims[pair * 2] = 0
    return pair
  }

  private grow(): void {
    const n = Math.max(64, this.count)
    this.particles = roomy(this.particles, n * 4)
    this.kind = roomy(this.kind, n)
    this.group = roomy(this.group, n)
    this.rims = roomy(this.rims, n * 2)
    this.first = roomy(this.first, n)
    this.second = roomy(this.second, n)
    this.silent = roomy(this.silent, n)
    this.ends = roomy(this.ends, n)
    this.thickness = roomy(this.thickness, n)
    this.far = roomy(this.far, n)
    this.friction = roomy(this.friction, n)
    this.restitution = roomy(this.restitution, n)
    this.slowest = roomy(this.slowest, n)
    this.slow = roomy(this.slow, n)
    this.push = roomy(this.push, n)
    this.drag = roomy(this.drag, n * 3)
    this.goal = roomy(this.goal, n)
    this.listed = roomy(this.listed, n)
    this.struck = roomy(this.struck, n)
    this.cameFrom = roomy(this.cameFrom, n)
    this.weights = roomy(this.weights, n * 4)
    this.normals = roomy(this.normals, n * 3)
    this.approach = roomy(this.approach, n)
    this.found = roomy(this.found, n)
    this.distance = roomy(this.distance, n)
  }

  /** True for two edges: the first two points are then the first element. */
  isEdges(pair: number): boolean {
    return this.kind[pair] === PAIR.EDGES
  }

  /** Forgets what the pairs from `first` on did. */
  clear(first = 0): void {
    this.push.fill(0, first, this.count)
    this.drag.fill(0, first * 3, this.count * 3)
    this.struck.fill(0, first, this.count)
    this.cameFrom.fill(0, first, this.count)
    this.listed.fill(0, first, this.count)
  }

  /** Drops the pairs of live bodies that are marked; the others stay in their order, and what they did is to be forgotten. */
  drop(marked: Uint8Array): void {
    let kept = 0
    for (let pair = 0; pair < this.count; pair++) {
      if ((marked[this.first[pair]!]! | marked[this.second[pair]!]!) !== 0) continue
      if (kept < pair) this.move(pair, kept)
      kept++
    }
    this.count = kept
  }

  private move(from: number, to: number): void {
    for (let k = 0; k < 4; k++) this.particles[to * 4 + k] = this.particles[from * 4 + k]!
    this.kind[to] = this.kind[from]!
    this.group[to] = this.group[from]!
    this.rims[to * 2] = this.rims[from * 2]!
    this.rims[to * 2 + 1] = this.rims[from * 2 + 1]!
    this.first[to] = this.first[from]!
    this.second[to] = this.second[from]!
    this.silent[to] = this.silent[from]!
    this.ends[to] = this.ends[from]!
    this.thickness[to] = this.thickness[from]!
    this.far[to] = this.far[from]!
    this.friction[to] = this.friction[from]!
    this.restitution[to] = this.restitution[from]!
    this.slowest[to] = this.slowest[from]!
    this.slow[to] = this.slow[from]!
    this.found[to] = this.found[from]!
  }

  /** Into `near`: the nearest points of a pair's elements at the places x. */
  measure(x: Float64Array, pair: number): void {
    const k = pair * 4
    const a = this.particles[k]! * 3
    const b = this.particles[k + 1]! * 3
    const c = this.particles[k + 2]! * 3
    const d = this.particles[k + 3]! * 3
    if (this.kind[pair] === PAIR.EDGES) nearestOfSegments(x, a, b, c, d)
    else nearestOnTriangle(x, a, b, c, d)
  }

  /** Keeps weights and normal of `near`; `inside` is -1 where the gap points into the solid, else 1. */
  keep(pair: number, inside: number): void {
    const k = pair * 4
    const n = pair * 3
    const gx = near[NEAR.GAP]!
    const gy = near[NEAR.GAP + 1]!
    const gz = near[NEAR.GAP + 2]!
    const scale = inside / Math.sqrt(gx * gx + gy * gy + gz * gz)
    this.goal[pair] = this.thickness[pair]!
    this.weights[k] = near[NEAR.WEIGHTS]!
    this.weights[k + 1] = near[NEAR.WEIGHTS + 1]!
    this.weights[k + 2] = near[NEAR.WEIGHTS + 2]!
    this.weights[k + 3] = near[NEAR.WEIGHTS + 3]!
    this.normals[n] = gx * scale
    this.normals[n + 1] = gy * scale
    this.normals[n + 2] = gz * scale
  }

  /** The square of the longest way of one element against the other from `previous` to `positions` [m^2], into way[0]. */
  measureWay(state: State, pair: number, way: Float64Array): void {
    const { positions: x, previous: y } = state
    const k = pair * 4
    const edges = this.kind[pair] === PAIR.EDGES
    let most = 0
    const firsts = edges ? 2 : 1
    for (let i = 0; i < firsts; i++) {
      const p = this.particles[k + i]! * 3
      const ux = x[p]! - y[p]!
      const uy = x[p + 1]! - y[p + 1]!
      const uz = x[p + 2]! - y[p + 2]!
      for (let j = firsts; j < 4; j++) {
        const q = this.particles[k + j]! * 3
        const dx = ux - x[q]! + y[q]!
        const dy = uy - x[q + 1]! + y[q + 1]!
        const dz = uz - x[q + 2]! + y[q + 2]!
        most = Math.max(most, dx * dx + dy * dy + dz * dz)
      }
    }
    way[0] = most
  }
}

import { unitNormal } from '../../math/triangle.js'
import { RESCUE } from '../../records.js'
import type { State } from '../../state.js'
import type { WorldSettings } from '../../worldSettings.js'
import { roomy } from './columns.js'
import { cross, e, hit, n } from './edgeCrossing.js'
import { rootOf } from './forest.js'
import { findGiving, giving } from './giving.js'
import type { Overlaps } from './overlaps.js'
import type { SoftGroups } from './softGroups.js'
import { MEETING, type Surfaces } from './surfaces.js'

/**
 * Speed at which what crosses is drawn apart [m/s]; and within one body, where tight folds hold what crosses by their
 * contacts, and a slower pull ends in a rest. Whatever the pull, some folds can bear it: it grows by so much [m/s^2] for as
 * long as the body crosses itself, up to a most.
 */
const SPEED = 1
const OWN_SPEED = 5
const GROWTH = 3
const MOST_SPEED = 10

/**
 * What of it is put elsewhere, and no speed: all, but for half of it where neither is a solid. What is thin has to follow
 * as a whole, and would be drawn back for ever. Within one body nothing is: it goes on by its speed where it is held back.
 */
const OF_THIN = 0.5
const OF_OWN = 0

/** Cosine of an edge to the normal of a triangle that it crosses, at least: in its plane the way to go has no end. */
const FLAT = 1e-9

/** Numbers of a crossing: weights of the edge's two points and the triangle's three, then the direction to go. */
const CROSSING = 8

const r = new Float64Array(3)
const way = new Float64Array(3)
const point = new Float64Array(3)

/**
 * Sheets that cross others or themselves, since they were put so or torn through. What is on the wrong side would be held
 * there by contact, so contact stands down for the crossing elements, and for the smaller part of each surface that the
 * crossings cut off (after the global analysis of Baraff, Witkin and Kass 2003). The curve in which surfaces cross is drawn
 * together at its ends and bends until it is gone (Volino and Magnenat-Thalmann 2006): an edge is moved against the triangle
 * that it crosses in the direction that shortens the curve most.
 */
export class Tangles {
  /** Crossings found by the last search. */
  count = 0
  /** By particle: 0 but where contact stands down. */
  loose = new Uint8Array(0)
  /** [5 n] particles of the edge and the triangle. */
  private particles = new Uint32Array(0)
  private numbers = new Float64Array(0)
  private edges = new Uint32Array(0)
  /** 1 where the edge goes to the inner side of the triangle. */
  private inward = new Uint8Array(0)
  private parents = new Uint32Array(0)
  private sizes = new Uint32Array(0)
  private marked = false
  /** By live body: 1 where it crosses itself. */
  private own = new Uint8Array(0)

  constructor(private readonly surfaces: Surfaces) {}

  /** A search begins. */
  clear(state: State): void {
    this.count = 0
    if (this.loose.length < state.masses.length) this.loose = new Uint8Array(state.masses.length)
    else if (this.marked) this.loose.fill(0)
    this.marked = false
    this.own = roomy(this.own, this.surfaces.bodies.length)
    this.own.fill(0)
  }

  /** Counts, once a step, for how long bodies have crossed themselves. */
  age({ timeStep }: Readonly<WorldSettings>): void {
    const { bodies } = this.surfaces
    for (let b = 0; b < bodies.length; b++) {
      const { asleep, rescue } = bodies[b]!
      if (asleep) continue
      rescue[RESCUE.TANGLED] = this.own[b] === 1 ? rescue[RESCUE.TANGLED]! + timeStep : 0
    }
  }

  /** Takes the surface edge and triangle of two bodies, or one, where they cross at the start of the substep. */
  add({ previous: x }: State, edge: number, triangle: number): void {
    const { surfaces } = this
    const i = surfaces.edges[edge * 2]!
    const j = surfaces.edges[edge * 2 + 1]!
    const a = surfaces.triangles[triangle * 3]!
    const b = surfaces.triangles[triangle * 3 + 1]!
    const c = surfaces.triangles[triangle * 3 + 2]!
    const { origins } = surfaces
    const from = origins[i]!
    const to = origins[j]!
    if (origins[a] === from || origins[b] === from || origins[c] === from) return
    if (origins[a] === to || origins[b] === to || origins[c] === to) return
    const one = surfaces.bodyOf[i]!
    const other = surfaces.bodyOf[a]!
    if (one !== other && surfaces.solid[one] === 1 && surfaces.solid[other] === 1) return
    if (surfaces.meeting(one, other) !== MEETING.PUSH) return
    if (!cross(x, i * 3, j * 3, a * 3, b * 3, c * 3)) return
    if (one === other) this.own[one] = 1
    const at = this.count++
    this.particles = roomy(this.particles, this.count * 5)
    this.numbers = roomy(this.numbers, this.count * CROSSING)
    this.edges = roomy(this.edges, this.count)
    this.edges[at] = edge
    this.inward = roomy(this.inward, this.count)
    this.inward[at] = e[0]! * n[0]! + e[1]! * n[1]! + e[2]! * n[2]! < 0 ? 1 : 0
    const p = at * 5
    this.particles[p] = i
    this.particles[p + 1] = j
    this.particles[p + 2] = a
    this.particles[p + 3] = b
    this.particles[p + 4] = c
    const o = at * CROSSING
    this.numbers[o] = 1 - hit[0]!
    this.numbers[o + 1] = hit[0]!
    this.numbers[o + 2] = hit[1]! + hit[2]! - 1
    this.numbers[o + 3] = -hit[1]!
    this.numbers[o + 4] = -hit[2]!
    if (surfaces.lines[one] === 1 && surfaces.solid[other] === 0) this.directLine(one, Math.min(i, j), o)
    else this.direct(x, edge, i * 3, o)
  }

  /** A rope goes back along itself, the shorter of its ends first, into the numbers at o. */
  private directLine(body: number, i: number, o: number): void {
    const { start, model } = this.surfaces.bodies[body]!
    const back = 2 * (i - start) + 1 < model.particleCount - 1 ? 1 : -1
    for (let d = 0; d < 3; d++) this.numbers[o + 5 + d] = back * e[d]!
  }

  /** The direction in which to move the edge against the triangle, into the numbers at o; `cross` knows both. */
  private direct(x: Float64Array, edge: number, i: number, o: number): void {
    way.fill(0)
    const { wings } = this.surfaces
    const lean = e[0]! * n[0]! + e[1]! * n[1]! + e[2]! * n[2]!
    const along = Math.abs(lean) > FLAT ? lean : FLAT
    for (let side = 0; side < 2; side++) {
      const wing = wings[edge * 2 + side]!
      if (wing === 0) continue
      const k = (wing - 1) * 3
      // The curve goes on along N x (e x u), u from the edge to the wing's third corner.
      const ux = x[k]! - x[i]!
      const uy = x[k + 1]! - x[i + 1]!
      const uz = x[k + 2]! - x[i + 2]!
      const mx = e[1]! * uz - e[2]! * uy
      const my = e[2]! * ux - e[0]! * uz
      const mz = e[0]! * uy - e[1]! * ux
      r[0] = n[1]! * mz - n[2]! * my
      r[1] = n[2]! * mx - n[0]! * mz
      r[2] = n[0]! * my - n[1]! * mx
      const eu = e[0]! * ux + e[1]! * uy + e[2]! * uz
      const inward = r[0] * (ux - eu * e[0]!) + r[1] * (uy - eu * e[1]!) + r[2] * (uz - eu * e[2]!)
      const size = Math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2])
      if (size === 0) continue
      const scale = (inward < 0 ? -1 : 1) / size
      const slope = (scale * (r[0] * e[0]! + r[1] * e[1]! + r[2] * e[2]!)) / along
      for (let d = 0; d < 3; d++) way[d] = way[d]! + scale * r[d]! - slope * n[d]!
    }
    const size = Math.sqrt(way[0]! * way[0]! + way[1]! * way[1]! + way[2]! * way[2]!)
    // Straight on, the curve cannot get shorter: there it waits for its ends.
    const scale = size > 1 ? 1 / size : 1
    for (let d = 0; d < 3; d++) this.numbers[o + 5 + d] = way[d]! * scale
  }

  /** Marks the particles for which contact stands down: those that cross, and the smaller parts that are cut off. */
  mark(state: State): void {
    if (this.count === 0) return
    this.marked = true
    this.directChords(state)
    const { surfaces, loose } = this
    this.parents = roomy(this.parents, loose.length)
    this.sizes = roomy(this.sizes, loose.length)
    for (let k = 0; k < this.count * 5; k++) loose[this.particles[k]!] = 1
    let next = 0
    // Edges came in ascending order, and so did their bodies.
    while (next < this.count) {
      const body = surfaces.bodyOf[this.particles[next * 5]!]!
      const from = next
      while (next < this.count && surfaces.bodyOf[this.particles[next * 5]!] === body) next++
      this.cutOff(body, from, next)
    }
  }

  /**
   * An edge of a sheet that cuts a corner of a solid, both its ends outside, goes out by both sides of that corner: the curve
   * is bent about the corner, and the edges of its two arms would hold each other.
   */
  private directChords({ previous: x }: State): void {
    const { edges, particles, numbers, inward } = this
    const { bodyOf, solid } = this.surfaces
    let next = 0
    while (next < this.count) {
      const k = next++
      while (next < this.count && edges[next] === edges[k]) next++
      const i = particles[k * 5]!
      const other = bodyOf[particles[k * 5 + 2]!]!
      if (next !== k + 2 || solid[bodyOf[i]!] === 1 || solid[other] === 0) continue
      if (bodyOf[particles[k * 5 + 7]!] !== other) continue
      const first = numbers[k * CROSSING + 1]! < numbers[(k + 1) * CROSSING + 1]! ? k : k + 1
      if (inward[first] === 0 || inward[2 * k + 1 - first] === 1) continue
      for (let l = k; l < next; l++) {
        unitNormal(x, particles[l * 5 + 2]! * 3, particles[l * 5 + 3]! * 3, particles[l * 5 + 4]! * 3, n)
        for (let d = 0; d < 3; d++) numbers[l * CROSSING + 5 + d] = n[d]!
      }
    }
  }

  /** Marks all parts of a body but the largest that its crossing edges, from..to of the crossings, leave. */
  private cutOff(body: number, from: number, to: number): void {
    const { surfaces, parents, sizes, loose } = this
    const { vertices, vertexStarts, edges, edgeStarts } = surfaces
    for (let v = vertexStarts[body]!; v < vertexStarts[body + 1]!; v++) {
      parents[vertices[v]!] = vertices[v]!
      sizes[vertices[v]!] = 0
    }
    let next = from
    for (let edge = edgeStarts[body]!; edge < edgeStarts[body + 1]!; edge++) {
      while (next < to && this.edges[next]! < edge) next++
      if (next < to && this.edges[next] === edge) continue
      const a = rootOf(parents, edges[edge * 2]!)
      const b = rootOf(parents, edges[edge * 2 + 1]!)
      if (a < b) parents[b] = a
      else parents[a] = b
    }
    let largest = -1
    for (let v = vertexStarts[body]!; v < vertexStarts[body + 1]!; v++) {
      const first = rootOf(parents, vertices[v]!)
      sizes[first] = sizes[first]! + 1
      if (largest < 0 || sizes[first] > sizes[largest]!) largest = first
    }
    for (let v = vertexStarts[body]!; v < vertexStarts[body + 1]!; v++) {
      if (rootOf(parents, vertices[v]!) !== largest) loose[vertices[v]!] = 1
    }
  }

  /** False where the k-th crossing has come undone within the step. */
  private crosses(x: Float64Array, k: number): boolean {
    const p = k * 5
    const { particles } = this
    const triangle = particles[p + 2]! * 3
    return cross(x, particles[p]! * 3, particles[p + 1]! * 3, triangle, particles[p + 3]! * 3, particles[p + 4]! * 3)
  }

  /** True for a crossing of two sheets, or a rope and a sheet. */
  private isThin(k: number): boolean {
    const { bodyOf, solid } = this.surfaces
    return solid[bodyOf[this.particles[k * 5]!]!] === 0 && solid[bodyOf[this.particles[k * 5 + 2]!]!] === 0
  }

  /** Tells `overlaps` where two bodies cross, but for ropes in sheets, which go back by themselves. */
  tell(state: State, overlaps: Overlaps): void {
    const { previous: x } = state
    const { bodyOf, solid, lines } = this.surfaces
    const { particles, numbers } = this
    for (let k = 0; k < this.count; k++) {
      const i = particles[k * 5]!
      const j = particles[k * 5 + 1]!
      const a = bodyOf[i]!
      const b = bodyOf[particles[k * 5 + 2]!]!
      if (a === b || (lines[a] === 1 && solid[b] === 0)) continue
      const share = numbers[k * CROSSING + 1]!
      for (let d = 0; d < 3; d++) point[d] = x[i * 3 + d]! + share * (x[j * 3 + d]! - x[i * 3 + d]!)
      // It goes on inward against the triangle's normal.
      const inward = this.inward[k] === 1 ? j : i
      overlaps.addCrossing(state, this.surfaces, a, b, point, inward)
    }
  }

  /** Joins the bodies of each crossing, which move each other. */
  join(groups: SoftGroups): void {
    const { bodyOf } = this.surfaces
    for (let k = 0; k < this.count; k++) {
      const a = bodyOf[this.particles[k * 5]!]!
      const b = bodyOf[this.particles[k * 5 + 2]!]!
      if (a !== b) groups.join(a, b)
    }
  }

  /** Leaves the crossings to `overlaps` whose bodies are moved apart as wholes. */
  leaveTo(overlaps: Overlaps): void {
    const { bodyOf } = this.surfaces
    for (let k = 0; k < this.count; k++) {
      if (!overlaps.has(bodyOf[this.particles[k * 5]!]!, bodyOf[this.particles[k * 5 + 2]!]!)) continue
      for (let d = 0; d < 3; d++) this.numbers[k * CROSSING + 5 + d] = 0
    }
  }

  /**
   * Moves edges against the triangles that they cross, for a substep of h[0] [s], by inverse masses w; momentum stays.
   * @param spins by live body: takes the angular momentum that it gets by that [3 n] kg m^2/s
   */
  draw(
    { positions: x, previous: y, velocities: v, masses }: State,
    w: Float64Array,
    h: Float64Array,
    spins: Float64Array,
  ): void {
    if (this.count === 0) return
    const { particles, numbers } = this
    const { bodyOf, bodies } = this.surfaces
    for (let k = 0; k < this.count; k++) {
      const o = k * CROSSING
      const body = bodyOf[particles[k * 5]!]!
      const own = body === bodyOf[particles[k * 5 + 2]!]!
      if (own && !this.crosses(x, k)) continue
      findGiving(w, particles, k * 5, numbers, o, 5)
      const inverse = giving[0]!
      if (inverse === 0) continue
      const age = own ? bodies[body]!.rescue[RESCUE.TANGLED]! : 0
      const speed = own ? Math.min(OWN_SPEED + GROWTH * age, MOST_SPEED) : SPEED
      const reach = giving[1]! * speed * h[0]!
      const share = own ? OF_OWN : this.isThin(k) ? OF_THIN : 1
      for (let l = 0; l < 5; l++) {
        const i = particles[k * 5 + l]!
        const s = (reach * numbers[o + l]! * w[i]!) / inverse
        // As if it had always been there: to be put elsewhere is no speed.
        for (let d = 0; d < 3; d++) {
          x[i * 3 + d] = x[i * 3 + d]! + s * numbers[o + 5 + d]!
          y[i * 3 + d] = y[i * 3 + d]! + share * s * numbers[o + 5 + d]!
        }
        const b = bodyOf[i]! * 3
        const moved = share * s * masses[i]!
        const mx = moved * numbers[o + 5]!
        const my = moved * numbers[o + 6]!
        const mz = moved * numbers[o + 7]!
        spins[b] = spins[b]! + my * v[i * 3 + 2]! - mz * v[i * 3 + 1]!
        spins[b + 1] = spins[b + 1]! + mz * v[i * 3]! - mx * v[i * 3 + 2]!
        spins[b + 2] = spins[b + 2]! + mx * v[i * 3 + 1]! - my * v[i * 3]!
      }
    }
  }
}

import { ENTERS, FROM, MET, SENSE, TO, touchAt } from './cast.js'
import { castAtTree, type Line } from './treeCast.js'
import type { TriangleTree } from './triangleTree.js'

/** Goes from one triangle on to the next at most so often on the way out. */
const MOST = 100000
/** From where to where along the ray the shape in hand reaches, and a part of it. */
const whole = new Float64Array(2)
const part = new Float64Array(2)
/** Two edges of a triangle, and its unit normal; its third edge from the end of the first. */
const u = new Float64Array(3)
const v = new Float64Array(3)
const w = new Float64Array(3)
const n = new Float64Array(3)
const NO_RAY = new Float64Array(0)
/** A half space along the ray: value + rate far >= 0. By array, since a call with numbers allocates. */
const half = new Float64Array(2)
/** How far along the ray it is nearest to a corner. */
const start = new Float64Array(1)
/** Inward normal of a side of a prism. */
const inwards = new Float64Array(3)

/** A ray against triangles with all that is within a radius of them, each a prism with a capsule along each edge. */
export class ThickRay implements Line {
  readonly best = new Float64Array(1)
  private ray: Float64Array = NO_RAY
  /** Where what the ray is in has been followed to; how near to that counts as there. */
  private readonly there = new Float64Array(2)

  /** @param radius [m] */
  constructor(private readonly radius: number) {}

  /** As `ColliderShape.cast`, but for the normal. */
  cast({ nodes, corners }: TriangleTree, ray: Float64Array): boolean {
    const { best, there } = this
    this.ray = ray
    there[0] = ray[FROM]!
    if (ray[SENSE] === ENTERS) {
      best[0] = ray[TO]!
      if (!castAtTree(nodes, corners, this)) return false
      ray[MET] = best[0]!
      return true
    }
    for (let k = 0; k < MOST; k++) {
      there[1] = touchAt(there[0])
      best[0] = there[0]!
      castAtTree(nodes, corners, this)
      if (best[0] > ray[TO]!) return false
      const ends = best[0] <= there[0] + there[1]
      there[0] = best[0]!
      if (ends) break
    }
    ray[MET] = there[0]!
    return true
  }

  enter(boxes: Float64Array, at: number, out: Float64Array, k: number): void {
    const { ray, radius, best, there } = this
    const enters = ray[SENSE] === ENTERS
    let from = there[0]!
    let to = enters ? best[0]! : there[0]! + there[1]!
    for (let d = 0; d < 3; d++) {
      const low = boxes[at + d]! - radius - ray[d]!
      const high = boxes[at + 3 + d]! + radius - ray[d]!
      const move = ray[3 + d]!
      if (move === 0) {
        if (low > 0 || high < 0) to = Number.NEGATIVE_INFINITY
        continue
      }
      from = Math.max(from, Math.min(low / move, high / move))
      to = Math.min(to, Math.max(low / move, high / move))
    }
    out[k] = from <= to ? from : Number.POSITIVE_INFINITY
  }

  cut(corners: Float64Array, at: number): boolean {
    const { best, there } = this
    this.reach(corners, at)
    if (this.ray[SENSE] === ENTERS) {
      if (!(whole[0]! >= there[0]! && whole[0]! <= whole[1]! && whole[0]! < best[0]!)) return false
      best[0] = whole[0]!
      return true
    }
    if (!(whole[0]! <= there[0]! + there[1]! && whole[1]! > best[0]!)) return false
    best[0] = whole[1]!
    return true
  }

  /** Where the ray is within the radius of a triangle, into `whole`. */
  private reach(corners: Float64Array, at: number): void {
    whole[0] = Number.POSITIVE_INFINITY
    whole[1] = Number.NEGATIVE_INFINITY
    for (let d = 0; d < 3; d++) {
      u[d] = corners[at + 3 + d]! - corners[at + d]!
      v[d] = corners[at + 6 + d]! - corners[at + d]!
      w[d] = v[d]! - u[d]!
    }
    this.prism(corners, at)
    this.capsule(corners, at, u)
    this.capsule(corners, at, v)
    this.capsule(corners, at + 3, w)
    this.ball(corners, at)
    this.ball(corners, at + 3)
    this.ball(corners, at + 6)
  }

  private prism(corners: Float64Array, at: number): void {
    const { ray, radius } = this
    cross(u, v, n)
    const size = Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!)
    if (!(size > 0)) return
    let away = 0
    let rate = 0
    for (let d = 0; d < 3; d++) {
      n[d] = n[d]! / size
      away += n[d]! * (ray[d]! - corners[at + d]!)
      rate += n[d]! * ray[3 + d]!
    }
    part[0] = Number.NEGATIVE_INFINITY
    part[1] = Number.POSITIVE_INFINITY
    half[0] = radius + away
    half[1] = rate
    keepAbove()
    half[0] = radius - away
    half[1] = -rate
    keepAbove()
    this.keepBeside(corners, at, u, 1)
    this.keepBeside(corners, at, v, -1)
    this.keepBeside(corners, at + 3, w, 1)
    take()
  }

  /** Cuts `part` to the side of an edge that the triangle is on. */
  private keepBeside(corners: Float64Array, at: number, edge: Float64Array, sign: number): void {
    const { ray } = this
    cross(n, edge, inwards)
    let away = 0
    let rate = 0
    for (let d = 0; d < 3; d++) {
      away += inwards[d]! * (ray[d]! - corners[at + d]!)
      rate += inwards[d]! * ray[3 + d]!
    }
    half[0] = sign * away
    half[1] = sign * rate
    keepAbove()
  }

  /** A cylinder about an edge. */
  private capsule(corners: Float64Array, at: number, edge: Float64Array): void {
    const { ray, radius } = this
    let ee = 0
    let ev = 0
    for (let d = 0; d < 3; d++) {
      ee += edge[d]! * edge[d]!
      ev += edge[d]! * ray[3 + d]!
    }
    if (!(ee > 0)) return
    // Squares of what is across the edge, from where the ray is nearest to the edge's start: what is far would be lost.
    this.comeNear(corners, at)
    const from = start[0]!
    let em = 0
    for (let d = 0; d < 3; d++) em += edge[d]! * (ray[d]! + from * ray[3 + d]! - corners[at + d]!)
    let across = 0
    let along = 0
    let square = -radius * radius
    for (let d = 0; d < 3; d++) {
      const m = ray[d]! + from * ray[3 + d]! - corners[at + d]! - (em / ee) * edge[d]!
      const move = ray[3 + d]! - (ev / ee) * edge[d]!
      across += move * move
      along += m * move
      square += m * m
    }
    const root = along * along - across * square
    if (!(root >= 0)) return
    part[0] = Number.NEGATIVE_INFINITY
    part[1] = Number.POSITIVE_INFINITY
    if (across > 0) {
      part[0] = from + (-along - Math.sqrt(root)) / across
      part[1] = from + (-along + Math.sqrt(root)) / across
    } else if (square > 0) return
    half[0] = em - from * ev
    half[1] = ev
    keepAbove()
    half[0] = ee - half[0]
    half[1] = -ev
    keepAbove()
    take()
  }

  private ball(corners: Float64Array, at: number): void {
    const { ray, radius } = this
    this.comeNear(corners, at)
    const from = start[0]!
    let square = radius * radius
    for (let d = 0; d < 3; d++) {
      const m = ray[d]! + from * ray[3 + d]! - corners[at + d]!
      square -= m * m
    }
    if (!(square >= 0)) return
    part[0] = from - Math.sqrt(square)
    part[1] = from + Math.sqrt(square)
    take()
  }

  private comeNear(corners: Float64Array, at: number): void {
    const { ray } = this
    start[0] = 0
    for (let d = 0; d < 3; d++) start[0] = start[0] + ray[3 + d]! * (corners[at + d]! - ray[d]!)
  }
}

/** Cuts `part` to `half`. */
function keepAbove(): void {
  const value = half[0]!
  const rate = half[1]!
  if (rate > 0) part[0] = Math.max(part[0]!, -value / rate)
  else if (rate < 0) part[1] = Math.min(part[1]!, -value / rate)
  else if (value < 0) part[1] = Number.NEGATIVE_INFINITY
}

/** Adds `part` to `whole`. */
function take(): void {
  if (!(part[0]! <= part[1]!)) return
  whole[0] = Math.min(whole[0]!, part[0]!)
  whole[1] = Math.max(whole[1]!, part[1]!)
}

function cross(a: Float64Array, b: Float64Array, out: Float64Array): void {
  out[0] = a[1]! * b[2]! - a[2]! * b[1]!
  out[1] = a[2]! * b[0]! - a[0]! * b[2]!
  out[2] = a[0]! * b[1]! - a[1]! * b[0]!
}

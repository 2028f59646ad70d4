import { closest, closestPoint } from './closestPoint.js'
import { Crossing, crossing } from './crossing.js'
import { castAtTree } from './treeCast.js'
import { buildNodes, type Nodes } from './treeNodes.js'

/** Boxes to be looked into: one a level, and `buildNodes` makes fewer levels. */
const DEPTH = 128
const stack = new Int32Array(DEPTH)
const gaps = new Float64Array(DEPTH)
/** Gaps to the two boxes below a node. */
const near = new Float64Array(2)
/** The thickness of a ray. */
const NONE = new Float64Array(1)

/** Of the last `nearest`: the point x, y, z [m] and the square of its distance [m^2]. */
export const found = new Float64Array(4)
const SQUARE = 3
/** Of the last `nearest` or `cross`: the triangle, and for `nearest` the part of it, as `closestPoint` says. */
export const hit = new Int32Array(2)

/**
 * Triangles under a hierarchy of boxes, in typed arrays: which is nearest to a point, and which a way crosses first.
 * Built once, then never written, so that any number of colliders may share it.
 */
export class TriangleTree {
  /** [9 t] corners of the triangles [m], in the order of the leaves. */
  readonly corners: Float64Array
  readonly nodes: Nodes
  private readonly crossing: Crossing

  /**
   * @param positions [3 p] m
   * @param triangles [3 t] points of each triangle, at least one
   */
  constructor(
    readonly positions: Float64Array,
    readonly triangles: Uint32Array,
  ) {
    this.nodes = buildNodes(positions, triangles)
    const { order } = this.nodes
    this.corners = new Float64Array(order.length * 9)
    for (let k = 0; k < order.length; k++) {
      for (let corner = 0; corner < 3; corner++) {
        const p = triangles[3 * order[k]! + corner]! * 3
        for (let d = 0; d < 3; d++) this.corners[9 * k + 3 * corner + d] = positions[p + d]!
      }
    }
    this.crossing = new Crossing(this.nodes.slack)
  }

  /** Box around all: smallest x, y, z, then largest [m]. */
  get bounds(): Float64Array {
    return this.nodes.boxes.slice(0, 6)
  }

  /** Finds the nearest place to the point query[0..2], into `found` and `hit`. */
  nearest(query: Float64Array): void {
    const { boxes, links, counts, order } = this.nodes
    const { corners } = this
    let best = Number.POSITIVE_INFINITY
    let top = 0
    stack[0] = 0
    gaps[0] = 0
    while (top >= 0) {
      const node = stack[top]!
      const gap = gaps[top]!
      top--
      if (gap >= best) continue
      const count = counts[node]!
      const link = links[node]!
      if (count > 0) {
        for (let k = link; k < link + count; k++) {
          const part = closestPoint(corners, 9 * k, query)
          if (closest[SQUARE]! >= best) continue
          best = closest[SQUARE]!
          found[0] = closest[0]!
          found[1] = closest[1]!
          found[2] = closest[2]!
          hit[0] = order[k]!
          hit[1] = part
        }
        continue
      }
      const left = node + 1
      for (let side = 0; side < 2; side++) {
        const box = (side === 0 ? left : link) * 6
        let square = 0
        for (let d = 0; d < 3; d++) {
          const x = query[d]!
          const below = boxes[box + d]! - x
          const above = x - boxes[box + 3 + d]!
          const out = below > 0 ? below : above > 0 ? above : 0
          square += out * out
        }
        near[side] = square
      }
      // The nearer box is on top, so that it is looked into first.
      const leftFirst = near[0]! <= near[1]!
      const far = leftFirst ? 1 : 0
      if (near[far]! < best) {
        stack[++top] = leftFirst ? link : left
        gaps[top] = near[far]!
      }
      if (near[1 - far]! < best) {
        stack[++top] = leftFirst ? left : link
        gaps[top] = near[1 - far]!
      }
    }
    found[SQUARE] = best
  }

  /**
   * Finds where a straight way first crosses a triangle: start [m] at way[0..2], what it leads to minus that at
   * way[3..5]. The share of the way goes to crossing[0], the triangle's unit normal against the way to crossing[1..3].
   * No way slips through between two triangles that share an edge. False where it crosses none.
   * @param thickness of the triangles, to one side, at 0 [m]
   * @param entering whether a triangle counts only from the side that its corners run about counter-clockwise
   */
  cross(way: Float64Array, thickness: Float64Array, entering: boolean): boolean {
    const { boxes, links, counts, order } = this.nodes
    const { corners, crossing: ray } = this
    if (!ray.aim(way, thickness, entering)) return false
    let crosses = false
    let top = 0
    stack[0] = 0
    ray.enter(boxes, 0, gaps, 0)
    if (gaps[0] === Number.POSITIVE_INFINITY) return false
    while (top >= 0) {
      const node = stack[top]!
      const gap = gaps[top]!
      top--
      if (gap > crossing[0]!) continue
      const count = counts[node]!
      const link = links[node]!
      if (count > 0) {
        for (let k = link; k < link + count; k++) {
          if (!ray.cut(corners, 9 * k)) continue
          crosses = true
          hit[0] = order[k]!
        }
        continue
      }
      const left = node + 1
      ray.enter(boxes, left * 6, near, 0)
      ray.enter(boxes, link * 6, near, 1)
      const leftFirst = near[0]! <= near[1]!
      const far = leftFirst ? 1 : 0
      if (near[far]! <= crossing[0]!) {
        stack[++top] = leftFirst ? link : left
        gaps[top] = near[far]!
      }
      if (near[1 - far]! <= crossing[0]!) {
        stack[++top] = leftFirst ? left : link
        gaps[top] = near[1 - far]!
      }
    }
    return crosses
  }

  /**
   * As `cross`, for a way that is looked along: what is behind its start does not count.
   * @param leaves whether a triangle counts only from within, else only from outside
   */
  castAt(way: Float64Array, leaves: boolean): boolean {
    if (!this.crossing.aim(way, NONE, true)) return false
    this.crossing.limitToRay(leaves)
    return castAtTree(this.nodes, this.corners, this.crossing)
  }
}

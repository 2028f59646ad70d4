import type { State } from '../../state.js'
import { turnAcross } from './axisRays.js'
import { BOX, BoxTree } from './boxTree.js'
import { roomy } from './columns.js'
import { cross } from './edgeCrossing.js'
import { type Surfaces, shallow } from './surfaces.js'

/** By how much a way is made longer where none so far leads out. */
const LONGER = 1.4

const probe = new Float64Array(BOX)
/** How far the first body is put off in a try, and how far the second one's edges are against it [m]. */
const off = new Float64Array(3)

/** Knows which ways are open. */
interface Ways {
  isFree(state: State, surfaces: Surfaces, a: number, b: number, direction: Float64Array, far: Float64Array): boolean
}

/**
 * The least way along any of some directions after which one solid has nothing in common with another: neither crosses an edge
 * a triangle, nor is one within the other. Unlike the way past the last particle it knows hollows: a ring about a bar that
 * is in its rim goes aside, and stays about it.
 */
export class ClearWay {
  /** The direction in which the first body leaves the second, and how far [m]. */
  readonly direction = new Float64Array(3)
  readonly depth = new Float64Array(1)
  /** Places of both, the first one's put off. */
  private places = new Float64Array(0)
  private readonly trees = [new BoxTree(), new BoxTree()] as const
  private readonly boxes = [new Float64Array(0), new Float64Array(0)]
  /** The edge of each that crossed last: the likeliest to do so again. */
  private readonly last = new Uint32Array(2)

  /**
   * Finds a way of live body a out of b, along one of `directions` [3 n], that is shorter than far[0] [m]; false where none
   * is.
   */
  find(
    state: State,
    surfaces: Surfaces,
    a: number,
    b: number,
    directions: Float64Array,
    far: Float64Array,
    ways: Ways,
  ): boolean {
    const { previous: x } = state
    this.places = roomy(this.places, x.length)
    this.plant(x, surfaces, a, 0)
    this.plant(x, surfaces, b, 1)
    surfaces.findShallow(a, b)
    this.depth[0] = shallow[0]!
    while (this.depth[0] < far[0]!) {
      for (let o = 0; o < directions.length; o += 3) {
        for (let d = 0; d < 3; d++) this.direction[d] = directions[o + d]!
        if (this.isClear(x, surfaces, a, b) && ways.isFree(state, surfaces, a, b, this.direction, this.depth))
          return true
      }
      this.depth[0] = this.depth[0] * LONGER
    }
    return false
  }

  /** Takes the places of a body, and puts its triangles into a tree. */
  private plant(
    x: Float64Array,
    { bodies, triangles, triangleStarts, edgeStarts }: Surfaces,
    body: number,
    side: number,
  ) {
    const { start, model } = bodies[body]!
    for (let p = start * 3; p < (start + model.particleCount) * 3; p++) this.places[p] = x[p]!
    const first = triangleStarts[body]!
    const count = triangleStarts[body + 1]! - first
    this.boxes[side] = roomy(this.boxes[side]!, count * BOX)
    const boxes = this.boxes[side]
    for (let t = 0; t < count; t++) {
      const k = (first + t) * 3
      for (let d = 0; d < 3; d++) {
        const p = x[triangles[k]! * 3 + d]!
        const q = x[triangles[k + 1]! * 3 + d]!
        const r = x[triangles[k + 2]! * 3 + d]!
        boxes[t * BOX + d] = Math.min(p, q, r)
        boxes[t * BOX + 3 + d] = Math.max(p, q, r)
      }
    }
    this.trees[side]!.build(boxes, count)
    this.last[side] = edgeStarts[body]!
  }

  /** True where nothing is common to both once the first has gone that way. */
  private isClear(x: Float64Array, surfaces: Surfaces, a: number, b: number): boolean {
    const { places, direction } = this
    const { start, model } = surfaces.bodies[a]!
    for (let d = 0; d < 3; d++) {
      off[d] = this.depth[0]! * direction[d]!
      for (let p = start * 3 + d; p < (start + model.particleCount) * 3; p += 3) places[p] = x[p]! + off[d]!
    }
    if (this.crosses(surfaces, a, b, 0)) return false
    // The first one's triangles are in their tree where they were.
    if (this.crosses(surfaces, b, a, 1)) return false
    return !this.holds(surfaces, a, b) && !this.holds(surfaces, b, a)
  }

  /** True where an edge of a body, the first one for `side` 0, crosses a triangle of the other. */
  private crosses(
    { edges, edgeStarts, triangles, triangleStarts }: Surfaces,
    body: number,
    other: number,
    side: number,
  ) {
    const { places } = this
    const tree = this.trees[1 - side]!
    const from = edgeStarts[body]!
    const count = edgeStarts[body + 1]! - from
    const last = this.last[side]! - from
    for (let k = 0; k < count; k++) {
      const edge = from + ((last + k) % count)
      const i = edges[edge * 2]! * 3
      const j = edges[edge * 2 + 1]! * 3
      for (let d = 0; d < 3; d++) {
        probe[d] = Math.min(places[i + d]!, places[j + d]!) - side * off[d]!
        probe[3 + d] = Math.max(places[i + d]!, places[j + d]!) - side * off[d]!
      }
      tree.query(probe, 0, 0, 0)
      for (let l = 0; l < tree.count; l++) {
        const t = (triangleStarts[other]! + tree.found[l]!) * 3
        if (!cross(places, i, j, triangles[t]! * 3, triangles[t + 1]! * 3, triangles[t + 2]! * 3)) continue
        this.last[side] = edge
        return true
      }
    }
    return false
  }

  /** True where the first particle of a body's surface is in the other. */
  private holds({ vertices, vertexStarts, triangles, triangleStarts }: Surfaces, body: number, other: number): boolean {
    const p = vertices[vertexStarts[body]!]! * 3
    let turns = 0
    for (let t = triangleStarts[other]! * 3; t < triangleStarts[other + 1]! * 3; t += 3) {
      turns += turnAcross(this.places, triangles, t, this.places, p, 2, 1)
    }
    return turns > 0
  }
}

import type { State } from '../../state.js'
import { turnAcross } from './axisRays.js'
import { BOX, type BoxTree } from './boxTree.js'
import { NEAR, near, nearestOnTriangle } from './closest.js'
import type { Meetings } from './meetings.js'
import type { Surfaces } from './surfaces.js'

const ray = new Float64Array(BOX)

/** Finds particles that are deep inside a solid, where no triangle is near: what was put there, or swallowed. */
export class Depths {
  constructor(
    private readonly surfaces: Surfaces,
    private readonly meetings: Meetings,
    private readonly grid: BoxTree,
  ) {}

  /**
   * True where a particle was inside a live body's surface when the substep began: a ray to the nearest side of its box crosses the surface
   * outwards more often than inwards. `ids` are the triangles whose boxes the grid knows.
   */
  isInside({ previous: x }: State, i: number, body: number, ids: Uint32Array): boolean {
    const { boxes, reach, regions } = this.meetings
    const p = i * 3
    const o = body * BOX
    let axis = -1
    let sign = 1
    let least = Number.POSITIVE_INFINITY
    for (let d = 0; d < 3; d++) {
      const below = x[p + d]! - boxes[o + d]! - reach[body]!
      const above = boxes[o + 3 + d]! - reach[body]! - x[p + d]!
      if (below <= 0 || above <= 0) return false
      if (below < least) {
        least = below
        axis = d
        sign = -1
      }
      if (above < least) {
        least = above
        axis = d
        sign = 1
      }
    }
    // The grid knows what is in the region where the body may touch. A way out that leads beyond is looked for in all.
    const end = sign > 0 ? boxes[o + 3 + axis]! : boxes[o + axis]!
    const { triangleStarts, bodyOf, triangles } = this.surfaces
    let turns = 0
    if (sign * (regions[o + (sign > 0 ? 3 : 0) + axis]! - end) < 0) {
      for (let t = triangleStarts[body]!; t < triangleStarts[body + 1]!; t++) {
        turns += turnAcross(x, triangles, t * 3, x, p, axis, sign)
      }
      return turns > 0
    }
    for (let d = 0; d < 3; d++) {
      ray[d] = x[p + d]!
      ray[3 + d] = x[p + d]!
    }
    ray[axis + (sign > 0 ? 3 : 0)] = end
    this.grid.query(ray, 0, 0, 0)
    for (let k = 0; k < this.grid.count; k++) {
      const t = ids[this.grid.found[k]!]! * 3
      if (bodyOf[triangles[t]!] === body) turns += turnAcross(x, triangles, t, x, p, axis, sign)
    }
    return turns > 0
  }

  /** The triangle of a live body that is nearest to a particle; `near` tells how. */
  nearest({ previous: x }: State, i: number, body: number): number {
    const { triangles, triangleStarts } = this.surfaces
    let best = triangleStarts[body]!
    let least = Number.POSITIVE_INFINITY
    for (let t = best; t < triangleStarts[body + 1]!; t++) {
      nearestOnTriangle(x, i * 3, triangles[t * 3]! * 3, triangles[t * 3 + 1]! * 3, triangles[t * 3 + 2]! * 3)
      if (near[NEAR.SQUARE]! >= least) continue
      least = near[NEAR.SQUARE]!
      best = t
    }
    nearestOnTriangle(x, i * 3, triangles[best * 3]! * 3, triangles[best * 3 + 1]! * 3, triangles[best * 3 + 2]! * 3)
    return best
  }
}

import type { State } from '../../state.js'
import { BOX, type BoxTree } from './boxTree.js'
import { cross, e, hit, n } from './edgeCrossing.js'
import type { Hooks } from './hooks.js'
import type { Meetings } from './meetings.js'
import type { Overlaps } from './overlaps.js'
import type { SoftBoxes } from './softBoxes.js'
import { MEETING } from './surfaces.js'
import type { Touching } from './touching.js'

/** What two bodies' boxes have in common, and the box of an edge. */
const common = new Float64Array(BOX)
const probe = new Float64Array(BOX)
const point = new Float64Array(3)

/**
 * Edges of solids that cross triangles of others. Particles tell of an overlap where they lie in the other body; of coarse
 * bars that are laid across each other, or a plate in a block, none does. Only these are looked at: solids that touch are
 * left to contact, but for what has just been put so or is hooked, and of those that are deep in each other enough is known.
 */
export class SolidCrossings {
  constructor(
    private readonly meetings: Meetings,
    private readonly touching: Touching,
    private readonly hooks: Hooks,
    private readonly boxes: SoftBoxes,
    private readonly grid: BoxTree,
  ) {}

  /** Tells `overlaps` where edges of solids crossed others when the substep began; the grid knows the triangles. */
  find(state: State, overlaps: Overlaps): void {
    const { hooks, meetings, touching } = this
    const { partners, partnerStarts, surfaces } = meetings
    for (let a = 0; a < surfaces.bodies.length; a++) {
      if (meetings.near[a] === 0 || surfaces.solid[a] === 0) continue
      for (let k = partnerStarts[a]!; k < partnerStarts[a + 1]!; k++) {
        const b = partners[k]!
        if (b < a || surfaces.solid[b] === 0 || surfaces.meeting(a, b) !== MEETING.PUSH) continue
        const held = touching.has(a, b) && !overlaps.partings.mayPart(surfaces, a, b)
        if (held && !hooks.holds(state, a, b)) continue
        if (overlaps.swallows(surfaces, a, b) || !this.findCommon(a, b)) continue
        this.cross(state, a, b, overlaps)
        this.cross(state, b, a, overlaps)
        if (held) overlaps.addHook(a, b)
      }
    }
  }

  /** What the boxes of two bodies have in common, without what they reach beyond; false where that is nothing. */
  private findCommon(a: number, b: number): boolean {
    const { boxes, reach } = this.meetings
    for (let d = 0; d < 3; d++) {
      common[d] = Math.max(boxes[a * BOX + d]! + reach[a]!, boxes[b * BOX + d]! + reach[b]!)
      common[3 + d] = Math.min(boxes[a * BOX + 3 + d]! - reach[a]!, boxes[b * BOX + 3 + d]! - reach[b]!)
      if (common[3 + d]! < common[d]!) return false
    }
    return true
  }

  /** Edges of live body a that cross triangles of b. */
  private cross(state: State, a: number, b: number, overlaps: Overlaps): void {
    const { previous: x } = state
    const { grid } = this
    const { surfaces } = this.meetings
    const { triangles, firstTriangles } = this.boxes
    const { edges, edgeStarts } = surfaces
    for (let edge = edgeStarts[a]! * 2; edge < edgeStarts[a + 1]! * 2; edge += 2) {
      const i = edges[edge]! * 3
      const j = edges[edge + 1]! * 3
      let apart = false
      for (let d = 0; d < 3; d++) {
        probe[d] = Math.min(x[i + d]!, x[j + d]!)
        probe[3 + d] = Math.max(x[i + d]!, x[j + d]!)
        apart = apart || probe[d]! > common[3 + d]! || probe[3 + d]! < common[d]!
      }
      if (apart) continue
      grid.query(probe, 0, 0, 0)
      for (let k = 0; k < grid.count; k++) {
        const found = grid.found[k]!
        if (found < firstTriangles[b]! || found >= firstTriangles[b + 1]!) continue
        const t = triangles.ids[found]! * 3
        const p = surfaces.triangles[t]! * 3
        if (!cross(x, i, j, p, surfaces.triangles[t + 1]! * 3, surfaces.triangles[t + 2]! * 3)) continue
        for (let d = 0; d < 3; d++) point[d] = x[i + d]! + hit[0]! * (x[j + d]! - x[i + d]!)
        const inward = e[0]! * n[0]! + e[1]! * n[1]! + e[2]! * n[2]! < 0
        overlaps.addCrossing(state, surfaces, a, b, point, edges[edge + (inward ? 1 : 0)]!)
      }
    }
  }
}

import { areaVector } from '../../math/triangle.js'
import type { State } from '../../state.js'
import { windingNumber } from './axisRays.js'
import { NEAR, near } from './closest.js'
import type { Meetings } from './meetings.js'
import { Outward } from './outward.js'
import { beside, facing, normal, side } from './side.js'
import type { SoftPairs } from './softPairs.js'
import type { Surfaces } from './surfaces.js'

/** Of the pair in hand, along its normal [m]; below 0 within. */
const gap = new Float64Array(1)

/** Twice the area of the side of a tetrahedron that is opposite to a corner, along its normal [m^2]. */
const opposite = new Float64Array(3)

/** Share of the way to where a tetrahedron is flat that a push may go, since all of its four corners may be pushed. */
const UPRIGHT = 0.25

/** On which side of a solid's triangles a particle is, came from, and is held. */
export class SolidSides {
  private readonly outward = new Outward()

  constructor(
    private readonly all: SoftPairs,
    private readonly meetings: Meetings,
    private readonly surfaces: Surfaces,
  ) {}

  /** 1 where the gap in `near` is on the outer side of a pair's triangle, -1 where it is on the inner. */
  sideOf(x: Float64Array, pair: number): number {
    const { particles } = this.all
    const k = pair * 4
    return side(x, particles[k + 1]! * 3, particles[k + 2]! * 3, particles[k + 3]! * 3)
  }

  /**
   * True where the particle of a pair was on the outer side of the triangle when the substep began, or out of the solid:
   * at a sharp rim, or in a fold, what is outside is behind some triangles.
   */
  cameFromOutside(state: State, pair: number): boolean {
    this.all.measure(state.previous, pair)
    if (this.sideOf(state.previous, pair) > 0) return true
    const { group } = this.all
    let first = pair
    while (group[first] === 0) first--
    return this.wasOutside(state, first)
  }

  /**
   * True where the particle of the group from `first` on was out of the solid when the substep began: the surface did not
   * wind about it. That tells it also where the solid is inside out, and no triangle does.
   */
  wasOutside({ previous }: State, first: number): boolean {
    const { cameFrom } = this.all
    if (cameFrom[first] === 0) cameFrom[first] = this.isOut(previous, first) ? 1 : 2
    return cameFrom[first] === 1
  }

  /** True where it is out of it now. */
  isOutside({ positions }: State, first: number): boolean {
    return this.isOut(positions, first)
  }

  private isOut(x: Float64Array, first: number): boolean {
    const { particles, second } = this.all
    const { triangles, triangleStarts } = this.surfaces
    const from = triangleStarts[second[first]!]! * 3
    const to = triangleStarts[second[first]! + 1]! * 3
    return windingNumber(x, triangles, from, to, x, particles[first * 4]! * 3) === 0
  }

  /**
   * Sets beside[0] to the distance up to which a particle of a solid may be off a side of another one and still be held by
   * the side beside: as far as sides are looked for. 0 for what is no pair of solids, or runs into each other.
   */
  findReachBeside(pair: number): void {
    const { far, first, second, slow } = this.all
    const { ways } = this.meetings
    const isSlow = slow[pair] !== 0 && ways[first[pair]!]! + ways[second[pair]!]! < 4 * far[pair]!
    beside[0] = isSlow ? far[pair]! : 0
  }

  /**
   * Of the triangles that face a particle of another solid, the nearest one, whose normal is kept, as long as it is not
   * above that by more than its thickness; beside[1] is what `ease` is to leave. -1 where none is, or where all that are as
   * near as `best` tells face it: what is above that is out, and would be thrown by one that is farther off. To hold what is behind alone would throw a corner that overhangs a rim back each time that it
   * sinks below it, and where two sharp rims hook into each other, what both want together cannot be.
   */
  nearestThatFaces({ positions: x }: State, first: number, size: number, best: Float64Array): number {
    const square = best[NEAR.SQUARE]!
    const { all, outward, surfaces } = this
    const solid = all.first[first]!
    outward.take(x, surfaces.fans[solid]!, surfaces.bodies[solid]!.start, all.particles[first * 4]!)
    let found = -1
    let nearest = Number.POSITIVE_INFINITY
    let away = false
    for (let pair = first; pair < first + size; pair++) {
      all.measure(x, pair)
      const here = near[NEAR.SQUARE]!
      this.sideOf(x, pair)
      if (!outward.faces(normal)) {
        away = away || here <= square * (1 + 1e-9)
        continue
      }
      if (here > nearest * (1 + 1e-9)) continue
      if (here < nearest * (1 - 1e-9)) {
        nearest = here
        found = -1
      }
      // Of those that are as near the first that it is not above.
      if (found >= 0 || facing[0]! >= all.thickness[pair]!) continue
      found = pair
      const above = Math.max(0, facing[0]!)
      beside[1] = Math.max(outward.aside[0]!, Math.sqrt(Math.max(0, square - above * above)) / beside[0]!)
      for (let d = 0; d < 3; d++) near[NEAR.GAP + d] = normal[d]!
      all.keep(pair, 1)
    }
    beside[1] = Math.min(1, beside[1]!)
    return away ? found : -1
  }

  /** Leaves a pair the share beside[1] of what it is too near: what slips off a rim is let go of little by little. */
  ease({ positions: x }: State, pair: number): void {
    const { all } = this
    this.findGap(x, pair)
    all.goal[pair] = all.thickness[pair]! - beside[1]! * (all.thickness[pair]! - gap[0]!)
  }

  /** Sets `gap` to the distance of a kept pair along its normal. */
  private findGap(x: Float64Array, pair: number): void {
    const { particles, weights, normals } = this.all
    let sum = 0
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const p = particles[k]! * 3
      for (let d = 0; d < 3; d++) sum += weights[k]! * normals[pair * 3 + d]! * x[p + d]!
    }
    gap[0] = sum
  }

  /**
   * Pushes the particle of a pair, which is within the solid, no further than its own tetrahedra stay upright: what it takes
   * to hold it there moves the bodies apart, or is borne. Pushed through, it would be turned back, and sink in again, for ever.
   */
  leaveUpright({ positions: x }: State, pair: number): void {
    const { all, surfaces } = this
    const solid = all.first[pair]!
    const fans = surfaces.fans[solid]
    if (fans === undefined) return
    const { starts, corners, apexes } = fans
    const { start } = surfaces.bodies[solid]!
    const { normals } = all
    const n = pair * 3
    const i = all.particles[pair * 4]!
    const p = i * 3
    let far = Number.POSITIVE_INFINITY
    for (let k = starts[i - start]!; k < starts[i - start + 1]!; k++) {
      const a = (start + corners[k * 2]!) * 3
      const b = (start + corners[k * 2 + 1]!) * 3
      const q = (start + apexes[k]!) * 3
      areaVector(x, q, a, b, opposite)
      // Six times its volume [m^3], and by how much that shrinks for each metre of the push [m^2].
      let volume = 0
      let loss = 0
      for (let d = 0; d < 3; d++) {
        volume += opposite[d]! * (x[p + d]! - x[q + d]!)
        loss -= opposite[d]! * normals[n + d]!
      }
      if (volume > 0 && loss > 0) far = Math.min(far, volume / loss)
    }
    this.findGap(x, pair)
    all.goal[pair] = Math.min(all.goal[pair]!, gap[0]! + UPRIGHT * far)
  }
}

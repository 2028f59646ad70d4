import type { State } from '../../state.js'
import { ClearWay } from './clearWay.js'
import { isStopped } from './obstacles.js'
import type { Surfaces } from './surfaces.js'
import { measureWhole, yielding } from './wholes.js'

/** How far the best of the directions is turned to find a better one beside it, and how often by half as much. */
const TURN = 0.4
const TURNS = 4

/** Directions to all sides, [3 n]: the 26 neighbours of a cube among cubes. */
export const directions = aroundCube()

const tried = new Float64Array(3)
const across = new Float64Array(6)
const move = new Float64Array(3)
/** How long it is [m]. */
const way = new Float64Array(1)
/** What is left of how much each of the two yields on the way that was tried [1/kg]. */
const left = new Float64Array(2)

/**
 * The shortest way by which one body leaves another as a whole: along a direction, until the last of the one is past the
 * last of the other. Directions to all sides are tried, then those beside the best. To go that way makes it shorter by as
 * much, and no other by more, so that it stays the best. A way on which a collider stops the one body is left to the other,
 * and one on which both are stopped, or pinned, is none.
 */
export class WayOut {
  /** The direction in which the first body leaves the second. */
  readonly direction = new Float64Array(3)
  /** How far that is [m]. */
  readonly depth = new Float64Array(1)
  /** How much each of the two yields [1/kg], to be set before; and on that way, 0 where a collider stops it. */
  readonly free = new Float64Array(2)
  readonly yields = new Float64Array(2)
  /** True while colliders are looked at. */
  private heeds = false
  private readonly clearWay = new ClearWay()

  /** Takes a way that is known. */
  take(way: Float64Array, o: number): void {
    for (let d = 0; d < 3; d++) this.direction[d] = way[o + d]!
    this.yields.set(this.free)
  }

  /** Finds the way of live body a out of b, at the places where the substep began. @param heeds what colliders stop */
  find(state: State, surfaces: Surfaces, a: number, b: number, heeds: boolean): void {
    this.heeds = heeds && state.colliders.live.length > 0
    this.search(state, surfaces, a, b)
    if (this.depth[0]! < Number.POSITIVE_INFINITY) return
    // Stopped on all sides: as if there were no colliders.
    this.heeds = false
    this.search(state, surfaces, a, b)
  }

  private search(state: State, surfaces: Surfaces, a: number, b: number): void {
    this.depth[0] = Number.POSITIVE_INFINITY
    for (let o = 0; o < directions.length; o += 3) {
      for (let d = 0; d < 3; d++) tried[d] = directions[o + d]!
      this.try(state, surfaces, a, b)
    }
    for (let k = 0; k < TURNS && this.depth[0] < Number.POSITIVE_INFINITY; k++) {
      const turn = TURN / (1 << k)
      this.takeAcross()
      for (let l = 0; l < 4; l++) {
        const by = turn * (1 - 2 * (l & 1))
        let square = 0
        for (let d = 0; d < 3; d++) {
          tried[d] = this.direction[d]! + by * across[(l >> 1) * 3 + d]!
          square += tried[d]! * tried[d]!
        }
        const size = Math.sqrt(square)
        for (let d = 0; d < 3; d++) tried[d] = tried[d]! / size
        this.try(state, surfaces, a, b)
      }
    }
  }

  /** Finds the way of one solid out of another, with regard to hollows. */
  findClear(state: State, surfaces: Surfaces, a: number, b: number): void {
    const { clearWay } = this
    measureWhole(state, surfaces.bodies[a]!)
    this.free[0] = yielding[0]!
    measureWhole(state, surfaces.bodies[b]!)
    this.free[1] = yielding[0]!
    this.find(state, surfaces, a, b, true)
    if (!clearWay.find(state, surfaces, a, b, directions, this.depth, this)) return
    this.direction.set(clearWay.direction)
    this.depth.set(clearWay.depth)
    this.yields.set(left)
  }

  /** Takes the direction in `tried` where it is shorter than the best so far. */
  private try(state: State, surfaces: Surfaces, a: number, b: number): void {
    const { previous: x } = state
    const { vertices, vertexStarts } = surfaces
    const dx = tried[0]!
    const dy = tried[1]!
    const dz = tried[2]!
    let least = Number.POSITIVE_INFINITY
    let most = Number.NEGATIVE_INFINITY
    for (let v = vertexStarts[a]!; v < vertexStarts[a + 1]!; v++) {
      const p = vertices[v]! * 3
      const along = dx * x[p]! + dy * x[p + 1]! + dz * x[p + 2]!
      if (along < least) least = along
    }
    for (let v = vertexStarts[b]!; v < vertexStarts[b + 1]!; v++) {
      const p = vertices[v]! * 3
      const along = dx * x[p]! + dy * x[p + 1]! + dz * x[p + 2]!
      if (along > most) most = along
    }
    if (!(most - least < this.depth[0]!)) return
    way[0] = most - least
    if (!this.isFree(state, surfaces, a, b, tried, way)) return
    this.depth[0] = most - least
    this.direction.set(tried)
    this.yields.set(left)
  }

  /** True where colliders and pins leave live body a, or b, a way of far[0] [m] along `direction` out of the other. */
  isFree(state: State, surfaces: Surfaces, a: number, b: number, direction: Float64Array, far: Float64Array): boolean {
    left.set(this.free)
    if (!this.heeds) return true
    for (let side = 0; side < 2; side++) {
      for (let d = 0; d < 3; d++) move[d] = (1 - 2 * side) * far[0]! * direction[d]!
      if (left[side]! > 0 && isStopped(state, surfaces, side === 0 ? a : b, move)) left[side] = 0
    }
    return left[0]! > 0 || left[1]! > 0
  }

  /** Two directions across the best. */
  private takeAcross(): void {
    const { direction } = this
    // The axis that it is least along.
    let axis = 0
    for (let d = 1; d < 3; d++) if (Math.abs(direction[d]!) < Math.abs(direction[axis]!)) axis = d
    const u = (axis + 1) % 3
    const v = (axis + 2) % 3
    const size = Math.sqrt(direction[u]! * direction[u]! + direction[v]! * direction[v]!)
    across[axis] = 0
    across[u] = -direction[v]! / size
    across[v] = direction[u]! / size
    across[3] = direction[1]! * across[2]! - direction[2]! * across[1]!
    across[4] = direction[2]! * across[0]! - direction[0]! * across[2]!
    across[5] = direction[0]! * across[1]! - direction[1]! * across[0]!
  }
}

function aroundCube(): Float64Array {
  const out: number[] = []
  for (let k = 0; k < 27; k++) {
    const at = [(k % 3) - 1, (Math.floor(k / 3) % 3) - 1, Math.floor(k / 9) - 1]
    const square = at.reduce((sum, value) => sum + value * value, 0)
    if (square > 0) out.push(...at.map((value) => value / Math.sqrt(square)))
  }
  return Float64Array.from(out)
}

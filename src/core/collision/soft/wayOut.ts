import type { State } from '../../state.js'
import type { Surfaces } from './surfaces.js'

/** How far the best of the directions is turned to find a better one beside it, and how often by half as much. */
const TURN = 0.4
const TURNS = 4

/** Directions to all sides, [3 n]: the 26 neighbours of a cube among cubes. */
export const directions = aroundCube()

const tried = new Float64Array(3)
const across = new Float64Array(6)

/**
 * The shortest way by which one body leaves another as a whole: along a direction, until the last of the one is past the
 * last of the other. Directions to all sides are tried, then those beside the best. To go that way makes it shorter by as
 * much, and no other by more, so that it stays the best.
 */
export class WayOut {
  /** The direction in which the first body leaves the second. */
  readonly direction = new Float64Array(3)
  /** How far that is [m]. */
  readonly depth = new Float64Array(1)

  /** Takes a way that is known. */
  take(way: Float64Array, o: number): void {
    for (let d = 0; d < 3; d++) this.direction[d] = way[o + d]!
  }

  /** Finds the way of live body a out of b, at the places where the substep began. */
  find({ previous: x }: State, surfaces: Surfaces, a: number, b: number): void {
    this.depth[0] = Number.POSITIVE_INFINITY
    for (let o = 0; o < directions.length; o += 3) {
      for (let d = 0; d < 3; d++) tried[d] = directions[o + d]!
      this.try(x, surfaces, a, b)
    }
    for (let k = 0; k < TURNS; k++) {
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
        this.try(x, surfaces, a, b)
      }
    }
  }

  /** Takes the direction in `tried` where it is shorter than the best so far. */
  private try(x: Float64Array, { vertices, vertexStarts }: Surfaces, a: number, b: number): void {
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
    this.depth[0] = most - least
    this.direction.set(tried)
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

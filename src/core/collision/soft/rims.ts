import { unitNormal } from '../../math/triangle.js'
import type { Model } from '../../model.js'
import { NEAR, near } from './closest.js'
import { beside } from './side.js'
import type { SoftPairs } from './softPairs.js'
import type { Surfaces } from './surfaces.js'

/** Cosine of the angle between the normals of two triangles at rest, below which the edge that they share is a rim. */
const SHARP = 0.9

/** Sine of the angle between two rims below which they are parallel, and their corners are what touches. */
const PARALLEL = 0.02

/**
 * Sine of the angle by which the triangles at a rim may lean beyond the plane between two rims, and from which on less and
 * less of what is missing is given back: let go of at once, what is pressed would jump in, and be pushed out again, for ever.
 */
const LEAN = 0.2
const EASED = 0.1
/**
 * Sine of the angle between the normal to two rims and a triangle at one of them, within the body, from which on two that
 * are deep in each other touch wholly; where the normal leads out of the body they do not, as it is no way through it.
 */
const WITHIN = 0.3
/** And may by the time of the next search. */
const LEAN_SOON = 0.25

/**
 * The rims of an elastic solid, [4 n]: edges that are sharp and convex at rest, and the third corners of their two triangles.
 * The limbs of a figure have none: pressed together by them, its joints would have to give way.
 */
export function rimsOf({ triangles, positions: x, tets, sets }: Model): Uint32Array<ArrayBuffer> {
  const rims: number[] = []
  if (tets.length === 0 || sets.some(({ kind }) => kind.contract === 'rigid')) return Uint32Array.from(rims)
  const firsts = new Map<number, number>()
  const one = new Float64Array(3)
  const two = new Float64Array(3)
  for (let corner = 0; corner < triangles.length; corner++) {
    const i = triangles[corner]!
    const j = triangles[next(corner)]!
    const key = Math.min(i, j) * 67108864 + Math.max(i, j)
    const other = firsts.get(key)
    if (other === undefined) firsts.set(key, corner)
    else {
      normalAt(x, triangles, other, one)
      normalAt(x, triangles, corner, two)
      const beyond = triangles[next(next(corner))]!
      let cosine = 0
      let above = 0
      for (let d = 0; d < 3; d++) {
        cosine += one[d]! * two[d]!
        above += one[d]! * (x[beyond * 3 + d]! - x[i * 3 + d]!)
      }
      if (cosine < SHARP && above < 0) rims.push(i, j, triangles[next(next(other))]!, beyond)
    }
  }
  return Uint32Array.from(rims)
}

/** The corner that follows in its triangle. */
function next(corner: number): number {
  return corner % 3 === 2 ? corner - 2 : corner + 1
}

function normalAt(x: Float64Array, triangles: Uint32Array, corner: number, out: Float64Array): void {
  const t = corner - (corner % 3)
  unitNormal(x, triangles[t]! * 3, triangles[t + 1]! * 3, triangles[t + 2]! * 3, out)
}

/**
 * Rims of two solids that cross: of coarse ones no particle is near. They touch along the normal to both, where all four
 * triangles are on their own side of the plane between them, as the two are then nowhere nearer (Gregorius 2013).
 */
export class Rims {
  /** Unit normal to both rims, from the second to the first. */
  private readonly n = new Float64Array(3)
  /** Sine by which triangles may lean beyond the plane. */
  private readonly lean = new Float64Array(1)
  /** By triangle at a rim: the sine of its angle to n, seen along the rim. */
  private readonly leans = new Float64Array(2)
  /** Of two rims that are deep in each other: 0 where n leads out of a body beside its rim, up to 1 where it leads through both. */
  private readonly through = new Float64Array(1)
  /** The square of the normal's length, as long as it is not one [m^4]. */
  private readonly square = new Float64Array(1)
  /** By how much the triangles of either rim lean beyond the plane at most. */
  private readonly beyond = new Float64Array(1)

  constructor(
    private readonly all: SoftPairs,
    private readonly surfaces: Surfaces,
  ) {}

  /**
   * True where the rims of a pair are too near to each other; `near` then tells the gap as a unit normal, and beside[1] is
   * what `ease` is to leave.
   */
  touch(x: Float64Array, pair: number): boolean {
    const { all, n } = this
    this.lean[0] = LEAN
    if (near[NEAR.INSIDE] === 0) return false
    if (!this.face(x, all.rims[pair * 2]! - 1, all.rims[pair * 2 + 1]! - 1)) return false
    let gap = 0
    for (let e = 0; e < 3; e++) gap += n[e]! * near[NEAR.GAP + e]!
    if (gap >= all.thickness[pair]! || gap <= -all.far[pair]!) return false
    beside[1] = Math.max(0, (this.beyond[0]! - EASED) / (LEAN - EASED))
    const thickness = all.thickness[pair]!
    if (gap < -thickness) {
      this.through[0] = 1
      this.lookThrough(x, all.rims[pair * 2]! - 1)
      this.lookThrough(x, all.rims[pair * 2 + 1]! - 1)
      beside[1] = Math.max(beside[1], Math.min(1, -gap / thickness - 1) * (1 - this.through[0]))
      if (beside[1] === 1) return false
    }
    for (let e = 0; e < 3; e++) near[NEAR.GAP + e] = n[e]!
    return true
  }

  /** Lowers `through` to how far n is between the two triangles at a rim, where it leads through the body. */
  private lookThrough(x: Float64Array, rim: number): void {
    const { n, leans, through } = this
    const { rims } = this.surfaces
    const i = rims[rim * 4]! * 3
    const j = rims[rim * 4 + 1]! * 3
    const ux = x[j]! - x[i]!
    const uy = x[j + 1]! - x[i + 1]!
    const uz = x[j + 2]! - x[i + 2]!
    const square = ux * ux + uy * uy + uz * uz
    for (let k = 0; k < 2; k++) {
      const to = rims[rim * 4 + 2 + k]! * 3
      const dx = x[to]! - x[i]!
      const dy = x[to + 1]! - x[i + 1]!
      const dz = x[to + 2]! - x[i + 2]!
      const along = dx * ux + dy * uy + dz * uz
      // The part of the triangle that is across the rim, and what of that is across n as well.
      const size = Math.sqrt(Math.max(0, (dx * dx + dy * dy + dz * dz) * square - along * along))
      const aside = dx * (n[1]! * uz - n[2]! * uy) + dy * (n[2]! * ux - n[0]! * uz) + dz * (n[0]! * uy - n[1]! * ux)
      leans[k] = size > 0 ? aside / size : 0
    }
    const between = leans[0]! * leans[1]! < 0 ? Math.min(Math.abs(leans[0]!), Math.abs(leans[1]!)) : 0
    through[0] = Math.min(through[0]!, between / WITHIN)
  }

  /** True where two rims may come to touch until the next search, where they are near. */
  mayTouch(x: Float64Array, one: number, other: number): boolean {
    this.lean[0] = LEAN_SOON
    return this.face(x, one, other)
  }

  /** True where two rims face each other, but for `lean`: along n. */
  private face(x: Float64Array, one: number, other: number): boolean {
    const { n } = this
    const { rims } = this.surfaces
    const a = rims[one * 4]! * 3
    const b = rims[one * 4 + 1]! * 3
    const c = rims[other * 4]! * 3
    const d = rims[other * 4 + 1]! * 3
    const ux = x[b]! - x[a]!
    const uy = x[b + 1]! - x[a + 1]!
    const uz = x[b + 2]! - x[a + 2]!
    const vx = x[d]! - x[c]!
    const vy = x[d + 1]! - x[c + 1]!
    const vz = x[d + 2]! - x[c + 2]!
    n[0] = uy * vz - uz * vy
    n[1] = uz * vx - ux * vz
    n[2] = ux * vy - uy * vx
    const square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2]
    if (square < PARALLEL * PARALLEL * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)) return false
    this.beyond[0] = 0
    this.square[0] = square
    const way = this.sideOf(x, a, one)
    if (way === 0 || this.sideOf(x, c, other) !== -way) return false
    const size = way * Math.sqrt(square)
    for (let e = 0; e < 3; e++) n[e] = n[e]! / size
    return true
  }

  /** 1 where both triangles at a rim are on the side of it where n points, of any length, -1 where both are on the other, 0 else. */
  private sideOf(x: Float64Array, from: number, rim: number): number {
    const { rims } = this.surfaces
    const { n } = this
    const one = rims[rim * 4 + 2]! * 3
    const ax = x[one]! - x[from]!
    const ay = x[one + 1]! - x[from + 1]!
    const az = x[one + 2]! - x[from + 2]!
    const two = rims[rim * 4 + 3]! * 3
    const bx = x[two]! - x[from]!
    const by = x[two + 1]! - x[from + 1]!
    const bz = x[two + 2]! - x[from + 2]!
    const first = ax * n[0]! + ay * n[1]! + az * n[2]!
    const second = bx * n[0]! + by * n[1]! + bz * n[2]!
    // Most are plainly on one side, or plainly astride.
    if (first > 0 && second > 0) return 1
    if (first < 0 && second < 0) return -1
    const lean = first / Math.sqrt((ax * ax + ay * ay + az * az) * this.square[0]!)
    const other = second / Math.sqrt((bx * bx + by * by + bz * bz) * this.square[0]!)
    const beyond = Math.min(Math.abs(lean), Math.abs(other))
    if (!(beyond <= this.lean[0]!)) return 0
    this.beyond[0] = Math.max(this.beyond[0]!, beyond)
    return lean + other > 0 ? 1 : -1
  }
}

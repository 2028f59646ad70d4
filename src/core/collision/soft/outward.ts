import type { Model } from '../../model.js'

/**
 * A particle of a solid is pushed by triangles whose normal has at most this cosine with its own outward direction. At
 * the corner of a cube that is 0.58 with each of its faces, at a rim 0.71; a face that it leans on has -1 to 0.
 */
const AGAINST = 0.3

/** The triangles around each particle of a model. */
export interface Fans {
  /** Those of particle i are from starts[i] to starts[i + 1]. */
  readonly starts: Uint32Array
  /** [2 n] the two other corners of a triangle, in its order. */
  readonly corners: Uint32Array
  /** [n] and the fourth corner of the tetrahedron behind it, or the triangle's first one where there is none. */
  readonly apexes: Uint32Array
}

/** @param behind by triangle: the fourth corner of the tetrahedron behind it */
export function fansOf({ triangles, particleCount }: Model, behind: Uint32Array): Fans {
  const starts = new Uint32Array(particleCount + 1)
  for (const i of triangles) starts[i + 1]!++
  for (let i = 0; i < particleCount; i++) starts[i + 1]! += starts[i]!
  const next = starts.slice()
  const corners = new Uint32Array(triangles.length * 2)
  const apexes = new Uint32Array(triangles.length)
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const at = next[triangles[t + k]!]!++
      corners[at * 2] = triangles[t + ((k + 1) % 3)]!
      corners[at * 2 + 1] = triangles[t + ((k + 2) % 3)]!
      apexes[at] = behind[t / 3]!
    }
  }
  return { starts, corners, apexes }
}

/** Which way is outward at a particle, and what faces it. */
export class Outward {
  private readonly direction = new Float64Array(3)
  /** How far the normal judged last is from being against that direction: 0 across it or more against it, 1 at `AGAINST`. */
  readonly aside = new Float64Array(1)

  /**
   * Takes the outward direction of particle i of a solid whose first one is `start`: the mean normal of its triangles,
   * weighted so that how a face is cut into triangles does not matter (Max 1999).
   */
  take(x: Float64Array, { starts, corners }: Fans, start: number, i: number): void {
    const { direction } = this
    const p = i * 3
    direction.fill(0)
    for (let k = starts[i - start]!; k < starts[i - start + 1]!; k++) {
      const a = (start + corners[k * 2]!) * 3
      const b = (start + corners[k * 2 + 1]!) * 3
      const ux = x[a]! - x[p]!
      const uy = x[a + 1]! - x[p + 1]!
      const uz = x[a + 2]! - x[p + 2]!
      const vx = x[b]! - x[p]!
      const vy = x[b + 1]! - x[p + 1]!
      const vz = x[b + 2]! - x[p + 2]!
      const squares = (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)
      if (squares === 0) continue
      direction[0] = direction[0]! + (uy * vz - uz * vy) / squares
      direction[1] = direction[1]! + (uz * vx - ux * vz) / squares
      direction[2] = direction[2]! + (ux * vy - uy * vx) / squares
    }
    let square = 0
    for (let d = 0; d < 3; d++) square += direction[d]! * direction[d]!
    const size = Math.sqrt(square)
    if (size > 0) for (let d = 0; d < 3; d++) direction[d] = direction[d]! / size
  }

  /** True where a unit normal does not point the way that is outward at the particle taken last. */
  faces(normal: Float64Array): boolean {
    const { direction } = this
    const cosine = direction[0]! * normal[0]! + direction[1]! * normal[1]! + direction[2]! * normal[2]!
    this.aside[0] = Math.max(0, cosine / AGAINST)
    return cosine <= AGAINST
  }
}

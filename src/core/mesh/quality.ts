import { angleDegrees } from './angle.js'

/** A mesh that encloses less than this part of its tetrahedra, as a sheet with two faces does, encloses nothing. */
const LEAST_ENCLOSED = 1e-6

/** How good a tetrahedral mesh is. */
export interface TetReport {
  readonly tetCount: number
  readonly vertexCount: number
  /** Smallest and largest angle between two faces of a tetrahedron [degrees]; 70.5 in a regular one. */
  readonly minDihedral: number
  readonly maxDihedral: number
  /** Volume of the smallest tetrahedron [m^3]; zero or less is an inverted one. */
  readonly minVolume: number
  /** Volume of all tetrahedra [m^3]. */
  readonly volume: number
  /**
   * Volume that the closed mesh encloses [m^3], what overlaps once; null for a mesh that is open or encloses none. The
   * body's mass by density is that of this volume where there is one: tetrahedra make thin parts a cell thick.
   */
  readonly meshVolume: number | null
  /** (volume - meshVolume) / meshVolume; 0 where there is no such volume. */
  readonly volumeError: number
  /** What was taken for granted about a mesh that is open, or has edges of more than two faces; null for any other. */
  readonly assumption: string | null
}

/**
 * @param positions [3 n] vertices [m]
 * @param tets [4 m] vertices of each tetrahedron
 * @param meshVolume volume of the closed mesh that the tetrahedra fill [m^3], null where they fill none
 * @param assumption for the report
 */
export function* tetReport(
  positions: ArrayLike<number>,
  tets: ArrayLike<number>,
  meshVolume: number | null = null,
  assumption: string | null = null,
): Generator<void, TetReport> {
  let volume = 0
  let minVolume = tets.length === 0 ? 0 : Infinity
  let minDihedral = 180
  let maxDihedral = 0
  // Edge vectors from vertex 0, then the outward normals of the faces opposite vertices 0 to 3.
  const e = new Float64Array(9)
  const normals = new Float64Array(12)
  for (let t = 0; t < tets.length; t += 4) {
    const origin = 3 * tets[t]!
    for (let i = 0; i < 3; i++) {
      const vertex = 3 * tets[t + 1 + i]!
      for (let axis = 0; axis < 3; axis++) e[3 * i + axis] = positions[vertex + axis]! - positions[origin + axis]!
    }
    cross(e, 6, 3, normals, 3)
    cross(e, 0, 6, normals, 6)
    cross(e, 3, 0, normals, 9)
    for (let axis = 0; axis < 3; axis++) normals[axis] = -normals[3 + axis]! - normals[6 + axis]! - normals[9 + axis]!
    const tetVolume = -dot(e, 0, normals, 3) / 6
    volume += tetVolume
    if (tetVolume < minVolume) minVolume = tetVolume
    for (let i = 0; i < 9; i += 3) {
      for (let j = i + 3; j < 12; j += 3) {
        // The angle inside is 180 degrees less the angle between outward normals.
        const angle = dihedral(normals, i, j)
        if (angle < minDihedral) minDihedral = angle
        if (angle > maxDihedral) maxDihedral = angle
      }
    }
    if ((t & 0xfff) === 0xffc) yield
  }
  const enclosed = meshVolume !== null && meshVolume > LEAST_ENCLOSED * volume ? meshVolume : null
  return {
    tetCount: tets.length / 4,
    vertexCount: positions.length / 3,
    minDihedral,
    maxDihedral,
    minVolume,
    volume,
    meshVolume: enclosed,
    volumeError: enclosed === null ? 0 : (volume - enclosed) / enclosed,
    assumption,
  }
}

const crossScratch = new Float64Array(3)

function dihedral(normals: Float64Array, i: number, j: number): number {
  cross(normals, i, j, crossScratch, 0)
  return angleDegrees(Math.sqrt(dot(crossScratch, 0, crossScratch, 0)), -dot(normals, i, normals, j))
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!
}

function cross(a: Float64Array, i: number, j: number, out: Float64Array, o: number): void {
  out[o] = a[i + 1]! * a[j + 2]! - a[i + 2]! * a[j + 1]!
  out[o + 1] = a[i + 2]! * a[j]! - a[i]! * a[j + 2]!
  out[o + 2] = a[i]! * a[j + 1]! - a[i + 1]! * a[j]!
}

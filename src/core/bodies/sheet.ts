import { bending, membrane } from '../constraints/index.js'
import { type Model, ModelBuilder } from '../model.js'
import type { Hinges } from './hinges.js'
import { orderAboutHubs, rowsIn } from './hubs.js'

/** Most distance that a sheet keeps to colliders [m], where its mesh is coarse. */
const THICKNESS = 0.01

/**
 * A thin sheet: its triangles resist stretch and shear (`membrane`), its hinges resist bending (`bend`), both in terms of
 * the material, so that a finer mesh is the same sheet. A particle has the mass of the points that are nearer to it than
 * to others of its triangles.
 * @param triangles [3 t] with an area, and every point in one of them
 */
export function sheetModel(positions: Float64Array, triangles: Uint32Array, hinges: Hinges): Model {
  const areas = new Float64Array(triangles.length / 3)
  const weights = new Float64Array(positions.length / 3)
  let total = 0
  let shortest = Number.POSITIVE_INFINITY
  const near = [0, 0, 0]
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [j, l] = [triangles[t + ((k + 1) % 3)]!, triangles[t + ((k + 2) % 3)]!]
      shortest = Math.min(shortest, dot(positions, j, l, j, l))
    }
    const area = areaOf(positions, triangles, t)
    areas[t / 3] = area
    total += area
    nearAreas(positions, triangles, t, near)
    for (let k = 0; k < 3; k++) weights[triangles[t + k]!]! += near[k]!
  }
  const triangleOrder = orderAboutHubs(positions, triangles, triangles, 3)
  const hingeOrder = orderAboutHubs(positions, triangles, hinges.particles, 4)
  return new ModelBuilder(positions)
    .weights(weights)
    .with({
      measure: total,
      density: 0.2,
      thickness: Math.min(THICKNESS, Math.sqrt(shortest) / 4),
      triangles,
      elastic: { membrane: { stretchModulus: 1000, shearModulus: 100 }, bend: { modulus: 1e-4 } },
    })
    .constrain('membrane', membrane, rowsIn(triangleOrder, triangles, 3), {
      unitCompliance: (row) => 1 / areas[triangleOrder[row]!]!,
    })
    .constrain('bend', bending, rowsIn(hingeOrder, hinges.particles, 4), {
      unitCompliance: (row) => 1 / hinges.shares[hingeOrder[row]!]!,
    })
    .build()
}

/** Writes what of the area of the triangle at triangles[t] is nearest to each of its corners [m^2]. */
export function nearAreas(x: Float64Array, triangles: Uint32Array, t: number, out: number[]): void {
  const squares = [0, 0, 0]
  const dots = [0, 0, 0]
  for (let k = 0; k < 3; k++) {
    const [i, j, l] = [triangles[t + k]!, triangles[t + ((k + 1) % 3)]!, triangles[t + ((k + 2) % 3)]!]
    squares[k] = dot(x, j, l, j, l)
    dots[k] = dot(x, i, j, i, l)
  }
  const area = areaOf(x, triangles, t)
  for (let k = 0; k < 3; k++) out[k] = nearShare(squares, dots, k, area)
}

/**
 * Part of a triangle's area that goes to its corner k: what is nearest to it, and half of the area to an obtuse corner
 * (Meyer et al. 2003).
 * @param squares of the sides opposite the corners [m^2]
 * @param dots of the sides at the corners [m^2]
 */
function nearShare(squares: readonly number[], dots: readonly number[], k: number, area: number): number {
  const [j, l] = [(k + 1) % 3, (k + 2) % 3]
  if (dots[k]! < 0) return area / 2
  if (dots[j]! < 0 || dots[l]! < 0) return area / 4
  // Side k j squared times cot L, and side k l squared times cot J, over 8, with cot = dot / (2 area).
  return (squares[l]! * dots[l]! + squares[j]! * dots[j]!) / (16 * area)
}

/** Area of the triangle at triangles[t] [m^2]. */
export function areaOf(x: Float64Array, triangles: Uint32Array, t: number): number {
  const side = (k: number, d: number) => x[triangles[t + k]! * 3 + d]! - x[triangles[t]! * 3 + d]!
  const [ax, ay, az] = [side(1, 0), side(1, 1), side(1, 2)]
  const [bx, by, bz] = [side(2, 0), side(2, 1), side(2, 2)]
  const [nx, ny, nz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
  return Math.sqrt(nx * nx + ny * ny + nz * nz) / 2
}

/** (b - a) . (d - c) of four points. */
export function dot(x: Float64Array, a: number, b: number, c: number, d: number): number {
  let sum = 0
  for (let k = 0; k < 3; k++) sum += (x[b * 3 + k]! - x[a * 3 + k]!) * (x[d * 3 + k]! - x[c * 3 + k]!)
  return sum
}

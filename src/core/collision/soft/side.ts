import { NEAR, near } from './closest.js'

/** Of the triangle that `side` looked at last: its unit normal, and how much of the gap is along it [m]. */
export const normal = new Float64Array(3)
export const facing = new Float64Array(1)

/** 1 where the gap in `near` is on the outer side of a triangle, -1 where it is on the inner. */
export function side(x: Float64Array, a: number, b: number, c: number): number {
  const ux = x[b]! - x[a]!
  const uy = x[b + 1]! - x[a + 1]!
  const uz = x[b + 2]! - x[a + 2]!
  const vx = x[c]! - x[a]!
  const vy = x[c + 1]! - x[a + 1]!
  const vz = x[c + 2]! - x[a + 2]!
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz)
  const scale = size > 0 ? 1 / size : 0
  normal[0] = nx * scale
  normal[1] = ny * scale
  normal[2] = nz * scale
  facing[0] = normal[0] * near[NEAR.GAP]! + normal[1] * near[NEAR.GAP + 1]! + normal[2] * near[NEAR.GAP + 2]!
  return facing[0] < 0 ? -1 : 1
}

/** Twice the area of a triangle without one, as a part of the square of its longest side. */
const NEEDLE = 1e-6

/** True for a triangle that has no area, or one that rounding may have given it; its first corner is number `t`. */
export function isNeedle(x: Float64Array, triangles: Uint32Array, t: number): boolean {
  const a = 3 * triangles[t]!
  const b = 3 * triangles[t + 1]!
  const c = 3 * triangles[t + 2]!
  const [ux, uy, uz] = [x[b]! - x[a]!, x[b + 1]! - x[a + 1]!, x[b + 2]! - x[a + 2]!]
  const [vx, vy, vz] = [x[c]! - x[a]!, x[c + 1]! - x[a + 1]!, x[c + 2]! - x[a + 2]!]
  const [wx, wy, wz] = [vx - ux, vy - uy, vz - uz]
  const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz)
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  return !(Math.sqrt(nx * nx + ny * ny + nz * nz) > NEEDLE * longest)
}

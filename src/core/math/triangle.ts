/** (b - a) x (c - a) of the triangle whose corners begin at x[a], x[b], x[c] [m]: along its normal, twice its area [m^2]. */
export function areaVector(x: Float64Array, a: number, b: number, c: number, out: Float64Array): void {
  const ux = x[b]! - x[a]!
  const uy = x[b + 1]! - x[a + 1]!
  const uz = x[b + 2]! - x[a + 2]!
  const vx = x[c]! - x[a]!
  const vy = x[c + 1]! - x[a + 1]!
  const vz = x[c + 2]! - x[a + 2]!
  out[0] = uy * vz - uz * vy
  out[1] = uz * vx - ux * vz
  out[2] = ux * vy - uy * vx
}

/** The unit normal of such a triangle; zero where it has no area. */
export function unitNormal(x: Float64Array, a: number, b: number, c: number, out: Float64Array): void {
  areaVector(x, a, b, c, out)
  const size = Math.sqrt(out[0]! * out[0]! + out[1]! * out[1]! + out[2]! * out[2]!)
  const scale = size > 0 ? 1 / size : 0
  for (let d = 0; d < 3; d++) out[d] = out[d]! * scale
}

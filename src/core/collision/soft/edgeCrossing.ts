import { areaVector } from '../../math/triangle.js'

/** Where an edge crosses a triangle: its share along the edge, weights of the second and third corner. */
export const hit = new Float64Array(3)
/** Of these the direction of the edge, and the triangle's normal. */
export const e = new Float64Array(3)
export const n = new Float64Array(3)

/** True where the edge i j crosses the triangle a b c; then `hit` tells where, `e` and `n` are both directions. */
export function cross(x: Float64Array, i: number, j: number, a: number, b: number, c: number): boolean {
  const dx = x[j]! - x[i]!
  const dy = x[j + 1]! - x[i + 1]!
  const dz = x[j + 2]! - x[i + 2]!
  const rx = x[i]! - x[a]!
  const ry = x[i + 1]! - x[a + 1]!
  const rz = x[i + 2]! - x[a + 2]!
  areaVector(x, a, b, c, n)
  const nx = n[0]!
  const ny = n[1]!
  const nz = n[2]!
  const along = dx * nx + dy * ny + dz * nz
  const from = rx * nx + ry * ny + rz * nz
  if (along === 0 || from * (from + along) >= 0) return false
  const t = -from / along
  const px = rx + t * dx
  const py = ry + t * dy
  const pz = rz + t * dz
  const ux = x[b]! - x[a]!
  const uy = x[b + 1]! - x[a + 1]!
  const uz = x[b + 2]! - x[a + 2]!
  const vx = x[c]! - x[a]!
  const vy = x[c + 1]! - x[a + 1]!
  const vz = x[c + 2]! - x[a + 2]!
  const nn = nx * nx + ny * ny + nz * nz
  const wb = ((py * vz - pz * vy) * nx + (pz * vx - px * vz) * ny + (px * vy - py * vx) * nz) / nn
  const wc = ((uy * pz - uz * py) * nx + (uz * px - ux * pz) * ny + (ux * py - uy * px) * nz) / nn
  if (!(wb >= 0 && wc >= 0 && wb + wc <= 1)) return false
  hit[0] = t
  hit[1] = wb
  hit[2] = wc
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
  e[0] = dx / length
  e[1] = dy / length
  e[2] = dz / length
  const size = Math.sqrt(nn)
  n[0] = nx / size
  n[1] = ny / size
  n[2] = nz / size
  return true
}

import type { Vec3 } from '../../src/headless.js'

/** True where the ray from a point along +z crosses an odd number of the triangles: it is within a closed surface. */
export function inside(x: ArrayLike<number>, triangles: ArrayLike<number>, [px, py, pz]: Vec3): boolean {
  let odd = false
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t]! * 3, triangles[t + 1]! * 3, triangles[t + 2]! * 3]
    const cross = (i: number, j: number) => (x[i]! - px) * (x[j + 1]! - py) - (x[i + 1]! - py) * (x[j]! - px)
    const [u, v, w] = [cross(b, c), cross(c, a), cross(a, b)]
    if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) continue
    const height = (u * x[a + 2]! + v * x[b + 2]! + w * x[c + 2]!) / (u + v + w)
    if (height > pz) odd = !odd
  }
  return odd
}

/** Places in `near`. */
export const NEAR = { WEIGHTS: 0, GAP: 4, SQUARE: 7, INSIDE: 8 } as const

/**
 * What the last call found: weights of the four points, which sum to zero; the gap sum weights x [m], from the second
 * element's nearest point to the first's; its square [m^2]; 1 where it is within both elements, not at a rim. By array,
 * since a call that returns a number allocates.
 */
export const near = new Float64Array(9)

/** The point of the triangle a, b, c that is nearest to p; x[p], x[a] ... are their first coordinates. */
export function nearestOnTriangle(x: Float64Array, p: number, a: number, b: number, c: number): void {
  const ax = x[a]!
  const ay = x[a + 1]!
  const az = x[a + 2]!
  const ux = x[b]! - ax
  const uy = x[b + 1]! - ay
  const uz = x[b + 2]! - az
  const vx = x[c]! - ax
  const vy = x[c + 1]! - ay
  const vz = x[c + 2]! - az
  const px = x[p]! - ax
  const py = x[p + 1]! - ay
  const pz = x[p + 2]! - az
  const uu = ux * ux + uy * uy + uz * uz
  const uv = ux * vx + uy * vy + uz * vz
  const vv = vx * vx + vy * vy + vz * vz
  const up = ux * px + uy * py + uz * pz
  const vp = vx * px + vy * py + vz * pz
  const det = uu * vv - uv * uv
  let s = vv * up - uv * vp
  let t = uu * vp - uv * up
  let inside = 0
  if (s > 0 && t > 0 && s + t < det) {
    s /= det
    t /= det
    inside = 1
  } else {
    // On the rim: the nearest of the three sides' points.
    let best = Number.POSITIVE_INFINITY
    const s1 = uu > 0 ? Math.max(0, Math.min(1, up / uu)) : 0
    const t2 = vv > 0 ? Math.max(0, Math.min(1, vp / vv)) : 0
    const ww = uu - 2 * uv + vv
    const t3 = ww > 0 ? Math.max(0, Math.min(1, (vp - up + uu - uv) / ww)) : 0
    s = 0
    const e1 = s1 * (s1 * uu - 2 * up)
    if (e1 < best) {
      best = e1
      s = s1
      t = 0
    }
    const e2 = t2 * (t2 * vv - 2 * vp)
    if (e2 < best) {
      best = e2
      s = 0
      t = t2
    }
    const s3 = 1 - t3
    const e3 = s3 * s3 * uu + 2 * s3 * t3 * uv + t3 * t3 * vv - 2 * s3 * up - 2 * t3 * vp
    if (e3 < best) {
      s = s3
      t = t3
    }
  }
  const gx = px - s * ux - t * vx
  const gy = py - s * uy - t * vy
  const gz = pz - s * uz - t * vz
  near[0] = 1
  near[1] = s + t - 1
  near[2] = -s
  near[3] = -t
  near[4] = gx
  near[5] = gy
  near[6] = gz
  near[7] = gx * gx + gy * gy + gz * gz
  near[8] = inside
}

/** The points of the segments a b and c d that are nearest to each other. */
export function nearestOfSegments(x: Float64Array, a: number, b: number, c: number, d: number): void {
  const ux = x[b]! - x[a]!
  const uy = x[b + 1]! - x[a + 1]!
  const uz = x[b + 2]! - x[a + 2]!
  const vx = x[d]! - x[c]!
  const vy = x[d + 1]! - x[c + 1]!
  const vz = x[d + 2]! - x[c + 2]!
  const rx = x[a]! - x[c]!
  const ry = x[a + 1]! - x[c + 1]!
  const rz = x[a + 2]! - x[c + 2]!
  const uu = ux * ux + uy * uy + uz * uz
  const uv = ux * vx + uy * vy + uz * vz
  const vv = vx * vx + vy * vy + vz * vz
  const ur = ux * rx + uy * ry + uz * rz
  const vr = vx * rx + vy * ry + vz * rz
  const det = uu * vv - uv * uv
  // Along parallel segments any s would do: the middle of the first is as good.
  let s = det > 1e-10 * uu * vv ? (uv * vr - vv * ur) / det : 0.5
  s = Math.max(0, Math.min(1, s))
  let t = vv > 0 ? (uv * s + vr) / vv : 0
  t = Math.max(0, Math.min(1, t))
  s = uu > 0 ? Math.max(0, Math.min(1, (uv * t - ur) / uu)) : 0
  const gx = rx + s * ux - t * vx
  const gy = ry + s * uy - t * vy
  const gz = rz + s * uz - t * vz
  near[0] = 1 - s
  near[1] = s
  near[2] = t - 1
  near[3] = -t
  near[4] = gx
  near[5] = gy
  near[6] = gz
  near[7] = gx * gx + gy * gy + gz * gz
  near[8] = s > 0 && s < 1 && t > 0 && t < 1 ? 1 : 0
}

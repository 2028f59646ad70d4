/**
 * 1 where the ray from q[p] along an axis, forwards or against it by `sign`, leaves through the triangle whose corners are
 * triangles[t] and the next two, at the places x; -1 where it enters, 0 where it does neither.
 */
export function turnAcross(
  x: Float64Array,
  triangles: Uint32Array,
  t: number,
  q: Float64Array,
  p: number,
  axis: number,
  sign: number,
): number {
  const u = (axis + 1) % 3
  const v = (axis + 2) % 3
  // An edge counts for the triangle on one side of it alone, since both see it in the same direction.
  let odd = false
  for (let k = 0; k < 3; k++) {
    const first = triangles[t + k]!
    const second = triangles[t + (k === 2 ? 0 : k + 1)]!
    const i = Math.min(first, second) * 3
    const j = Math.max(first, second) * 3
    if (x[i + v]! > q[p + v]! === x[j + v]! > q[p + v]!) continue
    const share = (q[p + v]! - x[i + v]!) / (x[j + v]! - x[i + v]!)
    if (x[i + u]! + share * (x[j + u]! - x[i + u]!) > q[p + u]!) odd = !odd
  }
  if (!odd) return 0
  const a = triangles[t]! * 3
  const b = triangles[t + 1]! * 3
  const c = triangles[t + 2]! * 3
  const bu = x[b + u]! - x[a + u]!
  const bv = x[b + v]! - x[a + v]!
  const cu = x[c + u]! - x[a + u]!
  const cv = x[c + v]! - x[a + v]!
  const area = bu * cv - bv * cu
  if (area === 0) return 0
  const pu = q[p + u]! - x[a + u]!
  const pv = q[p + v]! - x[a + v]!
  const wb = (pu * cv - pv * cu) / area
  const wc = (bu * pv - bv * pu) / area
  const base = x[a + axis]!
  const height = base + wb * (x[b + axis]! - base) + wc * (x[c + axis]! - base) - q[p + axis]!
  if (height * sign < 0) return 0
  return area * sign > 0 ? 1 : -1
}

/**
 * How often the triangles from triangles[from] to triangles[to] wind about the point q[p]: a ray along x leaves so many times
 * more than it enters. 0 outside of a closed surface, 1 within, another number where it has been folded through itself.
 */
export function windingNumber(
  x: Float64Array,
  triangles: Uint32Array,
  from: number,
  to: number,
  q: Float64Array,
  p: number,
): number {
  let turns = 0
  for (let t = from; t < to; t += 3) turns += turnAcross(x, triangles, t, q, p, 0, 1)
  return turns
}

/** Of the last `closestPoint`: the place x, y, z [m] and the square of its distance [m^2]. */
export const closest = new Float64Array(4)

/** Parts of a triangle: 0 to 2 its corners, 3 to 5 its edges from corner 0, 1 and 2 on, 6 its face. */
export const FIRST_EDGE = 3
export const FACE = 6

/**
 * The place of a triangle that is nearest to the point query[0..2], into `closest`; returns the part it lies on.
 * The regions are told apart by barycentric signs (Ericson 2004, 5.1.5).
 * @param corners nine coordinates [m] from `at` on
 */
export function closestPoint(corners: Float64Array, at: number, query: Float64Array): number {
  const ax = corners[at]!
  const ay = corners[at + 1]!
  const az = corners[at + 2]!
  const ux = corners[at + 3]! - ax
  const uy = corners[at + 4]! - ay
  const uz = corners[at + 5]! - az
  const vx = corners[at + 6]! - ax
  const vy = corners[at + 7]! - ay
  const vz = corners[at + 8]! - az
  const px = query[0]! - ax
  const py = query[1]! - ay
  const pz = query[2]! - az
  const uu = ux * ux + uy * uy + uz * uz
  const uv = ux * vx + uy * vy + uz * vz
  const vv = vx * vx + vy * vy + vz * vz
  // Along the two edges, as seen from each corner.
  const au = ux * px + uy * py + uz * pz
  const av = vx * px + vy * py + vz * pz
  const bu = au - uu
  const bv = av - uv
  const cu = au - uv
  const cv = av - vv
  const wa = bu * cv - cu * bv
  const wb = cu * av - au * cv
  const wc = au * bv - bu * av
  let part = FACE
  let s = 0
  let t = 0
  if (au <= 0 && av <= 0) part = 0
  else if (bu >= 0 && bv <= bu) {
    part = 1
    s = 1
  } else if (cv >= 0 && cu <= cv) {
    part = 2
    t = 1
  } else if (wc <= 0 && au >= 0 && bu <= 0) {
    part = 3
    s = au / (au - bu)
  } else if (wb <= 0 && av >= 0 && cv <= 0) {
    part = 5
    t = av / (av - cv)
  } else if (wa <= 0 && bv - bu >= 0 && cu - cv >= 0) {
    part = 4
    t = (bv - bu) / (bv - bu + (cu - cv))
    s = 1 - t
  } else {
    const sum = wa + wb + wc
    s = wb / sum
    t = wc / sum
  }
  const dx = s * ux + t * vx - px
  const dy = s * uy + t * vy - py
  const dz = s * uz + t * vz - pz
  closest[0] = ax + s * ux + t * vx
  closest[1] = ay + s * uy + t * vy
  closest[2] = az + s * uz + t * vz
  closest[3] = dx * dx + dy * dy + dz * dz
  return part
}

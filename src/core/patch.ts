/**
 * Sums over the points at which a body is pushed: impulses J [N s], those that stick, J n, J x, J x x^T (six numbers) with x
 * from the first point, J times the turn of what pushes [rad/s], and that first point [m].
 */
export const PATCH = { LOAD: 0, STUCK: 1, NORMAL: 2, PLACE: 5, SPREAD: 8, TURN: 14, ORIGIN: 17, SIZE: 20 } as const
const { LOAD, STUCK, NORMAL, PLACE, SPREAD, TURN, ORIGIN } = PATCH

/** A point sticks where friction needs less than this part of what it may. */
export const STICKS = 0.99

/** The patch in hand. */
export const patch = new Float64Array(PATCH.SIZE)

/**
 * A point of a patch: its impulse [N s], the normal of what pushes, its place [m], how what pushes turns [rad/s], and 1 where
 * it sticks.
 */
export const patchPoint = new Float64Array(11)

/** Adds `patchPoint` to `patch`. */
export function addToPatch(): void {
  const J = patchPoint[0]!
  if (patch[LOAD] === 0) for (let d = 0; d < 3; d++) patch[ORIGIN + d] = patchPoint[4 + d]!
  patch[LOAD] = patch[LOAD]! + J
  patch[STUCK] = patch[STUCK]! + J * patchPoint[10]!
  const x = patchPoint[4]! - patch[ORIGIN]!
  const y = patchPoint[5]! - patch[ORIGIN + 1]!
  const z = patchPoint[6]! - patch[ORIGIN + 2]!
  for (let d = 0; d < 3; d++) {
    patch[NORMAL + d] = patch[NORMAL + d]! + J * patchPoint[1 + d]!
    patch[TURN + d] = patch[TURN + d]! + J * patchPoint[7 + d]!
  }
  patch[PLACE] = patch[PLACE]! + J * x
  patch[PLACE + 1] = patch[PLACE + 1]! + J * y
  patch[PLACE + 2] = patch[PLACE + 2]! + J * z
  patch[SPREAD] = patch[SPREAD]! + J * x * x
  patch[SPREAD + 1] = patch[SPREAD + 1]! + J * y * y
  patch[SPREAD + 2] = patch[SPREAD + 2]! + J * z * z
  patch[SPREAD + 3] = patch[SPREAD + 3]! + J * x * y
  patch[SPREAD + 4] = patch[SPREAD + 4]! + J * y * z
  patch[SPREAD + 5] = patch[SPREAD + 5]! + J * z * x
}

/** Root mean square distance of the pushes of `patch` from their middle, along the unit vector along[0..2] [m], into out[0]. */
export function spreadAlong(along: Float64Array, out: Float64Array): void {
  const x = along[0]!
  const y = along[1]!
  const z = along[2]!
  const middle = patch[PLACE]! * x + patch[PLACE + 1]! * y + patch[PLACE + 2]! * z
  const square =
    patch[SPREAD]! * x * x +
    patch[SPREAD + 1]! * y * y +
    patch[SPREAD + 2]! * z * z +
    2 * (patch[SPREAD + 3]! * x * y + patch[SPREAD + 4]! * y * z + patch[SPREAD + 5]! * z * x)
  const load = patch[LOAD]!
  out[0] = Math.sqrt(Math.max(0, square / load - (middle / load) * (middle / load)))
}

import { symmetricAdjugate } from './adjugate.js'

/** Numbers of an inertia tensor [kg m^2]: it is symmetric, xx, yy, zz, xy, yz, zx. */
export const INERTIA_SIZE = 6

/** Below this share of a ball's determinant that of an inertia is of points on a line. */
const ON_LINE = 2.7e-11

const inverse = new Float64Array(7)

/** Adds to the inertia at I[o] that of a point of mass m[k] [kg] that is r[0..2] from the centre [m]. */
export function addInertia(I: Float64Array, o: number, r: Float64Array, m: Float64Array, k: number): void {
  const mass = m[k]!
  const x = r[0]!
  const y = r[1]!
  const z = r[2]!
  I[o] = I[o]! + mass * (y * y + z * z)
  I[o + 1] = I[o + 1]! + mass * (z * z + x * x)
  I[o + 2] = I[o + 2]! + mass * (x * x + y * y)
  I[o + 3] = I[o + 3]! - mass * x * y
  I[o + 4] = I[o + 4]! - mass * y * z
  I[o + 5] = I[o + 5]! - mass * z * x
}

/** Writes I^-1 [6] of the inertia at I[o], and returns true; false where it has none about some axis. */
export function invertInertia(I: Float64Array, o: number, out: Float64Array): boolean {
  if (!findInverse(I, o, ON_LINE)) return false
  for (let e = 0; e < INERTIA_SIZE; e++) out[e] = inverse[e]! / inverse[6]!
  return true
}

/**
 * Writes I^-1 L into out[at..at + 2], and returns true; false where I has no inertia about some axis.
 * @param least of what it would be for a ball of the same trace, the share that its determinant has to be above
 */
export function solveInertia(
  I: Float64Array,
  o: number,
  L: Float64Array,
  out: Float64Array,
  at = 0,
  least = ON_LINE,
): boolean {
  if (!findInverse(I, o, least)) return false
  const C = inverse
  const x = L[0]!
  const y = L[1]!
  const z = L[2]!
  out[at] = (C[0]! * x + C[3]! * y + C[5]! * z) / C[6]!
  out[at + 1] = (C[3]! * x + C[1]! * y + C[4]! * z) / C[6]!
  out[at + 2] = (C[5]! * x + C[4]! * y + C[2]! * z) / C[6]!
  return true
}

/** Leaves the adjugate and the determinant in `inverse`. */
function findInverse(I: Float64Array, o: number, least: number): boolean {
  symmetricAdjugate(I, o, inverse)
  const mean = (I[o]! + I[o + 1]! + I[o + 2]!) / 3
  return inverse[6]! > least * mean * mean * mean
}

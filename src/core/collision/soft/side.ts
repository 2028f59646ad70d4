import { unitNormal } from '../../math/triangle.js'
import { NEAR, near } from './closest.js'

/** Reach beside the pair in hand [m], and the share that `ease` leaves. By array, since a call with a number allocates. */
export const beside = new Float64Array(2)
/** Of the triangle that `side` looked at last: its unit normal, and how much of the gap is along it [m]. */
export const normal = new Float64Array(3)
export const facing = new Float64Array(1)

/** 1 where the gap in `near` is on the outer side of a triangle, -1 where it is on the inner. */
export function side(x: Float64Array, a: number, b: number, c: number): number {
  unitNormal(x, a, b, c, normal)
  facing[0] = normal[0]! * near[NEAR.GAP]! + normal[1]! * near[NEAR.GAP + 1]! + normal[2]! * near[NEAR.GAP + 2]!
  return facing[0] < 0 ? -1 : 1
}

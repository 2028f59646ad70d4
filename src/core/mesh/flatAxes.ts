import { boundsOf } from './bounds.js'
import type { Surface } from './weld.js'

/** Part of a side of the bounding box that a surface must cover, there and opposite, to count as flat along that axis. */
const FLAT = 0.25
/** A point this near to a side lies on it [part of the longest side]. */
const ON = 1e-6

/** Flat along none. */
export const NOWHERE: readonly boolean[] = [false, false, false]

/** By axis: true where a surface is flat on both sides of its bounding box. */
export function* flatAxes({ positions, triangles }: Surface): Generator<void, readonly boolean[]> {
  const { min, max } = boundsOf(positions)
  const sides = min.map((low, axis) => max[axis]! - low)
  const near = ON * Math.max(...sides)
  /** Twice the area on the lower side and the upper one, by axis. */
  const covered = new Float64Array(6)
  for (let t = 0; t < triangles.length; t += 3) {
    for (let axis = 0; axis < 3; axis++) {
      for (let side = 0; side < 2; side++) {
        const at = (side === 0 ? min : max)[axis]!
        const lies = (k: number) => Math.abs(positions[3 * triangles[t + k]! + axis]! - at) <= near
        if (lies(0) && lies(1) && lies(2)) {
          covered[2 * axis + side] = covered[2 * axis + side]! + doubleArea(positions, triangles, t, axis)
        }
      }
    }
    if ((t & 0xfff) === 0xfff) yield
  }
  return sides.map((_, axis) => {
    const whole = 2 * FLAT * sides[(axis + 1) % 3]! * sides[(axis + 2) % 3]!
    return covered[2 * axis]! > whole && covered[2 * axis + 1]! > whole
  })
}

/** Twice the area of a triangle as it is seen along an axis. */
function doubleArea(x: Float64Array, triangles: Uint32Array, t: number, axis: number): number {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3]
  const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!]
  const [bu, bv] = [x[b + u]! - x[a + u]!, x[b + v]! - x[a + v]!]
  return Math.abs(bu * (x[c + v]! - x[a + v]!) - bv * (x[c + u]! - x[a + u]!))
}

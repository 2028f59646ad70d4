import type { Matrix4 } from 'three'

/** Entries above this would write what no Float32 holds: positions of 1e8 m times it are still below the largest [1/m]. */
const LARGEST = 1e30

/**
 * From the world into the frame of an object with this world matrix. False where it is flat, not finite, or so small
 * that nothing can be drawn in it; then `into` is not to be used. Allocates nothing.
 */
export function invertFrame(frame: Matrix4, into: Matrix4): boolean {
  const { elements } = into.copy(frame).invert()
  if (elements[15] === 0) return false // three's inverse of what has none is 0
  for (let k = 0; k < 16; k++) if (!(Math.abs(elements[k]!) < LARGEST)) return false
  return true
}

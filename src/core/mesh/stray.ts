import { isNeedle } from './needle.js'

/** Sides that are shorter than this part of the coordinates of their ends may be made by rounding those. */
const ROUNDING = 1e-6

/**
 * The vertex that is farthest from where most are, for triangles that are small only beside their extent; -1 where none
 * has an area of its own.
 * @param corners [3 t] vertices of the triangles
 */
export function strayVertex(positions: Float64Array, corners: Uint32Array): number {
  for (let t = 0; t < corners.length; t += 3) if (hasArea(positions, corners, t)) return farthest(positions, corners)
  return -1
}

function hasArea(x: Float64Array, corners: Uint32Array, t: number): boolean {
  if (isNeedle(x, corners, t)) return false
  let side = 0
  let largest = 0
  for (let corner = 0; corner < 3; corner++) {
    for (let axis = 0; axis < 3; axis++) {
      const at = x[3 * corners[t + corner]! + axis]!
      side = Math.max(side, Math.abs(at - x[3 * corners[t]! + axis]!))
      largest = Math.max(largest, Math.abs(at))
    }
  }
  return side > ROUNDING * largest
}

/** The corner farthest from the mean of all corners, which is near most of them as long as few are far. */
function farthest(x: Float64Array, corners: Uint32Array): number {
  const mean = [0, 0, 0]
  for (const vertex of corners)
    for (let axis = 0; axis < 3; axis++) mean[axis]! += x[3 * vertex + axis]! / corners.length
  let found = -1
  let most = -1
  for (const vertex of corners) {
    let square = 0
    for (let axis = 0; axis < 3; axis++) {
      const side = x[3 * vertex + axis]! - mean[axis]!
      square += side * side
    }
    if (square <= most) continue
    most = square
    found = vertex
  }
  return found
}

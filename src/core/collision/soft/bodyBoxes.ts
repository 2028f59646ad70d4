import { BOX } from './boxTree.js'

/** A body that has burst, or is nowhere, touches nothing: its box would fill the grid. */
export function isBounded(boxes: Float64Array, o: number): boolean {
  for (let d = o; d < o + BOX; d++) if (!(Math.abs(boxes[d]!) < 1e12)) return false
  return true
}

/**
 * True where a way of a body from `y` to `x` leads out of its box at boxes[o]: what is far from all others is watched by
 * that alone. Its particles are vertices[from] to vertices[to].
 */
export function leavesBox(
  boxes: Float64Array,
  o: number,
  x: Float64Array,
  y: Float64Array,
  vertices: Uint32Array,
  from: number,
  to: number,
): boolean {
  const x0 = boxes[o]!
  const y0 = boxes[o + 1]!
  const z0 = boxes[o + 2]!
  const x1 = boxes[o + 3]!
  const y1 = boxes[o + 4]!
  const z1 = boxes[o + 5]!
  for (let v = from; v < to; v++) {
    const p = vertices[v]! * 3
    if (x[p]! < x0 || x[p]! > x1 || y[p]! < x0 || y[p]! > x1) return true
    if (x[p + 1]! < y0 || x[p + 1]! > y1 || y[p + 1]! < y0 || y[p + 1]! > y1) return true
    if (x[p + 2]! < z0 || x[p + 2]! > z1 || y[p + 2]! < z0 || y[p + 2]! > z1) return true
  }
  return false
}

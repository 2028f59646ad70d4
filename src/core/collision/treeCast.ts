import type { Nodes } from './treeNodes.js'

/** Boxes to be looked into: one a level, and `buildNodes` makes fewer levels. */
const DEPTH = 128
const stack = new Int32Array(DEPTH)
const gaps = new Float64Array(DEPTH)
/** Where the two boxes below a node are entered. */
const near = new Float64Array(2)

/** What is cast at the triangles of a tree. */
export interface Line {
  /** best[0]: where the best triangle so far is met. */
  readonly best: Float64Array
  /** Writes where the line enters the box at boxes[at] to out[k]; Infinity where not, or nothing in it can be better. */
  enter(boxes: Float64Array, at: number, out: Float64Array, k: number): void
  /** Meets the triangle at corners[at]; true where that is better than what was met so far. */
  cut(corners: Float64Array, at: number): boolean
}

/** Casts a line at triangles, in the order of the leaves, the nearer boxes first; true where it meets one. */
export function castAtTree({ boxes, links, counts }: Nodes, corners: Float64Array, line: Line): boolean {
  let meets = false
  let top = -1
  line.enter(boxes, 0, near, 0)
  if (near[0]! < Number.POSITIVE_INFINITY) {
    top = 0
    stack[0] = 0
    gaps[0] = near[0]!
  }
  while (top >= 0) {
    const node = stack[top]!
    const gap = gaps[top]!
    top--
    if (gap > line.best[0]!) continue
    const count = counts[node]!
    const link = links[node]!
    if (count > 0) {
      for (let k = link; k < link + count; k++) if (line.cut(corners, 9 * k)) meets = true
      continue
    }
    const left = node + 1
    line.enter(boxes, left * 6, near, 0)
    line.enter(boxes, link * 6, near, 1)
    const leftFirst = near[0]! <= near[1]!
    const far = leftFirst ? 1 : 0
    if (near[far]! < Number.POSITIVE_INFINITY) {
      stack[++top] = leftFirst ? link : left
      gaps[top] = near[far]!
    }
    if (near[1 - far]! < Number.POSITIVE_INFINITY) {
      stack[++top] = leftFirst ? left : link
      gaps[top] = near[1 - far]!
    }
  }
  return meets
}

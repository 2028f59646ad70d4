import type { State } from './state.js'

/** What a body may turn about: its centre of mass, the one point or the line of points that hold it. */
export const FREE = 0
export const POINT = 1
export const LINE = 2

/** Way by which pins may miss a line, and that the line may turn in a step, as a share of its length. */
const STRAIGHT = 1e-6

/** What each live body may turn about. */
export class Pivots {
  /** FREE, POINT or LINE. */
  kinds = new Uint8Array(0)
  /** The first particle there, or of the body. */
  origins = new Uint32Array(0)
  /** The direction of the line. */
  axes = new Float64Array(0)

  /** By how much pins may miss the line in hand [m]. By array, since a call with a number allocates. */
  private readonly off = new Float64Array(1)

  makeRoom(bodyCount: number): void {
    this.kinds = new Uint8Array(bodyCount)
    this.origins = new Uint32Array(bodyCount)
    this.axes = new Float64Array(bodyCount * 3)
  }

  /** Finds that of the `b`-th one; false where pins leave it no way to turn. */
  find(state: State, b: number): boolean {
    const { positions: x, inverseMasses: w } = state
    const { start, model } = state.bodies.live[b]!
    const end = start + model.particleCount
    this.kinds[b] = FREE
    this.origins[b] = start
    let first = end
    let length = 0
    for (let i = start; i < end; i++) {
      if (w[i] !== 0) continue
      if (first === end) {
        first = i
        this.kinds[b] = POINT
        this.origins[b] = i
        continue
      }
      // The line leads to the pin that is farthest away.
      const dx = x[i * 3]! - x[first * 3]!
      const dy = x[i * 3 + 1]! - x[first * 3 + 1]!
      const dz = x[i * 3 + 2]! - x[first * 3 + 2]!
      const way = Math.sqrt(dx * dx + dy * dy + dz * dz)
      if (way <= length) continue
      length = way
      this.kinds[b] = LINE
      this.axes[b * 3] = dx / way
      this.axes[b * 3 + 1] = dy / way
      this.axes[b * 3 + 2] = dz / way
    }
    if (this.kinds[b] !== LINE) return true
    this.off[0] = STRAIGHT * length
    for (let i = first; i < end; i++) if (w[i] === 0 && !this.isInLine(state, b, i)) return false
    return true
  }

  /** True for a pin that is on the line of those of the `b`-th live body, and goes the way of the first of them. */
  private isInLine({ positions: x, targets }: State, b: number, i: number): boolean {
    const { off } = this
    const p = i * 3
    const o = this.origins[b]! * 3
    let along = 0
    let way = 0
    let turn = 0
    for (let d = 0; d < 3; d++) {
      const r = x[p + d]! - x[o + d]!
      along += this.axes[b * 3 + d]! * r
      way += r * r
      const turned = targets[p + d]! - targets[o + d]! - r
      turn += turned * turned
    }
    return way - along * along <= off[0]! * off[0]! && turn <= off[0]! * off[0]!
  }
}

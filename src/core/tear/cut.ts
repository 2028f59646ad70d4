import { checkVector } from '../checks.js'
import type { BodyRecord, State } from '../state.js'
import { SettingError } from '../validation.js'
import type { Vec3 } from '../vectors.js'
import { nextCorner } from './fans.js'
import { partEdges } from './part.js'
import { takeOver } from './takeOver.js'
import { elementsOf, isTearable, NONE, weaveOf } from './weave.js'

/**
 * What cuts, in the world [m]: a plane, by a point of it and its normal; or a blade, by where its two ends are before and
 * after.
 */
export type CutShape =
  | { readonly point: Vec3; readonly normal: Vec3 }
  | {
      readonly from: readonly [Vec3, Vec3]
      readonly to: readonly [Vec3, Vec3]
      /** True where `from` and `to` are of the last step, so that the cloth's own way in it counts. Default false. */
      readonly relative?: boolean
    }

/** A cut as data. */
export interface CheckedCut {
  /** Point and normal of a plane [6]; or the ends before, then those after [12] m. */
  readonly numbers: Float64Array
  /** True where what the cloth has moved in the last step counts. */
  readonly relative: boolean
}

/** @throws SettingError */
export function checkedCut(name: string, cut: CutShape): CheckedCut {
  const known = typeof cut === 'object' && cut !== null
  const points = known ? ('normal' in cut ? [cut.point, cut.normal] : [...(cut.from ?? []), ...(cut.to ?? [])]) : []
  for (const point of points) checkVector(name, 'cut', point)
  if (points.length !== 2 && points.length !== 4) {
    const remedy = 'Use { point, normal } or { from: [a, b], to: [a, b] }.'
    throw new SettingError(name, 'cut', cut, 'is neither a plane nor the way of a blade', remedy)
  }
  if ('normal' in cut && cut.normal.every((x) => x === 0)) {
    throw new SettingError(name, 'cut.normal', cut.normal, 'has no direction', 'Use [0, 1, 0] for a level cut.')
  }
  return {
    numbers: Float64Array.from(points.flatMap(([x, y, z]) => [x, y, z])),
    relative: 'relative' in cut && cut.relative === true,
  }
}

const from = new Float64Array(3)
const middle = new Float64Array(3)
const to = new Float64Array(3)
const quad = new Float64Array(12)

/**
 * Opens every edge of a cloth between two triangles that the cut goes between: the way from the middle of the one over the
 * middle of the edge to the middle of the other crosses what the blade has swept an odd number of times. So a cut from hem
 * to hem leaves nothing that holds, wherever it crosses the mesh, and one that is made frame by frame goes on where it was.
 * Returns whether it has opened any.
 */
export function cutBody(state: State, body: BodyRecord, { numbers, relative }: CheckedCut): boolean {
  const { model, start } = body
  if (!isTearable(model)) return false
  const { positions: x, stepStart } = state
  const elements = elementsOf(model)
  const { twins } = weaveOf(model)
  const corners: number[] = []
  for (let corner = 0; corner < elements.length; corner++) {
    const other = twins[corner]!
    if (other === NONE || model.torn?.open[corner] === 1) continue
    const [i, j] = [elements[corner]!, elements[nextCorner(corner)]!]
    const t = Math.floor(other / 3)
    const u = Math.floor(corner / 3)
    for (let d = 0; d < 3; d++) {
      from[d] = 0
      to[d] = 0
      for (let k = 0; k < 3; k++) {
        from[d]! += x[(start + elements[3 * t + k]!) * 3 + d]! / 3
        to[d]! += x[(start + elements[3 * u + k]!) * 3 + d]! / 3
      }
      const [p, q] = [(start + i) * 3 + d, (start + j) * 3 + d]
      middle[d] = (x[p]! + x[q]!) / 2
      const moved = relative ? middle[d]! - (stepStart[p]! + stepStart[q]!) / 2 : 0
      for (let k = 0; k < 12; k += 3) quad[k + d] = (numbers[k + d] ?? 0) + (k < 6 ? moved : 0)
    }
    if (numbers.length === 6 ? isBeyond(numbers, from) !== isBeyond(numbers, to) : isParted()) corners.push(corner)
  }
  if (corners.length === 0) return false
  takeOver(state, body, partEdges(model, corners))
  return true
}

/** The side of a plane that a point is on. */
function isBeyond(plane: Float64Array, point: Float64Array): boolean {
  let sum = 0
  for (let d = 0; d < 3; d++) sum += (point[d]! - plane[d]!) * plane[3 + d]!
  return sum >= 0
}

/** Whether the way from, middle, to crosses the quadrilateral an odd number of times; its ends are 0 1 before, 2 3 after. */
function isParted(): boolean {
  let odd = false
  for (const [a, b] of [
    [from, middle],
    [middle, to],
  ] as const) {
    if (crosses(a, b, 0, 3, 9)) odd = !odd
    if (crosses(a, b, 0, 9, 6)) odd = !odd
  }
  return odd
}

/** Whether a segment crosses a triangle of `quad`; a point on a rim counts as beyond it, so that neighbours agree. */
function crosses(p: Float64Array, q: Float64Array, a: number, b: number, c: number): boolean {
  if (volume(p, a, b, c) >= 0 === volume(q, a, b, c) >= 0) return false
  const one = around(p, q, a, b)
  return one === around(p, q, b, c) && one === around(p, q, c, a)
}

/** Six times the volume of a point and a triangle of `quad`. */
function volume(p: Float64Array, a: number, b: number, c: number): number {
  return triple(p, quad, a, quad, b, quad, c)
}

/** On which side of the edge a b of `quad` the line p q passes; the same whichever triangle asks. */
function around(p: Float64Array, q: Float64Array, a: number, b: number): boolean {
  if (a > b) return !around(p, q, b, a)
  return triple(p, q, 0, quad, a, quad, b) >= 0
}

/** Of the vectors from p to three points: u . (v x w). */
function triple(
  p: Float64Array,
  u: Float64Array,
  a: number,
  v: Float64Array,
  b: number,
  w: Float64Array,
  c: number,
): number {
  const [ux, uy, uz] = [u[a]! - p[0]!, u[a + 1]! - p[1]!, u[a + 2]! - p[2]!]
  const [vx, vy, vz] = [v[b]! - p[0]!, v[b + 1]! - p[1]!, v[b + 2]! - p[2]!]
  const [wx, wy, wz] = [w[c]! - p[0]!, w[c + 1]! - p[1]!, w[c + 2]! - p[2]!]
  return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx)
}

import { checkVector } from '../checks.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'
import { isFiniteTuple, SettingError } from '../validation.js'
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
  if (!known || !('normal' in cut || 'from' in cut)) {
    const remedy = 'Use { point, normal } or { from: [a, b], to: [a, b] }.'
    throw new SettingError(name, 'cut', cut, 'is neither a plane nor the way of a blade', remedy)
  }
  const isPlane = 'normal' in cut
  if (isPlane) for (const part of ['point', 'normal'] as const) checkVector(name, `cut.${part}`, cut[part])
  else for (const when of ['from', 'to'] as const) checkBlade(name, `cut.${when}`, cut[when])
  const points = isPlane ? [cut.point, cut.normal] : [...cut.from, ...cut.to]
  if ('normal' in cut && cut.normal.every((x) => x === 0)) {
    throw new SettingError(name, 'cut.normal', cut.normal, 'has no direction', 'Use [0, 1, 0] for a level cut.')
  }
  return {
    numbers: Float64Array.from(points.flatMap(([x, y, z]) => [x, y, z])),
    relative: 'relative' in cut && cut.relative === true,
  }
}

function checkBlade(name: string, prop: string, ends: readonly [Vec3, Vec3]): void {
  if (ends?.length === 2 && isFiniteTuple(ends[0], 3) && isFiniteTuple(ends[1], 3)) return
  const remedy = 'Use [[-1, 0, 0], [1, 0, 0]], where its ends are.'
  throw new SettingError(name, prop, ends, 'must be two points of a blade, three finite numbers each', remedy)
}

/** Corners that one call looks at: what is called often is compiled soon. */
const A_CALL = 256

const from = new Float64Array(3)
const middle = new Float64Array(3)
const to = new Float64Array(3)
/** What the edge that is looked at has moved in the step. */
const motion = new Float64Array(3)
/** The blade where the edge sees it: its ends before, then after. */
const quad = new Float64Array(12)
/** The least and largest coordinates of its ends before, then after. */
const reach = new Float64Array(12)

/**
 * Opens every edge of a cloth between two triangles that the cut goes between: the way from the middle of the one over the
 * middle of the edge to the middle of the other crosses what the blade has swept an odd number of times. So a cut from hem
 * to hem leaves nothing that holds, wherever it crosses the mesh, and one that is made frame by frame goes on where it was.
 * Returns whether it has opened any.
 */
export function cutBody(state: State, body: BodyRecord, cut: CheckedCut): boolean {
  if (!isTearable(body.model)) return false
  const corners = partedCorners(state, body, cut)
  if (corners.length === 0) return false
  takeOver(state, body, partEdges(body.model, corners))
  return true
}

/** The corners at which the edges begin that a cut goes through and that are still closed. */
export function partedCorners(state: State, { model, start }: BodyRecord, { numbers, relative }: CheckedCut): number[] {
  const { positions: x, stepStart } = state
  const elements = elementsOf(model)
  const { twins } = weaveOf(model)
  const open = model.torn?.open ?? new Uint8Array(elements.length)
  const before = relative ? stepStart : x
  const corners: number[] = []
  if (numbers.length > 6) takeBlade(numbers)
  for (let first = 0; first < elements.length; first += A_CALL) {
    const end = Math.min(first + A_CALL, elements.length)
    addParted(x, before, start, elements, twins, open, first, end, numbers, corners)
  }
  return corners
}

/** Adds the parted ones of the corners from `first` to `end`. */
function addParted(
  x: Float64Array,
  before: Float64Array,
  start: number,
  elements: Uint32Array,
  twins: Int32Array,
  open: Uint8Array,
  first: number,
  end: number,
  numbers: Float64Array,
  corners: number[],
): void {
  for (let corner = first; corner < end; corner++) {
    const twin = twins[corner]!
    if (twin === NONE || open[corner] === 1) continue
    const parted =
      numbers.length === 6
        ? isCutByPlane(x, start, elements, corner, twin, numbers)
        : isNearBlade(x, before, start, elements, corner, twin) && isCutByBlade(numbers)
    if (parted) corners.push(corner)
  }
}

/** Whether a plane goes between the triangles of two corners at which an edge begins. */
function isCutByPlane(
  x: Float64Array,
  start: number,
  elements: Uint32Array,
  corner: number,
  twin: number,
  plane: Float64Array,
): boolean {
  for (let d = 0; d < 3; d++) {
    takeMiddle(x, start, elements, twin - (twin % 3), d, from)
    takeMiddle(x, start, elements, corner - (corner % 3), d, to)
  }
  return isBeyond(plane, from) !== isBeyond(plane, to)
}

/** Notes between which heights of each axis the ends of a blade are, before and after. */
function takeBlade(blade: Float64Array): void {
  for (let d = 0; d < 3; d++) {
    reach[d] = Math.min(blade[d]!, blade[3 + d]!)
    reach[3 + d] = Math.max(blade[d]!, blade[3 + d]!)
    reach[6 + d] = Math.min(blade[6 + d]!, blade[9 + d]!)
    reach[9 + d] = Math.max(blade[6 + d]!, blade[9 + d]!)
  }
}

/**
 * Notes the way between the triangles of two corners over their edge, and what the edge has moved since `before`. False
 * where the boxes about the way and about what the blade has swept do not meet: few do, and the rest need no more.
 */
function isNearBlade(
  x: Float64Array,
  before: Float64Array,
  start: number,
  elements: Uint32Array,
  corner: number,
  twin: number,
): boolean {
  const i = 3 * (start + elements[corner]!)
  const j = 3 * (start + elements[nextCorner(corner)]!)
  for (let d = 0; d < 3; d++) {
    takeMiddle(x, start, elements, twin - (twin % 3), d, from)
    takeMiddle(x, start, elements, corner - (corner % 3), d, to)
    middle[d] = (x[i + d]! + x[j + d]!) / 2
    motion[d] = middle[d]! - (before[i + d]! + before[j + d]!) / 2
    const low = Math.min(reach[d]! + motion[d]!, reach[6 + d]!)
    const high = Math.max(reach[3 + d]! + motion[d]!, reach[9 + d]!)
    if (Math.min(from[d]!, middle[d]!, to[d]!) > high || Math.max(from[d]!, middle[d]!, to[d]!) < low) return false
  }
  return true
}

/** Writes coordinate `d` of the middle of the triangle with first corner `t`. */
function takeMiddle(
  x: Float64Array,
  start: number,
  elements: Uint32Array,
  t: number,
  d: number,
  out: Float64Array,
): void {
  const a = x[3 * (start + elements[t]!) + d]!
  const b = x[3 * (start + elements[t + 1]!) + d]!
  const c = x[3 * (start + elements[t + 2]!) + d]!
  out[d] = a / 3 + b / 3 + c / 3
}

/** Whether the blade, led by the motion of the edge, comes between the two triangles of the way that is noted. */
function isCutByBlade(blade: Float64Array): boolean {
  for (let k = 0; k < 12; k++) quad[k] = k < 6 ? blade[k]! + motion[k % 3]! : blade[k]!
  return isParted()
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

import { pointOf, positionOf } from './jointPoints.js'
import { NearestPoint } from './nearest.js'
import type { BodyRecord } from './records.js'
import type { State } from './state.js'

const nearest = new NearestPoint()

/** Where two bodies are nearest: the distance there [m]. */
export function gapBetween(state: State, body: BodyRecord, other: BodyRecord): number {
  return touchOf(state, body, other, 0).least
}

/** Where two bodies are nearest: half way between, and which of their particles are as near but for `slack` [m]. */
export function touchOf(state: State, body: BodyRecord, other: BodyRecord, slack: number) {
  const from = gapsTo(state, body, other, slack, Number.POSITIVE_INFINITY)
  const back = gapsTo(state, other, body, slack, from.least)
  const least = Math.min(from.least, back.least)
  const near = ({ gaps }: Gaps) => gaps.filter(({ gap }) => gap <= least + slack)
  const [ours, theirs] = [near(from), near(back)]
  const middle = new Float64Array(3)
  const count = ours.length + theirs.length
  for (const { middle: half } of [...ours, ...theirs]) for (let d = 0; d < 3; d++) middle[d]! += half[d]! / count
  const sorted = (list: Gaps['gaps']) => Uint32Array.from(list, ({ particle }) => particle).sort()
  return { middle, least, ours: sorted(ours), theirs: sorted(theirs) }
}

interface Gaps {
  readonly least: number
  readonly gaps: readonly { particle: number; gap: number; middle: Float64Array }[]
}

/** The particles of a body that are nearest to another, nearest box first: none that is `slack` farther than the nearest. */
function gapsTo(state: State, body: BodyRecord, other: BodyRecord, slack: number, known: number): Gaps {
  const box = boxOf(state, other)
  const order = Array.from({ length: body.model.particleCount }, (_, particle) => {
    const point = positionOf(state, body, particle)
    return { particle, point, atLeast: distanceToBox(point, box) }
  }).sort((one, two) => one.atLeast - two.atLeast || one.particle - two.particle)
  let least = known
  const gaps: Gaps['gaps'][number][] = []
  for (const { particle, point, atLeast } of order) {
    if (atLeast > least + slack) break
    nearest.find(state, other, point)
    if (nearest.distance > least + slack) continue
    least = Math.min(least, nearest.distance)
    const there = pointOf(state, other, nearest)
    gaps.push({ particle, gap: nearest.distance, middle: there.map((x, d) => (x + point[d]!) / 2) })
  }
  return { least, gaps }
}

function boxOf({ positions: x }: State, { start, model }: BodyRecord): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity)
  for (let k = 0; k < model.particleCount * 3; k++) {
    box[k % 3] = Math.min(box[k % 3]!, x[start * 3 + k]!)
    box[3 + (k % 3)] = Math.max(box[3 + (k % 3)]!, x[start * 3 + k]!)
  }
  return box
}

function distanceToBox(point: ArrayLike<number>, box: Float64Array): number {
  let square = 0
  for (let d = 0; d < 3; d++) {
    const outside = Math.max(box[d]! - point[d]!, 0, point[d]! - box[3 + d]!)
    square += outside * outside
  }
  return Math.sqrt(square)
}

/** A flat sheet has a box without a thickness: rounding must not let a ray slip through. [m], and as a share of the way. */
const SLACK = 1e-9

/** What of a ray is looked at, from and to [m]. */
export const span = new Float64Array(2)

/** Cuts `span` to what of a line, origin and direction, is in the box at boxes[at]; false where nothing is. */
export function clip(line: Float64Array, boxes: Float64Array, at: number): boolean {
  let from = span[0]!
  let to = span[1]!
  for (let d = 0; d < 3; d++) {
    const o = line[d]!
    const v = line[3 + d]!
    const least = boxes[at + d]!
    const most = boxes[at + 3 + d]!
    if (v === 0) {
      if (o < least || o > most) return false
      continue
    }
    const a = (least - o) / v
    const b = (most - o) / v
    from = Math.max(from, Math.min(a, b))
    to = Math.min(to, Math.max(a, b))
  }
  const slack = SLACK * (1 + Math.abs(to))
  span[0] = Math.max(span[0]!, from - slack)
  span[1] = to + slack
  return from <= to + slack
}

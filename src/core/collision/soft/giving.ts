/** Most that a corner goes of what its pair is short of; where all give way alike it goes 1.3 at most, by weights of sum 1. */
const MOST = 4

/** Of the pair in hand: sum b^2 w over its corners [1/kg], and the share of what it is short of that it goes. */
export const giving = new Float64Array(2)

/**
 * Sets `giving` of `count` corners, particles[p..] with weights[b..], of inverse masses w [1/kg]. A pair goes by a push where
 * each of its corners goes by b w push / sum b^2 w, b its weight. Where all are pinned or borne but one that has next to no
 * weight, that is without bounds: the pair goes less far then, so that no corner is thrown.
 */
export function findGiving(
  w: Float64Array,
  particles: Uint32Array,
  p: number,
  weights: Float64Array,
  b: number,
  count: number,
): void {
  let sum = 0
  let most = 0
  for (let k = 0; k < count; k++) {
    const weight = Math.abs(weights[b + k]!)
    const wk = w[particles[p + k]!]!
    sum += weight * weight * wk
    if (weight * wk > most) most = weight * wk
  }
  giving[0] = sum
  giving[1] = most > MOST * sum ? (MOST * sum) / most : 1
}

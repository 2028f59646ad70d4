/** A smooth swing between -1 and 1 with period 1: parabolas, so that every engine gives the same bits. */
export function wave(t: number): number {
  const s = 2 * (t - Math.floor(t))
  return s < 1 ? 4 * s * (1 - s) : 4 * (s - 1) * (s - 2)
}

const LN2 = 0.6931471805599453

/**
 * exp(x) to 1e-15 relative, out of + - * / alone, so that every engine gives the same bits.
 * Below -700 it is 0, above 700 it is Infinity.
 */
export function exp(x: number): number {
  if (x < -700) return 0
  if (x > 700) return Number.POSITIVE_INFINITY
  const k = Math.round(x / LN2)
  const r = x - k * LN2
  // Taylor series on |r| < 0.35: the 15th term is below 1e-18.
  let term = 1
  let sum = 1
  for (let n = 1; n <= 15; n++) {
    term *= r / n
    sum += term
  }
  let scale = 1
  const factor = k < 0 ? 0.5 : 2
  for (let n = Math.abs(k); n > 0; n--) scale *= factor
  return sum * scale
}

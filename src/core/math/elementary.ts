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

/** Natural logarithm to 1e-15; -Infinity of 0, NaN below. */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
  if (x === Number.POSITIVE_INFINITY) return x
  let m = x
  let k = 0
  for (; m > 1.4142135623730951; k++) m *= 0.5
  for (; m < 0.7071067811865476; k--) m *= 2
  // 2 atanh(r) with |r| < 0.1716: the twelfth term is below 1e-18.
  const r = (m - 1) / (m + 1)
  const z = r * r
  let power = r
  let sum = 0
  for (let n = 1; n <= 23; n += 2) {
    sum += power / n
    power *= z
  }
  return 2 * sum + k * LN2
}

const PI = 3.141592653589793
/** atan(k / 8). */
const ATAN = Float64Array.of(
  0,
  0.12435499454676144,
  0.24497866312686414,
  0.3587706702705722,
  0.4636476090008061,
  0.5585993153435624,
  0.6435011087932844,
  0.7188299996216245,
  0.7853981633974483,
)

/** Angle of the vector (x, y) to the x axis, -pi to pi, to 1e-15; 0 for the vector 0. */
export function atan2(y: number, x: number): number {
  const ay = Math.abs(y)
  const ax = Math.abs(x)
  const most = Math.max(ax, ay)
  if (most === 0) return 0
  const least = Math.min(ax, ay)
  // atan t = atan(k / 8) + atan((t - k / 8) / (1 + t k / 8)): what is left is below 1/16, where seven terms are enough.
  const k = 16 * least < most ? 0 : Math.round((8 * least) / most)
  const r = (8 * least - k * most) / (8 * most + k * least)
  const z = r * r
  const series = 1 + z * (-1 / 3 + z * (1 / 5 + z * (-1 / 7 + z * (1 / 9 + z * (-1 / 11 + z * (1 / 13))))))
  let angle = ATAN[k]! + r * series
  if (ay > ax) angle = PI / 2 - angle
  if (x < 0) angle = PI - angle
  return y < 0 ? -angle : angle
}

/** cos(angle) and sin(angle), to 1e-14, for the angles of a turn or two. */
export function turn(angle: number): readonly [cosine: number, sine: number] {
  const x = angle - 2 * PI * Math.round(angle / (2 * PI))
  let cosine = 1
  let sine = 0
  let term = 1
  // Taylor series on |x| <= pi: the 30th term is below 1e-17.
  for (let n = 2; n <= 30; n += 2) {
    sine += term * (x / (n - 1))
    term *= -(x / (n - 1)) * (x / n)
    cosine += term
  }
  return [cosine, sine]
}

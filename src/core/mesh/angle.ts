import { atan2 } from '../math/elementary.js'

/** Angles out of + - * / and sqrt alone, so that every engine gives the same bits. */

const PI = 3.141592653589793

/** Angle [degrees, 0 to 180] whose tangent is sine / cosine, the sine not negative; to 1e-13 degrees. */
export function angleDegrees(sine: number, cosine: number): number {
  return (atan2(sine, cosine) * 180) / PI
}

/** Part of the whole sphere, -1/2 to 1/2, that has this sine and cosine of half its solid angle, scaled alike. */
export function spherePart(sine: number, cosine: number): number {
  // Solid angle / 4 pi, and the half angle / pi: half of it.
  return atan2(sine, cosine) / (2 * PI)
}

/** Cosine of an angle [degrees, 0 to 180]; to 1e-14. */
export function cosineDegrees(degrees: number): number {
  // cos x = 1 - 2 sin^2(x / 2), and the half angle once more halved lies within the Taylor series' reach.
  const quarter = (degrees * PI) / 720
  const square = quarter * quarter
  let term = quarter
  let sine = 0
  for (let n = 1; n <= 19; n += 2) {
    sine += term
    term *= -square / ((n + 1) * (n + 2))
  }
  const cosineHalf = 1 - 2 * sine * sine
  return 2 * cosineHalf * cosineHalf - 1
}

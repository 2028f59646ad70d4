import { exp, ln } from '../math/elementary.js'
import { SettingError } from '../validation.js'
import type { Vec3 } from '../vectors.js'

/** Points along a curve: enough for chords to be told from it by a hundredth of their sag. */
const FINE = 64
/** Less of a leg than this beside its drop cannot hang: both halves of the rope would be at one place. */
const STEEP = 0.01
const HALVINGS = 100

/** [3 n] m: where a rope of `length` [m] lies that leads through points, hanging where it is longer than its legs. */
export function laidThrough(points: readonly Vec3[], length: number | undefined): Float64Array {
  const way = wayAlong(points)
  const slack = length === undefined ? 1 : Math.max(1, length / way)
  const fine: number[] = [...points[0]!]
  for (let k = 1; k < points.length; k++) fine.push(...legOf(points[k - 1]!, points[k]!, slack))
  return Float64Array.from(fine)
}

/** Sum of the distances from point to point [m]. */
export function wayAlong(points: readonly Vec3[]): number {
  let sum = 0
  for (let k = 1; k < points.length; k++) sum += distanceOf(points[k - 1]!, points[k]!)
  return sum
}

function distanceOf(a: Vec3, b: Vec3): number {
  const [x, y, z] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  return Math.sqrt(x * x + y * y + z * z)
}

/** The points after a on the way to b: a straight line, or a catenary `slack` times as long. */
function legOf(a: Vec3, b: Vec3, slack: number): number[] {
  if (slack <= 1 + 1e-9) return [...b]
  const straight = distanceOf(a, b)
  const length = slack * straight
  const drop = b[1] - a[1]
  const [dx, dz] = [b[0] - a[0], b[2] - a[2]]
  const wide = Math.sqrt(dx * dx + dz * dz)
  if (!(wide > STEEP * straight)) {
    const remedy = 'Give points along the way that the rope takes, or leave the length out.'
    throw new SettingError('Rope', 'length', length, 'is longer than a way that leads straight down', remedy)
  }
  // sinh z / z = sqrt(S^2 - v^2) / d, with z = d / 2 c, gives the catenary y = c cosh((x - x0) / c).
  const ratio = Math.sqrt(length * length - drop * drop) / wide
  let low = 0
  let high = 2 + ln(2 * ratio) * 2
  for (let k = 0; k < HALVINGS; k++) {
    const z = (low + high) / 2
    if (sinh(z) > ratio * z) high = z
    else low = z
  }
  const c = wide / (2 * high)
  const slope = drop / length
  const x0 = wide / 2 - (c / 2) * ln((1 + slope) / (1 - slope))
  const points: number[] = []
  const from = sinh(-x0 / c)
  const bottom = cosh(-x0 / c)
  for (let k = 1; k <= FINE; k++) {
    // Evenly along the rope.
    const s = from + (k / FINE) * (length / c)
    const x = x0 + c * ln(s + Math.sqrt(s * s + 1))
    const share = k === FINE ? 1 : x / wide
    const y = k === FINE ? b[1] : a[1] + c * (cosh((x - x0) / c) - bottom)
    points.push(a[0] + share * dx, y, a[2] + share * dz)
  }
  return points
}

function sinh(x: number): number {
  // Where the two would cancel, the series.
  if (Math.abs(x) < 0.01) return x * (1 + (x * x) / 6)
  return (exp(x) - exp(-x)) / 2
}

function cosh(x: number): number {
  return (exp(x) + exp(-x)) / 2
}

/**
 * `count` + 1 points on a polyline, from its start to its end, each as far from the next as all others [3 n] m.
 * @param fine [3 n] the polyline
 */
export function evenChords(fine: Float64Array, count: number): Float64Array {
  let low = 0
  let high = 0
  for (let p = 3; p < fine.length; p += 3) {
    let square = 0
    for (let d = 0; d < 3; d++) square += (fine[p + d]! - fine[p - 3 + d]!) * (fine[p + d]! - fine[p - 3 + d]!)
    high += Math.sqrt(square)
  }
  high = (high / count) * (1 + 1e-9)
  const out = new Float64Array((count + 1) * 3)
  for (let k = 0; k < HALVINGS; k++) {
    const chord = (low + high) / 2
    if (walk(fine, count, chord, out)) low = chord
    else high = chord
  }
  walk(fine, count, low, out)
  for (let d = 0; d < 3; d++) out[count * 3 + d] = fine[fine.length - 3 + d]!
  return out
}

/** Goes along the polyline in steps of a chord; true where `count` of them end on it. */
function walk(fine: Float64Array, count: number, chord: number, out: Float64Array): boolean {
  let leg = 0
  /** Where on its leg the last point lies. */
  let at = 0
  for (let d = 0; d < 3; d++) out[d] = fine[d]!
  for (let k = 1; k <= count; k++) {
    const o = (k - 1) * 3
    for (;;) {
      if ((leg + 1) * 3 >= fine.length) return false
      // |p + t u - last|^2 = chord^2, t the larger root.
      let uu = 0
      let ur = 0
      let rr = 0
      for (let d = 0; d < 3; d++) {
        const u = fine[leg * 3 + 3 + d]! - fine[leg * 3 + d]!
        const r = fine[leg * 3 + d]! - out[o + d]!
        uu += u * u
        ur += u * r
        rr += r * r
      }
      const root = ur * ur - uu * (rr - chord * chord)
      const t = uu > 0 && root >= 0 ? (Math.sqrt(root) - ur) / uu : -1
      if (t >= at && t <= 1) {
        for (let d = 0; d < 3; d++) {
          out[k * 3 + d] = fine[leg * 3 + d]! + t * (fine[leg * 3 + 3 + d]! - fine[leg * 3 + d]!)
        }
        at = t
        break
      }
      leg++
      at = 0
    }
  }
  return true
}

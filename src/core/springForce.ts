import { SPRING } from './jointRecord.js'

/** How a spring's link was when the substep began: length [m], and its change in a substep at the speed it had [m]. */
export const BEGUN = { LENGTH: 0, CHANGE: 1, SIZE: 2 } as const

/** Length now [m], and the multiplier of the sweeps before [N h^2]. By array, since a call with a number allocates. */
export const springNumbers = new Float64Array(2)

/** h^2 w k, w the inverse mass of both ends, up to which a spring is given its whole swing. */
const RESOLVED = 16

/**
 * The change of a spring's multiplier in a sweep, into change[0], for
 *
 *   f = -k (a0 s+ + a1 s + a2 s-) - c / ((1 + q) h) ((s+ - s) + q (s - s-)),  s = length - rest
 *
 * at the end of the substep, at its start, and h ds/dt before that. XPBD has a0 = 1 and q = 0, which is stable at any
 * stiffness but damps a swing of angular frequency w by w^2 h / 2 a second. Here a = (1, 2 r, r^2) / (1 + r)^2: for r = 1
 * the trapezoidal rule, which damps nothing and is off in frequency by (w h)^2 / 12; for r = 0 XPBD. With r = 16 / (16 + K),
 * K = h^2 w k, a spring that a substep resolves swings freely, and one that it does not comes to rest. Whatever K and r, the
 * roots of that recurrence are within the unit circle: 1 + K a2 <= 1 + K a0, K (a1 - a0 - a2) <= 4.
 * q = 1 / (1 + G / 3 + G^2 / 18), G = h w c, has damping alone decay as exp(-G) to the order G^3; it never turns around.
 * At rest both are exact.
 */
export function springChange(
  settings: Float64Array,
  begun: Float64Array,
  at: number,
  weight: Float64Array,
  h: Float64Array,
  change: Float64Array,
): void {
  const k = settings[SPRING.STIFFNESS]!
  const c = settings[SPRING.DAMPING]!
  const rest = settings[SPRING.REST_LENGTH]!
  const dt = h[0]!
  const K = dt * dt * weight[0]! * k
  const G = dt * weight[0]! * c
  const r = RESOLVED / (RESOLVED + K)
  const whole = (1 + r) * (1 + r)
  const q = 1 / (1 + G / 3 + (G * G) / 18)
  const s = springNumbers[0]! - rest
  const s0 = begun[at + BEGUN.LENGTH]! - rest
  const u = begun[at + BEGUN.CHANGE]!
  const pull = (dt * dt * k * (s + 2 * r * s0 + r * r * (s0 - u))) / whole
  const drag = (dt * c * (s - s0 + q * u)) / (1 + q)
  const before = springNumbers[1]!
  const after = before - (pull + drag + before) / (1 + K / whole + G / (1 + q))
  const most = settings[SPRING.MAX_FORCE]! * dt * dt
  change[0] = (after > most ? most : after < -most ? -most : after) - before
}

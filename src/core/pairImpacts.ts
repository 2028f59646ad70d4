import { TOUCH } from './collision/touches.js'
import { type ContactPair, NORMAL, PAIR, PARTED, WHOLE } from './contactPair.js'
import { remembersHit } from './hit.js'
import { ALIKE, isStopped } from './impact.js'
import type { BodyRecord } from './records.js'
import type { WorldSettings } from './worldSettings.js'

/** Speed below which a touch is no impact [m/s]. */
const IMPACT_SPEED = 0.1
/**
 * An impact is over when two steps' impulses are from 0 to the weight, but for this share of the greatest, or after so long
 * [s]; where restitution is still to send the two apart, after so long.
 */
const FADED = 0.1
const LONGEST = 0.25
const LONGEST_REBOUND = 0.5
/** Share of the weight below which what touches has all but left, so that it may strike anew. */
const LIFTED = 0.1
/** Share of the greatest impulse of an impact, beyond what is borne by now, with which what has not left strikes anew. */
const ANEW = 0.25
/** Within that what is borne follows the impulse of a step [s]. */
const FOLLOWS = 1 / 6
/** Share of the last impact, less from then on within so long [s], below which one within the same touch is its echo. */
const ECHO = 0.25
const ECHOES = 1
/** Share of the weight from which on one body is borne by another, and is not about to leave it. */
const RESTS = 0.5
/** Share of an impact on a floor of several colliders below which one of these is not told of its part. */
const SLIGHT = 0.01

/** What an impact is doing: it may come, it goes on, it is over and to be told, it is over. */
const AWAITED = 0
const STRIKES = 1
const STRUCK = 2
const OVER = 3

/** Of the pair in hand: what the touch bears in a step, along its normal [N s]. */
const weight = new Float64Array(1)
/** What all colliders of its floor give in this step along its normal, those together that press [N s], and how many give. */
const given = new Float64Array(3)

/** Follows the impacts of pairs that touch, from step to step. */
export class PairImpacts {
  private pairs: readonly ContactPair[] = []
  /** Of the pairs with colliders of one body, by its slot, the last one's place in `pairs` + 1; by pair that of the one before. */
  private lasts = new Uint32Array(0)
  private befores = new Uint32Array(0)

  /** Links the pairs of each body with colliders. */
  link(active: readonly ContactPair[]): void {
    this.pairs = active
    if (this.befores.length < active.length) this.befores = new Uint32Array(active.length * 2)
    for (let k = 0; k < active.length; k++) {
      const { slot } = active[k]!.body
      if (slot >= this.lasts.length) {
        const { lasts } = this
        this.lasts = new Uint32Array(slot * 2 + 2)
        this.lasts.set(lasts)
      }
      this.lasts[slot] = 0
    }
    for (let k = 0; k < active.length; k++) {
      if (!active[k]!.withCollider) continue
      const { slot } = active[k]!.body
      this.befores[k] = this.lasts[slot]!
      this.lasts[slot] = k + 1
    }
  }

  /** Sets `given` for a pair. */
  private sumFloor(pair: ContactPair): void {
    const { numbers } = pair
    const own = numbers[PAIR.TOUCH]!
    given[0] = own
    given[1] = Math.max(0, own)
    given[2] = 1
    if (!pair.withCollider) return
    for (let k = this.lasts[pair.body.slot]!; k > 0; k = this.befores[k - 1]!) {
      const other = this.pairs[k - 1]!
      if (other === pair || !isAlike(numbers, other.numbers)) continue
      let along = 0
      for (let d = 0; d < 3; d++) along += other.numbers[WHOLE + d]! * numbers[NORMAL + d]!
      given[0] += along
      given[1] += Math.max(0, along)
      if (along !== 0) given[2]++
    }
  }

  /** What a collider's floor bears, and has been struck by, holds for a pair with it that is struck from now on. */
  private learnFromFloor(pair: ContactPair): void {
    if (!pair.withCollider) return
    const { numbers } = pair
    for (let k = this.lasts[pair.body.slot]!; k > 0; k = this.befores[k - 1]!) {
      const other = this.pairs[k - 1]!
      if (other === pair || !isAlike(numbers, other.numbers)) continue
      numbers[PAIR.LAST] = Math.max(numbers[PAIR.LAST]!, other.numbers[PAIR.LAST]!)
      if (other.numbers[PAIR.PHASE] === OVER)
        numbers[PAIR.BORNE] = Math.max(numbers[PAIR.BORNE]!, other.numbers[PAIR.BORNE]!)
    }
  }

  /**
   * Follows an impact: its impulse is what is beyond the weight, from the first touch until the force has faded, and what
   * restitution gives has been given. That of a floor of several colliders is one, of which each has what it gives.
   */
  follow(pair: ContactPair, settings: Readonly<WorldSettings>): void {
    const { numbers } = pair
    const own = numbers[PAIR.TOUCH]!
    numbers[PAIR.LAST] = numbers[PAIR.LAST]! * Math.max(0, 1 - settings.timeStep / ECHOES)
    if (own === 0 && numbers[PAIR.PHASE] !== STRIKES) {
      numbers[PAIR.PHASE] = AWAITED
      return
    }
    weigh(pair, settings)
    this.sumFloor(pair)
    const impulse = given[0]!
    if (numbers[PAIR.PHASE] === OVER) {
      const beyond = impulse - numbers[PAIR.BORNE]!
      numbers[PAIR.BORNE] = numbers[PAIR.BORNE]! + Math.min(1, settings.timeStep / FOLLOWS) * beyond
      if (impulse < LIFTED * weight[0]!) numbers[PAIR.PHASE] = AWAITED
      if (beyond <= ANEW * numbers[PAIR.PEAK]!) return
      numbers[PAIR.PHASE] = AWAITED
    }
    if (numbers[PAIR.PHASE] === AWAITED) {
      numbers.fill(0, PAIR.PHASE, PAIR.BORNE)
      numbers[PAIR.PHASE] = STRIKES
      this.learnFromFloor(pair)
    }
    const touches = numbers[PAIR.LAPSED] === 0 || impulse !== own
    const borne = touches ? Math.max(weight[0]!, numbers[PAIR.BORNE]!) : 0
    const share = borne * (given[1]! > 0 ? Math.max(0, own) / given[1]! : 1 / given[2]!)
    numbers[PAIR.TIME] = numbers[PAIR.TIME]! + settings.timeStep
    numbers[PAIR.OTHERS] = numbers[PAIR.OTHERS]! + (impulse - own) - (borne - share)
    for (let d = 0; d < 3; d++) {
      const n = numbers[NORMAL + d]!
      numbers[PAIR.IMPACT + TOUCH.NORMAL + d] = numbers[PAIR.IMPACT + TOUCH.NORMAL + d]! + Math.max(0, own) * n
      numbers[PAIR.IMPACT + TOUCH.WHOLE + d] = numbers[PAIR.IMPACT + TOUCH.WHOLE + d]! + numbers[WHOLE + d]! - share * n
    }
    if (impulse > numbers[PAIR.PEAK]!) {
      numbers[PAIR.PEAK] = impulse
      for (let d = 0; d < 3; d++) numbers[PAIR.IMPACT + TOUCH.POINT + d] = numbers[PAIR.TOUCH + TOUCH.POINT + d]!
    }
    const little = FADED * numbers[PAIR.PEAK]!
    const faded = impulse > -little && impulse < borne + little
    const rebounds = willRebound(pair)
    const over = faded && numbers[PAIR.FADED] === 1 && !rebounds
    numbers[PAIR.FADED] = faded ? 1 : 0
    if (!over && !pair.over && numbers[PAIR.TIME]! < (rebounds ? LONGEST_REBOUND : LONGEST)) return
    conclude(pair)
    numbers[PAIR.BORNE] = impulse
  }
}

/** Ends the impact of a pair, if there is one: it is to be told, or too slight for that. */
export function conclude(pair: ContactPair): void {
  const { numbers } = pair
  if (numbers[PAIR.PHASE] !== STRIKES) return
  sumUp(numbers)
  const own = numbers[PAIR.IMPACT]!
  const whole = own + numbers[PAIR.OTHERS]!
  const told = whole > Math.max(massOf(pair) * IMPACT_SPEED, ECHO * numbers[PAIR.LAST]!) && own > SLIGHT * whole
  numbers[PAIR.PHASE] = told ? STRUCK : OVER
  if (told) numbers[PAIR.LAST] = whole
}

/** True where the touches of two pairs are of one floor. */
const isAlike = (a: Float64Array, b: Float64Array): boolean =>
  a[NORMAL]! * b[NORMAL]! + a[NORMAL + 1]! * b[NORMAL + 1]! + a[NORMAL + 2]! * b[NORMAL + 2]! > ALIKE

/** True once for each impact of a pair, when it is over: what is told between steps as well is not told twice. */
export function takeImpact({ numbers }: ContactPair): boolean {
  if (numbers[PAIR.PHASE] !== STRUCK) return false
  numbers[PAIR.PHASE] = OVER
  return true
}

/** The mass that an impact of a pair moves [kg]. */
const massOf = ({ body, other, withCollider }: ContactPair): number =>
  withCollider ? body.mass : (body.mass * (other as BodyRecord).mass) / (body.mass + (other as BodyRecord).mass)

/** Sets `weight` along the normal. */
function weigh(pair: ContactPair, { gravity, timeStep }: Readonly<WorldSettings>): void {
  const { body, withCollider, numbers } = pair
  let pressed = 0
  for (let d = 0; d < 3; d++)
    pressed -= (gravity[d]! * body.settings.gravityScale + body.pull[d]!) * numbers[NORMAL + d]!
  weight[0] = massOf(pair) * Math.max(0, withCollider ? pressed : Math.abs(pressed)) * timeStep
}

/** True where the speed at which the two of the pair in hand part is still to be set. */
function willRebound({ body, other, withCollider, numbers }: ContactPair): boolean {
  const lapsed = numbers[PAIR.LAPSED]!
  if (withCollider) return lapsed + 1 < PARTED && isStopped(body, other)
  if (lapsed > 1) return false // it has been set as they parted
  if (weight[0]! > 0 && numbers[PAIR.TOUCH]! > RESTS * weight[0]!) return false
  return remembersHit(body, other as BodyRecord) || remembersHit(other as BodyRecord, body)
}

/** Sets the normal of an impact to the mean one, and its impulse to what it has given along that. */
function sumUp(numbers: Float64Array): void {
  const n = PAIR.IMPACT + TOUCH.NORMAL
  const size = Math.sqrt(
    numbers[n]! * numbers[n]! + numbers[n + 1]! * numbers[n + 1]! + numbers[n + 2]! * numbers[n + 2]!,
  )
  numbers[PAIR.IMPACT] = 0
  if (size === 0) return
  for (let d = 0; d < 3; d++) {
    numbers[n + d] = numbers[n + d]! / size
    numbers[PAIR.IMPACT] = numbers[PAIR.IMPACT]! + numbers[PAIR.IMPACT + TOUCH.WHOLE + d]! * numbers[n + d]!
  }
}

import { isSame, joins } from './jointRecord.js'
import type { BodyRecord } from './records.js'
import { compare, missing, SWEPT, solveAbout, turn, turned } from './rigidTurn.js'
import type { State } from './state.js'
import { turnsFreely } from './turning.js'
import type { WorldSettings } from './worldSettings.js'

/**
 * What attachments and joints hold has the L that they leave it. But a sweep over what is within it may give it none about
 * the vertical, where its weight has no torque: that is taken back right after it, about the centre of the masses that it
 * took particles for, what is held rigidly being all but still there (`Holds`), so that what holds it bears what comes of
 * the turn. What a sweep takes is left to it: it is what damps what hangs from hinges or is swung by a hand.
 */
export class LedSpin {
  /** By live body: 1 where attachments or joints alone hold it. */
  private led = new Uint8Array(0)
  /** By live body: h L before the sweep, about the vertical [kg m^2]. */
  private before = new Float64Array(0)
  private readonly vertical = new Float64Array(3)
  /** h L of the body in hand, about the vertical [kg m^2]. */
  private readonly momentum = new Float64Array(1)

  /** Looks, once a step, at which bodies are led. */
  begin(state: State, { gravity }: Readonly<WorldSettings>): void {
    const bodies = state.bodies.live
    if (this.led.length < bodies.length) {
      this.led = new Uint8Array(bodies.length * 2)
      this.before = new Float64Array(bodies.length * 2)
    }
    const size = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    for (let d = 0; d < 3; d++) this.vertical[d] = size > 0 ? gravity[d]! / size : 0
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      this.led[b] = size > 0 && isLed(state, body) && turnsFreely(state, body) ? 1 : 0
    }
  }

  /** Notes what they have before a sweep over what is within them. */
  note(state: State): void {
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      if (this.led[b] === 0) continue
      this.measure(state, bodies[b]!)
      this.before[b] = this.momentum[0]!
    }
  }

  /** Turns them back where it has given them more. */
  takeBack(state: State): void {
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      if (this.led[b] === 0) continue
      const before = this.before[b]!
      this.measure(state, bodies[b]!)
      const after = this.momentum[0]!
      if (Math.abs(after) <= Math.abs(before)) continue
      for (let d = 0; d < 3; d++) missing[d] = (before - after) * this.vertical[d]!
      if (solveAbout(this.vertical, 0)) turn(state, bodies[b]!)
    }
  }

  /** Finds `momentum` of a body. */
  private measure(state: State, body: BodyRecord): void {
    compare(state, body, body.start, SWEPT)
    this.momentum[0] = this.vertical[0]! * turned[0]! + this.vertical[1]! * turned[1]! + this.vertical[2]! * turned[2]!
  }
}

/** True where an attachment or a joint holds a body. */
export function isLed({ attachments, joints }: State, body: BodyRecord): boolean {
  for (let a = 0; a < attachments.live.length; a++) if (isSame(attachments.live[a]!.body, body)) return true
  for (let j = 0; j < joints.live.length; j++) if (joins(joints.live[j]!, body)) return true
  return false
}

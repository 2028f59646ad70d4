import type { WorldSettings } from './worldSettings.js'

/**
 * Turns frame times into fixed steps. Time that would take more than `maxSteps` steps is dropped, and nothing else is.
 */
export class Clock {
  /** Time not yet stepped [s], below one step. */
  private readonly leftover = new Float64Array(1)

  /**
   * Takes a frame's time [s] and returns how many steps are due; a time that is not finite and above 0 is ignored.
   * @param settings how long a step is, how many a frame may have, and simulated seconds per second
   * @param dropped receives the dropped time [s], added to dropped[0]
   */
  take(seconds: number, settings: Readonly<WorldSettings>, dropped: Float64Array): number {
    const { timeScale, timeStep, maxSteps } = settings
    const passed = seconds * timeScale
    if (!(passed > 0 && passed < Infinity)) return 0
    let total = this.leftover[0]! + passed
    // A frame of exactly one step must not be lost to rounding: 60 frames of 1/60 s are 60 steps.
    let steps = Math.floor(total / timeStep + 1e-9)
    if (steps > maxSteps) {
      const excess = (steps - maxSteps) * timeStep
      dropped[0]! += excess
      total -= excess
      steps = maxSteps
    }
    // The rounding of a very long frame must not be left for the next one.
    this.leftover[0] = Math.min(timeStep, Math.max(0, total - steps * timeStep))
    return steps
  }

  /** Where the frame stands between the last step and the next, 0..1. */
  fraction(timeStep: number): number {
    return Math.min(1, this.leftover[0]! / timeStep)
  }

  reset(leftover = 0): void {
    this.leftover[0] = leftover
  }

  get remaining(): number {
    return this.leftover[0]!
  }
}

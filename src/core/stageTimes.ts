/** Parts of a step that are timed, in the order of a substep; the search comes once, first. */
export const stages = ['search', 'integrate', 'constraints', 'contacts', 'velocities'] as const

/** Tells the time [s]; where it starts does not matter. */
export type TimeSource = () => number

/** Time that each stage has taken. Without a source nothing is measured. */
export class StageTimes {
  /** Time by stage, in the order of `stages` [s]. */
  readonly seconds = new Float64Array(stages.length)
  private readonly last = new Float64Array(1)
  private source: TimeSource | null = null

  /** Measures by `source` from now on, from zero; null stops. */
  use(source: TimeSource | null): void {
    this.source = source
    this.seconds.fill(0)
  }

  /** A step begins: the first stage starts now. */
  start(): void {
    if (this.source) this.last[0] = this.source()
  }

  /** Stage number `stage` ends here, and the next begins. */
  end(stage: number): void {
    if (!this.source) return
    const now = this.source()
    this.seconds[stage] = this.seconds[stage]! + now - this.last[0]!
    this.last[0] = now
  }
}

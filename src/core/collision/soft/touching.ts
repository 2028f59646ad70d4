import { roomy } from './columns.js'
import type { Meetings } from './meetings.js'
import type { SoftPairs } from './softPairs.js'

/** Which bodies touch: a particle of one is within the thickness of the other. */
export class Touching {
  /** By meeting, as `Meetings.partners`: 1 where the two touch. */
  private flags = new Uint8Array(0)

  constructor(private readonly meetings: Meetings) {}

  /** Takes what the search has paired. */
  note({ count, found, thickness, first, second }: SoftPairs): void {
    const size = this.meetings.partnerStarts[this.meetings.surfaces.bodies.length]!
    this.flags = roomy(this.flags, size)
    this.flags.fill(0, 0, size)
    for (let pair = 0; pair < count; pair++) {
      if (found[pair]! >= thickness[pair]! || first[pair] === second[pair]) continue
      const k = this.indexOf(first[pair]!, second[pair]!)
      if (k >= 0) this.flags[k] = 1
    }
  }

  /** True where live bodies a and b touch. */
  has(a: number, b: number): boolean {
    const k = this.indexOf(a, b)
    return k >= 0 && this.flags[k] === 1
  }

  /** Where the meeting of a and b stands, by the lesser of the two; -1 where they do not meet. */
  private indexOf(a: number, b: number): number {
    return this.meetings.pairs.indexOf(Math.min(a, b), Math.max(a, b))
  }
}

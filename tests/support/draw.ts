import type { Quat, Vec3 } from '../../src/headless.js'
import { seededRandom } from './random.js'

/** Draws what laws are tried on: the same seed draws the same everywhere. Print the seed in the test's name. */
export class Random {
  private readonly next: () => number

  constructor(readonly seed: number) {
    // Neighbouring seeds are spread, so that they share no numbers.
    this.next = seededRandom(Math.imul(seed, 0x9e3779b1))
  }

  /** Evenly from `low` up to `high`. */
  uniform(low = 0, high = 1): number {
    return low + this.next() * (high - low)
  }

  /** Evenly over the decades from `low` to `high`, both above zero. */
  scale(low: number, high: number): number {
    return low * (high / low) ** this.next()
  }

  /** Whole number, `low` and `high` included. */
  integer(low: number, high: number): number {
    return Math.floor(this.uniform(low, high + 1))
  }

  /** Every coordinate within `size` of zero. */
  vector(size = 1): [number, number, number] {
    return [this.uniform(-size, size), this.uniform(-size, size), this.uniform(-size, size)]
  }

  direction(): Vec3 {
    while (true) {
      const [x, y, z] = this.vector()
      const length = Math.hypot(x, y, z)
      if (length > 0.1 && length < 1) return [x / length, y / length, z / length]
    }
  }

  rotation(): Quat {
    while (true) {
      const q = [this.uniform(-1, 1), this.uniform(-1, 1), this.uniform(-1, 1), this.uniform(-1, 1)] as const
      const length = Math.hypot(...q)
      if (length > 0.1 && length < 1) return [q[0] / length, q[1] / length, q[2] / length, q[3] / length]
    }
  }

  /** [n] coordinates within `size` of zero. */
  array(n: number, size = 1): Float64Array {
    return Float64Array.from({ length: n }, () => this.uniform(-size, size))
  }
}

/** Seeds 1 to n. */
export const seeds = (n: number): number[] => Array.from({ length: n }, (_, k) => k + 1)

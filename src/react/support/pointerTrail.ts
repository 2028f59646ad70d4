import type { MutableVec3, Vec3 } from '../../headless.js'

/** How far back the speed at release looks [ms]. */
const window = 80
/** A pointer that is reported where it was, this soon, has not been seen to rest [ms]. */
const noNews = 40
const capacity = 32

/** Where a pointer has lately been in the world, for its velocity at release. */
export class PointerTrail {
  private readonly times = new Float64Array(capacity)
  private readonly points = new Float64Array(3 * capacity)
  private count = 0

  /** @param time of the event [ms] */
  add(time: number, point: Vec3): void {
    if (this.count > 0 && time - this.time(this.count - 1) < noNews && this.isLast(point)) return
    const slot = this.count++ % capacity
    this.times[slot] = time
    this.points.set(point, 3 * slot)
  }

  /**
   * Velocity [m/s] at the newest sample, at which the pointer was released: that of the parabola through the oldest
   * sample of the last 80 ms, the middle one and the newest, so that a fling that still gains speed keeps all of it.
   * Zero for a pointer that rested, or was about to turn back.
   */
  velocity(target: MutableVec3): MutableVec3 {
    target.fill(0)
    if (this.count === 0) return target
    const newest = this.count - 1
    let oldest = newest
    const least = Math.max(0, this.count - capacity)
    while (oldest > least && this.time(oldest - 1) >= this.time(newest) - window) oldest--
    const middle = this.middle(oldest, newest)
    const late = this.time(newest) - this.time(middle)
    if (!(late > 0)) return target
    const early = this.time(middle) - this.time(oldest)
    let along = 0
    for (let d = 0; d < 3; d++) {
      const lately = this.rate(middle, newest, d)
      // Half a span after its middle, at the change of speed between the middles of both spans.
      const gain = early > 0 ? ((lately - this.rate(oldest, middle, d)) * late) / (early + late) : 0
      target[d] = lately + gain
      along += target[d]! * lately
    }
    if (along <= 0) target.fill(0)
    return target
  }

  /** The sample nearest to half way in time, before the newest. */
  private middle(oldest: number, newest: number): number {
    const half = (this.time(oldest) + this.time(newest)) / 2
    let middle = oldest
    while (middle + 1 < newest && this.time(middle + 1) <= half) middle++
    return middle
  }

  private isLast([x, y, z]: Vec3): boolean {
    const at = 3 * ((this.count - 1) % capacity)
    return this.points[at] === x && this.points[at + 1] === y && this.points[at + 2] === z
  }

  private time(sample: number): number {
    return this.times[sample % capacity]!
  }

  /** Mean velocity between two samples along one axis [m/s]. */
  private rate(from: number, to: number, axis: number): number {
    const moved = this.points[3 * (to % capacity) + axis]! - this.points[3 * (from % capacity) + axis]!
    return (1000 * moved) / (this.time(to) - this.time(from))
  }
}

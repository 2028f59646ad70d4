import type { MutableVec3, Vec3 } from '../../headless.js'

/** How far back the speed at release looks [ms]. */
const window = 80
const capacity = 32

/** Where a pointer has lately been in the world, for its velocity at release. */
export class PointerTrail {
  private readonly times = new Float64Array(capacity)
  private readonly points = new Float64Array(3 * capacity)
  private count = 0

  /** @param time of the event [ms] */
  add(time: number, point: Vec3): void {
    const slot = this.count++ % capacity
    this.times[slot] = time
    this.points.set(point, 3 * slot)
  }

  /**
   * Mean velocity [m/s] from the oldest sample of the last 80 ms to the newest, at which the pointer was released; zero
   * where there is no other: the pointer rested.
   */
  velocity(target: MutableVec3): MutableVec3 {
    target.fill(0)
    if (this.count === 0) return target
    const newest = (this.count - 1) % capacity
    const now = this.times[newest]!
    let oldest = newest
    for (let back = 1; back < Math.min(this.count, capacity); back++) {
      const slot = (this.count - 1 - back) % capacity
      if (this.times[slot]! < now - window) break
      oldest = slot
    }
    const seconds = (now - this.times[oldest]!) / 1000
    if (!(seconds > 0)) return target
    for (let d = 0; d < 3; d++) target[d] = (this.points[3 * newest + d]! - this.points[3 * oldest + d]!) / seconds
    return target
  }
}

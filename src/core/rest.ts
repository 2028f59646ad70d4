import type { State } from './state.js'

/** Within this distance of where it was, a particle has not moved: [m], and as a share of its body's size. */
const REACH = 5e-4
const REACH_SHARE = 1e-3

/**
 * Notices that nothing moves any more: no particle has got away from where it was. Places are compared instead of
 * speeds, since what lies in contact trembles by much less than a pixel, but quickly.
 */
export class RestWatch {
  /** Where the particles were when something last moved [3 n] m. */
  private places = new Float64Array(0)
  private watching = false

  /** Something has been changed from outside. */
  disturb(): void {
    this.watching = false
  }

  /** True where everything is where it was at the last call that returned false. */
  isStill(state: State): boolean {
    if (this.watching && this.nothingMoved(state)) return true
    if (this.places.length < state.positions.length) this.places = new Float64Array(state.positions.length)
    this.places.set(state.positions)
    this.watching = true
    return false
  }

  private nothingMoved({ positions: x, bodies }: State): boolean {
    const { places } = this
    for (let b = 0; b < bodies.live.length; b++) {
      const { start, model } = bodies.live[b]!
      const reach = Math.min(REACH, REACH_SHARE * model.size)
      for (let p = start * 3; p < (start + model.particleCount) * 3; p += 3) {
        const dx = x[p]! - places[p]!
        const dy = x[p + 1]! - places[p + 1]!
        const dz = x[p + 2]! - places[p + 2]!
        if (dx * dx + dy * dy + dz * dz > reach * reach) return false
      }
    }
    return true
  }
}

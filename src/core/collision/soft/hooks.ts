import { RESCUE } from '../../records.js'
import type { State } from '../../state.js'
import type { WorldSettings } from '../../worldSettings.js'
import { roomy } from './columns.js'
import type { Meetings } from './meetings.js'
import { measurePassing, passing } from './wholes.js'

/** How long a body touches others before it is asked whether it is held in one of them, and each time anew [s]. */
const PATIENCE = 0.25

/** Speed up to which two lie in each other, and either moves within [m/s]: what runs into another crushes it for a moment. */
const SLOW = 0.5

/**
 * Solids that contact holds in each other, with hardly a particle inside, as it does coarse bars and rings whose corners
 * hands have drawn into others. They lie still so, or tremble, for ever. In piles nothing has so much in common.
 */
export class Hooks {
  /** By live body: 1 where it touches another solid. */
  private touching = new Uint8Array(0)

  constructor(private readonly meetings: Meetings) {}

  /** A search begins. */
  clear(): void {
    const count = this.meetings.surfaces.bodies.length
    this.touching = roomy(this.touching, count)
    this.touching.fill(0, 0, count)
  }

  /** True where contact holds two solids, which touch, in each other: asked from time to time. */
  holds(state: State, a: number, b: number): boolean {
    const { meetings } = this
    const { bodies } = meetings.surfaces
    this.touching[a] = 1
    this.touching[b] = 1
    if (bodies[a]!.rescue[RESCUE.TOUCHING]! < PATIENCE && bodies[b]!.rescue[RESCUE.TOUCHING]! < PATIENCE) return false
    measurePassing(state, bodies[a]!, bodies[b]!)
    if (Math.max(passing[0]!, passing[1]!) > SLOW * SLOW) return false
    return meetings.matter.isHooked(state, meetings, a, b)
  }

  /** Counts, once a step, for how long bodies have touched others. */
  count({ timeStep }: Readonly<WorldSettings>): void {
    const { bodies } = this.meetings.surfaces
    for (let b = 0; b < bodies.length; b++) {
      const { rescue } = bodies[b]!
      const asked = rescue[RESCUE.TOUCHING]! >= PATIENCE
      rescue[RESCUE.TOUCHING] = this.touching[b] === 0 || asked ? 0 : rescue[RESCUE.TOUCHING]! + timeStep
    }
  }
}

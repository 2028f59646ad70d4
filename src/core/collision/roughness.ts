import type { BodyRecord } from '../records.js'
import type { WorldSettings } from '../worldSettings.js'

/** Sideways move of what meets a surface, as a share of the move that the surface has stopped. */
const ROUGHNESS = 0.01

/** Substeps of a fall after which something comes down; less is the trembling of what lies. */
const FALLEN = 20

/** Gravity at least [m/s^2]: attractors and attachments press as well. */
const EARTH = 9.81

const side = new Float64Array(3)

/**
 * Moves what comes down on a surface sideways, as a rough floor does, a particle never the same way as its neighbours.
 * Only sheets and ropes, which buckle under next to no load: one that meets the floor exactly upright would else stand
 * there for ever, as nothing in it knows a side to fall to.
 */
export class Roughness {
  private thin = false
  private start = 0
  /** A way in a substep [m]: what has come farther has fallen, and does not just tremble. */
  private readonly still = new Float64Array(1)

  /** A step begins. */
  begin({ gravity, timeStep, substeps }: Readonly<WorldSettings>): void {
    const h = timeStep / substeps
    const squared = gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]
    this.still[0] = FALLEN * Math.max(EARTH, Math.sqrt(squared)) * h * h
  }

  /** The body whose particles come next. */
  take({ model, start }: BodyRecord): void {
    this.thin = model.tets.length === 0 && (model.triangles.length > 0 || model.edges.length > 0)
    this.start = start
  }

  /**
   * Scatters a particle of the body in hand.
   * @param normal of the surface, and fourth how far the particle has come down in this substep [m]
   */
  scatter(positions: Float64Array, particle: number, normal: Float64Array): void {
    if (!this.thin || !(normal[3]! > this.still[0]!)) return
    let hash = Math.imul(particle - this.start + 1, 0x9e3779b1)
    let along = 0
    for (let d = 0; d < 3; d++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
      side[d] = (hash >> 8) / 0x800000
      along += side[d]! * normal[d]!
    }
    const size = ROUGHNESS * normal[3]!
    for (let d = 0; d < 3; d++) {
      const p = particle * 3 + d
      positions[p] = positions[p]! + size * (side[d]! - along * normal[d]!)
    }
  }
}

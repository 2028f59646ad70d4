import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'
import type { WorldSettings } from '../worldSettings.js'
import { roomy } from './soft/columns.js'

/** Sideways move of what meets a surface, as a share of the move that the surface has stopped. */
const ROUGHNESS = 0.01

/** Substeps of a fall after which something comes down; less is the trembling of what lies. */
const FALLEN = 20

/** Gravity at least [m/s^2]: what attractors and attachments press trembles as well. */
const EARTH = 9.81

const side = new Float64Array(3)

/**
 * Moves what comes down on a surface sideways, as a rough floor does, a particle never the same way as its neighbours.
 * Only sheets and ropes, which buckle under next to no load: one that meets the floor exactly upright would else stand
 * there for ever, as nothing in it knows a side to fall to.
 *
 * What comes down is what moves: by the speed that it has before the loads of the substep. A light particle of a rope that
 * bears a weight is pressed farther into a bar in each substep than a fall would bring it; scattered each time the same
 * way, it would creep along the bar, whatever the friction.
 */
export class Roughness {
  private thin = false
  private start = 0
  /** A way in a substep [m]: what has come farther has fallen, and does not just tremble. */
  private readonly still = new Float64Array(1)
  /** [3 n] how far its speed before the loads of the substep brings each particle of what is thin [m]. */
  private ways = new Float64Array(0)

  /** A step begins. */
  begin({ gravity, timeStep, substeps }: Readonly<WorldSettings>): void {
    const h = timeStep / substeps
    const squared = gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]
    this.still[0] = FALLEN * Math.max(EARTH, Math.sqrt(squared)) * h * h
  }

  /** A substep of h[0] [s] begins, nothing has been loaded yet. */
  note({ bodies, velocities: v }: State, h: Float64Array): void {
    this.ways = roomy(this.ways, v.length)
    for (let b = 0; b < bodies.live.length; b++) {
      const body = bodies.live[b]!
      if (body.asleep || !isThin(body)) continue
      const end = (body.start + body.model.particleCount) * 3
      for (let p = body.start * 3; p < end; p++) this.ways[p] = h[0]! * v[p]!
    }
  }

  /** The body whose particles come next. */
  take(body: BodyRecord): void {
    this.thin = isThin(body)
    this.start = body.start
  }

  /**
   * Scatters a particle of the body in hand.
   * @param frame normal of the surface, and how far its matter has come in this substep [m]
   * @param down how far the particle has come down on it in this substep [m]
   */
  scatter(positions: Float64Array, particle: number, frame: Float64Array, down: Float64Array): void {
    if (!this.thin || !(down[0]! > this.still[0]!)) return
    let fall = 0
    for (let d = 0; d < 3; d++) fall += (frame[3 + d]! - this.ways[particle * 3 + d]!) * frame[d]!
    fall = Math.min(fall, down[0]!)
    if (!(fall > this.still[0]!)) return
    let hash = Math.imul(particle - this.start + 1, 0x9e3779b1)
    let along = 0
    for (let d = 0; d < 3; d++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
      side[d] = (hash >> 8) / 0x800000
      along += side[d]! * frame[d]!
    }
    const size = ROUGHNESS * fall
    for (let d = 0; d < 3; d++) {
      const p = particle * 3 + d
      positions[p] = positions[p]! + size * (side[d]! - along * frame[d]!)
    }
  }
}

/** True for a sheet or a rope. */
function isThin({ model }: BodyRecord): boolean {
  return model.tets.length === 0 && (model.triangles.length > 0 || model.edges.length > 0)
}

import type { State } from '../../state.js'
import { roomy } from './columns.js'
import { findGiving, giving } from './giving.js'
import type { SoftPairs } from './softPairs.js'
import { spend } from './work.js'

/**
 * Impacts that are resolved in a round, at most, and what one may still move a pair by, in its distance before the substep,
 * when they count as settled. What is light in a fold about something heavy takes thousands of sweeps, over few impacts.
 */
const MOST_RESOLVED = 1e5
const SETTLED = 0.02
/** Distance by which what colliders hold is judged [m]. */
const HELD = 1e-3
/** What a sweep moves, in parts of what it finds: overrelaxed, it takes a fraction of the sweeps. */
const RELAXATION = 1.6
/** Thicknesses by which a pair parts for each round that has not settled it: what slides along meets again and again else. */
const PARTING = 0.002

/**
 * Impacts that did not settle one by one, since to resolve one brings another about: all that have been found in a substep
 * are kept, each with weights and normal of its own moment, also where a pair meets several times, and solved together.
 * None may come nearer along its normal, and none pulls: the motion that is nearest by mass to the one before. It keeps
 * momentum, and makes no energy but for the little that parts what meets again and again (Harmon, Vouga, Tamstorf and Grinspun 2008).
 */
export class ImpactGroup {
  count = 0
  /** Times that the impacts have been solved. */
  private rounds = 0
  /** [4 n] */
  private particles = new Uint32Array(0)
  private weights = new Float64Array(0)
  /** [3 n] */
  private normals = new Float64Array(0)
  /** How far its points were apart before the substep [m]. */
  private distances = new Float64Array(0)
  /** By how much it parts at least [m]. */
  private parting = new Float64Array(0)
  /** What each has been pushed by [m]. */
  private pushes = new Float64Array(0)

  /** Forgets all impacts. */
  clear(): void {
    this.count = 0
    this.rounds = 0
  }

  /** Adds a pair that has met, as it lay then. */
  add({ previous: y }: State, pairs: SoftPairs, pair: number): void {
    const at = this.count++
    this.makeRoom()
    for (let k = 0; k < 4; k++) {
      this.particles[at * 4 + k] = pairs.particles[pair * 4 + k]!
      this.weights[at * 4 + k] = pairs.weights[pair * 4 + k]!
    }
    let distance = 0
    for (let d = 0; d < 3; d++) {
      this.normals[at * 3 + d] = pairs.normals[pair * 3 + d]!
      for (let k = pair * 4; k < pair * 4 + 4; k++) {
        distance += pairs.weights[k]! * pairs.normals[pair * 3 + d]! * y[pairs.particles[k]! * 3 + d]!
      }
    }
    this.distances[at] = Math.abs(distance)
    this.parting[at] = PARTING * this.rounds * pairs.thickness[pair]!
    this.pushes[at] = 0
  }

  /**
   * Adds a point that a collider has just held, sum weights[p..] of particles[p..]: it goes no further than it has come
   * against the normal of the surface.
   */
  addHeld(state: State, particles: Uint32Array, weights: Float64Array, p: number, normal: Float64Array): void {
    const { positions: x, previous: y } = state
    const at = this.count++
    this.makeRoom()
    let along = 0
    for (let d = 0; d < 3; d++) this.normals[at * 3 + d] = normal[d]!
    for (let k = 0; k < 4; k++) {
      const i = particles[p + k]!
      this.particles[at * 4 + k] = i
      this.weights[at * 4 + k] = weights[p + k]!
      for (let d = 0; d < 3; d++) along += weights[p + k]! * normal[d]! * (x[i * 3 + d]! - y[i * 3 + d]!)
    }
    this.distances[at] = HELD
    this.parting[at] = along
    this.pushes[at] = 0
  }

  private makeRoom(): void {
    this.particles = roomy(this.particles, this.count * 4)
    this.weights = roomy(this.weights, this.count * 4)
    this.normals = roomy(this.normals, this.count * 3)
    this.distances = roomy(this.distances, this.count)
    this.parting = roomy(this.parting, this.count)
    this.pushes = roomy(this.pushes, this.count)
  }

  /** Sweeps over the impacts, there and back, until none comes nearer, by inverse masses w. */
  solve(state: State, w: Float64Array): void {
    this.rounds++
    const most = MOST_RESOLVED / this.count
    for (let sweep = 0; sweep < most; sweep++) {
      let settled = true
      spend(this.count)
      for (let l = 0; l < this.count; l++) {
        const impact = (sweep & 1) === 1 ? this.count - 1 - l : l
        if (Math.abs(this.resolve(state, w, impact)) > SETTLED * this.distances[impact]!) settled = false
      }
      if (settled) return
    }
  }

  /** Takes back how much an impact has brought its elements together, or of its push what is no longer needed [m]. */
  private resolve({ positions: x, previous: y }: State, w: Float64Array, impact: number): number {
    const { particles, weights, normals, pushes } = this
    const nx = normals[impact * 3]!
    const ny = normals[impact * 3 + 1]!
    const nz = normals[impact * 3 + 2]!
    let along = 0
    for (let k = impact * 4; k < impact * 4 + 4; k++) {
      const b = weights[k]!
      const p = particles[k]! * 3
      along += b * (nx * (x[p]! - y[p]!) + ny * (x[p + 1]! - y[p + 1]!) + nz * (x[p + 2]! - y[p + 2]!))
    }
    findGiving(w, particles, impact * 4, weights, impact * 4, 4)
    const inverse = giving[0]!
    if (inverse === 0) return 0
    const push = Math.max(giving[1]! * RELAXATION * (this.parting[impact]! - along), -pushes[impact]!)
    pushes[impact] = pushes[impact]! + push
    const scale = push / inverse
    for (let k = impact * 4; k < impact * 4 + 4; k++) {
      const s = scale * weights[k]! * w[particles[k]!]!
      if (s === 0) continue
      const p = particles[k]! * 3
      x[p] = x[p]! + s * nx
      x[p + 1] = x[p + 1]! + s * ny
      x[p + 2] = x[p + 2]! + s * nz
    }
    return push
  }
}

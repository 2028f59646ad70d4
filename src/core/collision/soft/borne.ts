import type { State } from '../../state.js'
import { roomy } from './columns.js'
import type { SoftList } from './softList.js'
import type { SoftPairs } from './softPairs.js'
import type { Surfaces } from './surfaces.js'

/** Cosine to a collider's normal from which on a push goes into it. */
const INTO = 0.5

/** What is known of a particle: a collider stops it, and something presses it there. */
const STOPPED = 1
const PRESSED = 2

/** Knows what colliders stop. */
export interface Floors {
  /** Sets `stopped` to 1, and `normals` [3 n] to the normal, of the particles of the `b`-th live body that are in a collider. */
  findStopped(state: State, b: number, stopped: Uint8Array, normals: Float64Array): void
}

/**
 * Particles of sheets and ropes that a solid presses onto a collider give way no more. A thousandth as heavy as what lies
 * on them, they would take all of each push, the collider would bring them back, and so on: what lies on a cloth on the
 * ground would sink through it to the ground, and the cloth would flutter.
 */
export class Borne {
  /** By particle, how it gives way to soft surfaces in this substep [1/kg]. */
  mobility = new Float64Array(0)
  private own = new Float64Array(0)
  private marks = new Uint8Array(0)
  private normals = new Float64Array(0)
  /** Live bodies that have been looked at, and by live body, 1 for these. */
  private bodies = new Uint32Array(0)
  private looked = new Uint8Array(0)
  private count = 0

  constructor(
    private readonly pairs: SoftPairs,
    private readonly surfaces: Surfaces,
  ) {}

  /** Looks, constraints being solved, which particles among the listed pairs are borne. */
  find(state: State, list: SoftList, floors: Floors): void {
    this.forget()
    const { pairs } = this
    for (let l = 0; l < list.count; l++) {
      this.look(state, pairs.first[list.pairs[l]!]!, floors)
      this.look(state, pairs.second[list.pairs[l]!]!, floors)
    }
    this.mobility = this.surfaces.mobility
    if (this.count === 0) return
    for (let l = 0; l < list.count; l++) this.mark(list.pairs[l]!)
    this.own = roomy(this.own, state.masses.length)
    this.own.set(this.surfaces.mobility)
    for (let k = 0; k < this.count; k++) {
      const { start, model } = this.surfaces.bodies[this.bodies[k]!]!
      for (let i = start; i < start + model.particleCount; i++) {
        if (this.marks[i] === PRESSED) this.own[i] = 0
      }
    }
    this.mobility = this.own
  }

  private look(state: State, b: number, floors: Floors): void {
    if (this.surfaces.solid[b] === 1 || this.looked[b] === 1) return
    this.looked[b] = 1
    this.bodies[this.count++] = b
    floors.findStopped(state, b, this.marks, this.normals)
  }

  /** Marks what a pair of a solid and something thin presses onto a collider. */
  private mark(pair: number): void {
    const { pairs, marks, normals } = this
    const { solid } = this.surfaces
    if (pairs.silent[pair] !== 0 || solid[pairs.first[pair]!] === solid[pairs.second[pair]!]) return
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const i = pairs.particles[k]!
      if (marks[i] !== STOPPED || pairs.weights[k] === 0) continue
      let along = 0
      for (let d = 0; d < 3; d++) along += normals[i * 3 + d]! * pairs.normals[pair * 3 + d]!
      const into = pairs.weights[k]! < 0 ? along : -along
      if (into > INTO) marks[i] = PRESSED
    }
  }

  private forget(): void {
    for (let k = 0; k < this.count; k++) {
      const { start, model } = this.surfaces.bodies[this.bodies[k]!]!
      this.looked[this.bodies[k]!] = 0
      this.marks.fill(0, start, start + model.particleCount)
    }
    this.count = 0
  }

  /** A step begins: bodies may have come, gone or been put elsewhere among the particles. */
  begin(particles: number): void {
    this.count = 0
    this.marks = roomy(this.marks, particles)
    this.normals = roomy(this.normals, particles * 3)
    this.bodies = roomy(this.bodies, this.surfaces.bodies.length)
    this.looked = roomy(this.looked, this.surfaces.bodies.length)
    this.marks.fill(0)
    this.looked.fill(0)
  }
}

import type { State } from '../../state.js'
import { MARK } from '../touching.js'
import { roomy } from './columns.js'
import type { SoftList } from './softList.js'
import type { SoftPairs } from './softPairs.js'
import type { Surfaces } from './surfaces.js'

/** Cosine to a collider's normal from which on a push goes into it. */
const INTO = 0.5

/**
 * What is pressed onto a collider gives way by this share of what presses it does. With none two folds that are both pressed
 * could not be kept apart; with as much as that a cloth would flutter beneath a ball of 30 kg.
 */
const SHARE = 0.1

/** What is known of a particle, above what `MARK` tells: something presses it onto what stops it. */
const PRESSED = 3

/** Of the pair in hand [1/kg]. By array, since a call with a number allocates. */
const solidMobility = new Float64Array(1)

/** Knows what colliders stop. */
export interface Floors {
  /** Of the particles of the `b`-th live body that are `ASKED` for, marks as `STOPPED` those in a collider, with its normal [3 n]. */
  findStopped(state: State, b: number, marks: Uint8Array, normals: Float64Array): void
}

/**
 * Particles of sheets and ropes that a solid presses onto a collider give way no more than something ten times as heavy
 * as the solid. A thousandth as heavy as what lies on them, they would take all of each push, the collider would bring them
 * back, and so on: what lies on a cloth on the ground would sink through it to the ground, and the cloth would flutter.
 */
export class Borne {
  /** By particle, how it gives way to soft surfaces in this substep [1/kg]. */
  mobility = new Float64Array(0)
  /** [3 n] where rubbing takes each particle to have been when the substep began [m]. */
  from = new Float64Array(0)
  private own = new Float64Array(0)
  private marks = new Uint8Array(0)
  /** By particle that is pressed, how it gives way [1/kg]. */
  private giving = new Float64Array(0)
  /** What `from` is where anything is pressed [3 n] m. */
  private rest = new Float64Array(0)
  private normals = new Float64Array(0)
  /** Live bodies that have been looked at, and by live body, 1 for these. */
  private bodies = new Uint32Array(0)
  private looked = new Uint8Array(0)
  private count = 0

  /** @param h length of a substep [s], by array */
  constructor(
    private readonly pairs: SoftPairs,
    private readonly surfaces: Surfaces,
    private readonly h: Float64Array,
  ) {}

  /** Looks, constraints being solved, which particles among the listed pairs are borne. */
  find(state: State, list: SoftList, floors: Floors): void {
    this.forget()
    this.mobility = this.surfaces.mobility
    this.from = state.previous
    for (let l = 0; l < list.count; l++) this.ask(list.pairs[l]!)
    for (let k = 0; k < this.count; k++) floors.findStopped(state, this.bodies[k]!, this.marks, this.normals)
    let any = false
    for (let l = 0; l < list.count && this.count > 0; l++) any = this.press(list.pairs[l]!) || any
    if (!any) return
    this.own = roomy(this.own, state.masses.length)
    this.own.set(this.surfaces.mobility)
    this.rest = roomy(this.rest, state.previous.length)
    this.rest.set(state.previous)
    for (let k = 0; k < this.count; k++) {
      const { start, model } = this.surfaces.bodies[this.bodies[k]!]!
      for (let i = start; i < start + model.particleCount; i++) {
        if (this.marks[i] !== PRESSED) continue
        this.own[i] = Math.min(this.own[i]!, this.giving[i]!)
        this.leaveOut(state, i * 3)
      }
    }
    this.mobility = this.own
    this.from = this.rest
  }

  /**
   * What its own constraints have moved a pressed particle by along the collider, from p on, is left out of its rubbing: the
   * collider holds it back, and it weighs next to nothing; taken for the motion of what is ten times as heavy as the solid, it
   * would drive that.
   */
  private leaveOut({ positions: x, previous: y, velocities: v }: State, p: number): void {
    const { normals, rest } = this
    const h = this.h[0]!
    let into = 0
    for (let d = 0; d < 3; d++) into += (x[p + d]! - y[p + d]! - h * v[p + d]!) * normals[p + d]!
    for (let d = 0; d < 3; d++) rest[p + d] = x[p + d]! - h * v[p + d]! - into * normals[p + d]!
  }

  /** True for a pair of a solid and something thin that may push. */
  private isUneven(pair: number): boolean {
    const { pairs } = this
    const { solid } = this.surfaces
    return pairs.silent[pair] === 0 && solid[pairs.first[pair]!] !== solid[pairs.second[pair]!]
  }

  /** Asks for what is thin of such a pair. */
  private ask(pair: number): void {
    if (!this.isUneven(pair)) return
    const { pairs, marks, looked } = this
    const { solid, bodyOf } = this.surfaces
    const thin = solid[pairs.first[pair]!] === 1 ? pairs.second[pair]! : pairs.first[pair]!
    if (looked[thin] === 0) {
      looked[thin] = 1
      this.bodies[this.count++] = thin
    }
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const i = pairs.particles[k]!
      if (bodyOf[i] === thin) marks[i] = MARK.ASKED
    }
  }

  /** Marks what such a pair presses onto a collider; true where it presses anything. */
  private press(pair: number): boolean {
    if (!this.isUneven(pair)) return false
    const { pairs, marks, normals, giving } = this
    let any = false
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const i = pairs.particles[k]!
      if (marks[i]! < MARK.STOPPED || pairs.weights[k] === 0) continue
      let along = 0
      for (let d = 0; d < 3; d++) along += normals[i * 3 + d]! * pairs.normals[pair * 3 + d]!
      const into = pairs.weights[k]! < 0 ? along : -along
      if (!(into > INTO)) continue
      this.weighSolid(pair)
      const give = SHARE * solidMobility[0]!
      giving[i] = marks[i] === PRESSED ? Math.min(giving[i]!, give) : give
      marks[i] = PRESSED
      any = true
    }
    return any
  }

  /** Sets `solidMobility` to how the solid of such a pair gives way where it touches. */
  private weighSolid(pair: number): void {
    const { particles, weights } = this.pairs
    const { solid, bodyOf, mobility } = this.surfaces
    let sum = 0
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const i = particles[k]!
      if (solid[bodyOf[i]!] === 1) sum += weights[k]! * weights[k]! * mobility[i]!
    }
    solidMobility[0] = sum
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
    this.giving = roomy(this.giving, particles)
    this.bodies = roomy(this.bodies, this.surfaces.bodies.length)
    this.looked = roomy(this.looked, this.surfaces.bodies.length)
    this.marks.fill(0)
    this.looked.fill(0)
  }
}

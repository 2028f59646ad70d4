import { WHOLE } from '../../jointRecord.js'
import { addInertia, solveInertia } from '../../math/inertia.js'
import { isLoose } from '../../model.js'
import type { BodyRecord } from '../../records.js'
import type { State } from '../../state.js'
import { roomy } from './columns.js'
import { rootOf } from './forest.js'

/** Knows whether a collider pushes the `b`-th live body in this substep. */
export interface Grounds {
  touches(b: number): boolean
}

/** Sums of a group: mass; sum m x and sum m v; then, about the centre, angular momentum and inertia. */
const SUM = { MASS: 0, X: 1, V: 4, L: 7, I: 10, SIZE: 16 } as const

const spin = new Float64Array(3)
const arm = new Float64Array(3)
const lost = new Float64Array(3)

/**
 * Bodies that touch each other within a substep are a group (union-find). One in which nothing is pinned, attached, pushed
 * by a collider or joined to what is not of the group keeps its angular momentum about its centre of mass: friction over
 * a gap of two thicknesses, and the projections of the bodies themselves, change it a little, and a rigid spin gives that
 * back. Linear momentum is kept by every pair. What a joint leads has the spin that it is left: to give back what the
 * joint has taken would drive it.
 */
export class SoftGroups {
  private bodies: readonly BodyRecord[] = []
  private parents = new Uint32Array(0)
  /** By live body: 1 where it touches another one. */
  private joined = new Uint8Array(0)
  /** By live body: 1 where it is pinned, attached or asleep; by the first of a group, where its group is held from outside. */
  held = new Uint8Array(0)
  private grounded = new Uint8Array(0)
  /** By the first of a group: 1 where nothing holds the particles of one of its bodies together. */
  private loose = new Uint8Array(0)
  /** By the first of a group: 1 where a joint or a spring leads out of it. */
  private led = new Uint8Array(0)
  /** By particle of the state: the index of its body among the live ones. */
  private bodyOf: Uint32Array = new Uint32Array(0)
  private sums = new Float64Array(0)
  /** By first of a group: L to keep [kg m^2/s]. */
  private kept = new Float64Array(0)
  private any = false

  /** A step begins: looks which bodies are held. @param bodyOf by particle the index of its body among the live ones */
  begin(state: State, bodyOf: Uint32Array): void {
    const bodies = state.bodies.live
    this.bodies = bodies
    this.bodyOf = bodyOf
    this.parents = roomy(this.parents, bodies.length)
    this.joined = roomy(this.joined, bodies.length)
    this.held = roomy(this.held, bodies.length)
    this.grounded = roomy(this.grounded, bodies.length)
    this.loose = roomy(this.loose, bodies.length)
    this.led = roomy(this.led, bodies.length)
    this.sums = roomy(this.sums, bodies.length * SUM.SIZE)
    this.kept = roomy(this.kept, bodies.length * 3)
    this.any = false
    for (let b = 0; b < bodies.length; b++) {
      const { start, model, asleep } = bodies[b]!
      this.held[b] = asleep ? 1 : 0
      for (let i = start; i < start + model.particleCount; i++) {
        if (state.inverseMasses[i] !== 0) continue
        this.held[b] = 1
        break
      }
    }
    for (let a = 0; a < state.attachments.live.length; a++) {
      const body = state.bodies.get(state.attachments.live[a]!.body)
      if (body) this.held[bodyOf[body.start]!] = 1
    }
  }

  /** Forgets who touches whom. */
  clear(): void {
    this.any = false
    for (let b = 0; b < this.bodies.length; b++) {
      this.parents[b] = b
      this.loose[b] = 0
      this.joined[b] = 0
    }
  }

  /** Two live bodies push each other. */
  join(a: number, b: number): void {
    this.any = true
    this.joined[a] = 1
    this.joined[b] = 1
    const first = rootOf(this.parents, a)
    const second = rootOf(this.parents, b)
    if (isLoose(this.bodies[a]!.model) || isLoose(this.bodies[b]!.model)) {
      this.loose[first] = 1
      this.loose[second] = 1
    }
    this.loose[Math.min(first, second)] = Math.max(this.loose[first]!, this.loose[second]!)
    if (first < second) this.parents[second] = first
    else this.parents[first] = second
  }

  /** True where the `b`-th live body has pushed another one, or moved it. */
  has(b: number): boolean {
    return this.joined[b] === 1
  }

  /** True where the `b`-th live body's group is held from outside, by a collider or a pin. */
  isGrounded(b: number): boolean {
    return this.joined[b] === 1 && this.grounded[rootOf(this.parents, b)] === 1
  }

  /**
   * Notes what free groups have to keep: contacts are solved, velocities are still those that forces have made.
   * @param spins by live body: what it has got by being put elsewhere, which is not to be kept [3 n] kg m^2/s
   */
  note(state: State, colliders: Grounds, spins: Float64Array): void {
    if (!this.any) return
    const count = this.bodies.length
    this.grounded.fill(0, 0, count)
    for (let b = 0; b < count; b++) {
      if (this.joined[b] === 0) continue
      if (this.held[b] === 1 || colliders.touches(b)) this.grounded[rootOf(this.parents, b)] = 1
    }
    this.findLed(state)
    this.measure(state, state.previous)
    for (let b = 0; b < count; b++) {
      for (let d = 0; d < 3; d++) this.kept[b * 3 + d] = this.sums[b * SUM.SIZE + SUM.L + d]!
    }
    for (let b = 0; b < count; b++) {
      if (this.joined[b] === 0) continue
      const first = rootOf(this.parents, b) * 3
      for (let d = 0; d < 3; d++) this.kept[first + d] = this.kept[first + d]! - spins[b * 3 + d]!
    }
  }

  /** Gives free groups the angular momentum back that they have lost. */
  restore(state: State): void {
    if (!this.any) return
    const { positions: x, velocities: v } = state
    this.measure(state, x)
    for (let b = 0; b < this.bodies.length; b++) {
      if (!this.isFree(b)) continue
      const o = rootOf(this.parents, b) * SUM.SIZE
      if (!this.solve(o)) continue
      const { sums } = this
      const { start, model } = this.bodies[b]!
      const mass = sums[o + SUM.MASS]!
      const cx = sums[o + SUM.X]! / mass
      const cy = sums[o + SUM.X + 1]! / mass
      const cz = sums[o + SUM.X + 2]! / mass
      const wx = spin[0]!
      const wy = spin[1]!
      const wz = spin[2]!
      const end = (start + model.particleCount) * 3
      for (let p = start * 3; p < end; p += 3) {
        const rx = x[p]! - cx
        const ry = x[p + 1]! - cy
        const rz = x[p + 2]! - cz
        v[p] = v[p]! + wy * rz - wz * ry
        v[p + 1] = v[p + 1]! + wz * rx - wx * rz
        v[p + 2] = v[p + 2]! + wx * ry - wy * rx
      }
    }
  }

  /** Looks which groups have a joint or a spring that leads to another body or to a frame. */
  private findLed({ bodies, joints }: State): void {
    this.led.fill(0, 0, this.bodies.length)
    for (let j = 0; j < joints.live.length; j++) {
      const { body, other, broken } = joints.live[j]!
      if (broken[0] !== WHOLE) continue
      const first = rootOf(this.parents, this.bodyOf[bodies.get(body)!.start]!)
      const second = other ? rootOf(this.parents, this.bodyOf[bodies.get(other)!.start]!) : -1
      if (first === second) continue
      this.led[first] = 1
      if (second >= 0) this.led[second] = 1
    }
  }

  private isFree(b: number): boolean {
    if (this.joined[b] === 0) return false
    const first = rootOf(this.parents, b)
    // What is loose cannot spin as a whole.
    return this.grounded[first] === 0 && this.led[first] === 0 && this.loose[first] === 0
  }

  /** Sums over the free groups at the places x, at the numbers of their first bodies. */
  private measure({ velocities: v, masses }: State, x: Float64Array): void {
    const { sums } = this
    sums.fill(0, 0, this.bodies.length * SUM.SIZE)
    for (let round = 0; round < 2; round++) {
      for (let b = 0; b < this.bodies.length; b++) {
        if (!this.isFree(b)) continue
        const o = rootOf(this.parents, b) * SUM.SIZE
        const { start, model } = this.bodies[b]!
        for (let i = start; i < start + model.particleCount; i++) {
          if (round === 0) this.addMomentum(masses, i, x, v, o)
          else this.addSpin(masses, i, x, v, o)
        }
      }
    }
  }

  private addMomentum(masses: Float64Array, i: number, x: Float64Array, v: Float64Array, o: number): void {
    const { sums } = this
    const m = masses[i]!
    const p = i * 3
    sums[o] = sums[o]! + m
    for (let d = 0; d < 3; d++) {
      sums[o + SUM.X + d] = sums[o + SUM.X + d]! + m * x[p + d]!
      sums[o + SUM.V + d] = sums[o + SUM.V + d]! + m * v[p + d]!
    }
  }

  private addSpin(masses: Float64Array, k: number, x: Float64Array, v: Float64Array, o: number): void {
    const { sums } = this
    const m = masses[k]!
    const p = k * 3
    const mass = sums[o]!
    for (let d = 0; d < 3; d++) arm[d] = x[p + d]! - sums[o + SUM.X + d]! / mass
    const ux = m * (v[p]! - sums[o + SUM.V]! / mass)
    const uy = m * (v[p + 1]! - sums[o + SUM.V + 1]! / mass)
    const uz = m * (v[p + 2]! - sums[o + SUM.V + 2]! / mass)
    const l = o + SUM.L
    sums[l] = sums[l]! + arm[1]! * uz - arm[2]! * uy
    sums[l + 1] = sums[l + 1]! + arm[2]! * ux - arm[0]! * uz
    sums[l + 2] = sums[l + 2]! + arm[0]! * uy - arm[1]! * ux
    addInertia(sums, o + SUM.I, arm, masses, k)
  }

  /** spin = I^-1 (L to keep - L), of the group whose sums begin at o; false where it has no inertia about some axis. */
  private solve(o: number): boolean {
    const { sums, kept } = this
    const g = (o / SUM.SIZE) * 3
    for (let d = 0; d < 3; d++) lost[d] = kept[g + d]! - sums[o + SUM.L + d]!
    return solveInertia(sums, o + SUM.I, lost, spin)
  }
}

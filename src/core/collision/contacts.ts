import type { State } from '../state.js'
import type { WorldSettings } from '../worldSettings.js'
import { END, type Held, START } from './holds.js'
import { given, Impacts } from './impacts.js'
import { Roughness } from './roughness.js'
import { roomy } from './soft/columns.js'
import { before, frame, point, query, slip } from './touching.js'

/** Speed at which what was put inside a collider comes out [m/s]. */
const RECOVERY_SPEED = 2

const SECOND = Float64Array.of(1)

/** Most sweeps over the pairs of a body whose feelers push. */
const SHARED_SWEEPS = 16

/**
 * What is clear by more than this many times the most that a point has been moved in the present sweep, or in the one
 * before, is left out: should it be moved further it is looked at in the next.
 */
const CLEAR = 2

/** After so many sweeps points are looked for anew. */
const LOOK_AGAIN = 4

/** They end when none changes a point's place by more than this part of the most in the first sweep. */
const SETTLED = 1e-3

/** The most that a sweep has moved a point along the normal, or by friction [m]. */
const change = new Float64Array(1)
/** How far points may have come in the sweeps before this one [m]. */
const gone = new Float64Array(1)
/** By how much a point must be clear, so as not to be looked at [m]. */
const margin = new Float64Array(1)
/** Where the shortest way out of a collider leads [m]. */
const exit = new Float64Array(3)
/** How far a point has come down on a surface in this substep [m]. */
const down = new Float64Array(1)

/**
 * Contacts of particles and feelers with colliders.
 *
 * `search` lists, once a step, the pairs that may touch during it. `project` then runs last in each substep: the way
 * of a fast point is followed to its impacts; of a point's other pairs the one that is most off is resolved first, along
 * the collider's normal, with Coulomb friction by position against the collider's own motion. `bounce` gives back a share
 * of the approach speed after velocities are known (Mueller et al. 2020).
 */
export class Contacts extends Impacts {
  /** How far a point that was inside a collider already comes out in a substep [m]. */
  protected readonly recovery = new Float64Array(1)
  private substep = 0
  private substeps = 1
  private readonly roughness = new Roughness()
  /** The points of the body in hand that may touch: their first pairs. */
  private near = new Uint32Array(0)
  private nearCount = 0

  override search(state: State, settings: Readonly<WorldSettings>): void {
    super.search(state, settings)
    this.impacts = 0
    this.roughness.begin(settings)
  }

  /** Takes the colliders' poses over substep `substep` of `substeps`, of h[0] each [s], and forgets the last pushes. */
  beginSubstep(state: State, substep: number, substeps: number, h: Float64Array): void {
    if (this.colliders.length > 0) this.roughness.note(state, h)
    this.recovery[0] = RECOVERY_SPEED * h[0]!
    this.h[0] = h[0]!
    this.substep = substep
    this.substeps = substeps
    this.clear()
  }

  /** Forgets all pushes. */
  private clear(): void {
    this.active = 0
    if (this.count === 0) return
    this.poses.set(this.colliders, this.substep, this.substep + 1, this.substeps)
    this.poses.setCarried(this.colliders)
    this.push.fill(0, 0, this.count)
    this.drag.fill(0, 0, this.count)
    this.moved.fill(0, 0, this.count)
    this.rubbed.fill(0, 0, this.count * 3)
    this.struck.fill(0, 0, this.count)
    this.hits.fill(0, 0, this.count)
  }

  /**
   * Resolves all pairs. Where a body's feelers push, they share particles and push too much at first: further sweeps
   * take back what was too much, down to no push at all, until nothing moves. Contact then drives nothing, and what lies
   * still does not tremble.
   * @param pushed whether surfaces may have pushed each other in this substep
   */
  project(state: State, pushed: boolean): void {
    this.sunk.lift(state, this.recovery)
    if (this.searchAgain(state, this.substep, pushed)) this.clear()
    for (let b = 0; b < state.bodies.live.length; b++) this.projectBody(state, b)
    this.holdWays(state, false)
  }

  /** Resolves the pairs of the `b`-th live body. */
  projectBody(state: State, b: number): void {
    const first = this.bodyPairs[b]!
    const end = this.bodyPairs[b + 1]!
    if (first === end) return
    this.roughness.take(state.bodies.live[b]!)
    change[0] = 0
    gone[0] = 0
    this.sweepAll(state, b)
    if (!this.isShared(first, end)) return
    const settled = SETTLED * change[0]
    for (let k = 1; k < SHARED_SWEEPS && change[0] > settled; k++) {
      gone[0] = gone[0] + CLEAR * change[0]
      if (k % LOOK_AGAIN === 0) this.findNear(state, b)
      change[0] = 0
      this.sweepNear(state)
    }
    // A feeler beside the tetrahedra presses some of their particles down: these have the last word.
    for (let pair = first; pair < end; pair++) {
      if (this.weights[pair * 4] !== 1) continue
      this.locate(state, pair)
      if (this.measure(pair) && query[3]! < this.thickness[pair]!) this.resolve(state, pair)
    }
  }

  /**
   * Holds the points that something has sent through a surface since.
   * @param deep whether what was sent into a solid is held at its surface too, for as long as it had not been in it
   * @param held is told of each point
   */
  holdWays(state: State, deep: boolean, held?: Held): void {
    this.held = held
    if (deep) this.holdOut(state)
    if (this.passable) {
      this.holdAll(state, true)
      this.holdAll(state, false)
    }
    this.held = undefined
  }

  /** Holds the points that have been put elsewhere, `previous` too, and through a surface. @param from where that was [m], [3 n] */
  holdPlaces(state: State, from: Float64Array): void {
    if (!this.passable) return
    for (let first = 0; first < this.count; first += this.group[first]!) {
      this.holdPut(state, first, this.group[first]!, from)
    }
  }

  /** True where a feeler pushes among the pairs from `first` to `end`. */
  private isShared(first: number, end: number): boolean {
    for (let pair = first; pair < end; pair++) {
      if (this.weights[pair * 4] !== 1 && this.push[pair] !== 0) return true
    }
    return false
  }

  /** Resolves all points of the `b`-th live body, which are then listed as near unless they are clear. */
  private sweepAll(state: State, b: number): void {
    const end = this.bodyPairs[b + 1]!
    this.near = roomy(this.near, end - this.bodyPairs[b]!)
    this.nearCount = 0
    this.findStrays(state, b)
    for (let first = this.bodyPairs[b]!; first < end; first += this.group[first]!) {
      margin[0] = CLEAR * change[0]!
      this.gap[first] = 0
      if (this.staysClear(first, margin)) continue
      this.near[this.nearCount++] = first
      this.locate(state, first)
      if (this.passable) this.stop(state, first)
      this.resolvePoint(state, first)
    }
  }

  /** Lists the points of the `b`-th live body that are near now. */
  private findNear(state: State, b: number): void {
    const end = this.bodyPairs[b + 1]!
    this.nearCount = 0
    this.findStrays(state, b)
    margin[0] = CLEAR * change[0]!
    for (let first = this.bodyPairs[b]!; first < end; first += this.group[first]!) {
      if (this.staysClear(first, margin)) continue
      this.near[this.nearCount++] = first
    }
  }

  /** Resolves the near points again, but for those that have been measured and are clear. */
  private sweepNear(state: State): void {
    for (let k = 0; k < this.nearCount; k++) {
      const first = this.near[k]!
      if (this.gap[first]! > gone[0]!) continue
      this.locate(state, first)
      this.resolvePoint(state, first)
    }
  }

  /** Stops a located point that is fast, or astray, where it came in. */
  private stop(state: State, first: number): void {
    this.astray = this.isAstray(first, this.group[first]!)
    if (!this.astray && !this.isFast(state, first)) return
    this.strike(state, first, this.group[first]!)
    this.locate(state, first)
  }

  /** Resolves the pairs of a located point, the one that is most off first. */
  private resolvePoint(state: State, first: number): void {
    const end = first + this.group[first]!
    if (end - first === 1) {
      query[3] = 0 // what is known to be clear is not measured: it is looked at in every sweep
      const meets = this.measure(first)
      this.gap[first] = query[3] - this.thickness[first]! + gone[0]!
      if (meets) this.resolve(state, first)
      return
    }
    this.gap[first] = 0
    for (let pair = first; pair < end; pair++) this.resolved[pair] = 0
    let turn = 0
    for (; turn < end - first; turn++) {
      if (turn > 0) this.locate(state, first)
      let worst = -1
      let most = 0
      for (let pair = first; pair < end; pair++) {
        if (this.resolved[pair] || this.waits(pair, first) || !this.measure(pair)) continue
        // In it, or pushed further out than to its surface.
        const off = Math.abs(Math.max(this.thickness[pair]! - query[3]!, -this.push[pair]!))
        if (off > most) {
          most = off
          worst = pair
        }
      }
      if (worst < 0) break
      this.resolved[worst] = 1
      this.measure(worst)
      this.resolve(state, worst)
    }
    if (turn > 0) this.hold(state, first, end - first)
  }

  /**
   * True where the shortest way of a located point out of a collider is not back to where it came in: it leads into another
   * collider, as at the seam of two boxes, or on across one, as near a rim or in what is round. It is stopped where it came in.
   */
  private isAstray(first: number, size: number): boolean {
    const end = first + size
    for (let pair = first; pair < end; pair++) {
      const c = this.collider[pair]!
      if ((pair > first && c === this.collider[pair - 1]) || !this.measure(pair) || query[3]! >= 0) continue
      const far = this.thickness[pair]! - query[3]!
      let along = 0
      for (let d = 0; d < 3; d++) {
        exit[d] = point[d]! + far * frame[d]!
        along += (exit[d]! - before[d]! - frame[3 + d]!) * frame[d]!
      }
      if (along > this.recovery[0]! && !this.isWithin(pair, START, before)) return true
      for (let other = first; other < end; other++) {
        if (this.collider[other] !== c && this.isWithin(other, END, exit)) return true
      }
    }
    return false
  }

  /** Pushes the point of a pair out to the thickness, then rubs. Needs `locate` and `measure`. */
  private resolve(state: State, pair: number): void {
    const w = state.inverseMasses
    const at = pair * 4
    let weight = 0
    for (let k = at; k < at + 4; k++) weight += this.weights[k]! * this.weights[k]! * w[this.particles[k]!]!
    if (weight === 0) return // pinned
    const nx = frame[0]!
    const ny = frame[1]!
    const nz = frame[2]!
    // What is left of the relative movement of this substep, once pushed out.
    let depth = Math.max(this.thickness[pair]! - query[3]!, -this.push[pair]!)
    let tx = point[0]! + depth * nx - before[0]! - frame[3]!
    let ty = point[1]! + depth * ny - before[1]! - frame[4]!
    let tz = point[2]! + depth * nz - before[2]! - frame[5]!
    const along = tx * nx + ty * ny + tz * nz
    // Along the normal that is how deep the point was before: such a depth is left at a walk, not at depth / h.
    const excess = Math.max(0, along - this.recovery[0]!)
    depth -= excess
    if (excess > 0 && depth <= 0) return // on its way out
    down[0] = 0
    if (this.push[pair] === 0 && this.struck[pair] === 0) {
      down[0] = depth - along
      this.active++
      this.remember(state, pair)
    }
    this.push[pair] = this.push[pair]! + depth
    this.moved[pair] = this.moved[pair]! + depth
    tx -= along * nx
    ty -= along * ny
    tz -= along * nz
    slip[0] = tx
    slip[1] = ty
    slip[2] = tz
    this.rubPoint(pair)
    const ux = slip[0]
    const uy = slip[1]
    const uz = slip[2]
    change[0] = Math.max(change[0]!, Math.abs(depth), Math.sqrt(ux * ux + uy * uy + uz * uz))
    const cx = depth * nx + ux
    const cy = depth * ny + uy
    const cz = depth * nz + uz
    const x = state.positions
    for (let k = at; k < at + 4; k++) {
      const s = (this.weights[k]! * w[this.particles[k]!]!) / weight
      if (s === 0) continue
      const p = this.particles[k]! * 3
      x[p] = x[p]! + s * cx
      x[p + 1] = x[p + 1]! + s * cy
      x[p + 2] = x[p + 2]! + s * cz
    }
    this.roughness.scatter(x, this.particles[at]!, frame, down)
  }

  /** Keeps the normal and the approach speed of a pair, for the bounce. */
  protected remember(state: State, pair: number): void {
    for (let d = 0; d < 3; d++) this.normals[pair * 3 + d] = frame[d]!
    if (this.restitution[pair] === 0) return
    const v = state.velocities
    let approach = 0
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const p = this.particles[k]! * 3
      for (let d = 0; d < 3; d++) approach += this.weights[k]! * v[p + d]! * frame[d]!
    }
    this.approach[pair] = approach
  }

  /**
   * Gives back a share of each approach speed, where it is more than resting under gravity makes. After an impact, which
   * falls within the substep, a velocity that is the mean over the substep gives way to the one after the impact.
   */
  bounce(state: State, settings: Readonly<WorldSettings>): void {
    if (this.active === 0) return
    const h = settings.timeStep / settings.substeps
    const v = state.velocities
    const w = state.inverseMasses
    const gx = settings.gravity[0]
    const gy = settings.gravity[1]
    const gz = settings.gravity[2]
    const g = Math.sqrt(gx * gx + gy * gy + gz * gz)
    let leaves = false
    for (let pair = 0; pair < this.count; pair++) {
      if (this.group[pair] !== 0) leaves = this.hits[pair] !== 0 && this.leaves(state, pair)
      const struck = this.struck[pair] === 1
      let e = this.restitution[pair]!
      if (leaves ? struck : e === 0 && !struck) continue
      if (this.push[pair] === 0) continue
      const n = pair * 3
      const nx = this.normals[n]!
      const ny = this.normals[n + 1]!
      const nz = this.normals[n + 2]!
      this.findMatter(state, pair)
      const surface = frame[3]! * nx + frame[4]! * ny + frame[5]! * nz // its speed along the normal
      const scale = this.gravityScale[pair]!
      // The speed before this substep's share of gravity: the bounce then never gains energy.
      const falling = (gx * nx + gy * ny + gz * nz) * scale * h
      const approach = struck ? this.approach[pair]! : this.approach[pair]! - falling - surface
      if (approach > -2 * (g * Math.abs(scale) + this.pulled[pair]!) * h) {
        if (!struck && !leaves) continue
        e = 0
      }
      let now = -surface
      let weight = 0
      for (let k = pair * 4; k < pair * 4 + 4; k++) {
        const b = this.weights[k]!
        const p = this.particles[k]! * 3
        now += b * (v[p]! * nx + v[p + 1]! * ny + v[p + 2]! * nz)
        weight += b * b * w[this.particles[k]!]!
      }
      const gain = -e * approach - now
      if (gain <= 0 || weight === 0) continue
      for (let k = pair * 4; k < pair * 4 + 4; k++) {
        const s = (gain * this.weights[k]! * w[this.particles[k]!]!) / weight
        const p = this.particles[k]! * 3
        v[p] = v[p]! + s * nx
        v[p + 1] = v[p + 1]! + s * ny
        v[p + 2] = v[p + 2]! + s * nz
      }
      this.moved[pair] = this.moved[pair]! + gain * h
      given[0] = gain
      if (!struck) continue
      for (let d = 0; d < 3; d++) frame[d] = this.normals[n + d]!
      this.poses.carry(this.collider[pair]!, SECOND, frame, frame, 3)
      this.rub(state, pair)
    }
  }
}

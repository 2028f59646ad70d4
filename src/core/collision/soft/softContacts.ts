import type { Stats } from '../../counters.js'
import { IMPACT, IMPACTS } from '../../impact.js'
import type { WorldSettings } from '../../settings.js'
import { type State, UNSTABLE } from '../../state.js'
import { TOUCH, type Touches } from '../touches.js'
import { meets } from './advance.js'
import { roomy } from './columns.js'
import { SoftAnchors } from './softAnchors.js'
import { type Grounds, SoftGroups } from './softGroups.js'
import { SoftList } from './softList.js'
import type { SoftPairs } from './softPairs.js'
import { SoftSearch } from './softSearch.js'
import { dampSlip } from './softSlips.js'
import { Zones } from './zones.js'

/** Speed at which what was too near comes apart [m/s], and the share of what is missing that a substep gives back. */
const RECOVERY_SPEED = 2
const RECOVERY_SHARE = 0.25

/** Sweeps over the pairs that touch: at least, and at most where they do not settle. */
const SWEEPS = 4
const MOST_SWEEPS = 40

/** What a sweep may still move a pair by, in thicknesses, when it counts as settled. */
const SETTLED = 1e-3

/** What surfaces do to a body in a substep. */
const LISTED = 1
const PUSHED = 2

/**
 * How near a pair must come on its way to count as met, in thicknesses: at first, so that it is kept in time; and where
 * that has not settled, since what passes by, however near, has not passed through.
 */
const NEAR = 0.2
const THROUGH = 0.02

/** Times that ways are followed again after contacts have moved what is on them, and then by zones. */
const ROUNDS = 8
const ZONE_ROUNDS = 30

/** Holds points that were sent through the surface of a collider. */
interface Walls {
  holdWays(state: State): void
}

/**
 * Contacts of soft bodies and sheets with each other and with themselves: surface against surface.
 *
 * `project` runs in each substep after the constraints. What touches is listed, with the normal of each pair; then the
 * pairs are solved one by one, over and over, down to no push at all, with weights by inverse mass, so that momentum
 * stays; friction by position against the motion of this substep. Colliders come next, and `confirm` follows the ways
 * once more, so that nothing has passed anything, however fast.
 */
export class SoftContacts {
  /** Pairs that pushed in the last substep. */
  active = 0
  /** Particles that had to be stopped, since their impacts could not be resolved, in the present step. */
  clamps = 0

  private readonly searcher = new SoftSearch()
  private readonly pairs: SoftPairs = this.searcher.pairs
  private readonly list = new SoftList(this.pairs, this.searcher.meetings)
  private readonly groups = new SoftGroups()
  private readonly anchors = new SoftAnchors(this.pairs)
  private settings: Readonly<WorldSettings> | undefined
  /** True where surfaces could meet at all. */
  private enabled = false
  private fresh = false
  private left = 1
  private readonly h = new Float64Array(1)
  /** By live body: `PUSHED` where another surface, or its own, pushes it in this substep, `LISTED` where one is near. */
  private touched = new Uint8Array(0)
  /** Where contacts found the particles [3 n] m, and by particle of a surface, how far they have moved it [m]. */
  private found = new Float64Array(0)
  private shifts = new Float64Array(0)
  /** What the last sweep has moved a pair by at most, in thicknesses. */
  /** 1 while sweeps rub, else 0. */
  private readonly rubs = new Float64Array(1)
  private readonly residual = new Float64Array(1)
  private readonly zones = new Zones()

  /** Pairs whose ways met within a substep, in the present step. */
  get impacts(): number {
    return this.list.impacts
  }

  /** A step begins. */
  begin(state: State, settings: Readonly<WorldSettings>): void {
    const { surfaces } = this.searcher
    this.settings = settings
    surfaces.bake(state)
    surfaces.joined.take(state, surfaces.bodyOf)
    this.enabled = surfaces.any
    if (this.enabled) {
      surfaces.lookWhoSleeps(state)
      this.groups.begin(state)
    }
    this.fresh = true
    this.list.impacts = 0
    this.clamps = 0
    this.active = 0
    this.list.count = 0
    this.pairs.count = 0
    this.touched = roomy(this.touched, surfaces.bodies.length)
    this.touched.fill(0, 0, surfaces.bodies.length)
  }

  /** A substep of h[0] [s] begins: forgets the last pushes. */
  beginSubstep(substep: number, substeps: number, h: Float64Array): void {
    if (!this.enabled) return
    this.left = substeps - substep
    this.h[0] = h[0]!
    this.active = 0
    this.list.count = 0
    this.pairs.clear()
    this.touched.fill(0, 0, this.searcher.surfaces.bodies.length)
  }

  /** True where a surface pushes the `b`-th live body in this substep, or is so near that it could. */
  touches(b: number): boolean {
    return this.touched[b] !== 0
  }

  /** Resolves all pairs; constraints are solved. */
  project(state: State): void {
    if (!this.enabled) return
    const { meetings } = this.searcher
    if (this.fresh || meetings.strayed(state)) {
      this.searcher.search(state, this.settings!, this.left, this.fresh)
      this.fresh = false
      this.pairs.clear()
      meetings.strayed(state)
    }
    this.searcher.tangles.draw(state, this.searcher.surfaces.mobility, this.h)
    this.searcher.overlaps.part(state, this.h)
    if (this.pairs.count === 0) return
    this.list.look(state)
    if (this.list.count === 0) return
    this.found = roomy(this.found, state.positions.length)
    this.found.set(state.positions)
    this.solve(state, this.list.pairs, this.list.count, true)
  }

  /**
   * Sweeps over the touching pairs, there and back, until none moves any more, to a part of its thickness. Each substep
   * does the same: what is left over would else go to and fro between them. What `rubs` finds how much is rubbed off; what
   * does not takes back what the pushes no longer bear, but adds nothing, so that also what is jammed settles.
   */
  private solve(state: State, pairs: Uint32Array, count: number, rubs: boolean): void {
    this.rubs[0] = rubs ? 1 : 0
    for (let k = 0; k < MOST_SWEEPS; k++) {
      this.residual[0] = 0
      for (let l = 0; l < count; l++) this.resolve(state, pairs[(k & 1) === 1 ? count - 1 - l : l]!)
      if (k + 1 >= SWEEPS && this.residual[0] < SETTLED) return
    }
  }

  /** Brings a pair apart to its thickness, or takes back what was too much, then rubs. */
  private resolve(state: State, pair: number): void {
    const { pairs } = this
    if (pairs.silent[pair] !== 0) return
    const { positions: x, previous: y } = state
    const w = this.searcher.surfaces.mobility
    const { particles, weights, normals, drag } = pairs
    const k = pair * 4
    const n = pair * 3
    const nx = normals[n]!
    const ny = normals[n + 1]!
    const nz = normals[n + 2]!
    let gx = 0
    let gy = 0
    let gz = 0
    let fx = 0
    let fy = 0
    let fz = 0
    let inverse = 0
    for (let l = k; l < k + 4; l++) {
      const b = weights[l]!
      const i = particles[l]!
      const p = i * 3
      inverse += b * b * w[i]!
      gx += b * x[p]!
      gy += b * x[p + 1]!
      gz += b * x[p + 2]!
      fx += b * y[p]!
      fy += b * y[p + 1]!
      fz += b * y[p + 2]!
    }
    if (inverse === 0) return
    const thickness = pairs.thickness[pair]!
    const before = fx * nx + fy * ny + fz * nz
    // What was too near before the substep comes apart at a walk.
    const missing = thickness - before
    let target = thickness
    if (missing > 0) target = before + Math.min(RECOVERY_SHARE * missing, RECOVERY_SPEED * this.h[0]!)
    const push = pairs.push[pair]!
    const depth = Math.max(target - (gx * nx + gy * ny + gz * nz), -push)
    if (push === 0) {
      if (depth <= 0) return
      this.remember(state, pair)
    }
    pairs.push[pair] = push + depth
    // What is left of the relative motion across the normal.
    let tx = gx - fx
    let ty = gy - fy
    let tz = gz - fz
    const along = tx * nx + ty * ny + tz * nz
    tx -= along * nx
    ty -= along * ny
    tz -= along * nz
    // Friction of the substep so far, less that, within the cone of the push so far.
    const rubs = this.rubs[0]!
    let rx = drag[n]! - rubs * tx
    let ry = drag[n + 1]! - rubs * ty
    let rz = drag[n + 2]! - rubs * tz
    const hold = pairs.friction[pair]! * (push + depth)
    const square = rx * rx + ry * ry + rz * rz
    if (square > hold * hold) {
      const scale = hold / Math.sqrt(square)
      rx *= scale
      ry *= scale
      rz *= scale
    }
    const ux = rx - drag[n]!
    const uy = ry - drag[n + 1]!
    const uz = rz - drag[n + 2]!
    drag[n] = rx
    drag[n + 1] = ry
    drag[n + 2] = rz
    const rub = Math.sqrt(ux * ux + uy * uy + uz * uz)
    this.residual[0] = Math.max(this.residual[0]!, (Math.abs(depth) + rub) / thickness)
    const cx = (depth * nx + ux) / inverse
    const cy = (depth * ny + uy) / inverse
    const cz = (depth * nz + uz) / inverse
    for (let l = k; l < k + 4; l++) {
      const i = particles[l]!
      const s = weights[l]! * w[i]!
      if (s === 0) continue
      const p = i * 3
      x[p] = x[p]! + s * cx
      x[p + 1] = x[p + 1]! + s * cy
      x[p + 2] = x[p + 2]! + s * cz
    }
  }

  /** Keeps the speed with which a pair's elements come together. */
  private remember({ velocities: v }: State, pair: number): void {
    const { pairs } = this
    let approach = 0
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const p = pairs.particles[k]! * 3
      for (let d = 0; d < 3; d++) approach += pairs.weights[k]! * v[p + d]! * pairs.normals[pair * 3 + d]!
    }
    pairs.approach[pair] = approach
  }

  /**
   * Follows the ways again, now that all contacts have moved things, until none meet; what these rounds send through the
   * surface of a collider is held there.
   */
  confirm(state: State, colliders: Walls): void {
    if (!this.enabled || this.list.count === 0) return
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) colliders.holdWays(state)
      const met = this.followAgain(state, round < 2)
      if (met === 0) return
      if (2 * round < ROUNDS) this.solve(state, this.list.pairs, this.list.count, false)
      // Whatever else they had to keep: what meets has the last word.
      this.solve(state, this.list.met, met, false)
    }
    this.zones.clear(state)
    for (let round = 0; round < ZONE_ROUNDS; round++) {
      const met = this.followAgain(state, false)
      if (met === 0) break
      for (let l = 0; l < met; l++) this.zones.join(this.pairs, this.list.met[l]!)
      this.zones.move(state, this.searcher.surfaces.mobility)
      colliders.holdWays(state)
    }
    this.noteClamps()
  }

  /** Lists the pairs that meet by now, or, where they do not settle, those that pass through; returns how many do. */
  private followAgain(state: State, settling: boolean): number {
    meets[0] = settling ? NEAR : THROUGH
    this.searcher.meetings.strayed(state)
    this.measureShifts(state)
    const met = this.list.followAgain(state, this.shifts)
    meets[0] = NEAR
    return met
  }

  /** How far contacts have moved the particles. */
  private measureShifts({ positions: x, masses }: State): void {
    const { surfaces, meetings } = this.searcher
    const { vertices, vertexStarts } = surfaces
    const { found } = this
    this.shifts = roomy(this.shifts, masses.length)
    for (let b = 0; b < surfaces.bodies.length; b++) {
      if (meetings.near[b] === 0) continue
      for (let v = vertexStarts[b]!; v < vertexStarts[b + 1]!; v++) {
        const p = vertices[v]! * 3
        const dx = x[p]! - found[p]!
        const dy = x[p + 1]! - found[p + 1]!
        const dz = x[p + 2]! - found[p + 2]!
        this.shifts[vertices[v]!] = Math.sqrt(dx * dx + dy * dy + dz * dz)
      }
    }
  }

  private noteClamps(): void {
    const { surfaces } = this.searcher
    this.clamps += this.zones.count
    for (let k = 0; k < this.zones.count; k++) {
      surfaces.bodies[surfaces.bodyOf[this.zones.members[k]!]!]!.unstable |= UNSTABLE.CONTACT
    }
  }

  /** What is to be counted of the step. */
  count(stats: Stats): void {
    stats.surfaceCandidates = this.pairs.count
    stats.surfaceContacts = this.active
    stats.crossings = this.enabled ? this.searcher.tangles.count : 0
    stats.contactClamps += this.clamps
  }

  /** Writes point and normal of each pair that pushes into `out` from its `count`-th on; returns how many there are then. */
  readContacts({ positions: x }: State, out: Float64Array, count: number): number {
    const { pairs } = this
    let written = count
    for (let l = 0; l < this.list.count; l++) {
      const pair = this.list.pairs[l]!
      if (!(pairs.push[pair]! > 0)) continue
      const at = 6 * written++
      if (at + 6 > out.length) continue
      for (let d = 0; d < 3; d++) {
        out[at + d] = 0
        out[at + 3 + d] = pairs.normals[pair * 3 + d]!
        for (let k = pair * 4; k < pair * 4 + 4; k++) {
          out[at + d] = out[at + d]! + 0.5 * Math.abs(pairs.weights[k]!) * x[pairs.particles[k]! * 3 + d]!
        }
      }
    }
    return written
  }

  /** Notes who touched whom, contacts being solved; `colliders` knows which bodies colliders push. */
  note(state: State, touches: Touches, colliders: Grounds): void {
    this.active = 0
    if (!this.enabled) return
    this.groups.clear()
    for (let l = 0; l < this.list.count; l++) this.notePair(state, touches, this.list.pairs[l]!)
    for (let b = 0; b < this.searcher.surfaces.bodies.length; b++) if (this.touched[b] === PUSHED) this.forgetImpacts(b)
    this.groups.note(state, colliders)
    if (this.active > 0) this.anchors.sort(this.list.pairs, this.list.count, this.searcher.surfaces.bodies.length)
  }

  /**
   * Adds the points where others push the `b`-th live body to what holds it while it is damped: a stack on the ground
   * comes to rest as a whole. Bodies that only hold each other are left free, so that damping takes no momentum.
   */
  anchor(state: State, b: number, out: { count: number; points: Float64Array }): void {
    if (this.active > 0 && this.groups.isGrounded(b)) this.anchors.add(state, b, out)
  }

  /** What another body gives or takes is no rebound from a collider. */
  private forgetImpacts(b: number): void {
    const { impacts } = this.searcher.surfaces.bodies[b]!
    for (let i = 0; i < IMPACTS * IMPACT.SIZE; i += IMPACT.SIZE) impacts[i + IMPACT.TIME] = 0
  }

  private notePair({ positions: x }: State, touches: Touches, pair: number): void {
    const w = this.searcher.surfaces.mobility
    const { pairs } = this
    const { touch } = touches
    const a = pairs.first[pair]!
    const b = pairs.second[pair]!
    const push = pairs.push[pair]!
    if (pairs.silent[pair] !== 1) {
      // Nothing may turn as a whole what lies this near, whether it pushes or not: its ways are settled.
      const state = push > 0 ? PUSHED : LISTED
      if (this.touched[a] !== PUSHED) this.touched[a] = state
      if (this.touched[b] !== PUSHED) this.touched[b] = state
    }
    if (push > 0) this.active++
    else if (pairs.silent[pair] !== 1) return
    if (a === b) return
    if (push > 0) this.groups.join(a, b)
    let inverse = 0
    for (let d = 0; d < 3; d++) {
      touch[TOUCH.POINT + d] = 0
      touch[TOUCH.NORMAL + d] = pairs.normals[pair * 3 + d]!
    }
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const weight = pairs.weights[k]!
      const i = pairs.particles[k]!
      inverse += weight * weight * w[i]!
      // Half way between the two points: each has half of its own weights.
      for (let d = 0; d < 3; d++) {
        touch[TOUCH.POINT + d] = touch[TOUCH.POINT + d]! + 0.5 * Math.abs(weight) * x[i * 3 + d]!
      }
    }
    touch[TOUCH.IMPULSE] = inverse > 0 ? push / (inverse * this.h[0]!) : 0
    touches.noteBodies(a, b)
  }

  /**
   * Velocities being known: gives back a share of each approach speed, where it is more than resting under gravity makes,
   * damps slips, and gives their angular momentum back to bodies that nothing else touches.
   * @param slipShares by live body, what its points lose of their slip in the substep
   */
  bounce(state: State, slipShares: readonly Float64Array[]): void {
    if (this.active === 0) return
    const { velocities: v } = state
    const w = this.searcher.surfaces.mobility
    const { pairs } = this
    const { particles, weights, normals } = pairs
    for (let l = 0; l < this.list.count; l++) {
      const pair = this.list.pairs[l]!
      const struck = pairs.struck[pair] === 1
      const restitution = pairs.restitution[pair]!
      if (pairs.push[pair]! <= 0 || (restitution === 0 && !struck)) continue
      let bounce = -restitution * pairs.approach[pair]!
      if (pairs.approach[pair]! > -pairs.slowest[pair]!) {
        if (!struck) continue
        bounce = 0
      }
      const n = pair * 3
      let now = 0
      let inverse = 0
      for (let k = pair * 4; k < pair * 4 + 4; k++) {
        const b = weights[k]!
        const i = particles[k]!
        const p = i * 3
        inverse += b * b * w[i]!
        now += b * (v[p]! * normals[n]! + v[p + 1]! * normals[n + 1]! + v[p + 2]! * normals[n + 2]!)
      }
      const gain = bounce - now
      if (gain <= 0 || inverse === 0) continue
      for (let k = pair * 4; k < pair * 4 + 4; k++) {
        const s = (gain * weights[k]! * w[particles[k]!]!) / inverse
        const p = particles[k]! * 3
        for (let d = 0; d < 3; d++) v[p + d] = v[p + d]! + s * normals[n + d]!
      }
    }
    this.dampSlips(state, slipShares)
    this.groups.restore(state)
  }

  /** Contact damping of surfaces that touch: the larger share of the two bodies counts, and each pair keeps its momentum. */
  private dampSlips(state: State, shares: readonly Float64Array[]): void {
    const { pairs } = this
    const w = this.searcher.surfaces.mobility
    for (let l = 0; l < this.list.count; l++) {
      const pair = this.list.pairs[l]!
      if (!(pairs.push[pair]! > 0)) continue
      const one = shares[pairs.first[pair]!]!
      const two = shares[pairs.second[pair]!]!
      const share = one[0]! > two[0]! ? one : two
      if (share[0] !== 0) dampSlip(state, pairs, pair, w, share)
    }
  }
}

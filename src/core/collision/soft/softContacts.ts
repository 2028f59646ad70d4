import type { Stats } from '../../counters.js'
import { IMPACT, IMPACTS } from '../../impact.js'
import type { Spin } from '../../spin.js'
import type { State } from '../../state.js'
import type { WorldSettings } from '../../worldSettings.js'
import { TOUCH, type Touches } from '../touches.js'
import { Borne, type Floors } from './borne.js'
import { roomy } from './columns.js'
import { Passages, type Walls } from './passages.js'
import { Rooms } from './rooms.js'
import { SoftAnchors } from './softAnchors.js'
import { bouncePairs, dampSlips } from './softBounces.js'
import { type Grounds, SoftGroups } from './softGroups.js'
import { SoftList } from './softList.js'
import type { SoftPairs } from './softPairs.js'
import { SoftRebounds } from './softRebounds.js'
import { SoftSearch } from './softSearch.js'
import { SoftSolver } from './softSolver.js'
import { Standing } from './standing.js'
import { allowWork, beginWork, isSpent, takeUp } from './work.js'

/** What surfaces do to a body in a substep. */
const LISTED = 1
const PUSHED = 2

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

  private readonly h = new Float64Array(1)
  private readonly searcher = new SoftSearch()
  private readonly pairs: SoftPairs = this.searcher.pairs
  private readonly list = new SoftList(this.pairs, this.searcher.meetings, this.searcher.surfaces)
  private readonly groups = new SoftGroups()
  private readonly borne = new Borne(this.pairs, this.searcher.surfaces, this.h)
  private readonly solver = new SoftSolver(this.pairs, this.borne, this.h)
  private readonly passages = new Passages(this.searcher, this.pairs, this.list, this.solver)
  private readonly anchors = new SoftAnchors(this.pairs)
  private readonly standing = new Standing()
  private readonly rebounds = new SoftRebounds(this.searcher.surfaces, this.groups)
  private readonly rooms = new Rooms()
  /** Where particles had been before they were put elsewhere, [3 n]. */
  private placed = new Float64Array(0)
  private settings: Readonly<WorldSettings> | undefined
  /** True where surfaces could meet at all. */
  private enabled = false
  private fresh = false
  private left = 1
  /** By live body: `PUSHED` where another surface, or its own, pushes it in this substep, `LISTED` where one is near. */
  private touched = new Uint8Array(0)

  /** Pairs whose ways met within a substep, in the present step. */
  get impacts(): number {
    return this.list.impacts
  }

  /** A step begins. */
  begin(state: State, settings: Readonly<WorldSettings>): void {
    const { surfaces } = this.searcher
    this.settings = settings
    this.passages.begin(settings)
    surfaces.bake(state)
    surfaces.joined.take(state, surfaces.bodyOf)
    this.enabled = surfaces.any
    if (this.enabled) {
      surfaces.lookWhoSleeps(state)
      this.groups.begin(state, surfaces.bodyOf)
      this.borne.begin(state.masses.length)
    }
    this.searcher.meetings.crowds.clear()
    this.fresh = true
    beginWork()
    this.list.impacts = 0
    this.active = 0
    this.list.clear(surfaces.bodies.length)
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
    this.list.clear(this.searcher.surfaces.bodies.length)
    this.pairs.clear()
    this.touched.fill(0, 0, this.searcher.surfaces.bodies.length)
    this.searcher.overlaps.beginSubstep(this.searcher.surfaces.bodies.length)
    this.rooms.begin(this.searcher.surfaces.bodies.length)
  }

  /** True where surfaces are so near in this substep that they may push. */
  get near(): boolean {
    return this.enabled && this.list.count > 0
  }

  /** True where a surface pushes the `b`-th live body in this substep, or is so near that it could. */
  touches(b: number): boolean {
    return this.touched[b] !== 0
  }

  /** True where the `b`-th live body is about to be turned as one with others that it has touched, or been moved out of. */
  turns(b: number): boolean {
    return this.enabled && this.groups.has(b)
  }

  /** True where a pair of surfaces in this substep has the `b`-th live body in it, before `note` as well. */
  isNear(b: number): boolean {
    return this.list.count > 0 && this.list.listed[b] === 1
  }

  /**
   * Resolves all pairs; constraints are solved. `colliders` know what they bear. Where the step has spent its work, only
   * the `last` iteration of a substep, whose ways are the ones that are gone, has contact.
   */
  project(state: State, colliders: Floors & Walls, last: boolean): void {
    if (!this.enabled || (!last && isSpent())) return
    takeUp()
    const { meetings } = this.searcher
    if (this.fresh || meetings.strayed(state)) {
      this.searcher.search(state, this.settings!, this.left, this.fresh)
      this.fresh = false
      this.list.clear(this.searcher.surfaces.bodies.length)
      this.pairs.clear()
      meetings.strayed(state)
    }
    this.putApart(state, colliders)
    if (this.pairs.count === 0) return
    allowWork(this.pairs.count)
    this.list.look(state)
    this.passages.remember(state, this.left)
    // Also where nothing is near: ways that meet are settled by how particles give way.
    this.borne.find(state, this.list, colliders)
    if (this.list.count === 0) return
    this.solver.solve(state, this.list.pairs, this.list.count, true)
  }

  /** Puts elsewhere what crosses, overlaps or crowds. */
  private putApart(state: State, colliders: Walls): void {
    const { overlaps, tangles, meetings } = this.searcher
    const puts = tangles.count + overlaps.count + meetings.crowds.count > 0
    if (puts) {
      this.placed = roomy(this.placed, state.previous.length)
      this.placed.set(state.previous)
    }
    tangles.draw(state, this.searcher.surfaces.mobility, this.h, overlaps.spins)
    overlaps.ask(this.rooms)
    meetings.crowds.ask(this.rooms)
    this.rooms.measure(state, this.pairs, this.searcher.surfaces)
    overlaps.part(state, this.h, this.rooms)
    meetings.crowds.part(state, this.h, overlaps.spins, this.rooms)
    if (puts) colliders.holdPlaces(state, this.placed)
  }

  /**
   * Follows the ways again, now that all contacts, those with colliders too, have moved things, until none meet; what these
   * rounds send through the surface of a collider is held there.
   */
  confirm(state: State, colliders: Walls, last: boolean): void {
    if (this.enabled && this.pairs.count > 0 && (last || !isSpent())) this.passages.confirm(state, colliders)
  }

  /** What is to be counted of the step. */
  count(stats: Stats): void {
    stats.surfaceCandidates = this.pairs.count
    stats.surfaceContacts = this.active
    stats.crossings = this.enabled ? this.searcher.tangles.count : 0
    stats.contactClamps += this.passages.clamps
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
    for (let b = 0; b < state.bodies.live.length; b++) state.bodies.live[b]!.wound = false
    if (!this.enabled) return
    this.groups.clear()
    this.rebounds.begin(state, colliders, touches)
    for (let l = 0; l < this.list.count; l++) this.notePair(state, touches, this.list.pairs[l]!)
    for (let b = 0; b < this.searcher.surfaces.bodies.length; b++) if (this.touched[b] === PUSHED) this.forgetImpacts(b)
    this.searcher.tangles.join(this.groups)
    this.searcher.overlaps.join(this.groups)
    this.searcher.meetings.crowds.join(this.groups)
    this.groups.note(state, colliders, this.searcher.overlaps.spins)
    this.rebounds.meet(state, this.settings!)
    if (this.active === 0) return
    const bodies = this.searcher.surfaces.bodies.length
    this.anchors.sort(this.list.pairs, this.list.count, bodies)
    this.standing.find(bodies, this.groups.held, colliders, this.anchors)
  }

  /**
   * Adds the points where others push the `b`-th live body to what holds it while it is damped: a stack on the ground
   * comes to rest as a whole. Bodies that only hold each other are left free, so that damping takes no momentum.
   */
  anchor(state: State, b: number, out: { count: number; points: Float64Array }): void {
    if (this.active > 0 && this.groups.isGrounded(b)) this.anchors.add(state, b, out)
  }

  /** Stacks are about to be damped, from below; returns how many bodies stand in them. */
  beginSway(state: State): number {
    if (this.active === 0) return 0
    this.anchors.noteSlips(state, this.searcher.surfaces.bodies.length)
    return this.standing.count
  }

  /** The live body that is the `k`-th of these, from below. */
  standingAt(k: number): number {
    return this.standing.order[k]!
  }

  /**
   * Adds the points where other bodies bear the `b`-th, with the velocities that they would have on bodies without wobble.
   * @param shares by live body, what its wobble loses
   */
  bear(state: State, b: number, out: { count: number; points: Float64Array }, shares: readonly Float64Array[]): void {
    this.anchors.addBearing(state, b, out, this.standing, shares)
  }

  /** What another body gives or takes is no rebound from a collider. */
  private forgetImpacts(b: number): void {
    const { impacts } = this.searcher.surfaces.bodies[b]!
    for (let i = 0; i < IMPACTS * IMPACT.SIZE; i += IMPACT.SIZE) impacts[i + IMPACT.TIME] = 0
  }

  private notePair(state: State, touches: Touches, pair: number): void {
    const { positions: x } = state
    const w = this.borne.mobility
    const { pairs } = this
    const { touch } = touches
    const a = pairs.first[pair]!
    const b = pairs.second[pair]!
    const push = pairs.push[pair]!
    if (pairs.silent[pair] !== 1) {
      // Nothing may turn as a whole what lies this near, whether it pushes or not: its ways are settled.
      const how = push > 0 ? PUSHED : LISTED
      if (this.touched[a] !== PUSHED) this.touched[a] = how
      if (this.touched[b] !== PUSHED) this.touched[b] = how
      if (a !== b) this.groups.join(a, b)
    }
    if (push > 0) this.active++
    else if (pairs.silent[pair] !== 1) return
    if (a === b) {
      if (push > 0) this.searcher.surfaces.bodies[a]!.wound = true
      return
    }
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
    const weight = inverse * this.h[0]!
    touch[TOUCH.IMPULSE] = inverse > 0 ? push / weight : 0
    for (let d = 0; d < 3; d++) {
      const moved = push * touch[TOUCH.NORMAL + d]! + pairs.drag[pair * 3 + d]!
      touch[TOUCH.WHOLE + d] = inverse > 0 ? moved / weight : 0
    }
    if (push > 0) this.rebounds.note(state, a, b, touch)
    touches.noteBodies(a, b)
  }

  /**
   * Velocities being known: gives back a share of each approach speed, where it is more than resting under gravity makes,
   * damps slips, and gives their angular momentum back to bodies that nothing else touches.
   * @param touches are told of what bounces give
   * @param slipShares by live body, what its points lose of their slip in the substep
   */
  bounce(state: State, touches: Touches, slipShares: readonly Float64Array[], spins: Spin): void {
    if (!this.enabled) return
    if (this.active > 0) {
      const w = this.searcher.surfaces.mobility
      bouncePairs(state, this.pairs, this.list, w, touches)
      dampSlips(state, this.pairs, this.list, w, slipShares)
    }
    this.groups.restore(state)
    this.rebounds.part(state, this.settings!, this.h, spins)
  }
}

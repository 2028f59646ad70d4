import { UNSTABLE } from '../../records.js'
import type { State } from '../../state.js'
import type { WorldSettings } from '../../worldSettings.js'
import { meets } from './advance.js'
import { roomy } from './columns.js'
import { ImpactGroup } from './impactGroup.js'
import type { SoftList } from './softList.js'
import type { SoftPairs } from './softPairs.js'
import type { SoftSearch } from './softSearch.js'
import type { SoftSolver } from './softSolver.js'
import { isSpent, spend } from './work.js'
import { Zones } from './zones.js'

/**
 * How near a pair must come on its way to count as met, in thicknesses: at first, so that it is kept in time; and where
 * that has not settled, since what passes by, however near, has not passed through.
 */
const NEAR = 0.2
const THROUGH = 0.02

/**
 * Times that ways are followed again after contacts have moved what is on them, fewer where the step's work is spent; then
 * impacts as a group, then zones.
 */
const ROUNDS = 8
const FEW_ROUNDS = 2
const GROUP_ROUNDS = 60
const ZONE_ROUNDS = 30

/** Holds points that were sent through the surface of a collider. */
export interface Walls {
  holdWays(state: State): void
}

/** Keeps what contacts have moved from passing through anything on its way, however fast. */
export class Passages {
  /** True where a search within the substep has left pairs of before. */
  stale = false
  /** Particles that had to be stopped, since their impacts could not be resolved, in the present step. */
  clamps = 0
  private settings: Readonly<WorldSettings> | undefined
  private left = 1
  /** Where contacts found the particles [3 n] m, and by particle of a surface, how far they have moved it [m]. */
  private found = new Float64Array(0)
  private shifts = new Float64Array(0)
  private readonly group = new ImpactGroup()
  private readonly zones = new Zones()

  constructor(
    private readonly searcher: SoftSearch,
    private readonly pairs: SoftPairs,
    private readonly list: SoftList,
    private readonly solver: SoftSolver,
  ) {}

  /** A step begins. */
  begin(settings: Readonly<WorldSettings>): void {
    this.settings = settings
    this.clamps = 0
  }

  /** Contacts are about to be solved: notes where they find the particles. `left` substeps are left of the step. */
  remember({ positions: x }: State, left: number): void {
    this.left = left
    this.found = roomy(this.found, x.length)
    this.found.set(x)
  }

  /** Follows the ways until none meet. */
  confirm(state: State, colliders: Walls): void {
    for (let round = 0; round < (isSpent() ? FEW_ROUNDS : ROUNDS); round++) {
      if (round > 0) colliders.holdWays(state)
      const met = this.followAgain(state, round < 2)
      if (met === 0) return
      if (2 * round < ROUNDS) this.solver.solve(state, this.list.pairs, this.list.count, false)
      // Whatever else they had to keep: what meets has the last word.
      this.solver.solve(state, this.list.met, met, false)
    }
    this.zones.clear(state)
    if (this.settleTogether(state, colliders)) return
    for (let round = 0; round < ZONE_ROUNDS; round++) {
      const met = this.followAgain(state, false)
      if (met === 0) break
      for (let l = 0; l < met; l++) this.zones.join(this.pairs, this.list.met[l]!)
      this.zones.move(state, this.searcher.surfaces.mobility)
      colliders.holdWays(state)
    }
    this.noteClamps()
  }

  /** What one by one does not settle: all impacts from now on together. True where that settles it within the step's work. */
  private settleTogether(state: State, colliders: Walls): boolean {
    const { group, pairs, list } = this
    group.clear()
    for (let round = 0; round < GROUP_ROUNDS && !isSpent(); round++) {
      const met = this.followAgain(state, false)
      spend(pairs.count)
      if (met === 0) return true
      for (let l = 0; l < met; l++) group.add(state, pairs, list.met[l]!)
      group.solve(state, this.searcher.surfaces.mobility)
      colliders.holdWays(state)
    }
    return false
  }

  /** Lists the pairs that meet by now, or, where they do not settle, those that pass through; returns how many do. */
  private followAgain(state: State, settling: boolean): number {
    meets[0] = settling ? NEAR : THROUGH
    this.searcher.meetings.strayed(state)
    if (this.searcher.meetings.outran) this.searchAgain(state)
    this.measureShifts(state)
    const met = this.list.followAgain(state, this.shifts)
    meets[0] = NEAR
    return met
  }

  /**
   * Contacts have sent a particle further than was looked for: looks from there, about the ways as they are now. What is
   * listed stays so.
   */
  private searchAgain(state: State): void {
    const { pairs, list } = this
    pairs.keepListed()
    list.renumber()
    const kept = pairs.count
    this.searcher.search(state, this.settings!, this.left, false, kept)
    pairs.clear(kept)
    pairs.distance.fill(0, kept, pairs.count) // not measured yet
    this.stale = true
    this.searcher.meetings.strayed(state)
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
}

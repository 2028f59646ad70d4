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
import { giveBack, isScarce, isSpent, spend } from './work.js'
import { Zones } from './zones.js'

/**
 * How near a pair must come on its way to count as met, in thicknesses: at first, so that it is kept in time; and where
 * that has not settled, since what passes by, however near, has not passed through.
 */
const NEAR = 0.2
const THROUGH = 0.02

/** Times that ways are followed again after contacts have moved what is on them; then impacts as a group, then zones. */
const ROUNDS = 8
const GROUP_ROUNDS = 60
const ZONE_ROUNDS = 30

/** What it costs to look for a pair, in impacts resolved. */
const SEARCHED = 4

/** Holds points that were sent through the surface of a collider. */
export interface Walls {
  /** @param deep whether what was sent into a solid is held too @param held is told of each point that is held */
  holdWays(state: State, deep: boolean, held?: Pick<ImpactGroup, 'addHeld'>): void
  holdPlaces(state: State, from: Float64Array): void
}

/** Keeps what contacts have moved from passing through anything on its way, however fast. */
export class Passages {
  /** Particles that had to be stopped, since their impacts could not be resolved, in the present step. */
  clamps = 0
  private settings: Readonly<WorldSettings> | undefined
  private left = 1
  /** Where contacts found the particles [3 n] m, and by particle of a surface, how far they have moved it [m]. */
  private found = new Float64Array(0)
  private shifts = new Float64Array(0)
  /** Where the ways were followed last [3 n] m, and by particle of a surface 1 where it has been moved since. */
  private followed = new Float64Array(0)
  private moved = new Uint8Array(0)
  /** True where ways are to be followed whatever has moved. */
  private anew = true
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

  /** Contacts are about to be solved, all ways being known: notes where they lead. `left` substeps are left of the step. */
  remember({ positions: x }: State, left: number): void {
    this.left = left
    this.found = roomy(this.found, x.length)
    this.found.set(x)
    this.followed = roomy(this.followed, x.length)
    this.followed.set(x)
    this.anew = false
  }

  /** Follows the ways until none meet; each round ends with what colliders hold, so that its ways are the ones that are gone. */
  confirm(state: State, colliders: Walls): void {
    let met = this.followAgain(state, true)
    this.group.clear()
    if (met > 0) met = this.settleOneByOne(state, colliders, met)
    if (met === 0) {
      giveBack()
      return
    }
    met = this.settleTogether(state, colliders, met, true)
    if (met === 0) return
    // Rather into what is solid, for a moment, than not at all.
    this.group.clear()
    met = this.settleTogether(state, colliders, met, false)
    if (met > 0) this.stop(state, colliders, met)
  }

  /** Moves what still meets as one, as the last resort. */
  private stop(state: State, colliders: Walls, unsettled: number): void {
    let met = unsettled
    this.zones.clear(state)
    for (let round = 0; round < ZONE_ROUNDS && met > 0; round++) {
      for (let l = 0; l < met; l++) this.zones.join(this.pairs, this.list.met[l]!)
      this.zones.move(state, this.searcher.surfaces.mobility)
      colliders.holdWays(state, false)
      met = this.followAgain(state, false)
    }
    this.noteClamps()
  }

  /**
   * Pushes apart what meets, round by round; where the step's work is spent, only while each halves what is left. Returns
   * how many pairs meet still.
   */
  private settleOneByOne(state: State, colliders: Walls, meeting: number): number {
    let met = meeting
    for (let round = 0; round < ROUNDS && met > 0; round++) {
      if (2 * round < ROUNDS) this.solver.solve(state, this.list.pairs, this.list.count, false)
      // Whatever else they had to keep: what meets has the last word.
      this.solver.solve(state, this.list.met, met, false)
      colliders.holdWays(state, !isScarce(), round + 1 === ROUNDS ? this.group : undefined)
      const before = met
      met = this.followAgain(state, round < 1)
      if (isSpent() && 2 * met > before) break
    }
    return met
  }

  /** What one by one does not settle: all impacts from now on together, within the step's work. Returns how many meet still. */
  private settleTogether(state: State, colliders: Walls, unsettled: number, deep: boolean): number {
    const { group, pairs, list } = this
    let met = unsettled
    for (let round = 0; round < GROUP_ROUNDS && met > 0 && !(deep ? isScarce() : isSpent()); round++) {
      for (let l = 0; l < met; l++) group.add(state, pairs, list.met[l]!)
      group.solve(state, this.searcher.surfaces.mobility)
      colliders.holdWays(state, deep, group)
      met = this.followAgain(state, false)
    }
    return met
  }

  /** Lists the pairs that meet by now, or, where they do not settle, those that pass through; returns how many do. */
  private followAgain(state: State, settling: boolean): number {
    meets[0] = settling ? NEAR : THROUGH
    this.searcher.meetings.strayed(state)
    if (this.searcher.meetings.outran) this.searchAgain(state)
    this.measureShifts(state)
    const met = this.list.followAgain(state, this.shifts, this.moved)
    this.anew = false
    meets[0] = NEAR
    return met
  }

  /**
   * Contacts have sent a particle further than was looked for: looks from there, about the ways as they are now. What is
   * listed stays so.
   */
  private searchAgain(state: State): void {
    const { pairs } = this
    const kept = this.searcher.searchLost(state, this.settings!, this.left)
    spend(SEARCHED * (pairs.count - kept))
    pairs.clear(kept)
    pairs.distance.fill(0, kept, pairs.count) // not measured yet
    this.anew = true
    this.searcher.meetings.strayed(state)
  }

  /** How far contacts have moved the particles, and which since the ways were followed last. */
  private measureShifts({ positions: x, masses }: State): void {
    const { surfaces, meetings } = this.searcher
    const { vertices, vertexStarts } = surfaces
    const { found } = this
    this.shifts = roomy(this.shifts, masses.length)
    this.moved = roomy(this.moved, masses.length)
    const { followed } = this
    for (let b = 0; b < surfaces.bodies.length; b++) {
      if (meetings.tied[b] === 0) continue
      for (let v = vertexStarts[b]!; v < vertexStarts[b + 1]!; v++) {
        const p = vertices[v]! * 3
        const stays = x[p] === followed[p] && x[p + 1] === followed[p + 1] && x[p + 2] === followed[p + 2]
        this.moved[vertices[v]!] = stays && !this.anew ? 0 : 1
        followed[p] = x[p]!
        followed[p + 1] = x[p + 1]!
        followed[p + 2] = x[p + 2]!
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

import type { Model } from '../model.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'
import { Fans, nextCorner } from './fans.js'
import { Lines } from './line.js'
import { aroundOf, chooseWays, type Loads, largestLoad, type Way, waysAt } from './load.js'
import { Means } from './means.js'
import { Ranking } from './ranking.js'
import { elementsOf, type Weave, weaveOf } from './weave.js'

/** What a particle is: at an open edge; in a triangle that a tear could go on through; near to a line that bears what it has to. */
const TORN = 1
const LOADED = 2
const ALIKE = 4

/** A particle that a tear could go on from. */
interface End {
  readonly particle: number
  /** Load over what the particle bears. */
  readonly ratio: number
  readonly ways: readonly Way[]
}

/** Particles that come into question up to which each is asked for its line; of more a line speaks for its neighbours too. */
const LINES = 48

const largest = new Float64Array(1)
const near = new Float64Array(1)

/** Whether any triangle bears more than `least` of its strength: no particle does where none of its triangles does. */
export function isOver(loads: Loads, least: number): boolean {
  largest[0] = 0
  for (let t = 0; t < loads.length / 3; t++) {
    const half = (loads[3 * t]! - loads[3 * t + 1]!) / 2
    const shear = loads[3 * t + 2]!
    const load = (loads[3 * t]! + loads[3 * t + 1]!) / 2 + Math.sqrt(half * half + shear * shear)
    if (load > largest[0]) largest[0] = load
  }
  return largest[0] > least
}

/** Finds what opens of a model, whole or torn. What it looks up is made once: a cloth may be near its strength for long. */
export class Overload {
  private readonly elements: Uint32Array
  private readonly weave: Weave
  private readonly fans: Fans
  private readonly means: Means
  private readonly lines: Lines
  private readonly marks: Uint8Array
  /** Mean loads by particle, and the particles at which a tear could start, by these. */
  private readonly ratios: Float64Array
  private readonly ranking: Ranking

  constructor(
    readonly model: Model,
    private readonly loads: Loads,
  ) {
    const { particleCount } = model
    this.elements = elementsOf(model)
    this.weave = weaveOf(model)
    this.fans = new Fans(this.elements, particleCount)
    this.means = new Means(this.elements, this.fans, loads, this.weave)
    this.lines = new Lines(model, this.fans, loads)
    this.marks = new Uint8Array(particleCount)
    this.ratios = new Float64Array(particleCount)
    this.ranking = new Ranking(this.ratios)
  }

  /**
   * Adds the corners of the edges that open in this step; none where nothing is overloaded that could come apart.
   * @param uneven mean load about a particle up to which a new tear begins only where the line across the pull bears too much
   */
  addOpened(state: State, body: BodyRecord, uneven: number, corners: number[]): void {
    const weak = 1 - body.settings.tearWeakening
    this.mark(this.model.torn ? weak : 1)
    this.means.begin()
    if (this.model.torn) this.addOnwards(state, body, weak, corners)
    if (corners.length === 0) this.addStart(state, body, uneven, corners)
  }

  /** Each tear goes on by an edge where it is loaded too much. */
  private addOnwards(state: State, { start }: BodyRecord, weak: number, corners: number[]): void {
    const { elements, fans, marks, means } = this
    const ends: End[] = []
    for (let particle = 0; particle < marks.length; particle++) {
      if (marks[particle] !== (TORN | LOADED) || state.inverseMasses[start + particle] === 0) continue
      const ways = this.waysAt(particle)
      let load = means.largest(particle)
      for (const way of ways) if (way.sides > 1) load = Math.max(load, way.load)
      const ratio = weak > 0 ? load / weak : Number.POSITIVE_INFINITY
      if (ratio > 1 && load > 0) ends.push({ particle, ratio, ways })
    }
    ends.sort((a, b) => b.ratio - a.ratio || a.particle - b.particle)
    const taken = new Set<number>()
    for (const { particle, ways } of ends) {
      const around = aroundOf(fans, particle, elements)
      if (around.some((one) => taken.has(one))) continue
      const chosen = chooseWays(ways)
      if (chosen.length === 0) continue
      for (const { corner } of chosen) corners.push(corner)
      for (const one of around) taken.add(one)
    }
  }

  /**
   * A new tear starts at the particle with the largest mean load of those whose line bears too much. Lines are asked in this
   * order. To ask for the line of each takes a large cloth that is just under its strength four times a quiet step: there one
   * that bears what it has to speaks for those near to it, as far as leaves some hundred lines.
   */
  private addStart(state: State, { start }: BodyRecord, uneven: number, corners: number[]): void {
    const { marks, means, lines, ranking, ratios } = this
    ranking.size = 0
    for (let particle = 0; particle < marks.length; particle++) {
      if (marks[particle] !== LOADED || state.inverseMasses[start + particle] === 0) continue
      if (!means.isOver(particle)) continue
      means.takeLargest(particle, ratios)
      ranking.add(particle)
    }
    near[0] = Math.sqrt(ranking.size / LINES)
    while (ranking.size > 0) {
      const particle = ranking.first
      ranking.dropFirst()
      if ((marks[particle]! & ALIKE) !== 0) continue
      if (ratios[particle]! < uneven) {
        means.takeLargest(particle, ratios) // for its pull
        if (!lines.isOver(particle, means.pull, means.cells)) {
          lines.markNear(marks, ALIKE, means.cells, near)
          continue
        }
      }
      const chosen = chooseWays(this.waysAt(particle))
      for (const { corner } of chosen) corners.push(corner)
      if (chosen.length > 0) return
    }
  }

  private waysAt(particle: number): Way[] {
    const { model, elements, fans, loads, weave } = this
    return waysAt(fans.of(particle), model.positions, elements, model.torn?.open, loads, weave)
  }

  private mark(least: number): void {
    const { marks, elements, loads } = this
    const open = this.model.torn?.open
    marks.fill(0)
    for (let t = 0; t < loads.length / 3; t++) {
      if (largestLoad(loads, t) > least) for (let c = 3 * t; c < 3 * t + 3; c++) marks[elements[c]!]! |= LOADED
      if (!open) continue
      for (let c = 3 * t; c < 3 * t + 3; c++) {
        if (open[c] === 0) continue
        marks[elements[c]!]! |= TORN
        marks[elements[nextCorner(c)]!]! |= TORN
      }
    }
  }
}

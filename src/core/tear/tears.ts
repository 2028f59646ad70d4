import type { Rows } from '../constraints/kind.js'
import type { Model } from '../model.js'
import type { PlasticPart } from '../plasticity.js'
import type { LimitRows, StrainLimits } from '../reach/strainLimits.js'
import type { BodyRecord, State } from '../state.js'
import { Fans, lastCorner, nextCorner } from './fans.js'
import { aroundOf, chooseWays, type Loads, largestLoad, Means, type Way, waysAt } from './load.js'
import { partEdges } from './part.js'
import { takeOver, tears } from './takeOver.js'
import { elementsOf, weaveOf } from './weave.js'

/** Rows that one call takes: what is called often is compiled soon, and arithmetic allocates until then. */
const A_CALL = 256

/** A body that may tear, and where its membrane is among the rows. */
interface Watched {
  readonly body: BodyRecord
  readonly rows: Rows
  readonly row: number
  /** Multipliers of the membrane, summed over the substeps of a step. */
  readonly sums: Float64Array
  readonly loads: Loads
  /** Edges whose strain is limited, null where none is, and which triangles they are in, two an edge, -1 for none. */
  limits: LimitRows | null
  limited: Int32Array
}

/** What a particle is: at an open edge, in a triangle that a tear could go on through, in one that bears too much. */
const TORN = 1
const LOADED = 2
const OVER = 4

interface Candidate {
  readonly particle: number
  /** Load over what the particle bears. */
  readonly ratio: number
  readonly torn: boolean
  readonly ways: readonly Way[]
}

const scale = new Float64Array(1)
const largest = new Float64Array(1)

/**
 * Cloth that tears where it bears more than its strength.
 *
 * The load of a triangle is what its multipliers say, lambda / (h^2 A), as a mean over the step: what is really handed on,
 * also where the solver leaves more strain than the material would have, as in fine cloth. That of a particle is the mean
 * about it by area, so that a strip breaks at its width times its strength whatever its mesh. Once a step, a tear
 * goes on at each of its ends where the load is too large, by an edge; where none does, a new one starts at the particle
 * with the largest load. What is beside a tear has lost the share `tearWeakening` of its strength, and is loaded by the
 * most of any edge that it could go on along. Pinned particles are not split by a load.
 */
export class Tears {
  private watched: Watched[] = []
  private readonly perLoad = new Float64Array(1)

  constructor(private readonly strainLimits: StrainLimits) {}

  /** To be called where rows have been baked anew, those of limits of strain too. @param h substep [s] */
  bake(state: State, parts: readonly PlasticPart[], h: number, substeps: number): void {
    this.watched = []
    for (const { body, rows, row, set } of parts) {
      if (!tears(body.settings)) continue
      const sums = new Float64Array(3 * set.count)
      const limited = { limits: null, limited: new Int32Array(0) }
      const watched = { body, rows, row, sums, loads: sums.slice(), ...limited }
      this.watched.push(watched)
      rehearse(state, watched)
    }
    this.follow()
    this.perLoad[0] = -1 / (h * h * substeps)
  }

  /** To be called where bodies have torn. */
  follow(): void {
    for (const watched of this.watched) {
      const limits = this.strainLimits.of(watched.body) ?? null
      if (limits === watched.limits) continue
      watched.limits = limits
      if (limits) watched.limited = trianglesOf(limits)
    }
  }

  /** A step begins. */
  begin(): void {
    for (let b = 0; b < this.watched.length; b++) this.watched[b]!.sums.fill(0)
  }

  /** Adds the multipliers of a substep. */
  note(): void {
    for (let b = 0; b < this.watched.length; b++) {
      const { body, rows, row, sums } = this.watched[b]!
      if (body.asleep) continue
      for (let k = 0; k < sums.length; k += A_CALL) {
        add(rows.lambda, 3 * row, sums, k, Math.min(k + A_CALL, sums.length))
      }
    }
  }

  /** Tears what is overloaded at the end of a step. */
  tear(state: State): void {
    for (let b = 0; b < this.watched.length; b++) {
      const { body } = this.watched[b]!
      if (!body.asleep) this.tearBody(state, this.watched[b]!)
    }
  }

  private tearBody(state: State, watched: Watched): void {
    const { body, sums, loads, rows, row } = watched
    const { settings, model } = body
    const least = model.torn ? 1 - settings.tearWeakening : 1
    const corners: number[] = []
    if (settings.tearStrength < Number.POSITIVE_INFINITY) {
      scale[0] = this.perLoad[0]! / settings.tearStrength
      takeTension(sums, weaveOf(model).areas, scale, loads)
      if (watched.limits) addPulls(watched.limits, watched.limited, scale, loads)
      if (isOver(loads, least)) corners.push(...overloaded(state, body, model, loads))
    }
    if (corners.length === 0 && settings.tearStrain < Number.POSITIVE_INFINITY) {
      scale[0] = 1 / settings.tearStrain
      takeStrain(state, rows, row, scale, loads)
      if (isOver(loads, least)) corners.push(...overloaded(state, body, model, loads))
    }
    if (corners.length === 0) return
    takeOver(state, body, partEdges(model, corners))
  }
}

/** Triangles that a tear has to have gone through until its code is compiled, and those that it has by now. */
const REHEARSED = 16384
let rehearsed = 0

/** One triangle in so many is overloaded in a rehearsal. */
const OVERLOADED = 16

/**
 * Tears a body that is still whole, twice, and forgets it: code that runs for the first time takes many times as long as
 * later on, and that would be in the frame of the first tear.
 */
function rehearse(state: State, { body, rows, row, loads }: Watched): void {
  const { areas } = weaveOf(body.model) // made before it is needed
  if (rehearsed >= REHEARSED || body.model.torn) return
  rehearsed += 2 * areas.length
  let { model } = body
  for (let tear = 0; tear < 2; tear++) {
    scale[0] = 1
    takeStrain(state, rows, row, scale, loads)
    loads.fill(0)
    for (let t = 0; t < areas.length; t += OVERLOADED) loads.fill(2, 3 * t, 3 * t + 2)
    if (isOver(loads, 1)) model = partEdges(model, overloaded(state, body, model, loads)).model
  }
  loads.fill(0)
}

function add(lambda: Float64Array, first: number, sums: Float64Array, from: number, to: number): void {
  for (let k = from; k < to; k++) sums[k] = sums[k]! + lambda[first + k]!
}

function takeTension(sums: Float64Array, areas: Float64Array, factor: Float64Array, loads: Loads): void {
  for (let t = 0; t < areas.length; t++) {
    const k = factor[0]! / areas[t]!
    loads[3 * t] = k * sums[3 * t]!
    loads[3 * t + 1] = k * sums[3 * t + 1]!
    loads[3 * t + 2] = k * sums[3 * t + 2]!
  }
}

/** By edge: the first two triangles that have it. */
function trianglesOf({ body, particles }: LimitRows): Int32Array {
  const fans = new Fans(elementsOf(body.model), body.model.particleCount)
  const triangles = new Int32Array(particles.length).fill(-1)
  for (let k = 0; k < particles.length; k += 2) {
    const corners = fans.edgeCorners(particles[k]! - body.start, particles[k + 1]! - body.start)
    corners.slice(0, 2).forEach((corner, side) => {
      triangles[k + side] = Math.floor(corner / 3)
    })
  }
  return triangles
}

/** What edges bear whose strain is limited: a force F over a length L is a tension of F L / A in its triangles. */
function addPulls(limits: LimitRows, triangles: Int32Array, factor: Float64Array, loads: Loads): void {
  const { body, particles, pulls } = limits
  const { areas, threads } = weaveOf(body.model)
  const { positions } = body.model
  for (let row = 0; row < pulls.length; row++) {
    if (pulls[row] === 0) continue
    const p = (particles[row * 2]! - body.start) * 3
    const q = (particles[row * 2 + 1]! - body.start) * 3
    const sides = triangles[row * 2 + 1]! < 0 ? 1 : 2
    for (let side = 0; side < sides; side++) {
      const t = triangles[row * 2 + side]!
      let u = 0
      let v = 0
      let square = 0
      for (let d = 0; d < 3; d++) {
        const way = positions[p + d]! - positions[q + d]!
        u += way * threads[6 * t + d]!
        v += way * threads[6 * t + 3 + d]!
        square += way * way
      }
      const share = (-factor[0]! * pulls[row]!) / (sides * areas[t]! * Math.sqrt(square))
      loads[3 * t] = loads[3 * t]! + share * u * u
      loads[3 * t + 1] = loads[3 * t + 1]! + share * v * v
      loads[3 * t + 2] = loads[3 * t + 2]! + share * u * v
    }
  }
}

/** Strains along the threads, and half the sine of the angle between them. */
function takeStrain(
  { positions: x }: State,
  { indices, rest }: Rows,
  row: number,
  factor: Float64Array,
  loads: Loads,
): void {
  for (let t = 0; t < loads.length / 3; t++) {
    const at = row + t
    const p0 = indices[at * 3]! * 3
    const p1 = indices[at * 3 + 1]! * 3
    const p2 = indices[at * 3 + 2]! * 3
    let uu = 0
    let vv = 0
    let uv = 0
    for (let d = 0; d < 3; d++) {
      const a = x[p1 + d]! - x[p0 + d]!
      const b = x[p2 + d]! - x[p0 + d]!
      const u = a * rest[at * 4]! + b * rest[at * 4 + 2]!
      const v = a * rest[at * 4 + 1]! + b * rest[at * 4 + 3]!
      uu += u * u
      vv += v * v
      uv += u * v
    }
    loads[3 * t] = factor[0]! * (Math.sqrt(uu) - 1)
    loads[3 * t + 1] = factor[0]! * (Math.sqrt(vv) - 1)
    loads[3 * t + 2] = uu * vv > 0 ? (factor[0]! * uv) / (2 * Math.sqrt(uu * vv)) : 0
  }
}

/** Whether any triangle bears more than `least` of its strength: no particle does where none of its triangles does. */
function isOver(loads: Loads, least: number): boolean {
  largest[0] = 0
  for (let t = 0; t < loads.length / 3; t++) {
    const half = (loads[3 * t]! - loads[3 * t + 1]!) / 2
    const shear = loads[3 * t + 2]!
    const load = (loads[3 * t]! + loads[3 * t + 1]!) / 2 + Math.sqrt(half * half + shear * shear)
    if (load > largest[0]) largest[0] = load
  }
  return largest[0] > least
}

/** The corners of the edges that open in this step; none where nothing is overloaded that could come apart. */
function overloaded(state: State, body: BodyRecord, model: Model, loads: Loads): number[] {
  const elements = elementsOf(model)
  const fans = new Fans(elements, model.particleCount)
  const candidates = candidatesOf(state, body, model, elements, fans, loads)
  candidates.sort((a, b) => b.ratio - a.ratio || a.particle - b.particle)
  const corners: number[] = []
  const taken = new Set<number>()
  for (const running of [true, false]) {
    for (const { particle, torn, ways } of candidates) {
      if (torn !== running) continue
      const around = aroundOf(fans, particle, elements)
      if (around.some((one) => taken.has(one))) continue
      const chosen = chooseWays(ways)
      if (chosen.length === 0) continue
      for (const { corner } of chosen) corners.push(corner)
      for (const one of around) taken.add(one)
      if (!running) return corners
    }
    if (corners.length > 0) return corners
  }
  return corners
}

function candidatesOf(
  { inverseMasses }: State,
  { start, settings }: BodyRecord,
  model: Model,
  elements: Uint32Array,
  fans: Fans,
  loads: Loads,
): Candidate[] {
  const weave = weaveOf(model)
  const open = model.torn?.open
  const means = new Means(elements, fans, loads, weave)
  const weak = 1 - settings.tearWeakening
  const least = open ? weak : 1
  const candidates: Candidate[] = []
  const marks = marksOf(model.particleCount, elements, open, loads, least)
  for (let particle = 0; particle < marks.length; particle++) {
    if ((marks[particle]! & LOADED) === 0 || inverseMasses[start + particle] === 0) continue
    const torn = (marks[particle]! & TORN) !== 0
    if (!torn && !isNear(fans, particle, elements, marks)) continue
    const mean = means.largest(particle)
    if (!torn && !(mean > 1)) continue
    const ways = waysAt(fans.of(particle), model.positions, elements, open, loads, weave)
    const load = torn ? ways.reduce((most, way) => (way.sides > 1 ? Math.max(most, way.load) : most), mean) : mean
    const ratio = torn ? (weak > 0 ? load / weak : Number.POSITIVE_INFINITY) : load
    if (ratio > 1 && load > 0) candidates.push({ particle, ratio, torn, ways })
  }
  return candidates
}

function marksOf(
  particleCount: number,
  elements: Uint32Array,
  open: Uint8Array | undefined,
  loads: Loads,
  least: number,
): Uint8Array {
  const marks = new Uint8Array(particleCount)
  for (let t = 0; t < loads.length / 3; t++) {
    const load = largestLoad(loads, t)
    const mark = (load > least ? LOADED : 0) | (load > 1 ? OVER : 0)
    if (mark > 0) for (let c = 3 * t; c < 3 * t + 3; c++) marks[elements[c]!]! |= mark
    if (!open) continue
    for (let c = 3 * t; c < 3 * t + 3; c++) {
      if (open[c] === 0) continue
      marks[elements[c]!]! |= TORN
      marks[elements[nextCorner(c)]!]! |= TORN
    }
  }
  return marks
}

/** Whether a triangle bears too much that counts in the particle's mean: else the mean does not. */
function isNear(fans: Fans, particle: number, elements: Uint32Array, marks: Uint8Array): boolean {
  for (let at = fans.starts[particle]!; at < fans.starts[particle + 1]!; at++) {
    const c = fans.corners[at]!
    if (((marks[elements[c]!]! | marks[elements[nextCorner(c)]!]! | marks[elements[lastCorner(c)]!]!) & OVER) !== 0)
      return true
  }
  return false
}

import type { Rows } from '../constraints/kind.js'
import type { PlasticPart } from '../plasticity.js'
import type { LimitRows, StrainLimits } from '../reach/strainLimits.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'
import { type CheckedCut, partedCorners } from './cut.js'
import { wingsBefore } from './edges.js'
import { Fans } from './fans.js'
import type { Loads } from './load.js'
import { isOver, Overload } from './overload.js'
import { partEdges } from './part.js'
import { takeOver, tears } from './takeOver.js'
import { elementsOf, weaveOf } from './weave.js'

/** Rows that one call takes: what is called often is compiled soon, and arithmetic allocates until then. */
const A_CALL = 256

/**
 * How many times the load of what is pulled evenly the mean about a particle is at most, where the solver has not evened it
 * out. Where it is more, a load is handed on to a few triangles, as by a hand, and counts by itself. Strains count as seen.
 */
const UNEVEN = 1.5
const AS_SEEN = 1

/** A body that may tear, and where its membrane is among the rows. */
interface Watched {
  readonly body: BodyRecord
  readonly rows: Rows
  readonly row: number
  /** Multipliers of the membrane, summed over the substeps of a step. */
  readonly sums: Float64Array
  readonly loads: Loads
  /** Made when it is first needed, and for each model that follows. */
  overload: Overload | null
  /** Edges whose strain is limited, null where none is, and which triangles they are in, two an edge, -1 for none. */
  limits: LimitRows | null
  limited: Int32Array
}

const scale = new Float64Array(1)

/**
 * Cloth that tears where it bears more than its strength.
 *
 * The load of a triangle is what its multipliers say, lambda / (h^2 A), as a mean over the step: what is really handed on,
 * also where the solver leaves more strain than the material would have, as in fine cloth. That of a particle is the mean
 * about it by area. Once a step, a tear goes on at each of its ends where the load is too large, by an edge; where none
 * does, a new one starts at the particle with the largest load, of those through which a line across the pull bears too
 * much, so that a strip breaks at its width times its strength whatever its mesh. What is beside a tear has lost the share `tearWeakening` of its strength, and is loaded by the
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
      const watched = { body, rows, row, sums, loads: sums.slice(), overload: null, ...limited }
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
      if (isOver(loads, least)) overloadOf(watched).addOpened(state, body, UNEVEN, corners)
    }
    if (corners.length === 0 && settings.tearStrain < Number.POSITIVE_INFINITY) {
      scale[0] = 1 / settings.tearStrain
      takeStrain(state, rows, row, scale, loads)
      if (isOver(loads, least)) overloadOf(watched).addOpened(state, body, AS_SEEN, corners)
    }
    if (corners.length === 0) return
    takeOver(state, body, partEdges(model, corners))
  }
}

function overloadOf(watched: Watched): Overload {
  const { body, loads, overload } = watched
  if (overload?.model === body.model) return overload
  watched.overload = new Overload(body.model, loads)
  return watched.overload
}

/** Triangles that a tear has to have gone through until its code is compiled, and those that it has by now. */
const REHEARSED = 32768
let rehearsed = 0

/** Tears of a rehearsal. */
const TEARS = 5

/** One triangle in so many is overloaded in a rehearsal. */
const OVERLOADED = 16

/**
 * Tears a body that is still whole, again and again, and forgets it: code that runs for the first time takes many times as
 * long as later on, and that would be in the frame of the first tear.
 */
function rehearse(state: State, { body, rows, row, loads }: Watched): void {
  const { areas } = weaveOf(body.model) // made before it is needed, as what a tear looks up of edges
  wingsBefore(body.model)
  if (rehearsed >= REHEARSED || body.model.torn) return
  rehearsed += TEARS * areas.length
  let { model } = body
  for (let tear = 0; tear < TEARS; tear++) {
    scale[0] = 1
    takeStrain(state, rows, row, scale, loads)
    loads.fill(0)
    for (let t = 0; t < areas.length; t += OVERLOADED) loads.fill(2, 3 * t, 3 * t + 2)
    const uneven = tear > 0 ? AS_SEEN : Number.POSITIVE_INFINITY // the first asks for lines
    const corners: number[] = []
    if (isOver(loads, 1)) new Overload(model, loads).addOpened(state, body, uneven, corners)
    model = partEdges(model, corners).model
  }
  for (const cut of cutsThrough(state, body)) partedCorners(state, body, cut)
  loads.fill(0)
}

/** Cuts that go through the middle of a body: by a plane, and by a blade that is led from its first particle to its last. */
function cutsThrough({ positions: x }: State, { start, model }: BodyRecord): CheckedCut[] {
  const triangle = elementsOf(model)
  const corners = [start + triangle[0]!, start + triangle[1]!, start + triangle[2]!, start + model.particleCount - 1]
  const [origin, a, b, last] = corners.map((particle) => Array.from(x.subarray(3 * particle, 3 * particle + 3)))
  const way = minus(last!, origin!)
  const [u, v] = [minus(a!, origin!), minus(b!, origin!)]
  const side = [0, 1, 2].map((d) => u[(d + 1) % 3]! * v[(d + 2) % 3]! - u[(d + 2) % 3]! * v[(d + 1) % 3]!)
  const scale = length(way) / (length(side) || 1)
  const end = (share: number, turn: number) => way.map((w, d) => origin![d]! + share * w + turn * scale * side[d]!)
  const plane = Float64Array.from([...end(0.5, 0), ...way])
  const blade = Float64Array.from([...end(0, -1), ...end(0, 1), ...end(1, -1), ...end(1, 1)])
  return [
    { numbers: plane, relative: false },
    { numbers: blade, relative: false },
    { numbers: blade, relative: true },
  ]
}

const minus = (p: readonly number[], q: readonly number[]) => p.map((x, d) => x - q[d]!)
const length = (v: readonly number[]) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0))

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

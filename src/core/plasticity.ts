import type { Rows } from './constraints/kind.js'
import { neoHookean } from './constraints/neoHookean.js'
import type { ElasticSetting } from './elastic.js'
import { diagonalise } from './math/eigen.js'
import { exp, ln } from './math/elementary.js'
import type { ConstraintSet } from './model.js'
import type { Plasticity } from './plasticitySettings.js'
import { followShape, volumesOf } from './plasticShape.js'
import { type BodyRecord, SLEEP } from './records.js'
import type { State } from './state.js'

/** Rows of a body's tetrahedra in a batch of all bodies' rows. */
export interface PlasticPart {
  readonly body: BodyRecord
  readonly set: ConstraintSet
  readonly setting: ElasticSetting
  readonly rows: Rows
  /** The first of the rows. */
  readonly row: number
  /** What their bake is to know of the rows after each. */
  readonly later: Float64Array | undefined
}

/** Tetrahedra that one call takes. */
const A_CALL = 64

/** Share of its volume that a tetrahedron must have kept to flow. */
const CRUSHED = 0.3

/** What flows faster than this keeps its body awake, as a strain [1/s]. */
const FLOWS = 1e-3

const C = new Float64Array(9)
const V = new Float64Array(9)
const S = new Float64Array(9)
const G = new Float64Array(9)
const e = new Float64Array(3)
/** Of what was looked at last: det F, its strain, and what `compose` multiplies e by. By array, as the other numbers. */
const det = new Float64Array(1)
const strain = new Float64Array(1)
const factor = new Float64Array(1)

/**
 * Plastic flow. F = F_e F_p, the elastic part F_e what the material resists, F_p what has become the rest shape (as Irving,
 * Teran and Fedkiw 2004, with logarithms of the stretches). With e_k the logarithms of the principal stretches of F_e less
 * their mean, the strain is g = sqrt(2/3 sum e_k^2); a bar drawn to l at one volume has ln(l / l0). Beyond the yield it
 * flows, dg/dt = -creep (g - yield), along e_k: a volume stays as it is, det F_p = 1. What has flowed in total is kept
 * below `max`, measured likewise. What is crushed flat or inside out does not flow but springs back: a substep has failed to
 * hold its volume, and with strains beyond all bounds it would flow to and fro for ever.
 *
 * A row that a substep does not resolve is softer than it was set, and yields at the same stress: at as much more strain.
 * Else what is small, or has flowed until it is thin, would strain beyond its yield by its own weight, and flow on.
 *
 * A body keeps G = F_p^-1 of each tetrahedron, in the order of its rows of `neoHookean`; their rest values are B G, B the
 * inverse of the rest edges. It flows once a step, exactly for a shape that is held.
 */
export class PlasticFlow {
  private parts: readonly PlasticPart[] = []
  /** By part: what goes in a step of what is beyond the yield, 1 - exp(-creep dt), and the dt that it is of [s]. */
  private shares = new Float64Array(0)
  private readonly sharesOf = new Float64Array(1)
  /** By part and particle: volume of its tetrahedra, and that times the share of their elastic strain that flows [m^3]. */
  private volumes: readonly Float64Array[] = []
  private flowed: readonly Float64Array[] = []
  /** Of the body in hand: 1 where something flows, and the most by which that changes a strain in the step. */
  private readonly flows = new Float64Array(2)
  private readonly context = {
    unitCompliance: 1,
    bodyMass: 1,
    h: 1,
    inverseMasses: new Float64Array(4),
    rest: new Float64Array(0) as Float64Array,
    restAt: 0,
    later: undefined as Float64Array | undefined,
    laterAt: 0,
  }

  /** To be called with the rows of `neoHookean` whenever they are baked; `h` is a substep [s]. */
  bake(parts: readonly PlasticPart[], h: number): void {
    this.parts = parts.filter(({ body }) => body.settings.plasticity !== false)
    this.context.h = h
    this.shares = new Float64Array(this.parts.length)
    this.volumes = this.parts.map(({ body, set }) => volumesOf(body.model, set))
    this.flowed = this.volumes.map(({ length }) => new Float64Array(length))
    this.sharesOf[0] = 0
  }

  /** What flows in a step of timeStep[0] [s], by where it has left the particles. */
  flow(state: State, timeStep: Float64Array): void {
    if (this.sharesOf[0] !== timeStep[0]) this.findShares(timeStep)
    for (let p = 0; p < this.parts.length; p++) {
      const part = this.parts[p]!
      if (part.body.asleep) continue
      this.flows.fill(0)
      for (let t = 0; t < part.set.count; t += A_CALL) {
        this.flowRows(state, p, t, Math.min(t + A_CALL, part.set.count))
      }
      if (this.flows[0] !== 0) followShape(state, part.body, this.flowed[p]!, this.volumes[p]!)
      // However still it is held: asleep it would keep less.
      if (this.flows[1]! > FLOWS * timeStep[0]!) part.body.sleep[SLEEP.CALM] = 0
    }
  }

  private findShares(timeStep: Float64Array): void {
    this.sharesOf[0] = timeStep[0]!
    for (let p = 0; p < this.parts.length; p++) {
      const { plasticity } = this.parts[p]!.body.settings
      if (plasticity !== false) this.shares[p] = 1 - exp(-plasticity.creep * timeStep[0]!)
    }
  }

  private flowRows(state: State, p: number, from: number, to: number): void {
    const part = this.parts[p]!
    const { body, set, setting, rows, row } = part
    const plasticity = body.settings.plasticity
    if (plasticity === false) return
    // alpha over unitCompliance where a substep resolves a row: 1 / (mu h^2).
    const resolved = (2 * (1 + setting.poissonRatio!)) / (setting.youngsModulus! * this.context.h * this.context.h)
    for (let t = from; t < to; t++) {
      const limit =
        (plasticity.yield * rows.material[(row + t) * neoHookean.materialSize]!) / (resolved * set.unitCompliance[t]!)
      findStrain(state.positions, rows, row + t)
      // tr C <= (3 + 3 g^2 - g^3) (det C)^(1/3) holds for no strain above g.
      const bound = 3 + (3 - limit) * limit * limit
      const trace = C[0]! + C[4]! + C[8]!
      if (!(det[0]! > CRUSHED) || trace * trace * trace <= bound * bound * bound * det[0]! * det[0]!) continue
      diagonalise(C, V)
      findLogarithms()
      const g = strain[0]!
      if (!(g > limit)) continue
      // What flows goes from F_e: G <- G V exp(-part of e) V^T.
      factor[0] = -(this.shares[p]! * (g - limit)) / g
      compose()
      this.flows[0] = 1
      for (let k = t * 4; k < t * 4 + 4; k++) {
        const i = set.indices[k]!
        this.flowed[p]![i] = this.flowed[p]![i]! - factor[0] / set.unitCompliance[t]!
      }
      const { plastic } = body
      for (let i = 0; i < 9; i += 3) {
        for (let j = 0; j < 3; j++) {
          G[i + j] =
            plastic[t * 9 + i]! * S[j]! + plastic[t * 9 + i + 1]! * S[3 + j]! + plastic[t * 9 + i + 2]! * S[6 + j]!
        }
      }
      limitTotal(plasticity)
      for (let i = 0; i < 9; i++) this.flows[1] = Math.max(this.flows[1]!, Math.abs(G[i]! - plastic[t * 9 + i]!))
      plastic.set(G, t * 9)
      writeRest(set, plastic, t, rows.rest, (row + t) * neoHookean.restSize)
      this.bakeRow(state, part, t)
    }
  }

  private bakeRow(state: State, { body, set, setting, rows, row, later }: PlasticPart, t: number): void {
    const { context } = this
    context.unitCompliance = set.unitCompliance[t]!
    context.bodyMass = body.mass
    for (let k = 0; k < 4; k++) context.inverseMasses[k] = state.inverseMasses[rows.indices[(row + t) * 4 + k]!]!
    context.rest = rows.rest
    context.restAt = (row + t) * neoHookean.restSize
    context.later = later
    context.laterAt = t * neoHookean.laterSize!
    neoHookean.bake(setting, context, rows.material, (row + t) * neoHookean.materialSize)
  }
}

/** Writes the rest values B G of a set's row `t`. */
export function writeRest(
  { rest: B }: ConstraintSet,
  plastic: Float64Array,
  t: number,
  rest: Float64Array,
  restAt: number,
): void {
  for (let k = 0; k < 3; k++) {
    for (let j = 0; j < 3; j++) {
      let sum = 0
      for (let d = 0; d < 3; d++) sum += B[t * 9 + k * 3 + d]! * plastic[t * 9 + d * 3 + j]!
      rest[restAt + k * 3 + j] = sum
    }
  }
}

/** Sets C to F^T F of a row, and `det`. */
function findStrain(x: Float64Array, { indices, rest }: Rows, row: number): void {
  const p0 = indices[row * 4]! * 3
  const p1 = indices[row * 4 + 1]! * 3
  const p2 = indices[row * 4 + 2]! * 3
  const p3 = indices[row * 4 + 3]! * 3
  const r = row * neoHookean.restSize
  for (let d = 0; d < 3; d++) {
    const a = x[p1 + d]! - x[p0 + d]!
    const b = x[p2 + d]! - x[p0 + d]!
    const c = x[p3 + d]! - x[p0 + d]!
    for (let j = 0; j < 3; j++) S[d * 3 + j] = a * rest[r + j]! + b * rest[r + 3 + j]! + c * rest[r + 6 + j]!
  }
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) C[i * 3 + j] = S[i]! * S[j]! + S[3 + i]! * S[3 + j]! + S[6 + i]! * S[6 + j]!
  }
  det[0] =
    S[0]! * (S[4]! * S[8]! - S[5]! * S[7]!) -
    S[1]! * (S[3]! * S[8]! - S[5]! * S[6]!) +
    S[2]! * (S[3]! * S[7]! - S[4]! * S[6]!)
}

/** Sets e to half the logarithms of the diagonal of C less their mean, and `strain` to sqrt(2/3 sum e^2). */
function findLogarithms(): void {
  for (let k = 0; k < 3; k++) e[k] = 0.5 * ln(C[k * 4]!)
  const mean = (e[0]! + e[1]! + e[2]!) / 3
  let squared = 0
  for (let k = 0; k < 3; k++) {
    e[k] = e[k]! - mean
    squared += e[k]! * e[k]!
  }
  strain[0] = Math.sqrt((2 / 3) * squared)
}

/** Sets S to V exp(factor e) V^T. */
function compose(): void {
  S.fill(0)
  for (let k = 0; k < 3; k++) {
    const stretch = exp(factor[0]! * e[k]!)
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) S[i * 3 + j] = S[i * 3 + j]! + stretch * V[i * 3 + k]! * V[j * 3 + k]!
    }
  }
}

/** Draws G back to a strain of at most `max`: that of F_p = G^-1 is that of G. */
function limitTotal({ max }: Plasticity): void {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      C[i * 3 + j] = G[i * 3]! * G[j * 3]! + G[i * 3 + 1]! * G[j * 3 + 1]! + G[i * 3 + 2]! * G[j * 3 + 2]!
    }
  }
  diagonalise(C, V)
  findLogarithms()
  if (!(strain[0]! > max)) return
  factor[0] = max / strain[0]! - 1
  compose()
  C.set(G)
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 3; j++) G[i + j] = S[i]! * C[j]! + S[i + 1]! * C[3 + j]! + S[i + 2]! * C[6 + j]!
  }
}

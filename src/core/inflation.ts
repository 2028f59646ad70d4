import type { Rows } from './constraints/kind.js'
import { bear } from './constraints/neoHookean.js'
import { lead } from './constraints/pressure.js'
import type { ElasticSetting } from './elastic.js'
import { exp, ln } from './math/elementary.js'
import type { ConstraintSet } from './model.js'
import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/** Rows of one body in a batch of all bodies' rows. */
interface RowsOfBody {
  readonly body: BodyRecord
  readonly set: ConstraintSet
  readonly setting: ElasticSetting
  readonly rows: Rows
  /** The first of the rows. */
  readonly row: number
}

/** What a step knows of a body whose tetrahedra bear what presses on its surface. Pressures are over mu. */
interface Inflated {
  /** Which of the live bodies it is. */
  readonly b: number
  readonly solid: RowsOfBody
  readonly surface: RowsOfBody
  /** (lambda + mu) / mu of the material. */
  readonly bulk: number
  /** Bulk modulus of what is inside, and how many times the rest volume it would have by itself. */
  readonly modulus: number
  readonly ratio: number
  /** Volume over rest volume where gas and material press alike. */
  readonly goal: number
}

/** The least volume that tetrahedra are led to, in rest volumes: what is below is solved as crushed. */
const LEAST = 0.55
/** How fast J follows, in volumes a second, so that a ratio that leaps throws nothing. */
const QUICKEST = 6
/** Halvings of an interval of ten rest volumes, down to rounding. */
const HALVINGS = 56

/** For `bear`. */
const pressing = new Float64Array(2)

/**
 * Pressure within a solid of neo-Hookean tetrahedra. On a closed surface it does the work P dV, which is that of P within
 * each of the tetrahedra that fill it: the sum of their gradients is the surface's. So they bear it themselves, and what
 * gas and material agree on needs no push against the corners of the surface, of which the light ones bear next to nothing
 * in a substep. They get the P with which the material has the volume J V0 by itself, P / mu = J^(-1/3) - 1 +
 * ((lambda + mu) / mu) (J - 1); the surface keeps what is more than that, K (ratio - V / V0) - P, by a ratio less P / K.
 *
 * J is where both press alike, and on its way there a number that the body keeps. What springs hold beside it is left
 * to the surface alone.
 */
export class Inflation {
  /** By live body: J^(1/3) - 1, by how much its rest shape has grown; 0 for what bears nothing. */
  grown = new Float64Array(0)

  private inflated: readonly Inflated[] = []
  /** By entry of `inflated`: the J that its rows have; NaN once they are baked. */
  private given = new Float64Array(0)

  /** To be called with the rows of `neoHookean` and of `pressure` whenever they are baked. */
  bake({ bodies }: State, solids: readonly RowsOfBody[], surfaces: readonly RowsOfBody[]): void {
    this.inflated = bodies.live.flatMap((body, b) => {
      const surface = surfaces.find((one) => one.body === body && one.set.count === 1)
      const solid = solids.find((one) => one.body === body && one.set.enclosed)
      if (solid && surface && holdsAlone(solid)) return [inflatedOf(b, solid, surface)]
      body.inflation[0] = 1
      return []
    })
    this.given = new Float64Array(this.inflated.length).fill(Number.NaN)
    this.grown = new Float64Array(bodies.live.length)
  }

  /** Before a step of timeStep[0] [s]. */
  begin({ bodies }: State, timeStep: Float64Array): void {
    for (let k = 0; k < this.inflated.length; k++) {
      const one = this.inflated[k]!
      const { inflation, asleep } = bodies.live[one.b]!
      if (!asleep) {
        const most = QUICKEST * timeStep[0]! * inflation[0]!
        inflation[0] = inflation[0]! + Math.max(-most, Math.min(most, one.goal - inflation[0]!))
      }
      if (inflation[0] === this.given[k]) continue
      this.given[k] = inflation[0]!
      this.grown[one.b] = exp(ln(inflation[0]!) / 3) - 1
      give(one, inflation[0]!)
    }
  }
}

/** False where springs or volumes act beside the material: row by row they would pull against what it bears, and tremble. */
function holdsAlone({ body: { model, settings }, set }: RowsOfBody): boolean {
  return model.sets.every(
    (other) =>
      other === set || other.kind.arity === 'variable' || !(settings.elastic[other.name] ?? model.elastic[other.name]),
  )
}

function inflatedOf(b: number, solid: RowsOfBody, surface: RowsOfBody): Inflated {
  const nu = solid.setting.poissonRatio!
  const bulk = 1 / (1 - 2 * nu) // (lambda + mu) / mu
  const mu = solid.setting.youngsModulus! / (2 * (1 + nu))
  const { ratio = 1, compliance = 0 } = surface.setting
  const modulus = (surface.setting.modulus ?? surface.set.unitCompliance[0]! / compliance) / mu
  return { b, solid, surface, bulk, modulus, ratio, goal: agreed(bulk, modulus, ratio) }
}

/** The J at which modulus (ratio - J) = P(J). */
function agreed(bulk: number, modulus: number, ratio: number): number {
  if (ratio === 1) return 1
  if (modulus === Number.POSITIVE_INFINITY) return Math.max(LEAST, ratio)
  let [low, high] = ratio < 1 ? [LEAST, 1] : [1, ratio]
  for (let k = 0; k < HALVINGS; k++) {
    const J = (low + high) / 2
    if (modulus * (ratio - J) > pressureWithin(bulk, J)) low = J
    else high = J
  }
  return (low + high) / 2
}

/** Over mu: with it, a material has J times its rest volume. */
function pressureWithin(bulk: number, J: number): number {
  return exp(-ln(J) / 3) - 1 + bulk * (J - 1)
}

function give({ solid, surface, bulk, modulus, ratio }: Inflated, J: number): void {
  pressing[0] = pressureWithin(bulk, J)
  pressing[1] = Math.max(0, 1 - exp((-4 * ln(J)) / 3))
  bear(solid.rows, solid.row, solid.row + solid.set.count, pressing)
  lead(surface.rows, surface.row, ratio - pressing[0] / modulus)
}

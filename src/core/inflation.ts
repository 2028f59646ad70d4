import type { Rows } from './constraints/kind.js'
import { bear } from './constraints/neoHookean.js'
import { lead, pressure } from './constraints/pressure.js'
import { grow } from './constraints/shapeMatching.js'
import type { ElasticSetting } from './elastic.js'
import { exp, ln } from './math/elementary.js'
import type { ConstraintSet } from './model.js'
import { type BodyRecord, INFLATION } from './records.js'
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

/** What a step knows of a body whose tetrahedra, springs and shape bear what presses on its surface, or have borne it. */
interface Inflated {
  /** Which of the live bodies it is. */
  readonly b: number
  /** The surface that they bear it for; undefined where they bear nothing any more. */
  readonly surface: RowsOfBody | undefined
  /** True where the surface has rows by `settingOf` alone. */
  readonly off: boolean
  /** Its neo-Hookean material, springs and volumes, as far as they act. */
  readonly solid: RowsOfBody | undefined
  readonly springs: RowsOfBody | undefined
  readonly volumes: RowsOfBody | undefined
  /** The shape that it is drawn to, also where that relaxes, and passes no force on. */
  readonly shape: RowsOfBody | undefined
  /** (lambda + mu) / mu of the material. */
  readonly bulk: number
  /** Volume over rest volume where gas and material press alike; 1 where they bear nothing any more. */
  readonly goal: number
}

/** How what holds a body presses against a change of its volume. */
interface Holds {
  /** mu of the material [Pa], 0 without one. */
  readonly mu: number
  /** Its (lambda + mu) / mu. */
  readonly bulk: number
  /** Sum of k L^2 over the springs, those to the places of a shape too, over the rest volume [Pa]. */
  readonly springs: number
  /** Bulk modulus of the volumes [Pa]; Infinity where they are rigid. */
  readonly volumes: number
}

/** The least volume that tetrahedra are led to, in rest volumes: what is below is solved as crushed. */
const LEAST = 0.55
/** How fast J follows, in volumes a second, so that a ratio that leaps throws nothing. */
const QUICKEST = 6
/** For how long gas that is switched off stays once J is 1 [s], so that what it led back does not swing past its rest shape. */
const STAY = 0.5
/** Halvings of an interval of ten rest volumes, down to rounding. */
const HALVINGS = 56

/** For `bear`. */
const pressing = new Float64Array(2)

/**
 * Pressure within a solid. On a closed surface it does the work P dV, which is that of P within each of the tetrahedra that
 * fill it: the sum of their gradients is the surface's. So what holds the body bears it itself, and what gas and material
 * agree on needs no push against the corners of the surface, of which the light ones bear next to nothing in a substep.
 * Neo-Hookean tetrahedra get the P with which the material has the volume J V0 by itself, P / mu = J^(-1/3) - 1 +
 * ((lambda + mu) / mu) (J - 1); springs, volumes and shapes are as long and as large at rest as they are at J, which is the
 * same: a spring of k bears k (l - L) less k (J^(1/3) - 1) L. The surface keeps what is more than that: K (ratio - V / V0) less P =
 * K (ratio - J) is K (J - V / V0), so that it resists a squeeze as the gas does.
 *
 * J is where all press alike, and on its way there a number that the body keeps. A pressure that is switched off is one of
 * ratio 1 until its gas is gone, see `settingOf`; what bears none any more, as it relaxes, is led to 1 all the same.
 */
export class Inflation {
  /** By live body: J^(1/3) - 1, by how much its rest shape has grown; 0 for what bears nothing. */
  grown = new Float64Array(0)

  private inflated: readonly Inflated[] = []
  /** By entry of `inflated`: the J that its rows have; NaN once they are baked. */
  private given = new Float64Array(0)

  /** To be called with the rows of `neoHookean`, `distance`, `volume`, `shapeMatching` and `pressure` whenever they are baked. */
  bake(
    { bodies }: State,
    solids: readonly RowsOfBody[],
    springs: readonly RowsOfBody[],
    volumes: readonly RowsOfBody[],
    shapes: readonly RowsOfBody[],
    surfaces: readonly RowsOfBody[],
  ): void {
    this.inflated = bodies.live.flatMap((body, b) => {
      const surface = surfaces.find((one) => one.body === body && one.set.count === 1)
      const within = [solids, springs, volumes, shapes].map((all) =>
        all.find((one) => one.body === body && one.set.enclosed),
      )
      const off = surface !== undefined && !givenOf(body, surface.set)
      if (surface && bears(within)) return [inflatedOf(b, off, surface, within)]
      const { inflation } = body
      const isOver = inflation[INFLATION.RATIO] === 1 && inflation[INFLATION.LEFT] === 0
      return isOver ? [] : [inflatedOf(b, off, undefined, within)]
    })
    this.given = new Float64Array(this.inflated.length).fill(Number.NaN)
    this.grown = new Float64Array(bodies.live.length)
  }

  /** True where gas that was switched off is gone: the rows are to be baked again. */
  hasEnded(): boolean {
    for (let k = 0; k < this.inflated.length; k++) {
      const { off, surface } = this.inflated[k]!
      if (off && surface?.body.inflation[INFLATION.LEFT] === 0) return true
    }
    return false
  }

  /** Before a step of timeStep[0] [s]. */
  begin({ bodies }: State, timeStep: Float64Array): void {
    for (let k = 0; k < this.inflated.length; k++) {
      const one = this.inflated[k]!
      const { inflation, asleep } = bodies.live[one.b]!
      if (!asleep) {
        const most = QUICKEST * timeStep[0]! * inflation[INFLATION.RATIO]!
        inflation[INFLATION.RATIO] =
          inflation[INFLATION.RATIO]! + Math.max(-most, Math.min(most, one.goal - inflation[INFLATION.RATIO]!))
        const left = inflation[INFLATION.RATIO] === 1 ? Math.max(0, inflation[INFLATION.LEFT]! - timeStep[0]!) : STAY
        inflation[INFLATION.LEFT] = left
      }
      if (inflation[INFLATION.RATIO] === this.given[k]) continue
      this.given[k] = inflation[INFLATION.RATIO]!
      this.grown[one.b] = exp(ln(inflation[INFLATION.RATIO]!) / 3) - 1
      give(one, inflation[INFLATION.RATIO]!)
      const { shape } = one
      if (shape) grow(shape.rows, shape.row, shape.row + shape.set.count, this.grown, one.b)
    }
  }
}

/** What is set of one of a body's sets, by its settings or its model. */
function givenOf({ settings, model }: BodyRecord, { name }: ConstraintSet): ElasticSetting | false | undefined {
  return settings.elastic[name] ?? model.elastic[name]
}

/**
 * The same; of a pressure that has been switched off the gas that leads the body back to its rest volume, and stays for a
 * little, so that it is not let go like a spring.
 */
export function settingOf(body: BodyRecord, set: ConstraintSet): ElasticSetting | false | undefined {
  const { inflation } = body
  const given = givenOf(body, set)
  return given || set.kind !== pressure || inflation[INFLATION.LEFT] === 0
    ? given
    : { modulus: inflation[INFLATION.MODULUS]! }
}

/** True where something acts that can bear a pressure: what relaxes passes no force on. A shape may, beside what bears. */
function bears([solid, springs, volumes, shape]: readonly (RowsOfBody | undefined)[]): boolean {
  const within = [solid, springs, volumes, shape && relaxes(shape) ? undefined : shape]
  return within.some((one) => one) && !within.some((one) => one && relaxes(one))
}

function relaxes({ setting }: RowsOfBody): boolean {
  return setting.relaxation !== undefined
}

function inflatedOf(
  b: number,
  off: boolean,
  surface: RowsOfBody | undefined,
  within: readonly (RowsOfBody | undefined)[],
): Inflated {
  const [solid, springs, volumes, shape] = within
  const bulk = 1 / (1 - 2 * (solid?.setting.poissonRatio ?? 0))
  return { b, surface, off, solid, springs, volumes, shape, bulk, goal: surface ? goalOf(surface, within, bulk) : 1 }
}

function goalOf(surface: RowsOfBody, within: readonly (RowsOfBody | undefined)[], bulk: number): number {
  const [solid, springs, volumes, shape] = within
  const rest = surface.set.rest[0]!
  // Thickened bodies are softer by a share, which moduli do not tell.
  const share = rest / surface.set.unitCompliance[0]!
  const { youngsModulus = 0, poissonRatio = 0 } = solid?.setting ?? {}
  const holds = {
    mu: youngsModulus / (2 * (1 + poissonRatio)),
    bulk,
    springs: (squaresOverCompliance(springs) + shapeSquares(shape)) / (rest * share),
    volumes: squaresOverCompliance(volumes) / (rest * share),
  }
  const { ratio = 1 } = surface.setting
  const modulus = surface.setting.modulus ?? surface.set.unitCompliance[0]! / (surface.setting.compliance ?? 0)
  surface.body.inflation[INFLATION.MODULUS] = modulus
  return agreed(holds, modulus, ratio)
}

/** Compliance of the `row`-th row of a set, in the unit of its kind. */
function complianceOf({ set, setting: { compliance, modulus } }: RowsOfBody, row: number): number {
  return modulus === undefined ? (compliance ?? 0) : set.unitCompliance[row]! / modulus
}

/** Sum of the squares of the rest values over the compliances [N m]; 0 without rows. */
function squaresOverCompliance(rows: RowsOfBody | undefined): number {
  if (!rows) return 0
  return rows.set.rest.reduce((sum, value, r) => sum + (value * value) / complianceOf(rows, r), 0)
}

/** Sum of k q^2 over the particles of a shape's groups, each of which a spring of k holds to its place q [N m]. */
function shapeSquares(shape: RowsOfBody | undefined): number {
  if (!shape || relaxes(shape)) return 0
  const { body, set, setting } = shape
  // A swing of angular frequency omega has k / m = omega^2.
  const { rate, compliance = 1 / setting.modulus! } = setting
  const square = rate === undefined ? 1 / (compliance * body.mass) : rate * rate
  let sum = 0
  for (let row = 0; row < set.count; row++) {
    for (let k = set.offsets[row]!; k < set.offsets[row + 1]!; k++) {
      const mass = body.mass * body.model.massShares[set.indices[k]!]!
      let place = 0
      for (let d = 0; d < 3; d++) place += set.rest[k * 3 + d]! * set.rest[k * 3 + d]!
      sum += (mass * square * place) / set.unitCompliance[row]!
    }
  }
  return sum
}

/** The J at which modulus (ratio - J) = P(J). */
function agreed(holds: Holds, modulus: number, ratio: number): number {
  if (ratio === 1) return 1
  if (modulus === Number.POSITIVE_INFINITY) return Math.max(LEAST, ratio)
  let [low, high] = ratio < 1 ? [LEAST, 1] : [1, ratio]
  for (let k = 0; k < HALVINGS; k++) {
    const J = (low + high) / 2
    if (modulus * (ratio - J) > pressureWithin(holds, J)) low = J
    else high = J
  }
  return (low + high) / 2
}

/** With it, what holds a body has J times its rest volume [Pa]. */
function pressureWithin({ mu, bulk, springs, volumes }: Holds, J: number): number {
  const length = exp(ln(J) / 3)
  return mu * solidWithin(bulk, J) + (springs * (length - 1)) / (3 * length * length) + volumes * (J - 1)
}

/** The part of the material, over mu. */
function solidWithin(bulk: number, J: number): number {
  return exp(-ln(J) / 3) - 1 + bulk * (J - 1)
}

function give({ surface, solid, springs, volumes, bulk }: Inflated, J: number): void {
  if (solid) {
    pressing[0] = solidWithin(bulk, J)
    pressing[1] = Math.max(0, 1 - exp((-4 * ln(J)) / 3))
    bear(solid.rows, solid.row, solid.row + solid.set.count, pressing)
  }
  if (springs) scaleRest(springs, exp(ln(J) / 3))
  if (volumes) scaleRest(volumes, J)
  // What is left of K (ratio - V / V0) is K (J - V / V0).
  if (surface) lead(surface.rows, surface.row, J)
}

/** Makes the rest values of rows `scale` times what the model says. */
function scaleRest({ rows, row, set }: RowsOfBody, scale: number): void {
  for (let r = 0; r < set.count; r++) rows.rest[row + r] = scale * set.rest[r]!
}

import type { ElasticSetting } from '../elastic.js'
import { exp } from '../math/elementary.js'
import type { SettingSpec } from '../validation.js'

/** The columns of the state that a projection reads and writes, indexed by particle. */
export interface Columns {
  /** [3 n] m */
  readonly positions: Float64Array
  /** Positions at the start of the substep, [3 n] m. */
  readonly previous: Float64Array
  /** [n] 1/kg; 0 is pinned. */
  readonly inverseMasses: Float64Array
  /** [n] kg; a pinned particle keeps its mass here. */
  readonly masses: Float64Array
  /** Warm starts of the rotations, [4 m] unit quaternions x, y, z, w. */
  readonly rotations: Float64Array
}

/** Rows of one kind, of all bodies, as a backend bakes them: columns, walked from start to end. */
export interface Rows {
  readonly count: number
  /** Particles of a row: `arity` a row, or offsets[r]..offsets[r + 1] where the arity varies. */
  readonly indices: Uint32Array
  readonly offsets: Uint32Array
  /** Rest values, as the kind lays them out. */
  readonly rest: Float64Array
  /** What the kind bakes of the setting, `materialSize` numbers a row: compliances over h^2 first. */
  readonly material: Float64Array
  /** Multipliers, zeroed once a substep; those of an `energy` are missing where nothing is iterated. */
  readonly lambda: Float64Array
  /** A substep has more than one sweep, and so needs to know what the ones before it did. */
  readonly iterated: boolean
  /** Slot of a row's warm start in `Columns.rotations`. */
  readonly rotations: Uint32Array
}

/** What a stiffness is baked with. */
export interface BakeContext {
  /** Compliance of the row at a modulus of one. */
  unitCompliance: number
  /** Mass of the whole body [kg]. */
  bodyMass: number
  /** Length of a substep [s]. */
  h: number
  /** Sweeps over the rows in a substep; 1 unless given. */
  sweeps?: number
  /** Inverse masses [1/kg] of the row's particles. */
  inverseMasses: ArrayLike<number>
  /** The row's rest values, from restAt on. */
  rest: Float64Array
  restAt: number
  /** What `laterOf` tells of the row, from laterAt on; missing where a row is looked at by itself. */
  later?: Float64Array | undefined
  laterAt?: number
}

/** Rows of one kind of one body. */
export interface RowSet {
  readonly count: number
  readonly indices: Uint32Array
  readonly rest: Float64Array
  /** Compliance of each row at a modulus of one. */
  readonly unitCompliance: Float64Array
}

/**
 * A constraint kind: one file, one export line in `index.ts`.
 *
 * Contracts, each held by a conformance test over every exported kind:
 * - `scalar`: `project` equals XPBD (Macklin et al. 2016) built from finite differences of `evaluate`, or a part of its step
 *   where the kind is `cautious`, or turns a row by no more than `mostTurn`;
 * - `block`: likewise, with the `lambdaSize` constraints of a row solved together;
 * - `rigid`: one constraint between two groups of particles, which move as rigid bodies: XPBD in the six coordinates of
 *   each, while they are rigid;
 * - `energy`: the constraints give the energy C^T C / (2 alphaTilde); a row that is soft for its particles moves them by
 *   -w grad of that, how one that is not gets to its minimum is the kind's own;
 * - `goal`: the goals minimise sum m |x - g|^2 over all proper rigid placements of the rest shape, and each particle
 *   makes a compliant move towards its own.
 */
export type ConstraintKind = EvaluatedKind | GoalKind

interface Kind {
  readonly name: string
  readonly arity: number | 'variable'
  /** Where the arity varies: rows come in multiples of it; 1 unless given. */
  readonly multipleOf?: number
  /** The range of lambda: an equality may push and pull. */
  readonly bounds: 'equality' | 'atMost' | 'atLeast'
  /** Acts between a body's own particles: keeps linear and angular momentum. */
  readonly internal: boolean
  /** Its particles lie on a straight line at rest; any shape unless given. */
  readonly restOn?: 'line'
  /** What a setting may state, with quantity, unit and range. */
  readonly parameters: Readonly<Record<string, SettingSpec>>
  /** The sets of parameters that make a whole setting, any one of them. */
  readonly ways: readonly (readonly string[])[]
  /** Rest values and multipliers: how many a row, or an entry of `indices` where the arity varies. */
  readonly restSize: number
  readonly lambdaSize: number
  /** Numbers of `Rows.material` a row. */
  readonly materialSize: number
  /** Writes a row's material from what the user set, at material[at]. */
  bake(setting: ElasticSetting, context: BakeContext, material: Float64Array, at: number): void
  /**
   * The longest substep [s] that resolves a row's stiffness, for a kind that makes a row softer than it was set rather
   * than shake; `h` of the context does not count.
   */
  longestSubstep?(setting: ElasticSetting, context: BakeContext): number
  /** What `bake` is to know of the rows that are solved after each: `laterSize` numbers a row. */
  readonly laterSize?: number
  laterOf?(rows: RowSet, particleCount: number): Float64Array
  /** Rest values of the row whose particles start at indices[at], written at rest[restAt]. */
  measure(
    x: Float64Array,
    indices: ArrayLike<number>,
    at: number,
    count: number,
    m: Float64Array,
    rest: Float64Array,
    restAt: number,
  ): void
  /** The hot loop: one sweep over rows start..end. */
  project(rows: Rows, start: number, end: number, columns: Columns): void
}

export interface EvaluatedKind extends Kind {
  readonly contract: 'scalar' | 'block' | 'energy' | 'rigid'
  /** The entry of the row's material that is the compliance of each constraint; default the first, the second, ... */
  readonly compliances?: readonly number[]
  /** A sweep of a `scalar` takes but a part of a step that is longer than what it acts on could answer to. */
  readonly cautious?: boolean
  /**
   * The most that a sweep may turn a `scalar` or `block` row by: its last constraint [rad], an angle or the sine of one, takes
   * a part of its step, and the others of a block what follows from that. Default no limit.
   */
  mostTurn?(rows: Rows, row: number): number
  /** Constraints of a `block` row of `count` particles whose arity varies, all of one compliance, the row's first. */
  constraintsOf?(count: number): number
  /** The specification: writes the constraints of a row, as many as it has multipliers, into C. */
  evaluate(rows: Rows, row: number, x: Float64Array, C: Float64Array): void
}

export interface GoalKind extends Kind {
  readonly contract: 'goal'
}

/** Parameters of a kind whose stiffness is a compliance, or a modulus by way of the row's unit compliance. */
export function complianceOrModulus(
  complianceUnit: string,
  modulusUnit: string,
  of: Partial<SettingSpec> = {},
): Pick<Kind, 'parameters' | 'ways'> {
  const compliance = { ...complianceSpec, unit: complianceUnit }
  const modulus = { ...modulusSpec, unit: modulusUnit, ...of }
  return { parameters: { compliance, modulus }, ways: [['compliance'], ['modulus']] }
}

/** compliance / h^2 of such a kind. */
export function bakeCompliance(
  setting: ElasticSetting,
  context: BakeContext,
  material: Float64Array,
  at: number,
): void {
  const { unitCompliance, h } = context
  const { compliance, modulus } = setting
  // A modulus of 0 where a kind allows it: as good as none, and finite.
  material[at] = (compliance ?? unitCompliance / (modulus || modulusSpec.min!)) / (h * h)
}

/** Distance of two particles [m]. */
export function lengthOf(x: Float64Array, i: number, j: number): number {
  const dx = x[i * 3]! - x[j * 3]!
  const dy = x[i * 3 + 1]! - x[j * 3 + 1]!
  const dz = x[i * 3 + 2]! - x[j * 3 + 2]!
  return Math.sqrt(dx * dx + dy * dy + dz * dz)
}

export const complianceSpec: SettingSpec = {
  quantity: 'inverse stiffness',
  unit: 'm/N',
  type: 'number',
  default: 0,
  min: 0,
  max: 1e12,
  remedy: 'Use 0 for rigid, larger for softer, false to switch it off.',
}

export const modulusSpec: SettingSpec = {
  quantity: 'stiffness of the material',
  unit: 'Pa',
  type: 'number',
  default: 1e5,
  min: 1e-60,
  max: 1e12,
  remedy: 'Use 1e5 for jelly, 1e6 for rubber, false to switch it off.',
}

/** A way to be solved without a force: see `relaxedShare`. */
export const relaxationSpec: SettingSpec = {
  quantity: 'rate',
  unit: '1/s',
  type: 'number',
  default: 10,
  min: 0,
  max: 1e6,
  minExclusive: true,
  remedy: 'Use 5 for a slow return, 100 for a quick one.',
}

/**
 * The share of its error that a relaxed row loses in a sweep: the error decays as exp(-relaxation t). Particles and where
 * they were before the substep are moved alike, so that a return gives no velocity: nothing swings. `shared` is the
 * number of rows that do the same. 0 where the setting states no relaxation.
 */
export function relaxedShare({ relaxation }: ElasticSetting, { h, sweeps = 1 }: BakeContext, shared = 1): number {
  return relaxation === undefined ? 0 : 1 - exp((-relaxation * h) / (sweeps * shared))
}

import type { ElasticSetting } from '../settings.js'

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
  /** Compliance of a row over h^2. */
  readonly alphaTilde: Float64Array
  /** Multipliers, zeroed once a substep. */
  readonly lambda: Float64Array
  /** Slot of a row's warm start in `Columns.rotations`. */
  readonly rotations: Uint32Array
}

/** A quantity that a kind takes, with its unit. */
export interface Parameter {
  readonly quantity: string
  readonly unit: string
}

/**
 * A constraint kind: one file, one export line in `index.ts`.
 *
 * Contracts, each held by a conformance test over every exported kind:
 * - `scalar`: `project` equals XPBD (Macklin et al. 2016) built from finite differences of `evaluate`;
 * - `goal`: the goals minimise sum m |x - g|^2 over all proper rigid placements of the rest shape, and each particle
 *   makes a compliant move towards its own.
 */
export interface ConstraintKind {
  readonly name: string
  readonly arity: number | 'variable'
  readonly contract: 'scalar' | 'goal'
  /** The range of lambda: an equality may push and pull. */
  readonly bounds: 'equality' | 'atMost' | 'atLeast'
  /** Acts between a body's own particles: keeps linear and angular momentum. */
  readonly internal: boolean
  readonly parameters: Readonly<Record<string, Parameter>>
  /** Rest values and multipliers: how many a row, or an entry of `indices` where the arity varies. */
  readonly restSize: number
  readonly lambdaSize: number
  /** Compliance over h^2 of a row, from what the user set. */
  alphaTilde(setting: ElasticSetting, unitCompliance: number, bodyMass: number, h: number): number
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
  /** The specification: C of the row whose particles start at indices[at]; goal kinds give the weighted distance. */
  evaluate(x: Float64Array, indices: ArrayLike<number>, at: number, rest: Float64Array, restAt: number): number
  /** The hot loop: one sweep over rows start..end. */
  project(rows: Rows, start: number, end: number, columns: Columns): void
}

/** compliance / h^2 for a kind whose stiffness is a compliance, or a modulus by way of the row's unit compliance. */
export function elasticAlphaTilde(
  setting: ElasticSetting,
  unitCompliance: number,
  _bodyMass: number,
  h: number,
): number {
  const compliance = setting.compliance ?? unitCompliance / setting.modulus!
  return compliance / (h * h)
}

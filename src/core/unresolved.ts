import type { Rows } from './constraints/kind.js'
import type { ElasticSetting } from './elastic.js'
import type { ConstraintSet } from './model.js'
import type { BodyRecord } from './records.js'
import { middleSubstep } from './resolution.js'
import type { State } from './state.js'

/** Rows of one body in a batch of all bodies' rows. */
export interface RowsOfBody {
  readonly body: BodyRecord
  readonly set: ConstraintSet
  readonly setting: ElasticSetting
  readonly rows: Rows
  /** The first of the rows. */
  readonly row: number
}

export interface UnresolvedBody extends RowsOfBody {
  /** The row after the last. */
  readonly to: number
  /** By row: mu V h^2 [kg m^2]. */
  readonly stiffnesses: Float64Array
}

/** Response over compliance, of volume or shape, of the middle one of a body's tetrahedra, up to which one sweep has it right. */
const RESOLVED = 0.08

/** The most that a substep corrects of a mean strain. */
export const MOST = 0.05

/** A kernel that is entered often is compiled as a whole. */
export const ROWS_A_CALL = 256

/** Bodies of one material of which a sweep over their tetrahedra resolves too little, and where they were before it. */
export class Unresolved {
  bodies: readonly UnresolvedBody[] = []
  /** By particle of the state [3 n] m; of these bodies. */
  before = new Float64Array(0)

  /** To be called with the rows of `neoHookean` whenever they are baked; h is the substep [s]. */
  bake(state: State, parts: readonly RowsOfBody[], h: number): void {
    this.bodies = parts
      .filter((part) => isAlone(part, parts) && isUnresolved(part, h))
      .map((part) => Object.assign({ to: part.row + part.set.count, stiffnesses: stiffnessesOf(part, h) }, part))
    if (this.before.length < state.positions.length) this.before = new Float64Array(state.positions.length)
  }

  /** A sweep over the tetrahedra begins. */
  note({ positions: x }: State): void {
    for (let k = 0; k < this.bodies.length; k++) {
      const { body } = this.bodies[k]!
      if (body.asleep) continue
      const end = (body.start + body.model.particleCount) * 3
      for (let p = body.start * 3; p < end; p++) this.before[p] = x[p]!
    }
  }
}

function stiffnessesOf({ set, setting }: RowsOfBody, h: number): Float64Array {
  const mu = setting.youngsModulus! / (2 * (1 + setting.poissonRatio!))
  return set.unitCompliance.map((compliance) => (mu * h * h) / compliance)
}

/** lambda over mu. */
export const bulkRatio = ({ poissonRatio: nu }: ElasticSetting): number => (2 * nu!) / (1 - 2 * nu!)

/** True where a body has no other material. */
function isAlone(part: RowsOfBody, parts: readonly RowsOfBody[]): boolean {
  return parts.every((other) => other.body !== part.body || other === part)
}

/** True where a sweep leaves the middle one of the tetrahedra softer than it was set, or its volume stiffer. */
function isUnresolved({ body, set, setting }: RowsOfBody, h: number): boolean {
  const short = h / middleSubstep(body, set, setting)
  return 3 * (1 + Math.max(1, bulkRatio(setting))) * short * short > RESOLVED
}

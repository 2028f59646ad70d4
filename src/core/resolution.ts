import type { ElasticSetting } from './elastic.js'
import type { ConstraintSet } from './model.js'
import type { BodyRecord } from './records.js'

/** Rows that may be softer than they were set before it shows: slivers that are cut off at a surface. */
const SLIVERS = 0.05

/** Rows of a body that are looked at for the middle one. */
const SAMPLES = 256

/**
 * Substeps that a step of `timeStep` [s] takes so that all but a few slivers of a body are as stiff as they were set; 1
 * for a body with nothing that is softened.
 */
export function substepsNeeded(body: BodyRecord, timeStep: number): number {
  const { model, settings } = body
  const shortest = model.sets.flatMap((set) => {
    const setting = settings.elastic[set.name] ?? model.elastic[set.name]
    if (!setting || !set.kind.longestSubstep) return []
    return [longestSubsteps(body, set, setting, 1)[Math.floor(SLIVERS * set.count)]!]
  })
  return Math.max(1, ...shortest.map((h) => Math.ceil(timeStep / h)))
}

/** The longest substeps [s] that resolve a set's rows, every `stride`-th of them, ascending; of a kind that tells. */
export function longestSubsteps(
  { model, mass }: BodyRecord,
  { kind, count, indices, offsets, rest, unitCompliance }: ConstraintSet,
  setting: ElasticSetting,
  stride: number,
): Float64Array {
  return Float64Array.from({ length: Math.ceil(count / stride) }, (_, k) => {
    const row = k * stride
    const [from, to] = [offsets[row]!, offsets[row + 1]!]
    return kind.longestSubstep!(setting, {
      unitCompliance: unitCompliance[row]!,
      bodyMass: mass,
      h: 0,
      inverseMasses: Array.from(indices.subarray(from, to), (i) => 1 / (mass * model.massShares[i]!)),
      rest,
      restAt: (kind.arity === 'variable' ? from : row) * kind.restSize,
    })
  }).sort()
}

/** The longest substep that resolves half of the rows of a set [s]. */
export function middleSubstep(body: BodyRecord, set: ConstraintSet, setting: ElasticSetting): number {
  const found = longestSubsteps(body, set, setting, Math.max(1, Math.floor(set.count / SAMPLES)))
  return found[found.length >> 1]!
}

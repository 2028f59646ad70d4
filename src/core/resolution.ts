import type { BodyRecord } from './state.js'

/** Rows that may be softer than they were set before it shows: slivers that are cut off at a surface. */
const SLIVERS = 0.05

/**
 * Substeps that a step of `timeStep` [s] takes so that all but a few slivers of a body are as stiff as they were set; 1
 * for a body with nothing that is softened.
 */
export function substepsNeeded({ model, settings, mass }: BodyRecord, timeStep: number): number {
  const shortest = model.sets.flatMap(({ name, kind, count, indices, offsets, rest, unitCompliance }) => {
    const setting = settings.elastic[name] ?? model.elastic[name]
    if (!setting || !kind.longestSubstep) return []
    const substeps = Float64Array.from({ length: count }, (_, row) => {
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
    return [substeps[Math.floor(SLIVERS * count)]!]
  })
  return Math.max(1, ...shortest.map((h) => Math.ceil(timeStep / h)))
}

import {
  bakeCompliance,
  type Columns,
  complianceOrModulus,
  type EvaluatedKind,
  lengthOf,
  type Rows,
  relaxationSpec,
  relaxedShare,
} from './kind.js'

const stiff = complianceOrModulus('m/N', 'Pa or N/m')

/**
 * Two particles keep their distance: C = |x0 - x1| - L [m], compliance [m/N], or relaxed at a rate [1/s].
 * Material is alpha / h^2 and `relaxedShare`.
 */
export const distance: EvaluatedKind = {
  name: 'distance',
  arity: 2,
  contract: 'scalar',
  bounds: 'equality',
  internal: true,
  parameters: { ...stiff.parameters, relaxation: relaxationSpec },
  ways: [...stiff.ways, ['relaxation']],
  restSize: 1,
  lambdaSize: 1,
  materialSize: 2,

  bake(setting, context, material, at) {
    const share = relaxedShare(setting, context)
    if (share === 0) bakeCompliance(setting, context, material, at)
    else material[at] = 0
    material[at + 1] = share
  },

  measure(x, indices, at, _count, _m, rest, restAt) {
    rest[restAt] = lengthOf(x, indices[at]!, indices[at + 1]!)
  },

  evaluate({ indices, rest }, row, x, C) {
    C[0] = lengthOf(x, indices[row * 2]!, indices[row * 2 + 1]!) - rest[row]!
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, rest, material, lambda } = rows
    const x = columns.positions
    const x0 = columns.previous
    const w = columns.inverseMasses
    for (let row = start; row < end; row++) {
      const i = indices[row * 2]!
      const j = indices[row * 2 + 1]!
      const wi = w[i]!
      const wj = w[j]!
      if (wi + wj === 0) continue // both pinned
      const a = i * 3
      const b = j * 3
      const dx = x[a]! - x[b]!
      const dy = x[a + 1]! - x[b + 1]!
      const dz = x[a + 2]! - x[b + 2]!
      const l = Math.sqrt(dx * dx + dy * dy + dz * dz)
      if (l === 0) continue // no direction to part in
      const share = material[row * 2 + 1]!
      if (share !== 0) {
        const part = (share * (rest[row]! - l)) / (l * (wi + wj))
        const pi = wi * part
        const pj = wj * part
        x[a] = x[a]! + pi * dx
        x[a + 1] = x[a + 1]! + pi * dy
        x[a + 2] = x[a + 2]! + pi * dz
        x[b] = x[b]! - pj * dx
        x[b + 1] = x[b + 1]! - pj * dy
        x[b + 2] = x[b + 2]! - pj * dz
        x0[a] = x0[a]! + pi * dx
        x0[a + 1] = x0[a + 1]! + pi * dy
        x0[a + 2] = x0[a + 2]! + pi * dz
        x0[b] = x0[b]! - pj * dx
        x0[b + 1] = x0[b + 1]! - pj * dy
        x0[b + 2] = x0[b + 2]! - pj * dz
        continue
      }
      const alpha = material[row * 2]!
      const deltaLambda = (rest[row]! - l - alpha * lambda[row]!) / (wi + wj + alpha)
      lambda[row] = lambda[row]! + deltaLambda
      const s = deltaLambda / l
      const si = wi * s
      const sj = wj * s
      x[a] = x[a]! + si * dx
      x[a + 1] = x[a + 1]! + si * dy
      x[a + 2] = x[a + 2]! + si * dz
      x[b] = x[b]! - sj * dx
      x[b + 1] = x[b + 1]! - sj * dy
      x[b + 2] = x[b + 2]! - sj * dz
    }
  },
}

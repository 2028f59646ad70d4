import type { BakeContext, EvaluatedKind } from './kind.js'
import { bakeRow, COLLAPSED, FREE, MATERIAL, POINT, REST, STIFFER } from './neoHookeanMaterial.js'
import { warmStart } from './neoHookeanStress.js'
import { sweep } from './neoHookeanSweep.js'

/**
 * Largest response over compliance: what is stiffer a substep cannot resolve, and is made as soft as this, a cube mesh
 * from chi = h sqrt(E / density) / l of about 1.
 */
const STIFFEST = 0.74

/**
 * What is nearly incompressible is stiffer against its bulk. Up to this ratio lambda' / mu (Poisson's ratio 0.47) it is what
 * it should be; beyond, its response to it is kept below `BULKIEST` where that is less.
 */
const LARGEST_RATIO = 18
const BULKIEST = 4

const M = new Float64Array(6)
const Q = new Float64Array(6)
const B = new Float64Array(3)

/**
 * A tetrahedron of stable neo-Hookean material: energy density mu / 2 |F|^2 + lambda' / 2 (det F - 1 - mu / lambda')^2,
 * F = D_s B the deformation gradient, B the inverse of the rest edges; lambda' = lambda + mu, so that small strains show
 * Young's modulus and Poisson's ratio (Smith, de Goes and Kim 2018). As constraints (Macklin and Mueller 2021) these are
 * C_H = det F - 1 - mu / lambda' with the compliance 1 / (lambda' V), and C_D = F with 1 / (mu V), all nine entries of it:
 * |F| alone would leave shear to an explicit step, which is stable only where it is soft.
 *
 * What a tetrahedron keeps from substep to substep is the stress of both. `warmStart` pushes with it, `sweep` corrects it;
 * `sweepFar` does without, for what is far from rest.
 *
 * F = 0 is a stationary state of the energy. Where |F| < 0.6 sqrt 3, C_D = F - sqrt 3 F / |F|, with the goal held, which
 * unfolds what has collapsed; a tetrahedron in one point unfolds as it lay at rest.
 *
 * Rest values are B by rows. Both parts act on a corner through B, and answer through M = sum w B B^T: what is solved is
 * M + alpha, whose inverse Q is baked.
 */
export const neoHookean: EvaluatedKind = {
  name: 'neoHookean',
  arity: 4,
  contract: 'energy',
  bounds: 'equality',
  internal: true,
  parameters: {
    youngsModulus: {
      quantity: "Young's modulus",
      unit: 'Pa',
      type: 'number',
      default: 5e4,
      min: 1,
      max: 1e12,
      remedy: 'Use 5e4 for jelly, 3e5 for soft rubber.',
    },
    poissonRatio: {
      quantity: "Poisson's ratio",
      unit: '1',
      type: 'number',
      default: 0.45,
      min: 0,
      max: 0.495,
      remedy: 'Use 0.45 for what is mostly water, 0.3 for foam, 0 for cork.',
    },
  },
  ways: [['youngsModulus', 'poissonRatio']],
  restSize: 9,
  lambdaSize: 10,
  materialSize: MATERIAL,
  keepsStress: true,
  compliances: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],

  // Compliances over h^2 of both parts, what `bakeRow` makes of them, and Q. What flows is baked in each
  // step, so that nothing is allocated here.
  bake({ youngsModulus, poissonRatio }, context, material, at) {
    const E = youngsModulus!
    const nu = poissonRatio!
    const mu = E / (2 * (1 + nu))
    const lambda = (E * nu) / ((1 + nu) * (1 - 2 * nu))
    findResponse(context)
    const mean = (M[0]! + M[1]! + M[2]!) / 3
    const unit = (context.h * context.h) / context.unitCompliance
    const alpha = Math.max(1 / (mu * unit), mean / STIFFEST)
    material[at] = alpha
    material[at + 1] = Math.max((alpha * mu) / (lambda + mu), Math.min(mean / BULKIEST, alpha / LARGEST_RATIO))
    bakeRow(context, M, material, at)
    const xx = M[0]! + STIFFER * alpha
    const yy = M[1]! + STIFFER * alpha
    const zz = M[2]! + STIFFER * alpha
    const xy = M[3]!
    const yz = M[4]!
    const zx = M[5]!
    Q[0] = yy * zz - yz * yz
    Q[1] = xx * zz - zx * zx
    Q[2] = xx * yy - xy * xy
    Q[3] = yz * zx - xy * zz
    Q[4] = xy * zx - xx * yz
    Q[5] = xy * yz - yy * zx
    const determinant = xx * Q[0] + xy * Q[3] + zx * Q[5]
    for (let e = 0; e < 6; e++) material[at + FREE + e] = Q[e]! / determinant
  },

  longestSubstep({ youngsModulus, poissonRatio }, context) {
    const mu = youngsModulus! / (2 * (1 + poissonRatio!))
    findResponse(context)
    return Math.sqrt((3 * STIFFEST * context.unitCompliance) / (mu * (M[0]! + M[1]! + M[2]!)))
  },

  measure(x, indices, at, _count, _m, rest, restAt) {
    const corner = (k: number, d: number) => x[indices[at + k]! * 3 + d]! - x[indices[at]! * 3 + d]!
    const [ax, ay, az] = [corner(1, 0), corner(1, 1), corner(1, 2)]
    const [bx, by, bz] = [corner(2, 0), corner(2, 1), corner(2, 2)]
    const [cx, cy, cz] = [corner(3, 0), corner(3, 1), corner(3, 2)]
    const b = [by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx]
    b.push(cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax)
    b.push(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    const sixVolume = ax * b[0]! + ay * b[1]! + az * b[2]!
    for (let k = 0; k < 9; k++) rest[restAt + k] = b[k]! / sixVolume
  },

  evaluate({ indices, rest, material }, row, x, C) {
    const r = row * 9
    let squared = 0
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let f = 0
        for (let k = 0; k < 3; k++) {
          f += (x[indices[row * 4 + k + 1]! * 3 + i]! - x[indices[row * 4]! * 3 + i]!) * rest[r + k * 3 + j]!
        }
        C[i * 3 + j] = f
        squared += f * f
      }
    }
    const minor = (a: number, b: number) => C[3 + a]! * C[6 + b]! - C[3 + b]! * C[6 + a]!
    const det = C[0]! * minor(1, 2) - C[1]! * minor(0, 2) + C[2]! * minor(0, 1)
    C[9] = det - 1 - material[row * MATERIAL + 1]! / material[row * MATERIAL]!
    const size = Math.sqrt(squared)
    if (size >= COLLAPSED) return
    for (let k = 0; k < 9; k++) C[k] = size < POINT ? (k % 4 === 0 ? -1 : 0) : C[k]! * (1 - REST / size)
  },

  warmStart,
  project: sweep,
}

/** Sets M to the six distinct entries xx, yy, zz, xy, yz, zx of sum w B B^T over a tetrahedron's corners, B0 = -B1 - B2 - B3. */
function findResponse({ inverseMasses: w, rest, restAt }: BakeContext): void {
  M.fill(0)
  for (let k = 0; k < 4; k++) {
    for (let d = 0; d < 3; d++) {
      const o = restAt + d
      B[d] = k === 0 ? -rest[o]! - rest[o + 3]! - rest[o + 6]! : rest[o + (k - 1) * 3]!
    }
    for (let d = 0; d < 3; d++) {
      M[d] = M[d]! + w[k]! * (B[d]! * B[d]!)
      M[3 + d] = M[3 + d]! + w[k]! * (B[d]! * B[d === 2 ? 0 : d + 1]!)
    }
  }
}

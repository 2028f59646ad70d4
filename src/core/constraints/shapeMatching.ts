import { extractRotation, quaternionToMatrix } from '../math/rotation.js'
import {
  type Columns,
  complianceSpec,
  type GoalKind,
  modulusSpec,
  type Rows,
  relaxationSpec,
  relaxedShare,
} from './kind.js'
import { momentsOf, stretch } from './linearMatching.js'

/** Numbers of material a row, and the last of them: by how much the rest shape has grown, over its size. */
const SIZE = 4
const GROWN = 3

const A = new Float64Array(9)
const R = new Float64Array(9)
const Q = new Float64Array(6)
const center = new Float64Array(3)

/**
 * Particles move towards the rigid placement of their rest shape that is nearest to them (Mueller et al. 2005):
 * A = sum m (x - c) q^T, R the proper rotation that maximises tr(R^T A), goals g = c + R q.
 * Each particle is held to its goal by a spring whose stiffness is its share of the mass: with the compliance alpha
 * [m/N] of the whole body, alpha_i = alpha M / m_i. Rest values are q, the rest positions about their centre of mass.
 *
 * A row is a group of particles: the whole body, or one of several groups that share particles (Rivers and James 2007).
 * Its unit compliance is the mean number of groups that one of its particles is in, so that a body of many groups is as
 * stiff as one of a single group. All particles of a group go the same part of their way, weighed by their whole mass,
 * so each row keeps linear and angular momentum whatever it shares with others.
 *
 * With `linear` above 0 the goals follow a share of the linear deformation, but for its volume; see `stretch`.
 * Material is alpha M / h^2, `linear`, `relaxedShare` and what `grow` sets.
 */
export const shapeMatching: GoalKind = {
  name: 'shapeMatching',
  arity: 'variable',
  contract: 'goal',
  bounds: 'equality',
  internal: true,
  parameters: {
    compliance: { ...complianceSpec, quantity: 'inverse stiffness of the whole body' },
    modulus: { ...modulusSpec, quantity: 'stiffness of the whole body', unit: 'N/m' },
    rate: {
      quantity: 'angular frequency about the goal',
      unit: 'rad/s',
      type: 'number',
      default: 50,
      min: 0,
      max: 1e6,
      minExclusive: true,
      remedy: 'Use 20 for soft, 200 for stiff, false to switch it off.',
    },
    relaxation: relaxationSpec,
    linear: {
      quantity: 'share of a linear deformation that keeps the volume, which the goal follows',
      unit: '1',
      type: 'number',
      default: 0,
      min: 0,
      max: 1,
      remedy: 'Use 0 for a rigid goal, 0.5 for one that stretches, at most 1.',
    },
  },
  ways: [
    ['compliance'],
    ['modulus'],
    ['rate'],
    ['compliance', 'linear'],
    ['modulus', 'linear'],
    ['rate', 'linear'],
    ['relaxation'],
    ['relaxation', 'linear'],
  ],
  restSize: 3,
  lambdaSize: 3,
  materialSize: SIZE,

  // alpha M / h^2, without dimension; a swing of angular frequency omega has k / m = omega^2 = 1 / (alpha M).
  bake(setting, context, material, at) {
    const { compliance, modulus, rate, linear } = setting
    const { unitCompliance, bodyMass, h } = context
    material[at + 1] = linear ?? 0
    material[at + 2] = relaxedShare(setting, context, unitCompliance)
    material[at] = 0
    if (material[at + 2] !== 0) return
    const swing = rate === undefined ? (compliance ?? 1 / modulus!) * bodyMass : 1 / (rate * rate)
    material[at] = (unitCompliance * swing) / (h * h)
  },

  measure(x, indices, at, count, m, rest, restAt) {
    findCenter(x, indices, at, at + count, m)
    for (let k = 0; k < count; k++) {
      const p = indices[at + k]! * 3
      for (let d = 0; d < 3; d++) rest[restAt + k * 3 + d] = x[p + d]! - center[d]!
    }
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, offsets, rest, material, lambda } = rows
    const { masses: m, inverseMasses: w, rotations } = columns
    const x = columns.positions
    for (let row = start; row < end; row++) {
      const from = offsets[row]!
      const to = offsets[row + 1]!
      findCenter(x, indices, from, to, m)
      const cx = center[0]!
      const cy = center[1]!
      const cz = center[2]!
      A.fill(0)
      for (let k = from; k < to; k++) {
        const i = indices[k]!
        const mass = m[i]!
        const qx = rest[k * 3]!
        const qy = rest[k * 3 + 1]!
        const qz = rest[k * 3 + 2]!
        const dx = mass * (x[i * 3]! - cx)
        const dy = mass * (x[i * 3 + 1]! - cy)
        const dz = mass * (x[i * 3 + 2]! - cz)
        A[0] = A[0]! + dx * qx
        A[1] = A[1]! + dx * qy
        A[2] = A[2]! + dx * qz
        A[3] = A[3]! + dy * qx
        A[4] = A[4]! + dy * qy
        A[5] = A[5]! + dy * qz
        A[6] = A[6]! + dz * qx
        A[7] = A[7]! + dz * qy
        A[8] = A[8]! + dz * qz
      }
      const slot = rows.rotations[row]! * 4
      extractRotation(A, rotations, slot)
      quaternionToMatrix(rotations, slot, R)
      if (material[row * SIZE + 1] !== 0) {
        momentsOf(rest, indices, from, to, m, Q)
        stretch(A, Q, material, row * SIZE + 1, rotations, slot, R)
      }
      const grown = material[row * SIZE + GROWN]!
      if (grown !== 0) for (let k = 0; k < 9; k++) R[k] = R[k]! * (1 + grown)
      const share = material[row * SIZE + 2]!
      if (share !== 0) {
        const x0 = columns.previous
        for (let k = from; k < to; k++) {
          const i = indices[k]!
          if (w[i] === 0) continue // pinned
          const qx = rest[k * 3]!
          const qy = rest[k * 3 + 1]!
          const qz = rest[k * 3 + 2]!
          const p = i * 3
          const mx = share * (cx + R[0]! * qx + R[1]! * qy + R[2]! * qz - x[p]!)
          const my = share * (cy + R[3]! * qx + R[4]! * qy + R[5]! * qz - x[p + 1]!)
          const mz = share * (cz + R[6]! * qx + R[7]! * qy + R[8]! * qz - x[p + 2]!)
          x[p] = x[p]! + mx
          x[p + 1] = x[p + 1]! + my
          x[p + 2] = x[p + 2]! + mz
          x0[p] = x0[p]! + mx
          x0[p + 1] = x0[p + 1]! + my
          x0[p + 2] = x0[p + 2]! + mz
        }
        continue
      }
      const alpha = material[row * SIZE]!
      for (let k = from; k < to; k++) {
        const i = indices[k]!
        const wi = w[i]!
        if (wi === 0) continue // pinned
        const p = i * 3
        const l = k * 3
        const qx = rest[l]!
        const qy = rest[l + 1]!
        const qz = rest[l + 2]!
        // w_i alpha_i / h^2 = alpha where w_i = 1 / m_i, so both sides are divided by w_i.
        const ai = alpha * wi
        const s = 1 / (wi + ai)
        const lx = s * (cx + R[0]! * qx + R[1]! * qy + R[2]! * qz - x[p]! - ai * lambda[l]!)
        const ly = s * (cy + R[3]! * qx + R[4]! * qy + R[5]! * qz - x[p + 1]! - ai * lambda[l + 1]!)
        const lz = s * (cz + R[6]! * qx + R[7]! * qy + R[8]! * qz - x[p + 2]! - ai * lambda[l + 2]!)
        lambda[l] = lambda[l]! + lx
        lambda[l + 1] = lambda[l + 1]! + ly
        lambda[l + 2] = lambda[l + 2]! + lz
        x[p] = x[p]! + wi * lx
        x[p + 1] = x[p + 1]! + wi * ly
        x[p + 2] = x[p + 2]! + wi * lz
      }
    }
  },
}

/** Makes the goals of the rows from `start` to `end` larger by parts[k] of their size. By array, since a call with a number allocates. */
export function grow({ material }: Rows, start: number, end: number, parts: Float64Array, k: number): void {
  for (let row = start; row < end; row++) material[row * SIZE + GROWN] = parts[k]!
}

/** Centre of mass of indices[from..to], into `center`. */
function findCenter(x: Float64Array, indices: ArrayLike<number>, from: number, to: number, m: Float64Array): void {
  let cx = 0
  let cy = 0
  let cz = 0
  let total = 0
  for (let k = from; k < to; k++) {
    const i = indices[k]!
    const mass = m[i]!
    total += mass
    cx += mass * x[i * 3]!
    cy += mass * x[i * 3 + 1]!
    cz += mass * x[i * 3 + 2]!
  }
  center[0] = cx / total
  center[1] = cy / total
  center[2] = cz / total
}

import { addInertia, INERTIA_SIZE, solveInertia } from '../math/inertia.js'
import { bakeCompliance, type Columns, complianceOrModulus, type EvaluatedKind, type Rows } from './kind.js'

/** Places in what is known of a group of particles. */
const GROUP = {
  /** Of the group [kg]; 0 where it moves particle by particle. */
  MASS: 0,
  /** Centre of mass [m]. */
  CENTER: 1,
  /** Where its point is [m]. */
  POINT: 4,
  /** Turn that a unit impulse at the point makes [rad]. */
  TURN: 7,
  /** Weight against a push at the point [1/kg]. */
  WEIGHT: 10,
  /** From the centre to the point [m]. */
  LEVER: 11,
  /** Size of the turn [rad]; 0 for a group that moves particle by particle. */
  TURN_SIZE: 14,
  SIZE: 15,
} as const

/** Below this share of what it would be for a ball a determinant of inertia is that of a line. */
const NO_INERTIA = 1e-9

/** Most that one push turns a group [rad]: moves are along tangents, and by more they would tear it apart. */
const MOST_TURN = 0.3

/** By array, since a call with a number, or one that returns it, allocates. */
const groups = new Float64Array(2 * GROUP.SIZE)
const push = new Float64Array(1)
const inertia = new Float64Array(INERTIA_SIZE)
const arm = new Float64Array(3)
const torque = new Float64Array(3)
const normal = new Float64Array(3)

/**
 * Two points of a body's matter stay between a least and a most distance: C = |p - q| less what is allowed [m], 0 in
 * between, p = sum b_i x_i over the particles of one group and q likewise of another, compliance [m/N]. A group moves as a
 * rigid body: the push at its point moves and turns the whole of it, as in rigid-body XPBD (Mueller et al. 2020), with
 * its mass and its inertia as its particles lie. Where one of them is pinned, or all lie on a line, they move one by one.
 * Least and most 0 is a ball joint, two of them a hinge, a least distance alone bounds an angle (Jakobsen 2001).
 *
 * Rest values, two a particle: its b_i, below zero in the second group; then of the first three the least distance, the
 * most, and how many particles the first group has.
 */
export const span: EvaluatedKind = {
  name: 'span',
  arity: 'variable',
  multipleOf: 2,
  contract: 'rigid',
  bounds: 'equality',
  internal: true,
  ...complianceOrModulus('m/N', 'N/m'),
  restSize: 2,
  lambdaSize: 1,
  materialSize: 1,
  bake: bakeCompliance,

  // Unless told otherwise: the first particle at its distance from the first of the second half.
  measure(x, indices, at, count, _m, rest, restAt) {
    const half = count / 2
    for (let k = 0; k < count; k++) rest[restAt + k * 2] = k === 0 ? 1 : k === half ? -1 : 0
    const length = lengthOf(x, indices, at, at + count, rest, restAt)
    rest[restAt + 1] = length
    rest[restAt + 3] = length
    rest[restAt + 5] = half
  },

  evaluate({ indices, offsets, rest }, row, x, C) {
    const from = offsets[row]!
    const length = lengthOf(x, indices, from, offsets[row + 1]!, rest, from * 2)
    C[0] = length - Math.min(Math.max(length, rest[from * 2 + 1]!), rest[from * 2 + 3]!)
  },

  project(rows: Rows, start: number, end: number, columns: Columns) {
    const { indices, offsets, rest, material, lambda } = rows
    const x = columns.positions
    for (let row = start; row < end; row++) {
      const from = offsets[row]!
      const to = offsets[row + 1]!
      const between = from + rest[from * 2 + 5]!
      findPoint(x, indices, from, between, rest, 0)
      findPoint(x, indices, between, to, rest, GROUP.SIZE)
      let square = 0
      for (let d = 0; d < 3; d++) {
        normal[d] = groups[GROUP.POINT + d]! - groups[GROUP.SIZE + GROUP.POINT + d]!
        square += normal[d]! * normal[d]!
      }
      const length = Math.sqrt(square)
      const least = rest[from * 2 + 1]!
      const most = rest[from * 2 + 3]!
      if (length === 0 || (length >= least && length <= most)) continue // no direction to part in, or free
      for (let d = 0; d < 3; d++) normal[d] = normal[d]! / length
      weigh(columns, indices, from, between, rest, 0)
      weigh(columns, indices, between, to, rest, GROUP.SIZE)
      const weight = groups[GROUP.WEIGHT]! + groups[GROUP.SIZE + GROUP.WEIGHT]!
      const alpha = material[row]!
      if (weight + alpha === 0) continue // pinned
      const C = length < least ? length - least : length - most
      const whole = (-C - alpha * lambda[from]!) / (weight + alpha)
      const turned = Math.abs(whole) * Math.max(groups[GROUP.TURN_SIZE]!, groups[GROUP.SIZE + GROUP.TURN_SIZE]!)
      const deltaLambda = turned > MOST_TURN ? (whole * MOST_TURN) / turned : whole
      lambda[from] = lambda[from]! + deltaLambda
      for (let d = 0; d < 3; d++) normal[d] = normal[d]! * deltaLambda
      push[0] = deltaLambda
      move(columns, indices, from, between, rest, 0)
      for (let d = 0; d < 3; d++) normal[d] = -normal[d]!
      push[0] = -deltaLambda
      move(columns, indices, between, to, rest, GROUP.SIZE)
    }
  },
}

/** Sets the point of the group from..to, whose data is at groups[g]: against its first particle, so that no digits are lost. */
function findPoint(
  x: Float64Array,
  indices: Uint32Array,
  from: number,
  to: number,
  rest: Float64Array,
  g: number,
): void {
  const o = indices[from]! * 3
  const sign = g === 0 ? 1 : -1
  for (let d = 0; d < 3; d++) {
    let sum = 0
    for (let k = from; k < to; k++) sum += sign * rest[k * 2]! * (x[indices[k]! * 3 + d]! - x[o + d]!)
    groups[g + GROUP.POINT + d] = x[o + d]! + sum
  }
}

/** Sets mass, centre, weight and turn of a group for a push along `normal`. */
function weigh(
  { positions: x, masses: m, inverseMasses: w }: Columns,
  indices: Uint32Array,
  from: number,
  to: number,
  rest: Float64Array,
  g: number,
): void {
  let mass = 0
  let cx = 0
  let cy = 0
  let cz = 0
  let pinned = 0
  for (let k = from; k < to; k++) {
    const i = indices[k]!
    if (w[i] === 0) pinned++
    mass += m[i]!
    cx += m[i]! * x[i * 3]!
    cy += m[i]! * x[i * 3 + 1]!
    cz += m[i]! * x[i * 3 + 2]!
  }
  groups[g + GROUP.CENTER] = cx / mass
  groups[g + GROUP.CENTER + 1] = cy / mass
  groups[g + GROUP.CENTER + 2] = cz / mass
  for (let d = 0; d < 3; d++) {
    groups[g + GROUP.LEVER + d] = groups[g + GROUP.POINT + d]! - groups[g + GROUP.CENTER + d]!
  }
  if (pinned === 0 && findTurn(x, m, indices, from, to, g)) {
    groups[g + GROUP.MASS] = mass
    groups[g + GROUP.WEIGHT] = 1 / mass
    let square = 0
    for (let d = 0; d < 3; d++) {
      square += groups[g + GROUP.TURN + d]! * groups[g + GROUP.TURN + d]!
      const e = (d + 1) % 3
      const f = (d + 2) % 3
      // (r x n) . turn
      const torque = groups[g + GROUP.LEVER + e]! * normal[f]! - groups[g + GROUP.LEVER + f]! * normal[e]!
      groups[g + GROUP.WEIGHT] = groups[g + GROUP.WEIGHT]! + torque * groups[g + GROUP.TURN + d]!
    }
    groups[g + GROUP.TURN_SIZE] = Math.sqrt(square)
    return
  }
  groups[g + GROUP.MASS] = 0
  groups[g + GROUP.TURN_SIZE] = 0
  groups[g + GROUP.WEIGHT] = 0
  for (let k = from; k < to; k++) {
    groups[g + GROUP.WEIGHT] = groups[g + GROUP.WEIGHT]! + w[indices[k]!]! * rest[k * 2]! * rest[k * 2]!
  }
}

/** Sets the turn of a group, I^-1 (r x n); false where it has no inertia about some axis. */
function findTurn(
  x: Float64Array,
  m: Float64Array,
  indices: Uint32Array,
  from: number,
  to: number,
  g: number,
): boolean {
  inertia.fill(0)
  for (let k = from; k < to; k++) {
    const i = indices[k]!
    for (let d = 0; d < 3; d++) arm[d] = x[i * 3 + d]! - groups[g + GROUP.CENTER + d]!
    addInertia(inertia, 0, arm, m, i)
  }
  const lx = groups[g + GROUP.LEVER]!
  const ly = groups[g + GROUP.LEVER + 1]!
  const lz = groups[g + GROUP.LEVER + 2]!
  torque[0] = ly * normal[2]! - lz * normal[1]!
  torque[1] = lz * normal[0]! - lx * normal[2]!
  torque[2] = lx * normal[1]! - ly * normal[0]!
  return solveInertia(inertia, 0, torque, groups, g + GROUP.TURN, NO_INERTIA)
}

/** Moves a group by the impulse in `normal`, push[0] along it. */
function move(
  { positions: x, inverseMasses: w }: Columns,
  indices: Uint32Array,
  from: number,
  to: number,
  rest: Float64Array,
  g: number,
): void {
  const mass = groups[g + GROUP.MASS]!
  if (mass === 0) {
    const sign = g === 0 ? 1 : -1
    for (let k = from; k < to; k++) {
      const i = indices[k]!
      const s = sign * w[i]! * rest[k * 2]!
      for (let d = 0; d < 3; d++) x[i * 3 + d] = x[i * 3 + d]! + s * normal[d]!
    }
    return
  }
  const wx = push[0]! * groups[g + GROUP.TURN]!
  const wy = push[0]! * groups[g + GROUP.TURN + 1]!
  const wz = push[0]! * groups[g + GROUP.TURN + 2]!
  const ux = normal[0]! / mass
  const uy = normal[1]! / mass
  const uz = normal[2]! / mass
  for (let k = from; k < to; k++) {
    const p = indices[k]! * 3
    const qx = x[p]! - groups[g + GROUP.CENTER]!
    const qy = x[p + 1]! - groups[g + GROUP.CENTER + 1]!
    const qz = x[p + 2]! - groups[g + GROUP.CENTER + 2]!
    x[p] = x[p]! + ux + wy * qz - wz * qy
    x[p + 1] = x[p + 1]! + uy + wz * qx - wx * qz
    x[p + 2] = x[p + 2]! + uz + wx * qy - wy * qx
  }
}

/** Distance of the two points of a row whose rest values start at rest[restAt]. */
function lengthOf(
  x: ArrayLike<number>,
  indices: ArrayLike<number>,
  from: number,
  to: number,
  rest: Float64Array,
  restAt: number,
): number {
  let square = 0
  for (let d = 0; d < 3; d++) {
    let sum = 0
    for (let k = from; k < to; k++) {
      sum += rest[restAt + (k - from) * 2]! * (x[indices[k]! * 3 + d]! - x[indices[from]! * 3 + d]!)
    }
    square += sum * sum
  }
  return Math.sqrt(square)
}

import type { Rows } from '../constraints/kind.js'
import { addInertia, INERTIA_SIZE, invertInertia } from '../math/inertia.js'
import type { State } from '../state.js'
import { StiffContacts } from './stiffContacts.js'
import { before, frame, inverseMass, point, query } from './touching.js'

/** Most that one push turns a limb [rad]: moves are along tangents. */
const MOST_TURN = 0.3

/** The limb in hand: mass [kg], centre [m], inverse inertia [1/(kg m^2)]. */
const mass = new Float64Array(1)
const center = new Float64Array(3)
const inertia = new Float64Array(INERTIA_SIZE)
const inverse = new Float64Array(INERTIA_SIZE)
const arm = new Float64Array(3)
/** A direction [unit], the turn by a unit impulse along it at the point [rad], and the inverse mass against it [1/kg]. */
const along = new Float64Array(3)
const turn = new Float64Array(3)
const weight = new Float64Array(1)
/** A move of the point along `along` [m]. */
const way = new Float64Array(1)

/**
 * Contacts of rigid limbs. A push of the light particle at the foot moves a nineteenth of its limb, bends it and draws it out
 * of its joints; here it moves and turns the whole limb, by its mass and its inertia, as a joint's push does.
 */
export class LimbContacts extends StiffContacts {
  /**
   * One sweep over the pairs of the `b`-th live body that touch: pushes >= 0 with Coulomb friction, each of a whole limb.
   * @param limbs the limbs' rows
   * @param limbOf by particle of the body, the row of its limb
   * @param start the body's first particle
   * @param starts by particle of the world, where it was when the substep began, in limbs that were rigid
   */
  pressLimbs(state: State, b: number, limbs: Rows, limbOf: Uint32Array, start: number, starts: Float64Array): void {
    const end = this.bodyPairs[b + 1]!
    let held = -1
    let moves = false
    for (let pair = this.bodyPairs[b]!; pair < end; pair++) {
      if (pair > this.bodyPairs[b]! && this.isLater(pair) && this.push[pair - 1] === 0) continue
      this.weigh(state, pair)
      if (inverseMass[0] === 0) continue
      this.locate(state, pair)
      query[3] = 0
      if (!this.measure(pair)) continue
      const row = limbOf[this.particles[pair * 4]! - start]!
      if (row !== held) {
        held = row
        moves = findLimb(state, limbs.indices, limbs.offsets[row]!, limbs.offsets[row + 1]!)
      }
      if (!moves) continue
      this.findStart(pair, starts)
      this.pressLimb(state, pair, limbs, row)
    }
  }

  /** True for a pair that is another place of its point on the same collider as the pair before. */
  private isLater(pair: number): boolean {
    return this.collider[pair] === this.collider[pair - 1] && this.particles[pair * 4] === this.particles[pair * 4 - 4]
  }

  /** Sets `before` to where a pair's point was in a rigid limb. */
  private findStart(pair: number, starts: Float64Array): void {
    before.fill(0)
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const p = this.particles[k]! * 3
      for (let d = 0; d < 3; d++) before[d] = before[d]! + this.weights[k]! * starts[p + d]!
    }
  }

  private pressLimb(state: State, pair: number, limbs: Rows, row: number): void {
    const light = inverseMass[0]!
    for (let d = 0; d < 3; d++) {
      along[d] = frame[d]!
      arm[d] = point[d]! - center[d]!
    }
    weighPush()
    // Pushes are counted in moves of the light point.
    const times = light / weight[0]!
    let depth = Math.max(this.thickness[pair]! - query[3]!, -this.push[pair]! / times)
    let slip = 0
    let rise = depth
    for (let d = 0; d < 3; d++) rise += (point[d]! - before[d]! - frame[3 + d]!) * frame[d]!
    // How deep the point was in a rigid limb is left to the contact of points: a limb that they bend is no deeper for it.
    const excess = Math.max(0, rise)
    depth -= excess
    if (excess > 0 && depth <= 0) return
    if (this.push[pair] === 0 && this.struck[pair] === 0) {
      this.active++
      this.remember(state, pair)
    }
    this.push[pair] = this.push[pair]! + times * depth
    this.moved[pair] = this.moved[pair]! + times * depth
    way[0] = depth
    moveLimb(state, limbs.indices, limbs.offsets[row]!, limbs.offsets[row + 1]!)
    this.locate(state, pair)
    let passed = 0
    for (let d = 0; d < 3; d++) {
      arm[d] = point[d]! - center[d]!
      along[d] = point[d]! - before[d]! - frame[3 + d]!
      passed += along[d]! * frame[d]!
    }
    for (let d = 0; d < 3; d++) {
      along[d] = along[d]! - passed * frame[d]!
      slip += along[d]! * along[d]!
    }
    slip = Math.sqrt(slip)
    const hold = this.friction[pair]! * this.push[pair] - this.drag[pair]!
    if (slip === 0 || hold <= 0) return
    for (let d = 0; d < 3; d++) along[d] = along[d]! / slip
    weighPush()
    const drag = Math.min((light / weight[0]!) * slip, hold)
    this.drag[pair] = this.drag[pair]! + drag
    way[0] = (-drag * weight[0]!) / light
    moveLimb(state, limbs.indices, limbs.offsets[row]!, limbs.offsets[row + 1]!)
  }
}

/** Mass, centre and inverse inertia of a limb; false where it is pinned, or has no inertia about some axis. */
function findLimb(
  { positions: x, masses: m, inverseMasses: w }: State,
  indices: Uint32Array,
  from: number,
  to: number,
): boolean {
  mass[0] = 0
  center.fill(0)
  for (let k = from; k < to; k++) {
    const i = indices[k]!
    if (w[i] === 0) return false
    mass[0] = mass[0] + m[i]!
    for (let d = 0; d < 3; d++) center[d] = center[d]! + m[i]! * x[i * 3 + d]!
  }
  for (let d = 0; d < 3; d++) center[d] = center[d]! / mass[0]
  inertia.fill(0)
  for (let k = from; k < to; k++) {
    const i = indices[k]!
    for (let d = 0; d < 3; d++) arm[d] = x[i * 3 + d]! - center[d]!
    addInertia(inertia, 0, arm, m, i)
  }
  return invertInertia(inertia, 0, inverse)
}

/** Sets `turn` and `weight` of a unit impulse along `along` at `arm`. */
function weighPush(): void {
  const tx = arm[1]! * along[2]! - arm[2]! * along[1]!
  const ty = arm[2]! * along[0]! - arm[0]! * along[2]!
  const tz = arm[0]! * along[1]! - arm[1]! * along[0]!
  turn[0] = inverse[0]! * tx + inverse[3]! * ty + inverse[5]! * tz
  turn[1] = inverse[3]! * tx + inverse[1]! * ty + inverse[4]! * tz
  turn[2] = inverse[5]! * tx + inverse[4]! * ty + inverse[2]! * tz
  weight[0] = 1 / mass[0]! + tx * turn[0] + ty * turn[1] + tz * turn[2]
}

/** Moves a limb so that its point at `arm` moves by way[0] along `along`. */
function moveLimb({ positions: x }: State, indices: Uint32Array, from: number, to: number): void {
  let impulse = way[0]! / weight[0]!
  const turned = Math.abs(impulse) * Math.sqrt(turn[0]! * turn[0]! + turn[1]! * turn[1]! + turn[2]! * turn[2]!)
  if (turned > MOST_TURN) impulse *= MOST_TURN / turned
  const wx = impulse * turn[0]!
  const wy = impulse * turn[1]!
  const wz = impulse * turn[2]!
  const s = impulse / mass[0]!
  const ux = s * along[0]!
  const uy = s * along[1]!
  const uz = s * along[2]!
  for (let k = from; k < to; k++) {
    const p = indices[k]! * 3
    const qx = x[p]! - center[0]!
    const qy = x[p + 1]! - center[1]!
    const qz = x[p + 2]! - center[2]!
    x[p] = x[p]! + ux + wy * qz - wz * qy
    x[p + 1] = x[p + 1]! + uy + wz * qx - wx * qz
    x[p + 2] = x[p + 2]! + uz + wx * qy - wy * qx
  }
  center[0] = center[0]! + ux
  center[1] = center[1]! + uy
  center[2] = center[2]! + uz
}

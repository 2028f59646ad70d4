import { addInertia, INERTIA_SIZE, invertInertia } from '../math/inertia.js'
import { type BodyRecord, RESCUE } from '../records.js'
import type { State } from '../state.js'
import { Slips } from './slips.js'
import { before, frame, inverseMass, point, query } from './touching.js'

/** Most sweeps over the contacts of a body. */
const SWEEPS = 24
/** They end when none changes a push by more than this part of the largest. */
const SETTLED = 1e-4
/** What is left of how deep it is in where a body is squeezed, so that no rigid motion gets it out. */
const SQUEEZED = 0.5

/** Numbers a contact has: normal, arm, how deep it is, slip, inverse mass, impulse, impulse of friction, friction, pair. */
const NORMAL = 0
const ARM = 3
const DEPTH = 6
const SLIP = 7
const WEIGHT = 10
const PUSH = 11
const RUB = 12
const FRICTION = 15
const PAIR = 16
const SIZE = 17

const center = new Float64Array(3)
const inertia = new Float64Array(INERTIA_SIZE)
const inverse = new Float64Array(INERTIA_SIZE)
/** Mass of the body in hand [kg], and how far it and its points are turned and moved: u [m], theta [rad]. */
const mass = new Float64Array(1)
const u = new Float64Array(3)
const theta = new Float64Array(3)
const along = new Float64Array(3)
const arm = new Float64Array(3)
const torque = new Float64Array(3)
const turned = new Float64Array(3)
const moved = new Float64Array(1)
/** By how much a push has changed [kg m]. */
const by = new Float64Array(1)

/**
 * Contacts of bodies far stiffer than a substep resolves, such as jelly of 2 cm, and of those that their load has crushed
 * (`Crushed`): a push then does not only stop the light particle at the foot, but what is above it. Left to the tetrahedra
 * the weight would press the lowest layers flat.
 *
 * Before the points are pushed one by one, the body is moved as if it were rigid by pushes lambda >= 0 [kg m] at its
 * points, lambda (n . (u + theta x r) - depth) = 0, with Coulomb friction, by projected Gauss-Seidel.
 */
export class StiffContacts extends Slips {
  /** By live body: whether it is borne so. */
  rigid: readonly boolean[] = []
  /** Whom bodies touch beside colliders: what bears another one is loaded by more than colliders know of. */
  others: { isNear(b: number): boolean } | undefined
  private contacts = new Float64Array(0)

  override projectBody(state: State, b: number): void {
    const borne = this.rigid[b]! || state.bodies.live[b]!.rescue[RESCUE.BORNE] !== 0
    if (borne && this.bodyPairs[b] !== this.bodyPairs[b + 1]) this.carry(state, b)
    super.projectBody(state, b)
  }

  /** True where colliders push the `b`-th live body. Writes the unit way. */
  bears(state: State, b: number, way: Float64Array): boolean {
    along.fill(0)
    for (let pair = this.bodyPairs[b]!; pair < this.bodyPairs[b + 1]!; pair++) {
      if (this.push[pair] === 0) continue
      this.weigh(state, pair)
      if (inverseMass[0] === 0) continue
      const push = this.push[pair]! / inverseMass[0]!
      for (let d = 0; d < 3; d++) along[d] = along[d]! + push * this.normals[pair * 3 + d]!
    }
    const size = Math.sqrt(along[0]! * along[0]! + along[1]! * along[1]! + along[2]! * along[2]!)
    for (let d = 0; d < 3; d++) way[d] = along[d]! / size
    return size > 0
  }

  private carry(state: State, b: number): void {
    const body = state.bodies.live[b]!
    if (body.rescue[RESCUE.LOST] !== 0) return // it has no shape to be borne by
    if (this.others?.isNear(b)) return
    const count = this.findPressed(state, b)
    if (count === 0 || !findInertia(state, body)) return
    const deep = this.findDeepest(count)
    this.bear(count)
    if (this.findDeepest(count) > SQUEEZED * deep) {
      body.rescue[RESCUE.BORNE] = 0
      return
    }
    this.move(state, body)
    this.note(state, count)
  }

  /** How deep the deepest of the listed contacts is in, moved by u and theta [m]. */
  private findDeepest(count: number): number {
    let deepest = 0
    for (let at = 0; at < count * SIZE; at += SIZE) {
      findMoved(this.contacts, at)
      deepest = Math.max(deepest, this.contacts[at + DEPTH]! - moved[0]!)
    }
    return deepest
  }

  /** Finds the pushes of the listed contacts, and with them u and theta. */
  private bear(count: number): void {
    const contacts = this.contacts
    for (let k = 0; k < count; k++) {
      const at = k * SIZE
      for (let d = 0; d < 3; d++) contacts[at + ARM + d] = contacts[at + ARM + d]! - center[d]!
      for (let d = 0; d < 3; d++) along[d] = contacts[at + NORMAL + d]!
      weigh(contacts, at)
      contacts[at + WEIGHT] = moved[0]!
    }
    for (let sweep = 0, change = 1, most = 0; sweep < SWEEPS && change > SETTLED * most; sweep++) {
      change = 0
      for (let at = 0; at < count * SIZE; at += SIZE) {
        pushOut(contacts, at)
        if (contacts[at + FRICTION]! > 0) rub(contacts, at)
        change = Math.max(change, Math.abs(by[0]!))
        most = Math.max(most, contacts[at + PUSH]!)
      }
    }
  }

  /** Lists the pairs of the `b`-th live body that are in a collider, or near enough to be pressed in; 0 where none is in. */
  private findPressed(state: State, b: number): number {
    const first = this.bodyPairs[b]!
    const end = this.bodyPairs[b + 1]!
    if (this.contacts.length < (end - first) * SIZE) this.contacts = new Float64Array(2 * (end - first) * SIZE)
    const contacts = this.contacts
    let count = 0
    let deep = false
    for (let pair = first; pair < end; pair++) {
      this.weigh(state, pair)
      if (inverseMass[0] === 0) return 0 // a body with pins stands by them
      this.locate(state, pair)
      if (this.passable && this.isFast(state, pair)) continue // its way is followed
      query[3] = 0
      if (!this.measure(pair)) continue
      const depth = this.thickness[pair]! - query[3]
      const at = count++ * SIZE
      let way = 0
      for (let d = 0; d < 3; d++) {
        contacts[at + NORMAL + d] = frame[d]!
        contacts[at + ARM + d] = point[d]!
        contacts[at + SLIP + d] = point[d]! - before[d]! - frame[3 + d]!
        contacts[at + RUB + d] = 0
        way += contacts[at + SLIP + d]! * frame[d]!
      }
      for (let d = 0; d < 3; d++) contacts[at + SLIP + d] = contacts[at + SLIP + d]! - way * frame[d]!
      // How deep the point was before is left to the contact of points, which lets it out at a walk.
      contacts[at + DEPTH] = Math.min(depth, Math.max(0, -way))
      contacts[at + PUSH] = 0
      contacts[at + FRICTION] = this.friction[pair]!
      contacts[at + PAIR] = pair
      if (contacts[at + DEPTH]! > 0) deep = true
    }
    return deep ? count : 0
  }

  /** Moves the body by u and theta. */
  private move({ positions: x }: State, { start, model }: BodyRecord): void {
    for (let i = start; i < start + model.particleCount; i++) {
      const p = i * 3
      const rx = x[p]! - center[0]!
      const ry = x[p + 1]! - center[1]!
      const rz = x[p + 2]! - center[2]!
      x[p] = x[p]! + u[0]! + theta[1]! * rz - theta[2]! * ry
      x[p + 1] = x[p + 1]! + u[1]! + theta[2]! * rx - theta[0]! * rz
      x[p + 2] = x[p + 2]! + u[2]! + theta[0]! * ry - theta[1]! * rx
    }
  }

  /** Counts the impulses as pushes of the points, which rub, and whose collider hears of them. */
  private note(state: State, count: number): void {
    const contacts = this.contacts
    for (let at = 0; at < count * SIZE; at += SIZE) {
      if (contacts[at + PUSH] === 0) continue
      const pair = contacts[at + PAIR]!
      this.weigh(state, pair)
      const weight = inverseMass[0]!
      if (this.push[pair] === 0) {
        this.active++
        for (let d = 0; d < 3; d++) frame[d] = contacts[at + NORMAL + d]!
        this.remember(state, pair)
      }
      this.push[pair] = this.push[pair]! + weight * contacts[at + PUSH]!
      this.moved[pair] = this.moved[pair]! + weight * contacts[at + PUSH]!
      let rubbed = 0
      for (let d = 0; d < 3; d++) rubbed += contacts[at + RUB + d]! * contacts[at + RUB + d]!
      this.drag[pair] = this.drag[pair]! + weight * Math.sqrt(rubbed)
    }
  }
}

/** Pushes a contact out, by[0] more [kg m]. */
function pushOut(contacts: Float64Array, at: number): void {
  findMoved(contacts, at)
  const depth = contacts[at + DEPTH]! - moved[0]!
  const push = Math.max(0, contacts[at + PUSH]! + depth / contacts[at + WEIGHT]!)
  by[0] = push - contacts[at + PUSH]!
  contacts[at + PUSH] = push
  for (let d = 0; d < 3; d++) along[d] = by[0] * contacts[at + NORMAL + d]!
  apply(contacts, at)
}

/** Takes the slip of a contact back, as far as friction goes. */
function rub(contacts: Float64Array, at: number): void {
  findMoved(contacts, at)
  let slip = 0
  for (let d = 0; d < 3; d++) {
    along[d] = contacts[at + SLIP + d]! + turned[d]! - moved[0]! * contacts[at + NORMAL + d]!
    slip += along[d]! * along[d]!
  }
  slip = Math.sqrt(slip)
  if (slip > 0) {
    for (let d = 0; d < 3; d++) turned[d] = along[d]! / slip
    along.set(turned)
    weigh(contacts, at)
    for (let d = 0; d < 3; d++) along[d] = (-slip / moved[0]!) * along[d]!
  }
  // Friction in all, cut to what the push allows.
  const hold = contacts[at + FRICTION]! * contacts[at + PUSH]!
  let size = 0
  for (let d = 0; d < 3; d++) {
    along[d] = along[d]! + contacts[at + RUB + d]!
    size += along[d]! * along[d]!
  }
  const part = size > hold * hold ? hold / Math.sqrt(size) : 1
  for (let d = 0; d < 3; d++) {
    const all = part * along[d]!
    along[d] = all - contacts[at + RUB + d]!
    contacts[at + RUB + d] = all
  }
  apply(contacts, at)
}

/** Moves the body by the impulse `along` [kg m] at a contact. */
function apply(contacts: Float64Array, at: number): void {
  findTorque(contacts, at)
  solveTorque()
  for (let d = 0; d < 3; d++) {
    u[d] = u[d]! + along[d]! / mass[0]!
    theta[d] = theta[d]! + turned[d]!
  }
}

/** How far a contact has been moved, into `turned`, and its part along the normal into moved[0] [m]. */
function findMoved(contacts: Float64Array, at: number): void {
  for (let d = 0; d < 3; d++) arm[d] = contacts[at + ARM + d]!
  turned[0] = u[0]! + theta[1]! * arm[2]! - theta[2]! * arm[1]!
  turned[1] = u[1]! + theta[2]! * arm[0]! - theta[0]! * arm[2]!
  turned[2] = u[2]! + theta[0]! * arm[1]! - theta[1]! * arm[0]!
  moved[0] = 0
  for (let d = 0; d < 3; d++) moved[0] = moved[0] + turned[d]! * contacts[at + NORMAL + d]!
}

/** Inverse mass of a contact along the unit vector `along`, into moved[0] [1/kg]. */
function weigh(contacts: Float64Array, at: number): void {
  findTorque(contacts, at)
  solveTorque()
  moved[0] = 1 / mass[0]!
  for (let d = 0; d < 3; d++) moved[0] = moved[0] + torque[d]! * turned[d]!
}

function findTorque(contacts: Float64Array, at: number): void {
  for (let d = 0; d < 3; d++) arm[d] = contacts[at + ARM + d]!
  torque[0] = arm[1]! * along[2]! - arm[2]! * along[1]!
  torque[1] = arm[2]! * along[0]! - arm[0]! * along[2]!
  torque[2] = arm[0]! * along[1]! - arm[1]! * along[0]!
}

/** I^-1 torque, into `turned`. */
function solveTorque(): void {
  turned[0] = inverse[0]! * torque[0]! + inverse[3]! * torque[1]! + inverse[5]! * torque[2]!
  turned[1] = inverse[3]! * torque[0]! + inverse[1]! * torque[1]! + inverse[4]! * torque[2]!
  turned[2] = inverse[5]! * torque[0]! + inverse[4]! * torque[1]! + inverse[2]! * torque[2]!
}

/** Mass, centre and inverse inertia of a body that is not moved yet; false where it has no inertia about some axis. */
function findInertia({ positions: x, masses: m }: State, { start, model }: BodyRecord): boolean {
  u.fill(0)
  theta.fill(0)
  mass[0] = 0
  center.fill(0)
  for (let i = start; i < start + model.particleCount; i++) {
    mass[0] = mass[0] + m[i]!
    for (let d = 0; d < 3; d++) center[d] = center[d]! + m[i]! * x[i * 3 + d]!
  }
  for (let d = 0; d < 3; d++) center[d] = center[d]! / mass[0]
  inertia.fill(0)
  for (let i = start; i < start + model.particleCount; i++) {
    for (let d = 0; d < 3; d++) arm[d] = x[i * 3 + d]! - center[d]!
    addInertia(inertia, 0, arm, m, i)
  }
  return invertInertia(inertia, 0, inverse)
}

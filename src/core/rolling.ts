import type { ColliderContacts } from './collision/colliderContacts.js'
import { dragged } from './damping.js'
import { INERTIA_SIZE, invertInertia } from './math/inertia.js'
import { PATCH, patch, spreadAlong } from './patch.js'
import { type BodyRecord, ROLL } from './records.js'
import type { State } from './state.js'
import {
  addMotion,
  center,
  cross,
  findCenter,
  findTurning,
  inverse,
  multiply,
  spin,
  turnsFreely,
  writeMobility,
} from './turning.js'

const { LOAD, STUCK, NORMAL, PLACE, TURN, ORIGIN } = PATCH

/** Least share of the pushes that is left of their sum: what is squeezed between two walls rolls on neither. */
const SQUEEZED = 0.5
/** The way of a roll in which its friction builds up, in spreads of the patch. */
const WAY = 0.15
/** What is left of the strain by rolling after a substep in which nothing is touched: what trembles is not let go. */
const LIFTED = 0.9

/** Normal of the patch, and the middle of the patch from the centre of mass [m]. */
const n = new Float64Array(3)
const arm = new Float64Array(3)
/** Across the normal: angular velocity of the body against what bears it [rad/s], its size, and how much of it goes on. */
const rolling = new Float64Array(3)
const speed = new Float64Array(1)
const onward = new Float64Array(1)
/** The way in which the patch moves about an axis: a unit vector; and the spread of its pushes that way [m]. */
const across = new Float64Array(3)
const spread = new Float64Array(1)
const moment = new Float64Array(3)
/** A motion: angular velocity [rad/s], then velocity of the centre [m/s]. What friction gives, and what has been taken out. */
const change = new Float64Array(6)
const taken = new Float64Array(6)
const K = new Float64Array(INERTIA_SIZE)
const inverseK = new Float64Array(INERTIA_SIZE)
const hold = new Float64Array(3)

/**
 * Rolling friction of bodies on colliders. What rolls on a patch of itself is strained anew all the time, and its material
 * gives back less than it took, so that the front of the patch pushes harder than its back: by a moment of 3/16 alpha W a for
 * a ball and 2/(3 pi) alpha W a for a cylinder, alpha the share of the strain's energy that is lost, W the load and a the
 * patch's half width (Greenwood, Minshall and Tabor 1961). By the spread s of the pushes, their root mean square distance
 * from their middle, both are 0.42 alpha W s. So the moment is M = `rollingFriction` W s, whatever the speed.
 *
 * It takes some way until that much is strained: M z, with dz = (axis - z) dx / (`WAY` s) for a way dx of the roll about an
 * axis (Dahl 1968). |z| stays below 1. So what is pulled by less is held where it has rolled a little, what only sways on its
 * foot is hardly slowed, and what is borne by an edge is free to tip. What rolls on is spared by the damping of shapes, which
 * would hold the points of its patch.
 */
export class Rolling {
  private readonly h = new Float64Array(1)
  /** `rollingFriction` by live body, since to read a number from objects of many shapes allocates. */
  private coefficients = new Float64Array(0)

  /** To be called where the substep h [s], the bodies or their settings have changed. */
  bake({ bodies }: State, h: number): void {
    this.h[0] = h
    this.coefficients = Float64Array.from(bodies.live, ({ settings }) => settings.rollingFriction)
  }

  /**
   * Takes as much of the `b`-th live body's roll out of its velocities as damping its shape is to spare; false where
   * nothing bears it.
   */
  takeOut(state: State, b: number, colliders: ColliderContacts): boolean {
    const body = state.bodies.live[b]!
    const { roll: z } = body
    if (this.coefficients[b] === 0 || !turnsFreely(state, body)) return false
    patch.fill(0)
    colliders.addPatch(state, b)
    if (!findNormal() || !findTurning(state, body) || !findRoll()) {
      for (let d = 0; d < 3; d++) z[d] = z[d]! * LIFTED
      return false
    }
    this.strain(z)
    for (let d = 0; d < 3; d++) change[d] = -onward[0]! * rolling[d]!
    cross(arm, change, hold)
    for (let d = 0; d < 3; d++) change[3 + d] = hold[d]!
    addMotion(state, body, change)
    for (let d = 0; d < 6; d++) taken[d] = -change[d]!
    findSpread(z)
    for (let d = 0; d < 3; d++) moment[d] = -this.coefficients[b]! * patch[LOAD]! * spread[0]! * z[d]!
    this.findChange(body)
    return true
  }

  /** Puts back what `takeOut` has taken out, and keeps what friction gives for `act`: what that is, adds to `dragged`. */
  putBack(state: State, b: number): void {
    const body = state.bodies.live[b]!
    addMotion(state, body, taken)
    for (let d = 0; d < 6; d++) body.roll[ROLL.GIVES + d] = change[d]!
    for (let d = 0; d < 3; d++) dragged[d] = dragged[d]! + body.mass * change[3 + d]!
  }

  /**
   * A substep begins: gives what friction gives, as gravity is given. What is held by it, and by what bears it, so has no
   * velocity when the substep ends: contacts have taken all of that.
   */
  act(state: State): void {
    for (let b = 0; b < state.bodies.live.length; b++) {
      const body = state.bodies.live[b]!
      let any = false
      for (let d = 0; d < 6; d++) {
        const given = body.roll[ROLL.GIVES + d]!
        change[d] = given
        any = any || given !== 0
      }
      if (!any || body.asleep) continue
      body.roll.fill(0, ROLL.GIVES)
      if (!turnsFreely(state, body)) continue
      findCenter(state, body)
      addMotion(state, body, change)
    }
  }

  /** Strains z further by what has been rolled in the substep. */
  private strain(z: Float64Array): void {
    findSpread(rolling)
    const height = -(arm[0]! * n[0]! + arm[1]! * n[1]! + arm[2]! * n[2]!)
    const way = speed[0]! * this.h[0]! * height
    // dz = (axis - z) way / spread, implicitly: what is borne by a point is strained at once.
    const part = way > 0 ? way / (way + WAY * spread[0]!) : 0
    const along = z[0]! * n[0]! + z[1]! * n[1]! + z[2]! * n[2]!
    let sum = 0
    for (let d = 0; d < 3; d++) {
      const axis = speed[0]! > 0 ? rolling[d]! / speed[0]! : 0
      z[d] = z[d]! - along * n[d]!
      z[d] = z[d]! + part * (axis - z[d]!)
      sum += z[d]! * axis
    }
    onward[0] = sum > 0 ? sum * sum : 0
  }

  /** What the couple `moment` does to the body: friction keeps a patch that sticks where it is. */
  private findChange(body: BodyRecord): void {
    change.fill(0)
    multiply(inverse, moment, change)
    if (!(patch[STUCK]! > 0.5 * patch[LOAD]!)) return
    writeMobility(body, arm, K)
    if (!invertInertia(K, 0, inverseK)) return
    cross(arm, change, hold)
    multiply(inverseK, hold, hold)
    cross(arm, hold, moment)
    multiply(inverse, moment, moment)
    for (let d = 0; d < 3; d++) {
      change[d] = change[d]! + moment[d]!
      change[3 + d] = hold[d]! / body.mass
    }
  }
}

/** The normal of the patch; false where nothing pushes, or from all sides. */
function findNormal(): boolean {
  let square = 0
  for (let d = 0; d < 3; d++) square += patch[NORMAL + d]! * patch[NORMAL + d]!
  const load = Math.sqrt(square)
  if (!(load > SQUEEZED * patch[LOAD]!)) return false
  for (let d = 0; d < 3; d++) n[d] = patch[NORMAL + d]! / load
  return true
}

/** Where the patch is, and how the body rolls on it; false where the centre of mass is behind it. */
function findRoll(): boolean {
  let along = 0
  let height = 0
  for (let d = 0; d < 3; d++) {
    arm[d] = patch[ORIGIN + d]! + patch[PLACE + d]! / patch[LOAD]! - center[d]!
    rolling[d] = spin[d]! - patch[TURN + d]! / patch[LOAD]!
    along += rolling[d]! * n[d]!
    height -= arm[d]! * n[d]!
  }
  let square = 0
  for (let d = 0; d < 3; d++) {
    rolling[d] = rolling[d]! - along * n[d]!
    square += rolling[d]! * rolling[d]!
  }
  speed[0] = Math.sqrt(square)
  return height > 0
}

/** Spread of the patch in the way that it moves where the body turns about an axis. */
function findSpread(about: Float64Array): void {
  cross(about, n, across)
  const size = Math.sqrt(across[0]! * across[0]! + across[1]! * across[1]! + across[2]! * across[2]!)
  if (size > 0) for (let d = 0; d < 3; d++) across[d] = across[d]! / size
  spreadAlong(across, spread)
}

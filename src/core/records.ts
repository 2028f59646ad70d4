import type { BodySettings } from './bodySettings.js'
import type { CollisionGroups } from './collision/groups.js'
import type { ColliderShape } from './collision/shape.js'
import type { Model } from './model.js'
import type { Handle } from './slots.js'
import type { TearNote } from './tear/takeOver.js'
import type { Vec3 } from './vectors.js'

/** A body's part of the state: where its particles are, and what is set. */
export interface BodyRecord extends Handle {
  /** Another one after each tear. */
  model: Model
  settings: BodySettings
  /** First particle; the body's particles are start..start + model.particleCount. */
  start: number
  /** Slots from there on that are the body's. */
  room: number
  /** First rotation slot of each of the model's sets that keeps rotations, by set; -1 for the others. */
  readonly rotationStarts: readonly number[]
  readonly rotationStart: number
  readonly rotationCount: number
  /** [kg] */
  mass: number
  /** Steps in which its pins get to their goals, as for a collider. */
  sweep: number
  /** Nothing moves it: it is left out of a step, and what touches it meets it as fixed. */
  asleep: boolean
  /** What listeners have been told of that; no part of the state. */
  toldAsleep: boolean
  /** See `SLEEP`. */
  readonly sleep: Float64Array
  /** Its last impacts on colliders, see `IMPACT`. */
  readonly impacts: Float64Array
  /** Its last blows by other bodies, see `HIT`: of two, the one with the lower slot remembers. */
  readonly hits: Float64Array
  /** Which way it has rolled on colliders, and how far, see `ROLL`. */
  readonly roll: Float64Array
  /** What is known of the rescue of a body that is inverted or out of joint, see `RESCUE`. */
  readonly rescue: Float64Array
  /** How far it is pumped up by what its tetrahedra bear of its pressure, see `INFLATION`. */
  readonly inflation: Float64Array
  /** It has just been put where it is, or is still through another one that it was put through. */
  placed: boolean
  /** Its surface pushed itself in the last substep. */
  wound: boolean
  /** What the cells of its coarser grids bear of shear, from fine to coarse, see `FOLDS`; empty where it has none. */
  folds: Float64Array
  /** The bodies after it that it is on its way out of, see `PARTING`. */
  readonly partings: Float64Array
  /**
   * Inverse plastic deformation of each tetrahedron, see `PlasticFlow`, and the shape as a whole, see `followShape`
   * [9 t + 3 n]; empty where nothing could have flowed.
   */
  plastic: Float64Array
  /** How each particle has gone of late where the body settles, see `settle` [4 n] m; empty where it does not. */
  settling: Float64Array
  /** Acceleration by attractors at its centre of mass in the last step [m/s^2]; found anew each step. */
  readonly pull: Float64Array
  /** The guards that have acted in the last step, bits of `UNSTABLE`; no part of the state. */
  unstable: number
  /** What its listeners have not been told of its tears. */
  readonly tear: TearNote
}

/**
 * `BodyRecord.rescue`, as numbers in a row: a warm start, the rate of the last pull [rad/s], 0 for none, 1 where the
 * body touched a collider in the last step of the pull, for how long still it counts as lost [s], 0 where it does not;
 * 1 where a figure that is out of joint was drawn together in the last substep; for how long it has lain crushed [s], less
 * than 0 where it shall be left as it is, and where it settles for how long it has been inverted, or, less than 0, has not
 * been; the substep in which its load crushed it, 0 for none [s]: contacts bear it as if it were rigid; for how long its
 * surface has been inside out beside other bodies [s], counted anew once that was long; for how long it has crossed itself
 * [s]; for how long it has touched other solids [s], counted anew once that was long; and for how long it has lain with
 * something of it inverted [s].
 */
export const RESCUE = {
  ROTATION: 0,
  RATE: 4,
  TOUCHED: 5,
  LOST: 6,
  DRAWN: 7,
  CRUSHED: 8,
  BORNE: 9,
  TURNED: 10,
  TANGLED: 11,
  TOUCHING: 12,
  INVERTED: 13,
  SIZE: 14,
} as const

/**
 * `BodyRecord.sleep`, as numbers in a row: for how long nothing has moved on it [s], 0 where that is not known; where its
 * centre of mass was then [m]; while it sleeps the box that holds it and its thickness [m], least x, y, z, then largest; its
 * thickness, since to read a number that may be absent allocates; 1 where a calm body is pinned somewhere; 1 where it lies
 * on something; 1 where it has moved since, by no more than what lies may; 1 where a collider pushed it in the last substep;
 * for how long it has drifted [s], see `watchDrift`, and how high it was [m] and how far spread [m] as that began.
 */
export const SLEEP = {
  CALM: 0,
  CENTER: 1,
  BOX: 4,
  THICKNESS: 10,
  PINNED: 11,
  LIES: 12,
  STIRRED: 13,
  PUSHED: 14,
  DRIFT: 15,
  HEIGHT: 16,
  SPREAD: 17,
  SIZE: 18,
} as const

/**
 * `BodyRecord.inflation`: the volume over its rest volume that a body is led to by what its tetrahedra bear of its pressure,
 * 1 for others; the bulk modulus of the gas that has pressed within last [Pa]; and for how long that would stay still if it
 * were switched off [s].
 */
export const INFLATION = { RATIO: 0, MODULUS: 1, LEFT: 2, SIZE: 3 } as const

/**
 * `BodyRecord.roll`: the strain of what it rolls on, a vector of length 1 at most; and the motion that rolling friction gives
 * it in the next substep, change of its angular velocity [rad/s], then of that of its centre [m/s].
 */
export const ROLL = { STRAIN: 0, GIVES: 3, SIZE: 9 } as const

/**
 * `BodyRecord.folds`, by cell: which part it bears, less than 0 where that is not known yet; and how far from a right angle
 * folds can have drawn its sides, as a cosine.
 */
export const FOLDS = { PART: 0, COSINE: 1, SIZE: 2 } as const

/**
 * `BodyRecord.partings`, for each of the other bodies, `PARTINGS` at most: its slot + 1, 0 for none, and its generation;
 * the unit way that leads out of it, how far still [m], the speed that the two have been given along it [m/s], and for
 * either 1 where a collider stops it on that way, which is left to the other.
 */
export const PARTING = { SLOT: 0, GENERATION: 1, WAY: 2, LEFT: 5, GIVEN: 6, STOPPED: 7, SIZE: 9 } as const
export const PARTINGS = 4

/** Bits of `BodyRecord.unstable`. LOST is not told: what is lost in a step is put back at its end, and told as not finite. */
export const UNSTABLE = { INVERTED: 1, NON_FINITE: 2, SPEED: 4, CONTACT: 8, LOST: 16 } as const

export interface ColliderRecord extends Handle {
  shape: ColliderShape
  friction: number | undefined
  restitution: number | undefined
  collisionGroups: CollisionGroups
  sensor: boolean
  /** True where it has been put somewhere, or changed, since the last step. */
  placed: boolean
  /** True where the coming or last step moves it, or finds it `placed`; no part of the state. */
  moved: boolean
  /** At which its surface carries along what rubs on it, in its own frame [m/s]. */
  surfaceVelocity: Vec3
  /** Pose at the start of the next step: position x, y, z [m], then quaternion x, y, z, w. */
  readonly pose: Float64Array
  /** Pose at the end of the next step. */
  readonly target: Float64Array
  /** Pose it was asked to take. */
  readonly goal: Float64Array
  /** Steps in which to get there; 0 until the next frame says how many it has. */
  sweep: number
}

export interface AttachmentRecord extends Handle {
  readonly body: Handle
  /** The held point is sum weights[k] x[particles[k]]; particles in the body's own numbers. */
  readonly particles: Uint32Array
  readonly weights: Float64Array
  /** [m/N] 0 is rigid */
  readonly compliance: number
  /** [N s/m] against the target's motion */
  readonly damping: number
  /** [N] */
  readonly maxForce: number
  readonly localForce: number
  /** Target at the start of the next step [m]. */
  readonly from: Float64Array
  /** Target at the end of the next step [m]. */
  readonly target: Float64Array
  /** Target it was asked to have [m], and the steps in which to get there, as for a collider. */
  readonly goal: Float64Array
  sweep: number
  /** Mean force on the body over the last step [N]. */
  readonly force: Float64Array
}

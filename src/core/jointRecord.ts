import type { Handle } from './slots.js'

/** A pose that something follows: of a collider, or one of a joint's own. */
export interface Frame {
  /** Pose at the start of the next step: position x, y, z [m], then quaternion x, y, z, w. */
  readonly pose: Float64Array
  /** Pose at the end of the next step. */
  readonly target: Float64Array
  /** Pose it was asked to take, and the steps in which to get there. */
  readonly goal: Float64Array
  sweep: number
}

/** `JointRecord.settings`, as numbers in a row. */
export const JOINT = {
  /** Inverse stiffness of the joint as a whole [m/N] */
  COMPLIANCE: 0,
  /** [N s/m] */
  DAMPING: 1,
  /** Force at which it breaks [N] */
  BREAK_FORCE: 2,
  SIZE: 3,
} as const

/** `JointRecord.settings` of a spring. */
export const SPRING = {
  /** [N/m] */
  STIFFNESS: 0,
  /** [N s/m] */
  DAMPING: 1,
  /** Force at which it breaks [N] */
  BREAK_FORCE: 2,
  /** Most force that it has [N] */
  MAX_FORCE: 3,
  /** [m] */
  REST_LENGTH: 4,
} as const

/** Where a link's particles are among those of its joint: four with weights on either side. */
export const LINK = 4

/** Links between points of a body and points of another, or of a frame. */
export interface JointRecord extends Handle {
  readonly body: Handle
  /** The other body, null where the links lead to a frame. */
  readonly other: Handle | null
  /** The collider whose frame it is, null where the frame is the joint's own. */
  readonly collider: Handle | null
  readonly frame: Frame | null
  /** True for a spring: it has a force, and does not keep what it joins from touching. */
  readonly spring: boolean
  /** True for an end of a spring that is all of its body: the centre of mass, each particle by its mass. One link then. */
  readonly whole: boolean
  readonly otherWhole: boolean
  readonly count: number
  /** How often all links are taken forth and back in a sweep; 0 where once forth is enough. */
  readonly rounds: number
  /** The held points [4 n]: particles in the body's own numbers, and weights that sum to 1 a link. */
  readonly particles: Uint32Array
  readonly weights: Float64Array
  /** The same of the other body; empty for a frame. */
  readonly otherParticles: Uint32Array
  readonly otherWeights: Float64Array
  /** The points in the frame [3 n] m; empty for a body. */
  readonly locals: Float64Array
  /** Distances that the links keep [n] m. */
  readonly rest: Float64Array
  /** How many links side by side would be as stiff along the joint [1]. */
  readonly parallels: Float64Array
  /** See `JOINT`, of a spring `SPRING`. */
  readonly settings: Float64Array
  /** Mean force on the body over the last step [N]. */
  readonly force: Float64Array
  /** The force as a running mean over some substeps [N]: what may break it. */
  readonly load: Float64Array
  /** 1 once it has broken, 0 again after a reset; 2 in the step in which it breaks. */
  readonly broken: Uint8Array
}

/** `JointRecord.broken` */
export const WHOLE = 0
export const BROKEN = 1
export const BREAKING = 2

export function isSame(a: Handle, b: Handle): boolean {
  return a.slot === b.slot && a.generation === b.generation
}

/** True where an unbroken joint holds the body. */
export function joins({ body, other, broken }: JointRecord, handle: Handle): boolean {
  return broken[0] === WHOLE && (isSame(body, handle) || (other !== null && isSame(other, handle)))
}

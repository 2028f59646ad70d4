import type { Vec3 } from '../vectors.js'

/** Parts of a figure. Left is where x is above 0: the figure looks along z. */
export const limbNames = [
  'head',
  'chest',
  'hips',
  'upperArmLeft',
  'lowerArmLeft',
  'upperArmRight',
  'lowerArmRight',
  'upperLegLeft',
  'lowerLegLeft',
  'upperLegRight',
  'lowerLegRight',
] as const

export type Limb = (typeof limbNames)[number]

/** A capsule between two points, as wide as said at either; all lengths in shares of the figure's height. */
export interface LimbShape {
  readonly from: Vec3
  readonly to: Vec3
  readonly radii: readonly [number, number]
  /** Share of the figure's mass. */
  readonly mass: number
}

/**
 * Two directions that stay within an angle of each other [degrees]: `parent` is carried along by the parent limb, `child`
 * by the child, both as they are in the figure at rest.
 */
export interface Limit {
  readonly parent: Vec3
  readonly child: Vec3
  readonly most: number
}

export interface FigureJoint {
  readonly parent: Limb
  readonly child: Limb
  readonly at: Vec3
  /** Of a hinge; a ball has none. */
  readonly axis?: Vec3
  readonly limits: readonly Limit[]
}

const X: Vec3 = [1, 0, 0]
const DOWN: Vec3 = [0, -1, 0]
const UP: Vec3 = [0, 1, 0]
/** Along an arm that hangs beside the body: 30 degrees away from it. */
const ARM: Vec3 = [0.5, -0.8660254037844386, 0]
/** Across it, to the front of the elbow's bend. */
const ELBOW: Vec3 = [-0.8660254037844386, -0.5, 0]
/** Cosine and sine of 72 degrees: the middle of an elbow's or a knee's bend. */
const [C, S] = [0.3090169943749474, 0.9510565162951535]

const arm: Record<'upper' | 'lower', LimbShape> = {
  upper: { from: [0.108, 0.8, 0], to: [0.19, 0.658, 0], radii: [0.031, 0.026], mass: 0.028 },
  lower: { from: [0.195, 0.649, 0], to: [0.282, 0.499, 0], radii: [0.026, 0.021], mass: 0.022 },
}
const leg: Record<'upper' | 'lower', LimbShape> = {
  upper: { from: [0.056, 0.505, 0], to: [0.056, 0.29, 0], radii: [0.045, 0.034], mass: 0.1 },
  lower: { from: [0.056, 0.28, 0], to: [0.056, 0.03, 0], radii: [0.034, 0.028], mass: 0.061 },
}

function mirrored([x, y, z]: Vec3): Vec3 {
  return [-x, y, z]
}

function otherSide(shape: LimbShape): LimbShape {
  return { ...shape, from: mirrored(shape.from), to: mirrored(shape.to) }
}

/** Proportions and masses of a grown-up (Winter 2009, tables 4.1), arms with hands, lower legs with feet. */
export const limbShapes: Readonly<Record<Limb, LimbShape>> = {
  head: { from: [0, 0.9, 0.005], to: [0, 0.938, 0.01], radii: [0.05, 0.06], mass: 0.081 },
  chest: { from: [0, 0.66, 0], to: [0, 0.765, 0], radii: [0.068, 0.082], mass: 0.345 },
  hips: { from: [-0.03, 0.555, 0], to: [0.03, 0.555, 0], radii: [0.064, 0.064], mass: 0.152 },
  upperArmLeft: arm.upper,
  lowerArmLeft: arm.lower,
  upperArmRight: otherSide(arm.upper),
  lowerArmRight: otherSide(arm.lower),
  upperLegLeft: leg.upper,
  lowerLegLeft: leg.lower,
  upperLegRight: otherSide(leg.upper),
  lowerLegRight: otherSide(leg.lower),
}

const shoulder: FigureJoint = {
  parent: 'chest',
  child: 'upperArmLeft',
  at: [0.108, 0.8, 0],
  limits: [
    // From the thigh to above the head, little behind the back.
    { parent: [0.85, -0.15, 0.5], child: ARM, most: 92 },
    { parent: [0, 0, 1], child: [0, 0, 1], most: 100 },
  ],
}
const elbow: FigureJoint = {
  parent: 'upperArmLeft',
  child: 'lowerArmLeft',
  at: [0.1925, 0.6535, 0],
  axis: ELBOW,
  limits: [{ parent: [C * ARM[0], C * ARM[1], S], child: ARM, most: 75 }],
}
const hip: FigureJoint = {
  parent: 'hips',
  child: 'upperLegLeft',
  at: [0.056, 0.53, 0],
  limits: [
    // 100 degrees forward, 20 back.
    { parent: [0.1, -0.76, 0.64], child: DOWN, most: 60 },
    { parent: X, child: X, most: 45 },
  ],
}
const knee: FigureJoint = {
  parent: 'upperLegLeft',
  child: 'lowerLegLeft',
  at: [0.056, 0.285, 0],
  axis: X,
  limits: [{ parent: [0, -C, -S], child: DOWN, most: 75 }],
}

function otherJoint({ parent, child, at, axis, limits }: FigureJoint): FigureJoint {
  const other = (limb: Limb) => limb.replace('Left', 'Right') as Limb
  return {
    parent: other(parent),
    child: other(child),
    at: mirrored(at),
    ...(axis && { axis: mirrored(axis) }),
    limits: limits.map((limit) => ({ ...limit, parent: mirrored(limit.parent), child: mirrored(limit.child) })),
  }
}

/** What holds the parts together, and how far each turns. */
export const figureJoints: readonly FigureJoint[] = [
  {
    parent: 'hips',
    child: 'chest',
    at: [0, 0.605, 0],
    limits: [
      { parent: [0, 0.97, 0.24], child: UP, most: 40 },
      { parent: X, child: X, most: 35 },
    ],
  },
  {
    parent: 'chest',
    child: 'head',
    at: [0, 0.845, 0],
    limits: [
      { parent: UP, child: UP, most: 45 },
      { parent: X, child: X, most: 60 },
    ],
  },
  shoulder,
  elbow,
  hip,
  knee,
  otherJoint(shoulder),
  otherJoint(elbow),
  otherJoint(hip),
  otherJoint(knee),
]

// Cloths, ropes and ragdolls.

import type { ThreeElements } from '@react-three/fiber'
import type { ReactNode, Ref } from 'react'
import type { BufferGeometry } from 'three'
import type { Vec3 } from '../../headless.js'
import type { BodyProps, BodyRef } from './bodies.js'

/** A part of a `<Ragdoll>`. */
export type { Limb } from '../../headless.js'

/** The ends of a `<Rope>`, one or both. */
export type RopePart = 'start' | 'end' | 'ends'

/** Props that make a cloth. */
export interface ClothSettings extends BodyProps {
  /**
   * Width [m], height [m] and segments along each, as of `<planeGeometry>`: a rectangle instead of a mesh, which is
   * refused beside it, as is a `geometry`. Default [1, 1, 16, 16] where there is no mesh. A change rebuilds.
   */
  args?: readonly [width?: number, height?: number, segmentsX?: number, segmentsY?: number]
  /** Mass per area [kg/m^2]; a bed sheet has 0.2. Default 0.2. */
  areaDensity?: number
  /**
   * Tension per strain along the threads [N/m], Young's modulus times thickness; Infinity does not stretch, 0 does not
   * resist. The threads run along the y axis of the geometry, the warp, and across, the weft: two numbers are [warp, weft].
   * Default 1000.
   */
  stretchModulus?: number | readonly [warp: number, weft: number]
  /** Tension per change of the angle between the threads [N/m]; Infinity does not shear, 0 does not resist. Default 100. */
  shearModulus?: number
  /**
   * Moment per curvature and width [N m], E t^3 / 12 of a solid sheet; 0 is limp, Infinity keeps its rest shape.
   * A sheet hangs over an edge about as far as the cube root of bendRigidity / (areaDensity g). Default 0.0001, 4 cm.
   */
  bendRigidity?: number
  /**
   * No point gets farther from a pin than this times the way along the cloth at rest: the pins hold the whole cloth, which
   * stretches no more than by the slack, an edge that snaps by 5% more. True is 1. Folding is not hindered. Default false.
   */
  tether?: boolean | number
  /** Largest strain of an edge, such as 0.05; where there are pins it is a tether of 1.05 as well. Default false. */
  strainLimit?: number | false
  /**
   * Tension per width at which the cloth tears along its mesh [N/m], however fine that is; with a `strainLimit` also where
   * a fine cloth would rather stretch. What a `tether` bears does not tear, and pinned points are not split: a cloth of one
   * cell that is pinned at all four corners never tears. Default Infinity, never.
   */
  tearStrength?: number
  /**
   * Strain at which the cloth tears, such as 0.3: of the cloth as it is drawn, also where it is softer than it was set.
   * Default Infinity, never.
   */
  tearStrain?: number
  /** Share of its strength that the cloth loses beside a tear, 0 to 1, so that rips run. Default 0. */
  tearWeakening?: number
  /** The cloth has torn, or was cut, in the last step. The object holds during the call. */
  onTear?: (tear: ClothTear) => void
}

/** Where a cloth has torn. */
export interface ClothTear {
  /** The cloth. */
  readonly ref: BodyRef | null
  /** How many particles have been split off. */
  readonly count: number
  /** The first of them, and where it is in the world [m]. */
  readonly particle: number
  readonly point: Vec3
}

/**
 * Props of `<Cloth>`; others go to its mesh, or to the group about its children. Without `args` and `geometry` the cloth
 * is made of the mesh among the children; children that are materials and pins alone go into a rectangle.
 */
export interface ClothProps
  extends ClothSettings,
    Omit<ThreeElements['mesh'], 'ref' | 'args' | 'children' | 'geometry'> {
  ref?: Ref<ClothRef>
  children?: ReactNode
  /** Draw and simulate this geometry, instead of a mesh among the children or `args`. It is not written to. */
  geometry?: BufferGeometry
}

/** Props that make a rope. */
export interface RopeSettings extends BodyProps {
  /** Places that the rope leads through at the start [m]. Default [[0, 0, 0], [0, -1, 0]]. A change rebuilds. */
  points?: readonly Vec3[]
  /**
   * Length at rest [m]: a longer rope hangs between its points from the start, a shorter one is drawn taut. Default: the
   * way through the points. A change rebuilds.
   */
  length?: number
  /** Straight pieces. Default: as long as the rope is thick, 8 to 96. A change rebuilds. */
  segments?: number
  /** [m]. Default 0.02. A change rebuilds. */
  radius?: number
  /** Points around the tube that is drawn, 3 to 64. Default 10. A change rebuilds. */
  radialSegments?: number
  /** Mass per length [kg/m]. Default 0.2. */
  linearDensity?: number
  /** Tension over strain [N], Young's modulus times cross-section; Infinity does not stretch. Default 100 000. */
  stretchStiffness?: number
  /**
   * Moment over curvature [N m^2]; 0 is limp, Infinity stays straight. A rope hangs over an edge about as far as the cube
   * root of bendRigidity / (linearDensity g). Default 0.001, 8 cm.
   */
  bendRigidity?: number
  /** Tension at which it breaks [N], as a mean over a step; both pieces stay one body, and a reset mends it. Default Infinity. */
  tearStrength?: number
  /** It has broken. */
  onTear?: (tear: ClothTear) => void
}

/** Props that make a ragdoll. */
export interface RagdollSettings extends BodyProps {
  /** From the floor to the top of the head, 1e-6 to 400 [m]. Default 1.75. A change rebuilds. */
  height?: number
  /** Points around each limb that is drawn, 4 to 64. Default 20. A change rebuilds. */
  radialSegments?: number
}

/**
 * Props of `<Ragdoll>`; others go to its mesh. The children are its material, pins and attachments. Its mass is 70 kg at
 * 1.75 m, by the cube of the height. `damping` is 0.5 unless told otherwise: joints are not without friction.
 */
export interface RagdollProps
  extends RagdollSettings,
    Omit<ThreeElements['mesh'], 'ref' | 'args' | 'children' | 'geometry'> {
  ref?: Ref<RagdollRef>
  children?: ReactNode
}

/** Props of `<Rope>`; others go to its mesh. The children are its material, pins and attachments. */
export interface RopeProps extends RopeSettings, Omit<ThreeElements['mesh'], 'ref' | 'args' | 'children' | 'geometry'> {
  ref?: Ref<RopeRef>
  children?: ReactNode
}

export type ClothRef = BodyRef

export type RopeRef = BodyRef

export type RagdollRef = BodyRef

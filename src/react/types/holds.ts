// What holds and cuts: pins, attachments, springs, welds and blades.

import type { ThreeElements } from '@react-three/fiber'
import type { ReactNode, Ref, RefObject } from 'react'
import type { Group, Object3D, Vector3 } from 'three'
import type { CollisionGroups, Joint, MutableVec3, Spring, Vec3 } from '../../headless.js'
import type { BodyRef, PinSelector } from './bodies.js'

/** Props of `<Pin>`, a child of a body; others go to its group. */
export interface PinProps extends Omit<ThreeElements['group'], 'args' | 'target'> {
  /** The vertices that are held. */
  at: PinSelector
  /**
   * They move rigidly with this object, from when it is there; while the ref is empty they stay where they are. Default:
   * with the pin's own group, and so with its parents.
   */
  target?: RefObject<Object3D | null>
}

/** One end of an attachment: a body, or an object of the scene, or a ref of either. */
export type AttachEnd = RefObject<BodyRef | Object3D | null> | BodyRef | Object3D

/** Where two are attached: a point in the space of the attachment's own group, or vertices of the body. */
export type AttachSelector = Vector3 | PinSelector

/** Props of `<Attach>`; others go to its group. They are live; another end, place or radius takes the offset anew. */
export interface AttachProps extends Omit<ThreeElements['group'], 'args' | 'ref'> {
  ref?: Ref<AttachRef>
  /** What is attached. Default: the body above. One of the two ends is a body. */
  a?: AttachEnd
  /** What it is attached to. Default: the attachment's own group. */
  b?: AttachEnd
  /** Where. Default: where two bodies are nearest to each other, all of it; of an object its origin. */
  at?: AttachSelector
  /** Particles within this distance of it are joined [m]; 0 joins points, about which both turn. Default 0.15 of the smaller body. */
  radius?: number
  /** Inverse stiffness of the attachment as a whole [m/N]; 0 is rigid. Default 0. */
  compliance?: number
  /** Damping of one that is not rigid [N s/m]. Default 0. */
  damping?: number
  /** Force that it bears [N]; beyond, it breaks. Default Infinity. */
  breakForce?: number
  /** Called after the step in which it breaks. */
  onBreak?: (joint: Joint) => void
}

/** What a ref on `<Attach>` holds. While nothing is attached, nothing is broken and `force` leaves its target as it is. */
export interface AttachRef {
  /** The engine's joint, null while not both ends are there. */
  readonly joint: Joint | null
  readonly group: Group | null
  /** True once it has broken, until the world is reset. */
  readonly broken: boolean
  /** Mean force on `a` over the last step [N], into `target`; where `a` is an object, on `b`. */
  force(target?: MutableVec3): MutableVec3
}

/** Props of `<Spring>`; others go to its group. They are live; another end or place takes hold anew. */
export interface SpringProps extends Omit<ThreeElements['group'], 'args' | 'ref'> {
  ref?: Ref<SpringRef>
  /** Material of the line. */
  children?: ReactNode
  /** One end. Default: the body above. One of the two is a body. */
  a?: AttachEnd
  /** The other end. Default: the spring's own group. */
  b?: AttachEnd
  /**
   * Where on `a` it takes hold, in the space of its group: the nearest point of the body. Default: its centre of mass, where
   * it pulls at all of the body, each particle by its mass.
   */
  from?: Vector3 | Vec3
  /** Where on `b`. Default: its centre of mass, of an object its origin. */
  to?: Vector3 | Vec3
  /** Force per change of its length [N/m]. Default 100. */
  stiffness?: number
  /** Force per speed at which its length changes [N s/m]. Default 0. */
  damping?: number
  /** Length at which it pulls nothing [m]. Default: as it is at mount. */
  restLength?: number
  /** Most force that it has [N]. Default Infinity. */
  maxForce?: number
  /** Force that it bears [N]; beyond, it breaks. Default Infinity. */
  breakForce?: number
  /** Called after the step in which it breaks. */
  onBreak?: (spring: Spring) => void
  /** Draw it. Default false. */
  line?: boolean
  /** Turns of the line, 0 to 100; 0 draws it straight. Default 0. */
  coils?: number
  /** Radius of these [m]. Default 0.05. */
  coilRadius?: number
}

/** What a ref on `<Spring>` holds. */
export interface SpringRef {
  /** The engine's spring, null while not both ends are there. */
  readonly spring: Spring | null
  readonly group: Group | null
  /** True once it has broken, until the world is reset. */
  readonly broken: boolean
  /** Its length now [m]; 0 while not both ends are there. */
  length(): number
  /** Mean force on `a` over the last step [N], into `target`; where `a` is an object, on `b`. */
  force(target?: MutableVec3): MutableVec3
}

/** Props of `<Weld>`. They are live; another `gap` joins anew. */
export interface WeldProps {
  ref?: Ref<WeldRef>
  /** Bodies, at any depth: each is joined to all others that it touches when it comes. */
  children?: ReactNode
  /** How far apart two bodies may be and touch [m]. Default: a 20th of the size of the smaller. */
  gap?: number
  /** Inverse stiffness of each joint as a whole [m/N]; 0 is rigid. Default 0. */
  compliance?: number
  /** Damping of one that is not rigid [N s/m]. Default 0. */
  damping?: number
  /** Force that each joint bears [N]; beyond, it breaks. Default Infinity. */
  breakForce?: number
  /** Called after the step in which one breaks. */
  onBreak?: (joint: Joint) => void
}

/** What a ref on `<Weld>` holds. */
export interface WeldRef {
  /** The engine's joints, broken ones too. */
  readonly joints: readonly Joint[]
}

/** Props of `<Cut>`; others go to its group. They are live. */
export interface CutProps extends Omit<ThreeElements['group'], 'ref'> {
  ref?: Ref<Group>
  /** Length of the blade, along the x axis of its group and about its origin [m]. Default 0.5. */
  length?: number
  /** False leads the blade about without cutting. Default true. */
  active?: boolean
  /** The groups that it is a member of, and those that it cuts: two masks of 32 bits, as of a body. Default all. */
  collisionGroups?: CollisionGroups
}

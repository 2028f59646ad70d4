// Contact events, the ground and colliders.

import type { ThreeElements } from '@react-three/fiber'
import type { ReactNode } from 'react'
import type { BufferGeometry, Object3D } from 'three'
import type { Collider, CollisionGroups, Vec3 } from '../../headless.js'
import type { BodyRef } from './bodies.js'
import type { ClothTear } from './fabrics.js'

/** What a body or collider touches. One object serves all events of a component: copy what should outlast the call. */
export interface SceneContact {
  /** The ref of the other body, null for a collider; `alive` is false where it has just been removed. */
  readonly ref: BodyRef | null
  /** The other collider, as the engine has it; null for a body. */
  readonly collider: Collider | null
  /** The first mesh of the other body, or the group of the other collider: its `name` and `userData` tell what it is. */
  readonly object: Object3D | null
  /**
   * Impulse along the normal [N s]: of an impact all that it has given beyond the weight that it bears, of a beginning
   * what the first step has given, of a parting 0.
   */
  readonly impulse: number
  /** Where they touch most, in the world [m]. */
  readonly point: Vec3
  /** Unit normal there, away from the other; of an impact its mean. */
  readonly normal: Vec3
}

/** Event props of everything solid. They are called after a step; the handler of the last render is called. */
export interface SurfaceHandlers {
  /** Something has begun to touch this. */
  onContactEnter?: (contact: SceneContact) => void
  /** Something has parted from this, was removed or put elsewhere. What falls asleep goes on touching. */
  onContactExit?: (contact: SceneContact) => void
  /** Something faster than 0.1 m/s has struck this; called when the force has faded, after 0.5 s at the latest. */
  onImpact?: (contact: SceneContact) => void
}

/** Event props of bodies. */
export interface BodyHandlers extends SurfaceHandlers {
  /** The body has fallen asleep. */
  onSleep?: () => void
  /** The body has been woken. */
  onWake?: () => void
}

/** Event props of cloths. */
export interface ClothHandlers extends BodyHandlers {
  onTear?: (tear: ClothTear) => void
}

/** Props of everything solid that stands or moves in the world. They are live. */
export interface SurfaceProps extends SurfaceHandlers {
  /** Coulomb friction coefficient; with the body's the root of the product. Default: the body's alone counts. */
  friction?: number
  /** Share of the speed that a bounce gives back, 0 to 1; the larger of this and the body's. Default: the body's. */
  restitution?: number
  /** The groups that it is a member of, and those that it collides with: two masks of 32 bits. Default all. */
  collisionGroups?: CollisionGroups
  /** It notices what touches it, and pushes nothing. Default false. */
  sensor?: boolean
  /**
   * Velocity of the surface in the collider's own frame, as of a conveyor belt [m/s]: friction takes along what lies on it
   * at that speed, while the shape stays where it is. Default [0, 0, 0].
   */
  surfaceVelocity?: Vec3
}

/** Props of `<Ground>`; others go to its group. */
export interface GroundProps extends SurfaceProps, Omit<ThreeElements['group'], 'args' | 'children'> {
  /** Material of the plane that is drawn. Without children and `size` nothing is drawn. */
  children?: ReactNode
  /** Side of the plane that is drawn [m], or both sides. The ground itself has no end. Default 20 with children. */
  size?: number | readonly [number, number]
}

type ColliderGroupProps = SurfaceProps & Omit<ThreeElements['group'], 'args'>

/** `<Collider.Plane>`: solid below its local y = 0, without end. The children move with it. */
export type PlaneColliderProps = ColliderGroupProps

/** `<Collider.Box>`: width, height and depth [m], as of `<boxGeometry>`. Default [1, 1, 1]. */
export type BoxColliderProps = ColliderGroupProps & { args?: readonly [number, number, number] }

/** `<Collider.Sphere>`: the radius [m]. Default [1]. */
export type SphereColliderProps = ColliderGroupProps & { args?: readonly [number] }

/** `<Collider.Capsule>`: radius, and height of the middle [m], along y, as of `<capsuleGeometry>`. Default [1, 1]. */
export type CapsuleColliderProps = ColliderGroupProps & { args?: readonly [number, number] }

/** `<Collider.Cylinder>`: radius and height [m], along y. Default [1, 1]. */
export type CylinderColliderProps = ColliderGroupProps & { args?: readonly [number, number] }

/**
 * `<Collider.Mesh>`: the triangles of `geometry`, or of all meshes among the children, hidden ones too. A closed mesh is
 * solid, an open one a sheet that is hit from both sides. It takes a scale that is the same along all axes.
 */
export type MeshColliderProps = ColliderGroupProps & {
  /** Triangles of the collider; what is drawn are the children. Default: the meshes among these. */
  geometry?: BufferGeometry
  /** False makes a closed mesh a sheet, in which bodies may be as in a room. Default: solid where it is closed. */
  solid?: boolean
  /** Of a sheet, half of it on either side [m], before the scale. Default: a 5000th of the mesh's diagonal. */
  thickness?: number
}

/**
 * `<Collider.Heightfield>`: a landscape, solid below. `args` are its width along x and its depth along z [m], default
 * [1, 1]. It takes a scale that is the same along all axes.
 */
export type HeightfieldColliderProps = ColliderGroupProps & {
  /**
   * Heights [m] by row, from -z to z, each from -x to x: as the vertices of a `<planeGeometry>` with one segment less
   * each way, laid down by rotation-x = -pi / 2.
   */
  heights: readonly ArrayLike<number>[]
  args?: readonly [width: number, depth: number]
}

/**
 * `<Collider.Hull>`: the convex hull of `points`, of the vertices of `geometry`, or of the meshes among the children. It
 * takes a scale that is the same along all axes.
 */
export type HullColliderProps = ColliderGroupProps & {
  /** Four points or more that are not in one plane [m]. */
  points?: readonly Vec3[]
  /** Its vertices are the points. */
  geometry?: BufferGeometry
}

/**
 * `<Collider.Compound>`: the colliders below it as one. They move together and have the compound's surface; what moves
 * one of them within it does so at once, without a sweep.
 */
export type CompoundColliderProps = ColliderGroupProps

/** Props of `<Bounds>`: the room's width, height and depth [m], default [10, 10, 10]; others go to its group. */
export type BoundsProps = ColliderGroupProps & { args?: readonly [number, number, number] }

// The world, what it draws for debugging, and what its queries find.

import type { RootState } from '@react-three/fiber'
import type { ReactNode, Ref } from 'react'
import type { Object3D } from 'three'
import type {
  BodyOverlap,
  Collider,
  Falloff,
  QueryOptions,
  RaycastOptions,
  RayHit,
  Snapshot,
  Stats,
  UnstableReason,
  Vec3,
  World,
} from '../../headless.js'
import type { BodyRef } from './bodies.js'
import type { Vec3Like } from './vectors.js'

/** A position, or a change of it, in the world's frame: [x, y, z]. */
export type { MutableVec3, Vec3 } from '../../headless.js'

/**
 * What a DebugView draws: tetrahedra coloured by strain, edges of the simulated mesh, particles, contacts of the last
 * step with the direction in which they push, pinned particles, bounding boxes.
 */
export type DebugLayer = 'tets' | 'edges' | 'particles' | 'contacts' | 'pins' | 'bounds'

/** What drives a world: every frame of the canvas, its own animation frames, or only `ref.step()`. */
export type UpdateLoop = 'follow' | 'independent' | 'manual'

/** Props of `<SoftBodyWorld>`. All of them are live. */
export interface SoftBodyWorldProps {
  children?: ReactNode
  ref?: Ref<SoftBodyWorldRef>
  /** Acceleration of free fall [m/s^2]. Default [0, -9.81, 0]. */
  gravity?: Vec3
  /** Length of one fixed step [s]. Default 1/60. */
  timeStep?: number
  /** Substeps in a step; more are stiffer and cost more. Default 10. */
  substeps?: number
  /** Passes over the constraints in a substep. Default 1. */
  iterations?: number
  /** Most steps in one frame; time beyond is dropped and counted in `stats.droppedTime`. Default 5. */
  maxSteps?: number
  /** Seconds of the simulation in a second of the clock; 0.25 is slow motion. Default 1. */
  timeScale?: number
  /** Draw between the last two steps, so that motion is even at every refresh rate. Default true. */
  interpolate?: boolean
  /** Hold the simulation still; `ref.step()` still steps. Default false. */
  paused?: boolean
  /** While the page is hidden no time passes. Default true. */
  pauseWhenHidden?: boolean
  /** What drives the world. Default 'follow': one step of the clock in every frame of the canvas. */
  updateLoop?: UpdateLoop
  /**
   * Priority of the world's `useFrame`, 0 or below (above, the canvas would stop drawing by itself). Default 0.
   * What moves a collider, a pin or a parent at a lower priority is seen in the same frame. At an equal priority it is
   * seen in the same frame when it was mounted together with the world, inside it.
   */
  updatePriority?: number
  /**
   * Bodies can be chosen, grabbed and moved with the keyboard, through an element beside the canvas that is seen while it
   * has the focus: arrows choose, Enter grabs, arrows, PageUp and PageDown move, Escape lets go. Default true.
   */
  keyboard?: boolean
  /** Velocity of the air [m/s], everywhere; a `<Wind>` adds more. Default [0, 0, 0]. */
  wind?: Vec3
  /** Density of the air [kg/m^3]; 0 is a vacuum. It acts on bodies with `drag` or `lift`. Default 1.2. */
  airDensity?: number
  /** No particle is faster than this [m/s]. Default 500. */
  maxSpeed?: number
  /** What rests falls asleep, and costs nothing until something wakes it. Default true. */
  sleeping?: boolean
  /** Draw the simulation over the scene: true for every layer, or a list of layers. Default false. */
  debug?: boolean | readonly DebugLayer[]
  /**
   * Called after a step for each body that a guard acted on, and each reason. What all guards did is counted in `stats`.
   * The handler of the last render is the one that is called.
   */
  onUnstable?: (event: SceneUnstable) => void
}

/** What a guard acted on. One object serves all events: copy what should outlast the call. */
export interface SceneUnstable {
  /** The ref of the body; null for one that no component shows. */
  readonly ref: BodyRef | null
  /** The first mesh of the body: its `name` and `userData` tell what it is. */
  readonly object: Object3D | null
  /**
   * 'inverted': it had turned inside out and is drawn back to its shape. 'nonFinite': it was put back to its last finite
   * state. 'speed': particles were faster than `maxSpeed`. 'contact': particles were stopped as the last resort.
   */
  readonly reason: UnstableReason
}

/** What a ref on `<SoftBodyWorld>` holds. After the world is unmounted every call does nothing. */
export interface SoftBodyWorldRef {
  /** Runs exactly `count` (default 1) fixed steps now, also in a paused or manual world, and updates the meshes. */
  step(count?: number): void
  /** All bodies back to their initial poses, at rest, and the clock to zero. */
  reset(): void
  /** The state of the simulation, to be given to `restore`; null after unmount. */
  snapshot(): Snapshot | null
  /** Puts a state back that `snapshot` of this world has taken. @throws SettingError for any other */
  restore(snapshot: Snapshot): void
  /** What a ray meets first, the surface of a body as it is deformed, or a collider; null for nothing. */
  raycast(origin: Vec3Like, direction: Vec3Like, options?: RaycastOptions): SceneHit | null
  /** The bodies that reach into a sphere [m], with their particles within, and the colliders. */
  overlapSphere(center: Vec3Like, radius: number, options?: QueryOptions): SceneOverlap
  /**
   * A blast: pushes what is within `radius` [m] away from `center`. A body that were there as a whole would get `strength`
   * [N s]; each of its particles gets its share by mass, faded by its distance, evenly by default. Below 0 it draws in.
   */
  applyRadialImpulse(center: Vec3Like, strength: number, radius: number, falloff?: Falloff): void
  /** Counters of the engine, live: read them, do not keep them. */
  readonly stats: Readonly<Stats>
  /** The engine below. */
  readonly world: World
}

/** What a ray meets first, with what shows it. */
export interface SceneHit extends RayHit {
  /** The ref of the body that was hit, null for a collider. */
  readonly ref: BodyRef | null
  /** The body's first mesh, or the collider's group. */
  readonly object: Object3D | null
}

/** What reaches into a sphere, with what shows it. */
export interface SceneOverlap {
  readonly bodies: readonly (BodyOverlap & { readonly ref: BodyRef | null; readonly object: Object3D | null })[]
  readonly colliders: readonly { readonly collider: Collider; readonly object: Object3D | null }[]
}

/** Props of `<DebugView>`. */
export interface DebugViewProps {
  /** What is drawn. Default: all. */
  layers?: readonly DebugLayer[]
}

/** Props of `<SoftBodyStats>`. */
export interface SoftBodyStatsProps {
  /** Where in the canvas it stands. Default 'top-left'. */
  corner?: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right'
  /** Time between two readings [s], 0.05 to 60. Default 0.2. */
  interval?: number
}

/** Called before or after each fixed step, with the engine and the length of the step [s]. */
export type StepCallback = (world: World, dt: number) => void

/** What `useSoftBodyWorld` returns. */
export interface SoftBodyWorldHandle extends SoftBodyWorldRef {
  /** Asks a canvas with frameloop="demand" for a frame. */
  invalidate: RootState['invalidate']
}

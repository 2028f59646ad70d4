// Solids, and what all bodies have.

import type { ThreeElements } from '@react-three/fiber'
import type { ReactNode, Ref, RefObject } from 'react'
import type { Box3, BufferGeometry, Mesh, Object3D, Vector3 } from 'three'
import type {
  Body,
  CollisionGroups,
  CutShape,
  Falloff,
  Limb,
  MutableVec3,
  Plasticity,
  PresetName,
  Region,
  Spread,
  Vec3,
} from '../../headless.js'
import type { RopePart } from './fabrics.js'
import type { BodyHandlers } from './surfaces.js'
import type { QuatLike, Vec3Like } from './vectors.js'

/**
 * Which render vertices are held:
 * 'top' (within 2% of the height below the highest), 'corners' (nearest to the corners of the bounding box), the name
 * of a vertex attribute (held where its first component is above 0.5, in the meshes that have it), indices of render
 * vertices, the name of a mesh or of a group of meshes of the body (all its vertices, or those of the indices), a Box3 or a
 * predicate.
 *
 * Of a `<Rope>` also its ends, and indices are those of its particles, from the start; of a `<Ragdoll>` its limbs.
 *
 * Up, corners, boxes and positions are in the space of the geometry. For `object`, and for several meshes, they are in
 * the space of the body's own group; indices then count on from mesh to mesh, in the order of the scene.
 */
export type PinSelector =
  | 'top'
  | 'corners'
  | RopePart
  | Limb
  | readonly Limb[]
  | { attribute: string }
  | readonly number[]
  | { mesh: string; indices?: readonly number[] }
  | Box3
  | ((position: Vector3, index: number) => boolean)

/** Ready tetrahedra for a body: positions [m] in the space of the geometry, four indices a tetrahedron. */
export interface TetMeshInput {
  positions: ArrayLike<number>
  tets: ArrayLike<number>
}

/** How a body is cut for shape matching, and how rigid a shape it returns to. */
interface ShapeGroups {
  /**
   * Cells along the longest side, 1 to 16: each is matched with half of its neighbours, so that a long body bends and
   * twists. Default 1, the body as a whole. A change rebuilds.
   */
  clusters?: number
  /**
   * Share of a linear deformation that keeps the volume (a stretch, a shear) that is not resisted, 0 to 1: at 0.8 the
   * body stretches five times as easily as it bends. Default 0, a rigid shape.
   */
  linear?: number
}

/**
 * How hard a body returns to its rest shape: a rate [1/s] or a compliance [m/N] of a pull that swings; true, and groups
 * without either, are a rate of 100 /s. A relaxation [1/s] draws it back as exp(-relaxation t) without any speed; beside a
 * material it damps the material's swings. It passes no force on: alone it is for what floats, since what lies on the
 * ground is drawn into it. The speed at which the body deforms is left to `shapeDamping`: at 0 what is
 * pulled apart by a blow stays so.
 */
export type ShapeMatching =
  | boolean
  | (ShapeGroups &
      (
        | { rate?: number; compliance?: never; relaxation?: never }
        | { compliance: number; rate?: never; relaxation?: never }
        | { relaxation: number; rate?: never; compliance?: never }
      ))

/**
 * The volume inside the surface over the rest volume, 0.01 to 10, default 1. With an object, how hard it is held: a bulk
 * modulus [Pa] (100 000 is air; by default one under which the body swings at 30 rad/s), or a compliance [m^5/N], 0 for
 * exactly.
 */
export type Pressure =
  | number
  | false
  | { ratio?: number; modulus?: number; compliance?: never }
  | { ratio?: number; compliance: number; modulus?: never }

/** A named set of settings of a solid body. */
export type { PresetName } from '../../headless.js'

/** Props that every body has. They are live: a change takes effect with the next step. */
export interface BodyProps extends BodyHandlers {
  /** Mass of the whole body [kg]; wins over `density`. Default: from the density. */
  mass?: number
  /**
   * Drag on all motion, in rate of decay [1/s]; 0 is none. A curtain or a rope that swings sleeps after some 20 s at 0.5,
   * after minutes at 0. Default 0.
   */
  damping?: number
  /** Drag on the change of shape alone [1/s]; falling and spinning are spared. Default: the preset's, else 0. */
  shapeDamping?: number
  /** Coulomb friction coefficient; 0 is ice. Default: the preset's, else 0.5. */
  friction?: number
  /**
   * What slows a roll and holds what lies: its moment over load and spread of the patch that bears the body [1], 0 to 1; 0
   * leaves that to `shapeDamping`. Default: the preset's, else 0.
   */
  rollingFriction?: number
  /** Share of the speed that a bounce gives back, 0 to 1. Default: the preset's, else 0. */
  restitution?: number
  /** Rate at which what touches stops sliding [1/s], beside friction, however hard it is pressed. Default 0. */
  contactDamping?: number
  /** Distance that the surface keeps from what it touches [m]. Default: from the size of the body. */
  thickness?: number
  /** Factor on the world's gravity; 0 floats, negative rises. Default 1. */
  gravityScale?: number
  /** The groups that the body is a member of, and those that it collides with: two masks of 32 bits. Default all. */
  collisionGroups?: CollisionGroups
  /** The body notices what touches it, and neither pushes nor is pushed. Default false. */
  sensor?: boolean
  /** The surface does not pass through itself: folds lie in layers. Costs about as much as another body. Default false. */
  selfCollision?: boolean
  /** The body falls asleep when it rests, with all that it touches. Default true. */
  canSleep?: boolean
  /**
   * Drag coefficient against the air: a face of area A held against the air's velocity u is pushed by drag airDensity / 2
   * A u^2. Default 1 for a `<Cloth>` and a `<Rope>`, 0 for a solid, which hardly feels it; 0.5 for a ball.
   */
  drag?: number
  /** Lift coefficient: what the air does across its way, greatest at 45 degrees. Default 1 for a `<Cloth>`, 0 for a solid. */
  lift?: number
  /**
   * Vertices that are held where they are at mount: they do not move at all, so all particles are held that carry them.
   * Default none.
   */
  pins?: PinSelector
  /** The pointer pokes and grabs the body. Default true. */
  grabbable?: boolean
  /** Strongest poke, in weights of the body at 9.81 m/s^2; 0 switches poking off. Default 1. */
  pokeForce?: number
  /** Most force of a grab [N]. Default: 400 m/s^2 times the mass. */
  grabForce?: number
}

/** Props that shape a solid body, common to `<SoftBody>` and `useSoftBody`. */
export interface SolidProps extends BodyProps {
  /** Named elastic settings. Default 'jelly'. */
  preset?: PresetName
  /** Mass per volume [kg/m^3]; water has 1000. Default: the preset's. */
  density?: number
  /**
   * Young's modulus of the neo-Hookean material [Pa], 1 to 1e12: stress over strain. False switches the material off and
   * leaves the shape to the constraints below; without any of them the body falls to dust. Default: the preset's.
   */
  youngsModulus?: number | false
  /** Poisson's ratio, 0 to 0.495: how much a pulled bar thins; near 0.5 the volume is kept. Default: the preset's. */
  poissonRatio?: number
  /** Inverse stiffness of the edges [m/N]; 0 is rigid, false switches the edges off. Default: the preset's. */
  edgeCompliance?: number | false
  /**
   * Instead of `edgeCompliance`: each edge by itself gets back to its length as exp(-edgeRelaxation t) [1/s], without any
   * speed; edges that share particles hasten or hinder each other. A body that is to settle at a stated rate takes
   * `shapeMatching={{ relaxation }}`. Default: none.
   */
  edgeRelaxation?: number
  /** Inverse stiffness of each tetrahedron's volume [m^5/N]; 0 keeps it, false switches it off. Default: the preset's. */
  volumeCompliance?: number | false
  /** Pull of the body as a whole, or in overlapping clusters, to its rest shape. Default: the preset's. */
  shapeMatching?: ShapeMatching
  /**
   * Inflates (above 1) or deflates (below 1) the body; 1 holds its rest volume, false is off. A number alone is held at
   * a bulk modulus of density (30 size)^2 [Pa], about 1e6 for a metre of water. What holds the shape resists: make that
   * softer, or the modulus larger, for more of the volume. None is let out below half of it, unless
   * nothing holds its shape. Default: off.
   */
  pressure?: Pressure
  /**
   * A body that has lost its shape, a third of its tetrahedra or more inside out, is drawn back to it in each step that
   * finds one inside out; if false it unfolds by itself, more slowly. One that its own load crushes, so that it trembles, is
   * put into its shape once, and then borne as if it were rigid. `stats.inversionRescues` counts all. One that lies with a
   * few inside out has these turned back, by no more than its thickness a step: `stats.turnedBack`. Default true.
   */
  rescue?: boolean
  /**
   * A shape that stays, of the neo-Hookean material: beyond the strain `yield` (true strain, default 0.05) the rest shape
   * flows at the rate `creep` [1/s] (default 20) until a strain of `max` (default 1) has become part of it. A `reset` or a
   * teleport undoes it. Default: the preset's; only 'clay' has one, and without a neo-Hookean material it has none.
   */
  plasticity?: Readonly<Partial<Plasticity>> | false
  /** Cells along the longest side of the body, 1 to 64; above 20 it is built beside the frames. Default 10. A change rebuilds. */
  resolution?: number
  /**
   * Tetrahedra wanted, instead of a `resolution`, 20 to 1e6; from a thousand on met within some 15%. Fewer are met less
   * well, and not at all where a coarser lattice would lose parts: 100 of a bunny come out as 491, of
   * which development warns once. A change rebuilds.
   */
  tetCount?: number
  /** Ready tetrahedra instead of those that are cut from the mesh. A change rebuilds. */
  tetMesh?: TetMeshInput
  /**
   * Edges whose normals differ by more than this stay hard [degrees], 0 to 180; at 0 each that is so in the mesh. Default 30.
   * A change rebuilds.
   */
  creaseAngle?: number
}

type GroupProps = Omit<ThreeElements['group'], 'ref' | 'args' | 'children'>

/**
 * Props of `<SoftBody>`; others go to its root group. A change of `position`, `rotation` or `quaternion` teleports the
 * body, a change of `scale` rebuilds it. A parent that moves later is ignored: the body lives in the world.
 */
export interface SoftBodyProps extends SolidProps, GroupProps {
  ref?: Ref<SoftBodyRef>
  /**
   * The meshes to simulate: all that are below make one body, those of a hidden object, or of one of scale 0, left out.
   * With `geometry` what goes into its mesh: a material. Lights, lines and points stay as they are.
   */
  children?: ReactNode
  /**
   * Draw and simulate all meshes of this scene, as `useGLTF(url).scene`, as one body. It is cloned: several bodies may
   * show the same one. Geometries and materials are shared with it, and not written to. `castShadow` and `receiveShadow`
   * go to the meshes of the clone, which without them have their own. A change goes on with the other scene, if a body can
   * be made of it.
   */
  object?: Object3D
  /**
   * Draw and simulate this geometry, instead of a mesh among the children. It is not written to. The mesh takes
   * `castShadow` and `receiveShadow` from the props.
   */
  geometry?: BufferGeometry
}

/**
 * What a ref on a body holds. While the body is not alive, reads leave their target as it is, numbers are 0 and writes
 * do nothing.
 */
export interface BodyRef {
  /** True while the body is part of the simulation: after it is built and before it is unmounted. */
  readonly alive: boolean
  /** The engine's body, null while it is not alive. */
  readonly body: Body | null
  /** The mesh that shows the body, of several the first; null before mount and after unmount. */
  readonly mesh: Mesh | null
  /** All meshes that show the body, in the order of the scene; empty before mount and after unmount. */
  readonly meshes: readonly Mesh[]
  /** The geometry that the simulation writes, of the first mesh; null while the body is not alive. */
  readonly geometry: BufferGeometry | null
  /** Number of particles; 0 while the body is not alive. */
  readonly particleCount: number
  /** Positions of the particles in the world [m], three numbers each, into `out`. */
  readPositions(out: Float64Array): Float64Array
  /** Position of one particle in the world [m], into `target`. */
  getPosition(particle: number, target?: MutableVec3): MutableVec3
  /** Particles near a point of the world [m], to be given to the calls below; null while the body is not alive. */
  region(point: Vec3Like, radius: number, falloff?: Falloff): Region | null
  /** Where a region's mean is now [m], into `target`; of a hit's region, the point of the matter that was hit. */
  pointOf(region: Region, target?: MutableVec3): MutableVec3
  /** Changes the momentum [N s], of the whole body, of a region, or about a point of the world [m]. */
  applyImpulse(impulse: Vec3Like, place?: Region | Vec3Like, spread?: Spread): void
  /** Impulses away from a centre, as of the world's `applyRadialImpulse`, on this body alone. */
  applyRadialImpulse(center: Vec3Like, strength: number, radius: number, falloff?: Falloff): void
  /** A force [N] over the next step, on the whole body, on a region, or about a point of the world [m]. */
  addForce(force: Vec3Like, place?: Region | Vec3Like, spread?: Spread): void
  /** A force on each particle [3 n] N over the next step. */
  addForces(forces: ArrayLike<number>): void
  /** Sets the motion of the whole body [m/s], and its spin [rad/s]. */
  setVelocity(velocity: Vec3Like, angularVelocity?: Vec3Like): void
  /** Puts the body's rest shape at a pose of the world [m], at rest. The rotation is a unit quaternion x y z w. */
  teleport(position: Vec3Like, rotation?: QuatLike): void
  /** The body back to its initial pose, at rest, and whole. */
  reset(): void
  /**
   * Cuts a cloth along its mesh where it is crossed: by a plane, or by a blade that goes straight from one place of the world
   * to another [m].
   */
  cut(cut: CutShape): void
  /** Holds the vertices that the selector names where they are. */
  pin(selector: PinSelector): void
  /** Lets go of the vertices that the selector names; without one of all that this ref has pinned. */
  unpin(selector?: PinSelector): void
  /** Centre of mass [m], into `target`. */
  centerOfMass(target?: MutableVec3): MutableVec3
  /** Velocity of the centre of mass [m/s], into `target`. */
  velocity(target?: MutableVec3): MutableVec3
  /** Box around the particles [m] into `target`: smallest x y z, largest x y z. */
  bounds(target: Float64Array): Float64Array
  /** Volume of the body [m^3]; 0 for a cloth. */
  volume(): number
  /** Largest relative change of length of an edge. */
  maxStrain(): number
  /** True while the body sleeps: it rests, and costs nothing until something wakes it. */
  readonly asleep: boolean
  /** Puts the body to sleep as it is, also in the air, unless it may not sleep. */
  sleep(): void
  /** Wakes the body and all that sleeps in touch with it. */
  wake(): void
}

export type SoftBodyRef = BodyRef

/** Options of `useSoftBody`. */
export interface UseSoftBodyOptions extends SolidProps {
  /** The geometry to simulate. It is not written to. */
  geometry: BufferGeometry
}

/** What `useSoftBody` returns. */
export interface UseSoftBodyResult {
  /** Goes on the mesh that shows the body. */
  ref: RefObject<Mesh | null>
  /** Goes on the same mesh, as its `geometry`; the simulation swaps in a copy while it runs. */
  geometry: BufferGeometry
  /** The handle, as a ref of `<SoftBody>` has it. */
  body: BodyRef
}

/** Options of `preload`, equal to the props of the body that will use the geometry. */
export interface PreloadOptions {
  /** Cells along the longest side. Default 10. */
  resolution?: number
  /** Tetrahedra wanted, instead of a `resolution`, met as well as a body's. */
  tetCount?: number
  /** Scale of the mesh in the world, all its parents' included. Default 1. */
  scale?: number | Vec3
  /** As the body's `creaseAngle` [degrees]. Default 30. */
  creaseAngle?: number
  /** As the body's: its `clusters` are built ahead. */
  shapeMatching?: ShapeMatching
}

import type { RootState, ThreeElements } from '@react-three/fiber'
import type { ReactNode, Ref, RefObject } from 'react'
import type { Box3, BufferGeometry, Group, InstancedMesh, Mesh, Object3D, Sphere, Vector3 } from 'three'
import type {
  AttractorFalloff,
  Body,
  BodyOverlap,
  Collider,
  CollisionGroups,
  CutShape,
  Falloff,
  Joint,
  Limb,
  MutableVec3,
  Plasticity,
  PresetName,
  QueryOptions,
  RaycastOptions,
  RayHit,
  Region,
  Snapshot,
  Spread,
  Spring,
  Stats,
  Vec3,
  WindRegion,
  World,
} from '../headless.js'

/** A position, or a change of it, in the world's frame: [x, y, z]. */
export type { MutableVec3, Vec3 } from '../headless.js'

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
}

/** What a ref on `<SoftBodyWorld>` holds. After the world is unmounted every call does nothing. */
export interface SoftBodyWorldRef {
  /** Runs exactly `count` (default 1) fixed steps now, also in a paused or manual world, and updates the meshes. */
  step(count?: number): void
  /** All bodies back to their initial poses, at rest, and the clock to zero. */
  reset(): void
  /** The state of the simulation, to be given to `restore`; null after unmount. */
  snapshot(): Snapshot | null
  /** Puts a state back that `snapshot` has taken from the same bodies. */
  restore(snapshot: Snapshot): void
  /** What a ray meets first, the surface of a body as it is deformed, or a collider; null for nothing. */
  raycast(origin: Vec3, direction: Vec3, options?: RaycastOptions): SceneHit | null
  /** The bodies that reach into a sphere [m], with their particles within, and the colliders. */
  overlapSphere(center: Vec3, radius: number, options?: QueryOptions): SceneOverlap
  /**
   * A blast: pushes what is within `radius` [m] away from `center`. A body that were there as a whole would get `strength`
   * [N s]; each of its particles gets its share by mass, faded by its distance, evenly by default. Below 0 it draws in.
   */
  applyRadialImpulse(center: Vec3, strength: number, radius: number, falloff?: Falloff): void
  /** Counters of the engine, live: read them, do not keep them. */
  readonly stats: Readonly<Stats>
  /** The engine below. */
  readonly world: World
}

/**
 * Which render vertices are held:
 * 'top' (within 2% of the height below the highest), 'corners' (nearest to the corners of the bounding box), the name
 * of a vertex attribute (held where its first component is above 0.5, in the meshes that have it), indices of render
 * vertices, the name of a mesh or of a group of meshes (all its vertices, or those of the indices), a Box3 or a predicate.
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

/** A part of a `<Ragdoll>`. */
export type { Limb } from '../headless.js'

/** The ends of a `<Rope>`, one or both. */
export type RopePart = 'start' | 'end' | 'ends'

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
   * Share of a linear deformation (a stretch, a shear, also of volume) that is not resisted, 0 to 1: at 0.8 the body
   * stretches five times as easily as it bends. Default 0, a rigid shape.
   */
  linear?: number
}

/**
 * How hard a body returns to its rest shape: a rate [1/s] or a compliance [m/N] of a pull that swings; true is a rate of
 * 100 /s. A relaxation [1/s] draws it back as exp(-relaxation t) without any speed.
 */
export type ShapeMatching =
  | boolean
  | (ShapeGroups & ({ rate: number } | { compliance: number } | { relaxation: number }))

/**
 * The volume inside the surface over the rest volume, 0.01 to 10. With an object, how hard it is held: a bulk modulus
 * [Pa] (100 000 is air), or a compliance [m^5/N], 0 for exactly.
 */
export type Pressure = number | false | { ratio: number; modulus?: number } | { ratio: number; compliance: number }

/** A named set of settings of a solid body. */
export type { PresetName } from '../headless.js'

/** Props that every body has. They are live: a change takes effect with the next step. */
export interface BodyProps extends BodyHandlers {
  /** Mass of the whole body [kg]; wins over `density`. Default: from the density. */
  mass?: number
  /** Drag on all motion, in rate of decay [1/s]; 0 is none. Default 0. */
  damping?: number
  /** Drag on the change of shape alone [1/s]; falling and spinning are spared. Default: the preset's, else 0. */
  shapeDamping?: number
  /** Coulomb friction coefficient; 0 is ice. Default 0.5. */
  friction?: number
  /** Share of the speed that a bounce gives back, 0 to 1. Default 0. */
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
  /** Vertices that are held where they are at mount. Default none. */
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
  /** Mass per volume [kg/m^3]; water has 1000. Default 1000. */
  density?: number
  /**
   * Young's modulus of the neo-Hookean material [Pa], 1 to 1e12: stress over strain. False switches the material off and
   * leaves the shape to the constraints below. Default: the preset's.
   */
  youngsModulus?: number | false
  /** Poisson's ratio, 0 to 0.495: how much a pulled bar thins; near 0.5 the volume is kept. Default: the preset's. */
  poissonRatio?: number
  /** Inverse stiffness of the edges [m/N]; 0 is rigid, false switches the edges off. Default: the preset's. */
  edgeCompliance?: number | false
  /**
   * Instead of `edgeCompliance`: the edges get back to their lengths as exp(-edgeRelaxation t) [1/s], without any speed.
   * Default: none.
   */
  edgeRelaxation?: number
  /** Inverse stiffness of each tetrahedron's volume [m^5/N]; 0 keeps it, false switches it off. Default: the preset's. */
  volumeCompliance?: number | false
  /** Pull of the body as a whole, or in overlapping clusters, to its rest shape. Default: the preset's. */
  shapeMatching?: ShapeMatching
  /**
   * Inflates (above 1) or deflates (below 1) the body; 1 holds its rest volume, false is off. A number alone is held at
   * a bulk modulus of density (30 size)^2 [Pa], about 1e6 for a metre of water. What holds the shape resists: make that
   * softer for more of the volume. Lead it over some frames to more than twice the volume. Default: off.
   */
  pressure?: Pressure
  /**
   * A body that has lost its shape, a third of its tetrahedra or more inside out, is drawn back to it in each step that
   * finds one inside out, counted in `stats.inversionRescues`; if false it unfolds by itself, more slowly. Default true.
   */
  rescue?: boolean
  /**
   * A shape that stays, of the neo-Hookean material: beyond the strain `yield` (true strain, default 0.05) the rest shape
   * flows at the rate `creep` [1/s] (default 20) until a strain of `max` (default 1) has become part of it. A `reset` or a
   * teleport undoes it. Default: the preset's; only 'clay' has one.
   */
  plasticity?: Readonly<Partial<Plasticity>> | false
  /** Cells along the longest side of the body, 1 to 64; above 20 it is built beside the frames. Default 10. A change rebuilds. */
  resolution?: number
  /** Tetrahedra wanted, instead of a `resolution`, 20 to 1e6; met within some 15%. A change rebuilds. */
  tetCount?: number
  /** Ready tetrahedra instead of those that are cut from the mesh. A change rebuilds. */
  tetMesh?: TetMeshInput
  /** Edges whose normals differ by more than this stay hard [degrees], 0 to 180. Default 30. A change rebuilds. */
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
   * The meshes to simulate: all that are below make one body, those of a hidden object left out. With `geometry` what
   * goes into its mesh: a material. Lights, lines and points stay as they are.
   */
  children?: ReactNode
  /**
   * Draw and simulate all meshes of this scene, as `useGLTF(url).scene`, as one body. It is cloned: several bodies may
   * show the same one. Geometries and materials are shared with it, and not written to. `castShadow` and `receiveShadow`
   * go to the meshes of the clone. A change goes on with the other scene.
   */
  object?: Object3D
  /**
   * Draw and simulate this geometry, instead of a mesh among the children. It is not written to. The mesh takes
   * `castShadow` and `receiveShadow` from the props.
   */
  geometry?: BufferGeometry
}

/** Props that make a cloth. */
export interface ClothSettings extends BodyProps {
  /**
   * Width [m], height [m] and segments along each, as of `<planeGeometry>`: a rectangle instead of a mesh. Default
   * [1, 1, 16, 16] where there is no mesh. A change rebuilds.
   */
  args?: readonly [width?: number, height?: number, segmentsX?: number, segmentsY?: number]
  /** Mass per area [kg/m^2]; a bed sheet has 0.2. Default 0.2. */
  areaDensity?: number
  /**
   * Tension per strain along the threads [N/m], Young's modulus times thickness; Infinity does not stretch, 0 does not
   * resist. The threads run along the y axis of the geometry, the warp, and across, the weft: two numbers are [warp, weft].
   * Default 2000.
   */
  stretchModulus?: number | readonly [warp: number, weft: number]
  /** Tension per change of the angle between the threads [N/m]; Infinity does not shear, 0 does not resist. Default 200. */
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
   * a fine cloth would rather stretch. What a `tether` bears does not tear. Default Infinity, never.
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
  /** From the floor to the top of the head [m]. Default 1.75. A change rebuilds. */
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
  getPosition(particle: number, target: MutableVec3): MutableVec3
  /** Particles near a point of the world [m], to be given to the calls below; null while the body is not alive. */
  region(point: Vec3, radius: number, falloff?: Falloff): Region | null
  /** Where a region's mean is now [m], into `target`; of a hit's region, the point of the matter that was hit. */
  pointOf(region: Region, target: MutableVec3): MutableVec3
  /** Changes the momentum [N s], of the whole body, of a region, or about a point of the world [m]. */
  applyImpulse(impulse: Vec3, place?: Region | Vec3, spread?: Spread): void
  /** Impulses away from a centre, as of the world's `applyRadialImpulse`, on this body alone. */
  applyRadialImpulse(center: Vec3, strength: number, radius: number, falloff?: Falloff): void
  /** A force [N] over the next step, on the whole body, on a region, or about a point of the world [m]. */
  addForce(force: Vec3, place?: Region | Vec3, spread?: Spread): void
  /** A force on each particle [3 n] N over the next step. */
  addForces(forces: ArrayLike<number>): void
  /** Sets the motion of the whole body [m/s], and its spin [rad/s]. */
  setVelocity(velocity: Vec3, angularVelocity?: Vec3): void
  /** Puts the body's rest shape at a pose of the world [m], at rest. The rotation is a unit quaternion x y z w. */
  teleport(position: Vec3, rotation?: readonly [number, number, number, number]): void
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
  centerOfMass(target: MutableVec3): MutableVec3
  /** Velocity of the centre of mass [m/s], into `target`. */
  velocity(target: MutableVec3): MutableVec3
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
export type ClothRef = BodyRef
export type RopeRef = BodyRef
export type RagdollRef = BodyRef

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
  /** Unit normal there, away from the other. */
  readonly normal: Vec3
}

/** Event props of everything solid. They are called after a step; the handler of the last render is called. */
export interface SurfaceHandlers {
  /** Something has begun to touch this. */
  onContactEnter?: (contact: SceneContact) => void
  /** Something has parted from this, was removed or put elsewhere. What falls asleep goes on touching. */
  onContactExit?: (contact: SceneContact) => void
  /** Something faster than 0.1 m/s has struck this; called when the force has faded, after 0.25 s at the latest. */
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

/** Props of `<Pin>`, a child of a body; others go to its group. */
export interface PinProps extends Omit<ThreeElements['group'], 'args' | 'target'> {
  /** The vertices that are held. */
  at: PinSelector
  /** They move rigidly with this object. Default: with the pin's own group, and so with its parents. */
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
  force(target: MutableVec3): MutableVec3
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

/** Props of `<Wind>`. All of them are live. */
export interface WindProps {
  /** Mean velocity of the air [m/s], in the world. Default [3, 0, 0]. */
  velocity?: Vec3
  /** Instead of a velocity: where it blows to, of any length; with `speed`. Default: that of the velocity. */
  direction?: Vec3
  /** Speed of the air [m/s]. Default: that of the velocity. */
  speed?: number
  /** Largest change of the velocity by gusts, as a part of its size, 0 to 10. Default 0, an even wind. */
  turbulence?: number
  /** Size of a gust [m]; gusts are carried along by the wind. Default 1. */
  turbulenceSize?: number
  /** Which gusts there are: the same seed gives the same. Default 1. */
  seed?: number
  /** Where it blows, a box along the axes or a ball in the world [m]. Default: everywhere. */
  region?: Box3 | Sphere | WindRegion
}

/** Props of `<Attractor>`; others go to its group. All of them are live. */
export interface AttractorProps extends Omit<ThreeElements['group'], 'args'> {
  /** Acceleration towards it at a distance of 1 m [m/s^2]; below 0 it pushes away. Default 9.81. */
  strength?: number
  /** The pull at the distance r: strength, strength r, or strength / r^2. Default 'constant'. */
  falloff?: AttractorFalloff
  /** Distance beyond which nothing is pulled [m]. Default Infinity. */
  range?: number
  /** Within this distance [m] a constant or Newtonian pull goes down to nothing in proportion. Default 0.1. */
  radius?: number
}

/** Props of `<Bounds>`: the room's width, height and depth [m], default [10, 10, 10]; others go to its group. */
export type BoundsProps = ColliderGroupProps & { args?: readonly [number, number, number] }

/** Props of `<Particles>`; others go to its group. A change of `position`, `rotation` or `quaternion` teleports them. */
export interface ParticlesProps extends BodyHandlers, Omit<ThreeElements['group'], 'args' | 'ref' | 'children'> {
  ref?: Ref<ParticlesRef>
  /** Geometry and material of one particle, about its middle. Default: a ball of `radius`. */
  children?: ReactNode
  /** Where they start, in the space of the group [m]. Others of the same length and content are no change; else it rebuilds. */
  positions: readonly (Vec3 | Vector3)[] | ArrayLike<number>
  /** Radius of each [m]: what it keeps to what it touches. Default 0.05. A change rebuilds. */
  radius?: number
  /** Mass of each [kg]. Default: even shares. A change rebuilds. */
  masses?: ArrayLike<number>
  /** Mass of all of them [kg]; wins over `density` and `masses`. Default: from the density. */
  mass?: number
  /** Mass per volume of their balls [kg/m^3]. Default 1000. */
  density?: number
  /** Drag on all motion, in rate of decay [1/s]. Default 0. */
  damping?: number
  /** Coulomb friction coefficient. Default 0.5. */
  friction?: number
  /** Share of the speed that a bounce gives back, 0 to 1. Default 0. */
  restitution?: number
  /** Rate at which what touches stops sliding [1/s], beside friction. Default 0. */
  contactDamping?: number
  /** Factor on the world's gravity and on attractors. Default 1. */
  gravityScale?: number
  /** The groups that they are members of, and those that they collide with: two masks of 32 bits. Default all. */
  collisionGroups?: CollisionGroups
  /** They notice what they touch, and neither push nor are pushed. Default false. */
  sensor?: boolean
  /** They fall asleep when all of them rest. Default true. */
  canSleep?: boolean
}

/** What a ref on `<Particles>` holds. While they are not there, reads leave their target as it is and writes do nothing. */
export interface ParticlesRef {
  /** The engine's body, null while it is not alive: impulses, forces, pins, velocities. */
  readonly body: Body | null
  /** What is drawn, one instance a particle; null before mount and after unmount. */
  readonly mesh: InstancedMesh | null
  readonly count: number
  /** Positions in the world [m], three numbers each, into `out`. */
  readPositions(out: Float64Array): Float64Array
  /** Position of one in the world [m], into `target`. */
  getPosition(particle: number, target: MutableVec3): MutableVec3
  /** Changes the momentum of one of them [N s], or of all, by mass. */
  applyImpulse(impulse: Vec3, particle?: number): void
  /** Back to where they started, at rest. */
  reset(): void
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
  /** Where on `a` it takes hold, in the space of its group: the nearest point of the body. Default: its centre of mass. */
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
  force(target: MutableVec3): MutableVec3
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

/** Options of `preload`, equal to the props of the body that will use the geometry. */
export interface PreloadOptions {
  /** Cells along the longest side. Default 10. */
  resolution?: number
  /** Tetrahedra wanted, instead of a `resolution`. */
  tetCount?: number
  /** Scale of the mesh in the world, all its parents' included. Default 1. */
  scale?: number | Vec3
  /** As the body's `creaseAngle` [degrees]. Default 30. */
  creaseAngle?: number
  /** As the body's: its `clusters` are built ahead. */
  shapeMatching?: ShapeMatching
}

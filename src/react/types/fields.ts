// Winds, attractors and free particles.

import type { ThreeElements } from '@react-three/fiber'
import type { ReactNode, Ref } from 'react'
import type { Box3, InstancedMesh, Sphere, Vector3 } from 'three'
import type { AttractorFalloff, Body, CollisionGroups, MutableVec3, Vec3, WindRegion } from '../../headless.js'
import type { BodyHandlers } from './surfaces.js'
import type { Vec3Like } from './vectors.js'

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
  /** How hard the air and winds push each, as a ball of `radius`: 0.47 is that of a smooth one. Default 0: not at all. */
  drag?: number
  /** Factor on the world's gravity and on attractors. Default 1. */
  gravityScale?: number
  /** The groups that they are members of, and those that they collide with: two masks of 32 bits. Default all. */
  collisionGroups?: CollisionGroups
  /** They notice what they touch, and neither push nor are pushed. Default false. */
  sensor?: boolean
  /** They fall asleep when all of them rest. Default true. */
  canSleep?: boolean
  /** The pointer pokes and grabs each by itself. Default true. */
  grabbable?: boolean
  /** Strongest poke, in weights of one at 9.81 m/s^2; 0 switches poking off. Default 1. */
  pokeForce?: number
  /** Most force of a grab [N]. Default: 400 m/s^2 times the mass of one. */
  grabForce?: number
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
  getPosition(particle: number, target?: MutableVec3): MutableVec3
  /** Changes the momentum of one of them [N s], or of all, by mass. */
  applyImpulse(impulse: Vec3Like, particle?: number): void
  /** Back to where they started, at rest. */
  reset(): void
}

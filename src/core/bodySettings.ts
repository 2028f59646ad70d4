import { ALL_GROUPS, type CollisionGroups } from './collision/groups.js'
import type { Elastic } from './elastic.js'
import type { Model } from './model.js'
import type { Plasticity } from './plasticitySettings.js'
import type { SettingTable } from './validation.js'
import type { Quat, Vec3 } from './vectors.js'

export interface BodySettings {
  /** What errors call the body. */
  name: string
  /** Where the model's origin starts [m]. */
  position: Vec3
  /** How the model is turned at the start. */
  rotation: Quat
  /** Mass of the whole body [kg]; absent: from `density`, or as the model says. */
  mass: number | undefined
  /** Mass per volume [kg/m^3] of a solid, per area [kg/m^2] of a cloth; absent: the model's own. */
  density: number | undefined
  /** Rate at which velocity decays [1/s]. */
  damping: number
  /** Rate at which velocity decays towards the body's rigid motion [1/s]; falls and spins are spared. */
  shapeDamping: number
  /** Coulomb coefficient against colliders. */
  friction: number
  /** Share of the approach speed that a contact gives back. */
  restitution: number
  /** Rate at which what touches stops sliding [1/s], beside friction, however hard it is pressed. */
  contactDamping: number
  /**
   * Moment that slows what rolls, over its load and the spread of the patch that bears it, the root mean square distance of
   * its pushes from their middle: 0.42 times the share of a strain's energy that the material loses. At 0 the damping of the
   * shape slows it instead.
   */
  rollingFriction: number
  /** Distance kept to colliders [m]; absent: the model's own. */
  thickness: number | undefined
  /** Share of the world's gravity that acts. */
  gravityScale: number
  /** Drag coefficient against the air; 0 for none. */
  drag: number
  /** Lift coefficient: what the air does across its way; 0 for none. */
  lift: number
  /** Longest way of a cloth's particle to a pin, over the way along the surface at rest; Infinity for no tether. */
  tether: number
  /** Largest strain of an edge of a cloth; Infinity for no limit. */
  strainLimit: number
  /** Tension per width at which a cloth tears [N/m]; Infinity never does. */
  tearStrength: number
  /** Strain at which a cloth tears; Infinity never does. */
  tearStrain: number
  /** Share of its strength that a cloth loses beside a tear, so that rips run. */
  tearWeakening: number
  /**
   * True draws a solid that has turned inside out to its shape, else it unfolds alone; and brings one to rest that its
   * load has crushed, in its shape where it can. `stats.inversionRescues` counts all. What lies with a few tetrahedra
   * inverted is turned back as well, by no more than its thickness a step: `stats.turnedBack`.
   */
  rescue: boolean
  /** The groups that the body is a member of, and those that it collides with: two masks of 32 bits. */
  collisionGroups: CollisionGroups
  /** True notices what touches the body, by contact events, and pushes nothing. */
  sensor: boolean
  /** True puts the body to sleep when it rests, with all that it touches. */
  canSleep: boolean
  /** How a solid takes on a new shape, of its neo-Hookean material; false springs back whole. */
  plasticity: Plasticity | false
  /** True keeps the body's surface from passing through itself. */
  selfCollision: boolean
  /** Stiffness by the name of the model's constraint set; sets that are not named keep the model's own. */
  elastic: Elastic
}

/** Mass of the whole body [kg]. */
export function massOf(model: Model, { mass, density }: Pick<BodySettings, 'mass' | 'density'>): number {
  return mass ?? (density ?? model.density) * model.measure
}

export const bodySettings: SettingTable<Omit<BodySettings, 'elastic' | 'plasticity'>> = {
  name: { quantity: 'name', unit: '1', type: 'string', default: 'Body', remedy: 'Use any text.' },
  position: {
    quantity: 'position',
    unit: 'm',
    type: 'vec3',
    default: [0, 0, 0],
    max: 1e9,
    remedy: 'Use three finite numbers.',
  },
  rotation: {
    quantity: 'rotation',
    unit: '1',
    type: 'quat',
    default: [0, 0, 0, 1],
    remedy: 'Normalise it; [0, 0, 0, 1] turns nothing.',
  },
  mass: {
    quantity: 'mass',
    unit: 'kg',
    type: 'number',
    default: undefined,
    optional: true,
    min: 1e-18,
    max: 1e9,
    remedy: 'Use kilograms above zero; pin what should not move, and scale to metres what is not in them.',
  },
  density: {
    quantity: 'density',
    unit: 'kg/m^3 (cloth kg/m^2)',
    type: 'number',
    default: undefined,
    optional: true,
    min: 1e-12,
    max: 1e6,
    remedy: 'Use 1000 for jelly, 0.2 for cloth.',
  },
  damping: {
    quantity: 'rate',
    unit: '1/s',
    type: 'number',
    default: 0,
    min: 0,
    max: 1e4,
    remedy: 'Use 0 for none, 1 for air, 10 for honey.',
  },
  shapeDamping: {
    quantity: 'rate',
    unit: '1/s',
    type: 'number',
    default: 0,
    min: 0,
    max: 1e4,
    remedy: 'Use 0 for endless wobble, 5 to calm it in half a second.',
  },
  friction: {
    quantity: 'coefficient',
    unit: '1',
    type: 'number',
    default: 0.5,
    min: 0,
    max: 10,
    remedy: 'Use 0 for ice, 0.5 for rubber on wood.',
  },
  restitution: {
    quantity: 'ratio',
    unit: '1',
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    remedy: 'Use 0 for none, 0.8 for a rubber ball.',
  },
  contactDamping: {
    quantity: 'rate',
    unit: '1/s',
    type: 'number',
    default: 0,
    min: 0,
    max: 1e6,
    remedy: 'Use 0 for friction alone, 10 for a syrupy floor, 1000 for one that sticks.',
  },
  rollingFriction: {
    quantity: 'coefficient',
    unit: '1',
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    remedy: 'Use 0 to leave it to shapeDamping, 0.05 for what rolls far, 0.4 for clay.',
  },
  thickness: {
    quantity: 'length',
    unit: 'm',
    type: 'number',
    default: undefined,
    optional: true,
    min: 0,
    max: 1e3,
    remedy: 'Use a small part of the body, such as 0.005.',
  },
  gravityScale: {
    quantity: 'ratio',
    unit: '1',
    type: 'number',
    default: 1,
    min: -100,
    max: 100,
    remedy: 'Use 1, 0 to float, -1 to rise.',
  },
  drag: {
    quantity: 'coefficient',
    unit: '1',
    type: 'number',
    default: 0,
    min: 0,
    max: 100,
    remedy: 'Use 1 for a cloth, 0.5 for a ball, 0 for none.',
  },
  lift: {
    quantity: 'coefficient',
    unit: '1',
    type: 'number',
    default: 0,
    min: 0,
    max: 100,
    remedy: 'Use 1 for a cloth that flutters, 0 for none.',
  },
  tether: {
    quantity: 'ratio to the length at rest',
    unit: '1',
    type: 'number',
    default: Number.POSITIVE_INFINITY,
    min: 1,
    max: Number.POSITIVE_INFINITY,
    remedy: 'Use 1, or 1.05 for a cloth that stretches by 5%; Infinity for none.',
  },
  strainLimit: {
    quantity: 'strain',
    unit: '1',
    type: 'number',
    default: Number.POSITIVE_INFINITY,
    min: 0,
    max: Number.POSITIVE_INFINITY,
    remedy: 'Use 0.05 for 5%, Infinity for none.',
  },
  tearStrength: {
    quantity: 'tension per width',
    unit: 'N/m',
    type: 'number',
    default: Number.POSITIVE_INFINITY,
    min: 0,
    max: Number.POSITIVE_INFINITY,
    minExclusive: true,
    remedy: 'Use 100 for what a hand tears, 1000 for a bed sheet, Infinity for never.',
  },
  tearStrain: {
    quantity: 'strain',
    unit: '1',
    type: 'number',
    default: Number.POSITIVE_INFINITY,
    min: 0,
    max: Number.POSITIVE_INFINITY,
    minExclusive: true,
    remedy: 'Use 0.3 for 30%, Infinity for never.',
  },
  tearWeakening: {
    quantity: 'ratio',
    unit: '1',
    type: 'number',
    default: 0,
    min: 0,
    max: 1,
    remedy: 'Use 0.5 for rips that run, 0 for a cloth that keeps its strength.',
  },
  rescue: { quantity: 'switch', unit: '1', type: 'boolean', default: true, remedy: 'Use true or false.' },
  collisionGroups: {
    quantity: 'masks',
    unit: '1',
    type: 'groups',
    default: ALL_GROUPS,
    remedy: 'Use [memberOf, collidesWith], such as [0b01, 0b10].',
  },
  sensor: { quantity: 'switch', unit: '1', type: 'boolean', default: false, remedy: 'Use true or false.' },
  canSleep: { quantity: 'switch', unit: '1', type: 'boolean', default: true, remedy: 'Use true or false.' },
  selfCollision: { quantity: 'switch', unit: '1', type: 'boolean', default: false, remedy: 'Use true or false.' },
}

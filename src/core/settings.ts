import { ALL_GROUPS, type CollisionGroups } from './collision/groups.js'
import type { Plasticity } from './plasticity.js'
import { SettingError, type SettingSpec, type SettingTable, validateSetting } from './validation.js'
import type { Quat, Vec3 } from './vectors.js'

export interface WorldSettings {
  /** Gravitational acceleration [m/s^2]. */
  gravity: Vec3
  /** Length of a fixed step [s]. */
  timeStep: number
  /** Substeps of a step; more are stiffer and cost in proportion. */
  substeps: number
  /** Constraint sweeps of a substep; substeps are the better way to spend the same time. */
  iterations: number
  /** Most steps one call of `advance` may run; time beyond is dropped and counted. */
  maxSteps: number
  /** Simulated seconds per second; 0 stands still. */
  timeScale: number
  /** True stops `advance`; `step` still steps. */
  paused: boolean
  /** Velocity of the air [m/s], everywhere; `World.addWind` adds more. */
  wind: Vec3
  /** Density of the air [kg/m^3]: how hard it pushes a body that has `drag` or `lift`. */
  airDensity: number
  /** Largest particle speed [m/s]; reaching it is counted in `stats.speedClamps`. */
  maxSpeed: number
  /** True puts bodies to sleep that rest: they cost nothing until something wakes them. */
  sleeping: boolean
}

export const worldSettings: SettingTable<WorldSettings> = {
  gravity: {
    quantity: 'acceleration',
    unit: 'm/s^2',
    type: 'vec3',
    default: [0, -9.81, 0],
    max: 1e9,
    remedy: 'Use [0, -9.81, 0] for the Earth, [0, 0, 0] for none.',
  },
  timeStep: {
    quantity: 'time',
    unit: 's',
    type: 'number',
    default: 1 / 60,
    min: 1e-5,
    max: 0.1,
    remedy: 'Use 1 / 60, or 1 / 120 for fast scenes.',
  },
  substeps: {
    quantity: 'count',
    unit: '1',
    type: 'integer',
    default: 10,
    min: 1,
    max: 200,
    remedy: 'Use 10; 20 for stiff or thin bodies.',
  },
  iterations: {
    quantity: 'count',
    unit: '1',
    type: 'integer',
    default: 1,
    min: 1,
    max: 200,
    remedy: 'Use 1 and raise substeps instead.',
  },
  maxSteps: { quantity: 'count', unit: '1', type: 'integer', default: 5, min: 1, max: 1000, remedy: 'Use 5.' },
  timeScale: {
    quantity: 'ratio',
    unit: '1',
    type: 'number',
    default: 1,
    min: 0,
    max: 100,
    remedy: 'Use 1, or 0.25 for slow motion.',
  },
  paused: { quantity: 'switch', unit: '1', type: 'boolean', default: false, remedy: 'Use true or false.' },
  wind: {
    quantity: 'velocity of the air',
    unit: 'm/s',
    type: 'vec3',
    default: [0, 0, 0],
    max: 1e3,
    remedy: 'Use [3, 0, 0] for a breeze, [12, 0, 0] for a strong wind.',
  },
  airDensity: {
    quantity: 'density',
    unit: 'kg/m^3',
    type: 'number',
    default: 1.2,
    min: 0,
    max: 1e4,
    remedy: 'Use 1.2 for air, 0 for a vacuum.',
  },
  maxSpeed: {
    quantity: 'speed',
    unit: 'm/s',
    type: 'number',
    default: 500,
    min: 0,
    max: 1e6,
    minExclusive: true,
    remedy: 'Use 500.',
  },
  sleeping: { quantity: 'switch', unit: '1', type: 'boolean', default: true, remedy: 'Use true or false.' },
}

/**
 * How stiff one constraint set of a body is, in one of the ways that its kind takes: `{ compliance }`, `{ modulus }`,
 * `{ rate }`, `{ youngsModulus, poissonRatio }`. A set that does not act is `false`.
 */
export type ElasticSetting = Readonly<Record<string, number | undefined>>

export type Elastic = Readonly<Record<string, ElasticSetting | false>>

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
  /** True draws a solid that has turned inside out to its shape, counted in `stats.inversionRescues`; else it unfolds alone. */
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
    min: 0,
    max: 1e9,
    minExclusive: true,
    remedy: 'Use kilograms above zero; pin what should not move.',
  },
  density: {
    quantity: 'density',
    unit: 'kg/m^3 (cloth kg/m^2)',
    type: 'number',
    default: undefined,
    optional: true,
    min: 0,
    max: 1e6,
    minExclusive: true,
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

/** What `validateElastic` asks of a constraint set. */
interface ElasticSet {
  readonly name: string
  readonly kind: {
    readonly name: string
    readonly parameters: Readonly<Record<string, SettingSpec>>
    readonly ways: readonly (readonly string[])[]
  }
}

/** Throws a SettingError unless every entry names one of the sets and states its stiffness in one way, in range. */
export function validateElastic(component: string, elastic: Elastic, sets: readonly ElasticSet[]): void {
  if (typeof elastic !== 'object' || elastic === null) {
    const remedy = 'Use { edges: { modulus: 1e5 } }, or leave it out.'
    throw new SettingError(component, 'elastic', elastic, 'must be an object', remedy)
  }
  for (const name of Object.keys(elastic)) {
    const prop = `elastic.${name}`
    const setting = elastic[name]
    const set = sets.find((one) => one.name === name)
    if (!set) {
      const remedy = `Use one of: ${sets.map((one) => one.name).join(', ')}.`
      throw new SettingError(component, prop, setting, 'names no constraint set of this model', remedy)
    }
    if (setting === false) continue
    const { parameters, ways } = set.kind
    const given = Object.keys(setting ?? {}).filter((key) => setting?.[key] !== undefined)
    const whole = ways.some((way) => way.length === given.length && way.every((key) => given.includes(key)))
    if (!setting || !whole) {
      const remedy = `Use ${ways.map((way) => `{ ${way.join(', ')} }`).join(', ')} or false.`
      throw new SettingError(component, prop, setting, `does not say how stiff a set of ${set.kind.name} is`, remedy)
    }
    for (const key of given) validateSetting(component, `${prop}.${key}`, setting[key], parameters[key]!)
  }
}

import type { Quat, Vec3 } from './vectors.js'

/** Thrown for a setting outside its range: names the component, the prop, the value and what to do. */
export class SettingError extends RangeError {
  constructor(
    readonly component: string,
    readonly prop: string,
    readonly value: unknown,
    problem: string,
    readonly remedy: string,
  ) {
    super(`<${component}> ${prop}={${show(value)}}: ${problem}. ${remedy}`)
    this.name = 'SettingError'
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return `[${value.slice(0, 6).map(show).join(', ')}${value.length > 6 ? ', ...' : ''}]`
  if (typeof value === 'object' && value !== null) return JSON.stringify(value) ?? 'object'
  return String(value)
}

/** What one setting is: its quantity, unit, default and range. */
export interface SettingSpec {
  /** What it measures, in a few words. */
  readonly quantity: string
  /** SI unit; '1' is a pure number. */
  readonly unit: string
  readonly type: 'number' | 'integer' | 'boolean' | 'vec3' | 'quat' | 'string'
  /** The value that an absent setting has; undefined where it is derived, as `remedy` says. */
  readonly default: unknown
  readonly min?: number
  readonly max?: number
  /** True where the least value itself is outside, as for a mass. */
  readonly minExclusive?: boolean
  /** A setting that may be left undefined, then derived. */
  readonly optional?: boolean
  /** What to write instead of a value outside the range. */
  readonly remedy: string
}

export type SettingTable<T> = { readonly [K in keyof T]-?: SettingSpec }

/** Throws a SettingError unless `value` is of the spec's type and within its range. */
export function validateSetting(component: string, prop: string, value: unknown, spec: SettingSpec): void {
  const fail = (problem: string): never => {
    throw new SettingError(component, prop, value, problem, spec.remedy)
  }
  if (value === undefined) {
    if (!spec.optional) fail('must be given')
    return
  }
  switch (spec.type) {
    case 'boolean':
      if (typeof value !== 'boolean') fail('must be true or false')
      return
    case 'string':
      if (typeof value !== 'string') fail('must be text')
      return
    case 'vec3':
      if (!isFiniteTuple(value, 3)) fail('must be three finite numbers')
      return
    case 'quat': {
      if (!isFiniteTuple(value, 4)) fail('must be four finite numbers')
      const q = value as Quat
      const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
      if (!(Math.abs(length - 1) < 1e-3)) fail('must be a unit quaternion')
      return
    }
    case 'integer':
    case 'number': {
      if (typeof value !== 'number' || Number.isNaN(value)) fail('must be a number')
      const number = value as number
      const min = spec.min ?? Number.NEGATIVE_INFINITY
      const max = spec.max ?? Number.POSITIVE_INFINITY
      if (spec.type === 'integer' && !Number.isInteger(number)) fail('must be a whole number')
      if (number < min || number > max || (spec.minExclusive && number === min)) {
        fail(`must be ${spec.minExclusive ? `above ${min} and at most` : `between ${min} and`} ${max}`)
      }
    }
  }
}

function isFiniteTuple(value: unknown, length: number): boolean {
  const tuple = value as ArrayLike<unknown> | null
  if (typeof tuple !== 'object' || tuple === null || tuple.length !== length) return false
  for (let i = 0; i < length; i++) if (!Number.isFinite(tuple[i])) return false
  return true
}

/** Validates every key of `settings` against `table`; an unknown key throws too. */
export function validateSettings<T extends object>(
  component: string,
  settings: Partial<T>,
  table: Partial<SettingTable<T>>,
): void {
  for (const prop of Object.keys(settings) as (keyof T & string)[]) {
    const spec = table[prop]
    if (!spec) {
      const known = Object.keys(table).join(', ')
      throw new SettingError(component, prop, settings[prop], 'is not a setting', `Use one of: ${known}.`)
    }
    if (settings[prop] === undefined) continue
    validateSetting(component, prop, settings[prop], spec)
  }
}

/** The defaults that a table states. */
export function defaultsOf<T extends object>(table: SettingTable<T>): T {
  const defaults: Record<string, unknown> = {}
  for (const prop of Object.keys(table)) defaults[prop] = table[prop as keyof T].default
  return defaults as T
}

/** `settings` with its vectors copied, so that the caller may reuse them. */
export function settled<T extends object>(settings: T): T {
  const next = { ...settings }
  for (const key of Object.keys(next) as (keyof T)[]) {
    const value = next[key]
    if (Array.isArray(value)) next[key] = value.slice() as T[keyof T]
  }
  return next
}

/** `current` with every defined value of `change` over it. */
export function merged<T extends object>(current: T, change: Partial<T>): T {
  const next = { ...current }
  for (const key of Object.keys(change) as (keyof T)[]) {
    const value = change[key]
    if (value !== undefined) next[key] = value
  }
  return next
}

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
  /** Largest particle speed [m/s]; reaching it is counted in `stats.speedClamps`. */
  maxSpeed: number
}

export const worldSettings: SettingTable<WorldSettings> = {
  gravity: {
    quantity: 'acceleration',
    unit: 'm/s^2',
    type: 'vec3',
    default: [0, -9.81, 0],
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
}

/**
 * How stiff one constraint set of a body is. Exactly one of the three is given:
 * a rigid set is `{ compliance: 0 }`, a set that does not act is `false`.
 */
export interface ElasticSetting {
  /** Inverse stiffness of every row [m/N] (distance), [m^5/N] (volume), [m/N] (shape, of the whole body); 0 is rigid. */
  compliance?: number
  /** Stiffness of the material [Pa] (solids) or [N/m] (cloth); a finer mesh is then the same material. */
  modulus?: number
  /** Angular frequency with which a particle swings about its goal [rad/s]; shape matching alone. */
  rate?: number
}

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
  /** Distance kept to colliders [m]; absent: the model's own. */
  thickness: number | undefined
  /** Share of the world's gravity that acts. */
  gravityScale: number
  /** Stiffness by the name of the model's constraint set; sets that are not named keep the model's own. */
  elastic: Elastic
}

export const bodySettings: SettingTable<Omit<BodySettings, 'elastic'>> = {
  name: { quantity: 'name', unit: '1', type: 'string', default: 'Body', remedy: 'Use any text.' },
  position: { quantity: 'position', unit: 'm', type: 'vec3', default: [0, 0, 0], remedy: 'Use three finite numbers.' },
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
}

const elasticSpecs: { readonly [K in keyof ElasticSetting]-?: SettingSpec } = {
  compliance: {
    quantity: 'inverse stiffness',
    unit: 'm/N',
    type: 'number',
    default: 0,
    min: 0,
    max: 1e12,
    remedy: 'Use 0 for rigid, larger for softer, false to switch it off.',
  },
  modulus: {
    quantity: 'stiffness',
    unit: 'Pa or N/m',
    type: 'number',
    default: 1e5,
    min: 0,
    max: 1e12,
    minExclusive: true,
    remedy: 'Use 1e5 for jelly, 1e6 for rubber, false to switch it off.',
  },
  rate: {
    quantity: 'angular frequency',
    unit: 'rad/s',
    type: 'number',
    default: 50,
    min: 0,
    max: 1e6,
    minExclusive: true,
    remedy: 'Use 20 for soft, 200 for stiff, false to switch it off.',
  },
}

/** What `validateElastic` asks of a constraint set. */
interface ElasticSet {
  readonly name: string
  readonly kind: { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> }
}

/** Throws a SettingError unless every entry names one of the sets and states one stiffness that it has, in range. */
export function validateElastic(component: string, elastic: Elastic, sets: readonly ElasticSet[]): void {
  if (typeof elastic !== 'object' || elastic === null) {
    const remedy = 'Use { edges: { modulus: 1e5 } }, or leave it out.'
    throw new SettingError(component, 'elastic', elastic, 'must be an object', remedy)
  }
  const known = sets.map((set) => set.name)
  for (const set of Object.keys(elastic)) {
    const prop = `elastic.${set}`
    const setting = elastic[set]
    if (!known.includes(set)) {
      throw new SettingError(
        component,
        prop,
        setting,
        'names no constraint set of this model',
        `Use one of: ${known.join(', ')}.`,
      )
    }
    if (setting === false) continue
    const kinds = Object.keys(setting ?? {}).filter((key) => setting?.[key as keyof ElasticSetting] !== undefined)
    if (!setting || kinds.length !== 1 || !(kinds[0]! in elasticSpecs)) {
      throw new SettingError(
        component,
        prop,
        setting,
        'must state exactly one stiffness',
        'Use { compliance }, { modulus }, { rate } or false.',
      )
    }
    const kind = kinds[0] as keyof ElasticSetting
    validateSetting(component, `${prop}.${kind}`, setting[kind], elasticSpecs[kind])
    const other = sets.find(({ name, kind: { parameters } }) => name === set && !(kind in parameters))
    if (other) {
      const remedy = `Use one of: ${Object.keys(other.kind.parameters).join(', ')}.`
      throw new SettingError(component, prop, setting, `has no ${kind} in a set of ${other.kind.name}`, remedy)
    }
  }
}

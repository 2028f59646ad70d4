import type { Quat, Vec3 } from './vectors.js'

/** Thrown for a setting outside its range: names the component, the prop, the value and what to do. */
export class SettingError extends RangeError {
  constructor(
    readonly component: string,
    readonly prop: string,
    readonly value: unknown,
    readonly problem: string,
    readonly remedy: string,
    options?: { readonly cause: unknown },
  ) {
    super(`<${component}> ${prop}={${show(value)}}: ${problem}. ${remedy}`, options)
    this.name = 'SettingError'
    Object.defineProperty(this, 'value', { enumerable: false }) // a console would print all of a model's numbers
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (Array.isArray(value)) return `[${value.slice(0, 6).map(show).join(', ')}${value.length > 6 ? ', ...' : ''}]`
  if (typeof value === 'object' && value !== null) return isPlain(value) ? JSON.stringify(value) : nameOf(value)
  return String(value)
}

/** True for an object of few plain values: what else there is may be large, or hold itself. */
function isPlain(value: object): boolean {
  const values = Object.values(value)
  return values.length > 0 && values.every((entry) => typeof entry !== 'object' || Array.isArray(entry))
}

function nameOf({ constructor }: object): string {
  return constructor?.name ?? 'object'
}

/** What one setting is: its quantity, unit, default and range. */
export interface SettingSpec {
  /** What it measures, in a few words. */
  readonly quantity: string
  /** SI unit; '1' is a pure number. */
  readonly unit: string
  readonly type: 'number' | 'integer' | 'boolean' | 'vec3' | 'quat' | 'string' | 'groups'
  /** The value that an absent setting has; undefined where it is derived, as `remedy` says. */
  readonly default: unknown
  readonly min?: number
  /** The largest value; of a vec3, the largest that a coordinate is away from zero. */
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
      if (spec.max !== undefined) {
        for (let d = 0; d < 3; d++) {
          if (Math.abs((value as Vec3)[d]!) > spec.max) fail(`must be three numbers of at most ${spec.max}`)
        }
      }
      return
    case 'quat': {
      if (!isFiniteTuple(value, 4)) fail('must be four finite numbers')
      const q = value as Quat
      const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
      if (!(Math.abs(length - 1) < 1e-3)) fail('must be a unit quaternion')
      return
    }
    case 'groups':
      if (!isFiniteTuple(value, 2) || !(value as number[]).every((mask) => mask >= 0 && mask === mask >>> 0)) {
        fail('must be two masks of 32 bits')
      }
      return
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

/** True for a size of a shape [m]. A text that reads as a number is none. */
export function isSize(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < 1e9
}

/** True for an array of that many finite numbers, plain or typed. */
export function isFiniteTuple(value: unknown, length: number): boolean {
  const tuple = value as ArrayLike<unknown> | null
  if (typeof tuple !== 'object' || tuple === null || tuple.length !== length) return false
  for (let i = 0; i < length; i++) if (!Number.isFinite(tuple[i])) return false
  return true
}

/**
 * @param prop 'settings', or the method that they are the options of, which then precedes their names
 * @throws SettingError for what is no object, or has what `known` has not. Allocates nothing
 */
export function checkGroup(component: string, prop: string, value: object, known?: object): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SettingError(component, prop, value, 'must be an object', 'Use { name: value }, or leave it out.')
  }
  if (!known) return
  for (const name in value) {
    if (Object.hasOwn(known, name)) continue
    const remedy = `Use one of: ${Object.keys(known).join(', ')}.`
    const given = value[name as keyof typeof value]
    throw new SettingError(component, nameWithin(prop, name), given, 'is not a setting', remedy)
  }
}

function nameWithin(group: string, name: string): string {
  return group === 'settings' ? name : `${group}.${name}`
}

/** @throws SettingError for a callback that cannot be called */
export function checkCallback(component: string, prop: string, value: unknown): void {
  if (typeof value === 'function') return
  throw new SettingError(component, prop, value, 'must be a function', 'Give what shall be called.')
}

/** Validates every key of `settings` against `table`; an unknown key throws too. `group` is as of `checkGroup`. */
export function validateSettings<T extends object>(
  component: string,
  settings: Partial<T>,
  table: Partial<SettingTable<T>>,
  group = 'settings',
): void {
  checkGroup(component, group, settings, table)
  for (const prop of Object.keys(settings) as (keyof T & string)[]) {
    if (settings[prop] === undefined) continue
    validateSetting(component, nameWithin(group, prop), settings[prop], table[prop]!)
  }
}

/** What errors call that of `settings`: its name, or its kind where it has none or one that is no text. */
export function calledIn({ name }: { readonly name?: unknown }, kind: string): string {
  return typeof name === 'string' ? name : kind
}

/** The defaults that a table states. */
export function defaultsOf<T extends object>(table: SettingTable<T>): T {
  const defaults: Record<string, unknown> = {}
  for (const prop of Object.keys(table)) defaults[prop] = table[prop as keyof T].default
  return defaults as T
}

/**
 * `settings` with its vectors copied, so that the caller may reuse them. Made of entries all are of one shape to the engine:
 * to read a number of an object of one out of many shapes allocates.
 */
export function settled<T extends object>(settings: T): T {
  const entries = Object.entries(settings).map(([key, value]) => [
    key,
    Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>) : value,
  ])
  return Object.fromEntries(entries) as T
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

// A row of a table of props, and how its values are checked.
import { colliderSettings, SettingError, type SettingSpec, validateSetting } from '../../headless.js'

/**
 * When a change of a prop takes effect: `live` with the next step, `teleport` puts the rest shape at the new place,
 * `rebuild` makes the body anew where it is.
 */
export type Applies = 'live' | 'teleport' | 'rebuild'

/** One row of a component's prop table: what validates the prop, and what its documentation and its tests go by. */
export interface PropRow extends Omit<SettingSpec, 'type'> {
  readonly applies: Applies
  /** A plain kind of value, or 'other' where `check` decides. */
  readonly type: SettingSpec['type'] | 'other'
  /** The range in words. */
  readonly range: string
  /** What is wrong with a value, undefined when nothing is. */
  readonly check?: (value: unknown) => string | undefined
  /** A prop that says the same in another way: both together are refused. */
  readonly excludes?: string
}

export type PropTable = Readonly<Record<string, PropRow>>

export function fromCore(spec: SettingSpec, applies: Applies = 'live'): PropRow {
  const { min, max } = spec
  const numeric = min !== undefined && max !== undefined
  return {
    ...spec,
    optional: true,
    applies,
    range: numeric ? `${spec.minExclusive ? 'above ' : ''}${min} to ${max}` : spec.type,
  }
}

export function number(
  quantity: string,
  unit: string,
  value: unknown,
  min: number,
  max: number,
  remedy: string,
): PropRow {
  const range = `${min} to ${max}`
  return { quantity, unit, type: 'number', default: value, min, max, optional: true, applies: 'live', range, remedy }
}

export function toggle(quantity: string, value: boolean): PropRow {
  const remedy = 'Use true or false.'
  return {
    quantity,
    unit: '1',
    type: 'boolean',
    default: value,
    optional: true,
    applies: 'live',
    range: 'boolean',
    remedy,
  }
}

export function other(
  quantity: string,
  unit: string,
  value: unknown,
  range: string,
  check: (value: unknown) => string | undefined,
  remedy: string,
): PropRow {
  return { quantity, unit, type: 'other', default: value, optional: true, applies: 'live', range, check, remedy }
}

export function oneOf(quantity: string, value: string, names: readonly string[]): PropRow {
  const range = names.map((name) => `'${name}'`).join(' | ')
  const check = (given: unknown) => (names.includes(given as string) ? undefined : 'is not known')
  return other(quantity, '1', value, range, check, `Use one of ${range}.`)
}

export const rebuild = (row: PropRow): PropRow => ({ ...row, applies: 'rebuild' })

export const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)

export const atLeastZero = (value: unknown) => (isNumber(value) && value >= 0 ? undefined : 'must be 0 or above')

export function stiffness(quantity: string, unit: string, value: number): PropRow {
  return other(quantity, unit, value, '0 to Infinity', atLeastZero, `Use ${value}; Infinity gives way nowhere.`)
}

export const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length === 3 && value.every(Number.isFinite)

/** Those of a vector of three; anything else stays as it is. */
export function coordinates(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('isVector3' in value)) return value
  const { x, y, z } = value as unknown as { x: number; y: number; z: number }
  return [x, y, z]
}

export function checkSizes(count: number): (value: unknown) => string | undefined {
  return (value) =>
    Array.isArray(value) && value.length === count && value.every((size) => Number.isFinite(size) && size > 0)
      ? undefined
      : `must be ${count === 1 ? 'one size' : `${count} sizes`} above 0`
}

export function handler(event: string): PropRow {
  const check = (value: unknown) => (typeof value === 'function' ? undefined : 'must be a function')
  return other(event, '1', undefined, 'function', check, 'Give a function, or leave it out.')
}

export const contactHandlers = {
  onContactEnter: handler('a touch begins'),
  onContactExit: handler('a touch ends'),
  onImpact: handler('a blow'),
}

export const surfaceProps = {
  friction: fromCore(colliderSettings.friction),
  restitution: fromCore(colliderSettings.restitution),
  collisionGroups: fromCore(colliderSettings.collisionGroups),
  sensor: fromCore(colliderSettings.sensor),
  surfaceVelocity: fromCore(colliderSettings.surfaceVelocity),
  ...contactHandlers,
}

/** Throws a SettingError when the value of one prop is outside its row. */
export function validateProp(component: string, prop: string, value: unknown, row: PropRow): void {
  if (row.type !== 'other') {
    validateSetting(component, prop, value, row as SettingSpec)
    return
  }
  if (value === undefined && row.optional) return
  const problem = value === undefined ? 'must be given' : row.check?.(value)
  if (problem) throw new SettingError(component, prop, value, problem, row.remedy)
}

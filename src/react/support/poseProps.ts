import { Quaternion } from 'three'
import { SettingError } from '../../headless.js'
import { flattens, isFlat } from './restPose.js'

/** What a pose prop of an object of three may be given, besides a number of one of its parts. */
interface Form {
  /** What marks three's own class for it. */
  readonly mark: string
  readonly parts: readonly string[]
  /** True where one number stands for all parts. */
  readonly even: boolean
  readonly range: string
  readonly remedy: string
}

const xyz = ['x', 'y', 'z']
const orders = ['XYZ', 'YXZ', 'ZXY', 'ZYX', 'YZX', 'XZY']

const forms: Readonly<Record<string, Form>> = {
  position: {
    mark: 'isVector3',
    parts: xyz,
    even: true,
    range: 'three finite numbers',
    remedy: 'Use [0, 1, 0], a Vector3 or position-y={1}.',
  },
  rotation: {
    mark: 'isEuler',
    parts: xyz,
    even: false,
    range: 'three finite angles',
    remedy: 'Use [0, Math.PI, 0], an Euler or rotation-y={Math.PI}.',
  },
  quaternion: {
    mark: 'isQuaternion',
    parts: [...xyz, 'w'],
    even: false,
    range: 'a unit quaternion',
    remedy: 'Use [0, 0, 0, 1] or a Quaternion, or a rotation.',
  },
  scale: {
    mark: 'isVector3',
    parts: xyz,
    even: true,
    range: 'a finite number, or three',
    remedy: 'Use 2, [1, 2, 1], a Vector3 or scale-y={2}.',
  },
}

/** Whether a prop is a part of the pose, as `position` or `rotation-y`. */
export function isPoseProp(prop: string): boolean {
  return Object.hasOwn(forms, prop.split('-')[0]!)
}

/** Equal for equal pose props: arrays, numbers, objects of three, or single components as in `position-y`. */
export function poseKeyOf(props: object): string {
  return JSON.stringify(
    Object.entries(props)
      .filter(([name]) => isPoseProp(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/**
 * What a pose prop gives an object of three: what React Three Fiber takes is taken, as far as a place comes of it, and
 * digits that a quaternion was written without scale nothing.
 * @param mayBeFlat true for an object that nothing has to fit into
 * @throws SettingError for what an object cannot take
 */
export function poseValue(component: string, prop: string, value: unknown, mayBeFlat: boolean): unknown {
  if (value === undefined) return value
  const [name, part] = prop.split('-') as [string, string?]
  const form = forms[name]!
  const numbers = part === undefined ? numbersOf(form, value) : [value]
  const problem = part === undefined ? problemOf(form, numbers) : problemOfPart(form, part, value)
  if (problem) {
    const shown = typeof value === 'object' ? (numbers ?? value) : value
    throw new SettingError(component, prop, shown, problem, form.remedy)
  }
  if (form === forms.scale && !mayBeFlat && isFlat(numbers!)) throw flattens(component, prop, value)
  if (prop !== 'quaternion') return value
  // An array, whose numbers React Three Fiber compares: a new object would be set at every render.
  const { x, y, z, w } = new Quaternion().fromArray(numbers as number[]).normalize()
  return [x, y, z, w]
}

function problemOf(form: Form, numbers: readonly unknown[] | undefined): string | undefined {
  const isValid = numbers?.every(Number.isFinite) && (form !== forms.quaternion || isUnit(numbers))
  return isValid ? undefined : `must be ${form.range}`
}

function problemOfPart({ mark, parts }: Form, part: string, value: unknown): string | undefined {
  if (mark === 'isEuler' && part === 'order') return isOrder(value) ? undefined : `must be one of ${orders.join(', ')}`
  if (!parts.includes(part)) return `has no part ${part}`
  return Number.isFinite(value) ? undefined : 'must be a finite number'
}

/** The numbers that a pose prop gives an object; undefined for what is none of its forms. */
function numbersOf({ mark, parts, even }: Form, value: unknown): unknown[] | undefined {
  if (even && typeof value === 'number') return parts.map(() => value)
  if (Array.isArray(value)) {
    const ordered = mark === 'isEuler' && value.length === 4 && isOrder(value[3])
    return value.length === parts.length || ordered ? value.slice(0, parts.length) : undefined
  }
  if (typeof value !== 'object' || value === null || !(mark in value)) return undefined
  return parts.map((part) => (value as Readonly<Record<string, unknown>>)[part])
}

function isOrder(value: unknown): boolean {
  return orders.includes(value as string)
}

function isUnit(numbers: readonly unknown[]): boolean {
  return Math.abs(Math.hypot(...(numbers as number[])) - 1) < 1e-3
}

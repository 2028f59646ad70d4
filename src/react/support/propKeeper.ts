import { useState } from 'react'
import { Mesh } from 'three'
import { SettingError } from '../../headless.js'
import { type PropTable, validateProp } from '../props.js'
import { isDevelopment } from './development.js'
import { isPoseProp, poseValue } from './poseProps.js'

/**
 * What the props go to that are not a component's own: an object that something has to fit into, one that is only a
 * place and may be flat, or nothing.
 */
export type RestOf = 'solid' | 'place' | 'nothing'

/** Holds a component's props to their table: throws at mount, later warns once a value and keeps the last valid one. */
export class PropKeeper {
  private valid: Record<string, unknown> | null = null
  private rest: Record<string, unknown> | null = null
  private readonly warned = new Set<string>()

  constructor(
    private readonly component: string,
    private readonly table: PropTable,
    private readonly restOf: RestOf,
  ) {}

  /** The props of the table with valid values. */
  read(props: Record<string, unknown>): Record<string, unknown> {
    const next: Record<string, unknown> = {}
    for (const prop of Object.keys(this.table)) {
      next[prop] = this.valid ? this.checked(prop, props[prop], this.valid[prop]) : this.first(prop, props[prop])
    }
    this.refuseBoth(next)
    this.valid = next
    return next
  }

  /** The other props, with a valid pose. */
  readRest(props: Record<string, unknown>): Record<string, unknown> {
    const { rest: last } = this
    const next = { ...props }
    for (const prop of Object.keys(props)) {
      if (this.restOf === 'nothing' || !isPoseProp(prop)) continue
      try {
        next[prop] = poseValue(this.component, prop, props[prop], this.restOf === 'place')
      } catch (error) {
        if (!last) throw error
        warnOnce(this.warned, error)
        if (prop in last) next[prop] = last[prop]
        else delete next[prop]
      }
    }
    this.rest = next
    return next
  }

  /** Of two props that exclude each other the last valid ones stay. */
  private refuseBoth(next: Record<string, unknown>): void {
    for (const prop of Object.keys(this.table)) {
      const { excludes } = this.table[prop]!
      if (excludes === undefined || next[prop] === undefined || next[excludes] === undefined) continue
      const error = new SettingError(this.component, prop, next[prop], `is given with ${excludes}`, 'Give one of them.')
      if (!this.valid) throw error
      warnOnce(this.warned, error)
      for (const one of [prop, excludes]) next[one] = this.valid[one]
    }
  }

  private first(prop: string, value: unknown): unknown {
    validateProp(this.component, prop, value, this.table[prop]!)
    return value
  }

  private checked(prop: string, value: unknown, last: unknown): unknown {
    if (value === last) return value
    try {
      return this.first(prop, value)
    } catch (error) {
      warnOnce(this.warned, error)
      return last
    }
  }
}

/** The error with the name of the component in front, unless it has one. */
export function namedError(component: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error)
  return message.startsWith('<') ? (error as Error) : new Error(`<${component}>: ${message}`, { cause: error })
}

/** Warns with an error's message, and what comes of it, unless it is among those that were `said`. */
export function warnOnce(said: Set<string>, error: unknown, outcome = 'The last valid value stays.'): void {
  const message = error instanceof Error ? error.message : String(error)
  if (said.has(message)) return
  said.add(message)
  console.warn(`${message} ${outcome}`)
}

/** Props of any element, besides what its object has. */
const ofElements = /^(children|ref|key|args|attach|dispose|data|on[A-Z].*)$/
const strangers = new Set<string>()

/** Warns once of a prop that neither a component has nor the object of three that the rest goes to. */
function warnOfStrangers(component: string, table: PropTable, rest: object, restOf: RestOf): void {
  const object = restOf === 'nothing' ? {} : new Mesh()
  for (const prop of Object.keys(rest)) {
    const [name = prop] = prop.split('-')
    const key = `<${component}> ${prop}`
    if (name in object || ofElements.test(name) || strangers.has(key)) continue
    strangers.add(key)
    const more = restOf === 'nothing' ? '' : ', or of an object of three'
    console.warn(`${key}: there is no such prop. Use one of ${Object.keys(table).join(', ')}${more}.`)
  }
}

/**
 * Splits a component's props into those of its table and the rest, each valid; of the rest the pose is looked at.
 * @throws SettingError at mount for an invalid value
 */
export function useValidProps<K extends keyof P & string, P extends object>(
  component: string,
  table: PropTable & Record<K, unknown>,
  props: P,
  restOf: RestOf = 'solid',
): [valid: Pick<P, K>, rest: Omit<P, K>] {
  const all = props as Record<string, unknown>
  const rest: Record<string, unknown> = {}
  for (const prop of Object.keys(all)) if (!(prop in table)) rest[prop] = all[prop]
  const [keeper] = useState(() => {
    if (isDevelopment()) warnOfStrangers(component, table, rest, restOf)
    return new PropKeeper(component, table, restOf)
  })
  return [keeper.read(all) as Pick<P, K>, keeper.readRest(rest) as Omit<P, K>]
}

import { SettingError, type SettingSpec, validateSetting } from './validation.js'

/**
 * How stiff one constraint set of a body is, in one of the ways that its kind takes: `{ compliance }`, `{ modulus }`,
 * `{ rate }`, `{ youngsModulus, poissonRatio }`. A set that does not act is `false`.
 */
export type ElasticSetting = Readonly<Record<string, number | undefined>>

export type Elastic = Readonly<Record<string, ElasticSetting | false>>

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
      const use = `Use ${ways.map((way) => `{ ${way.join(', ')} }`).join(', ')} or false`
      const meanings = Object.entries(parameters).map(([key, { quantity, unit }]) => `${key}, ${quantity} [${unit}]`)
      const stranger = given.find((key) => !(key in parameters))
      const problem = stranger ? `has no ${stranger}` : `does not say how stiff a set of ${set.kind.name} is`
      throw new SettingError(component, prop, setting, problem, `${use}: ${meanings.join('; ')}.`)
    }
    for (const key of given) validateSetting(component, `${prop}.${key}`, setting[key], parameters[key]!)
  }
}

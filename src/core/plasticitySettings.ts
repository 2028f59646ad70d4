import type { ElasticSetting } from './elastic.js'
import { SettingError, type SettingSpec, validateSetting } from './validation.js'

/** How a solid takes on a new shape. */
export interface Plasticity {
  /** Strain up to which it springs back, true strain ln(l / l0) of a bar that keeps its volume. */
  yield: number
  /** Rate at which what is beyond flows [1/s]. */
  creep: number
  /** Largest strain that stays. */
  max: number
}

export const plasticitySettings: { readonly [K in keyof Plasticity]: SettingSpec } = {
  yield: {
    quantity: 'strain',
    unit: '1',
    type: 'number',
    default: 0.05,
    min: 0,
    max: 10,
    remedy: 'Use 0.05; more than the body strains under its weight.',
  },
  creep: {
    quantity: 'rate',
    unit: '1/s',
    type: 'number',
    default: 20,
    min: 0,
    max: 1e6,
    remedy: 'Use 20; 1 flows slowly, 1000 at once.',
  },
  max: {
    quantity: 'strain',
    unit: '1',
    type: 'number',
    default: 1,
    min: 0,
    max: 2,
    remedy: 'Use 1: 2.7 times as long.',
  },
}

/**
 * A copy of a body's `plasticity`, whole, or false.
 * @throws SettingError for a value outside its range, or a body whose material has no rest shape that could flow
 */
export function checkedPlasticity(
  name: string,
  plasticity: Readonly<Partial<Plasticity>> | false,
  material: ElasticSetting | false | undefined,
): Plasticity | false {
  if (plasticity === false) return false
  const fail = (problem: string, remedy: string): never => {
    throw new SettingError(name, 'plasticity', plasticity, problem, remedy)
  }
  if (typeof plasticity !== 'object' || plasticity === null) {
    return fail('must be false or an object', 'Use { yield: 0.05, creep: 20, max: 1 }.')
  }
  const whole: Record<string, number> = {}
  for (const key of Object.keys(plasticity)) {
    if (!(key in plasticitySettings)) fail(`has no ${key}`, 'Use yield, creep and max.')
  }
  for (const key of ['yield', 'creep', 'max'] as const) {
    whole[key] = plasticity[key] ?? (plasticitySettings[key].default as number)
    validateSetting(name, `plasticity.${key}`, whole[key], plasticitySettings[key])
  }
  if (!material) {
    fail(
      'is of the neo-Hookean material, which this body has not',
      'Give it a youngsModulus, or use plasticity={false}.',
    )
  }
  return whole as unknown as Plasticity
}

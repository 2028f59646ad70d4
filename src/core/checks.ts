import { type BodySettings, bodySettings, massOf } from './bodySettings.js'
import { validateElastic } from './elastic.js'
import type { Model } from './model.js'
import { checkedPlasticity } from './plasticitySettings.js'
import { checkCloth } from './reach/pinDistances.js'
import { defaultsOf, merged, SettingError, settled, validateSetting, validateSettings } from './validation.js'
import type { Vec3 } from './vectors.js'

/** @throws SettingError for a vector that is not finite, naming the body and the method it was given to */
export function checkVector(name: string, method: string, value: Vec3): void {
  for (let d = 0; d < 3; d++) {
    if (!Number.isFinite(value[d])) {
      throw new SettingError(name, method, value, 'must be three finite numbers', 'Check for a division by zero.')
    }
  }
}

/** A copy of a list of a body's particles. @throws SettingError for one that does not exist */
export function checkParticles(
  name: string,
  method: string,
  particles: ArrayLike<number>,
  particleCount: number,
): Uint32Array {
  for (let k = 0; k < particles.length; k++) {
    const i = particles[k]!
    if (!(Number.isInteger(i) && i >= 0 && i < particleCount)) {
      const remedy = 'Particles are not render vertices; see `pins`.'
      throw new SettingError(name, method, i, `must be a particle, 0 to ${particleCount - 1}`, remedy)
    }
  }
  return Uint32Array.from(particles)
}

/** `settings` with the defaults of what they leave out, or a SettingError that names what is wrong. */
export function wholeBodySettings(model: Model, settings: Partial<BodySettings>): BodySettings {
  const defaults: BodySettings = { ...defaultsOf(bodySettings), plasticity: false, elastic: {} }
  return checkedBodySettings(model, merged(defaults, settings))
}

/** A copy of `settings`, or a SettingError that names what is wrong. */
export function checkedBodySettings(model: Model, settings: BodySettings): BodySettings {
  const { elastic, plasticity, ...rest } = settings
  const name = typeof settings.name === 'string' ? settings.name : bodySettings.name.default
  validateSettings(String(name), rest, bodySettings)
  // From a density it may be as large as the body is.
  validateSetting(String(name), 'mass', massOf(model, settings), {
    ...bodySettings.mass,
    max: Number.POSITIVE_INFINITY,
  })
  validateElastic(String(name), elastic, model.sets)
  checkCloth(String(name), model, settings)
  const material = { ...model.elastic, ...elastic }.neoHookean
  return { ...settled(settings), plasticity: checkedPlasticity(String(name), plasticity, material) }
}

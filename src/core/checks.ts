import { type BodySettings, bodySettings, massOf } from './bodySettings.js'
import { validateElastic } from './elastic.js'
import type { Model } from './model.js'
import { checkedPlasticity } from './plasticitySettings.js'
import { checkCloth } from './reach/pinDistances.js'
import { defaultsOf, merged, SettingError, settled, validateSetting, validateSettings } from './validation.js'
import type { Quat, Vec3 } from './vectors.js'

/** @throws SettingError for a vector that is not finite, naming the body and the method it was given to */
export function checkVector(name: string, method: string, value: Vec3): void {
  for (let d = 0; d < 3; d++) {
    if (!value || !Number.isFinite(value[d])) {
      throw new SettingError(name, method, value, 'must be three finite numbers', 'Check for a division by zero.')
    }
  }
}

/** @throws SettingError for a place that no body could be at */
export function checkPlace(name: string, method: string, place: Vec3): void {
  validateSetting(name, method, place, { ...bodySettings.position, remedy: 'Use metres.' })
}

/** @throws SettingError for a pose that is none */
export function validatePose(name: string, position: Vec3, rotation: Quat): void {
  validateSetting(name, 'position', position, bodySettings.position)
  validateSetting(name, 'rotation', rotation, bodySettings.rotation)
}

/** A copy of a list of a body's particles. @throws SettingError for one that does not exist */
export function checkParticles(
  name: string,
  method: string,
  particles: ArrayLike<number>,
  particleCount: number,
): Uint32Array {
  if (!(particles?.length >= 0)) {
    const remedy = 'Give their numbers, such as [0, 1].'
    throw new SettingError(name, method, particles, 'must be a list of particles', remedy)
  }
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
  if (!model?.sets) {
    const remedy = 'Give that of softBodyModel(mesh).model, or of another function that makes one.'
    throw new SettingError(settings.name ?? 'Body', 'model', model, 'is no model', remedy)
  }
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

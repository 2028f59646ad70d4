import { type BodySettings, bodySettings, massOf } from './bodySettings.js'
import { validateElastic } from './elastic.js'
import type { Model } from './model.js'
import { checkedPlasticity } from './plasticitySettings.js'
import { checkCloth } from './reach/pinDistances.js'
import {
  calledIn,
  checkGroup,
  defaultsOf,
  merged,
  SettingError,
  settled,
  validateSetting,
  validateSettings,
} from './validation.js'
import type { Quat, Vec3 } from './vectors.js'

/** @throws SettingError for a vector that is not finite, naming the body and the method it was given to */
export function checkVector(name: string, method: string, value: Vec3): void {
  for (let d = 0; d < 3; d++) {
    if (!value || !Number.isFinite(value[d])) {
      throw new SettingError(name, method, value, 'must be three finite numbers', 'Check for a division by zero.')
    }
  }
}

/** @throws SettingError for what is no row of numbers; that they are finite is not asked. Allocates nothing. */
export function checkNumbers(name: string, method: string, value: ArrayLike<number>, count: number): void {
  let isRow = typeof value === 'object' && value !== null
  for (let k = 0; isRow && k < count; k++) isRow = typeof value[k] === 'number'
  if (isRow) return
  throw new SettingError(name, method, value, `must be ${count} numbers`, 'Use an array of numbers.')
}

/** @throws SettingError for what an answer of `count` numbers cannot be written to. Allocates nothing. */
export function checkTarget(name: string, method: string, target: ArrayLike<number>, count = 3): void {
  if (typeof target === 'object' && target?.length >= count) return
  const problem = 'is no array with room for the answer'
  throw new SettingError(name, `${method}.target`, target, problem, 'Leave it out for a new one, or give [0, 0, 0].')
}

/**
 * Writes a pose that something is led to, its rotation normalised, into `goal` [7]. False, and nothing is written, for
 * one that is not finite, or a rotation of length zero. Allocates nothing. @throws SettingError for what is no pose
 */
export function aimAtPose(name: string, goal: Float64Array, position: Vec3, rotation: Quat): boolean {
  checkNumbers(name, 'setPose.position', position, 3)
  checkNumbers(name, 'setPose.rotation', rotation, 4)
  let square = 0
  for (let k = 0; k < 4; k++) square += rotation[k]! * rotation[k]!
  if (!Number.isFinite(position[0] + position[1] + position[2]) || !(square > 0 && square < Infinity)) return false
  const scale = Math.abs(square - 1) < 1e-12 ? 1 : 1 / Math.sqrt(square) // a unit quaternion keeps its bits
  for (let d = 0; d < 3; d++) goal[d] = position[d]!
  for (let k = 0; k < 4; k++) goal[3 + k] = rotation[k]! * scale
  return true
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
  if (!(typeof particles === 'object' && particles?.length >= 0)) {
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
  checkGroup('Body', 'settings', settings)
  if (!model?.sets) {
    const remedy = 'Give that of softBodyModel(mesh).model, or of another function that makes one.'
    throw new SettingError(calledIn(settings, 'Body'), 'model', model, 'is no model', remedy)
  }
  const defaults: BodySettings = { ...defaultsOf(bodySettings), plasticity: false, elastic: {} }
  return checkedBodySettings(model, merged(defaults, settings))
}

/** A copy of `settings`, or a SettingError that names what is wrong. */
export function checkedBodySettings(model: Model, settings: BodySettings): BodySettings {
  const { elastic, plasticity, ...rest } = settings
  const name = calledIn(settings, 'Body')
  validateSettings(name, rest, bodySettings)
  // From a density it may be as large as the body is.
  validateSetting(name, 'mass', massOf(model, settings), {
    ...bodySettings.mass,
    max: Number.POSITIVE_INFINITY,
  })
  validateElastic(name, elastic, model.sets)
  checkCloth(name, model, settings)
  const material = { ...model.elastic, ...elastic }.neoHookean
  return settled({ ...settings, plasticity: checkedPlasticity(name, plasticity, material) })
}

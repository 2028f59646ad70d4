import { type BodySettings, bodySettings } from '../bodySettings.js'
import { type Model, ModelBuilder } from '../model.js'
import { SettingError, type SettingSpec, validateSetting } from '../validation.js'

/** Of free particles. */
export interface ParticleSettings extends BodySettings {
  /** Radius of each [m], 1e-4 to 1e3: what it keeps to colliders and to the surfaces of other bodies. Default 0.05. */
  radius: number
  /** Mass of each [kg], 1e-18 to 1e9; absent: that of balls of `density`, or even shares of `mass`. */
  masses: ArrayLike<number> | undefined
}

export const radiusSpec: SettingSpec = {
  quantity: 'radius',
  unit: 'm',
  type: 'number',
  default: 0.05,
  optional: true,
  min: 1e-4,
  max: 1e3,
  remedy: 'Use 0.05.',
}

interface ParticleOptions extends Partial<Pick<ParticleSettings, 'radius' | 'masses'>> {
  /** What errors call the particles. */
  name?: string
}

/**
 * A body without elements: particles that nothing holds together. Its measure is the volume of its balls [m^3], so that
 * `density` is that of their material; with `masses` it is their sum [kg].
 * @param positions [3 n] m, up to 1e9
 * @throws SettingError for no position, one out of range, a radius or a mass out of range
 */
export function particlesModel(positions: ArrayLike<number>, options: ParticleOptions = {}): Model {
  const { name = 'Particles', radius = radiusSpec.default as number, masses } = options
  const fail = (prop: string, value: unknown, problem: string, remedy: string): never => {
    throw new SettingError(name, prop, value, problem, remedy)
  }
  validateSetting(name, 'radius', radius, radiusSpec)
  const count = (positions?.length ?? 0) / 3
  if (count === 0 || !Number.isInteger(count)) {
    fail('positions', positions?.length, 'must be triples', 'Give x, y, z of one particle or more.')
  }
  const far = bodySettings.position.max!
  for (let k = 0; k < positions.length; k++) {
    if (!(Number.isFinite(positions[k]) && Math.abs(positions[k]!) <= far))
      fail('positions', positions[k], `is not a number of at most ${far}`, 'Use three finite numbers each, in metres.')
  }
  const builder = new ModelBuilder(Float64Array.from(positions))
  let measure = (count * 4 * Math.PI * radius * radius * radius) / 3
  if (masses !== undefined) {
    if (masses?.length !== count)
      fail('masses', masses?.length, `must be ${count} numbers`, 'Give one of each particle.')
    measure = 0
    for (let i = 0; i < count; i++) {
      validateSetting(name, 'masses', masses[i], { ...bodySettings.mass, optional: false })
      measure += masses[i]!
    }
    builder.weights(Float64Array.from(masses))
  }
  return builder.with({ measure, density: masses ? 1 : 1000, thickness: radius, size: 2 * radius }).build()
}

import { bodySettings } from './bodySettings.js'
import type { Host } from './host.js'
import { wakeBlown } from './sleep/wake.js'
import type { Handle } from './slots.js'
import {
  checkGroup,
  defaultsOf,
  merged,
  SettingError,
  type SettingTable,
  settled,
  validateSettings,
} from './validation.js'
import type { Vec3 } from './vectors.js'

/** Where a wind blows: a box along the axes, or a ball, in the world [m]. */
export type WindRegion = { readonly min: Vec3; readonly max: Vec3 } | { readonly center: Vec3; readonly radius: number }

export interface WindSettings {
  /** What errors call the wind. */
  name: string
  /** Mean velocity of the air [m/s]. */
  velocity: Vec3
  /** Largest change of the velocity by gusts, as a part of its size. */
  turbulence: number
  /** Size of a gust [m]. */
  turbulenceSize: number
  /** Which gusts there are; the same seed gives the same. */
  seed: number
  /** Where it blows; absent: everywhere. */
  region: WindRegion | undefined
}

export const windSettings: SettingTable<Omit<WindSettings, 'region'>> = {
  name: { ...bodySettings.name, default: 'Wind' },
  velocity: {
    quantity: 'velocity of the air',
    unit: 'm/s',
    type: 'vec3',
    default: [3, 0, 0],
    max: 1e3,
    remedy: 'Use [3, 0, 0] for a breeze, [12, 0, 0] for a strong wind.',
  },
  turbulence: {
    quantity: 'change of velocity over velocity',
    unit: '1',
    type: 'number',
    default: 0,
    min: 0,
    max: 10,
    remedy: 'Use 0 for an even wind, 0.5 for a gusty one.',
  },
  turbulenceSize: {
    quantity: 'length',
    unit: 'm',
    type: 'number',
    default: 1,
    min: 1e-3,
    max: 1e4,
    remedy: 'Use about the size of the cloth.',
  },
  seed: {
    quantity: 'seed',
    unit: '1',
    type: 'integer',
    default: 1,
    min: 0,
    max: 0x7fffffff,
    remedy: 'Use any whole number.',
  },
}

/** A wind's part of the state. */
export interface WindRecord extends Handle {
  settings: WindSettings
  /** How far the gusts have been carried [m]. */
  readonly drift: Float64Array
}

/** A wind in a world. Several add up. Once removed, every call is a safe no-op. */
export class Wind {
  constructor(
    private readonly host: Host,
    private readonly record: WindRecord,
  ) {}

  get alive(): boolean {
    this.host.flush()
    return this.host.state.winds.get(this.record) !== undefined
  }

  /** What is set now. */
  get settings(): Readonly<WindSettings> {
    return this.record.settings
  }

  /** Changes settings live; one that is undefined stays as it is, but `region: undefined` is everywhere. @throws SettingError */
  set(settings: Partial<WindSettings>): void {
    checkGroup(this.settings.name, 'settings', settings)
    const next = { ...merged(this.record.settings, settings) }
    if ('region' in settings) next.region = settings.region
    this.host.send({ type: 'setWind', wind: this.record, settings: checkedWindSettings(next) })
  }

  remove(): void {
    this.host.send({ type: 'removeWind', wind: this.record })
  }
}

/** A copy of `settings`. @throws SettingError that names what is wrong */
function checkedWindSettings(settings: WindSettings): WindSettings {
  const { region, ...rest } = settings
  const name = typeof settings.name === 'string' ? settings.name : windSettings.name.default
  validateSettings(String(name), rest, windSettings)
  return settled({ ...rest, region: region === undefined ? undefined : checkedRegion(String(name), region) })
}

function checkedRegion(name: string, region: WindRegion): WindRegion {
  const fail = (problem: string): never => {
    throw new SettingError(name, 'region', region, problem, 'Use { min, max } or { center, radius } in metres.')
  }
  const isPoint = (value: unknown): value is Vec3 =>
    Array.isArray(value) && value.length === 3 && value.every(Number.isFinite)
  if (typeof region !== 'object' || region === null) return fail('must be a box or a ball')
  if ('center' in region) {
    if (!isPoint(region.center)) fail('must have a center of three finite numbers')
    if (!(Number.isFinite(region.radius) && region.radius > 0)) fail('must have a radius above 0')
    return { center: [...region.center], radius: region.radius }
  }
  if (!isPoint(region.min) || !isPoint(region.max)) return fail('must have corners of three finite numbers')
  if (region.min.some((least, d) => least > region.max[d]!)) fail('must have min below max')
  return { min: [...region.min], max: [...region.max] }
}

/** @throws SettingError for a setting outside its range */
export function addWind(host: Host, settings: Partial<WindSettings>): Wind {
  const defaults: WindSettings = { ...defaultsOf(windSettings), region: undefined }
  checkGroup('Wind', 'settings', settings)
  const checked = checkedWindSettings(merged(defaults, settings))
  host.flush()
  const record = host.state.winds.add((slot, generation) => ({
    slot,
    generation,
    settings: checked,
    drift: new Float64Array(3),
  }))
  wakeBlown(host.state, checked.region)
  host.disturb()
  return new Wind(host, record)
}

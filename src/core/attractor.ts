import { bodySettings } from './bodySettings.js'
import { checkNumbers, checkTarget } from './checks.js'
import type { Host } from './host.js'
import { wakePulled } from './sleep/wake.js'
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
import type { MutableVec3, Vec3 } from './vectors.js'

/** How an attractor's pull goes with the distance r from it, a the `strength`: a, a r, or a / r^2. */
export type AttractorFalloff = 'constant' | 'linear' | 'newtonian'

export const falloffs: readonly AttractorFalloff[] = ['constant', 'linear', 'newtonian']

export interface AttractorSettings {
  /** What errors call the attractor. */
  name: string
  /** Where it starts [m]. */
  position: Vec3
  /** Acceleration towards it at a distance of 1 m [m/s^2]; below 0 it pushes away. Newton's G M, in m^3/s^2, as a number. */
  strength: number
  /** How the pull goes with the distance. */
  falloff: AttractorFalloff
  /** Distance beyond which nothing is pulled [m]. */
  range: number
  /** Within this distance [m] a constant or Newtonian pull goes down to nothing in proportion, as within an even ball. */
  radius: number
}

export const attractorSettings: SettingTable<Omit<AttractorSettings, 'falloff'>> = {
  name: { ...bodySettings.name, default: 'Attractor' },
  position: bodySettings.position,
  strength: {
    quantity: 'acceleration at 1 m',
    unit: 'm/s^2',
    type: 'number',
    default: 9.81,
    min: -1e9,
    max: 1e9,
    remedy: 'Use 9.81; below 0 it pushes away.',
  },
  range: {
    quantity: 'length',
    unit: 'm',
    type: 'number',
    default: Number.POSITIVE_INFINITY,
    min: 0,
    minExclusive: true,
    max: Number.POSITIVE_INFINITY,
    remedy: 'Use metres, or Infinity for everywhere.',
  },
  radius: {
    quantity: 'length',
    unit: 'm',
    type: 'number',
    default: 0.1,
    min: 0,
    minExclusive: true,
    max: 1e9,
    remedy: 'Use the radius of the planet, or 0.1.',
  },
}

/** An attractor's part of the state. */
export interface AttractorRecord extends Handle {
  settings: AttractorSettings
  /** Where it is at the start of the next step [m], at its end, and where it was asked to go in `sweep` steps. */
  readonly from: Float64Array
  readonly target: Float64Array
  readonly goal: Float64Array
  sweep: number
}

/** Pulls every body of a world towards a point, by its `gravityScale`. Several add up. Once removed, every call is a safe no-op. */
export class Attractor {
  constructor(
    private readonly host: Host,
    private readonly record: AttractorRecord,
  ) {}

  get alive(): boolean {
    this.host.flush()
    return this.host.state.attractors.get(this.record) !== undefined
  }

  /** What is set now. `position` is where it was put last by `addAttractor` or `set`. */
  get settings(): Readonly<AttractorSettings> {
    this.host.flush()
    return this.record.settings
  }

  /** Changes settings live; a `position` puts it there without a sweep. @throws SettingError */
  set(settings: Partial<AttractorSettings>): void {
    checkGroup(this.settings.name, 'settings', settings)
    const next = checkedAttractorSettings({ ...merged(this.settings, settings) })
    const position = settings.position === undefined ? undefined : next.position
    this.host.send({ type: 'setAttractor', attractor: this.record, settings: next, position })
  }

  /**
   * Leads it to a place [m], evenly over the frame's steps; one that is not finite is ignored. Allocates nothing.
   * @throws SettingError for what is no place
   */
  moveTo(position: Vec3): void {
    const { goal, settings } = this.record
    checkNumbers(settings.name, 'moveTo', position, 3)
    if (!Number.isFinite(position[0] + position[1] + position[2])) return
    if (goal[0] === position[0] && goal[1] === position[1] && goal[2] === position[2]) return
    for (let d = 0; d < 3; d++) goal[d] = position[d]!
    this.record.sweep = this.host.sweep
    this.host.disturb()
  }

  /** Where it is now [m]. */
  position(target: MutableVec3 = [0, 0, 0]): MutableVec3 {
    checkTarget(this.record.settings.name, 'position', target)
    for (let d = 0; d < 3; d++) target[d] = this.record.from[d]!
    return target
  }

  remove(): void {
    this.host.send({ type: 'removeAttractor', attractor: this.record })
  }
}

/** A copy of `settings`. @throws SettingError that names what is wrong */
function checkedAttractorSettings(settings: AttractorSettings): AttractorSettings {
  const { falloff, ...rest } = settings
  const name = typeof settings.name === 'string' ? settings.name : String(attractorSettings.name.default)
  validateSettings(name, rest, attractorSettings)
  if (!falloffs.includes(falloff)) {
    const remedy = `Use ${falloffs.map((one) => `'${one}'`).join(', ')}.`
    throw new SettingError(name, 'falloff', falloff, 'is not known', remedy)
  }
  return settled({ ...rest, falloff })
}

/** @throws SettingError for a setting outside its range */
export function addAttractor(host: Host, settings: Partial<AttractorSettings>): Attractor {
  const defaults: AttractorSettings = { ...defaultsOf(attractorSettings), falloff: 'constant' }
  checkGroup('Attractor', 'settings', settings)
  const checked = checkedAttractorSettings(merged(defaults, settings))
  host.flush()
  const record = host.state.attractors.add((slot, generation) => ({
    slot,
    generation,
    settings: checked,
    from: Float64Array.from(checked.position),
    target: Float64Array.from(checked.position),
    goal: Float64Array.from(checked.position),
    sweep: 1,
  }))
  wakePulled(host.state, record)
  host.disturb()
  return new Attractor(host, record)
}

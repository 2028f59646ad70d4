import type { SettingTable } from './validation.js'
import type { Vec3 } from './vectors.js'

export interface WorldSettings {
  /** Gravitational acceleration [m/s^2]. */
  gravity: Vec3
  /** Length of a fixed step [s]. */
  timeStep: number
  /** Substeps of a step; more are stiffer and cost in proportion. */
  substeps: number
  /** Constraint sweeps of a substep; substeps are the better way to spend the same time. */
  iterations: number
  /** Most steps one call of `advance` may run; time beyond is dropped and counted. */
  maxSteps: number
  /** Simulated seconds per second; 0 stands still. */
  timeScale: number
  /** True stops `advance`; `step` still steps. */
  paused: boolean
  /** Velocity of the air [m/s], everywhere; `World.addWind` adds more. */
  wind: Vec3
  /** Density of the air [kg/m^3]: how hard it pushes a body that has `drag` or `lift`. */
  airDensity: number
  /** Largest particle speed [m/s]; reaching it is counted in `stats.speedClamps`. */
  maxSpeed: number
  /** True puts bodies to sleep that rest: they cost nothing until something wakes them. */
  sleeping: boolean
}

export const worldSettings: SettingTable<WorldSettings> = {
  gravity: {
    quantity: 'acceleration',
    unit: 'm/s^2',
    type: 'vec3',
    default: [0, -9.81, 0],
    max: 1e9,
    remedy: 'Use [0, -9.81, 0] for the Earth, [0, 0, 0] for none.',
  },
  timeStep: {
    quantity: 'time',
    unit: 's',
    type: 'number',
    default: 1 / 60,
    min: 1e-5,
    max: 0.1,
    remedy: 'Use 1 / 60, or 1 / 120 for fast scenes.',
  },
  substeps: {
    quantity: 'count',
    unit: '1',
    type: 'integer',
    default: 10,
    min: 1,
    max: 200,
    remedy: 'Use 10; 20 for stiff or thin bodies.',
  },
  iterations: {
    quantity: 'count',
    unit: '1',
    type: 'integer',
    default: 1,
    min: 1,
    max: 200,
    remedy: 'Use 1 and raise substeps instead.',
  },
  maxSteps: { quantity: 'count', unit: '1', type: 'integer', default: 5, min: 1, max: 1000, remedy: 'Use 5.' },
  timeScale: {
    quantity: 'ratio',
    unit: '1',
    type: 'number',
    default: 1,
    min: 0,
    max: 100,
    remedy: 'Use 1, or 0.25 for slow motion.',
  },
  paused: { quantity: 'switch', unit: '1', type: 'boolean', default: false, remedy: 'Use true or false.' },
  wind: {
    quantity: 'velocity of the air',
    unit: 'm/s',
    type: 'vec3',
    default: [0, 0, 0],
    max: 1e3,
    remedy: 'Use [3, 0, 0] for a breeze, [12, 0, 0] for a strong wind.',
  },
  airDensity: {
    quantity: 'density',
    unit: 'kg/m^3',
    type: 'number',
    default: 1.2,
    min: 0,
    max: 1e4,
    remedy: 'Use 1.2 for air, 0 for a vacuum.',
  },
  maxSpeed: {
    quantity: 'speed',
    unit: 'm/s',
    type: 'number',
    default: 500,
    min: 0,
    max: 1e6,
    minExclusive: true,
    remedy: 'Use 500.',
  },
  sleeping: { quantity: 'switch', unit: '1', type: 'boolean', default: true, remedy: 'Use true or false.' },
}

const idle: ReadonlySet<string> = new Set(['paused', 'timeScale', 'maxSteps'])
const airy: ReadonlySet<string> = new Set(['wind', 'airDensity'])

/** True where a body that rests under the settings of before may not under those of now, whatever the air does to it. */
export function movesOtherwise(before: WorldSettings, now: WorldSettings): boolean {
  return changesOf(before, now).some((key) => !idle.has(key) && !airy.has(key))
}

/** True where the air acts otherwise on what feels it. */
export function blowsOtherwise(before: WorldSettings, now: WorldSettings): boolean {
  return changesOf(before, now).some((key) => airy.has(key))
}

function changesOf(before: WorldSettings, now: WorldSettings): (keyof WorldSettings)[] {
  return (Object.keys(before) as (keyof WorldSettings)[]).filter((key) => String(before[key]) !== String(now[key]))
}

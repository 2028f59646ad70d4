// Props of solids.
import { bodySettings, plasticitySettings, presets, type SettingSpec } from '../../headless.js'
import { bodyGeometry, bodyProps } from './bodies.js'
import { fromCore, isNumber, number, oneOf, other, type PropTable, rebuild, toggle } from './row.js'

const isCompliance = (value: unknown) => isNumber(value) && value >= 0 && value <= 1e12

const isGroup = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function checkYoungsModulus(value: unknown): string | undefined {
  if (value === false || (isNumber(value) && value >= 1 && value <= 1e12)) return undefined
  return 'must be false or between 1 and 1e12'
}

function checkCompliance(value: unknown): string | undefined {
  return value === false || isCompliance(value) ? undefined : 'must be false or between 0 and 1e12'
}

const isClusters = (value: unknown) => Number.isInteger(value) && isNumber(value) && value >= 1 && value <= 16

function checkPressure(value: unknown): string | undefined {
  if (value === false) return undefined
  if (!isNumber(value) && !isGroup(value)) return 'must be false, a ratio or an object'
  const given: Record<string, unknown> = isNumber(value) ? { ratio: value } : value
  const { ratio = 1, modulus, compliance, ...others } = given
  if (Object.keys(others).length > 0) return `has no ${Object.keys(others)[0]}`
  if (modulus !== undefined && compliance !== undefined) return 'must state a modulus or a compliance, not both'
  if (!isNumber(ratio) || ratio < 0.01 || ratio > 10) return 'must be false or have a ratio from 0.01 to 10'
  if (modulus !== undefined && !(isNumber(modulus) && modulus >= 1e-60 && modulus <= 1e12)) {
    return 'must have a modulus above 0, up to 1e12'
  }
  return compliance === undefined || isCompliance(compliance) ? undefined : 'must have a compliance from 0 to 1e12'
}

const isRate = (value: unknown) => isNumber(value) && value > 0 && value <= 1e6

function checkRelaxation(value: unknown): string | undefined {
  return isRate(value) ? undefined : 'must be above 0, up to 1e6'
}

function checkShapeMatching(value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined
  if (!isGroup(value)) return 'must be true, false or an object'
  const { rate, compliance, relaxation, clusters, linear, ...others } = value
  if (Object.keys(others).length > 0) return `has no ${Object.keys(others)[0]}`
  if (clusters !== undefined && !isClusters(clusters)) return 'must have clusters from 1 to 16, a whole number'
  if (linear !== undefined && !(isNumber(linear) && linear >= 0 && linear <= 1)) return 'must have linear from 0 to 1'
  const stated = [rate, compliance, relaxation].filter((one) => one !== undefined).length
  if (stated > 1) return 'must state one of a rate, a compliance and a relaxation'
  if (stated === 0 || isRate(rate) || isRate(relaxation) || isCompliance(compliance)) return undefined
  return 'must be true, false, { rate } or { relaxation } above 0, or { compliance } of 0 or above'
}

function checkPlasticity(value: unknown): string | undefined {
  if (value === false) return undefined
  if (!isGroup(value)) return 'must be false or an object'
  for (const [key, number] of Object.entries(value)) {
    const spec = (plasticitySettings as Readonly<Record<string, SettingSpec>>)[key]
    if (!spec) return `has no ${key}`
    if (number !== undefined && !(isNumber(number) && number >= spec.min! && number <= spec.max!)) {
      return `must have ${key} from ${spec.min} to ${spec.max}`
    }
  }
  return undefined
}

function checkObject(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'isObject3D' in value ? undefined : 'is no object of three'
}

function checkTetMesh(value: unknown): string | undefined {
  const { positions, tets } = (value ?? {}) as { positions?: ArrayLike<number>; tets?: ArrayLike<number> }
  if (!positions || !tets) return 'must hold positions and tets'
  if (positions.length === 0 || positions.length % 3 !== 0) return 'must hold three numbers a position'
  if (tets.length === 0 || tets.length % 4 !== 0) return 'must hold four indices a tetrahedron'
  return undefined
}

const elasticRemedy = 'Use 0 for rigid, larger for softer, false to switch it off.'

const { jelly } = presets

/** `<SoftBody>` and `useSoftBody`. What a preset sets has the default of jelly, which is the default one. */
export const softBodyProps = {
  ...bodyProps,
  shapeDamping: { ...bodyProps.shapeDamping, default: jelly.shapeDamping },
  friction: { ...bodyProps.friction, default: jelly.friction },
  rollingFriction: { ...bodyProps.rollingFriction, default: jelly.rollingFriction },
  restitution: { ...bodyProps.restitution, default: jelly.restitution },
  geometry: bodyGeometry,
  object: rebuild(other('scene', '1', undefined, 'Object3D', checkObject, 'Use the scene of useGLTF.')),
  preset: oneOf('named material', 'jelly', Object.keys(presets)),
  density: { ...fromCore(bodySettings.density), default: jelly.density },
  youngsModulus: other(
    "Young's modulus",
    'Pa',
    undefined,
    'false | 1 to 1e12',
    checkYoungsModulus,
    'Use 8e4 for jelly, 6e5 for rubber, false to switch it off.',
  ),
  poissonRatio: number("Poisson's ratio", '1', undefined, 0, 0.495, 'Use 0.45 for what is mostly water, 0.3 for foam.'),
  edgeCompliance: other('inverse stiffness', 'm/N', undefined, 'false, 0 to 1e12', checkCompliance, elasticRemedy),
  edgeRelaxation: {
    ...other(
      'rate of return of the edges',
      '1/s',
      undefined,
      'above 0 to 1e6',
      checkRelaxation,
      'Use 10, or leave it out for edges that swing.',
    ),
    excludes: 'edgeCompliance',
  },
  volumeCompliance: other('inverse stiffness', 'm^5/N', undefined, 'false, 0 to 1e12', checkCompliance, elasticRemedy),
  shapeMatching: other(
    'pull to the rest shape',
    '1/s or m/N',
    undefined,
    'boolean | { rate? | compliance? | relaxation?, clusters?: 1 to 16, linear?: 0 to 1 }',
    checkShapeMatching,
    'Use true, { rate: 20 } for a soft one, or { rate: 60, clusters: 4 } for a bar.',
  ),
  pressure: other(
    'volume over rest volume',
    '1',
    undefined,
    'false | 0.01 to 10 | { ratio?, modulus? | compliance? }',
    checkPressure,
    'Use 1 for the rest volume, 1.5 to inflate, false to switch it off.',
  ),
  rescue: toggle('drawing back what is inside out', true),
  plasticity: other(
    'shape that stays',
    '1 and 1/s',
    undefined,
    'false | { yield?: 0 to 10, creep?: 0 to 1e6, max?: 0 to 2 }',
    checkPlasticity,
    'Use { yield: 0.05, creep: 20, max: 1 }, or false.',
  ),
  resolution: rebuild({
    ...number('cells along the longest side', '1', 10, 1, 64, 'Use 10; 4 is coarse and fast.'),
    type: 'integer',
  }),
  tetCount: rebuild({
    ...number('tetrahedra wanted', '1', undefined, 20, 1e6, 'Use 2000, or leave it out and use resolution.'),
    type: 'integer',
  }),
  tetMesh: rebuild(
    other('ready tetrahedra', 'm', undefined, '{ positions, tets }', checkTetMesh, 'Leave it out to have them made.'),
  ),
  creaseAngle: rebuild(number('angle', 'degrees', 30, 0, 180, 'Use 30; 180 is smooth everywhere.')),
} satisfies PropTable

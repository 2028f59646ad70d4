import {
  bodySettings,
  clothArgs,
  colliderSettings,
  SettingError,
  type SettingSpec,
  validateSetting,
  worldSettings,
} from '../headless.js'

/**
 * When a change of a prop takes effect: `live` with the next step, `teleport` puts the rest shape at the new place,
 * `rebuild` makes the body anew where it is.
 */
export type Applies = 'live' | 'teleport' | 'rebuild'

/** One row of a component's prop table: what validates the prop, and what its documentation and its tests go by. */
export interface PropRow extends Omit<SettingSpec, 'type'> {
  readonly applies: Applies
  /** A plain kind of value, or 'other' where `check` decides. */
  readonly type: SettingSpec['type'] | 'other'
  /** The range in words. */
  readonly range: string
  /** What is wrong with a value, undefined when nothing is. */
  readonly check?: (value: unknown) => string | undefined
}

export type PropTable = Readonly<Record<string, PropRow>>

function fromCore(spec: SettingSpec, applies: Applies = 'live'): PropRow {
  const { min, max } = spec
  const numeric = min !== undefined && max !== undefined
  return {
    ...spec,
    optional: true,
    applies,
    range: numeric ? `${spec.minExclusive ? 'above ' : ''}${min} to ${max}` : spec.type,
  }
}

function number(quantity: string, unit: string, value: unknown, min: number, max: number, remedy: string): PropRow {
  const range = `${min} to ${max}`
  return { quantity, unit, type: 'number', default: value, min, max, optional: true, applies: 'live', range, remedy }
}

function toggle(quantity: string, value: boolean): PropRow {
  const remedy = 'Use true or false.'
  return {
    quantity,
    unit: '1',
    type: 'boolean',
    default: value,
    optional: true,
    applies: 'live',
    range: 'boolean',
    remedy,
  }
}

function other(
  quantity: string,
  unit: string,
  value: unknown,
  range: string,
  check: (value: unknown) => string | undefined,
  remedy: string,
): PropRow {
  return { quantity, unit, type: 'other', default: value, optional: true, applies: 'live', range, check, remedy }
}

function oneOf(quantity: string, value: string, names: readonly string[]): PropRow {
  const range = names.map((name) => `'${name}'`).join(' | ')
  const check = (given: unknown) => (names.includes(given as string) ? undefined : 'is not known')
  return other(quantity, '1', value, range, check, `Use one of ${range}.`)
}

const rebuild = (row: PropRow): PropRow => ({ ...row, applies: 'rebuild' })
const isNumber = (value: unknown): value is number => typeof value === 'number' && !Number.isNaN(value)
const atLeastZero = (value: unknown) => (isNumber(value) && value >= 0 ? undefined : 'must be 0 or above')

function modulus(value: number): PropRow {
  return other('stiffness', 'N/m', value, '0 to Infinity', atLeastZero, `Use ${value}; Infinity gives way nowhere.`)
}

/** Names of the layers of a DebugView, in the order in which they are drawn. */
export const debugLayers = ['constraints', 'particles', 'pins', 'bounds'] as const

function checkLayers(value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined
  const names: readonly string[] = debugLayers
  if (Array.isArray(value) && value.every((name) => names.includes(name))) return undefined
  return 'must be true, false or a list of layers'
}

function checkPins(value: unknown): string | undefined {
  if (value === 'top' || value === 'corners' || typeof value === 'function') return undefined
  if (Array.isArray(value)) {
    return value.every((index) => Number.isInteger(index) && index >= 0) ? undefined : 'must hold vertex indices'
  }
  if (typeof value === 'object' && value !== null) {
    if ('isBox3' in value) return undefined
    if ('attribute' in value && typeof value.attribute === 'string') return undefined
  }
  return 'selects no vertices'
}

function checkCompliance(value: unknown): string | undefined {
  if (value === false) return undefined
  return isNumber(value) && value >= 0 && value <= 1e12 ? undefined : 'must be false or between 0 and 1e12'
}

function checkShapeMatching(value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined
  const { rate, compliance } = (value ?? {}) as { rate?: unknown; compliance?: unknown }
  if (rate !== undefined && compliance !== undefined) return 'must state a rate or a compliance, not both'
  if (isNumber(rate) && rate > 0 && rate <= 1e6) return undefined
  if (isNumber(compliance) && compliance >= 0 && compliance <= 1e12) return undefined
  return 'must be true, false, { rate } above 0 or { compliance } of 0 or above'
}

function checkTetMesh(value: unknown): string | undefined {
  const { positions, tets } = (value ?? {}) as { positions?: ArrayLike<number>; tets?: ArrayLike<number> }
  if (!positions || !tets) return 'must hold positions and tets'
  if (positions.length === 0 || positions.length % 3 !== 0) return 'must hold three numbers a position'
  if (tets.length === 0 || tets.length % 4 !== 0) return 'must hold four indices a tetrahedron'
  return undefined
}

function checkSizes(count: number): (value: unknown) => string | undefined {
  return (value) =>
    Array.isArray(value) && value.length === count && value.every((size) => Number.isFinite(size) && size > 0)
      ? undefined
      : `must be ${count === 1 ? 'one size' : `${count} sizes`} above 0`
}

function checkClothArgs(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length > 4) return 'must be [width, height, segmentsX, segmentsY]'
  const specs = Object.values(clothArgs)
  for (let k = 0; k < value.length; k++) {
    const { min = 0, max = 0, minExclusive, type } = specs[k]!
    const number = value[k] ?? specs[k]!.default
    if (!isNumber(number) || number < min || number > max || (minExclusive && number === min)) {
      return `must have ${Object.keys(clothArgs)[k]} ${minExclusive ? 'above' : 'from'} ${min} to ${max}`
    }
    if (type === 'integer' && !Number.isInteger(number)) return 'must have whole numbers of segments'
  }
  return undefined
}

function checkGroundSize(value: unknown): string | undefined {
  return isNumber(value) ? checkSizes(1)([value]) : checkSizes(2)(value)
}

/** `<SoftBodyWorld>`. */
export const worldProps = {
  gravity: fromCore(worldSettings.gravity),
  timeStep: fromCore(worldSettings.timeStep),
  substeps: fromCore(worldSettings.substeps),
  iterations: fromCore(worldSettings.iterations),
  maxSteps: fromCore(worldSettings.maxSteps),
  timeScale: fromCore(worldSettings.timeScale),
  paused: fromCore(worldSettings.paused),
  maxSpeed: fromCore(worldSettings.maxSpeed),
  interpolate: toggle('drawing between steps', true),
  pauseWhenHidden: toggle('pause with the page', true),
  updateLoop: oneOf('what drives the world', 'follow', ['follow', 'independent', 'manual']),
  updatePriority: number('priority of the frame', '1', 0, -1e6, 0, 'Use 0, or below to run earlier.'),
  debug: other('layers', '1', false, `boolean | (${debugLayers.join(' | ')})[]`, checkLayers, 'Use true for all.'),
} satisfies PropTable

const surfaceProps = {
  friction: fromCore(colliderSettings.friction),
  restitution: fromCore(colliderSettings.restitution),
}

const bodyProps = {
  mass: fromCore(bodySettings.mass),
  damping: fromCore(bodySettings.damping),
  shapeDamping: fromCore(bodySettings.shapeDamping),
  friction: fromCore(bodySettings.friction),
  restitution: fromCore(bodySettings.restitution),
  thickness: fromCore(bodySettings.thickness),
  gravityScale: fromCore(bodySettings.gravityScale),
  pins: other('held vertices', '1', undefined, 'selector', checkPins, "Use 'top', 'corners', a Box3 or a predicate."),
  grabbable: toggle('poked and grabbed by the pointer', true),
  pokeForce: number('force', 'weights', 1, 0, 1e6, 'Use 1, or 0 to switch poking off.'),
  grabForce: other('force', 'N', undefined, '0 or above', atLeastZero, 'Leave it out for 400 m/s^2 times the mass.'),
}

const elasticRemedy = 'Use 0 for rigid, larger for softer, false to switch it off.'

/** `<SoftBody>` and `useSoftBody`. */
export const softBodyProps = {
  ...bodyProps,
  preset: oneOf('named elastic settings', 'jelly', ['jelly', 'rubber', 'firm']),
  density: fromCore(bodySettings.density),
  edgeCompliance: other('inverse stiffness', 'm/N', undefined, 'false, 0 to 1e12', checkCompliance, elasticRemedy),
  volumeCompliance: other('inverse stiffness', 'm^5/N', undefined, 'false, 0 to 1e12', checkCompliance, elasticRemedy),
  shapeMatching: other(
    'pull to the rest shape',
    '1/s or m/N',
    undefined,
    'boolean | { rate } | { compliance }',
    checkShapeMatching,
    'Use true, or { rate: 20 } for a soft one.',
  ),
  resolution: rebuild({
    ...number('cells along the longest side', '1', 10, 1, 64, 'Use 10; 4 is coarse and fast.'),
    type: 'integer',
  }),
  tetMesh: rebuild(
    other('ready tetrahedra', 'm', undefined, '{ positions, tets }', checkTetMesh, 'Leave it out to have them made.'),
  ),
  creaseAngle: rebuild(number('angle', 'degrees', 30, 0, 180, 'Use 30; 180 is smooth everywhere.')),
} satisfies PropTable

/** `<Cloth>`. */
export const clothProps = {
  ...bodyProps,
  args: rebuild(
    other('size and segments', 'm', [1, 1, 16, 16], 'above 0; 1 to 512', checkClothArgs, 'Use [1, 1, 16, 16].'),
  ),
  areaDensity: { ...fromCore(bodySettings.density), unit: 'kg/m^2', default: 0.2, remedy: 'Use 0.2 for a sheet.' },
  stretchModulus: modulus(2000),
  shearModulus: modulus(200),
  bendModulus: modulus(2),
} satisfies PropTable

/** `<Ground>`. */
export const groundProps = {
  ...surfaceProps,
  size: other('side of the drawn plane', 'm', undefined, 'above 0', checkGroundSize, 'Use 20 or [20, 10].'),
} satisfies PropTable

/** `<Collider.Plane>`. */
export const planeColliderProps = surfaceProps satisfies PropTable

/** `<Collider.Box>`. */
export const boxColliderProps = {
  ...surfaceProps,
  args: other('width, height, depth', 'm', [1, 1, 1], 'three sizes above 0', checkSizes(3), 'Use [1, 1, 1].'),
} satisfies PropTable

/** `<Collider.Sphere>`. */
export const sphereColliderProps = {
  ...surfaceProps,
  args: other('radius', 'm', [1], 'above 0', checkSizes(1), 'Use [0.5].'),
} satisfies PropTable

/** `<Pin>`. */
export const pinProps = {
  at: { ...bodyProps.pins, optional: false },
} satisfies PropTable

/** `<DebugView>`. */
export const debugViewProps = {
  layers: other(
    'layers',
    '1',
    [...debugLayers],
    `(${debugLayers.join(' | ')})[]`,
    checkLayers,
    'Leave it out for all.',
  ),
} satisfies PropTable

/** Throws a SettingError when the value of one prop is outside its row. */
export function validateProp(component: string, prop: string, value: unknown, row: PropRow): void {
  if (row.type !== 'other') {
    validateSetting(component, prop, value, row as SettingSpec)
    return
  }
  if (value === undefined && row.optional) return
  const problem = value === undefined ? 'must be given' : row.check?.(value)
  if (problem) throw new SettingError(component, prop, value, problem, row.remedy)
}

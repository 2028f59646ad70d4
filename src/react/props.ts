import {
  attractorSettings,
  bodySettings,
  clothArgs,
  colliderSettings,
  jointSettings,
  limbNames,
  plasticitySettings,
  presets,
  problemOfPoints,
  radiusSpec,
  ragdollSettings,
  ropePoints,
  ropeSettings,
  SettingError,
  type SettingSpec,
  springSettings,
  validateSetting,
  windSettings,
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

function stiffness(quantity: string, unit: string, value: number): PropRow {
  return other(quantity, unit, value, '0 to Infinity', atLeastZero, `Use ${value}; Infinity gives way nowhere.`)
}

/** Names of the layers of a DebugView, in the order in which they are drawn. */
export const debugLayers = ['tets', 'edges', 'particles', 'contacts', 'pins', 'bounds'] as const

function checkLayers(value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined
  const names: readonly string[] = debugLayers
  if (Array.isArray(value) && value.every((name) => names.includes(name))) return undefined
  return 'must be true, false or a list of layers'
}

function checkIndices(value: unknown): string | undefined {
  const valid = Array.isArray(value) && value.every((index) => Number.isInteger(index) && index >= 0)
  return valid ? undefined : 'must hold vertex indices'
}

/** Parts that bodies have by name. */
const partNames = new Set<unknown>(['top', 'corners', 'start', 'end', 'ends', ...limbNames])

function checkPins(value: unknown): string | undefined {
  if (partNames.has(value) || typeof value === 'function') return undefined
  if (Array.isArray(value)) {
    const names: readonly unknown[] = limbNames
    return value.length > 0 && value.every((name) => names.includes(name)) ? undefined : checkIndices(value)
  }
  if (typeof value === 'object' && value !== null) {
    if ('isBox3' in value) return undefined
    if ('attribute' in value && typeof value.attribute === 'string') return undefined
    if ('mesh' in value && typeof value.mesh === 'string') {
      return 'indices' in value && value.indices !== undefined ? checkIndices(value.indices) : undefined
    }
  }
  return 'selects no vertices'
}

const isCompliance = (value: unknown) => isNumber(value) && value >= 0 && value <= 1e12

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
  const given = isNumber(value) ? { ratio: value } : ((value ?? {}) as Record<string, unknown>)
  const { ratio, modulus, compliance } = given
  if (modulus !== undefined && compliance !== undefined) return 'must state a modulus or a compliance, not both'
  if (!isNumber(ratio) || ratio < 0.01 || ratio > 10) return 'must be false or have a ratio from 0.01 to 10'
  if (modulus !== undefined && !(isNumber(modulus) && modulus > 0 && modulus <= 1e12)) return 'has no modulus above 0'
  return compliance === undefined || isCompliance(compliance) ? undefined : 'has no compliance of 0 or above'
}

const isRelaxation = (value: unknown) => isNumber(value) && value > 0 && value <= 1e6

function checkRelaxation(value: unknown): string | undefined {
  return isRelaxation(value) ? undefined : 'must be above 0, up to 1e6'
}

function checkShapeMatching(value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined
  const { rate, compliance, relaxation, clusters, linear } = (value ?? {}) as Record<string, unknown>
  if (clusters !== undefined && !isClusters(clusters)) return 'must have clusters from 1 to 16, a whole number'
  if (linear !== undefined && !(isNumber(linear) && linear >= 0 && linear <= 1)) return 'must have linear from 0 to 1'
  if ([rate, compliance, relaxation].filter((stated) => stated !== undefined).length > 1) {
    return 'must state one of a rate, a compliance and a relaxation'
  }
  if (isRelaxation(relaxation)) return undefined
  if (isNumber(rate) && rate > 0 && rate <= 1e6) return undefined
  if (isCompliance(compliance)) return undefined
  return 'must be true, false, { rate } or { relaxation } above 0, or { compliance } of 0 or above'
}

function checkPlasticity(value: unknown): string | undefined {
  if (value === false) return undefined
  if (typeof value !== 'object' || value === null) return 'must be false or an object'
  for (const [key, number] of Object.entries(value)) {
    const spec = (plasticitySettings as Readonly<Record<string, SettingSpec>>)[key]
    if (!spec) return `has no ${key}`
    if (number !== undefined && !(isNumber(number) && number >= spec.min! && number <= spec.max!)) {
      return `must have ${key} from ${spec.min} to ${spec.max}`
    }
  }
  return undefined
}

function checkTether(value: unknown): string | undefined {
  return typeof value === 'boolean' || (isNumber(value) && value >= 1) ? undefined : 'must be true, false or 1 or above'
}

function checkStrainLimit(value: unknown): string | undefined {
  return value === false ? undefined : atLeastZero(value)
}

const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length === 3 && value.every(Number.isFinite)

/** Those of a vector of three; anything else stays as it is. */
function coordinates(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('isVector3' in value)) return value
  const { x, y, z } = value as unknown as { x: number; y: number; z: number }
  return [x, y, z]
}

function checkDirection(value: unknown): string | undefined {
  if (!isVector(value)) return 'must be three finite numbers'
  return value.some((part) => part !== 0) ? undefined : 'has no direction'
}

function checkWindRegion(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'must be a box or a ball'
  const { min, max, center, radius } = value as Readonly<Record<string, unknown>>
  if (center !== undefined) {
    const isBall = isVector(coordinates(center)) && isNumber(radius) && radius > 0 && radius < Number.POSITIVE_INFINITY
    return isBall ? undefined : 'must have a center and a radius above 0'
  }
  const [low, high] = [coordinates(min), coordinates(max)]
  if (!isVector(low) || !isVector(high)) return 'must have finite corners min and max'
  return low.some((least, d) => least > high[d]!) ? 'must have min below max' : undefined
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

function checkSizes(count: number): (value: unknown) => string | undefined {
  return (value) =>
    Array.isArray(value) && value.length === count && value.every((size) => Number.isFinite(size) && size > 0)
      ? undefined
      : `must be ${count === 1 ? 'one size' : `${count} sizes`} above 0`
}

function checkStretch(value: unknown): string | undefined {
  const moduli = Array.isArray(value) ? value : [value]
  const sound = (one: unknown) => typeof one === 'number' && one >= 0
  return moduli.length <= 2 && moduli.length > 0 && moduli.every(sound) ? undefined : 'must be 0 or above, or two such'
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

function checkGeometry(value: unknown): string | undefined {
  const geometry = typeof value === 'object' && value !== null && 'isBufferGeometry' in value
  return geometry ? undefined : 'is no geometry of three'
}

const isHeight = (value: unknown) => isNumber(value) && Math.abs(value) < 1e9

function checkHeights(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length < 2) return 'must hold two rows or more'
  const rows = value as ArrayLike<unknown>[]
  const columns = rows[0]?.length ?? 0
  if (columns < 2) return 'must hold two heights a row, or more'
  if (rows.some((row) => row?.length !== columns)) return 'must have rows of equal length'
  return rows.every((row) => Array.from(row).every(isHeight)) ? undefined : 'must hold finite heights'
}

function checkPoints(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length < 4) return 'must hold four points or more'
  const isPoint = (point: unknown) => Array.isArray(point) && point.length === 3 && point.every(Number.isFinite)
  return value.every(isPoint) ? undefined : 'must hold points of three finite numbers'
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
  wind: fromCore(worldSettings.wind),
  airDensity: fromCore(worldSettings.airDensity),
  maxSpeed: fromCore(worldSettings.maxSpeed),
  sleeping: fromCore(worldSettings.sleeping),
  interpolate: toggle('drawing between steps', true),
  pauseWhenHidden: toggle('pause with the page', true),
  updateLoop: oneOf('what drives the world', 'follow', ['follow', 'independent', 'manual']),
  keyboard: toggle('grabbing with the keyboard', true),
  updatePriority: number('priority of the frame', '1', 0, -1e6, 0, 'Use 0, or below to run earlier.'),
  debug: other('layers', '1', false, `boolean | (${debugLayers.join(' | ')})[]`, checkLayers, 'Use true for all.'),
} satisfies PropTable

function handler(event: string): PropRow {
  const check = (value: unknown) => (typeof value === 'function' ? undefined : 'must be a function')
  return other(event, '1', undefined, 'function', check, 'Give a function, or leave it out.')
}

const contactHandlers = {
  onContactEnter: handler('a touch begins'),
  onContactExit: handler('a touch ends'),
  onImpact: handler('a blow'),
}

const surfaceProps = {
  friction: fromCore(colliderSettings.friction),
  restitution: fromCore(colliderSettings.restitution),
  collisionGroups: fromCore(colliderSettings.collisionGroups),
  sensor: fromCore(colliderSettings.sensor),
  surfaceVelocity: fromCore(colliderSettings.surfaceVelocity),
  ...contactHandlers,
}

const bodyProps = {
  mass: fromCore(bodySettings.mass),
  damping: fromCore(bodySettings.damping),
  shapeDamping: fromCore(bodySettings.shapeDamping),
  friction: fromCore(bodySettings.friction),
  restitution: fromCore(bodySettings.restitution),
  contactDamping: fromCore(bodySettings.contactDamping),
  thickness: fromCore(bodySettings.thickness),
  gravityScale: fromCore(bodySettings.gravityScale),
  collisionGroups: fromCore(bodySettings.collisionGroups),
  sensor: fromCore(bodySettings.sensor),
  canSleep: fromCore(bodySettings.canSleep),
  selfCollision: fromCore(bodySettings.selfCollision),
  drag: fromCore(bodySettings.drag),
  lift: fromCore(bodySettings.lift),
  ...contactHandlers,
  onSleep: handler('the body falls asleep'),
  onWake: handler('the body wakes'),
  pins: other('held vertices', '1', undefined, 'selector', checkPins, "Use 'top', 'corners', a Box3 or a predicate."),
  grabbable: toggle('poked and grabbed by the pointer', true),
  pokeForce: number('force', 'weights', 1, 0, 1e6, 'Use 1, or 0 to switch poking off.'),
  grabForce: other('force', 'N', undefined, '0 or above', atLeastZero, 'Leave it out for 400 m/s^2 times the mass.'),
}

const elasticRemedy = 'Use 0 for rigid, larger for softer, false to switch it off.'

/** `<SoftBody>` and `useSoftBody`. */
export const softBodyProps = {
  ...bodyProps,
  object: rebuild(other('scene', '1', undefined, 'Object3D', checkObject, 'Use the scene of useGLTF.')),
  preset: oneOf('named material', 'jelly', Object.keys(presets)),
  density: fromCore(bodySettings.density),
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
  edgeRelaxation: other(
    'rate of return of the edges',
    '1/s',
    undefined,
    'above 0 to 1e6',
    checkRelaxation,
    'Use 10, or leave it out for edges that swing.',
  ),
  volumeCompliance: other('inverse stiffness', 'm^5/N', undefined, 'false, 0 to 1e12', checkCompliance, elasticRemedy),
  shapeMatching: other(
    'pull to the rest shape',
    '1/s or m/N',
    undefined,
    'boolean | { rate | compliance | relaxation, clusters?: 1 to 16, linear?: 0 to 1 }',
    checkShapeMatching,
    'Use true, { rate: 20 } for a soft one, or { rate: 60, clusters: 4 } for a bar.',
  ),
  pressure: other(
    'volume over rest volume',
    '1',
    undefined,
    'false | 0.01 to 10 | { ratio, modulus | compliance }',
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

/** `<Cloth>`. */
export const clothProps = {
  ...bodyProps,
  args: rebuild(
    other('size and segments', 'm', [1, 1, 16, 16], 'above 0; 1 to 512', checkClothArgs, 'Use [1, 1, 16, 16].'),
  ),
  areaDensity: { ...fromCore(bodySettings.density), unit: 'kg/m^2', default: 0.2, remedy: 'Use 0.2 for a sheet.' },
  stretchModulus: other(
    'tension per strain along the threads',
    'N/m',
    2000,
    '0 or above | [warp, weft]',
    checkStretch,
    'Use 2000 for cotton, [2000, 500] for a cloth that gives across, Infinity for one that does not stretch.',
  ),
  shearModulus: stiffness('tension per angle between the threads', 'N/m', 200),
  bendRigidity: stiffness('moment per curvature and width', 'N m', 1e-4),
  drag: { ...bodyProps.drag, default: 1 },
  lift: { ...bodyProps.lift, default: 1 },
  tether: other(
    'longest way to a pin over that at rest',
    '1',
    false,
    'boolean | 1 or above',
    checkTether,
    'Use true, or 1.05 for a cloth that may stretch by 5%.',
  ),
  strainLimit: other(
    'largest strain',
    '1',
    false,
    'false | 0 or above',
    checkStrainLimit,
    'Use 0.05 for 5%, or false.',
  ),
  tearStrength: fromCore(bodySettings.tearStrength),
  tearStrain: fromCore(bodySettings.tearStrain),
  tearWeakening: fromCore(bodySettings.tearWeakening),
  onTear: handler('the cloth tears or is cut'),
} satisfies PropTable

/** `<Rope>`. */
export const ropeProps = {
  ...bodyProps,
  points: rebuild(
    other('places', 'm', ropePoints, '[x, y, z][], two or more', problemOfPoints, 'Use [[0, 2, 0], [2, 2, 0]].'),
  ),
  length: fromCore(ropeSettings.length, 'rebuild'),
  segments: fromCore(ropeSettings.segments, 'rebuild'),
  radius: fromCore(ropeSettings.radius, 'rebuild'),
  radialSegments: fromCore(ropeSettings.sides, 'rebuild'),
  linearDensity: { ...fromCore(bodySettings.density), unit: 'kg/m', default: 0.2, remedy: 'Use 0.2 for a rope.' },
  stretchStiffness: stiffness('tension over strain', 'N', 1e5),
  bendRigidity: stiffness('moment over curvature', 'N m^2', 1e-3),
  tearStrength: {
    ...fromCore(bodySettings.tearStrength),
    quantity: 'tension',
    unit: 'N',
    remedy: 'Use 1000 for a thin rope, Infinity for never.',
  },
  onTear: handler('the rope breaks'),
  drag: { ...bodyProps.drag, default: 1 },
} satisfies PropTable

/** `<Ragdoll>`. */
export const ragdollProps = {
  ...bodyProps,
  height: fromCore(ragdollSettings.height, 'rebuild'),
  radialSegments: fromCore(ragdollSettings.sides, 'rebuild'),
  damping: { ...bodyProps.damping, default: 0.5 },
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

/** `<Collider.Capsule>`. */
export const capsuleColliderProps = {
  ...surfaceProps,
  args: other('radius, height of the middle', 'm', [1, 1], 'two sizes above 0', checkSizes(2), 'Use [0.5, 1].'),
} satisfies PropTable

/** `<Collider.Cylinder>`. */
export const cylinderColliderProps = {
  ...surfaceProps,
  args: other('radius, height', 'm', [1, 1], 'two sizes above 0', checkSizes(2), 'Use [0.5, 1].'),
} satisfies PropTable

/** `<Collider.Mesh>`. */
export const meshColliderProps = {
  ...surfaceProps,
  geometry: other(
    'triangles',
    'm',
    undefined,
    'BufferGeometry',
    checkGeometry,
    'Leave it out to use the meshes below.',
  ),
  solid: { ...toggle('solid inside', true), default: undefined },
  thickness: {
    ...number('thickness of a sheet', 'm', undefined, 0, 1e6, 'Use 0.01, or leave it out.'),
    minExclusive: true,
    range: 'above 0 to 1e6',
  },
} satisfies PropTable

/** `<Collider.Heightfield>`. */
export const heightfieldColliderProps = {
  ...surfaceProps,
  heights: {
    ...other('heights', 'm', undefined, 'rows of equal length', checkHeights, 'Use [[0, 0], [0, 1]].'),
    optional: false,
  },
  args: other('width, depth', 'm', [1, 1], 'two sizes above 0', checkSizes(2), 'Use [10, 10].'),
} satisfies PropTable

/** `<Collider.Hull>`. */
export const hullColliderProps = {
  ...surfaceProps,
  points: other(
    'corners',
    'm',
    undefined,
    '[x, y, z][], four or more',
    checkPoints,
    'Use [[0, 0, 0], [1, 0, 0], ...].',
  ),
  geometry: other('vertices', 'm', undefined, 'BufferGeometry', checkGeometry, 'Leave it out to use the meshes below.'),
} satisfies PropTable

/** `<Collider.Compound>`. */
export const compoundColliderProps = surfaceProps satisfies PropTable

/** `<Wind>`. */
export const windProps = {
  velocity: fromCore(windSettings.velocity),
  direction: other('where it blows to', '1', undefined, 'a vector', checkDirection, 'Use [1, 0, 0] and a speed.'),
  speed: number('speed of the air', 'm/s', undefined, 0, 1e3, 'Use 3 for a breeze, 12 for a strong wind.'),
  turbulence: fromCore(windSettings.turbulence),
  turbulenceSize: fromCore(windSettings.turbulenceSize),
  seed: fromCore(windSettings.seed),
  region: other(
    'where it blows',
    'm',
    undefined,
    'Box3 | Sphere | { min, max } | { center, radius }',
    checkWindRegion,
    'Leave it out for everywhere.',
  ),
} satisfies PropTable

/** `<Attractor>`. */
export const attractorProps = {
  strength: fromCore(attractorSettings.strength),
  falloff: oneOf('how the pull goes with the distance', 'constant', ['constant', 'linear', 'newtonian']),
  range: { ...fromCore(attractorSettings.range), range: 'above 0' },
  radius: { ...fromCore(attractorSettings.radius), range: 'above 0 to 1e9' },
} satisfies PropTable

/** `<Bounds>`. */
export const boundsProps = {
  ...surfaceProps,
  args: other('width, height, depth', 'm', [10, 10, 10], 'three sizes above 0', checkSizes(3), 'Use [10, 10, 10].'),
} satisfies PropTable

function checkPositions(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('length' in value)) return 'must be a list of points'
  const list = value as ArrayLike<unknown>
  if (list.length === 0) return 'must hold one point or more'
  if (isNumber(list[0])) {
    if (list.length % 3 !== 0) return 'must hold three numbers a point'
    return Array.from(list).every(Number.isFinite) ? undefined : 'must hold finite numbers'
  }
  return Array.from(list).every((point) => isVector(coordinates(point))) ? undefined : 'must hold points'
}

function checkMasses(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('length' in value)) return 'must be a list of masses'
  const valid = Array.from(value as ArrayLike<unknown>).every((mass) => isNumber(mass) && mass > 0 && mass < 1e9)
  return valid ? undefined : 'must be above 0, in kilograms'
}

/** `<Particles>`. */
export const particlesProps = {
  positions: {
    ...rebuild(
      other('places', 'm', undefined, '[x, y, z][] or numbers', checkPositions, 'Use [[0, 0, 0], [1, 0, 0]].'),
    ),
    optional: false,
  },
  radius: rebuild({ ...fromCore(radiusSpec), optional: true }),
  masses: rebuild(other('mass of each', 'kg', undefined, 'above 0', checkMasses, 'Leave it out for even masses.')),
  density: fromCore(bodySettings.density),
  mass: fromCore(bodySettings.mass),
  damping: fromCore(bodySettings.damping),
  friction: fromCore(bodySettings.friction),
  restitution: fromCore(bodySettings.restitution),
  contactDamping: fromCore(bodySettings.contactDamping),
  gravityScale: fromCore(bodySettings.gravityScale),
  collisionGroups: fromCore(bodySettings.collisionGroups),
  sensor: fromCore(bodySettings.sensor),
  canSleep: fromCore(bodySettings.canSleep),
  ...contactHandlers,
  onSleep: handler('the particles fall asleep'),
  onWake: handler('the particles wake'),
} satisfies PropTable

/** `<Cut>`. */
export const cutProps = {
  length: { ...number('length of the blade', 'm', 0.5, 0, 1e6, 'Use 0.5.'), default: 0.5 },
  active: toggle('cuts what it meets', true),
} satisfies PropTable

/** `<Pin>`. */
export const pinProps = {
  at: { ...bodyProps.pins, optional: false },
} satisfies PropTable

function checkAttachEnd(value: unknown): string | undefined {
  const known = typeof value === 'object' && value !== null
  return known && ('current' in value || 'isObject3D' in value || 'particleCount' in value)
    ? undefined
    : 'is no body, no object and no ref of one'
}

function checkAttachPlace(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('isVector3' in value)) return checkPins(value)
  const { x, y, z } = value as { x?: number; y?: number; z?: number }
  return [x, y, z].every(Number.isFinite) ? undefined : 'must be a point with finite coordinates'
}

const checkFunction = (value: unknown) => (typeof value === 'function' ? undefined : 'is no function')
const endRemedy = 'Use the ref of a <SoftBody>, of a <Cloth> or of an object of the scene.'

/** `<Attach>`. */
export const attachProps = {
  a: other('what is attached', '1', undefined, 'ref', checkAttachEnd, endRemedy),
  b: other('what it is attached to', '1', undefined, 'ref', checkAttachEnd, endRemedy),
  at: other(
    'place',
    'm',
    undefined,
    'Vector3 | selector',
    checkAttachPlace,
    'Use a Vector3 in the space of the attachment, or a selector as of Pin.',
  ),
  radius: number('length', 'm', undefined, 0, 1e6, 'Use 0 for points, metres for areas.'),
  compliance: fromCore(jointSettings.compliance),
  damping: fromCore(jointSettings.damping),
  breakForce: { ...fromCore(jointSettings.breakForce), range: 'above 0' },
  onBreak: other('callback', '1', undefined, 'function', checkFunction, 'Use a function, or leave it out.'),
} satisfies PropTable

function checkPoint(value: unknown): string | undefined {
  return isVector(coordinates(value)) ? undefined : 'must be a point with finite coordinates'
}

const pointRemedy = 'Use a point in the space of the spring, or leave it out for the middle.'

/** `<Spring>`. */
export const springProps = {
  a: attachProps.a,
  b: attachProps.b,
  from: other('place on a', 'm', undefined, 'Vector3 | [x, y, z]', checkPoint, pointRemedy),
  to: other('place on b', 'm', undefined, 'Vector3 | [x, y, z]', checkPoint, pointRemedy),
  stiffness: fromCore(springSettings.stiffness),
  damping: fromCore(springSettings.damping),
  restLength: fromCore(springSettings.restLength),
  maxForce: { ...fromCore(springSettings.maxForce), range: 'above 0' },
  breakForce: { ...fromCore(springSettings.breakForce), range: 'above 0' },
  onBreak: attachProps.onBreak,
  line: toggle('drawn', false),
  coils: { ...number('turns', '1', 0, 0, 100, 'Use 0 for a straight line, 8 for a coil.'), type: 'integer' },
  coilRadius: number('length', 'm', 0.05, 0, 1e3, 'Use 0.05.'),
} satisfies PropTable

/** `<Weld>`. */
export const weldProps = {
  gap: number('length', 'm', undefined, 0, 1e3, 'Use metres, or leave it out for a 20th of the smaller body.'),
  compliance: fromCore(jointSettings.compliance),
  damping: fromCore(jointSettings.damping),
  breakForce: { ...fromCore(jointSettings.breakForce), range: 'above 0' },
  onBreak: attachProps.onBreak,
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

/** `<SoftBodyStats>`. */
export const softBodyStatsProps = {
  corner: oneOf('corner of the canvas', 'top-left', ['top-left', 'top-right', 'bottom-left', 'bottom-right']),
  interval: number('time between two readings', 's', 0.2, 0.05, 60, 'Use 0.2.'),
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

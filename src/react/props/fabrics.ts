// Props of cloths, ropes and ragdolls.
import {
  bodySettings,
  clothArgs,
  limbNames,
  problemOfPoints,
  ragdollSettings,
  ropePoints,
  ropeSettings,
} from '../../headless.js'
import { bodyGeometry, bodyProps } from './bodies.js'
import { atLeastZero, fromCore, handler, isNumber, other, type PropTable, rebuild, stiffness } from './row.js'

function checkTether(value: unknown): string | undefined {
  return typeof value === 'boolean' || (isNumber(value) && value >= 1) ? undefined : 'must be true, false or 1 or above'
}

function checkStrainLimit(value: unknown): string | undefined {
  return value === false ? undefined : atLeastZero(value)
}

function checkStretch(value: unknown): string | undefined {
  const sound = (one: unknown) => typeof one === 'number' && one >= 0
  const known = Array.isArray(value) ? value.length === 2 && value.every(sound) : sound(value)
  return known ? undefined : 'must be 0 or above, or two such'
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

/** `<Cloth>`. */
export const clothProps = {
  ...bodyProps,
  geometry: { ...bodyGeometry, excludes: 'args' },
  args: rebuild(
    other('size and segments', 'm', [1, 1, 16, 16], 'above 0; 1 to 512', checkClothArgs, 'Use [1, 1, 16, 16].'),
  ),
  areaDensity: { ...fromCore(bodySettings.density), unit: 'kg/m^2', default: 0.2, remedy: 'Use 0.2 for a sheet.' },
  stretchModulus: other(
    'tension per strain along the threads',
    'N/m',
    1000,
    '0 or above | [warp, weft]',
    checkStretch,
    'Use 1000 for cotton, [1000, 250] for a cloth that gives across, Infinity for one that does not stretch.',
  ),
  shearModulus: stiffness('tension per angle between the threads', 'N/m', 100),
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
  pins: { ...bodyProps.pins, remedy: "Use 'start', 'end', 'ends', indices of its particles, a Box3 or a predicate." },
  drag: { ...bodyProps.drag, default: 1 },
} satisfies PropTable

/** `<Ragdoll>`. */
export const ragdollProps = {
  ...bodyProps,
  height: fromCore(ragdollSettings.height, 'rebuild'),
  radialSegments: fromCore(ragdollSettings.sides, 'rebuild'),
  mass: { ...bodyProps.mass, default: 70 },
  damping: { ...bodyProps.damping, default: 0.5 },
  pins: {
    ...bodyProps.pins,
    remedy: `Use a limb or a list of limbs: ${limbNames.map((name) => `'${name}'`).join(', ')}.`,
  },
} satisfies PropTable

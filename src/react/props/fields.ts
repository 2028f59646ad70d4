// Props of winds, attractors and free particles.
import { attractorSettings, bodySettings, radiusSpec, windSettings } from '../../headless.js'
import { bodyProps } from './bodies.js'
import {
  contactHandlers,
  coordinates,
  fromCore,
  handler,
  isNumber,
  isVector,
  number,
  oneOf,
  other,
  type PropTable,
  rebuild,
} from './row.js'

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

const isPlace = (value: unknown) => isNumber(value) && Math.abs(value) <= bodySettings.position.max!

function checkPositions(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('length' in value)) return 'must be a list of points'
  const list = value as ArrayLike<unknown>
  if (isNumber(list[0])) {
    if (list.length % 3 !== 0) return 'must hold three numbers a point'
    return Array.from(list).every(isPlace) ? undefined : 'must hold numbers of at most 1e9'
  }
  const isPoint = (point: unknown) => isVector(point) && point.every(isPlace)
  return Array.from(list, coordinates).every(isPoint) ? undefined : 'must hold points, of numbers of at most 1e9'
}

function checkMasses(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('length' in value)) return 'must be a list of masses'
  const { min = 0, max = 0 } = bodySettings.mass
  const isMass = (mass: unknown) => isNumber(mass) && mass >= min && mass <= max
  const valid = Array.from(value as ArrayLike<unknown>).every(isMass)
  return valid ? undefined : `must be between ${min} and ${max}`
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
  masses: rebuild(other('mass of each', 'kg', undefined, '1e-18 to 1e9', checkMasses, 'Leave it out for even masses.')),
  density: { ...fromCore(bodySettings.density), default: 1000 },
  mass: fromCore(bodySettings.mass),
  damping: fromCore(bodySettings.damping),
  friction: fromCore(bodySettings.friction),
  restitution: fromCore(bodySettings.restitution),
  contactDamping: fromCore(bodySettings.contactDamping),
  drag: fromCore(bodySettings.drag),
  gravityScale: fromCore(bodySettings.gravityScale),
  collisionGroups: fromCore(bodySettings.collisionGroups),
  sensor: fromCore(bodySettings.sensor),
  canSleep: fromCore(bodySettings.canSleep),
  grabbable: bodyProps.grabbable,
  pokeForce: bodyProps.pokeForce,
  grabForce: { ...bodyProps.grabForce, remedy: 'Leave it out for 400 m/s^2 times the mass of one.' },
  ...contactHandlers,
  onSleep: handler('the particles fall asleep'),
  onWake: handler('the particles wake'),
} satisfies PropTable

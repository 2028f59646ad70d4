// Props of every body.
import { bodySettings, limbNames } from '../../headless.js'
import { atLeastZero, contactHandlers, fromCore, handler, number, other, rebuild, toggle } from './row.js'

function checkIndices(value: unknown): string | undefined {
  const valid = Array.isArray(value) && value.every((index) => Number.isInteger(index) && index >= 0)
  return valid ? undefined : 'must hold vertex indices'
}

/** Parts that bodies have by name. */
const partNames = new Set<unknown>(['top', 'corners', 'start', 'end', 'ends', ...limbNames])

export function checkPins(value: unknown): string | undefined {
  if (partNames.has(value) || typeof value === 'function') return undefined
  if (Array.isArray(value)) {
    const names: readonly unknown[] = limbNames
    return value.length > 0 && value.every((name) => names.includes(name)) ? undefined : checkIndices(value)
  }
  if (typeof value === 'object' && value !== null) {
    if ('isBox3' in value) return undefined
    if ('attribute' in value && typeof value.attribute === 'string') return undefined
    if ('mesh' in value && typeof value.mesh === 'string') {
      if (value.mesh === '') return 'names no mesh'
      return 'indices' in value && value.indices !== undefined ? checkIndices(value.indices) : undefined
    }
  }
  return 'selects no vertices'
}

export function checkGeometry(value: unknown): string | undefined {
  const geometry = typeof value === 'object' && value !== null && 'isBufferGeometry' in value
  return geometry ? undefined : 'is no geometry of three'
}

/** The geometry of a body; undefined for that of the mesh below. */
export const bodyGeometry = rebuild(
  other('triangles', 'm', undefined, 'BufferGeometry', checkGeometry, 'Leave it out to use the meshes below.'),
)

export const bodyProps = {
  mass: fromCore(bodySettings.mass),
  damping: fromCore(bodySettings.damping),
  shapeDamping: fromCore(bodySettings.shapeDamping),
  friction: fromCore(bodySettings.friction),
  rollingFriction: fromCore(bodySettings.rollingFriction),
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

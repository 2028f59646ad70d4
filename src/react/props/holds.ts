// Props of what holds and cuts.
import { bodySettings, jointSettings, springSettings } from '../../headless.js'
import { bodyProps, checkPins } from './bodies.js'
import { coordinates, fromCore, isVector, number, other, type PropTable, toggle } from './row.js'

/** `<Cut>`. */
export const cutProps = {
  length: {
    ...number('length of the blade', 'm', 0.5, 0, 1e6, 'Use 0.5, or `active={false}` for one that cuts nothing.'),
    default: 0.5,
    minExclusive: true,
    range: 'above 0 to 1e6',
  },
  active: toggle('cuts what it meets', true),
  collisionGroups: fromCore(bodySettings.collisionGroups),
} satisfies PropTable

function checkPinTarget(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'current' in value ? undefined : 'is no ref'
}

/** `<Pin>`. */
export const pinProps = {
  at: { ...bodyProps.pins, optional: false },
  target: other(
    'what is followed',
    '1',
    undefined,
    'ref of an object',
    checkPinTarget,
    'Use the ref of an object of the scene; <Attach> holds a body to another one.',
  ),
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

// Props of the ground and of colliders.
import { checkGeometry } from './bodies.js'
import { checkSizes, isNumber, number, other, type PropTable, surfaceProps, toggle } from './row.js'

function checkGroundSize(value: unknown): string | undefined {
  return isNumber(value) ? checkSizes(1)([value]) : checkSizes(2)(value)
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

/** `<Bounds>`. */
export const boundsProps = {
  ...surfaceProps,
  args: other('width, height, depth', 'm', [10, 10, 10], 'three sizes above 0', checkSizes(3), 'Use [10, 10, 10].'),
} satisfies PropTable

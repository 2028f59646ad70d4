// Props of the ground and of colliders.
import { checkGeometry } from './bodies.js'
import { checkSizes, isNumber, number, other, type PropRow, type PropTable, surfaceProps, toggle } from './row.js'

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

const COUNTS = ['', 'two sizes ', 'three sizes ']

/** Sizes of a shape; the remedy names `example`. */
function sizes(quantity: string, value: readonly number[], example = value): PropRow {
  const range = `${COUNTS[value.length - 1]}above 0`
  return other(quantity, 'm', value, range, checkSizes(value.length), `Use [${example.join(', ')}].`)
}

function meshesBelow(quantity: string): PropRow {
  return other(quantity, 'm', undefined, 'BufferGeometry', checkGeometry, 'Leave it out to use the meshes below.')
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
  args: sizes('width, height, depth', [1, 1, 1]),
} satisfies PropTable

/** `<Collider.Sphere>`. */
export const sphereColliderProps = {
  ...surfaceProps,
  args: sizes('radius', [1], [0.5]),
} satisfies PropTable

/** `<Collider.Capsule>`. */
export const capsuleColliderProps = {
  ...surfaceProps,
  args: sizes('radius, height of the middle', [1, 1], [0.5, 1]),
} satisfies PropTable

/** `<Collider.Cylinder>`. */
export const cylinderColliderProps = {
  ...surfaceProps,
  args: sizes('radius, height', [1, 1], [0.5, 1]),
} satisfies PropTable

/** `<Collider.Mesh>`. */
export const meshColliderProps = {
  ...surfaceProps,
  geometry: meshesBelow('triangles'),
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
  args: sizes('width, depth', [1, 1], [10, 10]),
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
  geometry: meshesBelow('vertices'),
} satisfies PropTable

/** `<Collider.Compound>`. */
export const compoundColliderProps = surfaceProps satisfies PropTable

/** `<Bounds>`. */
export const boundsProps = {
  ...surfaceProps,
  args: sizes('width, height, depth', [10, 10, 10]),
} satisfies PropTable

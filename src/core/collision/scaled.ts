import { isSize, SettingError } from '../validation.js'
import { castAlong, FROM, MET, RAY, SENSE, TO } from './cast.js'
import { type ColliderShape, checkShape } from './shape.js'
import { THICKNESS, TOUCHED, trace, WAY } from './trace.js'

/**
 * A shape at another size, which shares all that it is made of.
 * @param scale above zero, the same along all axes
 * @throws SettingError for what is no shape or no scale
 */
export function scaled(shape: ColliderShape, scale: number): ColliderShape {
  checkShape('Collider', shape)
  if (scale === 1) return shape
  if (!isSize(scale)) throw new SettingError('Collider', 'scale', scale, 'must be above zero', 'Use 2.')
  const near = new Float64Array(WAY)
  const line = new Float64Array(RAY)
  return Object.freeze({
    name: shape.name,
    inradius: shape.inradius * scale,
    convex: shape.convex,
    costly: shape.costly ?? false,
    ...(shape.bounds && { bounds: shape.bounds.map((x) => x * scale) }),
    distance(query: Float64Array) {
      shrink(query)
      shape.distance(query)
      grow(query)
    },
    ...(shape.enter && {
      enter(way: Float64Array, query: Float64Array) {
        for (let k = 0; k <= THICKNESS; k++) near[k] = way[k]! / scale
        const touches = trace(shape, near, query)
        way[TOUCHED] = near[TOUCHED]!
        grow(query)
        return touches
      },
    }),
    ...(shape.cast && {
      cast(ray: Float64Array, query: Float64Array) {
        for (let d = 0; d < 3; d++) {
          line[d] = ray[d]! / scale
          line[3 + d] = ray[3 + d]!
        }
        line[FROM] = ray[FROM]! / scale
        line[TO] = ray[TO]! / scale
        line[SENSE] = ray[SENSE]!
        const meets = castAlong(shape, line, query)
        ray[MET] = line[MET]! * scale
        return meets
      },
    }),
  })

  function shrink(query: Float64Array): void {
    for (let d = 0; d < 3; d++) query[d] = query[d]! / scale
  }

  function grow(query: Float64Array): void {
    for (let k = 0; k < 4; k++) query[k] = query[k]! * scale
  }
}

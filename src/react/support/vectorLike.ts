import type { MutableVec3, Quat, Region, Vec3 } from '../../headless.js'
import type { QuatLike, Vec3Like } from '../types.js'

/** Three numbers as the engine takes them: an array, or what is none, as it is, all else in `out`. Allocates nothing. */
export function vec3(value: Vec3Like, out: MutableVec3): Vec3 {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value as unknown as Vec3
  if ('x' in value) {
    out[0] = value.x
    out[1] = value.y
    out[2] = value.z
  } else for (let d = 0; d < 3; d++) out[d] = value[d]!
  return out
}

/** A place that is pushed: a region, or a point. */
export function placeOf(value: Region | Vec3Like | undefined, out: MutableVec3): Region | Vec3 | undefined {
  return !value || (typeof value === 'object' && 'particles' in value) ? value : vec3(value, out)
}

/** Four numbers as the engine takes them. */
export function quat(value: QuatLike): Quat {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value as unknown as Quat
  return 'x' in value ? [value.x, value.y, value.z, value.w] : [value[0]!, value[1]!, value[2]!, value[3]!]
}

import { validatePose } from '../checks.js'
import { normalized } from '../math/quaternion.js'
import { quaternionToMatrix } from '../math/rotation.js'
import { SettingError } from '../validation.js'
import type { Quat, Vec3 } from '../vectors.js'
import { castAlong, ENTERS, FROM, LEAVES, MET, RAY, SENSE, TO, touchAt } from './cast.js'
import { type ColliderShape, checkShape } from './shape.js'
import { TOUCHED, trace, WAY } from './trace.js'

/** One shape of a compound, in the compound's frame. */
export interface CompoundPart {
  readonly shape: ColliderShape
  /** [m] Default: the origin. */
  readonly position?: Vec3
  /** Unit quaternion x, y, z, w. Default: not turned. */
  readonly rotation?: Quat
}

/** A ray on its way out goes from one part on to the next at most so often. */
const MOST = 512

/** Numbers that place a part: rotation row by row, then position. */
const PLACE = 12

/**
 * Shapes that are one collider: they move together and have one friction. Outside of all of them the distance is exact;
 * in where they overlap it is that of the part which holds the point deepest, which is less than the way out of all.
 * @throws SettingError without parts, or for a pose that is none
 */
export function compound(parts: readonly CompoundPart[]): ColliderShape {
  if (!(Array.isArray(parts) && parts.length > 0)) {
    throw new SettingError('Collider.Compound', 'children', parts, 'has no colliders', 'Give it one or more.')
  }
  const shapes: readonly ColliderShape[] = parts.map((part: CompoundPart) => {
    checkShape('Collider.Compound', part?.shape)
    return part.shape
  })
  const places = new Float64Array(parts.length * PLACE)
  parts.forEach(({ position = [0, 0, 0], rotation = [0, 0, 0, 1] }: CompoundPart, k) => {
    validatePose('Collider.Compound', position, rotation)
    const R = new Float64Array(9)
    quaternionToMatrix(Float64Array.from(normalized(rotation)), 0, R)
    places.set(R, k * PLACE)
    places.set(position, k * PLACE + 9)
  })
  const bounds = boundsOf(shapes, places)
  // A part may be a compound itself, so that what it is asked with is its parent's own.
  const query = new Float64Array(7)
  const way = new Float64Array(WAY)
  const line = new Float64Array(RAY)
  return Object.freeze({
    name: 'compound',
    // Where two parts meet side by side, the way out of each leads into the other: every way is followed.
    inradius: shapes.length === 1 ? shapes[0]!.inradius : 0,
    convex: shapes.length === 1 && shapes[0]!.convex,
    costly: true,
    ...(bounds && { bounds }),
    distance(out: Float64Array) {
      const x = out[0]!
      const y = out[1]!
      const z = out[2]!
      out[3] = Number.POSITIVE_INFINITY
      for (let k = 0; k < shapes.length; k++) {
        query[0] = x
        query[1] = y
        query[2] = z
        toPart(places, k * PLACE, query, 0, true)
        shapes[k]!.distance(query)
        if (query[3]! >= out[3]) continue
        out[3] = query[3]!
        normalOut(places, k * PLACE, query, out)
      }
    },
    enter(outer: Float64Array, out: Float64Array) {
      let share = Number.POSITIVE_INFINITY
      for (let k = 0; k < shapes.length; k++) {
        way.set(outer)
        toPart(places, k * PLACE, way, 0, true)
        toPart(places, k * PLACE, way, 3, false)
        if (!trace(shapes[k]!, way, query) || way[TOUCHED]! >= share) continue
        share = way[TOUCHED]!
        out[3] = query[3]!
        normalOut(places, k * PLACE, query, out)
      }
      if (share === Number.POSITIVE_INFINITY) return false
      outer[TOUCHED] = share
      for (let d = 0; d < 3; d++) out[d] = outer[d]! + share * outer[3 + d]!
      return true
    },
    cast(ray: Float64Array, out: Float64Array) {
      return ray[SENSE] === ENTERS ? castIn(ray, out) : castOut(ray, out)
    },
  })

  /** The way into the first part. */
  function castIn(ray: Float64Array, out: Float64Array): boolean {
    let meets = false
    for (let k = 0; k < shapes.length; k++) {
      lead(ray, k)
      if (meets) line[TO] = ray[MET]!
      if (!castAlong(shapes[k]!, line, query) || (meets && line[MET]! >= ray[MET]!)) continue
      meets = true
      ray[MET] = line[MET]!
      normalOut(places, k * PLACE, query, out)
    }
    return meets
  }

  /** The way out of all parts: where the last of those that hold the ray is left, as long as no other holds it there. */
  function castOut(ray: Float64Array, out: Float64Array): boolean {
    for (let step = 0; step < MOST; step++) {
      let far = ray[FROM]!
      for (let k = 0; k < shapes.length; k++) {
        lead(ray, k)
        if (!holds(shapes[k]!)) continue
        line[SENSE] = LEAVES
        if (!castAlong(shapes[k]!, line, query)) return false
        if (!(line[MET]! > far)) continue
        far = line[MET]!
        normalOut(places, k * PLACE, query, out)
      }
      const ends = far <= ray[FROM]! + touchAt(far)
      if (ends) {
        ray[MET] = far
        return step > 0
      }
      ray[FROM] = far
    }
    return false
  }

  /** Takes a ray into the frame of a part, into `line`. */
  function lead(ray: Float64Array, k: number): void {
    line.set(ray)
    toPart(places, k * PLACE, line, 0, true)
    toPart(places, k * PLACE, line, 3, false)
  }

  /** True where a part holds `line` from `FROM` on: it is within, or enters. */
  function holds(shape: ColliderShape): boolean {
    const far = line[FROM]!
    for (let d = 0; d < 3; d++) query[d] = line[d]! + far * line[3 + d]!
    shape.distance(query)
    const touch = touchAt(far)
    if (query[3]! < -touch) return true
    const along = query[4]! * line[3]! + query[5]! * line[4]! + query[6]! * line[5]!
    return query[3]! <= touch && along < 0
  }
}

/** Turns three numbers of `v` into a part's frame, and for a place moves them there. */
function toPart(places: Float64Array, at: number, v: Float64Array, from: number, isPlace: boolean): void {
  const x = v[from]! - (isPlace ? places[at + 9]! : 0)
  const y = v[from + 1]! - (isPlace ? places[at + 10]! : 0)
  const z = v[from + 2]! - (isPlace ? places[at + 11]! : 0)
  for (let d = 0; d < 3; d++) v[from + d] = places[at + d]! * x + places[at + 3 + d]! * y + places[at + 6 + d]! * z
}

/** Writes a part's normal into `out`, in the compound's frame. */
function normalOut(places: Float64Array, at: number, query: Float64Array, out: Float64Array): void {
  for (let d = 0; d < 3; d++) {
    const row = at + 3 * d
    out[4 + d] = places[row]! * query[4]! + places[row + 1]! * query[5]! + places[row + 2]! * query[6]!
  }
}

/** The box about all boxes; undefined where a part has none. */
function boundsOf(shapes: readonly ColliderShape[], places: Float64Array): Float64Array | undefined {
  const bounds = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity)
  for (let k = 0; k < shapes.length; k++) {
    const box = shapes[k]!.bounds
    if (!box) return undefined
    for (let d = 0; d < 3; d++) {
      let middle = places[k * PLACE + 9 + d]!
      let half = 0
      for (let e = 0; e < 3; e++) {
        const r = places[k * PLACE + 3 * d + e]!
        middle += (r * (box[e]! + box[3 + e]!)) / 2
        half += (Math.abs(r) * (box[3 + e]! - box[e]!)) / 2
      }
      bounds[d] = Math.min(bounds[d]!, middle - half)
      bounds[3 + d] = Math.max(bounds[3 + d]!, middle + half)
    }
  }
  return bounds
}

import type { TriangleMesh } from '../mesh/weld.js'
import { checkGroup, isSize, SettingError } from '../validation.js'
import { FROM, LEAVES, MET, SENSE, TO } from './cast.js'
import { crossing } from './crossing.js'
import { type MeshSurface, meshSurface, partNormal } from './meshSurface.js'
import type { ColliderShape } from './shape.js'
import { ThickRay } from './thickRay.js'
import { THICKNESS, TOUCHED, WAY } from './trace.js'
import { found, hit, type TriangleTree } from './triangleTree.js'

export interface MeshColliderOptions {
  /**
   * True: a solid, which needs a closed mesh. False: a sheet with two sides and nothing inside, so that bodies may be
   * in a closed mesh as in a room. Default: a solid where the mesh is closed.
   */
  solid?: boolean | undefined
  /** Of a sheet [m], above 0, half of it on either side. Default: a 5000th of the mesh's diagonal. */
  thickness?: number | undefined
}

/** Of the diagonal. */
const SHEET = 2e-4
const NONE = new Float64Array(1)
/** Nearer than this to the surface the way to it, as a part of the diagonal, is rounding. */
const ON_SURFACE = 1e-12

/**
 * Triangle mesh. A closed one is solid, whichever way its faces run: its signed distance is exact, inside where the
 * angle-weighted normal of the nearest face, edge or point says so (Baerentzen, Aanaes 2005). An open one is a sheet that
 * stops what comes from either side.
 * @throws SettingError for a mesh without faces or with values that are not finite, or an open one that shall be solid
 */
export function mesh(mesh: TriangleMesh, options: MeshColliderOptions = {}): ColliderShape {
  checkGroup('Collider.Mesh', 'settings', options, { solid: true, thickness: true })
  const { solid, thickness } = options
  if (solid !== undefined && typeof solid !== 'boolean') {
    throw new SettingError('Collider.Mesh', 'solid', solid, 'must be true or false', 'Leave it out, or use true.')
  }
  const surface = surfaceOf('Collider.Mesh', 'geometry', mesh)
  if (solid === true && !surface.closed) {
    const remedy = 'Close its holes, or leave `solid` out: an open mesh is a sheet with two sides.'
    throw new SettingError('Collider.Mesh', 'solid', solid, 'the mesh is open or encloses nothing', remedy)
  }
  if (thickness !== undefined && !isSize(thickness)) {
    const remedy = 'Use metres, such as 0.01, or leave it out.'
    throw new SettingError('Collider.Mesh', 'thickness', thickness, 'must be above zero', remedy)
  }
  if (surface.closed && solid !== false) return solidShape('mesh', surface, 0, false)
  return sheetShape(surface, (thickness ?? SHEET * surface.diagonal) / 2)
}

/** A surface, or a SettingError that says what is wrong with the mesh. */
export function surfaceOf(component: string, prop: string, mesh: TriangleMesh): MeshSurface {
  try {
    return meshSurface(mesh)
  } catch (error) {
    const { problem, remedy } = error as SettingError
    throw new SettingError(component, prop, 'mesh', problem, remedy)
  }
}

/** What a closed surface encloses. */
export function solidShape(name: string, surface: MeshSurface, inradius: number, convex: boolean): ColliderShape {
  const { tree, diagonal } = surface
  const tiny = ON_SURFACE * diagonal
  return Object.freeze({
    name,
    inradius,
    convex,
    costly: true,
    bounds: tree.bounds,
    distance(query: Float64Array) {
      measure(surface, query)
      const dx = query[0]! - found[0]!
      const dy = query[1]! - found[1]!
      const dz = query[2]! - found[2]!
      if (dx * n[0]! + dy * n[1]! + dz * n[2]! >= 0) return
      query[3] = -query[3]!
      if (query[3] > -tiny) return // the normal is the surface's own
      for (let d = 4; d < 7; d++) query[d] = -query[d]!
    },
    cast: (ray: Float64Array, query: Float64Array) => castAtFaces(tree, ray, query),
    // Newton's steps on the distance are exact where it is convex, also about edges.
    ...(!convex && {
      enter: (way: Float64Array, query: Float64Array) => tree.cross(way, NONE, true) && touch(way, query, NONE),
    }),
  })
}

/** A surface with two sides: solid within `half` of it. */
function sheetShape(surface: MeshSurface, half: number): ColliderShape {
  const { tree } = surface
  const thick = Float64Array.of(half)
  const thickRay = new ThickRay(half)
  const bounds = tree.bounds.map((x, k) => (k < 3 ? x - half : x + half))
  return Object.freeze({
    name: 'mesh',
    inradius: 0,
    convex: false,
    costly: true,
    bounds,
    distance(query: Float64Array) {
      measure(surface, query)
      query[3] = query[3]! - half
    },
    cast(ray: Float64Array, query: Float64Array) {
      if (!thickRay.cast(tree, ray)) return false
      for (let d = 0; d < 3; d++) query[d] = ray[d]! + ray[MET]! * ray[3 + d]!
      measure(surface, query)
      return true
    },
    enter: (way: Float64Array, query: Float64Array) => tree.cross(way, thick, false) && touch(way, query, thick),
  })
}

/** What of a ray is looked at. */
const line = new Float64Array(WAY)

/** As `ColliderShape.cast`, for a surface that encloses what is solid. */
function castAtFaces(tree: TriangleTree, ray: Float64Array, query: Float64Array): boolean {
  const from = ray[FROM]!
  const length = ray[TO]! - from
  const leaves = ray[SENSE] === LEAVES
  for (let d = 0; d < 3; d++) {
    line[d] = ray[d]! + from * ray[3 + d]!
    line[3 + d] = length * ray[3 + d]!
  }
  if (!tree.castAt(line, leaves)) return false
  ray[MET] = from + crossing[0]! * length
  for (let d = 0; d < 3; d++) query[4 + d] = leaves ? -crossing[1 + d]! : crossing[1 + d]!
  return true
}

/** Normal of the part that is nearest in the last `measure`; its length means nothing. */
const n = new Float64Array(3)

/** Writes the distance from a surface and the way from it, as if it had no inside. */
function measure(surface: MeshSurface, query: Float64Array): void {
  surface.tree.nearest(query)
  partNormal(surface, hit[0]!, hit[1]!, n)
  const size = Math.sqrt(found[3]!)
  query[3] = size
  // At the surface itself the way to it has no direction.
  if (size > ON_SURFACE * surface.diagonal) {
    for (let d = 0; d < 3; d++) query[4 + d] = (query[d]! - found[d]!) / size
    return
  }
  const length = Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!)
  if (length > 0) for (let d = 0; d < 3; d++) query[4 + d] = n[d]! / length
  else for (let d = 0; d < 3; d++) query[4 + d] = d === 1 ? 1 : 0 // faces that cancel out: any way will do
}

/**
 * From where a way crosses the surface back to where it touches, by the plane of the face that it crosses: past no other
 * face, since it is the first. False where the way ends before.
 */
function touch(way: Float64Array, query: Float64Array, thickness: Float64Array): boolean {
  const closing = -(crossing[1]! * way[3]! + crossing[2]! * way[4]! + crossing[3]! * way[5]!)
  const share = Math.max(0, crossing[0]! - (way[THICKNESS]! + thickness[0]!) / closing)
  if (!(share < 1)) return false
  way[TOUCHED] = share
  for (let d = 0; d < 3; d++) {
    query[d] = way[d]! + share * way[3 + d]!
    query[4 + d] = crossing[1 + d]!
  }
  query[3] = (crossing[0]! - share) * closing - thickness[0]!
  return true
}

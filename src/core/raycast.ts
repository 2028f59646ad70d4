import type { Body } from './body.js'
import { checkVector } from './checks.js'
import type { Collider } from './collider.js'
import { ALL_GROUPS, type CollisionGroups, groupsMeet } from './collision/groups.js'
import type { ColliderShape } from './collision/shape.js'
import type { Events } from './events.js'
import { quaternionToMatrix } from './math/rotation.js'
import { castAtSegments } from './raycastAlong.js'
import type { Region } from './region.js'
import { bodySettings } from './settings.js'
import type { BodyRecord, ColliderRecord, State } from './state.js'
import { SettingError, validateSetting } from './validation.js'
import type { Vec3 } from './vectors.js'

/** Which of what is there a query sees. */
export interface QueryOptions {
  /** The query's own groups: it sees what it would collide with. Default all. */
  collisionGroups?: CollisionGroups
  /** Sees only what it returns true for. */
  filter?: (target: Body | Collider) => boolean
}

export interface RaycastOptions extends QueryOptions {
  /** Sees nothing beyond [m], 0 or above; default Infinity. */
  maxDistance?: number
}

/** Where a ray first meets a body or a collider. */
export interface RayHit {
  /** The body that was hit, null where it was a collider. */
  readonly body: Body | null
  readonly collider: Collider | null
  /** From the origin [m]. */
  readonly distance: number
  /** In the world [m]. */
  readonly point: Vec3
  /** Unit normal, outward of a solid or a collider, of a cloth towards where the ray came from. */
  readonly normal: Vec3
  /** Number of the triangle in the body's `model.triangles`, -1 for a collider or a rope. */
  readonly triangle: number
  /**
   * The point as matter of the body: the triangle's corners with barycentric weights, of a rope the point of its axis
   * that is nearest, null for a collider. It follows
   * the body: `body.pointOf(region, target)` says where it is later; it can be attached, pushed and pulled too.
   */
  readonly region: Region | null
}

type Sees = (groups: CollisionGroups, body: BodyRecord | null, collider: ColliderRecord | null) => boolean

/** What tells whether a query sees a body or a collider. @throws SettingError for groups that are none */
export function seer(handles: Events, { collisionGroups = ALL_GROUPS, filter }: QueryOptions): Sees {
  validateSetting('SoftBodyWorld', 'collisionGroups', collisionGroups, bodySettings.collisionGroups)
  return (groups, body, collider) =>
    groupsMeet(collisionGroups, groups) &&
    (!filter || filter(body ? handles.bodyOf(body) : handles.colliderOf(collider!)))
}

/** How far beside a triangle still counts as on it, in barycentric weights: between two of them no ray slips through. */
const EDGE = 1e-12
/** How near a ray comes to a collider's surface to have met it: [m], and as a share of the way. */
const TOUCH = 1e-9
/** Looks at most so often at the distance on one way, and so far [m]. */
const LOOKS = 512
const FARTHEST = 1e9

/** Origin, unit direction and length of the ray that is cast. By array, since a call with numbers allocates. */
const ray = new Float64Array(7)
const LENGTH = 6
/** The same in a collider's frame, without the length. */
const local = new Float64Array(6)
const R = new Float64Array(9)
const query = new Float64Array(7)
/** What of a ray is looked at, from and to [m]. */
const span = new Float64Array(2)
/** Of the nearest hit: its distance; in a triangle the weights of the second and the third corner. */
const nearest = new Float64Array(3)

/**
 * Casts rays at the bodies' surfaces as they are deformed, solids and cloths from both sides, and at colliders. Each
 * body has a box about its particles, made again only when it is asked for after something has moved.
 */
export class Raycast {
  /** By slot: six numbers, and the `State.moves` that they are of. */
  private boxes = new Float64Array(0)
  private fitted = new Float64Array(0)

  constructor(
    private readonly state: State,
    private readonly handles: Events,
  ) {}

  /** @throws SettingError for an origin or direction that is not finite, a direction of no length, a distance below 0 */
  cast(origin: Vec3, direction: Vec3, options: RaycastOptions = {}): RayHit | null {
    aim(origin, direction, options)
    const { state } = this
    const sees = seer(this.handles, options)
    nearest[0] = ray[LENGTH]!
    let body: BodyRecord | null = null
    let collider: ColliderRecord | null = null
    let triangle = -1
    for (const record of state.bodies.live) {
      if (!this.meetsBox(record) || !sees(record.settings.collisionGroups, record, null)) continue
      const isRope = record.model.triangles.length === 0
      const hit = isRope ? castAtSegments(state, record, ray, nearest) : castAtBody(state, record)
      if (hit < 0) continue
      body = record
      triangle = hit
    }
    for (const record of state.colliders.live) {
      if (!sees(record.collisionGroups, null, record) || !castAtCollider(record)) continue
      collider = record
      body = null
    }
    if (collider && !body) return this.hitOfCollider(collider)
    if (body?.model.triangles.length === 0) return this.hitOfRope(body, triangle)
    return body && this.hitOfBody(body, triangle)
  }

  private hitOfRope(record: BodyRecord, segment: number): RayHit {
    const { model, start } = record
    const { positions: x } = this.state
    const particles = model.edges.slice(segment * 2, segment * 2 + 2)
    const weights = Float64Array.of(1 - nearest[1]!, nearest[1]!)
    const radius = record.settings.thickness ?? model.thickness
    const normal = [0, 1, 2].map((d) => {
      const axis = weights[0]! * x[(start + particles[0]!) * 3 + d]! + weights[1]! * x[(start + particles[1]!) * 3 + d]!
      return (ray[d]! + nearest[0]! * ray[3 + d]! - axis) / radius
    })
    const body = this.handles.bodyOf(record)
    return { ...place(normal as unknown as Vec3), body, collider: null, triangle: -1, region: { particles, weights } }
  }

  private hitOfBody(record: BodyRecord, triangle: number): RayHit {
    const { model, start } = record
    const { positions: x } = this.state
    const particles = model.triangles.slice(triangle * 3, triangle * 3 + 3)
    const [o, a, b] = Array.from(particles, (i) => (start + i) * 3) as [number, number, number]
    const u = [0, 1, 2].map((d) => x[a + d]! - x[o + d]!) as unknown as Vec3
    const v = [0, 1, 2].map((d) => x[b + d]! - x[o + d]!) as unknown as Vec3
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    const length = Math.sqrt(normal[0]! * normal[0]! + normal[1]! * normal[1]! + normal[2]! * normal[2]!)
    const facing = normal[0]! * ray[3]! + normal[1]! * ray[4]! + normal[2]! * ray[5]!
    const side = model.tets.length === 0 && facing > 0 ? -1 : 1
    return {
      ...place(normal.map((n) => (side * n) / length) as unknown as Vec3),
      body: this.handles.bodyOf(record),
      collider: null,
      triangle,
      region: { particles, weights: Float64Array.of(1 - nearest[1]! - nearest[2]!, nearest[1]!, nearest[2]!) },
    }
  }

  private hitOfCollider(record: ColliderRecord): RayHit {
    toLocal(record)
    look(record.shape, nearest[0]!)
    const n = [0, 3, 6].map((row) => R[row]! * query[4]! + R[row + 1]! * query[5]! + R[row + 2]! * query[6]!)
    return {
      ...place(n as unknown as Vec3),
      body: null,
      collider: this.handles.colliderOf(record),
      triangle: -1,
      region: null,
    }
  }

  /** False where the ray passes by the body's box, or meets something nearer before. */
  private meetsBox(record: BodyRecord): boolean {
    this.fit(record)
    span[0] = 0
    span[1] = nearest[0]!
    return clip(ray, this.boxes, record.slot * 6)
  }

  private fit({ slot, start, model, settings }: BodyRecord): void {
    // A rope is as thick as it keeps others away.
    const beyond = model.triangles.length === 0 ? (settings.thickness ?? model.thickness) : 0
    const { positions: x, moves, bodies } = this.state
    if (this.fitted.length <= slot) {
      const slots = bodies.live[bodies.live.length - 1]!.slot + 1
      this.boxes = new Float64Array(slots * 12)
      this.fitted = new Float64Array(slots * 2).fill(-1)
    }
    if (this.fitted[slot] === moves) return
    this.fitted[slot] = moves
    const at = slot * 6
    for (let d = 0; d < 3; d++) {
      let least = Number.POSITIVE_INFINITY
      let most = Number.NEGATIVE_INFINITY
      for (let p = start * 3 + d; p < (start + model.particleCount) * 3; p += 3) {
        least = Math.min(least, x[p]!)
        most = Math.max(most, x[p]!)
      }
      this.boxes[at + d] = least - beyond
      this.boxes[at + 3 + d] = most + beyond
    }
  }
}

/** Sets `ray`. */
function aim(origin: Vec3, direction: Vec3, { maxDistance = Number.POSITIVE_INFINITY }: RaycastOptions): void {
  checkVector('SoftBodyWorld', 'raycast.origin', origin)
  checkVector('SoftBodyWorld', 'raycast.direction', direction)
  const [x, y, z] = direction
  const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z))
  if (most === 0) {
    const problem = 'has no length'
    throw new SettingError('SoftBodyWorld', 'raycast.direction', direction, problem, 'Use where the ray leads.')
  }
  if (!(maxDistance >= 0)) {
    const remedy = 'Use metres, or leave it out for no end.'
    throw new SettingError('SoftBodyWorld', 'raycast.maxDistance', maxDistance, 'must be 0 or above', remedy)
  }
  const length = most * Math.sqrt((x / most) * (x / most) + (y / most) * (y / most) + (z / most) * (z / most))
  for (let d = 0; d < 3; d++) {
    ray[d] = origin[d]!
    ray[3 + d] = direction[d]! / length
  }
  ray[LENGTH] = maxDistance
}

/** Where the nearest hit is, and its normal. */
function place(normal: Vec3): Pick<RayHit, 'distance' | 'point' | 'normal'> {
  const distance = nearest[0]!
  const point: Vec3 = [ray[0]! + distance * ray[3]!, ray[1]! + distance * ray[4]!, ray[2]! + distance * ray[5]!]
  return { distance, point, normal }
}

/** The number of the triangle that is nearer than what was hit so far, which `nearest` then holds; -1 for none. */
function castAtBody({ positions: x }: State, { start, model }: BodyRecord): number {
  const { triangles } = model
  const vx = ray[3]!
  const vy = ray[4]!
  const vz = ray[5]!
  let found = -1
  for (let t = 0; t < triangles.length; t += 3) {
    const o = (start + triangles[t]!) * 3
    const a = (start + triangles[t + 1]!) * 3
    const b = (start + triangles[t + 2]!) * 3
    const ux = x[a]! - x[o]!
    const uy = x[a + 1]! - x[o + 1]!
    const uz = x[a + 2]! - x[o + 2]!
    const wx = x[b]! - x[o]!
    const wy = x[b + 1]! - x[o + 1]!
    const wz = x[b + 2]! - x[o + 2]!
    // Cramer's rule for o + s u + r w = origin + distance v (Moeller, Trumbore 1997), from either side.
    const px = vy * wz - vz * wy
    const py = vz * wx - vx * wz
    const pz = vx * wy - vy * wx
    const det = ux * px + uy * py + uz * pz
    if (det === 0) continue // seen from its edge, or without area
    const tx = ray[0]! - x[o]!
    const ty = ray[1]! - x[o + 1]!
    const tz = ray[2]! - x[o + 2]!
    const s = (tx * px + ty * py + tz * pz) / det
    if (!(s >= -EDGE && s <= 1 + EDGE)) continue
    const qx = ty * uz - tz * uy
    const qy = tz * ux - tx * uz
    const qz = tx * uy - ty * ux
    const r = (vx * qx + vy * qy + vz * qz) / det
    if (!(r >= -EDGE && s + r <= 1 + EDGE)) continue
    const distance = (wx * qx + wy * qy + wz * qz) / det
    if (!(distance >= 0 && distance <= nearest[0]!)) continue
    if (distance === nearest[0] && found >= 0) continue
    nearest[0] = distance
    nearest[1] = s
    nearest[2] = r
    found = t / 3
  }
  return found
}

/** Cuts `span` to what of a line, origin and direction, is in the box at boxes[at]; false where nothing is. */
function clip(line: Float64Array, boxes: Float64Array, at: number): boolean {
  let from = span[0]!
  let to = span[1]!
  for (let d = 0; d < 3; d++) {
    const o = line[d]!
    const v = line[3 + d]!
    const least = boxes[at + d]!
    const most = boxes[at + 3 + d]!
    if (v === 0) {
      if (o < least || o > most) return false
      continue
    }
    const a = (least - o) / v
    const b = (most - o) / v
    from = Math.max(from, Math.min(a, b))
    to = Math.min(to, Math.max(a, b))
  }
  // A flat sheet has a box without a thickness: rounding must not let it slip through.
  const slack = TOUCH * (1 + Math.abs(to))
  span[0] = Math.max(span[0]!, from - slack)
  span[1] = to + slack
  return from <= to + slack
}

function toLocal({ pose }: ColliderRecord): void {
  quaternionToMatrix(pose, 3, R)
  for (let d = 0; d < 3; d++) {
    local[d] = 0
    local[3 + d] = 0
    for (let e = 0; e < 3; e++) {
      local[d] = local[d]! + R[e * 3 + d]! * (ray[e]! - pose[e]!)
      local[3 + d] = local[3 + d]! + R[e * 3 + d]! * ray[3 + e]!
    }
  }
}

/** Distance and normal at `far` along the ray in the shape's frame, into `query`. */
function look(shape: ColliderShape, far: number): void {
  for (let d = 0; d < 3; d++) query[d] = local[d]! + far * local[3 + d]!
  shape.distance(query)
}

/**
 * True where the ray meets the collider nearer than what was hit so far, which `nearest` then holds. The step is the
 * distance itself (sphere tracing, Hart 1996); towards a convex shape from outside it is Newton's, which is longer and
 * passes no zero, since the distance along a line is convex there. A ray that starts inside meets the way out.
 */
function castAtCollider(record: ColliderRecord): boolean {
  const { shape } = record
  toLocal(record)
  span[0] = 0
  span[1] = Math.min(nearest[0]!, FARTHEST)
  if (shape.bounds && !clip(local, shape.bounds, 0)) return false
  const end = span[1]
  let far = span[0]
  let away = far > 0
  for (let k = 0; k < LOOKS; k++) {
    look(shape, far)
    const gap = query[3]!
    const closing = -(query[4]! * local[3]! + query[5]! * local[4]! + query[6]! * local[5]!)
    const touches = Math.abs(gap) <= TOUCH * (1 + far)
    // A ray that starts on the surface and leaves it does not meet it there.
    if (touches && (closing > 0 || away)) {
      nearest[0] = far
      return true
    }
    away ||= !touches
    if (shape.convex && gap > 0) {
      if (!(closing > 0)) return false
      far += gap / closing
    } else far += Math.max(Math.abs(gap), TOUCH * (1 + far))
    if (!(far <= end)) return false
  }
  return false
}

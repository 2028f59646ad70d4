import type { Body } from './body.js'
import { checkVector } from './checks.js'
import type { Collider } from './collider.js'
import type { Events } from './events.js'
import { radiusOf } from './measures.js'
import { type QueryOptions, queryOptions, seer } from './query.js'
import { clip, span } from './rayBox.js'
import { castAtSegments } from './raycastAlong.js'
import { castAtBalls } from './raycastBalls.js'
import { castAtCollider, lastNormal } from './raycastCollider.js'
import { castAtTriangles } from './raycastSurface.js'
import type { BodyRecord, ColliderRecord } from './records.js'
import type { Region } from './region.js'
import type { State } from './state.js'
import { SettingError } from './validation.js'
import type { Vec3 } from './vectors.js'

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
  /** Number of the triangle in the body's `model.triangles`, -1 for a collider, a rope or free particles. */
  readonly triangle: number
  /**
   * The point as matter of the body: the triangle's corners with barycentric weights, of a rope the point of its axis
   * that is nearest, of free particles the one that was hit, null for a collider. It follows the body: `body.pointOf(region, target)` says where it is later; it can be attached, pushed and pulled too.
   */
  readonly region: Region | null
}

const raycastOptions = { ...queryOptions, maxDistance: true }

/** Origin, unit direction and length of the ray that is cast. By array, since a call with numbers allocates. */
const ray = new Float64Array(7)
const LENGTH = 6
/** Of the nearest hit: its distance; in a triangle the weights of the second and the third corner. */
const nearest = new Float64Array(3)

/**
 * Casts rays at the bodies' surfaces as they are deformed, solids and cloths from both sides, ropes and free particles
 * from outside, and at colliders. Each body has a box about its particles, made again only when it is asked for after something has moved.
 */
export class Raycast {
  /** By slot: six numbers, and the `State.moves` that they are of. */
  private boxes = new Float64Array(0)
  private fitted = new Float64Array(0)

  constructor(
    private readonly state: State,
    private readonly handles: Events,
  ) {}

  /** @throws SettingError for an origin or direction that is not finite, a direction of no length, an option out of range */
  cast(origin: Vec3, direction: Vec3, options: RaycastOptions = {}): RayHit | null {
    const { state } = this
    const sees = seer(this.handles, 'raycast', options, raycastOptions)
    aim(origin, direction, options)
    nearest[0] = ray[LENGTH]!
    let body: BodyRecord | null = null
    let collider: ColliderRecord | null = null
    let triangle = -1
    for (const record of state.bodies.live) {
      if (!this.meetsBox(record) || !sees(record.settings.collisionGroups, record, null)) continue
      const hit = castAt(state, record)
      if (hit < 0) continue
      body = record
      triangle = hit
    }
    for (const record of state.colliders.live) {
      if (!sees(record.collisionGroups, null, record) || !castAtCollider(record, ray, nearest)) continue
      collider = record
      body = null
    }
    if (collider && !body) return this.hitOfCollider(collider)
    if (body?.model.triangles.length === 0) return this.hitOfRound(body, triangle)
    return body && this.hitOfBody(body, triangle)
  }

  /** @param element segment of a rope, or free particle */
  private hitOfRound(record: BodyRecord, element: number): RayHit {
    const { model, start } = record
    const { positions: x } = this.state
    const isRope = model.edges.length > 0
    const particles = isRope ? model.edges.slice(element * 2, element * 2 + 2) : Uint32Array.of(element)
    const weights = isRope ? Float64Array.of(1 - nearest[1]!, nearest[1]!) : Float64Array.of(1)
    const radius = radiusOf(record)
    const normal = [0, 1, 2].map((d) => {
      const axis = particles.reduce((sum, i, k) => sum + weights[k]! * x[(start + i) * 3 + d]!, 0)
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
    return {
      ...place(lastNormal()),
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

  private fit(record: BodyRecord): void {
    const { slot, start, model } = record
    const beyond = radiusOf(record)
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

/** What of a body is nearer than all that was hit before: a triangle, a segment or a particle; -1 for none. */
function castAt(state: State, record: BodyRecord): number {
  const { triangles, edges } = record.model
  if (triangles.length > 0) return castAtTriangles(state, record, ray, nearest)
  return edges.length > 0 ? castAtSegments(state, record, ray, nearest) : castAtBalls(state, record, ray, nearest)
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
  if (!(typeof maxDistance === 'number' && maxDistance >= 0)) {
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

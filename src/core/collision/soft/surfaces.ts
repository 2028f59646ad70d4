import { runToEnd } from '../../mesh/slices.js'
import { distinctEdges, type Model } from '../../model.js'
import type { BodyRecord, State } from '../../state.js'
import { JoinedBodies } from './joinedBodies.js'

/** What bodies of one model have in common. */
interface Shape {
  /** Particles of the surface, ascending. */
  readonly vertices: Uint32Array
  /** [2 n] edges of the surface's triangles, or a rope's own. */
  readonly edges: Uint32Array
  /** [2 n] for each edge the third corners of its first two triangles, + 1; 0 where there is none. */
  readonly wings: Uint32Array
  /** Mean length of an edge of the surface at rest [m]. */
  readonly meanEdge: number
  /** Volume by surface at rest [m]: half the thickness of a plate, a sixth of a cube's side; 0 of what is no solid. */
  readonly slab: number
}

const shapes = new WeakMap<Model, Shape>()

function shapeOf(model: Model): Shape {
  const known = shapes.get(model)
  if (known) return known
  const { triangles, positions: x } = model
  const used = new Uint8Array(model.particleCount)
  // A rope is all edge; what has neither meets the surfaces of others by its particles.
  const lines = model.edges.length > 0 ? model.edges : model.contactParticles
  for (const i of triangles.length > 0 ? triangles : lines) used[i] = 1
  const edges = model.tets.length === 0 ? model.edges : runToEnd(distinctEdges(triangles, 3))
  let sum = 0
  for (let e = 0; e < edges.length; e += 2) {
    let square = 0
    for (let d = 0; d < 3; d++) {
      const along = x[edges[e]! * 3 + d]! - x[edges[e + 1]! * 3 + d]!
      square += along * along
    }
    sum += Math.sqrt(square)
  }
  const shape = {
    vertices: Uint32Array.from(used.keys()).filter((i) => used[i] === 1),
    edges,
    wings: model.torn?.wings ?? wingsOf(edges, triangles),
    meanEdge: edges.length > 0 ? (2 * sum) / edges.length : model.size,
    slab: model.tets.length > 0 ? model.volume / areaOf(model) : 0,
  }
  shapes.set(model, shape)
  return shape
}

/** Surface of a model at rest [m^2]. */
function areaOf({ triangles, positions: x }: Model): number {
  let area = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t]! * 3
    const b = triangles[t + 1]! * 3
    const c = triangles[t + 2]! * 3
    const ux = x[b]! - x[a]!
    const uy = x[b + 1]! - x[a + 1]!
    const uz = x[b + 2]! - x[a + 2]!
    const vx = x[c]! - x[a]!
    const vy = x[c + 1]! - x[a + 1]!
    const vz = x[c + 2]! - x[a + 2]!
    const nx = uy * vz - uz * vy
    const ny = uz * vx - ux * vz
    const nz = ux * vy - uy * vx
    area += Math.sqrt(nx * nx + ny * ny + nz * nz) / 2
  }
  return area
}

function wingsOf(edges: Uint32Array, triangles: Uint32Array): Uint32Array {
  const numbers = new Map<number, number>()
  const key = (i: number, j: number) => Math.min(i, j) * 67108864 + Math.max(i, j)
  for (let e = 0; e < edges.length; e += 2) numbers.set(key(edges[e]!, edges[e + 1]!), e)
  const wings = new Uint32Array(edges.length)
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const e = numbers.get(key(triangles[t + k]!, triangles[t + ((k + 1) % 3)]!))!
      const third = triangles[t + ((k + 2) % 3)]! + 1
      if (wings[e] === 0) wings[e] = third
      else if (wings[e + 1] === 0) wings[e + 1] = third
    }
  }
  return wings
}

/** Places in the numbers of a surface. */
export const SURFACE = { THICKNESS: 0, FRICTION: 1, RESTITUTION: 2, EDGE: 3, GRAVITY: 4, SLAB: 5, SIZE: 6 } as const

/** What two bodies do to each other. */
export const MEETING = { NOTHING: 0, PUSH: 1, NOTICE: 2 } as const

/** The surfaces of all live bodies with the world's particle numbers, in the order of the bodies. */
export class Surfaces {
  /** Live bodies. */
  bodies: readonly BodyRecord[] = []
  /** Vertices of all surfaces; those of live body b are vertexStarts[b] to vertexStarts[b + 1]. */
  vertices = new Uint32Array(0)
  vertexStarts = new Uint32Array(1)
  /** [3 n] outward where the body is solid. */
  triangles = new Uint32Array(0)
  /** First triangle of each live body, and the end. */
  triangleStarts = new Uint32Array(1)
  /** [2 n] */
  edges = new Uint32Array(0)
  edgeStarts = new Uint32Array(1)
  /** [2 n] for each edge the third corners of its first two triangles, + 1; 0 where there is none. */
  wings = new Uint32Array(0)
  /** By particle: index of its body among the live ones. */
  bodyOf = new Uint32Array(0)
  /** By particle: itself, or the one that it was split off: elements that have one in common are neighbours at rest. */
  origins = new Uint32Array(0)
  /** By live body: 1 for a solid, whose triangles have an outside. */
  solid = new Uint8Array(0)
  /** By live body: 1 where it has no edges: its particles meet the surfaces of others, and not each other. */
  bare = new Uint8Array(0)
  /** By live body: 1 for a rope, whose edges have no triangles. */
  lines = new Uint8Array(0)
  /** By live body: 1 where it collides with itself. */
  self = new Uint8Array(0)
  /** By live body: its groups, and 1 where it only notices. */
  private memberOf = new Uint32Array(0)
  private collidesWith = new Uint32Array(0)
  private sensor = new Uint8Array(0)
  readonly joined = new JoinedBodies()
  /** By live body: `SURFACE`. */
  numbers = new Float64Array(0)
  /** By live body: 1 where it sleeps: it moves nothing and is as good as pinned. */
  asleep = new Uint8Array(0)
  /** By particle: inverse mass [1/kg], 0 where it is pinned or sleeps. */
  mobility = new Float64Array(0)
  /** True where any two surfaces could meet. */
  any = false
  private ownMobility = new Float64Array(0)
  private bakedVersion = -1
  private bakedTears = -1

  /** Takes bodies and settings where they have changed; true where they have. */
  bake(state: State): boolean {
    if (this.bakedVersion === state.version && this.bakedTears === state.tears) return false
    this.bakedVersion = state.version
    this.bakedTears = state.tears
    const bodies = state.bodies.live
    this.bodies = bodies
    this.any = bodies.length > 1 || bodies.some(({ settings }) => settings.selfCollision)
    if (!this.any) return true
    const parts = bodies.map(({ model }) => shapeOf(model))
    this.vertexStarts = starts(parts.map(({ vertices }) => vertices.length))
    this.triangleStarts = starts(bodies.map(({ model }) => model.triangles.length / 3))
    this.edgeStarts = starts(parts.map(({ edges }) => edges.length / 2))
    this.vertices = joined(
      bodies,
      parts.map(({ vertices }) => vertices),
    )
    this.triangles = joined(
      bodies,
      bodies.map(({ model }) => model.triangles),
    )
    this.edges = joined(
      bodies,
      parts.map(({ edges }) => edges),
    )
    this.wings = joined(
      bodies,
      parts.map(({ wings }) => wings),
    )
    for (let b = 0; b < bodies.length; b++) this.clearEmptyWings(b, parts[b]!.wings)
    this.bodyOf = new Uint32Array(state.masses.length)
    this.solid = Uint8Array.from(bodies, ({ model }) => (model.tets.length > 0 ? 1 : 0))
    this.bare = Uint8Array.from(parts, ({ edges }) => (edges.length === 0 ? 1 : 0))
    this.lines = Uint8Array.from(bodies, ({ model }) => (model.triangles.length === 0 ? 1 : 0))
    this.self = Uint8Array.from(bodies, ({ settings }, b) =>
      settings.selfCollision && parts[b]!.edges.length > 0 ? 1 : 0,
    )
    this.numbers = new Float64Array(bodies.length * SURFACE.SIZE)
    this.origins = new Uint32Array(state.masses.length)
    for (let i = 0; i < this.origins.length; i++) this.origins[i] = i
    bodies.forEach(({ start, model, settings }, b) => {
      this.bodyOf.fill(b, start, start + model.particleCount)
      model.torn?.origins.forEach((origin, k) => {
        this.origins[start + model.torn!.whole.particleCount + k] = start + origin
      })
      const at = b * SURFACE.SIZE
      this.numbers[at + SURFACE.THICKNESS] = settings.thickness ?? model.thickness
      this.numbers[at + SURFACE.FRICTION] = settings.friction
      this.numbers[at + SURFACE.RESTITUTION] = settings.restitution
      this.numbers[at + SURFACE.EDGE] = parts[b]!.meanEdge
      this.numbers[at + SURFACE.GRAVITY] = settings.gravityScale
      this.numbers[at + SURFACE.SLAB] = parts[b]!.slab
    })
    this.memberOf = Uint32Array.from(bodies, ({ settings }) => settings.collisionGroups[0])
    this.collidesWith = Uint32Array.from(bodies, ({ settings }) => settings.collisionGroups[1])
    this.asleep = new Uint8Array(bodies.length)
    this.sensor = Uint8Array.from(bodies, ({ settings }) => (settings.sensor ? 1 : 0))
    return true
  }

  /** Looks, once a step, which bodies sleep. */
  lookWhoSleeps(state: State): void {
    const { bodies, asleep } = this
    let any = false
    for (let b = 0; b < bodies.length; b++) {
      asleep[b] = bodies[b]!.asleep ? 1 : 0
      any = any || bodies[b]!.asleep
    }
    this.mobility = state.inverseMasses
    if (!any) return
    if (this.ownMobility.length < state.inverseMasses.length) {
      this.ownMobility = new Float64Array(state.inverseMasses.length)
    }
    this.ownMobility.set(state.inverseMasses)
    for (let b = 0; b < bodies.length; b++) {
      const { start, model } = bodies[b]!
      if (asleep[b] === 1) this.ownMobility.fill(0, start, start + model.particleCount)
    }
    this.mobility = this.ownMobility
  }

  /** Wings that are not there stay 0. */
  private clearEmptyWings(b: number, wings: Uint32Array): void {
    const from = this.edgeStarts[b]! * 2
    for (let k = 0; k < wings.length; k++) if (wings[k] === 0) this.wings[from + k] = 0
  }

  /** What the live bodies `a` and `b`, or one body with itself, do to each other, `MEETING`. */
  meeting(a: number, b: number): number {
    const { memberOf, collidesWith, sensor, asleep } = this
    if (asleep[a] === 1 && asleep[b] === 1) return MEETING.NOTHING
    if (a === b) return this.self[a]! && !sensor[a] ? MEETING.PUSH : MEETING.NOTHING
    if ((this.bare[a] === 1 && this.bare[b] === 1) || this.joined.has(a, b)) return MEETING.NOTHING
    if ((memberOf[a]! & collidesWith[b]!) === 0 || (memberOf[b]! & collidesWith[a]!) === 0) return MEETING.NOTHING
    return sensor[a] || sensor[b] ? MEETING.NOTICE : MEETING.PUSH
  }
}

function starts(counts: readonly number[]): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(counts.length + 1)
  counts.forEach((count, k) => {
    out[k + 1] = out[k]! + count
  })
  return out
}

function joined(bodies: readonly BodyRecord[], lists: readonly Uint32Array[]): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0))
  let at = 0
  lists.forEach((list, b) => {
    for (const i of list) out[at++] = bodies[b]!.start + i
  })
  return out
}

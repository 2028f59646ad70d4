import { isInPieces } from '../../model.js'
import type { BodyRecord } from '../../records.js'
import type { State } from '../../state.js'
import { isElastic } from '../pairs.js'
import { JoinedBodies } from './joinedBodies.js'
import { surfaceOf } from './modelSurface.js'
import type { Fans } from './outward.js'

/** Part of a solid's mean edge that a particle may come in by, and is nearest to where it did. */
export const CAUGHT = 0.25

/**
 * Thicknesses of a pair within which a solid's particle is looked for by the sides of others: what lies on a side, but a
 * little off its rim, is let go of over that distance. With 6, one in two pairs of cubes that walls press into each other
 * trembled, with 12 one in eight; without a limit no fewer, and a crowd lists half as many pairs again.
 */
export const BESIDE = 12

/**
 * Places in the numbers of a surface; `BESIDE` is how far off a side its particles are looked for, `RIM` its rims, by the
 * thinner of two, and `RIM_REACH` how much of that each sees to [m].
 */
export const SURFACE = {
  THICKNESS: 0,
  FRICTION: 1,
  RESTITUTION: 2,
  EDGE: 3,
  GRAVITY: 4,
  SLAB: 5,
  BESIDE: 6,
  RIM: 7,
  RIM_REACH: 8,
  SIZE: 9,
} as const

/** How deep in each other two rims still touch, in the volume by surface of the thinner solid: a third of a cube's edge. */
const RIM_DEPTH = 2

/** What two bodies do to each other. */
export const MEETING = { NOTHING: 0, PUSH: 1, NOTICE: 2 } as const

/** How deep two bodies are in each other where contact still finds the way out, in mean edges of the finer one. */
const SHALLOW = 0.25

/** That depth of the two bodies that `findShallow` was asked about [m]: of what is thin, no more than half way through. */
export const shallow = new Float64Array(1)

/** The surfaces of all live bodies with the world's particle numbers, in the order of the bodies. */
export class Surfaces {
  /** Live bodies. */
  bodies: readonly BodyRecord[] = []
  /** Vertices of all surfaces; those of live body b are vertexStarts[b] to vertexStarts[b + 1]. */
  vertices = new Uint32Array(0)
  vertexStarts = new Uint32Array(1)
  /** [3 n] outward where the body is solid. */
  triangles = new Uint32Array(0)
  /** [n] the fourth corner of the tetrahedron behind each of these, or its first corner where there is none. */
  apexes = new Uint32Array(0)
  /** First triangle of each live body, and the end. */
  triangleStarts = new Uint32Array(1)
  /** [2 n] */
  edges = new Uint32Array(0)
  edgeStarts = new Uint32Array(1)
  /** [2 n] for each edge the third corners of its first two triangles, + 1; 0 where there is none. */
  wings = new Uint32Array(0)
  /** [4 n] sharp edges of solids, and the third corners of their two triangles. */
  rims = new Uint32Array(0)
  rimStarts = new Uint32Array(1)
  /** By particle: index of its body among the live ones. */
  bodyOf = new Uint32Array(0)
  /** By particle: itself, or the one that it was split off: elements that have one in common are neighbours at rest. */
  origins = new Uint32Array(0)
  /** By live body: 1 for a solid, whose triangles have an outside. */
  solid = new Uint8Array(0)
  /** By live body: the triangles around each particle of a solid. */
  fans: readonly (Fans | undefined)[] = []
  /** By live body: 1 where it has no edges: its particles meet the surfaces of others, and not each other. */
  bare = new Uint8Array(0)
  /** By live body: 1 for a rope, whose edges have no triangles. */
  lines = new Uint8Array(0)
  /** By live body: 1 where restitution is of it as a whole: an elastic solid in one piece, whose joints do not give way. */
  whole = new Uint8Array(0)
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
    const parts = bodies.map(({ model }) => surfaceOf(model))
    this.vertexStarts = starts(parts.map(({ vertices }) => vertices.length))
    this.triangleStarts = starts(bodies.map(({ model }) => model.triangles.length / 3))
    this.edgeStarts = starts(parts.map(({ edges }) => edges.length / 2))
    this.rimStarts = starts(parts.map(({ rims }) => rims.length / 4))
    this.vertices = joined(
      bodies,
      parts.map(({ vertices }) => vertices),
    )
    this.triangles = joined(
      bodies,
      bodies.map(({ model }) => model.triangles),
    )
    this.apexes = joined(
      bodies,
      parts.map(({ apexes }) => apexes),
    )
    this.edges = joined(
      bodies,
      parts.map(({ edges }) => edges),
    )
    this.rims = joined(
      bodies,
      parts.map(({ rims }) => rims),
    )
    this.wings = joined(
      bodies,
      parts.map(({ wings }) => wings),
    )
    for (let b = 0; b < bodies.length; b++) this.clearEmptyWings(b, parts[b]!.wings)
    this.bodyOf = new Uint32Array(state.masses.length)
    this.solid = Uint8Array.from(bodies, ({ model }) => (model.tets.length > 0 ? 1 : 0))
    this.fans = parts.map(({ fans }) => fans)
    this.bare = Uint8Array.from(parts, ({ edges }) => (edges.length === 0 ? 1 : 0))
    this.lines = Uint8Array.from(bodies, ({ model }) => (model.triangles.length === 0 ? 1 : 0))
    this.whole = Uint8Array.from(bodies, (body) => (bouncesWhole(body) ? 1 : 0))
    this.self = Uint8Array.from(bodies, ({ settings }, b) =>
      settings.selfCollision && parts[b]!.edges.length > 0 ? 1 : 0,
    )
    this.numbers = new Float64Array(bodies.length * SURFACE.SIZE)
    this.origins = new Uint32Array(state.masses.length)
    for (let i = 0; i < this.origins.length; i++) this.origins[i] = i
    let coarsest = 0
    let thickest = 0
    bodies.forEach(({ start, model, settings }, b) => {
      this.bodyOf.fill(b, start, start + model.particleCount)
      model.torn?.origins.forEach((origin, k) => {
        this.origins[start + model.torn!.whole.particleCount + k] = start + origin
      })
      const at = b * SURFACE.SIZE
      const thickness = settings.thickness ?? model.thickness
      this.numbers[at + SURFACE.THICKNESS] = thickness
      this.numbers[at + SURFACE.FRICTION] = settings.friction
      this.numbers[at + SURFACE.RESTITUTION] = settings.restitution
      this.numbers[at + SURFACE.EDGE] = parts[b]!.meanEdge
      this.numbers[at + SURFACE.GRAVITY] = settings.gravityScale
      this.numbers[at + SURFACE.SLAB] = parts[b]!.slab
      const rim = Math.max(thickness, RIM_DEPTH * parts[b]!.slab)
      this.numbers[at + SURFACE.RIM] = rim
      this.numbers[at + SURFACE.RIM_REACH] = Math.max(thickness, rim / 2)
      if (this.solid[b] === 0) return
      coarsest = Math.max(coarsest, parts[b]!.meanEdge)
      thickest = Math.max(thickest, thickness)
    })
    for (let at = 0; at < this.numbers.length; at += SURFACE.SIZE) {
      const most = BESIDE * (this.numbers[at + SURFACE.THICKNESS]! + thickest)
      this.numbers[at + SURFACE.BESIDE] = Math.min(CAUGHT * coarsest, this.numbers[at + SURFACE.SLAB]!, most)
    }
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

  /** Into `shallow`, of two live bodies. */
  findShallow(a: number, b: number): void {
    const { numbers, solid } = this
    let least = Number.POSITIVE_INFINITY
    for (let k = 0; k < 2; k++) {
      const o = (k === 0 ? a : b) * SURFACE.SIZE
      least = Math.min(least, SHALLOW * numbers[o + SURFACE.EDGE]!)
      if (solid[k === 0 ? a : b] === 1) least = Math.min(least, numbers[o + SURFACE.SLAB]!)
    }
    shallow[0] = least
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

function bouncesWhole(body: BodyRecord): boolean {
  const { sets, tets } = body.model
  const figure = sets.some(({ kind }) => kind.contract === 'rigid')
  return tets.length > 0 && !figure && !isInPieces(body.model) && isElastic(body)
}

import type { State } from '../../state.js'
import type { WorldSettings } from '../../worldSettings.js'
import { NEAR, near, nearestOfSegments, nearestOnTriangle } from './closest.js'
import type { InsideOut } from './insideOut.js'
import type { Meetings } from './meetings.js'
import { PAIR, type SoftPairs } from './softPairs.js'
import { BESIDE, CAUGHT, MEETING, SURFACE, type Surfaces } from './surfaces.js'
import type { Tangles } from './tangles.js'

/** Part of their distance at rest that two elements of one body keep: a rest shape never pushes itself. */
const REST_SHARE = 0.5

const way = new Float64Array(1)
const rest = new Float64Array(12)

/** Fills in the settings of pairs that may touch, by what their bodies say. */
export class SoftFill {
  private readonly bounce = new Float64Array(1)

  constructor(
    private readonly surfaces: Surfaces,
    private readonly pairs: SoftPairs,
    private readonly meetings: Meetings,
    private readonly tangles: Tangles,
    private readonly insideOut: InsideOut,
  ) {}

  /** A search begins. */
  begin({ gravity, timeStep, substeps }: Readonly<WorldSettings>): void {
    const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    this.bounce[0] = (2 * g * timeStep) / substeps
  }

  /** Settings of a pair; drops it where its elements, unless one is `deep` inside, are too far from each other to touch. */
  fill(
    state: State,
    pair: number,
    body: number,
    other: number,
    i: number,
    j: number,
    k: number,
    l: number,
    meeting: number,
    deep: boolean,
  ): void {
    const { pairs, meetings, insideOut } = this
    const { numbers } = this.surfaces
    const s = body * SURFACE.SIZE
    const o = other * SURFACE.SIZE
    pairs.particles[pair * 4] = i
    pairs.particles[pair * 4 + 1] = j
    pairs.particles[pair * 4 + 2] = k
    pairs.particles[pair * 4 + 3] = l
    const thickness = numbers[s + SURFACE.THICKNESS]! + numbers[o + SURFACE.THICKNESS]!
    pairs.measure(meetings.leashes.origin, pair)
    const distance = Math.sqrt(near[NEAR.SQUARE]!)
    const { longest, ways } = meetings.leashes
    const edges = pairs.kind[pair] === PAIR.EDGES
    const last = Math.max(longest[k]!, longest[l]!)
    const stray = edges ? Math.max(longest[i]!, longest[j]!) + last : longest[i]! + Math.max(longest[j]!, last)
    const most = Math.max(ways[i]!, ways[j]!) + Math.max(ways[j]!, ways[k]!, ways[l]!)
    // Most pairs that are looked at are this far apart, and cost no more.
    const solids = pairs.kind[pair] === PAIR.SOLID && this.surfaces.solid[body] === 1
    const rims = pairs.rims[pair * 2] !== 0
    let far = thickness
    // As far as particles come in, and not as far as through what is thin.
    const within = solids ? Math.min(CAUGHT * numbers[o + SURFACE.EDGE]!, numbers[o + SURFACE.SLAB]!) : 0
    if (solids) far = Math.max(thickness, Math.min(within, numbers[s + SURFACE.SLAB]!, BESIDE * thickness))
    if (rims) far = Math.max(thickness, Math.min(numbers[s + SURFACE.RIM]!, numbers[o + SURFACE.RIM]!))
    pairs.far[pair] = far
    if (distance > far + stray + most && !deep) {
      pairs.count = pair
      return
    }
    pairs.thickness[pair] = thickness
    pairs.found[pair] = deep ? -distance : distance
    pairs.first[pair] = body
    pairs.second[pair] = other
    pairs.measureWay(state, pair, way)
    const margin = Math.sqrt(way[0]!) + stray
    const w = this.surfaces.mobility
    const { loose } = this.tangles
    if (pairs.kind[pair] !== PAIR.SOLID && loose[i]! + loose[j]! + loose[k]! + loose[l]! > 0) {
      pairs.count = pair
      return
    }
    if ((distance > far + margin && !deep) || w[i]! + w[j]! + w[k]! + w[l]! === 0) {
      pairs.count = pair
      return
    }
    if (body === other) {
      this.limitBy(pair, body, i, j, k, l)
      if (distance > pairs.thickness[pair] + margin) {
        pairs.count = pair
        return
      }
    }
    const { lines, whole } = this.surfaces
    pairs.ends[pair] = edges && lines[body]! + lines[other]! > 0 ? 1 : 0
    pairs.silent[pair] = meeting === MEETING.NOTICE ? 1 : 0
    // Where a substep began outside and ends farther in than this, the nearest side may be the wrong one.
    pairs.slow[pair] = within
    if (insideOut.has(body) || insideOut.has(other)) pairs.slow[pair] = Math.min(pairs.slow[pair], thickness)
    if (rims) pairs.slow[pair] = Number.POSITIVE_INFINITY
    pairs.friction[pair] = Math.sqrt(numbers[s + SURFACE.FRICTION]! * numbers[o + SURFACE.FRICTION]!)
    const e = Math.max(numbers[s + SURFACE.RESTITUTION]!, numbers[o + SURFACE.RESTITUTION]!)
    pairs.restitution[pair] = whole[body] === 1 && whole[other] === 1 ? 0 : e
    const scale = Math.max(Math.abs(numbers[s + SURFACE.GRAVITY]!), Math.abs(numbers[o + SURFACE.GRAVITY]!))
    pairs.slowest[pair] = this.bounce[0]! * scale
  }

  /** Keeps the thickness of a pair of one body below what its elements are apart at rest. */
  private limitBy(pair: number, body: number, i: number, j: number, k: number, l: number): void {
    const { pairs } = this
    const { start, model } = this.surfaces.bodies[body]!
    for (let d = 0; d < 3; d++) {
      rest[d] = model.positions[(i - start) * 3 + d]!
      rest[3 + d] = model.positions[(j - start) * 3 + d]!
      rest[6 + d] = model.positions[(k - start) * 3 + d]!
      rest[9 + d] = model.positions[(l - start) * 3 + d]!
    }
    if (pairs.kind[pair] === PAIR.EDGES) nearestOfSegments(rest, 0, 3, 6, 9)
    else nearestOnTriangle(rest, 0, 3, 6, 9)
    pairs.thickness[pair] = Math.min(pairs.thickness[pair]!, REST_SHARE * Math.sqrt(near[NEAR.SQUARE]!))
  }
}

import type { State } from '../../state.js'
import type { WorldSettings } from '../../worldSettings.js'
import { BOX } from './boxTree.js'
import { roomy } from './columns.js'
import { SURFACE, type Surfaces } from './surfaces.js'

/** What a particle may stray at most before surfaces are searched anew, in mean edges of its body. */
export const LEASH_EDGES = 0.35
/** A solid among solids that is faster may get as far as in the present substep so many times more, up to an edge. */
export const AHEAD = 2
/** And at least, in thicknesses of its body: what lies still is searched once a step. */
export const LEASH_THICKNESSES = 0.25
/** A particle may get as far as in the present substep, and by half as much more, in each that is left. */
export const FASTER = 1.5
/** The way of a particle's neighbour may become its own by this share, over so many edges. */
const HANDED_ON = 0.5
const EDGES = 2

/** A body's mean stray now, that at the start of the substep, and the mean way between them [m]. */
const drift = new Float64Array(9)

/**
 * How far each particle of a surface may get from where the search found it, and how far it has got. Each has a leash
 * of its own, so that one that is whirled about does not let all others be searched for as far. A body that may touch
 * only itself is measured against its own mean motion: what falls as a whole does not stray.
 */
export class Leashes {
  /** By particle: how far it may get [m]. */
  longest = new Float64Array(0)
  /** By particle: its way in the substep of that search, without that of a body that may touch itself alone [m]. */
  ways = new Float64Array(0)
  /** By particle: how far it is by now, or was at the start of the substep [m]. */
  strays = new Float64Array(0)
  /** By particle: 1 where a search within a substep looks for it. */
  lost = new Uint8Array(0)
  /** By live body: the mean way of its particles in the substep of the search, if it may touch itself alone, else 0 [3 n] m. */
  drifts = new Float64Array(0)
  /** Of the last body measured: its particles' longest stray and way [m]. */
  readonly most = new Float64Array(2)
  /** Of the last body measured: true where a particle is beyond its leash now, wherever the substep found it. */
  outran = false
  /** Where the particles of each body were when it was searched for last [3 n] m. */
  origin = new Float64Array(0)

  constructor(private readonly surfaces: Surfaces) {}

  /** A search begins. */
  begin(state: State): void {
    this.origin = roomy(this.origin, state.positions.length)
    this.longest = roomy(this.longest, state.masses.length)
    this.ways = roomy(this.ways, state.masses.length)
    this.strays = roomy(this.strays, state.masses.length)
    this.lost = roomy(this.lost, state.masses.length)
    this.drifts = roomy(this.drifts, this.surfaces.bodies.length * 3)
  }

  /** How far gravity may lead live body b in the `left` substeps, into most[0] [m]. */
  fall(settings: Readonly<WorldSettings>, b: number, left: number): void {
    const { gravity, timeStep, substeps } = settings
    const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    const dt = (timeStep * (left - 1)) / substeps
    this.most[0] = g * Math.abs(this.surfaces.numbers[b * SURFACE.SIZE + SURFACE.GRAVITY]!) * dt * dt
  }

  /**
   * Gives the particles of live body b their leashes, from where they are. What it hits may be thrown further, and is then
   * looked for again: to allow for that from the start lists many times as many pairs. @param alone where it may touch only
   * itself @param nearSheet where it is near a sheet, or one itself: what is drawn out is listed with far more
   */
  tie(
    state: State,
    settings: Readonly<WorldSettings>,
    b: number,
    left: number,
    alone: boolean,
    nearSheet: boolean,
  ): void {
    const { positions: x, previous: y } = state
    const { surfaces, longest, ways, drifts } = this
    const { vertices, vertexStarts, edges, edgeStarts } = surfaces
    const from = vertexStarts[b]!
    const to = vertexStarts[b + 1]!
    const { start, model } = surfaces.bodies[b]!
    for (let p = start * 3; p < (start + model.particleCount) * 3; p++) this.origin[p] = x[p]!
    drift.fill(0)
    if (alone) this.findDrift(x, y, from, to)
    for (let d = 0; d < 3; d++) drifts[b * 3 + d] = drift[6 + d]!
    if (surfaces.asleep[b] === 1) {
      for (let v = from; v < to; v++) {
        longest[vertices[v]!] = 0
        ways[vertices[v]!] = 0
        this.strays[vertices[v]!] = 0
      }
      return
    }
    for (let v = from; v < to; v++) {
      const i = vertices[v]!
      const p = i * 3
      const dx = x[p]! - y[p]! - drift[6]!
      const dy = x[p + 1]! - y[p + 1]! - drift[7]!
      const dz = x[p + 2]! - y[p + 2]! - drift[8]!
      ways[i] = Math.sqrt(dx * dx + dy * dy + dz * dz)
      longest[i] = ways[i]!
    }
    for (let k = 0; k < EDGES; k++) {
      for (let e = edgeStarts[b]! * 2; e < edgeStarts[b + 1]! * 2; e += 2) {
        const i = edges[e]!
        const j = edges[e + 1]!
        longest[i] = Math.max(longest[i]!, HANDED_ON * longest[j]!)
        longest[j] = Math.max(longest[j]!, HANDED_ON * longest[i])
      }
    }
    this.fall(settings, b, left)
    const fall = alone ? 0 : this.most[0]!
    const { numbers } = surfaces
    const s = b * SURFACE.SIZE
    const low = LEASH_THICKNESSES * numbers[s + SURFACE.THICKNESS]!
    const edge = numbers[s + SURFACE.EDGE]!
    const ahead = nearSheet ? 0 : edge
    const times = FASTER * Math.max(1, left - 1)
    for (let v = from; v < to; v++) {
      const i = vertices[v]!
      const high = Math.max(LEASH_EDGES * edge, Math.min(ahead, AHEAD * longest[i]!))
      longest[i] = Math.max(low, Math.min(high, times * longest[i]! + fall))
    }
  }

  /** All particles of live body b are lost. */
  lose(b: number): void {
    const { vertices, vertexStarts } = this.surfaces
    for (let v = vertexStarts[b]!; v < vertexStarts[b + 1]!; v++) this.lost[vertices[v]!] = 1
  }

  /** Those particles of live body b are lost that are beyond their leashes: gives them others, and has its box reach so far. */
  loose({ positions: x, previous: y }: State, b: number, boxes: Float64Array): void {
    const { surfaces, longest, ways, lost, origin } = this
    const { vertices, vertexStarts, numbers } = surfaces
    const s = b * SURFACE.SIZE
    const low = LEASH_THICKNESSES * numbers[s + SURFACE.THICKNESS]!
    const high = LEASH_EDGES * numbers[s + SURFACE.EDGE]!
    for (let v = vertexStarts[b]!; v < vertexStarts[b + 1]!; v++) {
      const i = vertices[v]!
      const p = i * 3
      const ux = x[p]! - origin[p]!
      const uy = x[p + 1]! - origin[p + 1]!
      const uz = x[p + 2]! - origin[p + 2]!
      if (!(ux * ux + uy * uy + uz * uz > longest[i]! * longest[i]!)) continue
      const wx = x[p]! - y[p]!
      const wy = x[p + 1]! - y[p + 1]!
      const wz = x[p + 2]! - y[p + 2]!
      lost[i] = 1
      ways[i] = Math.sqrt(wx * wx + wy * wy + wz * wz)
      longest[i] = Math.max(low, Math.min(high, FASTER * ways[i]))
      const reach = longest[i] + numbers[s + SURFACE.THICKNESS]!
      for (let d = 0; d < 3; d++) {
        const o = b * BOX + d
        origin[p + d] = x[p + d]!
        boxes[o] = Math.min(boxes[o]!, x[p + d]! - reach, y[p + d]! - reach)
        boxes[o + 3] = Math.max(boxes[o + 3]!, x[p + d]! + reach, y[p + d]! + reach)
      }
    }
  }

  /** Means over the vertices from..to, into `drift`. */
  private findDrift(x: Float64Array, y: Float64Array, from: number, to: number): void {
    const { origin: o } = this
    const { vertices } = this.surfaces
    drift.fill(0)
    for (let v = from; v < to; v++) {
      const p = vertices[v]! * 3
      for (let d = 0; d < 3; d++) {
        drift[d] = drift[d]! + x[p + d]! - o[p + d]!
        drift[3 + d] = drift[3 + d]! + y[p + d]! - o[p + d]!
      }
    }
    const share = 1 / (to - from)
    for (let d = 0; d < 6; d++) drift[d] = drift[d]! * share
    for (let d = 0; d < 3; d++) drift[6 + d] = drift[d]! - drift[3 + d]!
  }

  /** Measures strays and ways of live body b, the longest into `most`; true where a particle is beyond its leash. */
  measure({ positions: x, previous: y }: State, b: number, alone: boolean): boolean {
    const { origin: o, longest, strays, surfaces } = this
    const { vertices, vertexStarts } = surfaces
    const from = vertexStarts[b]!
    const to = vertexStarts[b + 1]!
    drift.fill(0)
    if (alone) this.findDrift(x, y, from, to)
    const mx = drift[0]!
    const my = drift[1]!
    const mz = drift[2]!
    const nx = drift[3]!
    const ny = drift[4]!
    const nz = drift[5]!
    let far = false
    this.outran = false
    let way = 0
    let stray = 0
    for (let v = from; v < to; v++) {
      const i = vertices[v]!
      const p = i * 3
      const ux = x[p]! - o[p]! - mx
      const uy = x[p + 1]! - o[p + 1]! - my
      const uz = x[p + 2]! - o[p + 2]! - mz
      const vx = y[p]! - o[p]! - nx
      const vy = y[p + 1]! - o[p + 1]! - ny
      const vz = y[p + 2]! - o[p + 2]! - nz
      const u = ux * ux + uy * uy + uz * uz
      const w = vx * vx + vy * vy + vz * vz
      const square = (ux - vx) * (ux - vx) + (uy - vy) * (uy - vy) + (uz - vz) * (uz - vz)
      const most = longest[i]!
      const here = Math.sqrt(u > w ? u : w)
      strays[i] = here
      if (here > stray) stray = here
      if (here > most) {
        far = true
        if (u > most * most) this.outran = true
      }
      if (square > way) way = square
    }
    this.most[0] = stray
    this.most[1] = Math.sqrt(way)
    return far
  }
}

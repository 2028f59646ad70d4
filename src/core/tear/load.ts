import { diagonalise } from '../math/eigen.js'
import { type Fans, lastCorner, nextCorner } from './fans.js'
import type { Weave } from './weave.js'

const B = new Float64Array(9)
const V = new Float64Array(9)
const wide = new Float64Array(6)
const side = new Float64Array(3)
const across = new Float64Array(3)

/**
 * How much of what it bears each triangle is loaded with: symmetric tensors t = (uu, vv, uv) along its threads, of tension
 * over strength, or of strain over the largest one, three numbers a triangle.
 */
export type Loads = Float64Array

/** The largest load of a triangle across any direction. */
export function largestLoad(loads: Loads, t: number): number {
  const u = loads[3 * t]!
  const v = loads[3 * t + 1]!
  const shear = loads[3 * t + 2]!
  const half = (u - v) / 2
  return (u + v) / 2 + Math.sqrt(half * half + shear * shear)
}

/**
 * Mean loads about particles: over the triangles at each and at its neighbours, by area. Less would be of the mesh and not of
 * the cloth: where the solver has not converged, points of four triangles bear more than those of eight, and hems more than
 * both. Only those are found that are asked for, since few particles of a cloth come into question.
 */
export class Means {
  /** Of each particle's own triangles, once `known`: tensors times areas (xx, yy, zz, xy, yz, zx) [6 n] and areas [n]. */
  private readonly tensors: Float64Array
  private readonly areas: Float64Array
  private readonly known: Uint8Array

  constructor(
    private readonly elements: Uint32Array,
    private readonly fans: Fans,
    private readonly loads: Loads,
    private readonly weave: Weave,
  ) {
    const particleCount = fans.starts.length - 1
    this.tensors = new Float64Array(6 * particleCount)
    this.areas = new Float64Array(particleCount)
    this.known = new Uint8Array(particleCount)
  }

  /** The largest mean load at a particle, across any direction. */
  largest(particle: number): number {
    const { elements, fans, tensors, areas } = this
    let area = 0
    wide.fill(0)
    for (let at = fans.starts[particle]!; at < fans.starts[particle + 1]!; at++) {
      const first = fans.corners[at]! - (fans.corners[at]! % 3)
      for (let c = first; c < first + 3; c++) {
        const from = elements[c]!
        if (this.known[from] === 0) this.find(from)
        for (let k = 0; k < 6; k++) wide[k] = wide[k]! + tensors[6 * from + k]!
        area += areas[from]!
      }
    }
    for (let k = 0; k < 6; k++) {
      const i = k % 3
      const j = k < 3 ? k : (k + 1) % 3
      B[i * 3 + j] = B[j * 3 + i] = wide[k]! / area
    }
    diagonalise(B, V)
    return Math.max(B[0]!, B[4]!, B[8]!)
  }

  private find(particle: number): void {
    const { fans, loads, tensors } = this
    const { areas, threads } = this.weave
    this.known[particle] = 1
    for (let at = fans.starts[particle]!; at < fans.starts[particle + 1]!; at++) {
      const t = Math.floor(fans.corners[at]! / 3)
      const area = areas[t]!
      const tu = loads[3 * t]! * area
      const tv = loads[3 * t + 1]! * area
      const shear = loads[3 * t + 2]! * area
      for (let k = 0; k < 6; k++) {
        const i = 6 * t + (k % 3)
        const j = 6 * t + (k < 3 ? k : (k + 1) % 3)
        const ui = threads[i]!
        const uj = threads[j]!
        const vi = threads[i + 3]!
        const vj = threads[j + 3]!
        tensors[6 * particle + k]! += tu * ui * uj + tv * vi * vj + shear * (ui * vj + vi * uj)
      }
      this.areas[particle]! += area
    }
  }
}

/** An edge at a particle that could open. */
export interface Way {
  /** Corner at which it begins. */
  readonly corner: number
  /** The particle at its other end. */
  readonly end: number
  /** Its direction from the particle at rest, of unit length. */
  readonly direction: readonly number[]
  /** Triangles that it parts: an open edge or a hem parts none. */
  sides: number
  /** Load across it: the mean of its triangles' by area. */
  load: number
}

/** The edges at a particle, by the fan's order. */
export function waysAt(
  fan: Uint32Array,
  rest: Float64Array,
  elements: Uint32Array,
  open: Uint8Array | undefined,
  loads: Loads,
  { areas, threads }: Weave,
): Way[] {
  const ways = new Map<number, Way & { area: number }>()
  for (const corner of fan) {
    const t = Math.floor(corner / 3)
    const i = elements[corner]!
    for (const [end, third] of [
      [nextCorner(corner), lastCorner(corner)],
      [lastCorner(corner), nextCorner(corner)],
    ] as const) {
      const edge = end === nextCorner(corner) ? corner : end
      const j = elements[end]!
      let square = 0
      let along = 0
      for (let d = 0; d < 3; d++) {
        side[d] = rest[j * 3 + d]! - rest[i * 3 + d]!
        square += side[d]! * side[d]!
      }
      for (let d = 0; d < 3; d++) along += (side[d]! * (rest[elements[third]! * 3 + d]! - rest[i * 3 + d]!)) / square
      let u = 0
      let v = 0
      let size = 0
      for (let d = 0; d < 3; d++) {
        across[d] = rest[elements[third]! * 3 + d]! - rest[i * 3 + d]! - along * side[d]!
        size += across[d]! * across[d]!
        u += across[d]! * threads[6 * t + d]!
        v += across[d]! * threads[6 * t + 3 + d]!
      }
      const load = (loads[3 * t]! * u * u + loads[3 * t + 1]! * v * v + 2 * loads[3 * t + 2]! * u * v) / size
      const length = Math.sqrt(square)
      let way = ways.get(j)
      if (!way) {
        way = { corner: edge, end: j, direction: Array.from(side, (x) => x / length), sides: 0, load: 0, area: 0 }
        ways.set(j, way)
      }
      way.load = (way.load * way.area + load * areas[t]!) / (way.area + areas[t]!)
      way.area += areas[t]!
      if (open?.[edge] !== 1) way.sides++
    }
  }
  return [...ways.values()]
}

/** Cosine between two edges up to which a tear goes on from the one to the other. */
const ONWARDS = -0.3

/**
 * The edges of a particle that open: across the pull, as far as the mesh has any, so that it comes apart. From a hem, or
 * on from a tear, that is one; within the cloth two, on either side. Empty where nothing is left to part.
 */
export function chooseWays(ways: readonly Way[]): Way[] {
  const closed = ways.filter(({ sides }) => sides > 1)
  const first = most(closed)
  if (!first) return []
  if (closed.length < ways.length) return [first]
  const other = most(closed.filter(({ direction }) => dot(direction, first.direction) < ONWARDS))
  return other ? [first, other] : [first]
}

function most(ways: readonly Way[]): Way | undefined {
  let best: Way | undefined
  for (const way of ways) if (!best || way.load > best.load) best = way
  return best
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
}

/** Particles of the triangles of a fan. */
export function aroundOf(fans: Fans, particle: number, elements: Uint32Array): number[] {
  return Array.from(fans.of(particle)).flatMap((corner) => [
    particle,
    elements[nextCorner(corner)]!,
    elements[lastCorner(corner)]!,
  ])
}

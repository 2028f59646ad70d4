import { type Fans, lastCorner, nextCorner } from './fans.js'
import type { Weave } from './weave.js'

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

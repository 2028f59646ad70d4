import type { Body, Model } from '../../src/headless.js'
import { positionsOf } from './laws.js'

const known = new WeakMap<Model, Uint32Array>()

/** Edges of a model's surface, or a rope's own, each once. */
function surfaceEdges(model: Model): Uint32Array {
  const before = known.get(model)
  if (before) return before
  const seen = new Map<string, [number, number]>()
  for (let t = 0; t < model.triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [i, j] = [model.triangles[t + k]!, model.triangles[t + ((k + 1) % 3)]!]
      seen.set(`${Math.min(i, j)} ${Math.max(i, j)}`, [i, j])
    }
  }
  const edges = model.triangles.length > 0 ? Uint32Array.from([...seen.values()].flat()) : model.edges
  known.set(model, edges)
  return edges
}

/** The box about some points, along x, y and z. */
interface Extent {
  readonly low: readonly number[]
  readonly high: readonly number[]
}

function extentOf(x: Float64Array, points: readonly number[]): Extent {
  const along = [0, 1, 2].map((d) => points.map((p) => x[p * 3 + d]!))
  return { low: along.map((all) => Math.min(...all)), high: along.map((all) => Math.max(...all)) }
}

function apart({ low, high }: Extent, other: Extent): boolean {
  for (let d = 0; d < 3; d++) if (high[d]! < other.low[d]! || other.high[d]! < low[d]!) return true
  return false
}

/** How many edges of one body cross triangles of another, or of itself: found without anything of the engine's. */
export function crossings(one: Body, other: Body): number {
  const x = positionsOf(one)
  const y = positionsOf(other)
  const edges = surfaceEdges(one.model)
  const { triangles } = other.model
  // Sorted along x, so that an edge is tried on triangles that it may reach alone.
  const sides = Array.from({ length: triangles.length / 3 }, (_, t) => {
    const corners = [triangles[t * 3]!, triangles[t * 3 + 1]!, triangles[t * 3 + 2]!]
    return { corners, extent: extentOf(y, corners) }
  }).sort((a, b) => a.extent.low[0]! - b.extent.low[0]!)
  let count = 0
  for (let e = 0; e < edges.length; e += 2) {
    const [i, j] = [edges[e]!, edges[e + 1]!]
    const reach = extentOf(x, [i, j])
    for (const { corners, extent } of sides) {
      if (extent.low[0]! > reach.high[0]!) break
      if (apart(extent, reach)) continue
      if (one === other && (corners.includes(i) || corners.includes(j))) continue
      if (crosses(x, i * 3, j * 3, y, corners)) count++
    }
  }
  return count
}

/** By the signs of the volumes that the edge's ends span with the triangle, and the edge with its sides. */
function crosses(x: Float64Array, i: number, j: number, y: Float64Array, corners: readonly number[]): boolean {
  const point = (from: Float64Array, p: number) => [from[p]!, from[p + 1]!, from[p + 2]!]
  const [p, q] = [point(x, i), point(x, j)]
  const [a, b, c] = corners.map((k) => point(y, k * 3)) as [number[], number[], number[]]
  if (volume(a, b, c, p) * volume(a, b, c, q) >= 0) return false
  const sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)]
  return sides.every((v) => v > 0) || sides.every((v) => v < 0)
}

function volume(a: readonly number[], b: readonly number[], c: readonly number[], d: readonly number[]): number {
  const [u, v, w] = [b, c, d].map((to) => to.map((value, k) => value - a[k]!)) as [number[], number[], number[]]
  return (
    u[0]! * (v[1]! * w[2]! - v[2]! * w[1]!) +
    u[1]! * (v[2]! * w[0]! - v[0]! * w[2]!) +
    u[2]! * (v[0]! * w[1]! - v[1]! * w[0]!)
  )
}

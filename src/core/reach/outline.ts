import type { Model } from '../model.js'
import type { Threads } from './threadGrid.js'

/** More than any model has particles: two of their numbers make one. */
const KEYS = 67108864
/** What the rim of a sheet may be longer than that of its convex hull, and its area smaller, to count as convex. */
const CONVEX = 0.01

/** Corner after corner u, v of a sheet's rim; undefined where that is not convex, so that a slit, hole or bay would be bridged. */
export function convexOutline({ triangles, measure }: Model, { u, v }: Threads): number[] | undefined {
  const apart = (i: number, j: number) => {
    const [du, dv] = [u[i]! - u[j]!, v[i]! - v[j]!]
    return Math.sqrt(du * du + dv * dv)
  }
  const sides = new Map<number, number>()
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [i, j] = [triangles[t + k]!, triangles[t + ((k + 1) % 3)]!]
      const key = Math.min(i, j) * KEYS + Math.max(i, j)
      sides.set(key, (sides.get(key) ?? 0) + 1)
    }
  }
  let rim = 0
  for (const [key, count] of sides) {
    if (count > 1) continue
    rim += apart(Math.floor(key / KEYS), key % KEYS)
  }
  const hull = hullOf(u, v)
  let around = 0
  let area = 0
  hull.forEach((i, k) => {
    const j = hull[(k + 1) % hull.length]!
    around += apart(i, j)
    area += (u[i]! * v[j]! - u[j]! * v[i]!) / 2
  })
  if (rim > (1 + CONVEX) * around || measure < (1 - CONVEX) * area) return undefined
  return hull.flatMap((i) => [u[i]!, v[i]!])
}

/** Corners of the convex hull of points in the plane, counter-clockwise (Andrew 1979). */
function hullOf(u: Float64Array, v: Float64Array): number[] {
  const order = Array.from(u, (_, i) => i).sort((i, j) => u[i]! - u[j]! || v[i]! - v[j]!)
  const chain = (points: readonly number[]) => {
    const out: number[] = []
    for (const i of points) {
      while (out.length > 1 && !turnsLeft(out.at(-2)!, out.at(-1)!, i)) out.pop()
      out.push(i)
    }
    return out.slice(0, -1)
  }
  const turnsLeft = (a: number, b: number, c: number) =>
    (u[b]! - u[a]!) * (v[c]! - v[a]!) - (v[b]! - v[a]!) * (u[c]! - u[a]!) > 0
  return [...chain(order), ...chain(order.reverse())]
}

/** Area of the part of a convex polygon within a rectangle [m^2] (Sutherland, Hodgman 1974). */
export function areaWithin(outline: readonly number[], left: number, right: number, low: number, high: number): number {
  let polygon = outline
  for (const [d, limit, way] of [
    [0, left, 1],
    [0, right, -1],
    [1, low, 1],
    [1, high, -1],
  ] as const) {
    const kept: number[] = []
    for (let k = 0; k < polygon.length; k += 2) {
      const l = (k + 2) % polygon.length
      const [a, b] = [way * (polygon[k + d]! - limit), way * (polygon[l + d]! - limit)]
      if (a >= 0) kept.push(polygon[k]!, polygon[k + 1]!)
      if (a >= 0 === b >= 0) continue
      const part = a / (a - b)
      kept.push(
        polygon[k]! + part * (polygon[l]! - polygon[k]!),
        polygon[k + 1]! + part * (polygon[l + 1]! - polygon[k + 1]!),
      )
    }
    polygon = kept
  }
  let twice = 0
  for (let k = 0; k < polygon.length; k += 2) {
    const l = (k + 2) % polygon.length
    twice += polygon[k]! * polygon[l + 1]! - polygon[l]! * polygon[k + 1]!
  }
  return twice / 2
}

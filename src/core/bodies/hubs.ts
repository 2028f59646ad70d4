import { atan2 } from '../math/elementary.js'
import type { Vec3 } from '../vectors.js'
import { cross, frameAlong } from './limb.js'

/** Triangles about a point above which it is a hub; as many meet in a grid, where colours keep a sweep from going round. */
const MANY = 8

/**
 * An order of a sheet's rows that runs round none of its hubs; as they come where there are none.
 *
 * Rows that share a point are projected one after the other, and each hands on what those before it did. Where they
 * follow each other round a hub, a sweep drives a wave round with it, which grows by up to a tenth a substep. So they are
 * taken by bit reversal of their places about it: opposite ones, then what is halfway between, and so on, which has no
 * direction at any scale.
 * @param indices particles of the rows, `arity` a row
 */
export function orderAboutHubs(
  x: Float64Array,
  triangles: Uint32Array,
  indices: Uint32Array,
  arity: number,
): Uint32Array {
  const normals = normalsOfHubs(x, triangles)
  const rowsOf = new Map<number, number[]>(Array.from(normals.keys(), (hub) => [hub, []]))
  for (let k = 0; k < indices.length; k++) rowsOf.get(indices[k]!)?.push(Math.floor(k / arity))
  const angles = new Float64Array(indices.length / arity)
  // A row of two hubs has the place that the first gives it.
  const order = new Set<number>()
  for (const [hub, rows] of rowsOf) {
    const [, u, v] = frameAlong([0, 0, 0], normals.get(hub)!)
    for (const row of rows) angles[row] = angleOf(x, hub, u, v, indices.subarray(row * arity, (row + 1) * arity))
    // Where the normals cancel there are no angles, and rows go by their numbers.
    rows.sort((a, b) => angles[a]! - angles[b]! || a - b)
    for (const place of bitReversed(rows.length)) order.add(rows[place]!)
  }
  for (let row = 0; row < angles.length; row++) order.add(row)
  return Uint32Array.from(order)
}

/** Rows in an order. */
export function rowsIn(order: Uint32Array, indices: Uint32Array, arity: number): Uint32Array {
  return indices.map((_, k) => indices[order[Math.floor(k / arity)]! * arity + (k % arity)]!)
}

/** By hub, the sum of its triangles' normals, by area. */
function normalsOfHubs(x: Float64Array, triangles: Uint32Array): Map<number, Vec3> {
  const counts = new Uint32Array(x.length / 3)
  for (const point of triangles) counts[point]!++
  const normals = new Map<number, Vec3>()
  for (let corner = 0; corner < triangles.length; corner++) {
    const hub = triangles[corner]!
    if (counts[hub]! <= MANY) continue
    const first = corner - (corner % 3)
    const [a, b, c] = [triangles[first]!, triangles[first + 1]!, triangles[first + 2]!]
    const [nx, ny, nz] = cross(side(x, a, b), side(x, a, c))
    const [sx, sy, sz] = normals.get(hub) ?? [0, 0, 0]
    normals.set(hub, [sx + nx, sy + ny, sz + nz])
  }
  return normals
}

/** At which angle the middle of some points is about a hub, from u towards v [rad]. */
function angleOf(x: Float64Array, hub: number, u: Vec3, v: Vec3, points: Uint32Array): number {
  let along = 0
  let across = 0
  for (const point of points) {
    const to = side(x, hub, point)
    for (let d = 0; d < 3; d++) {
      along += to[d]! * u[d]!
      across += to[d]! * v[d]!
    }
  }
  return atan2(across, along)
}

function side(x: Float64Array, from: number, to: number): Vec3 {
  return [x[to * 3]! - x[from * 3]!, x[to * 3 + 1]! - x[from * 3 + 1]!, x[to * 3 + 2]! - x[from * 3 + 2]!]
}

/** 0 to count - 1, by their binary digits read backwards. */
function bitReversed(count: number): number[] {
  let order = [0]
  while (order.length < count) order = [...order.map((k) => 2 * k), ...order.map((k) => 2 * k + 1)]
  return order.filter((k) => k < count)
}

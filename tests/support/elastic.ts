import type { Elastic, Model, Region } from '../../src/headless.js'

/** Density [kg/m^3] and length of a substep [s] of the laws of materials. */
export const density = 1000
export const h = 1 / 600

/** No constraint of any kind. */
export const unconstrained = { neoHookean: false, edges: false, volumes: false, shape: false, pressure: false } as const

/** Neo-Hookean material and nothing else. */
export const material = (youngsModulus: number, poissonRatio: number): Elastic => ({
  ...unconstrained,
  neoHookean: { youngsModulus, poissonRatio },
})

/** Length of the shortest edge at rest [m]. */
function leastEdge({ positions: x, edges }: Model): number {
  let least = Number.POSITIVE_INFINITY
  for (let e = 0; e < edges.length; e += 2) {
    const [i, j] = [edges[e]! * 3, edges[e + 1]! * 3]
    least = Math.min(least, Math.hypot(x[i]! - x[j]!, x[i + 1]! - x[j + 1]!, x[i + 2]! - x[j + 2]!))
  }
  return least
}

/** Young's modulus [Pa] at which chi = h sqrt(E / density) / l, l the least edge, has the given value. */
export const modulusAt = (chi: number, model: Model): number => density * ((chi * leastEdge(model)) / h) ** 2

/** The boundary triangles in a plane x_axis = at [m]: their particles, weighed by the share of the area. */
export function face(model: Model, axis: number, at: number): Region {
  const { positions: x, triangles } = model
  const areas = new Map<number, number>()
  let total = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t]!, triangles[t + 1]!, triangles[t + 2]!]
    if (corners.some((i) => Math.abs(x[i * 3 + axis]! - at) > 1e-9)) continue
    const area = Math.hypot(...vectorArea(x, corners))
    for (const i of corners) areas.set(i, (areas.get(i) ?? 0) + area / 3)
    total += area
  }
  return {
    particles: Uint32Array.from(areas.keys()),
    weights: Float64Array.from(areas.values(), (area) => area / total),
  }
}

/** Half the cross product of two sides of a triangle [m^2]. */
export function vectorArea(x: ArrayLike<number>, [i, j, k]: Iterable<number>): [number, number, number] {
  const side = (a: number, d: number) => x[a * 3 + d]! - x[i! * 3 + d]!
  const cross = (d: number, e: number) => (side(j!, d) * side(k!, e) - side(j!, e) * side(k!, d)) / 2
  return [cross(1, 2), cross(2, 0), cross(0, 1)]
}

/** Weighted mean of a region's coordinate [m]. */
export function meanOf(x: ArrayLike<number>, { particles, weights }: Region, axis: number): number {
  let sum = 0
  for (let k = 0; k < particles.length; k++) sum += weights[k]! * x[particles[k]! * 3 + axis]!
  return sum
}

/** The particle nearest to the origin: what is pinned there strains as what is free, by what its sweeps resolve alone. */
export function middle({ positions: x }: Model): number {
  const distances = Array.from({ length: x.length / 3 }, (_, i) => Math.hypot(x[i * 3]!, x[i * 3 + 1]!, x[i * 3 + 2]!))
  return distances.indexOf(Math.min(...distances))
}

import { areaVector } from '../../math/triangle.js'
import { edgeLengths } from '../../mesh/edges.js'
import { runToEnd } from '../../mesh/slices.js'
import { distinctEdges, type Model } from '../../model.js'
import { apexesOf } from './apexes.js'
import { type Fans, fansOf } from './outward.js'
import { rimsOf } from './rims.js'

/** The surface that bodies of one model have in common. */
export interface ModelSurface {
  /** Particles of the surface, ascending. */
  readonly vertices: Uint32Array
  /** [2 n] edges of the surface's triangles, or a rope's own. */
  readonly edges: Uint32Array
  /** [2 n] for each edge the third corners of its first two triangles, + 1; 0 where there is none. */
  readonly wings: Uint32Array
  /** [4 n] sharp edges of a solid, and the third corners of their two triangles. */
  readonly rims: Uint32Array
  /** Mean length of an edge of the surface at rest [m]. */
  readonly meanEdge: number
  /** By triangle: the fourth corner of the tetrahedron behind it, or its first corner where there is none. */
  readonly apexes: Uint32Array
  /** Volume by surface at rest [m]: half the thickness of a plate, a sixth of a cube's side; 0 of what is no solid. */
  readonly slab: number
  /** The triangles around each particle of a solid. */
  readonly fans: Fans | undefined
}

const surfaces = new WeakMap<Model, ModelSurface>()

/** Found once a model. */
export function surfaceOf(model: Model): ModelSurface {
  const known = surfaces.get(model)
  if (known) return known
  const { triangles, positions: x } = model
  const used = new Uint8Array(model.particleCount)
  // A rope is all edge; what has neither meets the surfaces of others by its particles.
  const lines = model.edges.length > 0 ? model.edges : model.contactParticles
  for (const i of triangles.length > 0 ? triangles : lines) used[i] = 1
  const edges = model.tets.length === 0 ? model.edges : runToEnd(distinctEdges(triangles, 3))
  let sum = 0
  for (const length of edgeLengths(edges, x)) sum += length
  const apexes = apexesOf(model)
  const surface = {
    vertices: Uint32Array.from(used.keys()).filter((i) => used[i] === 1),
    edges,
    wings: model.torn?.wings ?? wingsOf(edges, triangles),
    rims: rimsOf(model),
    meanEdge: edges.length > 0 ? (2 * sum) / edges.length : model.size,
    apexes,
    slab: model.tets.length > 0 ? model.volume / areaOf(model) : 0,
    fans: model.tets.length > 0 ? fansOf(model, apexes) : undefined,
  }
  surfaces.set(model, surface)
  return surface
}

/** Surface of a model at rest [m^2]. */
function areaOf({ triangles, positions: x }: Model): number {
  const n = new Float64Array(3)
  let area = 0
  for (let t = 0; t < triangles.length; t += 3) {
    areaVector(x, triangles[t]! * 3, triangles[t + 1]! * 3, triangles[t + 2]! * 3, n)
    area += Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!) / 2
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

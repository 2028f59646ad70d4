import { areaVector } from '../../math/triangle.js'
import { boundsOf } from '../../measures.js'
import { castAtTriangles } from '../../raycastSurface.js'
import type { BodyRecord } from '../../records.js'
import type { State } from '../../state.js'
import { BOX, BoxTree } from './boxTree.js'
import { roomy } from './columns.js'
import { cross } from './edgeCrossing.js'

/** A direction along which nothing that is built lies. */
const AX = 0.6123724
const AY = 0.5437912
const AZ = 0.5738176

/** The box in which two bodies may meet, and another one. */
const common = new Float64Array(BOX)
const box = new Float64Array(BOX)
/** Boxes of the triangles in `common`, and which they are. */
let boxes = new Float64Array(0)
let triangles = new Uint32Array(0)
const tree = new BoxTree()
/** A ray from a particle, and where it first meets a surface: see `castAtTriangles`. */
const ray = Float64Array.of(0, 0, 0, AX, AY, AZ)
const nearest = new Float64Array(3)
const normal = new Float64Array(3)

/** True where two bodies are in one place: a solid holds a particle of the other, or a surface is crossed. */
export function shareSpace(state: State, one: BodyRecord, other: BodyRecord): boolean {
  boundsOf(one, state, common)
  boundsOf(other, state, box)
  for (let d = 0; d < 3; d++) {
    common[d] = Math.max(common[d]!, box[d]!)
    common[3 + d] = Math.min(common[3 + d]!, box[3 + d]!)
    if (!(common[d]! <= common[3 + d]!)) return false
  }
  return holds(state, one, other) || holds(state, other, one) || cuts(state, one, other) || cuts(state, other, one)
}

/** True where a solid holds a particle of another body's surface: a ray from there first passes its own outwards. */
function holds(state: State, solid: BodyRecord, { start, model }: BodyRecord): boolean {
  if (solid.model.tets.length === 0) return false
  const { positions: x } = state
  for (let k = 0; k < model.contactParticles.length; k++) {
    const p = (start + model.contactParticles[k]!) * 3
    let within = true
    for (let d = 0; d < 3; d++) {
      ray[d] = x[p + d]!
      within = within && x[p + d]! >= common[d]! && x[p + d]! <= common[3 + d]!
    }
    if (!within) continue
    nearest[0] = Number.POSITIVE_INFINITY
    const t = castAtTriangles(state, solid, ray, nearest) * 3
    if (t < 0) continue
    const { triangles: corners } = solid.model
    const a = (solid.start + corners[t]!) * 3
    const b = (solid.start + corners[t + 1]!) * 3
    areaVector(x, a, b, (solid.start + corners[t + 2]!) * 3, normal)
    if (normal[0]! * AX + normal[1]! * AY + normal[2]! * AZ > 0) return true
  }
  return false
}

/** True where a segment of one body, or an edge of its triangles, leads through a triangle of another. */
function cuts({ positions: x }: State, one: BodyRecord, other: BodyRecord): boolean {
  const count = listTriangles(x, other)
  if (count === 0) return false
  tree.build(boxes, count)
  const { model, start } = one
  const { edges } = model
  const corners = model.triangles
  if (corners.length === 0) {
    for (let e = 0; e < edges.length; e += 2) {
      if (leadsThrough(x, (start + edges[e]!) * 3, (start + edges[e + 1]!) * 3, other)) return true
    }
    return false
  }
  for (let t = 0; t < corners.length; t += 3) {
    const a = (start + corners[t]!) * 3
    const b = (start + corners[t + 1]!) * 3
    const c = (start + corners[t + 2]!) * 3
    if (leadsThrough(x, a, b, other) || leadsThrough(x, b, c, other) || leadsThrough(x, c, a, other)) return true
  }
  return false
}

/** Lists the triangles that reach into `common`; returns how many. */
function listTriangles(x: Float64Array, { start, model }: BodyRecord): number {
  const { triangles: corners } = model
  triangles = roomy(triangles, corners.length / 3)
  boxes = roomy(boxes, (corners.length / 3) * BOX)
  let count = 0
  for (let t = 0; t < corners.length; t += 3) {
    let within = true
    for (let d = 0; d < 3; d++) {
      const a = x[(start + corners[t]!) * 3 + d]!
      const b = x[(start + corners[t + 1]!) * 3 + d]!
      const c = x[(start + corners[t + 2]!) * 3 + d]!
      const low = Math.min(a, b, c)
      const high = Math.max(a, b, c)
      within = within && high >= common[d]! && low <= common[3 + d]!
      boxes[count * BOX + d] = low
      boxes[count * BOX + 3 + d] = high
    }
    if (within) triangles[count++] = t
  }
  return count
}

/** True where the segment from x[a] to x[b] leads through one of the triangles that are listed. */
function leadsThrough(x: Float64Array, a: number, b: number, other: BodyRecord): boolean {
  for (let d = 0; d < 3; d++) {
    box[d] = Math.min(x[a + d]!, x[b + d]!)
    box[3 + d] = Math.max(x[a + d]!, x[b + d]!)
    if (!(box[d]! <= common[3 + d]! && box[3 + d]! >= common[d]!)) return false
  }
  tree.query(box, 0, 0, 0)
  const { start, model } = other
  for (let k = 0; k < tree.count; k++) {
    const t = triangles[tree.found[k]!]!
    const o = (start + model.triangles[t]!) * 3
    const p = (start + model.triangles[t + 1]!) * 3
    if (cross(x, a, b, o, p, (start + model.triangles[t + 2]!) * 3)) return true
  }
  return false
}

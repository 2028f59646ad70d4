import { boundsOf } from '../../measures.js'
import type { BodyRecord } from '../../records.js'
import type { State } from '../../state.js'
import { BOX, BoxTree } from './boxTree.js'
import { roomy } from './columns.js'

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
/** Start of a segment, what leads to its end, and up to which share of that it counts. */
const line = new Float64Array(7)
const LENGTH = 6

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

/** True where a solid holds a particle of another body's surface: its own winds about it. */
function holds({ positions: x }: State, solid: BodyRecord, { start, model }: BodyRecord): boolean {
  if (solid.model.tets.length === 0) return false
  line[3] = AX
  line[4] = AY
  line[5] = AZ
  line[LENGTH] = Number.POSITIVE_INFINITY
  const count = solid.model.triangles.length
  for (let k = 0; k < model.contactParticles.length; k++) {
    const p = (start + model.contactParticles[k]!) * 3
    let within = true
    for (let d = 0; d < 3; d++) {
      line[d] = x[p + d]!
      within = within && x[p + d]! >= common[d]! && x[p + d]! <= common[3 + d]!
    }
    if (!within) continue
    let winds = 0
    for (let t = 0; t < count; t += 3) winds += sideCut(x, solid, t)
    if (winds !== 0) return true
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
  line[LENGTH] = 1
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
    line[d] = x[a + d]!
    line[3 + d] = x[b + d]! - x[a + d]!
    box[d] = Math.min(x[a + d]!, x[b + d]!)
    box[3 + d] = Math.max(x[a + d]!, x[b + d]!)
    if (!(box[d]! <= common[3 + d]! && box[3 + d]! >= common[d]!)) return false
  }
  tree.query(box, 0, 0, 0)
  for (let k = 0; k < tree.count; k++) if (sideCut(x, other, triangles[tree.found[k]!]!) !== 0) return true
  return false
}

/** 1 where `line` passes a triangle of a body outwards, -1 where inwards, 0 where it does not (Moeller, Trumbore 1997). */
function sideCut(x: Float64Array, { start, model }: BodyRecord, t: number): number {
  const o = (start + model.triangles[t]!) * 3
  const a = (start + model.triangles[t + 1]!) * 3
  const b = (start + model.triangles[t + 2]!) * 3
  const vx = line[3]!
  const vy = line[4]!
  const vz = line[5]!
  const ux = x[a]! - x[o]!
  const uy = x[a + 1]! - x[o + 1]!
  const uz = x[a + 2]! - x[o + 2]!
  const wx = x[b]! - x[o]!
  const wy = x[b + 1]! - x[o + 1]!
  const wz = x[b + 2]! - x[o + 2]!
  const px = vy * wz - vz * wy
  const py = vz * wx - vx * wz
  const pz = vx * wy - vy * wx
  const det = ux * px + uy * py + uz * pz
  const tx = line[0]! - x[o]!
  const ty = line[1]! - x[o + 1]!
  const tz = line[2]! - x[o + 2]!
  const s = (tx * px + ty * py + tz * pz) / det
  if (!(s >= 0 && s <= 1)) return 0
  const qx = ty * uz - tz * uy
  const qy = tz * ux - tx * uz
  const qz = tx * uy - ty * ux
  const r = (vx * qx + vy * qy + vz * qz) / det
  if (!(r >= 0 && s + r <= 1)) return 0
  const far = (wx * qx + wy * qy + wz * qz) / det
  if (!(far >= 0 && far <= line[LENGTH]!)) return 0
  return det > 0 ? -1 : 1
}

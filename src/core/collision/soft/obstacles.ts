import type { ColliderRecord } from '../../records.js'
import type { State } from '../../state.js'
import { toFrame, turnOf } from '../framed.js'
import { pushEachOther } from '../groups.js'
import type { Surfaces } from './surfaces.js'

/** Points of a body's surface that are looked at, at most, spread over it by steps of the golden ratio. */
const POINTS = 32
const GOLDEN = 0.6180339887498949

/** Share of its way by which what is stopped gets into a collider: what slides along one does not. */
const SINK = 0.25

const place = new Float64Array(3)
const query = new Float64Array(7)
const R = new Float64Array(9)

/**
 * True where a collider stops a live body that is moved from where the substep began by `move`: it would end in the
 * collider, deeper than it is there already, by a good part of the way.
 */
export function isStopped(state: State, surfaces: Surfaces, body: number, move: Float64Array): boolean {
  const { live } = state.colliders
  const { settings } = surfaces.bodies[body]!
  for (let c = 0; c < live.length; c++) {
    if (pushEachOther(settings, live[c]!) && ends(state, surfaces, body, move, live[c]!)) return true
  }
  return false
}

/** True where the way of a body ends in a collider. */
function ends(
  { previous: x }: State,
  { vertices, vertexStarts }: Surfaces,
  body: number,
  move: Float64Array,
  { shape, pose }: ColliderRecord,
): boolean {
  turnOf(pose, R)
  const sink = SINK * Math.sqrt(move[0]! * move[0]! + move[1]! * move[1]! + move[2]! * move[2]!)
  const start = vertexStarts[body]!
  const count = vertexStarts[body + 1]! - start
  for (let k = 0; k < Math.min(POINTS, count); k++) {
    const v = start + (count <= POINTS ? k : Math.floor(((k * GOLDEN) % 1) * count))
    const p = vertices[v]! * 3
    for (let d = 0; d < 3; d++) place[d] = x[p + d]! + move[d]!
    toFrame(place, pose, R, query)
    shape.distance(query)
    const after = query[3]!
    if (after > -sink) continue
    for (let d = 0; d < 3; d++) place[d] = x[p + d]!
    toFrame(place, pose, R, query)
    shape.distance(query)
    if (after < query[3]! - sink) return true
  }
  return false
}

import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/** Volume below which a tetrahedron counts as inverted, in mean rest volumes: what rounding leaves of a flat one. */
const FLAT = 1e-9
/** Tetrahedra that one call judges: what is called often is compiled soon, and arithmetic allocates until then. */
const A_CALL = 16

/** Finds inverted tetrahedra of bodies. */
export class Inverted {
  /** By live body: 1 where tetrahedra are what holds it together. */
  watched = new Uint8Array(0)
  /** By live body: six times the least volume of an upright tetrahedron [m^3]. */
  private least = new Float64Array(0)

  /** To be called where bodies have come or gone, or their settings have changed. */
  bake({ bodies }: State): void {
    this.watched = Uint8Array.from(bodies.live, (body) => (isWatched(body) ? 1 : 0))
    this.least = Float64Array.from(bodies.live, ({ model }) => (24 * FLAT * model.volume) / model.tets.length)
  }

  /** True where any tetrahedron of the `b`-th live body is inverted. */
  has({ positions, bodies }: State, b: number): boolean {
    const { model, start } = bodies.live[b]!
    const { tets } = model
    let found = 0
    for (let t = 0; t < tets.length && found === 0; t += 4 * A_CALL) {
      found = countInverted(positions, tets, t, Math.min(t + 4 * A_CALL, tets.length), 4, start, this.least, b)
    }
    return found !== 0
  }

  /** How many of every `stride`-th tetrahedron of the `b`-th live body are inverted. */
  count({ positions, bodies }: State, b: number, stride: number): number {
    const { model, start } = bodies.live[b]!
    const { tets } = model
    const step = 4 * stride
    let found = 0
    for (let t = 0; t < tets.length; t += step * A_CALL) {
      found += countInverted(positions, tets, t, Math.min(t + step * A_CALL, tets.length), step, start, this.least, b)
    }
    return found
  }
}

/** True where the material of its tetrahedra holds a body: what springs or pressure alone hold may lie as it likes. */
function isWatched({ settings, model }: BodyRecord): boolean {
  if (model.tets.length === 0) return false
  return model.sets.some(({ name, kind }) => kind.arity === 4 && (settings.elastic[name] ?? model.elastic[name]))
}

/** Of the tetrahedra tets[t] for t = from, from + step, ... below `to`, those whose sixfold volume is not above least[b]. */
function countInverted(
  x: Float64Array,
  tets: Uint32Array,
  from: number,
  to: number,
  step: number,
  start: number,
  least: Float64Array,
  b: number,
): number {
  let count = 0
  for (let t = from; t < to; t += step) if (!(sixVolumes(x, tets, t, start) > least[b]!)) count++
  return count
}

/** Six times the signed volume of the tetrahedron tets[t..t + 3] of the body that starts at `start` [m^3]. */
function sixVolumes(x: Float64Array, tets: Uint32Array, t: number, start: number): number {
  const p0 = (start + tets[t]!) * 3
  const p1 = (start + tets[t + 1]!) * 3
  const p2 = (start + tets[t + 2]!) * 3
  const p3 = (start + tets[t + 3]!) * 3
  const x0 = x[p0]!
  const y0 = x[p0 + 1]!
  const z0 = x[p0 + 2]!
  const ax = x[p1]! - x0
  const ay = x[p1 + 1]! - y0
  const az = x[p1 + 2]! - z0
  const bx = x[p2]! - x0
  const by = x[p2 + 1]! - y0
  const bz = x[p2 + 2]! - z0
  const cx = x[p3]! - x0
  const cy = x[p3 + 1]! - y0
  const cz = x[p3 + 2]! - z0
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
}

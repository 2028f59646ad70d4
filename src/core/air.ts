import { pushAlong } from './airAlong.js'
import { pushBalls } from './airOnBalls.js'
import { addNoise } from './math/noise.js'
import type { Model } from './model.js'
import { type BodyRecord, SLEEP } from './records.js'
import type { State } from './state.js'
import type { WindRecord, WindRegion } from './wind.js'
import type { WorldSettings } from './worldSettings.js'

/** Elements that one call takes: what is called often is compiled soon, and arithmetic allocates until then. */
const A_CALL = 64

const point = new Float64Array(3)
const blown = new Float64Array(3)
const scale = new Float64Array(1)

/**
 * Drag and lift of the air on triangles (as of Ling et al. 1996, with the drag of the area that faces the wind):
 * with u the air's velocity less the triangle's, A its area, c the cosine between u and its normal n on the lee side,
 *
 *   F = rho / 2 A c |u| (drag u + lift (|u| n - c u))
 *
 * so that drag is along u, lift across it, and a plate of area A held flat against the wind, or the side of a solid that
 * faces it, is pushed by drag rho / 2 A u^2. A cloth has two sides; of a solid those triangles count whose outside faces
 * the wind. A third of the force goes to each corner.
 *
 * An impulse a substep, drag implicitly: u <- u / (1 + k |u|), which is exact for a drag alone and never overshoots; lift
 * turns what is left of u without changing its size. So the air takes motion against it away, whatever the wind.
 */
export class Air {
  /** Velocity of the air at each element of each body that feels it [3 n] m/s, found once a step. */
  private velocities = new Float64Array(0)
  /** By live body: where its elements start in `velocities`; -1 for one that feels no air. */
  private starts = new Int32Array(0)
  private readonly numbers = new Float64Array(3)

  /** Finds, once a step, how the air moves at each element, and carries gusts on. */
  begin(state: State, settings: Readonly<WorldSettings>): void {
    const { live } = state.bodies
    if (this.starts.length < live.length) this.starts = new Int32Array(live.length * 2)
    let count = 0
    for (let b = 0; b < live.length; b++) {
      this.starts[b] = settings.airDensity > 0 && !live[b]!.asleep && feelsAir(live[b]!) ? count : -1
      if (this.starts[b]! >= 0) count += 3 * elementCount(live[b]!.model)
    }
    if (this.velocities.length < count) this.velocities = new Float64Array(2 * count)
    for (let b = 0; b < live.length; b++) {
      const from = this.starts[b]!
      if (from < 0) continue
      const count = elementCount(live[b]!.model)
      for (let t = 0; t < count; t += A_CALL) {
        findWind(state, settings, live[b]!, t, Math.min(t + A_CALL, count), this.velocities, from)
      }
    }
    const { live: winds } = state.winds
    for (let k = 0; k < winds.length; k++) {
      const { drift, settings: wind } = winds[k]!
      for (let d = 0; d < 3; d++) drift[d] = drift[d]! + wind.velocity[d]! * settings.timeStep
    }
  }

  /** Changes velocities by what the air does in a substep of h[0] [s]. */
  blow(state: State, settings: Readonly<WorldSettings>, h: Float64Array): void {
    const { live } = state.bodies
    for (let b = 0; b < live.length; b++) {
      const from = this.starts[b]!
      if (from < 0) continue
      const body = live[b]!
      const { triangles, edges } = body.model
      // J = h rho / 2 A c |u| drag u, with A c |u| half of the cross product of two sides times u.
      this.numbers[0] = (h[0]! * settings.airDensity * body.settings.drag) / 4
      this.numbers[1] = (h[0]! * settings.airDensity * body.settings.lift) / 4
      this.numbers[2] = body.model.tets.length > 0 ? 1 : 0
      for (let t = 0; t < triangles.length; t += 3 * A_CALL) {
        const to = Math.min(t + 3 * A_CALL, triangles.length)
        push(state, body, t, to, this.velocities, from, this.numbers)
      }
      if (triangles.length > 0) continue
      const radius = body.sleep[SLEEP.THICKNESS]!
      this.numbers[0] = h[0]! * settings.airDensity * body.settings.drag * radius
      for (let e = 0; e < edges.length; e += 2 * A_CALL) {
        pushAlong(state, body, e, Math.min(e + 2 * A_CALL, edges.length), this.velocities, from, this.numbers)
      }
      if (edges.length > 0) continue
      this.numbers[0] *= (Math.PI / 2) * radius
      const { particleCount } = body.model
      for (let k = 0; k < particleCount; k += A_CALL) {
        pushBalls(state, body, k, Math.min(k + A_CALL, particleCount), this.velocities, from, this.numbers)
      }
    }
  }
}

/** True for a body that air acts on at all. */
export function feelsAir({ settings, model }: BodyRecord): boolean {
  return (settings.drag > 0 || settings.lift > 0) && elementCount(model) > 0
}

/** What the air acts on: a body's triangles, or the segments of a rope, or free particles. */
function elementCount({ triangles, edges, particleCount }: Model): number {
  return triangles.length > 0 ? triangles.length / 3 : edges.length > 0 ? edges.length / 2 : particleCount
}

/** True for a body in a wind that has gusts: though it may not move now, the next one moves it. */
export function isInGusts({ winds, positions }: State, settings: Readonly<WorldSettings>, body: BodyRecord): boolean {
  if (settings.airDensity === 0 || !feelsAir(body)) return false
  for (let k = 0; k < winds.live.length; k++) {
    const { velocity, turbulence, region } = winds.live[k]!.settings
    if (turbulence === 0 || (velocity[0] === 0 && velocity[1] === 0 && velocity[2] === 0)) continue
    if (region === undefined) return true
    for (let p = body.start * 3; p < (body.start + body.model.particleCount) * 3; p += 3) {
      for (let d = 0; d < 3; d++) point[d] = positions[p + d]!
      if (isInside(region)) return true
    }
  }
  return false
}

/** Writes the air's velocity at the middle of the elements from..to into `out`. */
function findWind(
  { positions: x, winds }: State,
  { wind }: Readonly<WorldSettings>,
  { model, start }: BodyRecord,
  from: number,
  to: number,
  out: Float64Array,
  outStart: number,
): void {
  const arity = model.triangles.length > 0 ? 3 : model.edges.length > 0 ? 2 : 1
  const elements = arity === 3 ? model.triangles : model.edges
  for (let t = from; t < to; t++) {
    const p0 = (start + (arity === 1 ? t : elements[t * arity]!)) * 3
    const p1 = (start + (arity === 1 ? t : elements[t * arity + 1]!)) * 3
    const p2 = (start + (arity === 1 ? t : elements[t * arity + arity - 1]!)) * 3
    for (let d = 0; d < 3; d++) blown[d] = wind[d]!
    for (let k = 0; k < winds.live.length; k++) {
      for (let d = 0; d < 3; d++) {
        point[d] = arity === 3 ? (x[p0 + d]! + x[p1 + d]! + x[p2 + d]!) / 3 : (x[p0 + d]! + x[p1 + d]!) / 2
      }
      addWind(winds.live[k]!)
    }
    for (let d = 0; d < 3; d++) out[outStart + t * 3 + d] = blown[d]!
  }
}

/** Adds to `blown` what a wind does at `point`, which is spent. */
function addWind({ settings, drift }: WindRecord): void {
  const { velocity, turbulence, turbulenceSize, seed, region } = settings
  if (region !== undefined && !isInside(region)) return
  let squared = 0
  for (let d = 0; d < 3; d++) {
    blown[d] = blown[d]! + velocity[d]!
    squared += velocity[d]! * velocity[d]!
    point[d] = (point[d]! - drift[d]!) / turbulenceSize
  }
  scale[0] = turbulence * Math.sqrt(squared)
  if (scale[0] > 0) addNoise(point, seed, scale, blown)
}

function isInside(region: WindRegion): boolean {
  if ('min' in region) {
    for (let d = 0; d < 3; d++) if (point[d]! < region.min[d]! || point[d]! > region.max[d]!) return false
    return true
  }
  let squared = 0
  for (let d = 0; d < 3; d++) squared += (point[d]! - region.center[d]!) * (point[d]! - region.center[d]!)
  return squared <= region.radius * region.radius
}

/** Square of a speed that no longer has all its digits, or is 0 although the speed is not [m^2/s^2]. */
const FAINT = 1e-300

/** The impulses on the triangles from..to. `numbers`: h rho / 4 times drag and lift, and 1 for a solid. */
function push(
  { positions: x, velocities: v, inverseMasses: w }: State,
  { model, start }: BodyRecord,
  from: number,
  to: number,
  air: Float64Array,
  airStart: number,
  numbers: Float64Array,
): void {
  const { triangles } = model
  const drag = numbers[0]!
  const lift = numbers[1]!
  const isSolid = numbers[2] === 1
  for (let t = from; t < to; t += 3) {
    const i0 = start + triangles[t]!
    const i1 = start + triangles[t + 1]!
    const i2 = start + triangles[t + 2]!
    const W = (w[i0]! + w[i1]! + w[i2]!) / 9
    if (W === 0) continue // pinned
    const p0 = i0 * 3
    const p1 = i1 * 3
    const p2 = i2 * 3
    const ux = air[airStart + t]! - (v[p0]! + v[p1]! + v[p2]!) / 3
    const uy = air[airStart + t + 1]! - (v[p0 + 1]! + v[p1 + 1]! + v[p2 + 1]!) / 3
    const uz = air[airStart + t + 2]! - (v[p0 + 2]! + v[p1 + 2]! + v[p2 + 2]!) / 3
    const ax = x[p1]! - x[p0]!
    const ay = x[p1 + 1]! - x[p0 + 1]!
    const az = x[p1 + 2]! - x[p0 + 2]!
    const bx = x[p2]! - x[p0]!
    const by = x[p2 + 1]! - x[p0 + 1]!
    const bz = x[p2 + 2]! - x[p0 + 2]!
    let nx = ay * bz - az * by
    let ny = az * bx - ax * bz
    let nz = ax * by - ay * bx
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz)
    let through = ux * nx + uy * ny + uz * nz
    if (size === 0 || through === 0 || (isSolid && through > 0)) continue
    const square = ux * ux + uy * uy + uz * uz
    if (square < FAINT) continue
    const side = through < 0 ? -1 / size : 1 / size
    nx *= side
    ny *= side
    nz *= side
    if (through < 0) through = -through
    // What drag leaves of u, and by how much lift turns it.
    const left = 1 / (1 + drag * through * W)
    const speed = Math.sqrt(square)
    const c = through / (size * speed)
    const turn = lift * through * W
    const along = 1 + turn * c
    const across = -turn * speed
    let tx = along * ux + across * nx
    let ty = along * uy + across * ny
    let tz = along * uz + across * nz
    const keep = (left * speed) / Math.sqrt(tx * tx + ty * ty + tz * tz)
    tx = ux - keep * tx
    ty = uy - keep * ty
    tz = uz - keep * tz
    const share = 1 / (3 * W)
    const s0 = w[i0]! * share
    const s1 = w[i1]! * share
    const s2 = w[i2]! * share
    v[p0] = v[p0]! + s0 * tx
    v[p0 + 1] = v[p0 + 1]! + s0 * ty
    v[p0 + 2] = v[p0 + 2]! + s0 * tz
    v[p1] = v[p1]! + s1 * tx
    v[p1 + 1] = v[p1 + 1]! + s1 * ty
    v[p1 + 2] = v[p1 + 2]! + s1 * tz
    v[p2] = v[p2]! + s2 * tx
    v[p2 + 1] = v[p2 + 1]! + s2 * ty
    v[p2 + 2] = v[p2 + 2]! + s2 * tz
  }
}

import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/** How far outside a tetrahedron a point may lie, in barycentric weights, and count as inside. */
const SLACK = 1e-9

/**
 * Finds the point of a body's matter that is nearest to a place of the world: the place itself inside a solid, else a
 * point of the surface, or a particle where there is none. It is given as particles with weights that sum to 1, and so
 * follows the body.
 */
export class NearestPoint {
  /** Of the last find, in the body's own numbers; those without a weight are the first. */
  readonly particles = new Uint32Array(4)
  readonly weights = new Float64Array(4)
  /** From the place to the point [m]; 0 inside a solid. */
  distance = 0
  private square = 0
  private readonly segment = new Uint32Array(3)
  private readonly corner = new Float64Array(3)

  find({ positions: x }: State, { start, model }: BodyRecord, at: ArrayLike<number>): void {
    this.square = Number.POSITIVE_INFINITY
    const { tets, triangles, edges } = model
    for (let t = 0; t < tets.length; t += 4) {
      if (this.liesIn(x, start, tets, t, at)) return
    }
    for (let t = 0; t < triangles.length; t += 3) this.toTriangle(x, start, triangles, t, at)
    if (triangles.length === 0) {
      // A rope: its segments are triangles with two corners in one place.
      for (let e = 0; e < edges.length; e += 2) {
        this.segment[0] = edges[e]!
        this.segment[1] = edges[e + 1]!
        this.segment[2] = edges[e + 1]!
        this.toTriangle(x, start, this.segment, 0, at)
      }
    }
    if (triangles.length + edges.length === 0)
      for (let i = 0; i < model.particleCount; i++) this.toParticle(x, start, i, at)
    this.distance = Math.sqrt(this.square)
  }

  private liesIn(x: Float64Array, start: number, tets: Uint32Array, t: number, at: ArrayLike<number>): boolean {
    const o = (start + tets[t]!) * 3
    const a = (start + tets[t + 1]!) * 3
    const b = (start + tets[t + 2]!) * 3
    const c = (start + tets[t + 3]!) * 3
    for (let d = 0; d < 3; d++) this.corner[d] = x[a + d]!
    const whole = detTo(x, o, this.corner, b, c)
    if (whole === 0) return false
    const wa = detTo(x, o, at, b, c) / whole
    const wb = detTo(x, o, at, c, a) / whole
    const wc = detTo(x, o, at, a, b) / whole
    const wo = 1 - wa - wb - wc
    if (!(wo >= -SLACK && wa >= -SLACK && wb >= -SLACK && wc >= -SLACK)) return false
    this.particles.set(tets.subarray(t, t + 4))
    this.weights[0] = wo
    this.weights[1] = wa
    this.weights[2] = wb
    this.weights[3] = wc
    this.distance = 0
    return true
  }

  /** Barycentric weights of the nearest point of a triangle: within it, on a side, or at a corner. */
  private toTriangle(x: Float64Array, start: number, triangles: Uint32Array, t: number, at: ArrayLike<number>): void {
    const a = (start + triangles[t]!) * 3
    const b = (start + triangles[t + 1]!) * 3
    const c = (start + triangles[t + 2]!) * 3
    let uu = 0
    let vv = 0
    let uv = 0
    let up = 0
    let vp = 0
    for (let d = 0; d < 3; d++) {
      const u = x[b + d]! - x[a + d]!
      const v = x[c + d]! - x[a + d]!
      const p = at[d]! - x[a + d]!
      uu += u * u
      vv += v * v
      uv += u * v
      up += u * p
      vp += v * p
    }
    const area = uu * vv - uv * uv
    let s = area > 0 ? (vv * up - uv * vp) / area : -1
    let r = area > 0 ? (uu * vp - uv * up) / area : -1
    if (s < 0 || r < 0 || s + r > 1) {
      // The nearest of the three sides.
      const onU = between(uu > 0 ? up / uu : 0)
      const onV = between(vv > 0 ? vp / vv : 0)
      const across = uu - 2 * uv + vv
      const onW = between(across > 0 ? (vp - up + uu - uv) / across : 0)
      const squareU = onU * onU * uu - 2 * onU * up
      const squareV = onV * onV * vv - 2 * onV * vp
      const [sw, rw] = [1 - onW, onW]
      const squareW = sw * sw * uu + 2 * sw * rw * uv + rw * rw * vv - 2 * (sw * up + rw * vp)
      s = squareU <= squareV && squareU <= squareW ? onU : squareV <= squareW ? 0 : sw
      r = squareU <= squareV && squareU <= squareW ? 0 : squareV <= squareW ? onV : rw
    }
    const o = 1 - s - r
    let square = 0
    for (let d = 0; d < 3; d++) {
      this.corner[d] = o * x[a + d]! + s * x[b + d]! + r * x[c + d]! - at[d]!
      square += this.corner[d]! * this.corner[d]!
    }
    if (!(square < this.square)) return
    this.square = square
    for (let k = 0; k < 3; k++) this.particles[k] = triangles[t + k]!
    this.particles[3] = triangles[t]!
    this.weights[0] = o
    this.weights[1] = s
    this.weights[2] = r
    this.weights[3] = 0
  }

  private toParticle(x: Float64Array, start: number, i: number, at: ArrayLike<number>): void {
    const p = (start + i) * 3
    let square = 0
    for (let d = 0; d < 3; d++) square += (x[p + d]! - at[d]!) * (x[p + d]! - at[d]!)
    if (!(square < this.square)) return
    this.square = square
    this.particles.fill(i)
    this.weights.fill(0)
    this.weights[0] = 1
  }
}

function between(share: number): number {
  return share < 0 ? 0 : share > 1 ? 1 : share
}

/** (at - o) . (b - o) x (c - o), six times the volume of the tetrahedron o, at, b, c. */
function detTo(x: Float64Array, o: number, at: ArrayLike<number>, b: number, c: number): number {
  const px = at[0]! - x[o]!
  const py = at[1]! - x[o + 1]!
  const pz = at[2]! - x[o + 2]!
  const bx = x[b]! - x[o]!
  const by = x[b + 1]! - x[o + 1]!
  const bz = x[b + 2]! - x[o + 2]!
  const cx = x[c]! - x[o]!
  const cy = x[c + 1]! - x[o + 1]!
  const cz = x[c + 2]! - x[o + 2]!
  return px * (by * cz - bz * cy) + py * (bz * cx - bx * cz) + pz * (bx * cy - by * cx)
}

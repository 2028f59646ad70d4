import type { State } from '../state.js'
import { Candidates, SURE } from './candidates.js'
import { POSE } from './poses.js'

export const query = new Float64Array(7)
/** The point of a pair now, and at the start of the substep [m]. */
export const point = new Float64Array(3)
export const before = new Float64Array(3)
/** A frame of a contact: world normal, then the movement of the collider's surface there. */
export const frame = new Float64Array(6)

/** What is left of a point's slip in the substep, and then what friction moves it by [m]. */
export const slip = new Float64Array(3)

/** Of the point last weighed [1/kg]. */
export const inverseMass = new Float64Array(1)

/** Whether a particle is looked at by `findStopped`, and what that found. */
export const MARK = { ASKED: 1, STOPPED: 2 } as const

/** Numbers a pair has in `planes`. */
export const PLANE = 4

/** What a pair is within a substep: where its point is, how far from the collider, and what has been done to it. */
export class Touching extends Candidates {
  /** Where the body of the last `anchor` touches something: six numbers a point, place and velocity. */
  readonly anchors = { count: 0, points: new Float64Array(0) }

  /** Length of a substep [s]. */
  protected readonly h = new Float64Array(1)
  /** Pairs that pushed in the last projection. */
  active = 0

  /** Push along the normal so far [m], friction used so far [m], approach speed [m/s], normal. */
  protected push = new Float64Array(0)
  protected drag = new Float64Array(0)
  /** By pair: how far its point has been moved along the normal in this substep, what bounces add to its speed by h counted in [m]. */
  protected moved = new Float64Array(0)
  /** By pair: what friction has moved its point by in this substep, and may take back [3 n] m. */
  protected rubbed = new Float64Array(0)
  protected approach = new Float64Array(0)
  protected normals = new Float64Array(0)
  protected resolved = new Uint8Array(0)
  /** By the first pair of a point: how far it was clear in the first sweep of a substep [m], 0 where it has several. */
  protected gap = new Float64Array(0)
  /** 1 where the point's way led into the collider: what then stops it is the plane where it came in. */
  protected struck = new Uint8Array(0)
  /** That plane in the collider's own frame: normal, and distance of the plane from the origin [m]. */
  protected planes = new Float64Array(0)

  protected override grow(): void {
    super.grow()
    this.push = new Float64Array(this.capacity)
    this.drag = new Float64Array(this.capacity)
    this.moved = new Float64Array(this.capacity)
    this.rubbed = new Float64Array(this.capacity * 3)
    this.approach = new Float64Array(this.capacity)
    this.normals = new Float64Array(this.capacity * 3)
    this.resolved = new Uint8Array(this.capacity)
    this.gap = new Float64Array(this.capacity)
    this.struck = new Uint8Array(this.capacity)
    this.planes = new Float64Array(this.capacity * PLANE)
  }

  /** True where a collider pushes the `b`-th live body in this substep. */
  touches(b: number): boolean {
    for (let pair = this.bodyPairs[b]!; pair < this.bodyPairs[b + 1]!; pair++) {
      if (this.push[pair] !== 0 || this.struck[pair] !== 0) return true
    }
    return false
  }

  /** Of the particles of the `b`-th live body that are `ASKED` for, marks as `STOPPED` those in a collider, with its normal [3 n]. */
  findStopped(state: State, b: number, marks: Uint8Array, normals: Float64Array): void {
    for (let pair = this.bodyPairs[b]!; pair < this.bodyPairs[b + 1]!; pair++) {
      const i = this.particles[pair * 4]!
      if (this.weights[pair * 4] !== 1 || marks[i] === 0) continue
      this.locate(state, pair)
      if (!this.measure(pair)) continue
      marks[i] = MARK.STOPPED
      for (let d = 0; d < 3; d++) normals[i * 3 + d] = frame[d]!
    }
  }

  /** Lists into `anchors` the points where the `b`-th live body is pushed in this substep. */
  anchor(state: State, b: number): void {
    const { positions: x, velocities: v } = state
    const end = this.bodyPairs[b + 1]!
    let points = this.anchors.points
    if (points.length < (end - this.bodyPairs[b]!) * 6) {
      points = new Float64Array((end - this.bodyPairs[b]!) * 12)
      this.anchors.points = points
    }
    let count = 0
    for (let pair = this.bodyPairs[b]!; pair < end; pair++) {
      if (this.push[pair] === 0) continue
      for (let d = 0; d < 6; d++) points[count * 6 + d] = 0
      for (let k = pair * 4; k < pair * 4 + 4; k++) {
        const weight = this.weights[k]!
        const p = this.particles[k]! * 3
        for (let d = 0; d < 3; d++) {
          points[count * 6 + d] = points[count * 6 + d]! + weight * x[p + d]!
          points[count * 6 + 3 + d] = points[count * 6 + 3 + d]! + weight * v[p + d]!
        }
      }
      count++
    }
    this.anchors.count = count
  }

  /** Writes the point and the normal of each pair that pushes into `out`, as far as it goes; returns how many there are. */
  readContacts(state: State, out: Float64Array): number {
    let count = 0
    for (let pair = 0; pair < this.count; pair++) {
      if (this.push[pair] === 0) continue
      this.locate(state, pair)
      if (!this.measure(pair)) continue
      const at = 6 * count++
      if (at + 6 > out.length) continue
      for (let d = 0; d < 3; d++) {
        out[at + d] = point[d]!
        out[at + 3 + d] = frame[d]!
      }
    }
    return count
  }

  /** True for a pair that is another place on a collider whose first place, the pair before, does not touch yet. */
  protected waits(pair: number, first: number): boolean {
    if (pair === first || this.collider[pair] !== this.collider[pair - 1]) return false
    return this.resolved[pair - 1] === 0 && this.struck[pair - 1] === 0
  }

  /** The point of a pair now and at the start of the substep, into `point` and `before`. */
  protected locate(state: State, pair: number): void {
    const x = state.positions
    const x0 = state.previous
    for (let d = 0; d < 3; d++) {
      point[d] = 0
      before[d] = 0
    }
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const b = this.weights[k]!
      if (b === 0) continue
      const p = this.particles[k]! * 3
      for (let d = 0; d < 3; d++) {
        point[d] = point[d]! + b * x[p + d]!
        before[d] = before[d]! + b * x0[p + d]!
      }
    }
  }

  /** Signed distance and frame of a pair at `point`; false where it is clear of the collider, or rebounds from it. */
  protected measure(pair: number): boolean {
    const data = this.poses.data
    const o = this.collider[pair]! * POSE
    const rx = point[0]! - data[o + 12]!
    const ry = point[1]! - data[o + 13]!
    const rz = point[2]! - data[o + 14]!
    query[0] = data[o + 15]! * rx + data[o + 18]! * ry + data[o + 21]! * rz
    query[1] = data[o + 16]! * rx + data[o + 19]! * ry + data[o + 22]! * rz
    query[2] = data[o + 17]! * rx + data[o + 20]! * ry + data[o + 23]! * rz
    const { shape } = this.colliders[this.collider[pair]!]!
    if (this.struck[pair] === 1) this.measurePlane(pair)
    else {
      if (shape.costly && this.push[pair] === 0 && this.isClear(pair, query)) return false
      shape.distance(query)
      for (let d = 0; d < 4; d++) this.known[pair * 4 + d] = query[d]!
    }
    if (query[3]! >= this.thickness[pair]! && (this.push[pair] === 0 || this.struck[pair] === 1)) return false
    const nx = query[4]!
    const ny = query[5]!
    const nz = query[6]!
    for (let d = 0; d < 3; d++) {
      const row = o + 15 + d * 3
      frame[d] = data[row]! * nx + data[row + 1]! * ny + data[row + 2]! * nz
      // Where the collider's matter that is at the point now came from.
      const from = o + 3 + d * 3
      const old = data[o + d]! + data[from]! * query[0] + data[from + 1]! * query[1] + data[from + 2]! * query[2]
      frame[3 + d] = point[d]! - old
    }
    this.poses.carry(this.collider[pair]!, this.h, frame, frame, 3)
    return true
  }

  /**
   * True where a place in the frame of a pair's collider is so near to the one that was last asked for that it must be
   * clear: a distance changes by no more than the way.
   */
  protected isClear(pair: number, place: Float64Array): boolean {
    const k = pair * 4
    const dx = place[0]! - this.known[k]!
    const dy = place[1]! - this.known[k + 1]!
    const dz = place[2]! - this.known[k + 2]!
    const room = SURE * this.known[k + 3]! - this.thickness[pair]!
    return room > 0 && dx * dx + dy * dy + dz * dz < room * room
  }

  /** Distance from the plane where a point came in. */
  private measurePlane(pair: number): void {
    const p = pair * PLANE
    query[4] = this.planes[p]!
    query[5] = this.planes[p + 1]!
    query[6] = this.planes[p + 2]!
    query[3] = query[4] * query[0]! + query[5] * query[1]! + query[6] * query[2]! - this.planes[p + 3]!
  }

  /** The inverse mass of a pair's point against a push, into `inverseMass`; 0 where it is pinned. */
  protected weigh(state: State, pair: number): void {
    const w = state.inverseMasses
    let weight = 0
    for (let k = pair * 4; k < pair * 4 + 4; k++) weight += this.weights[k]! * this.weights[k]! * w[this.particles[k]!]!
    inverseMass[0] = weight
  }

  /** Moves the point of a pair, which was weighed last, in x [3 n] by `by`: its particles by their shares. */
  protected movePoint({ inverseMasses: w }: State, pair: number, by: Float64Array, x: Float64Array): void {
    const weight = inverseMass[0]!
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const s = (this.weights[k]! * w[this.particles[k]!]!) / weight
      if (s === 0) continue
      const p = this.particles[k]! * 3
      for (let d = 0; d < 3; d++) x[p + d] = x[p + d]! + s * by[d]!
    }
  }

  /**
   * Turns `slip` into what friction does about it: takes it back, as far as the push bears. What earlier sweeps have rubbed
   * is turned and taken back too: summed up by its length it would be spent on what later ones undo.
   */
  protected rubPoint(pair: number): void {
    const { rubbed } = this
    const r = pair * 3
    const rx = rubbed[r]!
    const ry = rubbed[r + 1]!
    const rz = rubbed[r + 2]!
    const along = rx * frame[0]! + ry * frame[1]! + rz * frame[2]!
    const ax = rx - along * frame[0]! - slip[0]!
    const ay = ry - along * frame[1]! - slip[1]!
    const az = rz - along * frame[2]! - slip[2]!
    const asked = Math.sqrt(ax * ax + ay * ay + az * az)
    const others = this.drag[pair]! - Math.sqrt(rx * rx + ry * ry + rz * rz)
    const hold = Math.max(0, this.friction[pair]! * this.push[pair]! - others)
    const part = asked <= hold ? 1 : hold / asked
    this.drag[pair] = others + part * asked
    rubbed[r] = part * ax
    rubbed[r + 1] = part * ay
    rubbed[r + 2] = part * az
    slip[0] = part * ax - rx
    slip[1] = part * ay - ry
    slip[2] = part * az - rz
  }
}

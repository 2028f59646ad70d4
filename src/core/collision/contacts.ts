import type { WorldSettings } from '../settings.js'
import type { BodyRecord, ColliderRecord, State } from '../state.js'
import { POSE, Poses } from './poses.js'

/** Places in a body's surface numbers. */
const THICKNESS = 0
const FRICTION = 1
const RESTITUTION = 2
const GRAVITY_SCALE = 3

/** Speed at which what was put inside a collider comes out [m/s]. */
const RECOVERY_SPEED = 2

/** Sweeps over the pairs of a substep in which feelers push. */
const SHARED_SWEEPS = 4

const query = new Float64Array(7)
const point = new Float64Array(3)
const before = new Float64Array(3)
/** A frame of a contact: world normal, then the movement of the collider's surface there. */
const frame = new Float64Array(6)
/** How near a point must be to a collider to be listed [m]. By array, since a call with a number allocates. */
const margin = new Float64Array(1)

/**
 * Contacts of particles and feelers with colliders.
 *
 * `search` lists, once a step, the pairs that may touch during it. `project` then runs last in each substep: of a
 * point's pairs the deepest is resolved first, along the collider's normal, with Coulomb friction by position against
 * the collider's own motion. `bounce` gives back a share of the approach speed after velocities are known
 * (Mueller et al. 2020).
 */
export class Contacts {
  /** Pairs found by the last search. */
  count = 0
  /** Pairs that pushed in the last projection. */
  active = 0

  /** Where the body of the last `anchor` touches something: six numbers a point, place and velocity. */
  readonly anchors = { count: 0, points: new Float64Array(0) }

  private readonly poses = new Poses()
  private readonly pull = new Float64Array(1)
  private colliders: readonly ColliderRecord[] = []
  private capacity = 0
  /** By live body: thickness, friction, restitution, gravity scale. */
  private surfaces: readonly Float64Array[] = []
  private bakedVersion = -1
  /** Four particles a pair, and their weights; a plain particle has weights 1, 0, 0, 0 on itself. */
  private particles = new Uint32Array(0)
  private weights = new Float64Array(0)
  private collider = new Uint32Array(0)
  /** Pairs of the same point follow each other; the first says how many. */
  private group = new Uint32Array(0)
  private thickness = new Float64Array(0)
  private friction = new Float64Array(0)
  private restitution = new Float64Array(0)
  private gravityScale = new Float64Array(0)
  /** Within a substep: push along the normal so far [m], friction used so far [m], approach speed [m/s], normal. */
  private push = new Float64Array(0)
  private drag = new Float64Array(0)
  private approach = new Float64Array(0)
  private normals = new Float64Array(0)
  private resolved = new Uint8Array(0)
  /** True in a substep in which a feeler has pushed. */
  private shared = false
  /** How far a point that was inside a collider already comes out in a substep [m]. */
  private readonly recovery = new Float64Array(1)
  /** First pair of each live body, and the end. */
  private bodyPairs = new Uint32Array(1)

  /** Lists the pairs that may touch within the coming step. */
  search(state: State, settings: Readonly<WorldSettings>): void {
    this.count = 0
    this.colliders = state.colliders.live
    const bodies = state.bodies.live
    if (this.bodyPairs.length <= bodies.length) this.bodyPairs = new Uint32Array(bodies.length * 2 + 1)
    this.bodyPairs.fill(0)
    this.recovery[0] = (RECOVERY_SPEED * settings.timeStep) / settings.substeps
    if (this.colliders.length === 0) return
    this.poses.set(this.colliders, 0, 1, 1)
    const dt = settings.timeStep
    const { gravity } = settings
    const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    this.bakeSurfaces(state)
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      const { start, model } = body
      let fastest = 0
      for (let p = start; p < start + model.particleCount; p++) {
        const vx = state.velocities[p * 3]!
        const vy = state.velocities[p * 3 + 1]!
        const vz = state.velocities[p * 3 + 2]!
        fastest = Math.max(fastest, vx * vx + vy * vy + vz * vz)
      }
      // Twice the way at the fastest particle's speed, and room for what gravity and elasticity add.
      const surface = this.surfaces[b]!
      const thickness = surface[THICKNESS]!
      const reach = 2 * Math.sqrt(fastest) * dt + 2 * g * Math.abs(surface[GRAVITY_SCALE]!) * dt * dt
      this.findPull(state, body)
      margin[0] = thickness + reach + 2 * this.pull[0]! + 0.02 * model.size
      const { feelers, contactParticles } = model
      const first = this.count
      // Particles come first, so that feelers push for what is left alone. Feelers that push first overshoot where they
      // share particles, and that drives a ball into rolling on its own.
      for (let k = 0; k < contactParticles.length; k++) {
        this.searchPoint(state, body, surface, contactParticles, one, k, 1)
      }
      for (let f = 0; f < feelers.particles.length; f += 4) {
        this.searchPoint(state, body, surface, feelers.particles, feelers.weights, f, 4)
      }
      for (let c = first; c < this.count; c++) {
        this.thickness[c] = thickness
        this.gravityScale[c] = surface[GRAVITY_SCALE]!
      }
      this.bodyPairs[b + 1] = this.count
    }
  }

  /** The longest way that the target of one of a body's attachments makes in the coming step [m], into `pull`. */
  private findPull(state: State, body: BodyRecord): void {
    let longest = 0
    for (let a = 0; a < state.attachments.live.length; a++) {
      const { body: held, from, target } = state.attachments.live[a]!
      if (held.slot !== body.slot) continue
      let way = 0
      for (let d = 0; d < 3; d++) way += (target[d]! - from[d]!) * (target[d]! - from[d]!)
      longest = Math.max(longest, way)
    }
    this.pull[0] = Math.sqrt(longest)
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

  /** Settings of the live bodies as numbers in arrays: reading a number that may be absent allocates. */
  private bakeSurfaces(state: State): void {
    if (this.bakedVersion === state.version) return
    this.surfaces = state.bodies.live.map(({ settings, model }) =>
      Float64Array.of(
        settings.thickness ?? model.thickness,
        settings.friction,
        settings.restitution,
        settings.gravityScale,
      ),
    )
    this.bakedVersion = state.version
  }

  private searchPoint(
    state: State,
    body: BodyRecord,
    surface: Float64Array,
    particles: Uint32Array,
    weights: Float64Array,
    at: number,
    arity: number,
  ): void {
    const x = state.positions
    const first = this.count
    let px = 0
    let py = 0
    let pz = 0
    for (let k = 0; k < arity; k++) {
      const p = (body.start + particles[at + k]!) * 3
      const b = arity === 1 ? 1 : weights[at + k]!
      px += b * x[p]!
      py += b * x[p + 1]!
      pz += b * x[p + 2]!
    }
    const data = this.poses.data
    for (let c = 0; c < this.colliders.length; c++) {
      const o = c * POSE
      const rx = px - data[o]!
      const ry = py - data[o + 1]!
      const rz = pz - data[o + 2]!
      query[0] = data[o + 3]! * rx + data[o + 6]! * ry + data[o + 9]! * rz
      query[1] = data[o + 4]! * rx + data[o + 7]! * ry + data[o + 10]! * rz
      query[2] = data[o + 5]! * rx + data[o + 8]! * ry + data[o + 11]! * rz
      const collider = this.colliders[c]!
      collider.shape.distance(query)
      // How far the collider's surface can move here: its shift, and its turn times the distance from its origin.
      let shift = 0
      for (let d = 0; d < 3; d++) shift += (data[o + 12 + d]! - data[o + d]!) * (data[o + 12 + d]! - data[o + d]!)
      let turn = 0
      for (let k = 0; k < 9; k++)
        turn += (data[o + 15 + k]! - data[o + 3 + k]!) * (data[o + 15 + k]! - data[o + 3 + k]!)
      const r2 = rx * rx + ry * ry + rz * rz
      if (query[3]! > margin[0]! + Math.sqrt(shift) + Math.sqrt(turn * r2)) continue
      if (this.count === this.capacity) this.grow()
      const pair = this.count++
      for (let k = 0; k < 4; k++) {
        this.particles[pair * 4 + k] = body.start + particles[k < arity ? at + k : at]!
        this.weights[pair * 4 + k] = k < arity ? (arity === 1 ? 1 : weights[at + k]!) : 0
      }
      this.collider[pair] = c
      this.group[pair] = 0
      const friction = surface[FRICTION]!
      const restitution = surface[RESTITUTION]!
      // A collider that says nothing of its own takes the body's.
      this.friction[pair] = collider.friction === undefined ? friction : Math.sqrt(friction * collider.friction)
      this.restitution[pair] = Math.max(restitution, collider.restitution ?? 0)
    }
    if (this.count > first) this.group[first] = this.count - first
  }

  private grow(): void {
    this.capacity = Math.max(256, this.capacity * 2)
    const n = this.capacity
    this.particles = widerUint(this.particles, n * 4)
    this.weights = wider(this.weights, n * 4)
    this.collider = widerUint(this.collider, n)
    this.group = widerUint(this.group, n)
    this.thickness = wider(this.thickness, n)
    this.friction = wider(this.friction, n)
    this.restitution = wider(this.restitution, n)
    this.gravityScale = wider(this.gravityScale, n)
    this.push = new Float64Array(n)
    this.drag = new Float64Array(n)
    this.approach = new Float64Array(n)
    this.normals = new Float64Array(n * 3)
    this.resolved = new Uint8Array(n)
  }

  /** Takes the colliders' poses over substep `substep` of `substeps` and forgets the last substep's pushes. */
  beginSubstep(substep: number, substeps: number): void {
    this.active = 0
    this.shared = false
    if (this.count === 0) return
    this.poses.set(this.colliders, substep, substep + 1, substeps)
    this.push.fill(0, 0, this.count)
    this.drag.fill(0, 0, this.count)
  }

  /**
   * Resolves all pairs. Where feelers push, they share particles and push too much at first: further sweeps take back
   * what was too much, down to no push at all, so that contact drives nothing.
   */
  project(state: State): void {
    this.sweep(state)
    if (!this.shared) return
    for (let k = 1; k < SHARED_SWEEPS; k++) this.sweep(state)
    // A feeler beside the tetrahedra presses some of their particles down: these have the last word.
    for (let pair = 0; pair < this.count; pair++) {
      if (this.weights[pair * 4] !== 1) continue
      this.locate(state, pair)
      if (this.measure(pair) && query[3]! < this.thickness[pair]!) this.resolve(state, pair)
    }
  }

  private sweep(state: State): void {
    let first = 0
    while (first < this.count) {
      const size = this.group[first]!
      if (size === 1) {
        this.locate(state, first)
        if (this.measure(first)) this.resolve(state, first)
      } else {
        for (let pair = first; pair < first + size; pair++) this.resolved[pair] = 0
        for (let turn = 0; turn < size; turn++) {
          this.locate(state, first)
          let deepest = -1
          let depth = 0
          for (let pair = first; pair < first + size; pair++) {
            if (this.resolved[pair] || !this.measure(pair)) continue
            const d = query[3]! - this.thickness[pair]!
            if (d < depth) {
              depth = d
              deepest = pair
            }
          }
          if (deepest < 0) break
          this.resolved[deepest] = 1
          this.measure(deepest)
          this.resolve(state, deepest)
        }
      }
      first += size
    }
  }

  /** The point of a pair now and at the start of the substep, into `point` and `before`. */
  private locate(state: State, pair: number): void {
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

  /** Signed distance and frame of a pair at `point`; false where it is clear of the collider. */
  private measure(pair: number): boolean {
    const data = this.poses.data
    const o = this.collider[pair]! * POSE
    const rx = point[0]! - data[o + 12]!
    const ry = point[1]! - data[o + 13]!
    const rz = point[2]! - data[o + 14]!
    query[0] = data[o + 15]! * rx + data[o + 18]! * ry + data[o + 21]! * rz
    query[1] = data[o + 16]! * rx + data[o + 19]! * ry + data[o + 22]! * rz
    query[2] = data[o + 17]! * rx + data[o + 20]! * ry + data[o + 23]! * rz
    this.colliders[this.collider[pair]!]!.shape.distance(query)
    if (query[3]! >= this.thickness[pair]! && this.push[pair] === 0) return false
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
    return true
  }

  /** Pushes the point of a pair out to the thickness, then rubs. Needs `locate` and `measure`. */
  private resolve(state: State, pair: number): void {
    const w = state.inverseMasses
    const at = pair * 4
    let weight = 0
    for (let k = at; k < at + 4; k++) weight += this.weights[k]! * this.weights[k]! * w[this.particles[k]!]!
    if (weight === 0) return // pinned
    const nx = frame[0]!
    const ny = frame[1]!
    const nz = frame[2]!
    // What is left of the relative movement of this substep, once pushed out.
    let depth = Math.max(this.thickness[pair]! - query[3]!, -this.push[pair]!)
    let tx = point[0]! + depth * nx - before[0]! - frame[3]!
    let ty = point[1]! + depth * ny - before[1]! - frame[4]!
    let tz = point[2]! + depth * nz - before[2]! - frame[5]!
    const along = tx * nx + ty * ny + tz * nz
    // Along the normal that is how deep the point was before: such a depth is left at a walk, not at depth / h.
    if (along > this.recovery[0]!) {
      depth -= along - this.recovery[0]!
      if (depth <= 0) return // on its way out
    }
    if (this.push[pair] === 0) {
      this.active++
      if (this.weights[at] !== 1) this.shared = true
      this.remember(state, pair)
    }
    this.push[pair] = this.push[pair]! + depth
    tx -= along * nx
    ty -= along * ny
    tz -= along * nz
    const slip = Math.sqrt(tx * tx + ty * ty + tz * tz)
    const hold = this.friction[pair]! * this.push[pair] - this.drag[pair]!
    let rub = 0
    if (slip > 0 && hold > 0) {
      rub = slip <= hold ? 1 : hold / slip
      this.drag[pair] = this.drag[pair]! + rub * slip
    }
    const cx = depth * nx - rub * tx
    const cy = depth * ny - rub * ty
    const cz = depth * nz - rub * tz
    const x = state.positions
    for (let k = at; k < at + 4; k++) {
      const s = (this.weights[k]! * w[this.particles[k]!]!) / weight
      if (s === 0) continue
      const p = this.particles[k]! * 3
      x[p] = x[p]! + s * cx
      x[p + 1] = x[p + 1]! + s * cy
      x[p + 2] = x[p + 2]! + s * cz
    }
  }

  /** Keeps the normal and the approach speed of a pair, for the bounce. */
  private remember(state: State, pair: number): void {
    if (this.restitution[pair] === 0) return
    const v = state.velocities
    let approach = 0
    for (let k = pair * 4; k < pair * 4 + 4; k++) {
      const p = this.particles[k]! * 3
      for (let d = 0; d < 3; d++) approach += this.weights[k]! * v[p + d]! * frame[d]!
    }
    this.approach[pair] = approach
    for (let d = 0; d < 3; d++) this.normals[pair * 3 + d] = frame[d]!
  }

  /** Gives back a share of each approach speed, where it is more than resting under gravity makes. */
  bounce(state: State, settings: Readonly<WorldSettings>): void {
    if (this.active === 0) return
    const h = settings.timeStep / settings.substeps
    const v = state.velocities
    const w = state.inverseMasses
    const data = this.poses.data
    const gx = settings.gravity[0]
    const gy = settings.gravity[1]
    const gz = settings.gravity[2]
    const g = Math.sqrt(gx * gx + gy * gy + gz * gz)
    for (let pair = 0; pair < this.count; pair++) {
      const e = this.restitution[pair]!
      if (e === 0 || this.push[pair] === 0) continue
      const n = pair * 3
      const nx = this.normals[n]!
      const ny = this.normals[n + 1]!
      const nz = this.normals[n + 2]!
      this.locate(state, pair)
      const o = this.collider[pair]! * POSE
      const rx = point[0]! - data[o + 12]!
      const ry = point[1]! - data[o + 13]!
      const rz = point[2]! - data[o + 14]!
      // Speed of the collider's surface along the normal.
      let surface = 0
      const q0 = data[o + 15]! * rx + data[o + 18]! * ry + data[o + 21]! * rz
      const q1 = data[o + 16]! * rx + data[o + 19]! * ry + data[o + 22]! * rz
      const q2 = data[o + 17]! * rx + data[o + 20]! * ry + data[o + 23]! * rz
      for (let d = 0; d < 3; d++) {
        const from = o + 3 + d * 3
        const old = data[o + d]! + data[from]! * q0 + data[from + 1]! * q1 + data[from + 2]! * q2
        surface += ((point[d]! - old) / h) * this.normals[n + d]!
      }
      const scale = this.gravityScale[pair]!
      // The speed before this substep's share of gravity: the bounce then never gains energy.
      const falling = (gx * nx + gy * ny + gz * nz) * scale * h
      const approach = this.approach[pair]! - falling - surface
      if (approach > -2 * g * Math.abs(scale) * h) continue
      let now = -surface
      let weight = 0
      for (let k = pair * 4; k < pair * 4 + 4; k++) {
        const b = this.weights[k]!
        const p = this.particles[k]! * 3
        now += b * (v[p]! * nx + v[p + 1]! * ny + v[p + 2]! * nz)
        weight += b * b * w[this.particles[k]!]!
      }
      const gain = -e * approach - now
      if (gain <= 0 || weight === 0) continue
      for (let k = pair * 4; k < pair * 4 + 4; k++) {
        const s = (gain * this.weights[k]! * w[this.particles[k]!]!) / weight
        const p = this.particles[k]! * 3
        v[p] = v[p]! + s * nx
        v[p + 1] = v[p + 1]! + s * ny
        v[p + 2] = v[p + 2]! + s * nz
      }
    }
  }
}

const one = Float64Array.of(1)

function wider(column: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const out = new Float64Array(length)
  out.set(column)
  return out
}

function widerUint(column: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(length)
  out.set(column)
  return out
}

import type { WorldSettings } from '../settings.js'
import type { BodyRecord, ColliderRecord, State } from '../state.js'
import { POSE, Poses } from './poses.js'

/** Places in a body's surface numbers. */
const THICKNESS = 0
const FRICTION = 1
const RESTITUTION = 2
const GRAVITY_SCALE = 3

const query = new Float64Array(7)
/** How near a point must be to a collider to be listed [m]. By array, since a call with a number allocates. */
const margin = new Float64Array(1)

/** Pairs of a particle or feeler and a collider that may touch during a step, in columns. */
export class Candidates {
  /** Pairs found by the last search. */
  count = 0
  protected readonly poses = new Poses()
  private readonly pull = new Float64Array(1)
  protected colliders: readonly ColliderRecord[] = []
  protected capacity = 0
  /** By live body: thickness, friction, restitution, gravity scale. */
  private surfaces: readonly Float64Array[] = []
  private bakedVersion = -1
  /** Four particles a pair, and their weights; a plain particle has weights 1, 0, 0, 0 on itself. */
  protected particles = new Uint32Array(0)
  protected weights = new Float64Array(0)
  protected collider = new Uint32Array(0)
  /** Pairs of the same point follow each other; the first says how many. */
  protected group = new Uint32Array(0)
  protected thickness = new Float64Array(0)
  protected friction = new Float64Array(0)
  protected restitution = new Float64Array(0)
  protected gravityScale = new Float64Array(0)
  /** First pair of each live body, and the end. */
  protected bodyPairs = new Uint32Array(1)

  /** Lists the pairs that may touch within the coming step. */
  search(state: State, settings: Readonly<WorldSettings>): void {
    this.count = 0
    this.colliders = state.colliders.live
    const bodies = state.bodies.live
    if (this.bodyPairs.length <= bodies.length) this.bodyPairs = new Uint32Array(bodies.length * 2 + 1)
    this.bodyPairs.fill(0)
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

  /** Makes room for more pairs. */
  protected grow(): void {
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

import { WHOLE } from '../jointRecord.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'
import type { WorldSettings } from '../worldSettings.js'
import { ChosenColliders, findBeyond } from './chosenColliders.js'
import { JoinedPoints } from './joinedPoints.js'
import { drift, GRAVITY_SCALE, Pairs, SIZE, STRETCH, SWAY, THICKNESS } from './pairs.js'
import { POSE, Poses } from './poses.js'
import type { ColliderShape } from './shape.js'
import { roomy } from './soft/columns.js'
import { Sunk } from './sunk.js'

/** Share of a distance that rounding leaves. */
export const SURE = 1 - 1e-9

const query = new Float64Array(7)
/** How near a point must be to a collider to be listed [m]. By array, since a call with a number allocates. */
const margin = new Float64Array(1)

/** Pairs that a point has with a collider that is not convex: one for each place where it may touch at once. */
const PLACES = 3

/** The search for the pairs that may touch during a step. */
export class Candidates extends Pairs {
  protected readonly poses = new Poses()
  protected readonly sunk = new Sunk()
  protected settings: Readonly<WorldSettings> | undefined
  /** Where the particles were at the last search [m], and how far each live body may get from there [m]. */
  private origin = new Float64Array(0)
  private leash = new Float64Array(0)
  /** Speed of each live body's fastest particle [m/s]. */
  private fastest = new Float64Array(0)
  /** From the last search to the end of the step. */
  private substepsLeft = 1
  /** Where the particles were when the substep of the last search began [m]. */
  private began = new Float64Array(0)
  /** The shapes that `sway` knows: reading a number of theirs each step would allocate. */
  private readonly shapes: ColliderShape[] = []
  private readonly chosen = new ChosenColliders()
  private readonly joined = new JoinedPoints()
  /** By slot of a body: the longest way that the target of one of its attachments or joints makes in the coming step [m]. */
  private pulls = new Float64Array(0)
  /** By particle that is in a pair: how far it is from where it was listed, or was when the substep began [m]. */
  protected strays = new Float64Array(0)
  /** The particles that are in pairs, those of live body b from listedStarts[b] to listedStarts[b + 1]. */
  private listed = new Uint32Array(0)
  private listedStarts = new Uint32Array(1)
  private isListed = new Uint8Array(0)
  /** The substep in which to look whether a body has strayed. */
  private nextLook = 0
  /** First pair of each live body, and the end. */
  protected bodyPairs = new Uint32Array(1)

  /** Lists the pairs that may touch within the coming step. */
  search(state: State, settings: Readonly<WorldSettings>): void {
    this.settings = settings
    this.nextLook = 0
    const count = state.bodies.live.length
    if (this.bodyPairs.length <= count) {
      this.bodyPairs = new Uint32Array(count * 2 + 1)
      this.leash = new Float64Array(count * 2)
      this.fastest = new Float64Array(count * 2)
      this.listedStarts = new Uint32Array(count * 2 + 1)
    }
    this.colliders = state.colliders.live
    this.count = 0
    this.sunk.clear()
    this.bodyPairs.fill(0)
    if (this.colliders.length === 0) return
    this.bakeSurfaces(state)
    this.findFastest(state.velocities, state.stepStart, false, state)
    this.began = state.positions
    this.list(state, 0)
  }

  /**
   * In a substep, its constraints solved: lists the pairs anew where a body has got further than half the way that the
   * last search looked ahead, by springs, holds and blows that its speeds did not tell of. True where it has.
   * @param pushed whether surfaces may have pushed each other in this substep
   */
  protected searchAgain(state: State, substep: number, pushed: boolean): boolean {
    if ((substep < this.nextLook && !pushed) || this.colliders.length === 0) return false
    // What gets faster evenly gets 2.25 times as far until then; a jolt comes with a step's first substep, or with a push,
    // which may send off what is near nothing in the next substep.
    this.nextLook = pushed ? 0 : substep + 1 + ((substep + 1) >> 1)
    if (!this.strayed(state)) return false
    this.findFastest(state.positions, state.previous, true, state)
    this.began = state.previous
    this.list(state, substep)
    return true
  }

  private strayed(state: State): boolean {
    const x = state.positions
    const x0 = this.origin
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      const { start, model, asleep } = bodies[b]!
      if (asleep) continue
      const end = (start + model.particleCount) * 3
      // Along each axis, since that is quick: the way is then at most root 3 times as long, and twice is looked at.
      const leash = this.leash[b]!
      for (let p = start * 3; p < end; p++) if (Math.abs(x[p]! - x0[p]!) > leash) return true
    }
    return false
  }

  /** Each body's fastest particle: by velocities, or by the way from `b` to `a` of this substep. */
  private findFastest(a: Float64Array, b: Float64Array, ways: boolean, state: State): void {
    const { timeStep, substeps } = this.settings!
    const bodies = state.bodies.live
    for (let k = 0; k < bodies.length; k++) {
      const { start, model, asleep } = bodies[k]!
      if (asleep) continue
      let fastest = 0
      for (let p = start * 3; p < (start + model.particleCount) * 3; p += 3) {
        const vx = a[p]! - (ways ? b[p]! : 0)
        const vy = a[p + 1]! - (ways ? b[p + 1]! : 0)
        const vz = a[p + 2]! - (ways ? b[p + 2]! : 0)
        fastest = Math.max(fastest, vx * vx + vy * vy + vz * vz)
      }
      this.fastest[k] = ways ? (Math.sqrt(fastest) * substeps) / timeStep : Math.sqrt(fastest)
    }
  }

  /** Lists the pairs that may touch from substep `substep` to the end of the step. */
  private list(state: State, substep: number): void {
    const { timeStep, substeps, gravity } = this.settings!
    const bodies = state.bodies.live
    this.count = 0
    this.sunk.clear()
    this.poses.set(this.colliders, substep, substeps, substeps)
    if (this.origin.length < state.positions.length) {
      this.origin = new Float64Array(state.positions.length)
      this.strays = new Float64Array(state.masses.length)
      this.isListed = new Uint8Array(state.masses.length)
    }
    this.listedStarts[0] = 0
    for (let b = 0; b < bodies.length; b++) {
      const { start, model, asleep } = bodies[b]!
      if (asleep) continue
      for (let p = start * 3; p < (start + model.particleCount) * 3; p++) this.origin[p] = state.positions[p]!
    }
    this.substepsLeft = substeps - substep
    this.bakeColliders()
    this.chosen.bake(this.colliders, this.poses.data, this.sway)
    this.findPulls(state)
    this.joined.take(state)
    const dt = (timeStep * this.substepsLeft) / substeps
    const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      if (body.asleep) {
        this.bodyPairs[b + 1] = this.count
        this.listedStarts[b + 1] = this.listedStarts[b]!
        continue
      }
      // Twice the way at the fastest particle's speed, and room for what gravity and elasticity add.
      const surface = this.surfaces[b]!
      const thickness = surface[THICKNESS]!
      const felt = body.pull[0]! * body.pull[0]! + body.pull[1]! * body.pull[1]! + body.pull[2]! * body.pull[2]!
      const fall = g * Math.abs(surface[GRAVITY_SCALE]!) + Math.sqrt(felt)
      const reach = 2 * this.fastest[b]! * dt + 2 * fall * dt * dt
      margin[0] = thickness + reach + 2 * this.pulls[body.slot]! + 0.02 * surface[SIZE]!
      this.leash[b] = (margin[0] - thickness) / 2
      const first = this.count
      this.chosen.choose(state, body, surface, margin)
      this.listPoints(state, body, surface)
      if (this.sunk.judge(state, b, body, this.colliders, this.poses.data)) {
        this.count = first
        this.chosen.leave(this.sunk.pushes) // what it is sunk in pushes it no more
        this.listPoints(state, body, surface)
      }
      for (let c = first; c < this.count; c++) {
        this.thickness[c] = thickness
        this.gravityScale[c] = surface[GRAVITY_SCALE]!
        this.pulled[c] = Math.sqrt(felt)
      }
      this.bodyPairs[b + 1] = this.count
      this.listParticles(b)
    }
  }

  /** Lists the particles that are in pairs of the `b`-th live body, each once. */
  private listParticles(b: number): void {
    const { isListed, particles } = this
    const first = this.listedStarts[b]!
    const from = this.bodyPairs[b]! * 4
    const to = this.bodyPairs[b + 1]! * 4
    this.listed = roomy(this.listed, first + to - from)
    let end = first
    for (let k = from; k < to; k++) {
      const i = particles[k]!
      if (isListed[i] === 1) continue
      isListed[i] = 1
      this.listed[end++] = i
    }
    for (let k = first; k < end; k++) isListed[this.listed[k]!] = 0
    this.listedStarts[b + 1] = end
  }

  /** Measures the strays of the `b`-th live body. */
  protected findStrays({ positions: x, previous: y }: State, b: number): void {
    const { listed, origin: o, strays } = this
    const end = this.listedStarts[b + 1]!
    for (let k = this.listedStarts[b]!; k < end; k++) {
      const i = listed[k]!
      const p = i * 3
      const ux = x[p]! - o[p]!
      const uy = x[p + 1]! - o[p + 1]!
      const uz = x[p + 2]! - o[p + 2]!
      const vx = y[p]! - o[p]!
      const vy = y[p + 1]! - o[p + 1]!
      const vz = y[p + 2]! - o[p + 2]!
      strays[i] = Math.sqrt(Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz))
    }
  }

  /** True where the point of a pair, the first of that point, is clear of its colliders by more than margin[0] [m]. */
  protected staysClear(first: number, margin: Float64Array): boolean {
    const { particles, strays } = this
    const k = first * 4
    const room = this.clearTo[first]! - margin[0]!
    return (
      strays[particles[k]!]! < room &&
      strays[particles[k + 1]!]! < room &&
      strays[particles[k + 2]!]! < room &&
      strays[particles[k + 3]!]! < room
    )
  }

  /** Lists the pairs of a body with the colliders that push it. */
  private listPoints(state: State, body: BodyRecord, surface: Float64Array): void {
    const { feelers, contactParticles } = body.model
    this.sunk.take(body, this.colliders.length)
    // Particles come first, so that feelers push for what is left alone. Feelers that push first overshoot where they
    // share particles, and that drives a ball into rolling on its own.
    for (let k = 0; k < contactParticles.length; k++) {
      this.searchPoint(state, body, surface, contactParticles, one, k, 1)
    }
    for (let f = 0; f < feelers.particles.length; f += 4) {
      this.searchPoint(state, body, surface, feelers.particles, feelers.weights, f, 4)
    }
  }

  /** How each collider moves, and what it takes to pass it. */
  private bakeColliders(): void {
    if (this.sway.length < this.colliders.length * SWAY) {
      this.sway = new Float64Array(this.colliders.length * SWAY * 2)
      this.shapes.length = 0
    }
    const data = this.poses.data
    this.passable = false
    for (let c = 0; c < this.colliders.length; c++) {
      const o = c * POSE
      let shift = 0
      for (let d = o; d < o + 3; d++) shift += (data[d + 12]! - data[d]!) * (data[d + 12]! - data[d]!)
      let turn = 0
      for (let d = o + 3; d < o + 12; d++) turn += (data[d + 12]! - data[d]!) * (data[d + 12]! - data[d]!)
      const { shape } = this.colliders[c]!
      if (shape !== this.shapes[c]) {
        this.shapes[c] = shape
        this.sway[c * SWAY + 3] = shape.inradius
      }
      const endless = this.sway[c * SWAY + 3] === Number.POSITIVE_INFINITY
      if (!endless) this.passable = true
      this.sway[c * SWAY] = Math.sqrt(shift)
      this.sway[c * SWAY + 1] = Math.sqrt(turn)
      // Twice the even share: turns are not quite even, and from a quarter on not at all.
      this.sway[c * SWAY + 2] = endless ? 0 : turn < 4 ? 2 / this.substepsLeft : 1e9
    }
  }

  /** Finds `pulls`. */
  private findPulls(state: State): void {
    const bodies = state.bodies.live
    this.pulls = roomy(this.pulls, bodies.length === 0 ? 0 : bodies[bodies.length - 1]!.slot + 1)
    const { pulls } = this
    pulls.fill(0)
    for (let a = 0; a < state.attachments.live.length; a++) {
      const { body, from, target } = state.attachments.live[a]!
      let way = 0
      for (let d = 0; d < 3; d++) way += (target[d]! - from[d]!) * (target[d]! - from[d]!)
      pulls[body.slot] = Math.max(pulls[body.slot]!, Math.sqrt(way))
    }
    for (let j = 0; j < state.joints.live.length; j++) {
      const { body, frame, broken } = state.joints.live[j]!
      if (!frame || broken[0] !== WHOLE) continue
      let way = 0
      for (let d = 0; d < 3; d++) way += (frame.target[d]! - frame.pose[d]!) * (frame.target[d]! - frame.pose[d]!)
      pulls[body.slot] = Math.max(pulls[body.slot]!, Math.sqrt(way))
    }
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
    let within = margin[0]!
    let room = 0
    for (let round = 0; round < 2; round++) {
      this.count = first
      let carry = 0
      room = Number.POSITIVE_INFINITY
      for (let n = 0; n < this.chosen.count; n++) {
        const c = this.chosen.found[n]!
        if (this.joined.any && this.joined.has(body.start, particles, at, arity, c)) continue
        const o = c * POSE
        const rx = px - data[o]!
        const ry = py - data[o + 1]!
        const rz = pz - data[o + 2]!
        query[0] = data[o + 3]! * rx + data[o + 6]! * ry + data[o + 9]! * rz
        query[1] = data[o + 4]! * rx + data[o + 7]! * ry + data[o + 10]! * rz
        query[2] = data[o + 5]! * rx + data[o + 8]! * ry + data[o + 11]! * rz
        const { shape } = this.colliders[c]!
        const k = c * SWAY
        // How far the collider's surface can move here.
        const r = Math.sqrt(rx * rx + ry * ry + rz * rz)
        const moves = this.sway[k]! + this.sway[k + 1]! * (r + margin[0]!)
        const reach = within + moves
        const { bounds } = shape
        if (bounds) {
          findBeyond(bounds, query)
          if (query[3]! > reach) continue
        }
        shape.distance(query)
        if (query[3]! > reach) continue
        if (arity === 1 && round === 0 && this.sunk.isDeep(query)) {
          this.sunk.note(this.began, body.start + particles[at]!, c, this.colliders, data)
        }
        carry = Math.max(carry, moves)
        room = Math.min(room, SURE * query[3]! - moves)
        drift[0] = moves * this.sway[k + 2]!
        const places = shape.convex ? 1 : PLACES
        for (let place = 0; place < places; place++) {
          this.addPair(body, surface, particles, weights, at, arity, c)
          const last = (this.count - 1) * 4
          for (let d = 0; d < 4; d++) this.known[last + d] = query[d]!
        }
      }
      // What moves may carry the point to a collider beyond, or strike it there at twice its own speed.
      if (carry === 0) break
      within = margin[0]! + 2 * carry
    }
    if (this.count === first) return
    this.group[first] = this.count - first
    this.clearTo[first] = (room - surface[THICKNESS]!) / (arity === 1 ? 1 : surface[STRETCH]!)
    for (let pair = first + 1; pair < this.count; pair++) {
      this.slow[first] = Math.min(this.slow[first]!, this.slow[pair]!)
      this.pressed[first] = Math.min(this.pressed[first]!, this.pressed[pair]!)
    }
  }
}

const one = Float64Array.of(1)

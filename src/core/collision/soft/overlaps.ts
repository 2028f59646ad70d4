import { SLEEP } from '../../records.js'
import type { State } from '../../state.js'
import { NEAR, near } from './closest.js'
import { roomy } from './columns.js'
import type { Meetings } from './meetings.js'
import { OverlapPoints } from './overlapPoints.js'
import { PairTable } from './pairTable.js'
import { Partings } from './partings.js'
import type { Rooms } from './rooms.js'
import { halfWayIn, isShallow, SIDE, shallowDepth } from './shallows.js'
import type { SoftGroups } from './softGroups.js'
import { shallow as least, SURFACE, type Surfaces } from './surfaces.js'
import type { Touching } from './touching.js'
import { directions, WayOut } from './wayOut.js'
import {
  center,
  measurePassing,
  measureWhole,
  passing,
  pushWhole,
  shift,
  shiftWhole,
  velocity,
  yielding,
} from './wholes.js'

/** Speed at which bodies in each other are drawn apart [m/s]. */
const SPEED = 2

/** Relative speed up to which two bodies count as lying in each other [m/s]. */
const SLOW = 0.2

/** Speed from which two pass each other, or move within, as what runs into each other does [m/s]. */
const FAST = 2

/** Share of a body's surface particles that must be in another one: a fall presses in fewer. */
const SWALLOWED = 0.05

const closing = new Float64Array(1)
const tried = new Float64Array(3)

/**
 * Bodies that are in each other, since they were put or pulled so: solids that overlap deeply, and sheets and ropes that
 * go through a solid. Each particle knows a way out, but not all the same one, and edges that cross know none: a body would be
 * drawn in all directions, or held. So contact of the two stands down, and both are moved apart as wholes along the
 * shortest way out of the overlap, until nothing of one is deep in the other.
 */
export class Overlaps {
  /** The pairs. */
  private readonly pairs = new PairTable()
  /** By live body: the angular momentum about the origin that it has got by being moved in this substep [3 n] kg m^2/s. */
  spins = new Float64Array(0)
  /** [3 n] sum of the unit ways out of the first body's particles, less those of the second's; then the direction. */
  private ways = new Float64Array(0)
  /** [n] how far they are still to be moved in this step [m]: no farther than they are in each other. */
  private left = new Float64Array(0)
  /** [2 n] how much either yields on its way out [1/kg]. */
  private yields = new Float64Array(0)
  /** [n] 1 where they close in on each other, and are stopped. */
  private braked = new Uint8Array(0)
  /** [2 n] how many particles of the first are in the second, and of the second in the first. */
  private found = new Uint32Array(0)
  /** [n] how often edges of one cross triangles of the other, up to 255. */
  private crossed = new Uint8Array(0)
  /** [n] 1 where contact holds them in each other. */
  private hooked = new Uint8Array(0)
  /** [2 n] live bodies moved apart in this substep. */
  private moved = new Uint32Array(0)
  private movedCount = 0
  private readonly points = new OverlapPoints()
  private readonly wayOut = new WayOut()
  readonly partings = new Partings()

  /** Pairs of bodies. */
  get count(): number {
    return this.pairs.count
  }

  /** [2 n] live bodies. */
  private get bodies(): Uint32Array {
    return this.pairs.bodies
  }

  clear(): void {
    this.pairs.clear()
    this.partings.clear()
    this.points.clear()
  }

  /** Asks for those that are to be moved apart. */
  askAgain(asked: Uint8Array): void {
    for (let k = 0; k < this.count * 2; k++) asked[this.bodies[k]!] = 1
    this.partings.askAgain(asked)
  }

  /** A substep of `bodies` live bodies begins. */
  beginSubstep(bodies: number): void {
    this.spins = roomy(this.spins, bodies * 3)
    this.spins.fill(0, 0, bodies * 3)
    this.movedCount = 0
    this.partings.beginSubstep(bodies)
  }

  /** Particle i of live body `a` was in live body `b` when the substep began; `near` tells the nearest surface. */
  add({ previous: x }: State, i: number, a: number, b: number): void {
    const size = Math.sqrt(near[NEAR.SQUARE]!)
    if (size === 0) return
    const k = this.placeOf(Math.min(a, b), Math.max(a, b))
    // The gap points from the surface to the particle: the way out is against it.
    const scale = (a < b ? -1 : 1) / size
    for (let d = 0; d < 3; d++) this.ways[k * 3 + d] = this.ways[k * 3 + d]! + scale * near[NEAR.GAP + d]!
    const side = k * 2 + (a < b ? 0 : 1)
    this.found[side] = this.found[side]! + 1
    for (let d = 0; d < 3; d++) tried[d] = x[i * 3 + d]!
    this.points.add(k, a < b ? SIDE.FIRST : SIDE.SECOND, tried)
  }

  /**
   * An edge of live body `a` crosses a triangle of live body `b` at a point; inward it goes on to particle `end`. Where it
   * does, half way to where it leaves the body again, is a point of the overlap, and half way to another crossing is one too.
   */
  addCrossing(
    { previous: x }: State,
    surfaces: Surfaces,
    a: number,
    b: number,
    point: Float64Array,
    end: number,
  ): void {
    const k = this.placeOf(Math.min(a, b), Math.max(a, b))
    if (surfaces.solid[b] === 1) {
      halfWayIn(x, point, end * 3, surfaces, b, tried)
      this.points.add(k, a < b ? SIDE.FIRST : SIDE.SECOND, tried)
    }
    const side = (a < b ? surfaces.solid[b] : surfaces.solid[a]) === 0 ? SIDE.SECOND : SIDE.FIRST
    this.crossed[k] = Math.min(255, this.crossed[k]! + 1)
    this.points.addCrossing(k, surfaces.solid[a] === 1 && surfaces.solid[b] === 1 ? SIDE.BOTH : side, point)
  }

  /** Live bodies `a` and `b`, in this order, are held in each other by contact. */
  addHook(a: number, b: number): void {
    const k = this.indexOf(a, b)
    if (k >= 0) this.hooked[k] = 1
  }

  /** True where any are to be moved apart. */
  get any(): boolean {
    return this.count > 0 || this.partings.count > 0
  }

  /** True where two live bodies are to be moved apart. */
  has(a: number, b: number): boolean {
    const first = Math.min(a, b)
    const second = Math.max(a, b)
    return this.indexOf(first, second) >= 0 || this.partings.has(first, second)
  }

  /** True where one of two live bodies is in the other with so much of its surface that it does not come out by itself. */
  swallows({ vertexStarts }: Surfaces, a: number, b: number): boolean {
    const k = this.indexOf(Math.min(a, b), Math.max(a, b))
    return k >= 0 && this.isSwallowed(k, vertexStarts)
  }

  /** Where a pair stands, -1 where it does not. */
  private indexOf(first: number, second: number): number {
    return this.pairs.indexOf(first, second)
  }

  private placeOf(first: number, second: number): number {
    const known = this.indexOf(first, second)
    if (known >= 0) return known
    const k = this.pairs.add(first, second)
    this.ways = roomy(this.ways, this.count * 3)
    this.left = roomy(this.left, this.count)
    this.yields = roomy(this.yields, this.count * 2)
    this.braked = roomy(this.braked, this.count)
    this.found = roomy(this.found, this.count * 2)
    this.crossed = roomy(this.crossed, this.count)
    this.hooked = roomy(this.hooked, this.count)
    this.ways.fill(0, k * 3, k * 3 + 3)
    this.found.fill(0, k * 2, k * 2 + 2)
    this.crossed[k] = 0
    this.hooked[k] = 0
    return k
  }

  /**
   * Finds the ways out, all points being known, and keeps the pairs that are to be moved. Solids that touch, or run into
   * each other, and none of which swallows the other, are left to contact, since piles rest on such, but where one has been
   * put through the other, or contact has them hooked; so is what is shallow and touches. Edges that cross by so little that
   * nothing touches, and ropes, whose particles are few, are moved by the way that is short.
   */
  direct(state: State, surfaces: Surfaces, touching: Touching, meetings: Meetings): void {
    const { partings, wayOut } = this
    let kept = 0
    for (let k = 0; k < this.count; k++) {
      const a = this.bodies[k * 2]!
      const b = this.bodies[k * 2 + 1]!
      if (partings.goOn(state, surfaces, a, b, wayOut)) continue
      const swallowed = this.isSwallowed(k, surfaces.vertexStarts)
      if ((!swallowed && this.crossed[k] === 0) || !this.canYield(state, k)) continue
      const solids = surfaces.solid[a]! + surfaces.solid[b]!
      const touched = touching.has(a, b) || (solids === 2 && this.isFast(state, a, b))
      // Not calm, however still it is held: asleep it would stay so for ever.
      if (solids < 2) for (let d = 0; d < 2; d++) surfaces.bodies[this.bodies[k * 2 + d]!]!.sleep[SLEEP.CALM] = 0
      const through = solids === 2 && partings.isThrough(state, surfaces, a, b, this.hooked[k] === 1, wayOut)
      if (!through && !swallowed && solids === 2 && touched) continue
      const shallow = !through && !swallowed && solids > 0 && this.isShallow(state, surfaces, k)
      const line = surfaces.lines[a]! + surfaces.lines[b]! > 0
      if (shallow && !line && touched) continue
      if (!shallow && !through) wayOut.find(state, surfaces, a, b, solids < 2)
      // What is shallow is moved until its points are out and do not touch; of a rope there are too few to tell.
      let far = shallow ? least[0]! : wayOut.depth[0]!
      if (shallow && !line) {
        const { numbers } = surfaces
        const first = numbers[a * SURFACE.SIZE + SURFACE.THICKNESS]!
        const second = numbers[b * SURFACE.SIZE + SURFACE.THICKNESS]!
        far = Math.min(far, shallowDepth[0]! + first + second)
      }
      if (!shallow && this.isFar(surfaces, k, a, b)) continue
      // Two that run into each other, or rebound, do not lie in each other: contact brakes them.
      this.measureClosing(state, k, wayOut.direction, 0)
      const speed = Math.abs(closing[0]!)
      const slow = speed <= SLOW
      // What is deep is held there by contact, and runs against being moved: it is stopped first.
      const sheet = solids === 1 && !shallow && speed < SPEED
      if (!slow && !sheet && !(solids === 2 && meetings.matter.isDeep(state, meetings, a, b))) continue
      if (through && partings.begin(state, surfaces, a, b, wayOut)) continue
      this.braked[kept] = slow ? 0 : 1
      this.left[kept] = far
      this.bodies[kept * 2] = a
      this.bodies[kept * 2 + 1] = b
      for (let d = 0; d < 2; d++) this.yields[kept * 2 + d] = wayOut.yields[d]!
      for (let d = 0; d < 3; d++) this.ways[kept * 3 + d] = wayOut.direction[d]!
      kept++
    }
    this.pairs.keep(kept)
  }

  /** True where two that meet are to be kept apart by contact, even where after a blow none of their particles is near. */
  private isFast(state: State, a: number, b: number): boolean {
    measurePassing(state, state.bodies.live[a]!, state.bodies.live[b]!)
    return passing[0]! + passing[1]! > FAST * FAST
  }

  private isSwallowed(k: number, starts: Uint32Array): boolean {
    const a = this.bodies[k * 2]!
    const b = this.bodies[k * 2 + 1]!
    return (
      this.found[k * 2]! > SWALLOWED * (starts[a + 1]! - starts[a]!) ||
      this.found[k * 2 + 1]! > SWALLOWED * (starts[b + 1]! - starts[b]!)
    )
  }

  /** True where one of two bodies is a sheet or rope so large that to move it as a whole is no short way, and not within. */
  private isFar({ solid, bodies, vertexStarts }: Surfaces, k: number, a: number, b: number): boolean {
    if (solid[a] === 1 && solid[b] === 1) return false
    const thin = solid[a] === 0 ? a : b
    const within = this.found[k * 2 + (thin === a ? 0 : 1)]!
    if (2 * within > vertexStarts[thin + 1]! - vertexStarts[thin]!) return false
    return this.wayOut.depth[0]! > Math.min(bodies[a]!.model.size, bodies[b]!.model.size)
  }

  /** True where either of a pair can be moved; `tried` leads from the second's centre to the first's. */
  private canYield(state: State, k: number): boolean {
    measureWhole(state, state.bodies.live[this.bodies[k * 2]!]!)
    const { free } = this.wayOut
    free[0] = yielding[0]!
    for (let d = 0; d < 3; d++) tried[d] = center[d]!
    measureWhole(state, state.bodies.live[this.bodies[k * 2 + 1]!]!)
    for (let d = 0; d < 3; d++) tried[d] = tried[d]! - center[d]!
    free[1] = yielding[0]!
    return free[0] + free[1] > 0
  }

  /** True where a short way leads out of the k-th overlap, which is kept then; `tried` leads from centre to centre. */
  private isShallow(state: State, surfaces: Surfaces, k: number): boolean {
    const { ways } = this
    const a = this.bodies[k * 2]!
    const b = this.bodies[k * 2 + 1]!
    surfaces.findShallow(a, b)
    const count = this.points.gather(k)
    const { own, ownSides } = this.points
    if (normalize(ways, k * 3) && isShallow(state, surfaces, a, b, own, ownSides, count, ways, k * 3)) {
      this.wayOut.take(ways, k * 3)
      return true
    }
    if (normalize(tried, 0) && isShallow(state, surfaces, a, b, own, ownSides, count, tried, 0)) {
      this.wayOut.take(tried, 0)
      return true
    }
    for (let o = 0; o < directions.length; o += 3) {
      if (!isShallow(state, surfaces, a, b, own, ownSides, count, directions, o)) continue
      this.wayOut.take(directions, o)
      return true
    }
    return false
  }

  /** Speed of a pair towards each other, against the way out at way[o], into `closing`. */
  private measureClosing(state: State, k: number, way: Float64Array, o: number): void {
    closing[0] = 0
    for (let side = 0; side < 2; side++) {
      measureWhole(state, state.bodies.live[this.bodies[k * 2 + side]!]!)
      for (let d = 0; d < 3; d++) closing[0] += (side === 0 ? -1 : 1) * velocity[d]! * way[o + d]!
    }
  }

  /** Tells who is about to be put elsewhere. */
  ask(rooms: Rooms): void {
    for (let k = 0; k < this.count * 2; k++) rooms.ask(this.bodies[k]!)
  }

  /**
   * Moves bodies apart for a substep of h[0] [s], as far as there is room; their centre of mass stays, and nothing gets
   * faster.
   */
  part(state: State, h: Float64Array, rooms: Rooms): void {
    this.partings.push(state, h)
    for (let k = 0; k < this.count; k++) {
      const a = state.bodies.live[this.bodies[k * 2]!]!
      const b = state.bodies.live[this.bodies[k * 2 + 1]!]!
      const first = this.yields[k * 2]!
      const second = this.yields[k * 2 + 1]!
      this.moved = roomy(this.moved, (this.movedCount + 1) * 2)
      for (let d = 0; d < 2; d++) this.moved[this.movedCount * 2 + d] = this.bodies[k * 2 + d]!
      this.movedCount++
      const shares = first + second
      let far = Math.min(SPEED * h[0]!, this.left[k]!)
      if (first > 0) far = Math.min(far, (rooms.left[this.bodies[k * 2]!]! * shares) / first)
      if (second > 0) far = Math.min(far, (rooms.left[this.bodies[k * 2 + 1]!]! * shares) / second)
      this.left[k] = this.left[k]! - far
      center[0] = (far * first) / shares
      this.shift(state, k * 3, this.bodies[k * 2]!, rooms)
      center[0] = (-far * second) / shares
      this.shift(state, k * 3, this.bodies[k * 2 + 1]!, rooms)
      if (this.braked[k] === 0) continue
      this.measureClosing(state, k, this.ways, k * 3)
      if (closing[0]! <= 0) continue
      const back = (closing[0]! * h[0]!) / shares
      for (let d = 0; d < 3; d++) shift[d] = back * first * this.ways[k * 3 + d]!
      pushWhole(state, a)
      for (let d = 0; d < 3; d++) shift[d] = -back * second * this.ways[k * 3 + d]!
      pushWhole(state, b)
    }
  }

  /** Joins the bodies that have moved each other in this substep, also where a search has found others since. */
  join(groups: SoftGroups): void {
    for (let k = 0; k < this.movedCount; k++) groups.join(this.moved[k * 2]!, this.moved[k * 2 + 1]!)
    this.partings.join(groups)
  }

  /** Moves the b-th live body by center[0] along the direction at ways[o], as if it had always been there. */
  private shift(state: State, o: number, b: number, rooms: Rooms): void {
    const by = center[0]!
    if (by === 0) return
    rooms.left[b] = Math.max(0, rooms.left[b]! - Math.abs(by))
    for (let d = 0; d < 3; d++) shift[d] = by * this.ways[o + d]!
    shiftWhole(state, state.bodies.live[b]!, this.spins, b * 3)
  }
}

/** Brings three numbers at v[o] to length 1; false where they are all 0. */
function normalize(v: Float64Array, o: number): boolean {
  const size = Math.sqrt(v[o]! * v[o]! + v[o + 1]! * v[o + 1]! + v[o + 2]! * v[o + 2]!)
  if (size === 0) return false
  for (let d = o; d < o + 3; d++) v[d] = v[d]! / size
  return true
}

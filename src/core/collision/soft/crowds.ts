import type { State } from '../../state.js'
import { roomy } from './columns.js'
import type { CommonMatter, Neighbours } from './commonMatter.js'
import { rootOf } from './forest.js'
import { PairTable } from './pairTable.js'
import type { Rooms } from './rooms.js'
import type { SoftGroups } from './softGroups.js'
import { MEETING, type Surfaces } from './surfaces.js'
import { center, measureWhole, pushWhole, shift, shiftWhole, velocity, yielding } from './wholes.js'

/** So many bodies, each deep in another one, are a crowd. Fewer come apart each by its own way. */
const CROWD = 5

/** Speed at which a crowd disperses [m/s]. */
const SPEED = 2

/** How far bodies in the very same place count as apart, in sizes, and by which steps they are spread about it (Roberts 2018). */
const SPREAD = 1e-3
const STEPS = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703] as const

/**
 * Solids that were put into one place, many at a time. By contact each particle would meet the sides of all others, and
 * what all want together cannot be. So members of a crowd that are in each other do not touch, for the step: each pair is
 * drawn apart along the line of its centres, and loses its relative velocity, both by the less, the more pairs they are in.
 */
export class Crowds {
  /** Pairs of members that are in each other. */
  count = 0
  /** By live body: its number among the members, + 1; 0 for those of no crowd. */
  private numbers = new Uint32Array(0)
  private members = new Uint32Array(0)
  private memberCount = 0
  /** The live bodies of the pairs, the lesser of two first. */
  private readonly paired = new PairTable()
  /** [2 n] members, the ways from the second's centre to the first's [3 n], and how far they are still in each other [m]. */
  private pairs = new Uint32Array(0)
  private ways = new Float64Array(0)
  private left = new Float64Array(0)
  /** By member: how many pairs it is in, its centre [3 n] m, how much it yields [1/kg]. */
  private degrees = new Uint32Array(0)
  private centers = new Float64Array(0)
  private yields = new Float64Array(0)
  /** [3 n] by member: its velocity [m/s], how far it is put off in a substep, and how far it is braked [m]. */
  private velocities = new Float64Array(0)
  private shifts = new Float64Array(0)
  private brakes = new Float64Array(0)
  /** [2 n] live bodies that are deep in each other, first by their boxes, then by their matter. */
  private couples = new Uint32Array(0)
  private coupleCount = 0
  /** By live body: another one of its group, and how many there are, by the first of it. */
  private parents = new Uint32Array(0)
  private sizes = new Uint32Array(0)

  constructor(
    private readonly surfaces: Surfaces,
    private readonly matter: CommonMatter,
  ) {}

  /** A step begins. */
  clear(): void {
    this.count = 0
    this.memberCount = 0
    this.paired.clear()
  }

  /** True where two live bodies are kept from touching. */
  has(a: number, b: number): boolean {
    return this.paired.indexOf(Math.min(a, b), Math.max(a, b)) >= 0
  }

  /** Finds the crowds of the step; true where there is one. */
  find(state: State, neighbours: Neighbours): boolean {
    this.clear()
    this.coupleBoxes(neighbours)
    if (!this.group()) return false
    this.keepDeep(state, neighbours)
    if (!this.group()) return false
    this.enlist()
    this.measure(state)
    this.pairUp(neighbours)
    return true
  }

  /** Couples the solids whose boxes have much in common. */
  private coupleBoxes(neighbours: Neighbours): void {
    const { partners, partnerStarts } = neighbours
    this.coupleCount = 0
    for (let a = 0; a < this.surfaces.bodies.length; a++) {
      if (this.surfaces.solid[a] === 0) continue
      for (let l = partnerStarts[a]!; l < partnerStarts[a + 1]!; l++) {
        const b = partners[l]!
        if (b > a && this.matter.sharesMuch(neighbours, a, b)) this.couple(a, b)
      }
    }
  }

  private couple(a: number, b: number): void {
    const k = this.coupleCount++
    this.couples = roomy(this.couples, this.coupleCount * 2)
    this.couples[k * 2] = a
    this.couples[k * 2 + 1] = b
  }

  /** Groups what is coupled (union-find), and counts how many each group has; true where one is a crowd. */
  private group(): boolean {
    if (this.coupleCount === 0) return false
    const bodies = this.surfaces.bodies.length
    this.parents = roomy(this.parents, bodies)
    this.sizes = roomy(this.sizes, bodies)
    const { parents, sizes, couples } = this
    for (let b = 0; b < bodies; b++) {
      parents[b] = b
      sizes[b] = 1
    }
    let crowded = false
    for (let k = 0; k < this.coupleCount; k++) {
      const a = rootOf(parents, couples[k * 2]!)
      const b = rootOf(parents, couples[k * 2 + 1]!)
      if (a === b) continue
      parents[b] = a
      sizes[a] = sizes[a]! + sizes[b]!
      crowded = crowded || sizes[a] >= CROWD
    }
    return crowded
  }

  /** Keeps the couples of large groups that are deep in each other. */
  private keepDeep(state: State, neighbours: Neighbours): void {
    const { couples, coupleCount: count, parents, sizes } = this
    this.coupleCount = 0
    for (let k = 0; k < count; k++) {
      const a = couples[k * 2]!
      const b = couples[k * 2 + 1]!
      if (sizes[rootOf(parents, a)]! >= CROWD && this.matter.isDeep(state, neighbours, a, b)) this.couple(a, b)
    }
  }

  /** Numbers the members. */
  private enlist(): void {
    const bodies = this.surfaces.bodies.length
    this.numbers = roomy(this.numbers, bodies)
    this.members = roomy(this.members, bodies)
    for (let b = 0; b < bodies; b++) {
      const joins = this.sizes[rootOf(this.parents, b)]! >= CROWD
      this.numbers[b] = joins ? this.memberCount + 1 : 0
      if (joins) this.members[this.memberCount++] = b
    }
  }

  /** The centres of the members, each put off by a little of its own, and how much they yield. */
  private measure(state: State): void {
    const { memberCount: count } = this
    this.centers = roomy(this.centers, count * 3)
    this.yields = roomy(this.yields, count)
    this.shifts = roomy(this.shifts, count * 3)
    this.brakes = roomy(this.brakes, count * 3)
    this.velocities = roomy(this.velocities, count * 3)
    this.degrees = roomy(this.degrees, count)
    this.degrees.fill(0, 0, count)
    for (let m = 0; m < count; m++) {
      const body = this.surfaces.bodies[this.members[m]!]!
      measureWhole(state, body)
      this.yields[m] = yielding[0]!
      for (let d = 0; d < 3; d++) {
        const put = (((m + 1) * STEPS[d]!) % 1) - 0.5
        this.centers[m * 3 + d] = center[d]! + SPREAD * body.model.size * put
      }
    }
  }

  /** Pairs the members that are in each other, of whatever crowd. */
  private pairUp(neighbours: Neighbours): void {
    const { surfaces, members, memberCount, numbers, centers } = this
    const { sides } = this.matter
    const { partners, partnerStarts } = neighbours
    for (let m = 0; m < memberCount; m++) {
      const a = members[m]!
      for (let l = partnerStarts[a]!; l < partnerStarts[a + 1]!; l++) {
        const b = partners[l]!
        const n = numbers[b]! - 1
        if (n < m || surfaces.meeting(a, b) !== MEETING.PUSH || !this.matter.findSides(neighbours, a, b)) continue
        const k = this.count++
        this.pairs = roomy(this.pairs, this.count * 2)
        this.ways = roomy(this.ways, this.count * 3)
        this.left = roomy(this.left, this.count)
        this.pairs[k * 2] = m
        this.pairs[k * 2 + 1] = n
        this.paired.add(a, b)
        this.degrees[m] = this.degrees[m]! + 1
        this.degrees[n] = this.degrees[n]! + 1
        const dx = centers[m * 3]! - centers[n * 3]!
        const dy = centers[m * 3 + 1]! - centers[n * 3 + 1]!
        const dz = centers[m * 3 + 2]! - centers[n * 3 + 2]!
        const size = Math.sqrt(dx * dx + dy * dy + dz * dz)
        this.ways[k * 3] = dx / size
        this.ways[k * 3 + 1] = dy / size
        this.ways[k * 3 + 2] = dz / size
        // Their boxes are apart where they are along any axis.
        this.left[k] = size * Math.min(sides[0]! / Math.abs(dx), sides[1]! / Math.abs(dy), sides[2]! / Math.abs(dz))
      }
    }
  }

  /** Tells who is about to be put elsewhere. */
  ask(rooms: Rooms): void {
    for (let k = 0; k < this.count * 2; k++) rooms.ask(this.members[this.pairs[k]!]!)
  }

  /**
   * Draws the pairs apart for a substep of h[0] [s], as far as there is room; their centre of mass stays, and nothing gets
   * faster.
   * @param spins by live body: takes the angular momentum that it gets by that [3 n] kg m^2/s
   */
  part(state: State, h: Float64Array, spins: Float64Array, rooms: Rooms): void {
    if (this.count === 0) return
    const { pairs, members, ways, left, degrees, yields, shifts, brakes, velocities } = this
    shifts.fill(0, 0, this.memberCount * 3)
    brakes.fill(0, 0, this.memberCount * 3)
    for (let m = 0; m < this.memberCount; m++) {
      measureWhole(state, this.surfaces.bodies[this.members[m]!]!)
      for (let d = 0; d < 3; d++) velocities[m * 3 + d] = velocity[d]!
    }
    for (let k = 0; k < this.count; k++) {
      const m = pairs[k * 2]!
      const n = pairs[k * 2 + 1]!
      const both = yields[m]! + yields[n]!
      if (both === 0) continue
      const share = h[0]! / Math.max(degrees[m]!, degrees[n]!)
      let far = Math.min(SPEED * share, left[k]!)
      if (yields[m]! > 0) far = Math.min(far, (rooms.left[members[m]!]! * both) / (yields[m]! * degrees[m]!))
      if (yields[n]! > 0) far = Math.min(far, (rooms.left[members[n]!]! * both) / (yields[n]! * degrees[n]!))
      left[k] = left[k]! - far
      for (let d = 0; d < 3; d++) {
        const apart = (far / both) * ways[k * 3 + d]!
        const brake = (share / both) * (velocities[n * 3 + d]! - velocities[m * 3 + d]!)
        shifts[m * 3 + d] = shifts[m * 3 + d]! + yields[m]! * apart
        shifts[n * 3 + d] = shifts[n * 3 + d]! - yields[n]! * apart
        brakes[m * 3 + d] = brakes[m * 3 + d]! + yields[m]! * brake
        brakes[n * 3 + d] = brakes[n * 3 + d]! - yields[n]! * brake
      }
    }
    for (let m = 0; m < this.memberCount; m++) {
      const b = this.members[m]!
      for (let d = 0; d < 3; d++) shift[d] = shifts[m * 3 + d]!
      const put = Math.sqrt(shift[0]! * shift[0]! + shift[1]! * shift[1]! + shift[2]! * shift[2]!)
      rooms.left[b] = Math.max(0, rooms.left[b]! - put)
      const body = this.surfaces.bodies[b]!
      shiftWhole(state, body, spins, b * 3)
      for (let d = 0; d < 3; d++) shift[d] = brakes[m * 3 + d]!
      pushWhole(state, body)
    }
  }

  /** Joins the bodies that have moved each other. */
  join(groups: SoftGroups): void {
    const { pairs, members } = this
    for (let k = 0; k < this.count; k++) groups.join(members[pairs[k * 2]!]!, members[pairs[k * 2 + 1]!]!)
  }
}

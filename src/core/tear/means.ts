import { diagonalise } from '../math/eigen.js'
import type { Fans } from './fans.js'
import type { Loads } from './load.js'
import type { Weave } from './weave.js'

const B = new Float64Array(9)
const V = new Float64Array(9)

/** What a mean may be above its bound by rounding. */
const ROUNDING = 1 + 1e-9

/**
 * Mean loads about particles: over the triangles at each and at its neighbours, by area. Less would be of the mesh and not of
 * the cloth: where the solver has not converged, points of four triangles bear more than those of eight, and hems more than
 * both. The largest load of a mean is at most the mean of the largest ones, numbers that are found for all particles at
 * once; tensors are found only of those that are asked for.
 */
export class Means {
  /** Of each particle's own triangles, where `known` is `round`: tensors times areas (xx, yy, zz, xy, yz, zx) [6 n]. */
  private readonly tensors: Float64Array
  private readonly known: Uint32Array
  private round = 0
  /** Of each particle's own triangles: their area [n m^2], and the largest loads times areas. */
  private readonly own: Float64Array
  private readonly ownMost: Float64Array
  /** The same over those of its neighbours too, counted as often as they are met. */
  private readonly areas: Float64Array
  private readonly most: Float64Array
  /** By particle: side of a square of two triangles of those about it [m]. */
  readonly cells: Float64Array
  /** Of the last particle asked for: the direction of its largest mean load. */
  readonly pull = new Float64Array(3)

  constructor(
    private readonly elements: Uint32Array,
    private readonly fans: Fans,
    private readonly loads: Loads,
    private readonly weave: Weave,
  ) {
    const particleCount = fans.starts.length - 1
    this.tensors = new Float64Array(6 * particleCount)
    this.known = new Uint32Array(particleCount)
    this.own = new Float64Array(particleCount)
    this.ownMost = new Float64Array(particleCount)
    this.areas = new Float64Array(particleCount)
    this.most = new Float64Array(particleCount)
    this.cells = new Float64Array(particleCount)
    const counts = new Float64Array(particleCount)
    const around = new Float64Array(particleCount)
    for (let c = 0; c < elements.length; c++) {
      this.own[elements[c]!]! += weave.areas[Math.floor(c / 3)]!
      counts[elements[c]!]!++
    }
    addAround(elements, this.own, this.areas)
    addAround(elements, counts, around)
    for (let i = 0; i < particleCount; i++) this.cells[i] = Math.sqrt((2 * this.areas[i]!) / around[i]!)
  }

  /** To be called where loads are others. */
  begin(): void {
    const { elements, loads, weave, ownMost, most } = this
    this.round++
    ownMost.fill(0)
    most.fill(0)
    addLargest(elements, loads, weave.areas, ownMost)
    addAround(elements, ownMost, most)
  }

  /** Whether the mean at a particle is above 1, across any direction. */
  isOver(particle: number): boolean {
    if (this.most[particle]! * ROUNDING <= this.areas[particle]!) return false
    this.take(particle)
    // Else I - B is positive definite, and so are its leading minors.
    const a = 1 - B[0]!
    const b = 1 - B[4]!
    const c = 1 - B[8]!
    const minor = a * b - B[1]! * B[1]!
    const det = c * minor + 2 * -B[1]! * B[5]! * B[2]! - a * B[5]! * B[5]! - b * B[2]! * B[2]!
    return !(a > 0 && minor > 0 && det > 0)
  }

  /** The largest mean load at a particle, across any direction. */
  largest(particle: number): number {
    return B[4 * this.turn(particle)]!
  }

  /** Writes it to the particle's place. */
  takeLargest(particle: number, out: Float64Array): void {
    out[particle] = B[4 * this.turn(particle)]!
  }

  /** Turns the mean tensor at a particle to its axes, and says which of them has the largest load. */
  private turn(particle: number): number {
    this.take(particle)
    diagonalise(B, V)
    let most = 0
    for (let k = 1; k < 3; k++) if (B[4 * k]! > B[4 * most]!) most = k
    for (let d = 0; d < 3; d++) this.pull[d] = V[3 * d + most]!
    return most
  }

  /** Writes the mean tensor at a particle into B. */
  private take(particle: number): void {
    const { elements, fans, tensors } = this
    let xx = 0
    let yy = 0
    let zz = 0
    let xy = 0
    let yz = 0
    let zx = 0
    for (let at = fans.starts[particle]!; at < fans.starts[particle + 1]!; at++) {
      const first = fans.corners[at]! - (fans.corners[at]! % 3)
      for (let c = first; c < first + 3; c++) {
        if (this.known[elements[c]!] !== this.round) this.find(elements[c]!)
        const from = 6 * elements[c]!
        xx += tensors[from]!
        yy += tensors[from + 1]!
        zz += tensors[from + 2]!
        xy += tensors[from + 3]!
        yz += tensors[from + 4]!
        zx += tensors[from + 5]!
      }
    }
    const area = this.areas[particle]!
    B[0] = xx / area
    B[4] = yy / area
    B[8] = zz / area
    B[1] = B[3] = xy / area
    B[5] = B[7] = yz / area
    B[2] = B[6] = zx / area
  }

  private find(particle: number): void {
    const { fans, loads, tensors } = this
    const { areas, threads } = this.weave
    this.known[particle] = this.round
    let xx = 0
    let yy = 0
    let zz = 0
    let xy = 0
    let yz = 0
    let zx = 0
    for (let at = fans.starts[particle]!; at < fans.starts[particle + 1]!; at++) {
      const t = Math.floor(fans.corners[at]! / 3)
      const area = areas[t]!
      const tu = loads[3 * t]! * area
      const tv = loads[3 * t + 1]! * area
      const shear = loads[3 * t + 2]! * area
      const ux = threads[6 * t]!
      const uy = threads[6 * t + 1]!
      const uz = threads[6 * t + 2]!
      const vx = threads[6 * t + 3]!
      const vy = threads[6 * t + 4]!
      const vz = threads[6 * t + 5]!
      xx += tu * ux * ux + tv * vx * vx + 2 * shear * ux * vx
      yy += tu * uy * uy + tv * vy * vy + 2 * shear * uy * vy
      zz += tu * uz * uz + tv * vz * vz + 2 * shear * uz * vz
      xy += tu * ux * uy + tv * vx * vy + shear * (ux * vy + vx * uy)
      yz += tu * uy * uz + tv * vy * vz + shear * (uy * vz + vy * uz)
      zx += tu * uz * ux + tv * vz * vx + shear * (uz * vx + vz * ux)
    }
    tensors[6 * particle] = xx
    tensors[6 * particle + 1] = yy
    tensors[6 * particle + 2] = zz
    tensors[6 * particle + 3] = xy
    tensors[6 * particle + 4] = yz
    tensors[6 * particle + 5] = zx
  }
}

/** Adds to each particle what its triangles are largest loaded with, times their areas; less than nothing counts as that. */
function addLargest(elements: Uint32Array, loads: Loads, areas: Float64Array, sums: Float64Array): void {
  for (let t = 0; t < areas.length; t++) {
    const half = (loads[3 * t]! - loads[3 * t + 1]!) / 2
    const shear = loads[3 * t + 2]!
    const load = (loads[3 * t]! + loads[3 * t + 1]!) / 2 + Math.sqrt(half * half + shear * shear)
    if (load > 0) for (let c = 3 * t; c < 3 * t + 3; c++) sums[elements[c]!]! += load * areas[t]!
  }
}

/** Adds to each particle, for each of its triangles, what its three corners have. */
function addAround(elements: Uint32Array, values: Float64Array, sums: Float64Array): void {
  for (let t = 0; t < elements.length; t += 3) {
    const sum = values[elements[t]!]! + values[elements[t + 1]!]! + values[elements[t + 2]!]!
    for (let c = t; c < t + 3; c++) sums[elements[c]!]! += sum
  }
}

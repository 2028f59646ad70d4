import { diagonalise } from './math/eigen.js'
import { factor, solveFactored } from './math/symmetric.js'
import { areaVector } from './math/triangle.js'
import { edgeLengths } from './mesh/edges.js'
import type { Model } from './model.js'
import type { BodyRecord } from './records.js'
import type { State } from './state.js'
import { bulkRatio, type UnresolvedBody } from './unresolved.js'

/** Entries of the symmetric M of a strain A = M S^-1: xx, yy, zz, xy, yz, zx. */
export const SIZE = 6
/** What fields of which it is a multiple add to the energy, by the largest pivot: less is nothing. */
const NOTHING = 1e-12
/**
 * The fewest edges that f grows over: over one or two it strains the tetrahedra at the pins by more than the body, and what the
 * next sweep takes back there is corrected again, and so on for ever.
 */
const LEAST = 3
/** Pins within so much of a line, by the edges: a row of points or a triangle is a hinge. */
const LINE = 0.5

/** How a pinned body may be strained: a particle by A u f = M `shares`, in the frame of the rest shape. */
export interface FadingFields {
  /** By particle, f S^-1 u [1/(kg m)]: u from the middle of the pins at rest, f from 0 at a pin by as much with each edge to 1. */
  readonly shares: Float64Array
  /** S^-1 [3 x 3], S = sum m f u u^T: (A S) is symmetric, so that A has no angular momentum about the pins [1/(kg m^2)]. */
  readonly inverse: Float64Array
  /** Sum of m times the products of `shares` [3 x 3], 1/(kg m^2). */
  readonly products: Float64Array
}

/** Undefined where there are no pins, or they are a hinge, on which the body swings: that holds no even strain. */
export function fadingFields(
  { inverseMasses: w, masses }: State,
  { model, start }: BodyRecord,
): FadingFields | undefined {
  const { positions, particleCount: n } = model
  const pins = Array.from({ length: n }, (_, l) => l).filter((l) => w[start + l] === 0)
  if (pins.length === 0) return undefined
  const middle = [0, 1, 2].map((d) => pins.reduce((sum, l) => sum + positions[l * 3 + d]!, 0) / pins.length)
  const u = positions.map((x, p) => x - middle[p % 3]!)
  const ones = new Float64Array(n).fill(1)
  if (isLine(moments(u, pins, ones), pins.length, LINE * meanEdge(model))) return undefined
  const f = rises(model, pins)
  const S = moments(
    u,
    f.keys(),
    f.map((rise, l) => rise * masses[start + l]!),
  )
  factor(S, 0, 3)
  const shares = u.map((x, p) => x * f[Math.floor(p / 3)]!)
  for (let l = 0; l < n; l++) solveFactored(S, 0, 3, shares, l * 3)
  const inverse = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)
  for (let d = 0; d < 3; d++) solveFactored(S, 0, 3, inverse, d * 3)
  return { shares, inverse, products: moments(shares, f.keys(), masses.subarray(start, start + n)) }
}

/** Sum of weights times u u^T [3 x 3]. */
function moments(u: Float64Array, particles: Iterable<number>, weights: Float64Array): Float64Array {
  const sum = new Float64Array(9)
  for (const l of particles) {
    for (let d = 0; d < 3; d++) {
      for (let e = 0; e < 3; e++) sum[d * 3 + e] = sum[d * 3 + e]! + weights[l]! * u[l * 3 + d]! * u[l * 3 + e]!
    }
  }
  return sum
}

/** True where `count` points of such moments lie within `near` [m] of a line, in the mean of squares. */
function isLine(moments: Float64Array, count: number, near: number): boolean {
  diagonalise(moments, new Float64Array(9))
  const second = [moments[0]!, moments[4]!, moments[8]!].sort((a, b) => a - b)[1]!
  return second <= count * near * near
}

/** f by particle. */
function rises(model: Model, pins: readonly number[]): Float64Array {
  const { edges, particleCount: n } = model
  const most = stepsInside(model)
  const steps = new Float64Array(n).fill(most)
  for (const l of pins) steps[l] = 0
  for (let k = 0; k + 1 < most; k++) {
    for (let e = 0; e < edges.length; e++) {
      const beside = edges[e ^ 1]!
      if (steps[edges[e]!] === k && steps[beside]! > k) steps[beside] = k + 1
    }
  }
  return steps.map((step) => step / most)
}

/** Edges from a body's surface to its middle: the radius of a rod is twice its volume over its area. */
function stepsInside(model: Model): number {
  const { positions: u, triangles } = model
  const area = new Float64Array(3)
  // Both twice over.
  let surface = 0
  let volume = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t]! * 3
    areaVector(u, a, triangles[t + 1]! * 3, triangles[t + 2]! * 3, area)
    surface += Math.sqrt(area[0]! * area[0]! + area[1]! * area[1]! + area[2]! * area[2]!)
    volume += (area[0]! * u[a]! + area[1]! * u[a + 1]! + area[2]! * u[a + 2]!) / 3
  }
  return Math.max(LEAST, Math.round((2 * volume) / (surface * meanEdge(model))))
}

/** Length of the edges in the mean [m]. */
function meanEdge({ positions, edges }: Model): number {
  const lengths = edgeLengths(edges, positions)
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length
}

/** By row, how `shares` change along the rest shape [3 x 3]: by share and axis. */
export function slopesOf({ body, set, rows, row }: UnresolvedBody, shares: Float64Array): Float64Array {
  const slopes = new Float64Array(set.count * 9)
  const { indices, rest } = rows
  for (let t = 0; t < set.count; t++) {
    const at = (row + t) * 4
    for (let corner = 1; corner < 4; corner++) {
      const r = (row + t) * 9 + (corner - 1) * 3
      for (let e = 0; e < 3; e++) {
        const rise =
          shares[(indices[at + corner]! - body.start) * 3 + e]! - shares[(indices[at]! - body.start) * 3 + e]!
        for (let d = 0; d < 3; d++) slopes[t * 9 + e * 3 + d] = slopes[t * 9 + e * 3 + d]! + rise * rest[r + d]!
      }
    }
  }
  return slopes
}

/** How the energy grows with M at rest, factored [6 x 6]; undefined where the pins leave the body no even strain. */
export function hessianOf(
  { masses }: State,
  { body, set, setting, stiffnesses }: UnresolvedBody,
  shares: Float64Array,
  slopes: Float64Array,
): Float64Array | undefined {
  const ratio = bulkRatio(setting)
  const hessian = new Float64Array(SIZE * SIZE)
  // By entry of M, what it does: to a particle [3], to F [3 x 3].
  const moves = new Float64Array(SIZE * 3)
  for (let l = 0; l < body.model.particleCount; l++) {
    writeMoves(shares, l * 3, 1, moves)
    addProducts(hessian, masses[body.start + l]!, moves, 3)
  }
  const strains = new Float64Array(SIZE * 9)
  const volumes = new Float64Array(SIZE)
  for (let t = 0; t < set.count; t++) {
    writeMoves(slopes, t * 9, 3, strains)
    for (let o = 0; o < SIZE * 9; o += 9) {
      volumes[o / 9] = strains[o]! + strains[o + 4]! + strains[o + 8]!
      for (let d = 0; d < 3; d++) {
        const a = o + d * 3 + ((d + 1) % 3)
        const b = o + ((d + 1) % 3) * 3 + d
        strains[a] = strains[b] = 0.5 * (strains[a]! + strains[b]!)
      }
    }
    addProducts(hessian, 2 * stiffnesses[t]!, strains, 9)
    addProducts(hessian, ratio * stiffnesses[t]!, volumes, 1)
  }
  factor(hessian, 0, SIZE)
  const pivots = Array.from({ length: SIZE }, (_, d) => hessian[d * SIZE + d]!)
  return Math.min(...pivots) > NOTHING * Math.max(...pivots) ? hessian : undefined
}

/** Writes what each entry of M makes of a field, or of its gradient, at field[at]: 3 rows of `width`. */
function writeMoves(field: Float64Array, at: number, width: number, out: Float64Array): void {
  out.fill(0)
  for (let a = 0; a < SIZE; a++) {
    const i = a % 3
    const j = a < 3 ? i : (i + 1) % 3
    for (let c = 0; c < width; c++) {
      out[(a * 3 + i) * width + c] = field[at + j * width + c]!
      out[(a * 3 + j) * width + c] = field[at + i * width + c]!
    }
  }
}

/** Adds k times the products of the vectors in `of` with each other. */
function addProducts(sum: Float64Array, k: number, of: Float64Array, length: number): void {
  for (let a = 0; a < SIZE; a++) {
    for (let b = 0; b < SIZE; b++) {
      for (let c = 0; c < length; c++) {
        sum[a * SIZE + b] = sum[a * SIZE + b]! + k * of[a * length + c]! * of[b * length + c]!
      }
    }
  }
}

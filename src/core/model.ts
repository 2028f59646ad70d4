import { colorRows, mirroredOrder } from './coloring.js'
import type { ConstraintKind } from './constraints/kind.js'
import { type Elastic, validateElastic } from './elastic.js'
import { runToEnd } from './mesh/slices.js'

/** Rows of one kind under one name, in the body's own particle numbers and in coloured order. */
export interface ConstraintSet {
  readonly name: string
  readonly kind: ConstraintKind
  readonly count: number
  readonly indices: Uint32Array
  /** Row r is indices[offsets[r]..offsets[r + 1]]. */
  readonly offsets: Uint32Array
  /** Rest values, as the kind lays them out. */
  readonly rest: Float64Array
  /** Compliance of a row at a modulus of one [m/N per 1/Pa, and so on]. */
  readonly unitCompliance: Float64Array
  /** Where each colour starts, and the end. */
  readonly colors: Uint32Array
  /** True for tetrahedra, their edges or their shape, that fill the surface of the set `pressure`: they bear of it what they can. */
  readonly enclosed: boolean
}

/** A point of the surface that contacts act on although no particle is there: sum of weights[k] x[particles[k]]. */
export interface Feelers {
  /** [4 n] */
  readonly particles: Uint32Array
  /** [4 n] sum 1 a feeler */
  readonly weights: Float64Array
}

/** Rest shape, topology and constraint rows of a body. Never written after it is built: bodies share it. */
export interface Model {
  readonly particleCount: number
  /** Rest positions [3 n] m. */
  readonly positions: Float64Array
  /** Share of the body's mass that each particle has; the sum is 1. */
  readonly massShares: Float64Array
  /** Volume [m^3] of the matter of a solid, area [m^2] of a cloth: times the density, the mass. */
  readonly measure: number
  /** Volume of the tetrahedra at rest [m^3], more than `measure` where thin parts are thickened; 0 for a cloth. */
  readonly volume: number
  /** Density that a body has unless told otherwise [kg/m^3] or [kg/m^2]. */
  readonly density: number
  /** Largest side of the rest shape's bounding box [m]. */
  readonly size: number
  /** Distance that a body keeps to colliders unless told otherwise [m]. */
  readonly thickness: number
  /** [4 n] tetrahedra, positive; empty for a cloth. */
  readonly tets: Uint32Array
  /** [3 n] surface triangles, outward. */
  readonly triangles: Uint32Array
  /** [2 n] distinct edges, each once. */
  readonly edges: Uint32Array
  readonly sets: readonly ConstraintSet[]
  /** Stiffness that a body has unless told otherwise, by set name. */
  readonly elastic: Elastic
  /** Particles that colliders stop: all unless told otherwise, since a crushed solid lets inner ones through its skin. */
  readonly contactParticles: Uint32Array
  readonly feelers: Feelers
  /** What has been torn; absent where nothing has. */
  readonly torn?: Torn | undefined
}

/**
 * What a torn model is beside a whole one. Its elements keep their numbers and stay as many as they were; particles are
 * split, and a copy is numbered after all that were there before.
 */
export interface Torn {
  /** The model before the first tear. */
  readonly whole: Model
  /** Of each particle after those of the whole model: which of those it is a copy of. */
  readonly origins: Uint32Array
  /** By corner of the membrane's rows: 1 where the edge from there to the next corner is open. */
  readonly open: Uint8Array
  /** Third corners, + 1, of the first two triangles of each of `edges`; 0 where there is none [2 e]. */
  readonly wings: Uint32Array
  /** Rows of the whole model that are left in each set; null for all of them. */
  readonly rows: readonly (Uint32Array | null)[]
  /** The particles piece by piece, and where each piece starts, and the end. */
  readonly members: Uint32Array
  readonly pieceStarts: Uint32Array
}

/** True where what was one body has been torn into several. */
export function isInPieces({ torn }: Model): boolean {
  return torn !== undefined && torn.pieceStarts.length > 2
}

interface SetOptions {
  /** Row r is indices[offsets[r]..offsets[r + 1]]; needed where the kind's arity varies. */
  offsets?: Uint32Array
  /** Compliance of row r at a modulus of one; 1 unless given. */
  unitCompliance?: (row: number) => number
  /** Rest values of rows whose arity varies, instead of those that the kind measures. */
  rest?: Float64Array
  /** True for tetrahedra, or their edges, that fill the surface of the set `pressure`; false unless given. */
  enclosed?: boolean
}

/** Puts a Model together; `build` freezes it. */
export class ModelBuilder {
  private readonly sets: ConstraintSet[] = []
  private readonly positions: Float64Array
  private readonly particleCount: number
  private shares: Float64Array
  private fields: {
    measure: number
    /** `measure` unless given, for what has tetrahedra. */
    volume?: number
    density: number
    thickness?: number
    /** The largest side of the rest shape unless given. */
    size?: number
    tets: Uint32Array
    triangles: Uint32Array
    /** Where the caller has them already. */
    edges?: Uint32Array
    elastic: Elastic
    contactParticles?: Uint32Array
    feelers: Feelers
  } = {
    measure: 1,
    density: 1,
    tets: new Uint32Array(0),
    triangles: new Uint32Array(0),
    elastic: {},
    feelers: { particles: new Uint32Array(0), weights: new Float64Array(0) },
  }

  /** @param positions rest positions [3 n] m, up to 1e9 */
  constructor(positions: Float64Array) {
    this.particleCount = (positions?.length ?? 0) / 3
    if (this.particleCount === 0 || !Number.isInteger(this.particleCount)) {
      throw new RangeError(
        `ModelBuilder positions: ${positions?.length} numbers are not triples. Give x, y, z of each particle.`,
      )
    }
    for (let i = 0; i < positions.length; i++) {
      if (!(Math.abs(positions[i]!) <= 1e9)) {
        const remedy = 'Mend the mesh, or scale it to metres.'
        throw new RangeError(`ModelBuilder positions[${i}]: ${positions[i]} is no number of at most 1e9. ${remedy}`)
      }
    }
    this.positions = positions.slice()
    this.shares = new Float64Array(this.particleCount).fill(1 / this.particleCount)
  }

  /** Mass of each particle relative to the others; above zero. */
  weights(weights: Float64Array): this {
    if (weights.length !== this.particleCount) {
      throw new RangeError(
        `ModelBuilder weights: ${weights.length} for ${this.particleCount} particles. Give one each.`,
      )
    }
    let total = 0
    for (const weight of weights) {
      if (!(weight > 0))
        throw new RangeError(`ModelBuilder weights: ${weight} is not above zero. Drop particles without mass.`)
      total += weight
    }
    this.shares = weights.map((weight) => weight / total)
    return this
  }

  with(fields: Partial<ModelBuilder['fields']>): this {
    this.fields = { ...this.fields, ...fields }
    return this
  }

  /** Adds rows of `kind`: `indices` holds the particles of each row. Rest values are measured from the rest positions. */
  constrain(name: string, kind: ConstraintKind, indices: Uint32Array, options: SetOptions = {}): this {
    for (const index of indices) {
      if (index >= this.particleCount) {
        throw new RangeError(`ModelBuilder '${name}': particle ${index} of ${this.particleCount} does not exist.`)
      }
    }
    const { arity } = kind
    const fixed = arity !== 'variable'
    if (fixed ? indices.length % arity !== 0 : !options.offsets) {
      const problem = fixed
        ? `${indices.length} indices are not rows of ${arity}`
        : 'rows of varying length need offsets'
      throw new RangeError(`ModelBuilder '${name}': ${problem}. Give the particles of each row.`)
    }
    const count = fixed ? indices.length / arity : options.offsets!.length - 1
    const { multipleOf = 1 } = kind
    if (!fixed && options.offsets!.some((offset) => offset % multipleOf !== 0)) {
      throw new RangeError(`ModelBuilder '${name}': a row is not a multiple of ${multipleOf}. Give whole elements.`)
    }
    const { order, starts } = fixed
      ? colorRows(indices, arity, this.particleCount, kind.laterOf && mirroredOrder(indices, arity, this.positions))
      : { order: Uint32Array.from({ length: count }, (_, row) => row), starts: Uint32Array.of(0, count) }
    const offsets = fixed ? Uint32Array.from({ length: count + 1 }, (_, row) => row * arity) : options.offsets!
    const sorted = new Uint32Array(indices.length)
    if (fixed) {
      for (let k = 0; k < count; k++) {
        for (let c = 0; c < arity; c++) sorted[k * arity + c] = indices[order[k]! * arity + c]!
      }
    } else sorted.set(indices)
    const rest = new Float64Array((fixed ? count : indices.length) * kind.restSize)
    const unitCompliance = new Float64Array(count)
    for (let k = 0; k < count; k++) {
      const at = offsets[k]!
      const restAt = (fixed ? k : at) * kind.restSize
      if (options.rest) rest.set(options.rest.subarray(restAt, offsets[k + 1]! * kind.restSize), restAt)
      else kind.measure(this.positions, sorted, at, offsets[k + 1]! - at, this.shares, rest, restAt)
      unitCompliance[k] = options.unitCompliance ? options.unitCompliance(order[k]!) : 1
    }
    const { enclosed = false } = options
    const set = { name, kind, count, indices: sorted, offsets, rest, unitCompliance, colors: starts, enclosed }
    this.sets.push(Object.freeze(set))
    return this
  }

  build(): Model {
    const { positions, particleCount, fields } = this
    const size = fields.size ?? largestSide(positions)
    validateElastic('ModelBuilder', fields.elastic, this.sets)
    for (const name of ['measure', 'density'] as const) {
      if (!(fields[name] > 0 && fields[name] < Number.POSITIVE_INFINITY)) {
        throw new RangeError(`ModelBuilder ${name}: ${fields[name]} is not above zero. Use SI units.`)
      }
    }
    return sealed({
      ...fields,
      particleCount,
      positions,
      massShares: this.shares,
      size,
      volume: fields.tets.length === 0 ? 0 : (fields.volume ?? fields.measure),
      thickness: fields.thickness ?? 0.0025 * size,
      edges:
        fields.edges ??
        runToEnd(fields.tets.length > 0 ? distinctEdges(fields.tets, 4) : distinctEdges(fields.triangles, 3)),
      sets: Object.freeze(this.sets.slice()),
      contactParticles: fields.contactParticles ?? Uint32Array.from({ length: particleCount }, (_, i) => i),
    })
  }
}

/**
 * A frozen model. All are made by one literal and so are one kind of object: else the loops that read them would be compiled
 * anew when a body tears, all in one frame.
 */
export function sealed(model: Model): Model {
  return Object.freeze({
    particleCount: model.particleCount,
    positions: model.positions,
    massShares: model.massShares,
    measure: model.measure,
    volume: model.volume,
    density: model.density,
    size: model.size,
    thickness: model.thickness,
    tets: model.tets,
    triangles: model.triangles,
    edges: model.edges,
    sets: model.sets,
    elastic: model.elastic,
    contactParticles: model.contactParticles,
    feelers: model.feelers,
    torn: model.torn,
  })
}

/** True for a body whose particles nothing holds together. */
export function isLoose({ sets, particleCount }: Model): boolean {
  return sets.length === 0 && particleCount > 1
}

/** Largest side of the bounding box of points [3 n] m. */
export function largestSide(positions: ArrayLike<number>): number {
  let size = 0
  for (let d = 0; d < 3; d++) {
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (let i = d; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]!)
      high = Math.max(high, positions[i]!)
    }
    size = Math.max(size, high - low)
  }
  return size
}

/** Edges of tetrahedra (arity 4) or triangles (arity 3), each once, in the order in which they first appear. */
export function* distinctEdges(elements: Uint32Array, arity: 3 | 4): Generator<void, Uint32Array> {
  const seen = new Set<number>()
  const edges: number[] = []
  for (let e = 0; e < elements.length; e += arity) {
    for (let a = 0; a < arity; a++) {
      for (let b = a + 1; b < arity; b++) {
        const i = Math.min(elements[e + a]!, elements[e + b]!)
        const j = Math.max(elements[e + a]!, elements[e + b]!)
        const key = i * 67108864 + j // below 2^53 up to 2^26 particles
        if (seen.has(key)) continue
        seen.add(key)
        edges.push(i, j)
      }
    }
    if (e % (1024 * arity) === 0) yield
  }
  return Uint32Array.from(edges)
}

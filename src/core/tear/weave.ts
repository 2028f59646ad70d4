import { areaOf, nearAreas } from '../bodies/sheet.js'
import { bending, distance, membrane } from '../constraints/index.js'
import type { ConstraintSet, Model } from '../model.js'
import { edgeOf, Fans, nextCorner } from './fans.js'

/** No corner. */
export const NONE = -1

/**
 * What rows of a set hold on to: corners of triangles, in which the row's particles are found again after a tear, and
 * edges that the row ends with.
 */
export interface Ties {
  /** By entry of the set's `indices`: a corner whose particle it is; `NONE` for one that ends with its particle. */
  readonly corners: Int32Array
  /** Corners whose particles have to be the same, two by two, `MATCHES` pairs a row. */
  readonly matches: Int32Array
  /** Corners at which edges begin that must not open, `LINKS` a row; `NONE` for none. */
  readonly links: Int32Array
}

export const MATCHES = 2
export const LINKS = 3

/** What tearing knows of a whole model. A corner is a place in `indices` of its membrane, whose rows are the triangles. */
export interface Weave {
  /** Which of the sets is the membrane. */
  readonly membrane: number
  /** Area of each triangle at rest [m^2]. */
  readonly areas: Float64Array
  /** The unit threads u and v of each triangle at rest [6 t]. */
  readonly threads: Float64Array
  /** Area that is nearest to each corner [m^2]. */
  readonly shares: Float64Array
  /** By corner: the first one before it at which the same edge begins, of another triangle; `NONE` for none. */
  readonly twins: Int32Array
  /** By entry of the model's `triangles`: the corner. */
  readonly surface: Uint32Array
  /** By set. */
  readonly ties: readonly Ties[]
}

const weaves = new WeakMap<Model, Weave>()

/** Whether a model can be torn: a sheet whose surface is its membrane. */
export function isTearable(model: Model): boolean {
  const whole = wholeOf(model)
  const skin = whole.sets.find(({ kind }) => kind === membrane)
  if (!skin || skin.indices.length !== whole.triangles.length || whole.tets.length > 0) return false
  return whole.sets.every(({ kind }) => kind === membrane || kind === bending || kind === distance)
}

/** The model before the first tear. */
export function wholeOf(model: Model): Model {
  return model.torn?.whole ?? model
}

/** [3 t] particles of the triangles, by corner. */
export function elementsOf(model: Model): Uint32Array {
  return model.sets[weaveOf(model).membrane]!.indices
}

/** values[at[k]] for each k. A loop of its own, so that it is compiled when it is needed. */
export function through(at: Uint32Array, values: Uint32Array): Uint32Array {
  const out = new Uint32Array(at.length)
  for (let k = 0; k < at.length; k++) out[k] = values[at[k]!]!
  return out
}

/** Made once for a whole model that `isTearable`. */
export function weaveOf(model: Model): Weave {
  const whole = wholeOf(model)
  const known = weaves.get(whole)
  if (known) return known
  const index = whole.sets.findIndex(({ kind }) => kind === membrane)
  const { indices, rest } = whole.sets[index]!
  const x = whole.positions
  const count = indices.length / 3
  const areas = new Float64Array(count)
  const threads = new Float64Array(6 * count)
  const shares = new Float64Array(3 * count)
  const near = [0, 0, 0]
  for (let t = 0; t < count; t++) {
    areas[t] = areaOf(x, indices, 3 * t)
    nearAreas(x, indices, 3 * t, near)
    shares.set(near, 3 * t)
    // u = a rest[0] + b rest[2] and v = a rest[1] + b rest[3], of the edges a and b at rest: there F is the identity.
    const o = indices[3 * t]! * 3
    for (let d = 0; d < 3; d++) {
      const a = x[indices[3 * t + 1]! * 3 + d]! - x[o + d]!
      const b = x[indices[3 * t + 2]! * 3 + d]! - x[o + d]!
      threads[6 * t + d] = a * rest[4 * t]! + b * rest[4 * t + 2]!
      threads[6 * t + 3 + d] = a * rest[4 * t + 1]! + b * rest[4 * t + 3]!
    }
  }
  const fans = new Fans(indices, whole.particleCount)
  const twins = Int32Array.from(indices, (i, corner) => {
    const twin = fans.firstEdge(i, indices[nextCorner(corner)]!)
    return twin < corner ? twin : NONE
  })
  const surface = new Uint32Array(whole.triangles.length)
  for (let k = 0; k < surface.length; k++) {
    const t = k - (k % 3)
    const [i, j, l] = [whole.triangles[k]!, whole.triangles[t + ((k + 1) % 3)]!, whole.triangles[t + ((k + 2) % 3)]!]
    surface[k] = fans.cornerAt(i, j, l)
  }
  const ties = whole.sets.map((set) => tiesOf(set, indices, fans))
  const weave = { membrane: index, areas, threads, shares, twins, surface, ties }
  weaves.set(whole, weave)
  return weave
}

function tiesOf({ kind, count, indices }: ConstraintSet, elements: Uint32Array, fans: Fans): Ties {
  const corners = new Int32Array(indices.length).fill(NONE)
  const matches = new Int32Array(2 * MATCHES * count).fill(NONE)
  const links = new Int32Array(LINKS * count).fill(NONE)
  for (let row = 0; row < count; row++) {
    if (kind === membrane) for (let k = row * 3; k < row * 3 + 3; k++) corners[k] = k
    if (kind === distance) {
      const [i, j] = [indices[row * 2]!, indices[row * 2 + 1]!]
      const corner = fans.cornerAt(i, j)
      if (corner === NONE) continue
      corners[row * 2] = corner
      corners[row * 2 + 1] = elements[nextCorner(corner)] === j ? nextCorner(corner) : nextCorner(nextCorner(corner))
    }
    if (kind === bending) tieHinge(indices, row, elements, fans, corners, matches, links)
  }
  return { corners, matches, links }
}

/**
 * A hinge has two wings, each a triangle, or one that would be there if the other diagonal of two triangles were cut. It
 * ends with a wing, or where the two no longer have their edge in common.
 */
function tieHinge(
  indices: Uint32Array,
  row: number,
  elements: Uint32Array,
  fans: Fans,
  corners: Int32Array,
  matches: Int32Array,
  links: Int32Array,
): void {
  const [a, b, c, d] = [indices[row * 4]!, indices[row * 4 + 1]!, indices[row * 4 + 2]!, indices[row * 4 + 3]!]
  const one = wingOf(a, b, c, elements, fans)
  const two = wingOf(a, b, d, elements, fans)
  if (!one || !two) return
  corners.set([...one.corners, two.corners[2]!], row * 4)
  matches.set([one.corners[0]!, two.corners[0]!, one.corners[1]!, two.corners[1]!], row * 2 * MATCHES)
  const [i, j] = one.corners as [number, number]
  const common = Math.floor(i / 3) === Math.floor(j / 3) ? edgeOf(i, j) : NONE
  links.set([one.link, two.link, common], row * LINKS)
}

interface Wing {
  /** A corner of each of the three particles. */
  readonly corners: readonly number[]
  /** Where the edge begins that two triangles have in common; `NONE` for a wing of one. */
  readonly link: number
}

/** The triangle of three particles, or the two whose other diagonal would make it. */
function wingOf(a: number, b: number, c: number, elements: Uint32Array, fans: Fans): Wing | undefined {
  const corner = fans.cornerAt(a, b, c)
  if (corner !== NONE) return { corners: inTriangle(corner, [a, b, c], elements), link: NONE }
  for (const [apex, i, j] of [
    [a, b, c],
    [b, c, a],
    [c, a, b],
  ] as const) {
    for (const at of fans.of(apex)) {
      const [n, l] = [elements[nextCorner(at)]!, elements[nextCorner(nextCorner(at))]!]
      if (n !== i && l !== i) continue
      const beyond = n === i ? l : n
      const other = fans.cornerAt(apex, beyond, j)
      if (other === NONE) continue
      const found = new Map<number, number>()
      for (const one of [other, at]) {
        for (let k = 0, here = one; k < 3; k++, here = nextCorner(here)) found.set(elements[here]!, here)
      }
      const link = edgeOf(at, found.get(beyond)!)
      // An edge is said to be in the triangle of the apex and i: the hinge's own may be there.
      return { corners: [a, b, c].map((particle) => found.get(particle)!), link }
    }
  }
  return undefined
}

function inTriangle(corner: number, particles: readonly number[], elements: Uint32Array): number[] {
  const all = [corner, nextCorner(corner), nextCorner(nextCorner(corner))]
  return particles.map((particle) => all.find((one) => elements[one] === particle)!)
}

import { edgeKey } from '../bodies/diagonals.js'
import type { Model } from '../model.js'
import { Fans, lastCorner, nextCorner } from '../tear/fans.js'
import { partEdges } from '../tear/part.js'
import { isTearable, through, wholeOf } from '../tear/weave.js'
import { type Doubled, type Skin, sealedSkin } from './skin.js'
import { runToEnd } from './slices.js'
import { tangentRows } from './tangents.js'

/** Vertices that belong together in a render mesh, as those of one of several geometries. */
export interface VertexRange {
  readonly first: number
  readonly count: number
}

/** The skin of a torn cloth: vertices and normals' groups of what hangs on a copy are doubled. */
export type TornSkin = Skin & { readonly torn: Doubled }

/** How the corners of a skin go with those of the whole model's triangles. */
interface Fit {
  /** By corner of the skin: that of the model. */
  readonly modelCorners: Uint32Array
  /** By corner of the skin: its vertex, and its group. */
  readonly corners: Uint32Array
  readonly groups: Uint32Array
}

const fits = new WeakMap<Skin, Fit>()

/** Made once for a skin, at its first tear or before. */
function fitOf(skin: Skin, whole: Model): Fit {
  const known = fits.get(skin)
  if (known) return known
  const { modelCorners, corners } = fitted(skin, whole)
  const fit = { modelCorners, corners, groups: through(corners, skin.vertexToGroup) }
  fits.set(skin, fit)
  return fit
}

/** Triangles that skins have been torn off in rehearsals, after so many of which the code is compiled. */
const REHEARSED = 16384
let rehearsed = 0

/** One triangle in so many comes off in a rehearsal. */
const COME_OFF = 16

/**
 * Makes what the first tear of a skin needs, and rehearses it: code that has never run takes many times as long. For a
 * frame in which nothing tears. False for a model that cannot be torn, as a rope, which has nothing to prepare.
 */
export function prepareTornSkin(skin: Skin, model: Model, ranges: readonly VertexRange[]): boolean {
  if (!isTearable(model)) return false
  const whole = wholeOf(model)
  const { modelCorners } = fitOf(skin, whole)
  if (rehearsed >= REHEARSED) return true
  const off: number[] = []
  for (let c = 0; c < whole.triangles.length; c++) if (Math.floor(c / 3) % COME_OFF === 0) off.push(c)
  const { model: torn } = partEdges(whole, off)
  for (let tear = 0; tear < 2; tear++) {
    rehearsed += modelCorners.length / 3
    tornSkin(skin, torn, ranges)
  }
  return true
}

/**
 * The skin of a model that was torn, or is whole again.
 * @param skin of the whole model, whose particles are its points
 * @param ranges in which its vertices lie, ascending and without a gap
 */
export function tornSkin(skin: Skin, model: Model, ranges: readonly VertexRange[]): TornSkin {
  const whole = wholeOf(model)
  const fit = fitOf(skin, whole)
  const triangles = through(fit.modelCorners, model.triangles)
  const vertices = new Doubles(skin.vertexCount)
  const groups = new Doubles(skin.groupCount)
  const corners = fit.corners.slice()
  const triangleGroups = fit.groups.slice()
  const groupsOfDoubles = doubleCorners(whole.particleCount, triangles, corners, triangleGroups, vertices, groups)
  const { places, firsts, doubles } = placesOf(vertices.sources, skin.vertexCount, ranges)
  const placed = (list: Uint32Array, more: readonly number[]) => {
    const out = new Uint32Array(places.length)
    for (let vertex = 0; vertex < list.length; vertex++) out[places[vertex]!] = list[vertex]!
    for (let k = 0; k < more.length; k++) out[places[list.length + k]!] = more[k]!
    return out
  }
  const vertexToPoint = placed(skin.vertexToPoint, vertices.particles)
  const placedCorners = through(corners, places)
  const next = {
    ...skin,
    vertexCount: places.length,
    pointCount: model.particleCount,
    vertexToPoint,
    groupCount: skin.groupCount + groups.sources.length,
    vertexToGroup: placed(skin.vertexToGroup, groupsOfDoubles),
    triangles,
    corners: placedCorners,
    triangleGroups,
    groupSigns: withDoubles(skin.groupSigns, 1, groups.sources),
    restNormals: withDoubles(skin.restNormals, 3, groups.sources),
    tangents:
      skin.tangents && tangentsOf(skin, model, vertexToPoint, placed(numbers(skin), vertices.sources), placedCorners),
  }
  return sealedSkin(next, { firsts, doubles })
}

/** Doubles the vertices and groups of corners that hang on a copy; the groups of the doubled vertices. */
function doubleCorners(
  particleCount: number,
  triangles: Uint32Array,
  corners: Uint32Array,
  triangleGroups: Uint32Array,
  vertices: Doubles,
  groups: Doubles,
): number[] {
  const ofDoubles: number[] = []
  for (let c = 0; c < triangles.length; c++) {
    if (triangles[c]! < particleCount) continue
    corners[c] = vertices.of(corners[c]!, triangles[c]!)
    triangleGroups[c] = groups.of(triangleGroups[c]!, triangles[c]!)
    ofDoubles[corners[c]! - vertices.count] = triangleGroups[c]!
  }
  return ofDoubles
}

/** Each vertex's own number. */
const numbers = ({ vertexCount }: Skin) => Uint32Array.from({ length: vertexCount }, (_, vertex) => vertex)

/** `width` values for each of a list, and those again of some of them. */
function withDoubles(values: Float64Array, width: number, sources: readonly number[]): Float64Array {
  const out = new Float64Array(values.length + width * sources.length)
  out.set(values)
  for (let k = 0; k < sources.length; k++) {
    for (let d = 0; d < width; d++) out[values.length + width * k + d] = values[width * sources[k]! + d]!
  }
  return out
}

/** Where vertices and, after them, the doubles of some are once each range has its own together. */
function placesOf(sources: readonly number[], vertexCount: number, ranges: readonly VertexRange[]) {
  const doubles = ranges.map((): number[] => [])
  const rangeOf = sources.map((vertex) => ranges.findIndex(({ first, count }) => vertex < first + count))
  for (let k = 0; k < sources.length; k++) doubles[rangeOf[k]!]!.push(sources[k]! - ranges[rangeOf[k]!]!.first)
  const firsts: number[] = []
  const places = new Uint32Array(vertexCount + sources.length)
  let before = 0
  ranges.forEach(({ first, count }, range) => {
    firsts.push(first + before)
    for (let k = 0; k < count; k++) places[first + k] = first + before + k
    before += doubles[range]!.length
  })
  const filled = ranges.map(() => 0)
  for (let k = 0; k < sources.length; k++) {
    const range = rangeOf[k]!
    places[vertexCount + k] = firsts[range]! + ranges[range]!.count + filled[range]!++
  }
  return { places, firsts, doubles }
}

/** Numbers with doubles, one for each particle that is a copy. */
class Doubles {
  readonly sources: number[] = []
  readonly particles: number[] = []
  private readonly known = new Map<number, number>()

  constructor(readonly count: number) {}

  of(source: number, particle: number): number {
    const key = source * 67108864 + particle // below 2^53 up to 2^26 particles
    let number = this.known.get(key)
    if (number === undefined) {
      number = this.count + this.sources.length
      this.known.set(key, number)
      this.sources.push(source)
      this.particles.push(particle)
    }
    return number
  }
}

function tangentsOf(
  { tangents }: Skin,
  { positions }: Model,
  vertexToPoint: Uint32Array,
  sources: Uint32Array,
  corners: Uint32Array,
) {
  if (!tangents) return null
  const mesh = { positions: new Float64Array(3 * sources.length), tangents: new Float64Array(4 * sources.length) }
  sources.forEach((source, vertex) => {
    for (let d = 0; d < 3; d++) {
      mesh.positions[3 * vertex + d] = positions[3 * vertexToPoint[vertex]! + d]!
      mesh.tangents[4 * vertex + d] = tangents.rest[3 * source + d]!
    }
    mesh.tangents[4 * vertex + 3] = tangents.handedness[source]!
  })
  return runToEnd(tangentRows(mesh, corners))
}

/**
 * Fits a skin to the model's triangles. Where the model cuts a quadrilateral along its other diagonal, so does the skin
 * from now on; what the model has left out, as a needle, goes along corner by corner.
 */
function fitted(skin: Skin, { triangles, particleCount }: Model): Omit<Fit, 'groups'> {
  const fans = new Fans(triangles, particleCount)
  const corners = skin.corners.slice()
  const modelCorners = new Uint32Array(corners.length)
  const taken = new Uint8Array(triangles.length / 3)
  const left: number[] = []
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [skin.triangles[t]!, skin.triangles[t + 1]!, skin.triangles[t + 2]!]
    const corner = fans.cornerAt(a, b, c)
    if (corner < 0) {
      left.push(t)
      continue
    }
    taken[Math.floor(corner / 3)] = 1
    for (let k = 0; k < 3; k++) modelCorners[t + k] = cornerOf(triangles, corner, skin.triangles[t + k]!)
  }
  const byEdge = new Map<number, number>()
  const flipped = new Set<number>()
  for (const t of left) {
    for (let k = 0; k < 3; k++) {
      const [i, j] = [skin.triangles[t + k]!, skin.triangles[t + ((k + 1) % 3)]!]
      const key = edgeKey(i, j)
      const other = byEdge.get(key)
      if (other === undefined) byEdge.set(key, t)
      else if (!flipped.has(other) && flip(skin, fans, triangles, taken, other, t, [i, j], corners, modelCorners)) {
        flipped.add(t).add(other)
        break
      }
    }
  }
  for (const t of left) {
    if (flipped.has(t)) continue
    for (let k = t; k < t + 3; k++) modelCorners[k] = fans.of(skin.triangles[k]!)[0] ?? 0
  }
  return { modelCorners, corners }
}

function cornerOf(triangles: Uint32Array, corner: number, particle: number): number {
  for (const one of [corner, nextCorner(corner), lastCorner(corner)]) if (triangles[one] === particle) return one
  return corner
}

/** Cuts two triangles of a skin along their other diagonal, if the model does; false where it does not. */
function flip(
  skin: Skin,
  fans: Fans,
  triangles: Uint32Array,
  taken: Uint8Array,
  one: number,
  two: number,
  [i, j]: readonly [number, number],
  corners: Uint32Array,
  modelCorners: Uint32Array,
): boolean {
  const third = (t: number) => [0, 1, 2].map((k) => skin.triangles[t + k]!).find((p) => p !== i && p !== j)!
  const [p, q] = [third(one), third(two)]
  const first = fans.cornerAt(i, p, q)
  const second = fans.cornerAt(j, p, q)
  if (first < 0 || second < 0) return false
  const [m, n] = [Math.floor(first / 3), Math.floor(second / 3)]
  if (taken[m] === 1 || taken[n] === 1) return false
  taken[m] = taken[n] = 1
  const vertexOf = (particle: number, t: number, other: number) => {
    for (const at of [t, other])
      for (let k = 0; k < 3; k++) if (skin.triangles[at + k] === particle) return skin.corners[at + k]!
    return 0
  }
  for (const [t, other, triangle] of [
    [one, two, m],
    [two, one, n],
  ] as const) {
    for (let k = 0; k < 3; k++) {
      modelCorners[t + k] = 3 * triangle + k
      corners[t + k] = vertexOf(triangles[3 * triangle + k]!, t, other)
    }
  }
  return true
}

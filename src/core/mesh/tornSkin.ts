import { edgeKey } from '../bodies/diagonals.js'
import type { Model } from '../model.js'
import { Fans, lastCorner, nextCorner } from '../tear/fans.js'
import type { Skin } from './skin.js'
import { runToEnd } from './slices.js'
import { tangentRows } from './tangents.js'

/** Vertices that belong together in a render mesh, as those of one of several geometries. */
export interface VertexRange {
  readonly first: number
  readonly count: number
}

/** The skin of a torn cloth: vertices and normals' groups of what hangs on a copy are doubled. */
export interface TornSkin extends Skin {
  /** By range: its first vertex now; what it has had from the beginning comes first, then what was doubled. */
  readonly firsts: readonly number[]
  /** By range: which of its own vertices each of the doubled ones is a copy of. */
  readonly doubles: readonly (readonly number[])[]
}

/** Which corner of the model's triangles each corner of a skin goes with, and its vertex. */
interface Fit {
  readonly modelCorners: Uint32Array
  readonly corners: Uint32Array
}

const fits = new WeakMap<Skin, Fit>()

/**
 * The skin of a model that was torn, or is whole again.
 * @param skin of the whole model, whose particles are its points
 * @param ranges in which its vertices lie, ascending and without a gap
 */
export function tornSkin(skin: Skin, model: Model, ranges: readonly VertexRange[]): TornSkin {
  const whole = model.torn?.whole ?? model
  let fit = fits.get(skin)
  if (!fit) {
    fit = fitted(skin, whole)
    fits.set(skin, fit)
  }
  const { modelCorners, corners: ownCorners } = fit
  const triangles = modelCorners.map((corner) => model.triangles[corner]!)
  const vertices = new Doubles(skin.vertexCount)
  const groups = new Doubles(skin.groupCount)
  const corners = new Uint32Array(triangles.length)
  const triangleGroups = new Uint32Array(triangles.length)
  const vertexToGroup = Array.from(skin.vertexToGroup)
  for (let c = 0; c < triangles.length; c++) {
    const vertex = ownCorners[c]!
    const group = skin.vertexToGroup[vertex]!
    const particle = triangles[c]!
    const own = particle < whole.particleCount
    corners[c] = own ? vertex : vertices.of(vertex, particle)
    triangleGroups[c] = own ? group : groups.of(group, particle)
    vertexToGroup[corners[c]!] = triangleGroups[c]!
  }
  // Each range keeps its vertices together.
  const doubles = ranges.map((): number[] => [])
  const rangeOf = vertices.sources.map((vertex) => ranges.findIndex(({ first, count }) => vertex < first + count))
  rangeOf.forEach((range, k) => {
    doubles[range]!.push(vertices.sources[k]! - ranges[range]!.first)
  })
  const firsts: number[] = []
  ranges.forEach(({ first }, range) => {
    firsts.push(first + doubles.slice(0, range).reduce((sum, { length }) => sum + length, 0))
  })
  const places = new Uint32Array(skin.vertexCount + vertices.sources.length)
  ranges.forEach(({ first, count }, range) => {
    for (let k = 0; k < count; k++) places[first + k] = firsts[range]! + k
  })
  const filled = ranges.map(() => 0)
  rangeOf.forEach((range, k) => {
    places[skin.vertexCount + k] = firsts[range]! + ranges[range]!.count + filled[range]!++
  })
  const vertexToPoint = new Uint32Array(places.length)
  const placedGroups = new Uint32Array(places.length)
  const sources = new Uint32Array(places.length)
  for (let vertex = 0; vertex < places.length; vertex++) {
    const at = places[vertex]!
    const copy = vertex - skin.vertexCount
    vertexToPoint[at] = copy < 0 ? skin.vertexToPoint[vertex]! : vertices.particles[copy]!
    placedGroups[at] = vertexToGroup[vertex]!
    sources[at] = copy < 0 ? vertex : vertices.sources[copy]!
  }
  const groupSources = Uint32Array.from([...Array(skin.groupCount).keys(), ...groups.sources])
  const placed = corners.map((vertex) => places[vertex]!)
  return Object.freeze({
    ...skin,
    vertexCount: places.length,
    pointCount: model.particleCount,
    vertexToPoint,
    groupCount: groupSources.length,
    vertexToGroup: placedGroups,
    triangles,
    corners: placed,
    triangleGroups,
    groupSigns: Float64Array.from(groupSources, (group) => skin.groupSigns[group]!),
    restNormals: Float64Array.from({ length: 3 * groupSources.length }, (_, k) => {
      return skin.restNormals[3 * groupSources[Math.floor(k / 3)]! + (k % 3)]!
    }),
    tangents: tangentsOf(skin, model, vertexToPoint, sources, placed),
    firsts,
    doubles,
  })
}

/** Numbers with doubles, one for each particle that is a copy. */
class Doubles {
  readonly sources: number[] = []
  readonly particles: number[] = []
  private readonly known = new Map<number, number>()

  constructor(private readonly count: number) {}

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
function fitted(skin: Skin, { triangles, particleCount }: Model): Fit {
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

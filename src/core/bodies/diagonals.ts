import { edgeTable } from '../mesh/edges.js'
import { runToEnd } from '../mesh/slices.js'
import { cornersOf, opposite } from './hinges.js'

/** Sine of the fold up to which two triangles count as a flat quadrilateral. */
const FLAT = 0.3
/** Sum of the cotangents at opposite corners up to which both diagonals count as equally good; 0 is a rectangle. */
const EVEN = 0.5

/**
 * The same surface, twice, with the diagonals of its rectangles running alternately. Where two triangles make nearly a
 * flat quadrilateral whose corners lie on a circle, either diagonal is as good; a plane's all run one way, and a sheet
 * that is cut so bends and shears more easily along them than across.
 * Points of the quadrilaterals take turns to be even and odd, and diagonals join the even ones, then the odd ones.
 * @param seams edges that stay, by `edgeKey`: where render vertices part, their triangles cannot be cut otherwise
 */
export function alternateDiagonals(
  x: Float64Array,
  triangles: Uint32Array,
  seams: ReadonlySet<number> = new Set(),
): [Uint32Array, Uint32Array] {
  const edges = runToEnd(edgeTable(triangles))
  const corners = cornersOf(edges, triangles.length)
  const unevenness = new Float64Array(edges.count).fill(Number.POSITIVE_INFINITY)
  for (let edge = 0; edge < edges.count; edge++) {
    if (edges.uses[edge] !== 2 || edges.balance[edge] !== 0) continue
    if (seams.has(edgeKey(edges.points[2 * edge]!, edges.points[2 * edge + 1]!))) continue
    const [one, two] = [corners[2 * edge]!, corners[2 * edge + 1]!]
    unevenness[edge] = unevennessOf(
      x,
      triangles[one]!,
      triangles[two]!,
      opposite(triangles, one),
      opposite(triangles, two),
    )
  }
  // The most even ones first, each triangle in one.
  const order = Array.from(unevenness.keys()).filter((edge) => unevenness[edge]! < EVEN)
  order.sort((e, f) => unevenness[e]! - unevenness[f]! || e - f)
  const taken = new Uint8Array(triangles.length / 3)
  const diagonal = new Uint8Array(edges.count)
  for (const edge of order) {
    const [one, two] = [Math.floor(corners[2 * edge]! / 3), Math.floor(corners[2 * edge + 1]! / 3)]
    if (taken[one] === 1 || taken[two] === 1) continue
    taken[one] = taken[two] = diagonal[edge] = 1
  }
  const odd = parities(edges.points, diagonal, x.length / 3)
  const cuts: [Uint32Array, Uint32Array] = [triangles.slice(), triangles.slice()]
  for (let edge = 0; edge < edges.count; edge++) {
    if (diagonal[edge] === 0) continue
    const [one, two] = [corners[2 * edge]!, corners[2 * edge + 1]!]
    const [a, b, p, q] = [triangles[one]!, triangles[two]!, opposite(triangles, one), opposite(triangles, two)]
    if (odd[a] !== odd[b] || odd[p] !== odd[q] || odd[a] === odd[p]) continue
    // Triangles a b p and b a q become a q p and q b p in the cut in which they are not yet right.
    const cut = cuts[odd[a] === 1 ? 0 : 1]
    cut.set([a, q, p], one - (one % 3))
    cut.set([q, b, p], two - (two % 3))
  }
  return cuts
}

/** A number for the edge between two points. */
export function edgeKey(i: number, j: number): number {
  return Math.min(i, j) * 67108864 + Math.max(i, j) // below 2^53 up to 2^26 points
}

/**
 * The larger sum of cotangents at opposite corners of a quadrilateral, without its sign, and so the same for either of
 * its diagonals; Infinity where the other one, p q, would not do. (By the corners opposite a b alone, the thin triangles
 * of a fan would be cut into slivers at its rim.)
 */
function unevennessOf(x: Float64Array, a: number, b: number, p: number, q: number): number {
  const from = (i: number, j: number) => [0, 1, 2].map((d) => x[j * 3 + d]! - x[i * 3 + d]!)
  const [pa, pb, qa, qb] = [from(p, a), from(p, b), from(q, a), from(q, b)]
  const [atP, atQ, atA, atB] = [cross(pa, pb), cross(qb, qa), cross(qa, pa), cross(pb, qb)]
  const [lengthP, lengthQ] = [length(atP), length(atQ)]
  const flat = dot(atP, atQ) > 0 && length(cross(atP, atQ)) < FLAT * lengthP * lengthQ
  const convex = dot(atA, atP) > 0 && dot(atB, atP) > 0
  if (!flat || !convex) return Number.POSITIVE_INFINITY
  const one = dot(pa, pb) / lengthP + dot(qa, qb) / lengthQ
  const other = dot(pa, qa) / length(atA) + dot(pb, qb) / length(atB)
  return Math.max(Math.abs(one), Math.abs(other))
}

function length(a: number[]): number {
  return Math.sqrt(dot(a, a))
}

function dot(a: number[], b: number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
}

function cross(a: number[], b: number[]): number[] {
  return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!]
}

/** [p] 0 or 1, different at the ends of every edge that is no diagonal, as far as that can be. */
function parities(points: Uint32Array, diagonal: Uint8Array, count: number): Uint8Array {
  const starts = new Uint32Array(count + 2)
  for (let k = 0; k < points.length; k++) if (diagonal[k >> 1] === 0) starts[points[k]! + 2]!++
  for (let i = 2; i < starts.length; i++) starts[i]! += starts[i - 1]!
  const neighbours = new Uint32Array(starts[starts.length - 1]!)
  for (let k = 0; k < points.length; k++)
    if (diagonal[k >> 1] === 0) neighbours[starts[points[k]! + 1]!++] = points[k ^ 1]!
  const odd = new Uint8Array(count)
  const seen = new Uint8Array(count)
  const queue = new Uint32Array(count)
  for (let seed = 0; seed < count; seed++) {
    if (seen[seed] === 1) continue
    seen[seed] = 1
    queue[0] = seed
    for (let head = 0, tail = 1; head < tail; head++) {
      const i = queue[head]!
      for (let k = starts[i]!; k < starts[i + 1]!; k++) {
        const j = neighbours[k]!
        if (seen[j] === 1) continue
        seen[j] = 1
        odd[j] = 1 - odd[i]!
        queue[tail++] = j
      }
    }
  }
  return odd
}

/** Which triangles meet at each edge: a hash table from pairs of points to counts, in typed arrays. */
export interface EdgeTable {
  readonly count: number
  /** [2 e] points of each edge, the lower one first, in order of first appearance. */
  readonly points: Uint32Array
  /** [e] triangles at the edge. */
  readonly uses: Uint32Array
  /** [e] triangles that run from the lower to the higher point less those that run back. */
  readonly balance: Int32Array
  /** [3 t] the edge from each corner to the next one of its triangle. */
  readonly cornerEdges: Uint32Array
}

/** @param triangles [3 t] points of each triangle */
export function* edgeTable(triangles: Uint32Array): Generator<void, EdgeTable> {
  let size = 1024
  while (size < 2 * triangles.length) size *= 2
  const slots = new Int32Array(size).fill(-1)
  const points = new Uint32Array(2 * triangles.length)
  const uses = new Uint32Array(triangles.length)
  const balance = new Int32Array(triangles.length)
  const cornerEdges = new Uint32Array(triangles.length)
  yield
  let count = 0
  for (let corner = 0; corner < triangles.length; corner++) {
    const from = triangles[corner]!
    const to = triangles[corner % 3 === 2 ? corner - 2 : corner + 1]!
    const low = Math.min(from, to)
    const high = Math.max(from, to)
    let slot = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 0
    slot = (slot ^ (slot >>> 15)) & (size - 1)
    while (slots[slot]! >= 0 && (points[2 * slots[slot]!] !== low || points[2 * slots[slot]! + 1] !== high)) {
      slot = (slot + 1) & (size - 1)
    }
    let edge = slots[slot]!
    if (edge < 0) {
      edge = count++
      slots[slot] = edge
      points[2 * edge] = low
      points[2 * edge + 1] = high
    }
    cornerEdges[corner] = edge
    uses[edge] = uses[edge]! + 1
    balance[edge] = balance[edge]! + (from < to ? 1 : -1)
    if ((corner & 0xfff) === 0xfff) yield
  }
  return {
    count,
    points: points.slice(0, 2 * count),
    uses: uses.slice(0, count),
    balance: balance.slice(0, count),
    cornerEdges,
  }
}

/**
 * Length of each edge [m].
 * @param edges [2 e] points of each
 * @param known lengths of the first of them, which are taken as they are
 */
export function edgeLengths(edges: Uint32Array, x: Float64Array, known?: Float64Array): Float64Array {
  const lengths = new Float64Array(edges.length / 2)
  if (known) lengths.set(known)
  for (let e = known?.length ?? 0; e < lengths.length; e++) {
    const p = 3 * edges[2 * e]!
    const q = 3 * edges[2 * e + 1]!
    const dx = x[p]! - x[q]!
    const dy = x[p + 1]! - x[q + 1]!
    const dz = x[p + 2]! - x[q + 2]!
    lengths[e] = Math.sqrt(dx * dx + dy * dy + dz * dz)
  }
  return lengths
}

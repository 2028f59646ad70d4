/** Groups of particles: group g is indices[offsets[g]..offsets[g + 1]]. */
export interface Groups {
  readonly indices: Uint32Array
  readonly offsets: Uint32Array
  /** Mean number of groups that one of the particles of a group is in, by mass. */
  readonly overlaps: Float64Array
}

/**
 * Overlapping groups of a body's particles for shape matching (Rivers and James 2007), as `cells` along the longest side
 * of the bounding box cut it: about cubes, laid evenly along each side. A group holds the particles of its cell and of
 * half a cell beyond it on every side, as far as edges lead to them within that, and all neighbours by edge of its cell's
 * own particles. So an inner particle is in two groups a side that is cut; two limbs in one cell are two groups; both
 * ends of an edge are in the groups of both; and in a mesh of tetrahedra every group holds whole ones, is not flat and
 * needs no other to be merged with. Pieces that no edge joins are not held together. One cell is the whole body.
 * @param positions rest positions [3 n] m
 * @param edges [2 m] pairs of particles
 * @param weights mass of each particle relative to the others [n]
 */
export function* clusterGroups(
  positions: Float64Array,
  edges: Uint32Array,
  weights: Float64Array,
  cells: number,
): Generator<void, Groups> {
  const n = positions.length / 3
  if (cells === 1) {
    const indices = Uint32Array.from({ length: n }, (_, i) => i)
    return { indices, offsets: Uint32Array.of(0, n), overlaps: Float64Array.of(1) }
  }
  const lattice = latticeOver(positions, cells)
  const { starts, neighbours } = neighboursOf(edges, n)
  const residents = lattice.order.map((): number[] => [])
  for (let i = 0; i < n; i++) residents[lattice.cellOf(i)]!.push(i)
  /** The last group that a particle was put into, as a particle of the cell, or at all. */
  const home = new Int32Array(n).fill(-1)
  const seen = new Int32Array(n).fill(-1)
  const groups: number[][] = []
  for (const cell of lattice.order) {
    for (const first of residents[cell]!) {
      if (home[first] !== -1) continue
      const group = groups.length
      const members = [first]
      seen[first] = group
      for (let k = 0; k < members.length; k++) {
        const i = members[k]!
        const own = lattice.cellOf(i) === cell
        if (own) home[i] = group
        for (let e = starts[i]!; e < starts[i + 1]!; e++) {
          const j = neighbours[e]!
          if (seen[j] === group || !lattice.reaches(cell, j)) continue
          seen[j] = group
          members.push(j)
        }
      }
      for (let k = members.length - 1; k >= 0; k--) {
        const i = members[k]!
        if (home[i] !== group) continue
        for (let e = starts[i]!; e < starts[i + 1]!; e++) {
          const j = neighbours[e]!
          if (seen[j] === group) continue
          seen[j] = group
          members.push(j)
        }
      }
      groups.push(members.sort((a, b) => a - b))
    }
    yield
  }
  return withOverlaps(groups, weights)
}

interface Lattice {
  /** The cells, the even ones of each side before the odd: neighbours seldom follow each other. */
  readonly order: number[]
  cellOf(particle: number): number
  /** True where a particle lies in a cell or within half a cell of it. */
  reaches(cell: number, particle: number): boolean
}

function latticeOver(positions: Float64Array, cells: number): Lattice {
  const low = [0, 1, 2].map((d) =>
    positions.reduce((x, y, k) => (k % 3 === d && y < x ? y : x), Number.POSITIVE_INFINITY),
  )
  const high = [0, 1, 2].map((d) =>
    positions.reduce((x, y, k) => (k % 3 === d && y > x ? y : x), Number.NEGATIVE_INFINITY),
  )
  const sides = [0, 1, 2].map((d) => high[d]! - low[d]!)
  const longest = Math.max(...sides)
  const counts = sides.map((side) => (longest > 0 ? Math.max(1, Math.round((cells * side) / longest)) : 1))
  /** Where a particle is along a side, in cells. */
  const along = (i: number, d: number) =>
    sides[d]! > 0 ? ((positions[i * 3 + d]! - low[d]!) / sides[d]!) * counts[d]! : 0
  const place = (i: number, d: number) => Math.min(counts[d]! - 1, Math.floor(along(i, d)))
  const [nx, ny, nz] = counts as [number, number, number]
  const parity = (cell: number) =>
    ((cell % nx) & 1) + 2 * ((Math.floor(cell / nx) % ny) & 1) + 4 * (Math.floor(cell / (nx * ny)) & 1)
  return {
    order: Array.from({ length: nx * ny * nz }, (_, cell) => cell).sort((a, b) => parity(a) - parity(b) || a - b),
    cellOf: (i) => place(i, 0) + nx * (place(i, 1) + ny * place(i, 2)),
    reaches: (cell, i) => {
      const at = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))]
      return at.every((c, d) => Math.abs(along(i, d) - c - 0.5) <= 1)
    },
  }
}

/** The other ends of each particle's edges: neighbours[starts[i]..starts[i + 1]]. */
function neighboursOf(edges: Uint32Array, n: number): { starts: Uint32Array; neighbours: Uint32Array } {
  const starts = new Uint32Array(n + 1)
  for (const i of edges) starts[i + 1]!++
  for (let i = 0; i < n; i++) starts[i + 1]! += starts[i]!
  const cursor = starts.slice(0, n)
  const neighbours = new Uint32Array(edges.length)
  for (let e = 0; e < edges.length; e++) neighbours[cursor[edges[e]!]!++] = edges[e ^ 1]!
  return { starts, neighbours }
}

function withOverlaps(groups: readonly (readonly number[])[], weights: Float64Array): Groups {
  const offsets = new Uint32Array(groups.length + 1)
  const memberships = new Uint32Array(weights.length)
  groups.forEach((members, g) => {
    offsets[g + 1] = offsets[g]! + members.length
    for (const i of members) memberships[i]!++
  })
  const overlaps = groups.map((members) => {
    let mass = 0
    let sum = 0
    for (const i of members) {
      mass += weights[i]!
      sum += weights[i]! * memberships[i]!
    }
    return sum / mass
  })
  return { indices: Uint32Array.from(groups.flat()), offsets, overlaps: Float64Array.from(overlaps) }
}

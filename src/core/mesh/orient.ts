import { edgeTable } from './edges.js'

/** Triangles that agree with their neighbours. */
export interface Oriented {
  /** [3 t] */
  readonly triangles: Uint32Array
  /** How many were turned. */
  readonly turned: number
}

/**
 * Turns triangles so that neighbours across an edge of two run it in opposite directions. Of each connected patch the
 * lesser part is turned; what cannot be oriented, as a Moebius strip, keeps a seam.
 */
export function* orient(triangles: Uint32Array): Generator<void, Oriented> {
  const edges = yield* edgeTable(triangles)
  // [2 e] the first two corners at each edge.
  const sides = new Int32Array(2 * edges.count).fill(-1)
  for (let corner = 0; corner < triangles.length; corner++) {
    const edge = edges.cornerEdges[corner]!
    if (sides[2 * edge]! < 0) sides[2 * edge] = corner
    else if (sides[2 * edge + 1]! < 0) sides[2 * edge + 1] = corner
    if ((corner & 0x7fff) === 0x7fff) yield
  }
  const count = triangles.length / 3
  // 0 not visited, 1 as it is, -1 turned.
  const senses = new Int8Array(count)
  const queue = new Int32Array(count)
  const out = triangles.slice()
  let turned = 0
  for (let seed = 0; seed < count; seed++) {
    if (senses[seed] !== 0) continue
    senses[seed] = 1
    queue[0] = seed
    let length = 1
    let turns = 0
    for (let at = 0; at < length; at++) {
      const triangle = queue[at]!
      for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
        const edge = edges.cornerEdges[corner]!
        if (edges.uses[edge] !== 2) continue
        const other = sides[2 * edge] === corner ? sides[2 * edge + 1]! : sides[2 * edge]!
        const neighbour = Math.floor(other / 3)
        if (senses[neighbour] !== 0) continue
        senses[neighbour] = edges.balance[edge] === 0 ? senses[triangle]! : -senses[triangle]!
        if (senses[neighbour] === -1) turns++
        queue[length++] = neighbour
      }
      if ((at & 0x1fff) === 0x1fff) yield
    }
    const wrong = 2 * turns > length ? 1 : -1
    for (let at = 0; at < length; at++) {
      const triangle = queue[at]!
      if (senses[triangle] !== wrong) continue
      turned++
      out[3 * triangle + 1] = triangles[3 * triangle + 2]!
      out[3 * triangle + 2] = triangles[3 * triangle + 1]!
    }
    if ((seed & 0x1fff) === 0x1fff) yield
  }
  return { triangles: out, turned }
}

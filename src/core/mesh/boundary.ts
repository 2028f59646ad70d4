/** Faces of tetrahedra with none on the other side. */
export interface Boundary {
  /** [3 b] vertices, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array
  /** [b] the tetrahedron behind each. */
  readonly owners: Uint32Array
}

/** Corners of the face opposite each vertex, counter-clockwise seen from outside a positively oriented tetrahedron. */
export const TET_FACES = [1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1] as const

/**
 * Which face lies against which: [4 m] for each face (4 * tetrahedron + opposite corner) the face on its other side, or
 * -1 on the boundary.
 * @throws Error where three tetrahedra share a face
 */
export function* faceNeighbours(tets: Uint32Array): Generator<void, Int32Array> {
  const count = tets.length
  let size = 1024
  while (size < 2 * count) size *= 2
  // Chains of faces by hash; the first of each pair stays in, so that a third one is noticed.
  const heads = new Int32Array(size).fill(-1)
  const nexts = new Int32Array(count)
  const neighbours = new Int32Array(count).fill(-1)
  yield
  for (let face = 0; face < count; face++) {
    const a = faceCorner(tets, face, 0)
    const b = faceCorner(tets, face, 1)
    const c = faceCorner(tets, face, 2)
    // Symmetric in the corners, so that both sides of a face fall into one chain.
    const sum = Math.imul(a + b + c, 0x9e3779b1) ^ Math.imul(Math.imul(a | 1, b | 1), c | 1)
    const bucket = (sum ^ (sum >>> 15)) & (size - 1)
    let other = heads[bucket]!
    while (other >= 0 && !sameFace(tets, other, a, b, c)) other = nexts[other]!
    if (other < 0) {
      nexts[face] = heads[bucket]!
      heads[bucket] = face
    } else {
      if (neighbours[other]! >= 0) throw new Error(`Tetrahedra: more than two share the face ${a}, ${b}, ${c}.`)
      neighbours[other] = face
      neighbours[face] = other
    }
    if ((face & 0xfff) === 0xfff) yield
  }
  return neighbours
}

export function* boundaryOf(tets: Uint32Array): Generator<void, Boundary> {
  const neighbours = yield* faceNeighbours(tets)
  let count = 0
  for (let face = 0; face < neighbours.length; face++) if (neighbours[face]! < 0) count++
  const triangles = new Uint32Array(3 * count)
  const owners = new Uint32Array(count)
  count = 0
  for (let face = 0; face < neighbours.length; face++) {
    if (neighbours[face]! >= 0) continue
    for (let corner = 0; corner < 3; corner++) triangles[3 * count + corner] = faceCorner(tets, face, corner)
    owners[count++] = face >> 2
    if ((count & 0xfff) === 0) yield
  }
  return { triangles, owners }
}

function faceCorner(tets: Uint32Array, face: number, corner: number): number {
  return tets[(face & ~3) + TET_FACES[3 * (face & 3) + corner]!]!
}

function sameFace(tets: Uint32Array, face: number, a: number, b: number, c: number): boolean {
  for (let corner = 0; corner < 3; corner++) {
    const vertex = faceCorner(tets, face, corner)
    if (vertex !== a && vertex !== b && vertex !== c) return false
  }
  return true
}

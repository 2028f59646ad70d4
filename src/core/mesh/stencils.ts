/** One lattice tetrahedron with the signs of its vertices, and where the pieces inside the surface go. */
export interface TetNodes {
  /** [4] 1 inside, -1 outside, 0 on the surface. Slots 0 and 1 are the ends of one long edge, 2 and 3 of the other. */
  readonly signs: Int8Array
  /** [4] lattice coordinates. */
  readonly x: Int32Array
  readonly y: Int32Array
  readonly z: Int32Array
  /** Node of the result at a slot. */
  vertex(slot: number): number
  /** Node of the result where the surface cuts the edge between two slots. */
  cut(slotA: number, slotB: number): number
  tet(a: number, b: number, c: number, d: number): void
}

const slots = new Int32Array(4)
const out = new Int32Array(4)

/**
 * Fills the part of a lattice tetrahedron that lies inside. Every piece is the tetrahedron itself with some vertices
 * moved along its edges, so that it keeps its orientation. A face with two vertices inside and one outside leaves a
 * quadrilateral; `diagonalAtFirst` chooses its diagonal by the face alone, so that both neighbours choose alike.
 */
export function stuffTet(nodes: TetNodes): void {
  let inside = 0
  let outside = 0
  for (let slot = 0; slot < 4; slot++) if (nodes.signs[slot] === 1) slots[inside++] = slot
  if (inside === 0) return
  for (let slot = 0; slot < 4; slot++) if (nodes.signs[slot] === -1) slots[inside + outside++] = slot
  if (outside === 0) emit(nodes)
  else if (inside === 1) fillCorner(nodes, slots[0]!)
  else if (inside === 3) fillPrism(nodes, slots[0]!, slots[1]!, slots[2]!, slots[3]!)
  else if (outside === 2) fillWedge(nodes, slots[0]!, slots[1]!, slots[2]!, slots[3]!)
  else fillPyramid(nodes, slots[0]!, slots[1]!, slots[2]!)
}

/** Puts out the tetrahedron with up to three vertices moved: slot `from` to the cut of the edge from - to. */
function emit(nodes: TetNodes, from0 = -1, to0 = -1, from1 = -1, to1 = -1, from2 = -1, to2 = -1): void {
  for (let slot = 0; slot < 4; slot++) {
    if (slot === from0) out[slot] = nodes.cut(from0, to0)
    else if (slot === from1) out[slot] = nodes.cut(from1, to1)
    else if (slot === from2) out[slot] = nodes.cut(from2, to2)
    else out[slot] = nodes.vertex(slot)
  }
  nodes.tet(out[0]!, out[1]!, out[2]!, out[3]!)
}

/** One vertex inside: the corner there. */
function fillCorner(nodes: TetNodes, a: number): void {
  for (let slot = 0; slot < 4; slot++) {
    out[slot] = nodes.signs[slot] === -1 ? nodes.cut(slot, a) : nodes.vertex(slot)
  }
  nodes.tet(out[0]!, out[1]!, out[2]!, out[3]!)
}

/** a, b inside, c outside, the fourth on the surface: a pyramid over the quadrilateral on the face a b c. */
function fillPyramid(nodes: TetNodes, a: number, b: number, c: number): void {
  if (diagonalAtFirst(nodes, a, b, c)) {
    emit(nodes, c, b)
    emit(nodes, b, c, c, a)
  } else {
    emit(nodes, c, a)
    emit(nodes, a, c, c, b)
  }
}

/** a, b inside, c, d outside. The diagonals on the two faces start at different vertices inside. */
function fillWedge(nodes: TetNodes, a: number, b: number, c: number, d: number): void {
  if (!diagonalAtFirst(nodes, a, b, c)) {
    fillWedge(nodes, a, b, d, c)
    return
  }
  emit(nodes, c, b, d, a)
  emit(nodes, b, c, c, a, d, a)
  emit(nodes, a, d, c, b, d, b)
}

/** a, b, c inside, d outside: the tetrahedron less its tip at d. */
function fillPrism(nodes: TetNodes, a: number, b: number, c: number, d: number): void {
  if (isLong(b, d)) fillPrism(nodes, b, c, a, d)
  else if (isLong(c, d)) fillPrism(nodes, c, a, b, d)
  else if (!diagonalAtFirst(nodes, b, c, d)) fillPrism(nodes, a, c, b, d)
  else {
    // On both faces with the long edge a d the diagonal ends at its cut.
    emit(nodes, d, a)
    emit(nodes, a, d, d, c)
    emit(nodes, a, d, c, d, d, b)
  }
}

/**
 * Whether, on the face a b c with a and b inside and c outside, the diagonal of the quadrilateral starts at a, and so
 * ends at the cut of b c. Where one cut lies on a long edge, the diagonal ends there. Otherwise a b is the long edge,
 * and the parity rule decides: of its ends, which differ in one coordinate, it takes the one that has an even number of
 * coordinates above those of c.
 */
function diagonalAtFirst(nodes: TetNodes, a: number, b: number, c: number): boolean {
  if (isLong(a, b)) {
    const { x, y, z } = nodes
    const above = (x[a]! > x[c]! ? 1 : 0) + (y[a]! > y[c]! ? 1 : 0) + (z[a]! > z[c]! ? 1 : 0)
    return above % 2 === 0
  }
  return isLong(b, c)
}

function isLong(a: number, b: number): boolean {
  return a >> 1 === b >> 1
}

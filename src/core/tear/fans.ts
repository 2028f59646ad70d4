/** Next corner of the same triangle. */
export function nextCorner(corner: number): number {
  return corner % 3 === 2 ? corner - 2 : corner + 1
}

/** Previous corner of the same triangle. */
export function lastCorner(corner: number): number {
  return corner % 3 === 0 ? corner + 2 : corner - 1
}

/** The triangles at each particle: which of their corners it is, ascending. */
export class Fans {
  /** By particle: its first entry in `corners`, and the end. */
  readonly starts: Uint32Array
  readonly corners: Uint32Array

  /** @param elements [3 t] particles of triangles */
  constructor(
    private readonly elements: Uint32Array,
    particleCount: number,
  ) {
    const starts = new Uint32Array(particleCount + 1)
    for (let c = 0; c < elements.length; c++) starts[elements[c]! + 1]!++
    for (let i = 0; i < particleCount; i++) starts[i + 1]! += starts[i]!
    const cursor = starts.slice()
    const corners = new Uint32Array(elements.length)
    for (let c = 0; c < elements.length; c++) corners[cursor[elements[c]!]!++] = c
    this.starts = starts
    this.corners = corners
  }

  /** The corners at a particle. */
  of(particle: number): Uint32Array {
    return this.corners.subarray(this.starts[particle], this.starts[particle + 1])
  }

  /** The corner of particle `i` in the first triangle that has `i`, `j` and, if given, `k`; -1 where there is none. */
  cornerAt(i: number, j: number, k = -1): number {
    const { elements } = this
    for (let at = this.starts[i]!; at < this.starts[i + 1]!; at++) {
      const corner = this.corners[at]!
      const next = elements[nextCorner(corner)]!
      const last = elements[lastCorner(corner)]!
      if (j === next && (k < 0 || k === last)) return corner
      if (j === last && (k < 0 || k === next)) return corner
    }
    return -1
  }

  /** The first corner at which the edge between two particles begins. */
  firstEdge(i: number, j: number): number {
    const { elements } = this
    let least = elements.length
    for (let at = this.starts[i]!; at < this.starts[i + 1]!; at++) {
      const corner = this.corners[at]!
      const last = lastCorner(corner)
      if (elements[nextCorner(corner)] === j) least = Math.min(least, corner)
      else if (elements[last] === j) least = Math.min(least, last)
    }
    return least
  }

  /** The corners at which the edge between two particles begins, in every triangle that has it. */
  edgeCorners(i: number, j: number): number[] {
    const { elements } = this
    const found: number[] = []
    for (let at = this.starts[i]!; at < this.starts[i + 1]!; at++) {
      const corner = this.corners[at]!
      if (elements[nextCorner(corner)] === j) found.push(corner)
      else if (elements[lastCorner(corner)] === j) found.push(lastCorner(corner))
    }
    return found.sort((a, b) => a - b)
  }
}

/** The corner at which the edge between the particles of corner `a` and corner `b` of one triangle begins. */
export function edgeOf(a: number, b: number): number {
  return nextCorner(a) === b ? a : b
}

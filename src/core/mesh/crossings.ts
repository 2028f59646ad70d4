import { DIAGONAL_Y, DIAGONAL_Z, type Lattice } from './lattice.js'
import type { Surface } from './weld.js'

/**
 * Where the lines of a lattice run inside a surface.
 *
 * All lines of one direction are found together by drawing the triangles, as a renderer does, onto the plane (u, v) in
 * which each line is a point with whole coordinates. A triangle covers a line by the half-open rule of scan conversion,
 * and two triangles compute their common edge with the same operations on the same numbers, so that exactly one of them
 * takes a line through that edge: around a closed surface every line enters as often as it leaves, whatever is
 * rounded. Inside is where the winding number is not 0, so that overlapping parts unite and inside-out meshes work.
 */
export interface LineIntervals {
  /** Called for each stretch of a line inside the surface, k from `enter` to `leave`, upward along each line. */
  (u: number, v: number, enter: number, leave: number): void
}

/** Gaps along a line that are narrower than this [units of half a cell] are rounding, as between touching parts. */
const GAP_ROUNDING = 1e-9

/** The shape that lines run through. */
type Shape = Pick<Surface, 'positions' | 'triangles'>

export function* lineIntervals(
  surface: Shape,
  lattice: Lattice,
  direction: number,
  visit: LineIntervals,
): Generator<void, void> {
  const hits = yield* gatherHits(surface, lattice, direction)
  yield* hits.visitLines((order, start, end, u, v) => hits.visitIntervals(order, start, end, u, v, visit))
}

/** Each stretch of a line between two neighbouring crossings of a closed surface, and the winding number there. */
export function* lineWindings(
  surface: Shape,
  lattice: Lattice,
  direction: number,
  visit: (u: number, v: number, enter: number, leave: number, winding: number) => void,
): Generator<void, void> {
  const hits = yield* gatherHits(surface, lattice, direction)
  yield* hits.visitLines((order, start, end, u, v) => hits.visitWindings(order, start, end, u, v, visit))
}

/** Each crossing of a line with a surface, closed or not, upward along each line. */
export function* lineCrossings(
  surface: Shape,
  lattice: Lattice,
  direction: number,
  visit: (u: number, v: number, k: number) => void,
): Generator<void, void> {
  const hits = yield* gatherHits(surface, lattice, direction)
  yield* hits.visitLines((order, start, end, u, v) => hits.visitCrossings(order, start, end, u, v, visit))
}

function* gatherHits(surface: Shape, lattice: Lattice, direction: number): Generator<void, Hits> {
  const { u, v, k, sign } = yield* project(surface, lattice, direction)
  const hits = new Hits()
  const { triangles } = surface
  // Along an axis lines pass through all-even or all-odd vertices: u and v are of one parity.
  const step = direction < 3 ? 2 : 1
  let work = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t]!
    const b = triangles[t + 1]!
    const c = triangles[t + 2]!
    const vEnd = Math.max(v[a]!, v[b]!, v[c]!)
    for (let line = Math.ceil(Math.min(v[a]!, v[b]!, v[c]!)); line < vEnd; line++) {
      hits.scan(u, v, k, a, b, c, line, step, sign)
      work += 4
    }
    work++
    if (work > 4096 || hits.fresh > 4096) {
      work = 0
      hits.fresh = 0
      yield
    }
  }
  return hits
}

/** Coordinates of the surface's points across (u, v) and along (k) the lines, and the sense of that frame. */
function* project(surface: Shape, lattice: Lattice, direction: number) {
  const { positions } = surface
  const count = positions.length / 3
  const u = new Float64Array(count)
  const v = new Float64Array(count)
  const k = new Float64Array(count)
  const [ox, oy, oz] = lattice.origin
  const dy = DIAGONAL_Y[direction]!
  const dz = DIAGONAL_Z[direction]!
  for (let p = 0; p < count; p++) {
    const x = (positions[3 * p]! - ox) / lattice.unit
    const y = (positions[3 * p + 1]! - oy) / lattice.unit
    const z = (positions[3 * p + 2]! - oz) / lattice.unit
    u[p] = direction === 0 ? y : direction === 1 ? z : direction === 2 ? x : (x - dy * y) / 2
    v[p] = direction === 0 ? z : direction === 1 ? x : direction === 2 ? y : (x - dz * z) / 2
    k[p] = direction === 1 ? y : direction === 2 ? z : x
    if ((p & 0xffff) === 0xffff) yield
  }
  return { u, v, k, sign: direction < 3 ? 1 : dy * dz }
}

/** The lattice vertex at k on the line (u, v). */
export function vertexOnLine(lattice: Lattice, direction: number, u: number, v: number, k: number): number {
  const { size, rowLength } = lattice
  if (direction === 0) return (v * size[1] + u) * rowLength + (k >> 1)
  if (direction === 1) return (u * size[1] + k) * rowLength + (v >> 1)
  if (direction === 2) return (k * size[1] + v) * rowLength + (u >> 1)
  return (DIAGONAL_Z[direction]! * (k - 2 * v) * size[1] + DIAGONAL_Y[direction]! * (k - 2 * u)) * rowLength + (k >> 1)
}

/** Called for each line with its crossings, order[start] to order[end - 1], sorted along it. */
type LineOrder = (order: Int32Array, start: number, end: number, u: number, v: number) => void

/** Crossings of lines and triangles, gathered in any order and then walked line by line. */
class Hits {
  /** Hits since the owner last set it to 0. */
  fresh = 0
  private count = 0
  private u = new Int32Array(1024)
  private v = new Int32Array(1024)
  private k = new Float64Array(1024)
  private turn = new Int8Array(1024)

  /** Adds the crossings of the lines with v = `line` with the triangle a, b, c. */
  scan(
    u: Float64Array,
    v: Float64Array,
    k: Float64Array,
    a: number,
    b: number,
    c: number,
    line: number,
    step: number,
    sign: number,
  ): void {
    let upU = 0
    let upK = 0
    let downU = 0
    let downK = 0
    for (let edge = 0; edge < 3; edge++) {
      const from = edge === 0 ? a : edge === 1 ? b : c
      const to = edge === 0 ? b : edge === 1 ? c : a
      const up = v[from]! <= line && line < v[to]!
      if (!up && !(v[to]! <= line && line < v[from]!)) continue
      const low = up ? from : to
      const high = up ? to : from
      const t = (line - v[low]!) / (v[high]! - v[low]!)
      const edgeU = u[low]! + t * (u[high]! - u[low]!)
      const edgeK = k[low]! + t * (k[high]! - k[low]!)
      if (up) {
        upU = edgeU
        upK = edgeK
      } else {
        downU = edgeU
        downK = edgeK
      }
    }
    // Counter-clockwise seen against k: the triangle faces along k, so the line leaves through it.
    const turn = upU > downU ? -sign : sign
    const uStart = Math.min(upU, downU)
    const uEnd = Math.max(upU, downU)
    let at = Math.ceil(uStart)
    if (step === 2 && ((at ^ line) & 1) === 1) at++
    for (; at < uEnd; at += step) {
      this.add(at, line, downK + ((at - downU) / (upU - downU)) * (upK - downK), turn)
    }
  }

  private add(u: number, v: number, k: number, turn: number): void {
    if (this.count === this.k.length) this.grow()
    this.u[this.count] = u
    this.v[this.count] = v
    this.k[this.count] = k
    this.turn[this.count] = turn
    this.count++
    this.fresh++
  }

  private grow(): void {
    const copy = <T extends Int32Array | Float64Array | Int8Array>(from: T, to: T): T => {
      to.set(from)
      return to
    }
    const length = 2 * this.k.length
    this.u = copy(this.u, new Int32Array(length))
    this.v = copy(this.v, new Int32Array(length))
    this.k = copy(this.k, new Float64Array(length))
    this.turn = copy(this.turn, new Int8Array(length))
  }

  *visitLines(visitLine: LineOrder): Generator<void, void> {
    if (this.count === 0) return
    const { order, starts } = this.sortByLine()
    yield
    let work = 0
    for (let line = 0; line + 1 < starts.length; line++) {
      const start = starts[line]!
      const end = starts[line + 1]!
      if (start === end) continue
      const first = order[start]!
      this.sortAlong(order, start, end)
      visitLine(order, start, end, this.u[first]!, this.v[first]!)
      work += end - start
      if (work > 4096) {
        work = 0
        yield
      }
    }
  }

  /** Counting sort of the hits by line. */
  private sortByLine() {
    let uMin = Infinity
    let uMax = -Infinity
    let vMin = Infinity
    let vMax = -Infinity
    for (let i = 0; i < this.count; i++) {
      uMin = Math.min(uMin, this.u[i]!)
      uMax = Math.max(uMax, this.u[i]!)
      vMin = Math.min(vMin, this.v[i]!)
      vMax = Math.max(vMax, this.v[i]!)
    }
    const width = uMax - uMin + 1
    const starts = new Int32Array(width * (vMax - vMin + 1) + 1)
    for (let i = 0; i < this.count; i++) {
      const line = (this.v[i]! - vMin) * width + this.u[i]! - uMin + 1
      starts[line] = starts[line]! + 1
    }
    for (let line = 1; line < starts.length; line++) starts[line] = starts[line]! + starts[line - 1]!
    const order = new Int32Array(this.count)
    const fill = starts.slice(0, -1)
    for (let i = 0; i < this.count; i++) {
      const line = (this.v[i]! - vMin) * width + this.u[i]! - uMin
      order[fill[line]!] = i
      fill[line] = fill[line]! + 1
    }
    return { order, starts }
  }

  /** Insertion sort by k: few hits share a line, and equal ones keep their order. */
  private sortAlong(order: Int32Array, start: number, end: number): void {
    for (let i = start + 1; i < end; i++) {
      const hit = order[i]!
      const k = this.k[hit]!
      let j = i
      for (; j > start && this.k[order[j - 1]!]! > k; j--) order[j] = order[j - 1]!
      order[j] = hit
    }
  }

  visitCrossings(
    order: Int32Array,
    start: number,
    end: number,
    u: number,
    v: number,
    visit: (u: number, v: number, k: number) => void,
  ): void {
    for (let i = start; i < end; i++) visit(u, v, this.k[order[i]!]!)
  }

  visitWindings(
    order: Int32Array,
    start: number,
    end: number,
    u: number,
    v: number,
    visit: (u: number, v: number, enter: number, leave: number, winding: number) => void,
  ): void {
    let winding = 0
    for (let i = start; i + 1 < end; i++) {
      winding += this.turn[order[i]!]!
      visit(u, v, this.k[order[i]!]!, this.k[order[i + 1]!]!, winding)
    }
  }

  visitIntervals(order: Int32Array, start: number, end: number, u: number, v: number, visit: LineIntervals): void {
    let winding = 0
    let enter = 0
    let leave = -Infinity
    for (let i = start; i < end; i++) {
      const hit = order[i]!
      const before = winding
      winding += this.turn[hit]!
      if (before === 0) {
        if (this.k[hit]! - leave > GAP_ROUNDING) {
          if (leave > -Infinity) visit(u, v, enter, leave)
          enter = this.k[hit]!
        }
      } else if (winding === 0) leave = this.k[hit]!
    }
    visit(u, v, enter, leave)
  }
}

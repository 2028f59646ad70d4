import type { Rows } from '../../core/constraints/kind.js'
import { addInertia, INERTIA_SIZE } from '../../core/math/inertia.js'
import { factor, solveFactored } from '../../core/math/symmetric.js'
import type { State } from '../../core/state.js'
import { type Link, linksOf, type Spans } from './limbLinks.js'

/** Unknowns of a limb: its move [m], its turn [rad]; numbers of a matrix of them. */
const FREE = 6
const BLOCK = FREE * FREE
/** Most that a limb turns in one go [rad]: rows are linear in turns. */
const MOST_TURN = 0.5
/** A pinned particle is this much heavier: its limb turns about it, or not at all. */
const PINNED = 1e6
/** Part that is added to a row's weight, since of a hinge's six rows one repeats others; the same of a line's inertia. */
const EASE = 1e-9
/** How often, at most, rows are solved without the limits that would pull. */
const ROUNDS = 3

const arm = new Float64Array(3)
const point = new Float64Array(3)
const normal = new Float64Array(3)
const inertia = new Float64Array(INERTIA_SIZE)

/**
 * All joints of a body at once: M v = J^T lambda, J v = -C for the motions v of its rigid limbs, one step of Newton's
 * method. Limbs and joints form a tree, whose equations are eliminated from the leaves to the root without fill (Baraff
 * 1996). Swept over one by one, each joint undoes what the one before it did: of an arm whose hand is led, whose upper
 * arm turns about its own axis by next to nothing, that does not settle in two hundred sweeps.
 *
 * A limit counts where it is passed, and unless it would pull. Pushes are equal and opposite, both at the middle between
 * the two points, or along their line: momentum and spin stay.
 */
export class LimbTree {
  private readonly links: readonly Link[]
  private readonly roots: readonly number[]
  private readonly count: number
  /** By limb: mass and inertia, lower halves of matrices; the same with all that hangs on it, factored; centre [m]. */
  private readonly weights: Float64Array
  private readonly factors: Float64Array
  private readonly centers: Float64Array
  /** By limb: what its children push, and how it moves, six numbers each. */
  private readonly pushes: Float64Array
  private readonly motions: Float64Array
  /** By link: first of its rows, and how many it has now. */
  private readonly firstRows: Uint32Array
  private readonly rowCounts: Uint32Array
  /** By row: how child and parent move it, what a push along it does to the child, six numbers each. */
  private readonly ofChild: Float64Array
  private readonly ofParent: Float64Array
  private readonly moves: Float64Array
  /** By row: by how much it is off [m], its multiplier, and the span whose limit it is, + 1, 0 for a joint. */
  private readonly errors: Float64Array
  private readonly lambda: Float64Array
  private readonly limitOf: Uint32Array
  /** By first row of a link and span: 1 where its limit would have pulled. */
  private readonly pulls: Uint8Array
  /** By link: J D^-1 J^T of its rows, factored. */
  private readonly blocks: Float64Array
  private readonly most: number
  private readonly scratch: Float64Array
  /** Weight that each row has at least [1/kg]. */
  private readonly ease = new Float64Array(1)

  /** @param first the row of the first limb among `limbs` */
  constructor(
    private readonly limbs: Rows,
    private readonly first: number,
    end: number,
    spans: readonly Spans[],
    limbOf: (particle: number) => number,
  ) {
    this.count = end - first
    const { links, roots } = linksOf(this.count, spans, (particle) => limbOf(particle) - first)
    this.links = links
    this.roots = roots
    this.firstRows = new Uint32Array(links.length)
    let rows = 0
    links.forEach((link, k) => {
      this.firstRows[k] = rows
      rows += 3 * link.spans.length
    })
    this.most = Math.max(FREE, ...links.map((link) => 3 * link.spans.length))
    this.rowCounts = new Uint32Array(links.length)
    this.weights = new Float64Array(this.count * BLOCK)
    this.factors = new Float64Array(this.count * BLOCK)
    this.centers = new Float64Array(this.count * 3)
    this.pushes = new Float64Array(this.count * FREE)
    this.motions = new Float64Array(this.count * FREE)
    this.ofChild = new Float64Array(rows * FREE)
    this.ofParent = new Float64Array(rows * FREE)
    this.moves = new Float64Array(rows * FREE)
    this.errors = new Float64Array(rows)
    this.lambda = new Float64Array(rows)
    this.limitOf = new Uint32Array(rows)
    this.pulls = new Uint8Array(rows)
    this.blocks = new Float64Array(links.length * this.most * this.most)
    this.scratch = new Float64Array(this.most)
  }

  /** Moves the limbs to where joints hold and limits are kept, to first order in their turns. */
  solve(state: State): void {
    this.weigh(state)
    this.pulls.fill(0)
    for (let round = 0, pulled = true; round < ROUNDS && pulled; round++) {
      this.pushes.fill(0)
      this.factors.set(this.weights)
      for (let k = 0; k < this.links.length; k++) {
        this.list(state, k)
        this.hang(k)
      }
      pulled = this.moveAlong()
    }
    this.move(state)
  }

  /** Finds masses, centres and inertias of the limbs as they lie. */
  private weigh({ positions: x, masses: m, inverseMasses: w }: State): void {
    const { weights, centers, limbs } = this
    const { indices, offsets } = limbs
    let whole = 0
    for (let limb = 0; limb < this.count; limb++) {
      const from = offsets[this.first + limb]!
      const to = offsets[this.first + limb + 1]!
      let mass = 0
      arm.fill(0)
      for (let k = from; k < to; k++) {
        const i = indices[k]!
        const heavy = w[i] === 0 ? PINNED * m[i]! : m[i]!
        mass += heavy
        whole += m[i]!
        for (let d = 0; d < 3; d++) arm[d] = arm[d]! + heavy * x[i * 3 + d]!
      }
      for (let d = 0; d < 3; d++) centers[limb * 3 + d] = arm[d]! / mass
      inertia.fill(0)
      for (let k = from; k < to; k++) {
        const i = indices[k]!
        const far = w[i] === 0 ? Math.sqrt(PINNED) : 1
        for (let d = 0; d < 3; d++) arm[d] = far * (x[i * 3 + d]! - centers[limb * 3 + d]!)
        addInertia(inertia, 0, arm, m, i)
      }
      const least = EASE * (inertia[0]! + inertia[1]! + inertia[2]!)
      const o = limb * BLOCK
      for (let d = 0; d < 3; d++) {
        weights[o + d * (FREE + 1)] = mass
        weights[o + (d + 3) * (FREE + 1)] = inertia[d]! + least
      }
      weights[o + 4 * FREE + 3] = inertia[3]!
      weights[o + 5 * FREE + 4] = inertia[4]!
      weights[o + 5 * FREE + 3] = inertia[5]!
    }
    this.ease[0] = EASE / whole
  }

  /** Lists the rows of a link: three of a point that both have, one of a limit that is passed. */
  private list({ positions: x }: State, k: number): void {
    const { spans } = this.links[k]!
    const first = this.firstRows[k]!
    let row = first
    for (let s = 0; s < spans.length; s++) {
      const { indices, offsets, rest } = spans[s]!.rows
      const from = offsets[spans[s]!.row]!
      const to = offsets[spans[s]!.row + 1]!
      const between = from + rest[from * 2 + 5]!
      const o = indices[from]! * 3
      let square = 0
      for (let d = 0; d < 3; d++) {
        let one = 0
        let other = 0
        for (let e = from; e < between; e++) one += rest[e * 2]! * (x[indices[e]! * 3 + d]! - x[o + d]!)
        for (let e = between; e < to; e++) other -= rest[e * 2]! * (x[indices[e]! * 3 + d]! - x[o + d]!)
        normal[d] = one - other
        square += normal[d]! * normal[d]!
        point[d] = x[o + d]! + (one + other) / 2
      }
      const least = rest[from * 2 + 1]!
      const most = rest[from * 2 + 3]!
      if (most === 0) {
        for (let d = 0; d < 3; d++) {
          this.errors[row] = normal[d]!
          this.limitOf[row] = 0
          this.write(row++, k, s, d)
        }
        continue
      }
      const length = Math.sqrt(square)
      if (length === 0 || (length >= least && length <= most) || this.pulls[first + s] === 1) continue
      for (let d = 0; d < 3; d++) normal[d] = normal[d]! / length
      this.errors[row] = length < least ? length - least : length - most
      this.limitOf[row] = s + 1
      this.write(row++, k, s, 3)
    }
    this.rowCounts[k] = row - first
  }

  /** Writes a row of pushes at `point`, along an axis, or along `normal` where that is 3. */
  private write(row: number, k: number, s: number, axis: number): void {
    const { child, parent, spans } = this.links[k]!
    const nx = axis === 3 ? normal[0]! : axis === 0 ? 1 : 0
    const ny = axis === 3 ? normal[1]! : axis === 1 ? 1 : 0
    const nz = axis === 3 ? normal[2]! : axis === 2 ? 1 : 0
    const o = row * FREE
    for (let side = 0; side < 2; side++) {
      const out = side === 0 ? this.ofChild : this.ofParent
      const c = (side === 0 ? child : parent) * 3
      const sign = side === 0 ? spans[s]!.sign : -spans[s]!.sign
      const rx = point[0]! - this.centers[c]!
      const ry = point[1]! - this.centers[c + 1]!
      const rz = point[2]! - this.centers[c + 2]!
      out[o] = sign * nx
      out[o + 1] = sign * ny
      out[o + 2] = sign * nz
      out[o + 3] = sign * (ry * nz - rz * ny)
      out[o + 4] = sign * (rz * nx - rx * nz)
      out[o + 5] = sign * (rx * ny - ry * nx)
    }
  }

  /** Eliminates the child of a link, whose own children are: what hangs on the parent is then heavier. */
  private hang(k: number): void {
    const { factors, pushes, errors, lambda, ofChild, ofParent, moves, blocks, scratch, most } = this
    const { child, parent } = this.links[k]!
    const first = this.firstRows[k]!
    const count = this.rowCounts[k]!
    const D = child * BLOCK
    const block = k * most * most
    factor(factors, D, FREE)
    solveFactored(factors, D, FREE, pushes, child * FREE)
    for (let r = 0; r < count; r++) {
      const o = (first + r) * FREE
      let off = errors[first + r]!
      for (let d = 0; d < FREE; d++) {
        moves[o + d] = ofChild[o + d]!
        off += ofChild[o + d]! * pushes[child * FREE + d]!
      }
      lambda[first + r] = -off
      solveFactored(factors, D, FREE, moves, o)
      for (let c = 0; c <= r; c++) {
        let sum = 0
        for (let d = 0; d < FREE; d++) sum += ofChild[o + d]! * moves[(first + c) * FREE + d]!
        blocks[block + r * count + c] = r === c ? sum * (1 + EASE) + this.ease[0]! : sum
      }
    }
    factor(blocks, block, count)
    solveFactored(blocks, block, count, lambda, first)
    const P = parent * BLOCK
    for (let e = 0; e < FREE; e++) {
      let push = 0
      for (let r = 0; r < count; r++) {
        scratch[r] = ofParent[(first + r) * FREE + e]!
        push += scratch[r]! * lambda[first + r]!
      }
      pushes[parent * FREE + e] = pushes[parent * FREE + e]! + push
      solveFactored(blocks, block, count, scratch, 0)
      for (let d = e; d < FREE; d++) {
        let sum = 0
        for (let r = 0; r < count; r++) sum += ofParent[(first + r) * FREE + d]! * scratch[r]!
        factors[P + d * FREE + e] = factors[P + d * FREE + e]! + sum
      }
    }
  }

  /** Finds how limbs move, from the roots to the leaves; true where a limit would pull, which is noted. */
  private moveAlong(): boolean {
    const { factors, pushes, motions, lambda, ofParent, moves, errors, limitOf, blocks, scratch, most } = this
    motions.set(pushes)
    for (let k = 0; k < this.roots.length; k++) {
      const root = this.roots[k]!
      factor(factors, root * BLOCK, FREE)
      solveFactored(factors, root * BLOCK, FREE, motions, root * FREE)
    }
    let pulled = false
    for (let k = this.links.length - 1; k >= 0; k--) {
      const { child, parent } = this.links[k]!
      const first = this.firstRows[k]!
      const count = this.rowCounts[k]!
      for (let r = 0; r < count; r++) {
        scratch[r] = 0
        for (let d = 0; d < FREE; d++) {
          scratch[r] = scratch[r]! + ofParent[(first + r) * FREE + d]! * motions[parent * FREE + d]!
        }
      }
      solveFactored(blocks, k * most * most, count, scratch, 0)
      for (let r = 0; r < count; r++) {
        const push = lambda[first + r]! - scratch[r]!
        for (let d = 0; d < FREE; d++) {
          motions[child * FREE + d] = motions[child * FREE + d]! + push * moves[(first + r) * FREE + d]!
        }
        if (limitOf[first + r] === 0 || push * errors[first + r]! <= 0) continue
        this.pulls[first + limitOf[first + r]! - 1] = 1
        pulled = true
      }
    }
    return pulled
  }

  /** Moves and turns the limbs, which keep their shape. */
  private move({ positions: x, inverseMasses: w }: State): void {
    const { indices, offsets } = this.limbs
    const { motions, centers } = this
    let square = 0
    for (let o = 3; o < motions.length; o += FREE) {
      const tx = motions[o]!
      const ty = motions[o + 1]!
      const tz = motions[o + 2]!
      square = Math.max(square, tx * tx + ty * ty + tz * tz)
    }
    const part = square > MOST_TURN * MOST_TURN ? MOST_TURN / Math.sqrt(square) : 1
    for (let k = 0; k < motions.length; k++) motions[k] = motions[k]! * part
    for (let limb = 0; limb < this.count; limb++) {
      const o = limb * FREE
      const c = limb * 3
      // The turn by 2 atan |s| about s: q + 2 (s x q + s x (s x q)) / (1 + s^2).
      const sx = motions[o + 3]! / 2
      const sy = motions[o + 4]! / 2
      const sz = motions[o + 5]! / 2
      const twice = 2 / (1 + sx * sx + sy * sy + sz * sz)
      for (let k = offsets[this.first + limb]!; k < offsets[this.first + limb + 1]!; k++) {
        if (w[indices[k]!] === 0) continue
        const p = indices[k]! * 3
        const qx = x[p]! - centers[c]!
        const qy = x[p + 1]! - centers[c + 1]!
        const qz = x[p + 2]! - centers[c + 2]!
        const tx = sy * qz - sz * qy
        const ty = sz * qx - sx * qz
        const tz = sx * qy - sy * qx
        x[p] = x[p]! + motions[o]! + twice * (tx + sy * tz - sz * ty)
        x[p + 1] = x[p + 1]! + motions[o + 1]! + twice * (ty + sz * tx - sx * tz)
        x[p + 2] = x[p + 2]! + motions[o + 2]! + twice * (tz + sx * ty - sy * tx)
      }
    }
  }
}

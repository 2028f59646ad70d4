import type { Attachments } from '../../core/attachments.js'
import type { ColliderContacts } from '../../core/collision/colliderContacts.js'
import type { SoftContacts } from '../../core/collision/soft/softContacts.js'
import { shapeMatching, span } from '../../core/constraints/index.js'
import type { ConstraintKind, Rows } from '../../core/constraints/kind.js'
import { type Anchors, dampShape } from '../../core/damping.js'
import type { Joints } from '../../core/joints.js'
import { OuterHolds } from '../../core/outerHolds.js'
import { type BodyRecord, RESCUE } from '../../core/records.js'
import type { State } from '../../core/state.js'
import type { Spans } from './limbLinks.js'
import { LimbTree } from './limbTree.js'
import type { Batch } from './workspace.js'

/** A body of limbs that are joined, and where these are among the rows. */
interface Figure {
  readonly body: BodyRecord
  readonly limbs: Rows
  readonly limbRow: number
  readonly limbEnd: number
  /** By particle of the body, the row of its limb. */
  readonly limbOf: Uint32Array
  readonly spans: readonly Spans[]
  readonly tree: LimbTree
}

/** What a joint may be off by, as a share of the figure's size: half a degree of a limit. */
const SLACK = 1e-3
/** What is off by more when a substep begins is out of joint, and so is what holds pull further apart. */
const APART = 1e-2
/** Rate at which that is drawn together [1/s]. */
const CLOSING = 10
/** How often, at most, all joints are solved, since they are linear in small turns only; and of what is not to move far. */
const REPEATS = 10
const FEW = 3
/**
 * How often, at most, limbs take turns with contacts. Those that lie still settle in the first few, all joints at once.
 * What has not by then is pushed as whole limbs while its joints are swept, so often in a turn: slower, but where ten
 * contacts of a crash pull it this way and that, joints solved for themselves can go round in circles.
 */
const TURNS = 20
const PATIENCE = 9
const SWEEPS = 8

/**
 * Bodies of rigid limbs that spans join, all at once in every substep: left until joints were off by so much, they would
 * be put right in jolts, and what lies would twitch. Two things draw them out of their joints. Limbs that are fast for
 * their size turn by tens of degrees in a substep: they are joined until they hold. A contact pushes single particles of a limb, and bends
 * it: what has been touched takes turns with its contacts, which then push whole limbs.
 *
 * No pose fits a figure on the rack. While it is out of joint, or what holds it pulls it apart, it is drawn together at a
 * rate, without a speed but that of its rigid motion: so it comes to lie still, and is not thrown when it is let go.
 */
export class Limbs {
  private figures: readonly Figure[] = []
  /** By figure: 1 where a contact of the last substep has drawn it out of its joints, if it is. */
  private crashed = new Uint8Array(0)
  /** By particle: where it was when the substep began, in limbs that were rigid then. */
  private starts = new Float64Array(0)
  private readonly holds = new OuterHolds()
  /** How far holds may pull a figure apart [m], and which share of the way to its joints it stays away in a substep. */
  private readonly reach = new Float64Array(1)
  private readonly rest = new Float64Array(1)

  constructor(
    private readonly attachments: Attachments,
    private readonly joints: Joints,
  ) {}

  /** To be called where rows have been baked anew. */
  bake(batches: readonly Batch[]): void {
    const partsOf = (kind: ConstraintKind) => batches.find((batch) => batch.figures && batch.kind === kind)?.parts ?? []
    const spans = partsOf(span)
    const limbs = partsOf(shapeMatching)
    this.figures = limbs.map(({ body, rows, row, set }) => {
      const limbEnd = row + set.count
      const limbOf = limbsOf(body, rows, row, limbEnd)
      const own = spans
        .filter((part) => part.body === body)
        .map((part) => ({ rows: part.rows, row: part.row, end: part.row + part.set.count }))
      const tree = new LimbTree(rows, row, limbEnd, own, (particle) => limbOf[particle - body.start]!)
      return { body, limbs: rows, limbRow: row, limbEnd, limbOf, spans: own, tree }
    })
    this.crashed = new Uint8Array(this.count)
  }

  get count(): number {
    return this.figures.length
  }

  /** Which of the live bodies the k-th figure is; -1 while it sleeps. */
  bodyOf(k: number, state: State): number {
    const { body } = this.figures[k]!
    return body.asleep ? -1 : state.bodies.live.indexOf(body)
  }

  /** True where the k-th figure is drawn together in this substep, or was in the last: it has but its rigid motion. */
  isDrawn(k: number): boolean {
    return this.figures[k]!.body.rescue[RESCUE.DRAWN] === 1
  }

  /** Where the k-th figure is held from outside in a substep of h[0] [s], its pins apart. */
  anchor(state: State, k: number, substeps: number, h: Float64Array): Anchors {
    const { body } = this.figures[k]!
    this.holds.begin(state, body)
    this.attachments.list(state, body, substeps, h, this.holds)
    this.joints.list(state, body, h, this.holds)
    return this.holds.anchors
  }

  /**
   * Before a substep puts a figure that is a little out of joint back into its joints, which gives it no speed. Not where
   * a contact has drawn it out, which would have to push it once more: that is a crash, and soon over. What was drawn
   * together has no error left then that would become a speed as it is let go.
   */
  settle(state: State, substep: number, contacts: ColliderContacts, soft: SoftContacts): void {
    for (let k = 0; k < this.count; k++) {
      const b = this.bodyOf(k, state)
      this.crashed[k] = 0
      if (b < 0) continue
      const { body } = this.figures[k]!
      const touched = substep === 0 ? state.contacts.touches(body) : contacts.touches(b) || soft.touches(b)
      const wasDrawn = this.isDrawn(k)
      const isOff = this.strained(k, state.positions, SLACK)
      this.crashed[k] = isOff && touched && !wasDrawn ? 1 : 0
      if (this.crashed[k] === 1 || !(isOff || wasDrawn) || this.strained(k, state.positions, APART)) continue
      for (let turn = 0; turn < FEW; turn++) this.join(k, state)
    }
  }

  /** Makes limbs rigid and joins them, in a substep of h[0] [s]. */
  hold(state: State, substeps: number, h: Float64Array): void {
    for (let k = 0; k < this.count; k++) {
      if (this.bodyOf(k, state) < 0) continue
      const { body } = this.figures[k]!
      this.anchor(state, k, substeps, h)
      this.reach[0] = APART * body.model.size
      const isApart = this.crashed[k] === 0 && this.strained(k, state.previous, APART)
      body.rescue[RESCUE.DRAWN] = isApart || this.holds.pullApart(this.reach) ? 1 : 0
      this.stiffen(k, state)
      this.join(k, state)
      if (this.isDrawn(k)) this.draw(k, state, h)
      else this.joinUp(k, state, REPEATS - 1)
    }
  }

  /**
   * Leaves the k-th figure a share of the way that it has been drawn from where its rigid motion brings it; of one that is
   * held, whose holds pull it about as a whole, from where it would go by itself.
   */
  private draw(k: number, state: State, h: Float64Array): void {
    const { body } = this.figures[k]!
    const { positions: x, previous, velocities: v, inverseMasses: w } = state
    const held = this.holds.hold
    const rest = 1 / (1 + CLOSING * h[0]!)
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      if (w[i] === 0) continue
      for (let p = i * 3; p < i * 3 + 3; p++) {
        const drawn = (x[p]! - previous[p]!) / h[0]!
        v[p] = held ? rest * v[p]! + (1 - rest) * drawn : drawn
      }
    }
    this.rest[0] = rest
    if (!held) dampShape(state, body, this.rest, this.holds.anchors)
    for (let i = body.start; i < body.start + body.model.particleCount; i++) {
      if (w[i] === 0) continue
      for (let p = i * 3; p < i * 3 + 3; p++) x[p] = previous[p]! + h[0]! * v[p]!
    }
    this.stiffen(k, state)
  }

  /** What colliders have pushed out of its joints gets back into them; contacts have the last word again. */
  rejoin(state: State, contacts: ColliderContacts): void {
    for (let k = 0; k < this.count; k++) {
      const b = this.bodyOf(k, state)
      if (b < 0 || !contacts.touches(b)) continue
      const { body, limbs, limbOf } = this.figures[k]!
      const turns = this.isDrawn(k) ? 1 : TURNS
      for (let turn = 0; turn < turns && this.strained(k, state.positions, SLACK); turn++) {
        if (turn === PATIENCE) this.findStarts(k, state)
        this.stiffen(k, state)
        if (turn < PATIENCE) this.join(k, state)
        else {
          for (let sweep = 0; sweep < SWEEPS; sweep++) {
            contacts.pressLimbs(state, b, limbs, limbOf, body.start, this.starts)
            this.sweep(k, state)
          }
        }
        contacts.projectBody(state, b)
      }
    }
  }

  /**
   * Finds where the particles of the k-th figure were when the substep began, if its limbs had been rigid. Whole limbs are
   * pushed as far as they have come since then: a limb that contacts had bent is not thrown out by what it was bent.
   */
  private findStarts(k: number, state: State): void {
    const { body } = this.figures[k]!
    const { positions: x, previous } = state
    if (this.starts.length < x.length) this.starts = new Float64Array(x.length)
    const end = (body.start + body.model.particleCount) * 3
    for (let p = body.start * 3; p < end; p++) {
      this.starts[p] = x[p]!
      x[p] = previous[p]!
    }
    this.stiffen(k, state)
    for (let p = body.start * 3; p < end; p++) {
      const start = x[p]!
      x[p] = this.starts[p]!
      this.starts[p] = start
    }
  }

  /** True where a joint of the k-th figure is off by more than a share of its size, at the places x. */
  private strained(k: number, x: Float64Array, share: number): boolean {
    const { body, spans } = this.figures[k]!
    const slack = share * body.model.size
    for (let s = 0; s < spans.length; s++) {
      const { indices, offsets, rest } = spans[s]!.rows
      for (let row = spans[s]!.row; row < spans[s]!.end; row++) {
        const from = offsets[row]!
        const o = indices[from]! * 3
        let square = 0
        for (let d = 0; d < 3; d++) {
          let sum = 0
          for (let e = from; e < offsets[row + 1]!; e++) sum += rest[e * 2]! * (x[indices[e]! * 3 + d]! - x[o + d]!)
          square += sum * sum
        }
        const length = Math.sqrt(square)
        if (length < rest[from * 2 + 1]! - slack || length > rest[from * 2 + 3]! + slack) return true
      }
    }
    return false
  }

  /** Joins the limbs of the k-th figure until they hold, at most so often. */
  private joinUp(k: number, state: State, times: number): void {
    for (let turn = 0; turn < times && this.strained(k, state.positions, SLACK); turn++) this.join(k, state)
  }

  /** Joins the limbs of the k-th figure, which keep their shape. */
  private join(k: number, state: State): void {
    this.figures[k]!.tree.solve(state)
  }

  /** One sweep over the joints of the k-th figure. */
  private sweep(k: number, state: State): void {
    const { spans } = this.figures[k]!
    for (let s = 0; s < spans.length; s++) span.project(spans[s]!.rows, spans[s]!.row, spans[s]!.end, state)
  }

  /** Makes the limbs of the k-th figure rigid. */
  private stiffen(k: number, state: State): void {
    const { limbs, limbRow, limbEnd } = this.figures[k]!
    shapeMatching.project(limbs, limbRow, limbEnd, state)
  }
}

/** By particle of a body, the row of its limb. */
function limbsOf({ start, model }: BodyRecord, { indices, offsets }: Rows, first: number, end: number): Uint32Array {
  const limbOf = new Uint32Array(model.particleCount)
  for (let row = first; row < end; row++) {
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++) limbOf[indices[k]! - start] = row
  }
  return limbOf
}

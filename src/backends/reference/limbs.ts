import type { Attachments } from '../../core/attachments.js'
import type { ColliderContacts } from '../../core/collision/colliderContacts.js'
import type { SoftContacts } from '../../core/collision/soft/softContacts.js'
import { shapeMatching, span } from '../../core/constraints/index.js'
import type { Rows } from '../../core/constraints/kind.js'
import { type Anchors, dampShape, wobbleEnergy } from '../../core/damping.js'
import type { Joints } from '../../core/joints.js'
import { OuterHolds } from '../../core/outerHolds.js'
import type { BodyRecord } from '../../core/records.js'
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
/** Energy beside its rigid motion below which a figure has none [J/kg]. */
const RIGID = 1e-9
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
 * Bodies of rigid limbs that spans join. Two things draw them out of their joints. Limbs that are fast for their size turn
 * by tens of degrees in a substep: they are joined until they hold. A contact pushes single particles of a limb, and bends
 * it: what has been touched takes turns with its contacts, which then push whole limbs.
 *
 * No pose fits a figure on the rack. While it is out of joint, or what holds it pulls it apart, it is drawn together at a
 * rate, without a speed but that of its rigid motion: so it comes to lie still, and is not thrown when it is let go.
 */
export class Limbs {
  private figures: readonly Figure[] = []
  /** By figure: 1 where it is drawn together in this substep. */
  private drawn = new Uint8Array(0)
  /** By figure: 1 where a contact of the last substep has drawn it out of its joints, if it is. */
  private crashed = new Uint8Array(0)
  private readonly holds = new OuterHolds()
  /** How far holds may pull a figure apart [m], and which share of the way to its joints it stays away in a substep. */
  private readonly reach = new Float64Array(1)
  private readonly rest = new Float64Array(1)
  private readonly energy = new Float64Array(1)

  constructor(
    private readonly attachments: Attachments,
    private readonly joints: Joints,
  ) {}

  /** To be called where rows have been baked anew. */
  bake(batches: readonly Batch[]): void {
    const spans = batches.find(({ kind }) => kind === span)?.parts ?? []
    const limbs = batches.find(({ kind }) => kind === shapeMatching)?.parts ?? []
    this.figures = limbs
      .map(({ body, rows, row, set }) => {
        const limbEnd = row + set.count
        const limbOf = limbsOf(body, rows, row, limbEnd)
        const own = spans
          .filter((part) => part.body === body)
          .map((part) => ({ rows: part.rows, row: part.row, end: part.row + part.set.count }))
        const tree = new LimbTree(rows, row, limbEnd, own, (particle) => limbOf[particle - body.start]!)
        return { body, limbs: rows, limbRow: row, limbEnd, limbOf, spans: own, tree }
      })
      .filter((figure) => figure.spans.length > 0)
    this.drawn = new Uint8Array(this.count)
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

  /** True where the k-th figure is drawn together in this substep: it has but its rigid motion. */
  isDrawn(k: number): boolean {
    return this.drawn[k] === 1
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
   * a contact has drawn it out, which would have to push it once more: that is a crash, and soon over.
   */
  settle(state: State, substep: number, contacts: ColliderContacts, soft: SoftContacts): void {
    for (let k = 0; k < this.count; k++) {
      const b = this.bodyOf(k, state)
      this.crashed[k] = 0
      if (b < 0 || !this.strained(k, state.positions, SLACK)) continue
      const crashed =
        substep === 0
          ? !this.wasDrawn(k, state) // what pushed in the last step is not known any more
          : this.drawn[k] === 0 && (contacts.touches(b) || soft.touches(b))
      this.crashed[k] = crashed ? 1 : 0
      if (this.crashed[k] === 0 && !this.strained(k, state.positions, APART)) this.joinUp(k, state, FEW)
    }
  }

  /** True where the k-th figure may have been drawn together in the last step: if it is free, it moves as if it were rigid. */
  private wasDrawn(k: number, state: State): boolean {
    const { body } = this.figures[k]!
    this.holds.begin(state, body)
    if (this.holds.hold) return true
    wobbleEnergy(state, body, this.energy)
    return this.energy[0]! <= RIGID * body.mass
  }

  /** Joins what the sweeps over all constraints have left out of its joints, in a substep of h[0] [s]. */
  hold(state: State, substeps: number, h: Float64Array): void {
    for (let k = 0; k < this.count; k++) {
      this.drawn[k] = 0
      if (this.bodyOf(k, state) < 0) continue
      this.anchor(state, k, substeps, h)
      this.reach[0] = APART * this.figures[k]!.body.model.size
      if (!this.holds.pullApart(this.reach) && (this.crashed[k] === 1 || !this.strained(k, state.previous, APART))) {
        this.joinUp(k, state, REPEATS)
        continue
      }
      this.drawn[k] = 1
      this.join(k, state)
      this.draw(k, state, h)
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
      const turns = this.drawn[k] === 1 ? 1 : TURNS
      for (let turn = 0; turn < turns && this.strained(k, state.positions, SLACK); turn++) {
        this.stiffen(k, state)
        if (turn < PATIENCE) this.join(k, state)
        else {
          for (let sweep = 0; sweep < SWEEPS; sweep++) {
            contacts.pressLimbs(state, b, limbs, limbOf, body.start)
            this.sweep(k, state)
          }
        }
        contacts.projectBody(state, b)
      }
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

  /** Joins the limbs of the k-th figure, which are rigid before and after. */
  private join(k: number, state: State): void {
    this.figures[k]!.tree.solve(state)
    this.stiffen(k, state)
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

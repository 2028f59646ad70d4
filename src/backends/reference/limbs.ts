import type { ColliderContacts } from '../../core/collision/colliderContacts.js'
import { shapeMatching, span } from '../../core/constraints/index.js'
import type { Rows } from '../../core/constraints/kind.js'
import { joins } from '../../core/jointRecord.js'
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
/** The same of joints that are drawn apart: no figure that is held can take the pose that it is asked for. */
const APART = 1e-2
/** The same of what is held: a pose that fits is nearer than this after all turns, or there is none. */
const REACHED = 2e-3
/** How often, at most, all joints are solved, since they are linear in small turns only; for what found no pose before. */
const REPEATS = 10
const PROBES = 3
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
 * it: what has been touched takes turns with its contacts, which then push whole limbs. What pins or other bodies hold is
 * joined as well, but for a figure on the rack, which no pose fits: it is left as the sweeps leave it.
 */
export class Limbs {
  private figures: readonly Figure[] = []
  /** By figure: 1 where no pose was found in this substep. */
  private lost = new Uint8Array(0)
  /** Where the particles of the figure in hand were [m]. */
  private kept = new Float64Array(0)

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
    this.lost = new Uint8Array(this.count)
    this.kept = new Float64Array(3 * Math.max(0, ...this.figures.map(({ body }) => body.model.particleCount)))
  }

  get count(): number {
    return this.figures.length
  }

  /** Which of the live bodies the k-th figure is; -1 while it sleeps. */
  bodyOf(k: number, state: State): number {
    const { body } = this.figures[k]!
    return body.asleep ? -1 : state.bodies.live.indexOf(body)
  }

  /** True where the k-th figure is pinned or joined to something, and no pose fits. */
  racked(k: number, state: State): boolean {
    return this.lost[k] === 1 || (this.held(k, state) && this.strained(k, state.positions, APART))
  }

  /** True where the k-th figure is pinned or joined to something. */
  private held(k: number, state: State): boolean {
    const { body } = this.figures[k]!
    for (let j = 0; j < state.joints.live.length; j++) if (joins(state.joints.live[j]!, body)) return true
    for (let i = body.start; i < body.start + body.model.particleCount; i++)
      if (state.inverseMasses[i] === 0) return true
    return false
  }

  /** Joins what the sweeps over all constraints have left out of its joints. */
  hold(state: State): void {
    for (let k = 0; k < this.count; k++) {
      this.lost[k] = 0
      if (this.bodyOf(k, state) < 0 || !this.strained(k, state.positions, SLACK)) continue
      const held = this.held(k, state)
      if (held) this.keep(k, state)
      // What had no pose at the end of the last substep will hardly have one now.
      const turns = held && this.strained(k, state.previous, REACHED) ? PROBES : REPEATS
      for (let turn = 0; turn < turns && this.strained(k, state.positions, SLACK); turn++) this.join(k, state)
      if (!held || !this.strained(k, state.positions, REACHED)) continue
      this.lost[k] = 1
      this.restore(k, state)
    }
  }

  /** What colliders have pushed out of its joints gets back into them; contacts have the last word again. */
  rejoin(state: State, contacts: ColliderContacts): void {
    for (let k = 0; k < this.count; k++) {
      const b = this.bodyOf(k, state)
      if (b < 0 || !contacts.touches(b)) continue
      const { body, limbs, limbOf } = this.figures[k]!
      const turns = this.lost[k] === 1 ? 1 : TURNS
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

  private keep(k: number, { positions: x }: State): void {
    const { start, model } = this.figures[k]!.body
    for (let p = 0; p < model.particleCount * 3; p++) this.kept[p] = x[start * 3 + p]!
  }

  private restore(k: number, { positions: x }: State): void {
    const { start, model } = this.figures[k]!.body
    for (let p = 0; p < model.particleCount * 3; p++) x[start * 3 + p] = this.kept[p]!
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

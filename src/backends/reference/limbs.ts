import { shapeMatching, span } from '../../core/constraints/index.js'
import type { Rows } from '../../core/constraints/kind.js'
import { joins } from '../../core/jointRecord.js'
import type { BodyRecord, State } from '../../core/state.js'
import type { Batch } from './workspace.js'

/** A body of limbs that are joined, and where these are among the rows. */
interface Figure {
  readonly body: BodyRecord
  readonly limbs: Rows
  readonly limbRow: number
  readonly limbEnd: number
  readonly spans: readonly { readonly rows: Rows; readonly row: number; readonly end: number }[]
}

/** What a joint may be off by, as a share of the figure's size: half a degree of a limit. */
const SLACK = 1e-3
/** The same of joints that are drawn apart: no figure that is held can take the pose that it is asked for. */
const APART = 1e-2

/**
 * Bodies of rigid limbs that spans join. A contact pushes single particles of a limb, bends it and draws it out of its
 * joints: what has been touched takes turns with its contacts.
 */
export class Limbs {
  private figures: readonly Figure[] = []

  /** To be called where rows have been baked anew. */
  bake(batches: readonly Batch[]): void {
    const spans = batches.find(({ kind }) => kind === span)?.parts ?? []
    const limbs = batches.find(({ kind }) => kind === shapeMatching)?.parts ?? []
    this.figures = limbs
      .map(({ body, rows, row, set }) => ({
        body,
        limbs: rows,
        limbRow: row,
        limbEnd: row + set.count,
        spans: spans
          .filter((part) => part.body === body)
          .map((part) => ({ rows: part.rows, row: part.row, end: part.row + part.set.count })),
      }))
      .filter((figure) => figure.spans.length > 0)
  }

  get count(): number {
    return this.figures.length
  }

  /** Which of the live bodies the k-th figure is; -1 while it sleeps. */
  bodyOf(k: number, state: State): number {
    const { body } = this.figures[k]!
    return body.asleep ? -1 : state.bodies.live.indexOf(body)
  }

  /** True where the k-th figure is pinned or joined to something and its joints are drawn apart. */
  racked(k: number, state: State): boolean {
    const { body } = this.figures[k]!
    let held = false
    for (let j = 0; j < state.joints.live.length && !held; j++) held = joins(state.joints.live[j]!, body)
    for (let i = body.start; i < body.start + body.model.particleCount && !held; i++)
      held = state.inverseMasses[i] === 0
    return held && this.strained(k, state, true)
  }

  /** True where a joint of the k-th figure is off by more than can be left to the next substep, or is drawn `apart`. */
  strained(k: number, { positions: x }: State, apart = false): boolean {
    const { body, spans } = this.figures[k]!
    const slack = (apart ? APART : SLACK) * body.model.size
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

  /** Makes the limbs of the k-th figure rigid, and then joins them in `sweeps` sweeps. */
  join(k: number, sweeps: number, state: State): void {
    const { limbs, limbRow, limbEnd, spans } = this.figures[k]!
    shapeMatching.project(limbs, limbRow, limbEnd, state)
    for (let sweep = 0; sweep < sweeps; sweep++) {
      for (let s = 0; s < spans.length; s++) span.project(spans[s]!.rows, spans[s]!.row, spans[s]!.end, state)
    }
  }
}

import { neoHookean } from '../../core/constraints/index.js'
import type { ConstraintKind } from '../../core/constraints/kind.js'
import type { MeanStrain } from '../../core/meanStrain.js'
import type { PinnedStrain } from '../../core/pinnedStrain.js'
import type { State } from '../../core/state.js'
import type { Unresolved } from '../../core/unresolved.js'
import type { Batch } from './workspace.js'

/**
 * A kernel that is entered often is compiled as a whole. One that loops for long is compiled from within its loop, and
 * after a garbage collection allocates until it is compiled once more.
 */
const ROWS_A_CALL = 256

/** In which order the rows of bodies that are awake are projected. */
export class Sweeps {
  /** To be set where rows have been baked anew. */
  batches: readonly Batch[] = []

  constructor(
    private readonly unresolved: Unresolved,
    private readonly meanStrain: MeanStrain,
    private readonly pinnedStrain: PinnedStrain,
  ) {}

  /** Finds which rows the step projects: those of bodies that are awake. Returns how many. */
  findRuns(): number {
    let count = 0
    for (let b = 0; b < this.batches.length; b++) count += this.batches[b]!.runs.find()
    return count
  }

  /** A substep begins. */
  resetLambda(): void {
    for (let b = 0; b < this.batches.length; b++) {
      const { rows, runs } = this.batches[b]!
      if (rows.lambda.length === 0) continue
      for (let r = 0; r < runs.length; r++) rows.lambda.fill(0, runs.lambdas[r * 2], runs.lambdas[r * 2 + 1])
    }
  }

  /** One sweep over all rows but those of figures. */
  project(state: State): void {
    for (let b = 0; b < this.batches.length; b++) {
      const batch = this.batches[b]!
      if (batch.figures) continue
      if (batch.kind === neoHookean) this.unresolved.note(state)
      this.projectBatch(state, batch)
      if (batch.kind === neoHookean) {
        this.meanStrain.project(state)
        this.pinnedStrain.project(state)
      }
    }
  }

  projectKind(state: State, kind: ConstraintKind): void {
    for (let b = 0; b < this.batches.length; b++) {
      if (this.batches[b]!.kind === kind) this.projectBatch(state, this.batches[b]!)
    }
  }

  private projectBatch(state: State, { kind, rows, runs }: Batch): void {
    for (let r = 0; r < runs.length; r++) {
      const end = runs.rows[r * 2 + 1]!
      for (let start = runs.rows[r * 2]!; start < end; start += ROWS_A_CALL) {
        kind.project(rows, start, Math.min(start + ROWS_A_CALL, end), state)
      }
    }
  }
}

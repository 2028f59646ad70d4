import type { BodyRecord } from '../../core/records.js'

/** Rows of one body that follow each other in a batch, and their multipliers. */
export interface Part {
  readonly body: BodyRecord
  readonly rowEnd: number
  readonly lambdaEnd: number
}

/** Which rows of a batch are projected: those of bodies that are awake, in runs as long as they can be. */
export class Runs {
  /** How many there are. */
  length = 0
  /** By run: first row, and the one after the last. */
  readonly rows: Uint32Array
  /** By run: first multiplier, and the one after the last. */
  readonly lambdas: Uint32Array

  /** @param parts in the order of their rows */
  constructor(private readonly parts: readonly Part[]) {
    this.rows = new Uint32Array(parts.length * 2)
    this.lambdas = new Uint32Array(parts.length * 2)
  }

  /** Finds the runs of a step, and returns the number of rows in them. */
  find(): number {
    const { parts, rows, lambdas } = this
    let runs = 0
    let row = 0
    let lambda = 0
    let count = 0
    for (let k = 0; k < parts.length; k++) {
      const { body, rowEnd, lambdaEnd } = parts[k]!
      if (!body.asleep) {
        if (runs === 0 || rows[runs * 2 - 1] !== row) {
          rows[runs * 2] = row
          lambdas[runs * 2] = lambda
          runs++
        }
        rows[runs * 2 - 1] = rowEnd
        lambdas[runs * 2 - 1] = lambdaEnd
        count += rowEnd - row
      }
      row = rowEnd
      lambda = lambdaEnd
    }
    this.length = runs
    return count
  }
}

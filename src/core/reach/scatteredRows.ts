import type { ConstraintSet } from '../model.js'
import type { Level } from './coarseLevel.js'
import type { BorneRows } from './gridRows.js'
import { type ScatteredLevel, within } from './scatteredLevel.js'
import type { Threads } from './threadGrid.js'

/** Sides along each of the threads that bear some of a triangle, three on the two lines beside it; cells about it. */
const SIDES = 6
const CELLS = 9

/**
 * What a triangle somewhere in the grid gets of what the sides and cells about it bear. A side draws at all points in its two
 * means: what it bears on the way there grows as their weights do, from the one mean to the other.
 */
export class ScatteredRows implements BorneRows {
  private readonly areas: Float64Array
  private readonly sides: Uint32Array
  private readonly sideParts: Float64Array
  private readonly cells: Uint32Array
  private readonly cellParts: Float64Array

  constructor(level: ScatteredLevel, { count, indices, unitCompliance }: ConstraintSet, threads: Threads) {
    const { columns, rows, masses, free } = level.source
    const [width, height] = [columns.length, rows.length]
    this.areas = unitCompliance.map((inverse) => 1 / inverse)
    this.sides = new Uint32Array(2 * SIDES * count)
    this.sideParts = new Float64Array(2 * SIDES * count)
    this.cells = new Uint32Array(CELLS * count)
    this.cellParts = new Float64Array(CELLS * count)
    const isPinned = (K: number) => free[K] === 0 && masses[K] !== 0
    const u = {
      places: threads.u,
      from: 0,
      lines: height,
      last: width - 2,
      point: (k: number, line: number) => line * width + k,
    }
    const v = {
      places: threads.v,
      from: (width - 1) * height,
      lines: width,
      last: height - 2,
      point: (k: number, line: number) => k * width + line,
    }
    /** Parts of the sides k - 1, k and k + 1 on a line, of triangle r by side k; undefined where there is none. */
    const along = ({ places, from, lines, last, point }: typeof u, k: number, r: number, line: number) => {
      const has = (j: number) => j >= 0 && j <= last && level.stands(from + j * lines + line)
      if (!has(k)) return undefined
      const corners = [0, 1, 2].map((c) => places[indices[r * 3 + c]!]!).sort((a, b) => a - b)
      const partOf = (K: number) => level.partBefore(K, corners as [number, number, number], places)
      const one = isPinned(point(k, line)) ? 1 : partOf(point(k, line))
      const two = isPinned(point(k + 1, line)) ? 0 : partOf(point(k + 1, line))
      return [has(k - 1) ? 1 - one : 0, one - two, has(k + 1) ? two : 0] as const
    }
    for (let r = 0; r < count; r++) {
      if (threads.askew[r] === 1) continue
      const [i, s] = within(columns, middle(threads.u, indices, r))
      const [j, t] = within(rows, middle(threads.v, indices, r))
      const byThread = [
        [u, i, j, t],
        [v, j, i, s],
      ] as const
      const sums = byThread.map(([thread, k, line, across], n) => {
        const sum = [0, 0, 0]
        const lists = [along(thread, k, r, line), along(thread, k, r, line + 1)]
        lists.forEach((list, l) => {
          if (!list) return
          const weight = lists[1 - l] ? (l === 0 ? 1 - across : across) : 1
          list.forEach((value, o) => {
            const e = (2 * r + n) * SIDES + l * 3 + o
            sum[o] = sum[o]! + weight * value
            if (value === 0) return
            this.sides[e] = thread.from + (k + o - 1) * thread.lines + line + l
            this.sideParts[e] = weight * value
          })
        })
        return sum
      })
      for (let b = 0; b < 3; b++) {
        for (let a = 0; a < 3; a++) {
          const part = sums[0]![a]! * sums[1]![b]!
          const [ci, cj] = [i + a - 1, j + b - 1]
          if (part === 0 || ci < 0 || cj < 0 || ci > width - 2 || cj > height - 2) continue
          this.cells[r * CELLS + b * 3 + a] = cj * (width - 1) + ci
          this.cellParts[r * CELLS + b * 3 + a] = part
        }
      }
    }
  }

  give(level: Level, lambda: Float64Array, row: number): void {
    const { areas, sides, sideParts, cells, cellParts } = this
    const borne = level.lambda
    const sheared = level.shear.lambda
    for (let r = 0; r < areas.length; r++) {
      const e = 2 * SIDES * r
      let along = 0
      let across = 0
      let shear = 0
      for (let k = e; k < e + SIDES; k++) along += sideParts[k]! * borne[sides[k]!]!
      for (let k = e + SIDES; k < e + 2 * SIDES; k++) across += sideParts[k]! * borne[sides[k]!]!
      for (let k = r * CELLS; k < (r + 1) * CELLS; k++) shear += cellParts[k]! * sheared[cells[k]!]!
      const at = (row + r) * 3
      lambda[at] = areas[r]! * along
      lambda[at + 1] = areas[r]! * across
      lambda[at + 2] = areas[r]! * shear
    }
  }
}

const middle = (places: Float64Array, indices: Uint32Array, r: number) =>
  (places[indices[r * 3]!]! + places[indices[r * 3 + 1]!]! + places[indices[r * 3 + 2]!]!) / 3

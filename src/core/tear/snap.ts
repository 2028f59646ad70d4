import { chain } from '../constraints/index.js'
import type { Rows } from '../constraints/kind.js'
import { type ConstraintSet, type Model, sealed } from '../model.js'
import type { PlasticPart } from '../plasticity.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'
import { noteTear } from './takeOver.js'
import { wholeOf } from './weave.js'

/** A rope that may break, and where its segments are among the rows. */
interface Watched {
  readonly body: BodyRecord
  readonly rows: Rows
  readonly from: number
  /** Multipliers of the segments, summed over the substeps of a step. */
  readonly sums: Float64Array
}

const nothing = new Uint32Array(0)

/**
 * Ropes that break: the segment with the largest tension, -lambda / h^2 as a mean over a step, where that is above
 * `tearStrength` [N]. One a step: then the load is off. Both pieces go on as parts of one body, and no particle is split.
 */
export class Snaps {
  private watched: Watched[] = []
  private readonly perLoad = new Float64Array(1)

  /** To be called where rows have been baked anew. @param h substep [s] */
  bake(parts: readonly PlasticPart[], h: number, substeps: number): void {
    this.watched = []
    for (const { body, rows, row, set } of parts) {
      if (!(body.settings.tearStrength < Number.POSITIVE_INFINITY)) continue
      this.watched.push({ body, rows, from: rows.offsets[row]!, sums: new Float64Array(set.indices.length) })
    }
    this.perLoad[0] = -1 / (h * h * substeps)
  }

  /** A step begins. */
  begin(): void {
    for (let b = 0; b < this.watched.length; b++) this.watched[b]!.sums.fill(0)
  }

  /** Adds the multipliers of a substep. */
  note(): void {
    for (let b = 0; b < this.watched.length; b++) {
      const { body, rows, from, sums } = this.watched[b]!
      if (body.asleep) continue
      for (let k = 0; k < sums.length; k++) sums[k] = sums[k]! + rows.lambda[from + k]!
    }
  }

  /** Breaks what is overloaded at the end of a step. */
  tear(state: State): void {
    for (let b = 0; b < this.watched.length; b++) {
      const { body, sums } = this.watched[b]!
      if (body.asleep) continue
      let weakest = 0
      for (let k = 1; k < sums.length; k++) if (sums[k]! < sums[weakest]!) weakest = k
      if (!(this.perLoad[0]! * sums[weakest]! > body.settings.tearStrength)) continue
      body.model = brokenAt(body.model, weakest)
      state.version++
      state.tears++
      state.moves++
      noteTear(state, body, weakest, 1)
      state.splits++
    }
  }
}

/** A rope's model without its k-th segment. */
function brokenAt(model: Model, k: number): Model {
  const whole = wholeOf(model)
  const edges = model.edges.filter((_, e) => model.edges[e - (e % 2)] !== k)
  const starts = [0]
  for (let i = 1; i < whole.particleCount; i++) if (!isJoined(edges, i)) starts.push(i)
  const pieceStarts = Uint32Array.from([...starts, whole.particleCount])
  return sealed({
    ...whole,
    edges,
    sets: Object.freeze(whole.sets.map((set) => inPieces(set, pieceStarts))),
    torn: {
      whole,
      origins: nothing,
      open: new Uint8Array(0),
      wings: new Uint32Array(edges.length),
      rows: whole.sets.map(() => null),
      members: Uint32Array.from({ length: whole.particleCount }, (_, i) => i),
      pieceStarts,
    },
  })
}

/** True where a segment leads from the particle before to this one. */
function isJoined(edges: Uint32Array, particle: number): boolean {
  for (let e = 1; e < edges.length; e += 2) if (edges[e] === particle) return true
  return false
}

/** A set whose one row is a whole rope, with a row a piece: indices and rest values stay where they are. */
function inPieces(set: ConstraintSet, pieceStarts: Uint32Array): ConstraintSet {
  const count = pieceStarts.length - 1
  return Object.freeze({
    ...set,
    count,
    offsets: pieceStarts,
    unitCompliance: new Float64Array(count).fill(set.unitCompliance[0]!),
    colors: Uint32Array.of(0, count),
  })
}

/** True for the model of a rope: it can break, and needs no room for that. */
export function isRope(model: Model): boolean {
  return model.sets.some(({ kind }) => kind === chain)
}

/** Segments of a rope that are broken, by the particle that they begin at; null for none. */
export function breaksOf({ torn, particleCount }: Model): Uint8Array | null {
  if (!torn) return null
  const broken = new Uint8Array(particleCount)
  for (let piece = 1; piece + 1 < torn.pieceStarts.length; piece++) broken[torn.pieceStarts[piece]! - 1] = 1
  return broken
}

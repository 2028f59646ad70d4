import type { BodyRecord, State } from '../state.js'
import { isSheet } from './pinDistances.js'

/** Length of an edge, in lengths at rest, beyond which it recoils. */
const DRAWN_OUT = 2
/** Lengths at rest by which the ends of an edge that is so long may come together in a substep. */
const RECOIL = 0.25
/** Sweeps over the edges of a sheet that recoils. */
const SWEEPS = 4

interface Sheet {
  readonly body: BodyRecord
  readonly edges: Uint32Array
  /** By edge [m]. */
  readonly lengths: Float64Array
  /** True where an edge was drawn out when the step began. */
  drawnOut: boolean
}

/**
 * A sheet that something heavy and fast has drawn out to more than twice its length would have torn. What springs back at
 * more than a quarter of an edge's length in a substep loses the rest of that speed, along the edge and by mass, so that
 * momentum stays and energy is lost: else light particles that the sheet lets go are faster than
 * anything that has hit it.
 */
export class Recoil {
  private sheets: readonly Sheet[] = []

  /** To be called where bodies have come or gone, or have torn. */
  bake(state: State): void {
    this.sheets = state.bodies.live.filter(isSheet).map((body) => ({
      body,
      edges: body.model.edges,
      lengths: lengthsOf(body),
      drawnOut: false,
    }))
  }

  /** A step begins: looks which sheets are drawn out. */
  begin({ positions }: State): void {
    for (let s = 0; s < this.sheets.length; s++) {
      const sheet = this.sheets[s]!
      sheet.drawnOut = !sheet.body.asleep && isDrawnOut(positions, sheet)
    }
  }

  /** Velocities being known, slows recoils, in a substep of h[0] [s]. */
  damp(state: State, h: Float64Array): void {
    for (let s = 0; s < this.sheets.length; s++) {
      const sheet = this.sheets[s]!
      if (!sheet.drawnOut) continue
      for (let sweep = 0; sweep < SWEEPS && slow(state, sheet, h); sweep++);
    }
  }
}

function lengthsOf({ model: { edges, positions: x } }: BodyRecord): Float64Array {
  return Float64Array.from({ length: edges.length / 2 }, (_, e) => {
    let square = 0
    for (let d = 0; d < 3; d++) {
      const way = x[edges[e * 2]! * 3 + d]! - x[edges[e * 2 + 1]! * 3 + d]!
      square += way * way
    }
    return Math.sqrt(square)
  })
}

function isDrawnOut(x: Float64Array, { body: { start }, edges, lengths }: Sheet): boolean {
  for (let e = 0; e < lengths.length; e++) {
    const i = (start + edges[e * 2]!) * 3
    const j = (start + edges[e * 2 + 1]!) * 3
    const dx = x[i]! - x[j]!
    const dy = x[i + 1]! - x[j + 1]!
    const dz = x[i + 2]! - x[j + 2]!
    const most = DRAWN_OUT * lengths[e]!
    if (dx * dx + dy * dy + dz * dz > most * most) return true
  }
  return false
}

/** One sweep; false where nothing recoils too fast. It looks where the substep has found the edges. */
function slow({ previous: x, velocities: v, inverseMasses: w }: State, sheet: Sheet, h: Float64Array): boolean {
  const { edges, lengths } = sheet
  const { start } = sheet.body
  let any = false
  for (let e = 0; e < lengths.length; e++) {
    const i = start + edges[e * 2]!
    const j = start + edges[e * 2 + 1]!
    const p = i * 3
    const q = j * 3
    const dx = x[p]! - x[q]!
    const dy = x[p + 1]! - x[q + 1]!
    const dz = x[p + 2]! - x[q + 2]!
    const square = dx * dx + dy * dy + dz * dz
    const rest = lengths[e]!
    const sum = w[i]! + w[j]!
    if (square <= DRAWN_OUT * DRAWN_OUT * rest * rest || sum === 0) continue
    const length = Math.sqrt(square)
    const closing = -((v[p]! - v[q]!) * dx + (v[p + 1]! - v[q + 1]!) * dy + (v[p + 2]! - v[q + 2]!) * dz) / length
    const excess = closing - (RECOIL * rest) / h[0]!
    if (!(excess > 0)) continue
    any = true
    const scale = excess / (sum * length)
    const a = scale * w[i]!
    const b = scale * w[j]!
    v[p] = v[p]! + a * dx
    v[p + 1] = v[p + 1]! + a * dy
    v[p + 2] = v[p + 2]! + a * dz
    v[q] = v[q]! - b * dx
    v[q + 1] = v[q + 1]! - b * dy
    v[q + 2] = v[q + 2]! - b * dz
  }
  return any
}

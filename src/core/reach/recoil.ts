import { edgeLengths } from '../mesh/edges.js'
import type { Model } from '../model.js'
import type { BodyRecord } from '../records.js'
import type { State } from '../state.js'
import { wholeOf } from '../tear/weave.js'
import { isSheet } from './pinDistances.js'

/** Length of an edge, in lengths at rest, beyond which its sheet is strung, and beyond which it recoils. */
const STRUNG = 1.5
const DRAWN_OUT = 2
/** Lengths at rest by which the ends of an edge that is so long may come together in a substep. */
const RECOIL = 0.25
/** Sweeps over the edges of a sheet that recoils. */
const SWEEPS = 16
/** Room of a sheet whose edges have to be looked at. */
const UNSEEN = 0

interface Sheet {
  readonly body: BodyRecord
  readonly edges: Uint32Array
  /** By edge [m]. */
  readonly lengths: Float64Array
  /** Where the particles were when all edges were looked at last [m], and how far each may go before one is strung. */
  readonly seen: Float64Array
  readonly room: Float64Array
  /** True where an edge was strung, and drawn out, when the step began. */
  strung: boolean
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
      lengths: lengthsOf(body.model),
      seen: new Float64Array(body.model.particleCount * 3),
      room: Float64Array.of(UNSEEN),
      strung: false,
      drawnOut: false,
    }))
  }

  /** A step begins: looks which sheets are strung, and which of these are drawn out. */
  begin({ positions }: State): void {
    for (let s = 0; s < this.sheets.length; s++) {
      const sheet = this.sheets[s]!
      sheet.strung = !sheet.body.asleep && hasMoved(positions, sheet) && isStrung(positions, sheet)
      // The room of a sheet that is strung stays none.
      sheet.drawnOut = sheet.strung && hasLonger(positions, sheet.body.start, sheet, DRAWN_OUT)
    }
  }

  /** True for a sheet of which an edge was longer than 1.5 times its length when the step began. */
  isStrung(body: BodyRecord): boolean {
    for (let s = 0; s < this.sheets.length; s++) if (this.sheets[s]!.body === body) return this.sheets[s]!.strung
    return false
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

/** By whole model. */
const lengthsOfWholes = new WeakMap<Model, Float64Array>()

/** A tear leaves the edges where they are, as long at rest as they were; those that it adds come after them. */
function lengthsOf(model: Model): Float64Array {
  const whole = wholeOf(model)
  let lengths = lengthsOfWholes.get(whole)
  if (!lengths) {
    lengths = edgeLengths(whole.edges, whole.positions)
    lengthsOfWholes.set(whole, lengths)
  }
  return model === whole ? lengths : edgeLengths(model.edges, model.positions, lengths)
}

/** False where no particle has gone so far since the edges were looked at that one of them could be strung. */
function hasMoved(x: Float64Array, { body: { start }, seen, room }: Sheet): boolean {
  const least = room[0]!
  if (least <= 0) return true
  for (let p = 0; p < seen.length; p += 3) {
    const dx = x[start * 3 + p]! - seen[p]!
    const dy = x[start * 3 + p + 1]! - seen[p + 1]!
    const dz = x[start * 3 + p + 2]! - seen[p + 2]!
    if (!(dx * dx + dy * dy + dz * dz < least * least)) return true
  }
  return false
}

function isStrung(x: Float64Array, sheet: Sheet): boolean {
  const { body, seen, room } = sheet
  room[0] = Number.POSITIVE_INFINITY
  if (hasLonger(x, body.start, sheet, STRUNG)) {
    room[0] = UNSEEN
    return true
  }
  take(x, body.start * 3, seen)
  return false
}

/**
 * True where an edge is longer than `times` its length at rest; else room[0] is lowered to what each particle may go until
 * one is [m]. Nothing follows the loop, so that all is compiled.
 */
function hasLonger(x: Float64Array, start: number, { edges, lengths, room }: Sheet, times: number): boolean {
  for (let e = 0; e < lengths.length; e++) {
    const i = (start + edges[e * 2]!) * 3
    const j = (start + edges[e * 2 + 1]!) * 3
    const dx = x[i]! - x[j]!
    const dy = x[i + 1]! - x[j + 1]!
    const dz = x[i + 2]! - x[j + 2]!
    const most = times * lengths[e]!
    const square = dx * dx + dy * dy + dz * dz
    if (square > most * most) return true
    // most - length = (most^2 - length^2) / (most + length), and length is at most `most`. Each end goes half of it, and
    // a little less for rounding.
    room[0] = Math.min(room[0]!, 0.49 * ((most - square / most) / 2))
  }
  return false
}

function take(x: Float64Array, first: number, out: Float64Array): void {
  for (let k = 0; k < out.length; k++) out[k] = x[first + k]!
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

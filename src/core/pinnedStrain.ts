import { addPush } from './constraints/neoHookeanStress.js'
import { type FadingFields, fadingFields, hessianOf, SIZE, slopesOf } from './fadingFields.js'
import { isLed } from './ledSpin.js'
import { extractRotation, quaternionToMatrix } from './math/rotation.js'
import { solveFactored } from './math/symmetric.js'
import { isInPieces, isLoose, type Model } from './model.js'
import { RESCUE } from './records.js'
import type { State } from './state.js'
import { MOST, ROWS_A_CALL, type Unresolved, type UnresolvedBody } from './unresolved.js'

interface Corrected extends UnresolvedBody, FadingFields {
  /** By row, how `shares` change along the rest shape [3 x 3]. */
  readonly slopes: Float64Array
  readonly hessian: Float64Array
  /** By particle, where it is at rest, from the mean of all [3 n] m. */
  readonly rest: Float64Array
  /** Sum m dx w^T of the substep's sweeps so far, w of `shares` [3 x 3] m. */
  readonly moved: Float64Array
}

/**
 * How far from its rest shape a body is, by its size (RMS), where half of a step is taken: there it is not as stiff as at rest,
 * nor turned as a whole. Whole steps make what is crushed or hangs far down tremble for ever.
 */
const FAR = 0.1

/** Of the body in hand: its turn, and as a quaternion. */
const R = new Float64Array(9)
const turn = new Float64Array(4)
/** Sum of where its particles are, from their middle, times where they are at rest [m^2]. */
const spread = new Float64Array(9)
/** Sum h^2 F w^T, w of `shares`, less `moved` [m]. */
const push = new Float64Array(9)
/** M in space. */
const T = new Float64Array(9)
/** How unbalanced the forces are, then the correction, in the frame of the rest shape. */
const step = new Float64Array(SIZE)
/** What part of it is taken. By array, since a call with a number allocates. */
const share = new Float64Array(1)

/**
 * What `MeanStrain` is to a body that is free: makes a pinned one as stiff as it was set, in the mean.
 *
 * After a sweep over its tetrahedra the displacement f A u is found, u from the middle of the pins, turned as the body is, with
 * which what they have moved the particles by, dx, balances their forces: sum f (m dx - h^2 F) u^T = 0, in its symmetric part.
 * f grows from 0 at the pins to 1 at half the body's thickness from them: about so far a face that is held keeps a bar from
 * getting narrower. One step of Newton with the Hessian of the rest shape, the less of it the farther the body is from that.
 *
 * Left out is also what an attachment or a joint holds: f knows nothing of it, and would strain what it holds in every sweep.
 */
export class PinnedStrain {
  private corrected: readonly Corrected[] = []

  constructor(private readonly unresolved: Unresolved) {}

  /** To be called when the unresolved bodies are baked. */
  bake(state: State): void {
    this.corrected = this.unresolved.bodies
      .filter(({ body }) => !isLoose(body.model) && !isInPieces(body.model))
      .flatMap((part) => {
        const fields = fadingFields(state, part.body)
        if (!fields) return []
        const slopes = slopesOf(part, fields.shares)
        const hessian = hessianOf(state, part, fields.shares, slopes)
        if (!hessian) return []
        return [{ ...part, ...fields, slopes, hessian, rest: centred(part.body.model), moved: new Float64Array(9) }]
      })
  }

  beginSubstep(): void {
    for (let k = 0; k < this.corrected.length; k++) this.corrected[k]!.moved.fill(0)
  }

  /** A sweep over the tetrahedra is done. */
  project(state: State): void {
    for (let k = 0; k < this.corrected.length; k++) {
      const one = this.corrected[k]!
      const { asleep, rescue } = one.body
      if (asleep || rescue[RESCUE.RATE] !== 0 || rescue[RESCUE.BORNE] !== 0 || isLed(state, one.body)) continue
      addMoved(state, one, this.unresolved.before)
      findTurn(state, one)
      balance(state, one)
      solveFactored(one.hessian, 0, SIZE, step, 0)
      limit(one)
      strain(state, one)
    }
  }
}

function centred({ positions, particleCount: n }: Model): Float64Array {
  const mean = [0, 0, 0]
  for (let p = 0; p < n * 3; p++) mean[p % 3]! += positions[p]! / n
  return positions.map((x, p) => x - mean[p % 3]!)
}

/** Adds what a sweep has moved to `moved`. */
function addMoved({ positions: x, masses }: State, { body, shares, moved }: Corrected, before: Float64Array): void {
  let xx = 0
  let xy = 0
  let xz = 0
  let yx = 0
  let yy = 0
  let yz = 0
  let zx = 0
  let zy = 0
  let zz = 0
  for (let l = 0, i = body.start; l < shares.length; l += 3, i++) {
    const p = i * 3
    const m = masses[i]!
    const dx = m * (x[p]! - before[p]!)
    const dy = m * (x[p + 1]! - before[p + 1]!)
    const dz = m * (x[p + 2]! - before[p + 2]!)
    const u = shares[l]!
    const v = shares[l + 1]!
    const w = shares[l + 2]!
    xx += dx * u
    xy += dx * v
    xz += dx * w
    yx += dy * u
    yy += dy * v
    yz += dy * w
    zx += dz * u
    zy += dz * v
    zz += dz * w
  }
  moved[0] = moved[0]! + xx
  moved[1] = moved[1]! + xy
  moved[2] = moved[2]! + xz
  moved[3] = moved[3]! + yx
  moved[4] = moved[4]! + yy
  moved[5] = moved[5]! + yz
  moved[6] = moved[6]! + zx
  moved[7] = moved[7]! + zy
  moved[8] = moved[8]! + zz
}

/** Sets R to how a body is turned from its rest shape, by its particles, and `share` to how near it is to that. */
function findTurn({ positions: x }: State, { body, rest }: Corrected): void {
  const o = body.start * 3
  const x0 = x[o]!
  const y0 = x[o + 1]!
  const z0 = x[o + 2]!
  let cx = 0
  let cy = 0
  let cz = 0
  let size = 0
  let restSize = 0
  let xx = 0
  let xy = 0
  let xz = 0
  let yx = 0
  let yy = 0
  let yz = 0
  let zx = 0
  let zy = 0
  let zz = 0
  for (let p = 0; p < rest.length; p += 3) {
    const rx = x[o + p]! - x0
    const ry = x[o + p + 1]! - y0
    const rz = x[o + p + 2]! - z0
    const u = rest[p]!
    const v = rest[p + 1]!
    const w = rest[p + 2]!
    cx += rx
    cy += ry
    cz += rz
    size += rx * rx + ry * ry + rz * rz
    restSize += u * u + v * v + w * w
    xx += rx * u
    xy += rx * v
    xz += rx * w
    yx += ry * u
    yy += ry * v
    yz += ry * w
    zx += rz * u
    zy += rz * v
    zz += rz * w
  }
  spread[0] = xx
  spread[1] = xy
  spread[2] = xz
  spread[3] = yx
  spread[4] = yy
  spread[5] = yz
  spread[6] = zx
  spread[7] = zy
  spread[8] = zz
  // From no turn, not from the last one: that would have to be part of the state.
  turn.fill(0)
  turn[3] = 1
  extractRotation(spread, turn, 0)
  quaternionToMatrix(turn, 0, R)
  let alike = 0
  for (let n = 0; n < 9; n++) alike += R[n]! * spread[n]!
  // Sum |x - c - R u|^2 over sum |u|^2.
  size -= (3 * (cx * cx + cy * cy + cz * cz)) / rest.length
  const off = Math.max(0, size - 2 * alike + restSize) / restSize
  share[0] = 1 / (1 + off / (FAR * FAR))
}

/** Sets `step` to the sum of (h^2 F - m dx) w^T in the frame of the rest shape, its symmetric part. */
function balance({ positions }: State, { rows, row, to, stiffnesses, slopes, moved }: Corrected): void {
  push.fill(0)
  for (let from = row; from < to; from += ROWS_A_CALL) {
    addPush(rows, from, Math.min(from + ROWS_A_CALL, to), positions, stiffnesses, slopes, row, push)
  }
  for (let n = 0; n < 9; n++) push[n] = push[n]! - moved[n]!
  step.fill(0)
  for (let d = 0; d < 3; d++) {
    const e = d === 2 ? 0 : d + 1
    for (let n = 0; n < 9; n += 3) {
      step[d] = step[d]! + R[n + d]! * push[n + d]!
      step[3 + d] = step[3 + d]! + R[n + d]! * push[n + e]! + R[n + e]! * push[n + d]!
    }
  }
}

/** Lessens `share` to what strains by no more than MOST. */
function limit({ inverse }: Corrected): void {
  let most = 0
  for (let d = 0; d < 3; d++) {
    const e = d === 2 ? 0 : d + 1
    const f = e === 2 ? 0 : e + 1
    for (let c = 0; c < 3; c++) {
      const A = step[d]! * inverse[d * 3 + c]! + step[3 + d]! * inverse[e * 3 + c]! + step[3 + f]! * inverse[f * 3 + c]!
      most = Math.max(most, Math.abs(A))
    }
  }
  share[0] = Math.min(share[0]!, MOST / most)
}

/** Moves the particles by `share` of `step`, and adds that to `moved`. */
function strain({ positions: x }: State, { body, shares, products, moved }: Corrected): void {
  for (let n = 0; n < 9; n += 3) {
    const a = share[0]! * R[n]!
    const b = share[0]! * R[n + 1]!
    const c = share[0]! * R[n + 2]!
    T[n] = a * step[0]! + b * step[3]! + c * step[5]!
    T[n + 1] = a * step[3]! + b * step[1]! + c * step[4]!
    T[n + 2] = a * step[5]! + b * step[4]! + c * step[2]!
    for (let d = 0; d < 3; d++) {
      moved[n + d] = moved[n + d]! + T[n]! * products[d]! + T[n + 1]! * products[3 + d]! + T[n + 2]! * products[6 + d]!
    }
  }
  const xx = T[0]!
  const xy = T[1]!
  const xz = T[2]!
  const yx = T[3]!
  const yy = T[4]!
  const yz = T[5]!
  const zx = T[6]!
  const zy = T[7]!
  const zz = T[8]!
  for (let l = 0, p = body.start * 3; l < shares.length; l += 3, p += 3) {
    const u = shares[l]!
    const v = shares[l + 1]!
    const w = shares[l + 2]!
    x[p] = x[p]! + (xx * u + xy * v + xz * w)
    x[p + 1] = x[p + 1]! + (yx * u + yy * v + yz * w)
    x[p + 2] = x[p + 2]! + (zx * u + zy * v + zz * w)
  }
}

import type { Stats } from './counters.js'
import type { Inverted } from './inverted.js'
import { areaVector } from './math/triangle.js'
import { type BodyRecord, RESCUE, UNSTABLE } from './records.js'
import { settles } from './settling.js'
import type { State } from './state.js'

/** For how long tetrahedra of what lies may be inverted before they are turned back [s]. */
const PATIENCE = 0.25
/** Speed of the centre of mass below which a body lies [m/s]. */
const LIES = 0.1
/** What they are brought to, in the mean volume of the body's at rest: hardly more than flat, the rest is the material's. */
const LEAST = 0.01

/** Of the tetrahedron in hand: six times the gradients of its volume by its corners [m^2]. */
const gradients = [new Float64Array(3), new Float64Array(3), new Float64Array(3), new Float64Array(3)] as const
/** Six times the volume that the body in hand's are brought to [m^3]. */
const least = new Float64Array(1)

/**
 * Turns back what a fall has left inside out. A few tetrahedra at a corner that is pressed can stay inverted: the material,
 * which heals the body once it is free, finds its rest there under the load. In what has lain so for `PATIENCE` each is
 * brought upright along the gradient of its volume, by mass, as if it had always been there, in each step that finds it
 * inverted: this keeps the centre of mass and turns nothing, and gives no speed. None of its corners goes farther in a step
 * than the body's thickness, so that none is put through what touches it. What trembles is not touched: it settles as it is.
 * `stats.turnedBack` counts how often this begins.
 */
export class Upright {
  constructor(private readonly inverted: Inverted) {}

  /** At the end of a step of timeStep[0] [s]. */
  turnBack(state: State, timeStep: Float64Array, stats: Stats): void {
    const bodies = state.bodies.live
    for (let b = 0; b < bodies.length; b++) {
      const body = bodies[b]!
      if (body.asleep || this.inverted.watched[b] === 0) continue
      const { rescue, settings } = body
      const isLeft = settings.rescue && rescue[RESCUE.LOST] === 0 && !settles(body)
      const lies = isLeft && this.inverted.has(state, b) && isSlow(state, body)
      const waited = rescue[RESCUE.INVERTED]! > PATIENCE
      rescue[RESCUE.INVERTED] = lies ? rescue[RESCUE.INVERTED]! + timeStep[0]! : 0
      if (!(rescue[RESCUE.INVERTED]! > PATIENCE)) continue
      bringUpright(state, body)
      if (waited) continue
      stats.turnedBack++
      body.unstable |= UNSTABLE.INVERTED
    }
  }
}

function isSlow({ velocities: v, masses }: State, { start, model, mass }: BodyRecord): boolean {
  let ux = 0
  let uy = 0
  let uz = 0
  for (let i = start; i < start + model.particleCount; i++) {
    ux += masses[i]! * v[i * 3]!
    uy += masses[i]! * v[i * 3 + 1]!
    uz += masses[i]! * v[i * 3 + 2]!
  }
  return ux * ux + uy * uy + uz * uz < LIES * LIES * mass * mass
}

function bringUpright({ positions: x, inverseMasses: w }: State, { start, model }: BodyRecord): void {
  const { tets } = model
  least[0] = (24 * LEAST * model.volume) / tets.length
  const [g0, g1, g2, g3] = gradients
  for (let t = 0; t < tets.length; t += 4) {
    const p0 = (start + tets[t]!) * 3
    const p1 = (start + tets[t + 1]!) * 3
    const p2 = (start + tets[t + 2]!) * 3
    const p3 = (start + tets[t + 3]!) * 3
    areaVector(x, p0, p2, p3, g1)
    let volume = 0
    for (let d = 0; d < 3; d++) volume += g1[d]! * (x[p1 + d]! - x[p0 + d]!)
    if (volume > 0) continue
    areaVector(x, p0, p3, p1, g2)
    areaVector(x, p0, p1, p2, g3)
    for (let d = 0; d < 3; d++) g0[d] = -g1[d]! - g2[d]! - g3[d]!
    let yields = 0
    let most = 0
    for (let k = 0; k < 4; k++) {
      const g = gradients[k]!
      const inverse = w[start + tets[t + k]!]!
      const square = g[0]! * g[0]! + g[1]! * g[1]! + g[2]! * g[2]!
      yields += inverse * square
      most = Math.max(most, inverse * inverse * square)
    }
    if (!(yields > 0)) continue // pinned, or all in one line
    const push = Math.min((least[0] - volume) / yields, model.thickness / Math.sqrt(most))
    for (let k = 0; k < 4; k++) {
      const i = start + tets[t + k]!
      for (let d = 0; d < 3; d++) x[i * 3 + d] = x[i * 3 + d]! + push * w[i]! * gradients[k]![d]!
    }
  }
}

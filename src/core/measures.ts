import { tetVolume } from './constraints/volume.js'
import type { BodyRecord } from './records.js'
import type { Region } from './region.js'
import type { State } from './state.js'
import type { MutableVec3 } from './vectors.js'

/** Mean of a column over the body's particles, by mass. */
export function meanByMass({ start, model }: BodyRecord, column: Float64Array, target: MutableVec3): MutableVec3 {
  target.fill(0)
  for (let i = 0; i < model.particleCount; i++) {
    for (let d = 0; d < 3; d++) target[d] = target[d]! + model.massShares[i]! * column[(start + i) * 3 + d]!
  }
  return target
}

/** Mean of a region's particles by its weights [m]. */
export function meanOfRegion(
  { start }: BodyRecord,
  { positions: x }: State,
  { particles, weights }: Region,
  target: MutableVec3,
): MutableVec3 {
  target.fill(0)
  for (let k = 0; k < particles.length; k++) {
    const p = (start + particles[k]!) * 3
    for (let d = 0; d < 3; d++) target[d] = target[d]! + weights[k]! * x[p + d]!
  }
  return target
}

/** Box about all particles of a body [m]: least x, y, z, then largest. */
export function particleBoundsOf({ start, model }: BodyRecord, { positions: x }: State, target: Float64Array): void {
  for (let d = 0; d < 3; d++) {
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (let p = start * 3 + d; p < (start + model.particleCount) * 3; p += 3) {
      const at = x[p]!
      if (at < low) low = at
      if (at > high) high = at
    }
    target[d] = low
    target[3 + d] = high
  }
}

/** Box about all of a body that colliders stop, its particles and drawn points [m]: least x, y, z, then largest. */
export function boundsOf(body: BodyRecord, state: State, target: Float64Array): void {
  const { start, model } = body
  const { positions: x } = state
  const { particles, weights } = model.feelers
  particleBoundsOf(body, state, target)
  for (let d = 0; d < 3; d++) {
    let low = target[d]!
    let high = target[3 + d]!
    for (let f = 0; f < particles.length; f += 4) {
      let at = 0
      for (let k = f; k < f + 4; k++) at += weights[k]! * x[(start + particles[k]!) * 3 + d]!
      if (at < low) low = at
      if (at > high) high = at
    }
    target[d] = low
    target[3 + d] = high
  }
}

/** Volume of a body's tetrahedra [m^3]. */
export function volumeOf({ start, model }: BodyRecord, { positions }: State): number {
  const x = positions.subarray(start * 3, (start + model.particleCount) * 3)
  let sum = 0
  for (let t = 0; t < model.tets.length; t += 4) sum += tetVolume(x, model.tets, t)
  return sum
}

/** Largest relative change of length of any of a body's edges. */
export function maxStrainOf({ start, model }: BodyRecord, { positions }: State): number {
  const { positions: rest, edges } = model
  let largest = 0
  for (let e = 0; e < edges.length; e += 2) {
    const a = edges[e]! * 3
    const b = edges[e + 1]! * 3
    let l0 = 0
    let l = 0
    for (let d = 0; d < 3; d++) {
      l0 += (rest[a + d]! - rest[b + d]!) * (rest[a + d]! - rest[b + d]!)
      const dx = positions[start * 3 + a + d]! - positions[start * 3 + b + d]!
      l += dx * dx
    }
    largest = Math.max(largest, Math.abs(Math.sqrt(l / l0) - 1))
  }
  return largest
}

/** How far a rope or a free particle is seen to reach from where its particles are, as it keeps others away [m]; 0 of what has a surface. */
export function radiusOf({ model, settings }: BodyRecord): number {
  return model.triangles.length === 0 ? (settings.thickness ?? model.thickness) : 0
}

import type { AttractorRecord } from './attractor.js'
import type { BodyRecord } from './records.js'
import type { State } from './state.js'

/** Where an attractor is in a substep, and where what it pulls is [m]. */
const at = new Float64Array(3)
const place = new Float64Array(3)
/** Acceleration at a place [m/s^2]. */
const pull = new Float64Array(3)

/**
 * Radial gravity: towards each attractor within its range, a, a r or a / r^2 at the distance r. Velocities change by h
 * times it before x += h v (symplectic Euler), so that an orbit keeps its energy but for a ripple of the order h.
 */
export class Attraction {
  /** Finds, once a step, by how much each body is pulled at its centre of mass: what judges falls and rests goes by that. */
  begin(state: State): void {
    const { live } = state.bodies
    for (let b = 0; b < live.length; b++) {
      const body = live[b]!
      body.pull.fill(0)
      if (state.attractors.live.length === 0 || body.asleep) continue
      findCenter(state, body)
      for (let a = 0; a < state.attractors.live.length; a++) {
        const { from } = state.attractors.live[a]!
        for (let d = 0; d < 3; d++) at[d] = from[d]!
        addPull(state.attractors.live[a]!)
      }
      for (let d = 0; d < 3; d++) {
        body.pull[d] = body.settings.gravityScale * pull[d]!
        pull[d] = 0
      }
    }
  }

  /** Changes velocities by what attractors do in substep `substep` of `substeps`, of h[0] [s]. */
  act(state: State, substep: number, substeps: number, h: Float64Array): void {
    const { bodies, attractors } = state
    for (let a = 0; a < attractors.live.length; a++) {
      const record = attractors.live[a]!
      for (let d = 0; d < 3; d++) {
        at[d] = record.from[d]! + ((record.target[d]! - record.from[d]!) * substep) / substeps
      }
      for (let b = 0; b < bodies.live.length; b++) {
        const body = bodies.live[b]!
        if (!body.asleep && body.settings.gravityScale !== 0) actOn(state, record, body, h)
      }
    }
  }

  /** Attractors have reached the end of their way in the step. */
  end(state: State): void {
    for (let a = 0; a < state.attractors.live.length; a++) {
      const { from, target } = state.attractors.live[a]!
      from.set(target)
    }
  }
}

function actOn(
  { positions: x, velocities: v, inverseMasses: w }: State,
  record: AttractorRecord,
  { start, model, settings }: BodyRecord,
  h: Float64Array,
): void {
  const scale = h[0]! * settings.gravityScale
  for (let i = start; i < start + model.particleCount; i++) {
    if (w[i] === 0) continue
    const p = i * 3
    for (let d = 0; d < 3; d++) {
      place[d] = x[p + d]!
      pull[d] = 0
    }
    addPull(record)
    for (let d = 0; d < 3; d++) {
      v[p + d] = v[p + d]! + scale * pull[d]!
      pull[d] = 0
    }
  }
}

/** Adds to `pull` what an attractor at `at` does at `place`. */
function addPull({ settings }: AttractorRecord): void {
  const dx = at[0]! - place[0]!
  const dy = at[1]! - place[1]!
  const dz = at[2]! - place[2]!
  const r = Math.sqrt(dx * dx + dy * dy + dz * dz)
  const { strength, falloff, range, radius } = settings
  if (r > range) return
  // Per metre of the way there; within the radius as if that far off, so that it goes to nothing in proportion.
  const far = r > radius ? r : radius
  const share = falloff === 'linear' ? strength : falloff === 'constant' ? strength / far : strength / (far * far * far)
  pull[0] = pull[0]! + share * dx
  pull[1] = pull[1]! + share * dy
  pull[2] = pull[2]! + share * dz
}

function findCenter({ positions: x, masses }: State, { start, model, mass }: BodyRecord): void {
  place.fill(0)
  for (let i = start; i < start + model.particleCount; i++) {
    const share = masses[i]! / mass
    for (let d = 0; d < 3; d++) place[d] = place[d]! + share * x[i * 3 + d]!
  }
}

/** True where attractors pull the body at its centre of mass. */
export function isPulled({ pull: felt }: BodyRecord): boolean {
  return felt[0] !== 0 || felt[1] !== 0 || felt[2] !== 0
}

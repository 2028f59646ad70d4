import { describe, expect, it } from 'vitest'
import { keepFinite } from '../../src/backends/reference/guards.js'
import { bodySettings } from '../../src/core/bodySettings.js'
import { createStats } from '../../src/core/counters.js'
import { UNSTABLE } from '../../src/core/records.js'
import { State } from '../../src/core/state.js'
import { defaultsOf } from '../../src/core/validation.js'
import type { BodySettings } from '../../src/headless.js'
import { cube } from '../support/lattice.js'

const model = cube(1, 1)

/** What is left after a step that lost a number of a body, of two of which the first sleeps; and what is right. */
function keep(lost: { sleeper: boolean; waker: boolean }) {
  const state = new State()
  const bodies = [true, false].map((asleep) => {
    const body = state.addBody(model, { ...(defaultsOf(bodySettings) as BodySettings), elastic: {} })
    body.asleep = asleep
    return body
  })
  const right = state.positions.slice()
  state.stepStart.set(right)
  for (const { asleep, start } of bodies) {
    if (asleep ? lost.sleeper : lost.waker) state.positions[start * 3 + 4] = Number.NaN
  }
  const stats = createStats()
  keepFinite(state, stats)
  return { state, right, stats, told: bodies.map(({ unstable }) => (unstable & UNSTABLE.NON_FINITE) !== 0) }
}

describe('what is not finite after a step', () => {
  it('goes back to where the step found it, and is told', () => {
    const { state, right, stats, told } = keep({ sleeper: false, waker: true })
    expect(state.positions).toEqual(right)
    expect(stats.nonFiniteRescues).toBe(1)
    expect(told).toEqual([false, true])
  })

  it('goes back too where it sleeps, and has touched what was not', () => {
    const { state, right, stats, told } = keep({ sleeper: true, waker: true })
    expect(state.positions).toEqual(right)
    expect(stats.nonFiniteRescues).toBe(2)
    expect(told).toEqual([true, true])
  })
})

import { describe, expect, it } from 'vitest'
import { keepFinite } from '../../src/backends/reference/guards.js'
import { bodySettings } from '../../src/core/bodySettings.js'
import { TOUCH, Touches } from '../../src/core/collision/touches.js'
import { PAIR } from '../../src/core/contactPair.js'
import { createStats } from '../../src/core/counters.js'
import { UNSTABLE } from '../../src/core/records.js'
import { beginSettling, settles } from '../../src/core/settling.js'
import { State } from '../../src/core/state.js'
import { defaultsOf } from '../../src/core/validation.js'
import { type WorldSettings, worldSettings } from '../../src/core/worldSettings.js'
import { type BodySettings, World } from '../../src/headless.js'
import { cube } from '../support/lattice.js'

const model = cube(1, 1)

/** What is left after a step that lost a number of a body, of two of which the first sleeps; and what is right. */
function keep(lost: { sleeper: boolean; waker: boolean }) {
  const state = new State()
  const bodies = [true, false].map((asleep) => {
    const body = state.addBody(model, { ...(defaultsOf(bodySettings) as BodySettings), elastic: {} })
    body.asleep = asleep
    beginSettling(body)
    return body
  })
  const right = state.positions.slice()
  state.stepStart.set(right)
  for (const { asleep, start } of bodies) {
    if (asleep ? lost.sleeper : lost.waker) state.positions[start * 3 + 4] = Number.NaN
  }
  const stats = createStats()
  keepFinite(state, stats)
  const told = bodies.map(({ unstable }) => (unstable & UNSTABLE.NON_FINITE) !== 0)
  return { state, right, stats, told, settling: bodies.map(settles) }
}

describe('what is not finite after a step', () => {
  it('goes back to where the step found it, and is told', () => {
    const { state, right, stats, told } = keep({ sleeper: false, waker: true })
    expect(state.positions).toEqual(right)
    expect(stats.nonFiniteRescues).toBe(1)
    expect(told).toEqual([false, true])
  })

  it('forgets the ways by which it settled, which were not finite either', () => {
    expect(keep({ sleeper: false, waker: true }).settling).toEqual([true, false])
  })

  it('goes back too where it sleeps, and has touched what was not', () => {
    const { state, right, stats, told } = keep({ sleeper: true, waker: true })
    expect(state.positions).toEqual(right)
    expect(stats.nonFiniteRescues).toBe(2)
    expect(told).toEqual([true, true])
  })
})

describe('a speed beyond all bounds', () => {
  it.each([1e31, 1e160, 1e300])('of %d m/s stops its body where it was, once, and is told', (speed) => {
    const world = new World()
    const body = world.addBody(model)
    const told: string[] = []
    world.onUnstable((_, reason) => told.push(reason))
    world.step()
    const before = body.readPositions()
    body.setVelocity([speed, 0, 0])
    world.step()
    expect(body.readPositions()).toEqual(before)
    expect(told).toEqual(['nonFinite'])
    world.step()
    expect(world.stats.nonFiniteRescues).toBe(1)
  })
})

describe('a state that was refused before a step', () => {
  it('was counted then: the step is not lost as well', () => {
    const world = new World()
    const body = world.addBody(model)
    const snapshot = world.snapshot()
    snapshot.bodies[0]!.vectors[0]!.fill(Number.NaN)
    world.restore(snapshot)
    expect(world.stats.nonFiniteRescues).toBe(1)
    world.step()
    expect(world.stats.nonFiniteRescues).toBe(1)
    expect(body.readVelocities()[1]).toBeLessThan(0)
  })
})

describe('a touch that is not finite, or has no normal', () => {
  it.each([
    [[Number.NaN, 0, 0, 0, 0, 1, 0, 0, 1, 0]],
    [[1, Number.POSITIVE_INFINITY, 0, 0, 0, 1, 0, 0, 1, 0]],
    [[1, 0, 0, 0, 0, Number.NaN, 0, 0, 1, 0]],
    [[1, 0, 0, 0, 0, 1, 0, 0, Number.NaN, 0]],
    [[1, 0, 0, 0, 0, 0, 0, 0, 1, 0]],
  ])('begins nothing, and leaves what there is as it was: %j', (lost) => {
    const state = new State()
    for (let k = 0; k < 2; k++) {
      state.addBody(model, { ...(defaultsOf(bodySettings) as BodySettings), elastic: {} })
    }
    const settings = defaultsOf<WorldSettings>(worldSettings)
    const touches = new Touches()
    const numbers: number[] = []
    for (const touch of [lost, [1, 0, 0, 0, 0, 1, 0, 0, 1, 0], lost]) {
      touches.begin()
      touches.touch.set(touch)
      touches.noteBodies(0, 1)
      state.contacts.update(state, touches, settings)
      for (const pair of state.contacts.active) numbers.push(...pair.numbers)
      expect(state.contacts.active.length).toBe(touch === lost && numbers.length === 0 ? 0 : 1)
    }
    expect(numbers.every(Number.isFinite)).toBe(true)
    expect(numbers.slice(-PAIR.SIZE).slice(PAIR.TOUCH + TOUCH.NORMAL, PAIR.TOUCH + TOUCH.WHOLE)).toEqual([0, 1, 0])
  })
})

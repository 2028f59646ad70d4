import { describe, expect, it } from 'vitest'
import { ropeModel, World } from '../../src/headless.js'
import { bodyMotion, expectHealthy, positionsOf, run } from '../support/laws.js'

const g = 9.81

/** A rope that hangs from its first particle, with a load at its last that grows by `rate` [N/s]. */
function pulled(segments: number, strength: number, rate: number) {
  const world = new World({ sleeping: false })
  const body = world.addBody(ropeModel({ length: 1, segments }).model, { tearStrength: strength, damping: 4 })
  body.pin([0])
  const forces = new Float64Array(3 * (segments + 1))
  let load = 0
  const pull = () => {
    load += rate / 60
    forces[3 * segments + 1] = -load
    body.addForces(forces)
    world.step()
  }
  return { world, body, pull, loadNow: () => load }
}

describe('a rope breaks', () => {
  for (const segments of [6, 12, 24]) {
    it(`at its strength, where it bears most, ${segments} segments`, () => {
      const strength = 40
      const { world, body, pull, loadNow } = pulled(segments, strength, 10)
      const told: number[] = []
      body.onTear(({ particle, count }) => told.push(particle, count))
      for (let k = 0; k < 600 && told.length === 0; k++) pull()
      // The topmost segment bears the load and all of the weight but half a segment's.
      const weight = 0.2 * g * (1 - 0.5 / segments)
      expect(told).toEqual([0, 1])
      expect(Math.abs((loadNow() + weight) / strength - 1)).toBeLessThan(0.02)
      expect(world.stats.tears).toBe(1)
      expect(body.model.edges.length / 2).toBe(segments - 1)
      // What has come off falls freely, the pin holds what is left of it: one particle.
      const before = bodyMotion(body).momentum[1]!
      run(world, 0.25)
      expect(bodyMotion(body).momentum[1]!).toBeLessThan(before - 0.1)
      expect(body.getPosition(0, [0, 0, 0])).toEqual([0, 0, 0])
      expect(body.getPosition(1, [0, 0, 0])[1]).toBeLessThan(-0.2)
      expectHealthy(world)
    })
  }

  it('again, piece by piece, and stays finite', () => {
    const world = new World({ sleeping: false })
    const body = world.addBody(ropeModel({ length: 2, segments: 40 }).model, { tearStrength: 1, selfCollision: true })
    body.pin([0, 20])
    body.setVelocity([3, 0, 2], [4, 5, 6])
    run(world, 2)
    expect(world.stats.tears).toBeGreaterThan(2)
    expect(positionsOf(body).every(Number.isFinite)).toBe(true)
    expect(world.stats.nonFiniteRescues).toBe(0)
  })

  it('and keeps momentum and mass while it does', () => {
    const world = new World({ gravity: [0, 0, 0], sleeping: false })
    const body = world.addBody(ropeModel({ length: 1, segments: 10 }).model, { tearStrength: 5 })
    // Both halves are flung apart.
    const forces = new Float64Array(33)
    forces[1] = 20
    forces[31] = -20
    for (let k = 0; k < 60 && world.stats.tears === 0; k++) {
      body.addForces(forces)
      world.step()
    }
    expect(world.stats.tears).toBe(1)
    const before = bodyMotion(body)
    run(world, 1)
    const after = bodyMotion(body)
    for (let d = 0; d < 3; d++) {
      expect(Math.abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(1e-10 * before.momentumSize + 1e-12)
    }
    expect(after.mass).toBeCloseTo(before.mass, 12)
  })

  it('is whole again after a reset, and as it was after a restore', () => {
    const { world, body, pull } = pulled(10, 20, 20)
    const whole = world.snapshot()
    for (let k = 0; k < 100 && world.stats.tears === 0; k++) pull()
    expect(body.model.torn!.pieceStarts.length).toBe(3)
    const broken = world.snapshot()
    body.reset()
    run(world, 0.5)
    expect(body.model.torn).toBeUndefined()
    expect(body.maxStrain()).toBeLessThan(0.01)
    world.restore(broken)
    expect(body.model.torn!.pieceStarts.length).toBe(3)
    run(world, 0.1)
    world.restore(whole)
    expect(body.model.torn).toBeUndefined()
  })

  it('never, unless it is told to', () => {
    const { world, pull } = pulled(10, Number.POSITIVE_INFINITY, 200)
    for (let k = 0; k < 100; k++) pull()
    expect(world.stats.tears).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { type Body, box, plane, presets, type UnstableReason, World } from '../../src/headless.js'
import { invertedCount, outcome, putAt, startModels, startPositions, starts } from '../fuzz/starts.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, expectHealthy, positionsOf, run, velocitiesOf } from '../support/laws.js'
import { long } from '../support/long.js'

const solid = cube(1, 4)
const still = { gravity: [0, 0, 0] } as const

/** A body turned inside out, in flight. */
function mirrored(settings: Parameters<World['addBody']>[1] = {}): { world: World; body: Body } {
  const world = new World(still)
  const body = world.addBody(solid, { ...presets.jelly, ...settings })
  putAt(world, body, startPositions(solid, 'mirror', 1))
  return { world, body }
}

/** How often each reason was told, a step. */
function listen(world: World): { body: Body; reason: UnstableReason; step: number }[] {
  const told: { body: Body; reason: UnstableReason; step: number }[] = []
  world.onUnstable((body, reason) => told.push({ body, reason, step: world.stepIndex }))
  return told
}

describe('rescue of what has turned inside out', () => {
  it('is counted and told for each step in which it pulls, with the body', () => {
    const { world, body } = mirrored()
    world.addBody(solid, { ...presets.jelly, position: [3, 0, 0] })
    const told = listen(world)
    const pulled: number[] = []
    run(world, 1, () => {
      if (world.stats.inversionRescues > pulled.length) pulled.push(world.stepIndex)
    })
    expect(pulled.length).toBeGreaterThan(0)
    expect(told).toEqual(pulled.map((step) => ({ body, reason: 'inverted', step })))
    expect(outcome(body).inverted).toBe(0)
  })

  it.each(starts)(
    'acts in the steps that find a tetrahedron inverted, and in no other: 500 tetrahedra, %s',
    async (start) => {
      const model = await startModels['500 tetrahedra']()
      const world = new World(still)
      const body = world.addBody(model, { ...presets.jelly })
      putAt(world, body, startPositions(model, start, 1))
      for (let step = 1; step <= 180; step++) {
        const inverted = invertedCount(model, positionsOf(body))
        const { inversionRescues } = world.stats
        world.step()
        expect({ step, acts: world.stats.inversionRescues - inversionRescues }).toEqual({
          step,
          acts: inverted > 0 ? 1 : 0,
        })
      }
      expect(outcome(body).rms).toBeLessThan(0.01)
    },
  )

  it('keeps the momentum and the spin of a body that flies and turns', () => {
    const { world, body } = mirrored({ shapeDamping: 0 })
    body.setVelocity([3, 1, -2], [0.5, 2, -1])
    world.flush()
    const before = bodyMotion(body)
    run(world, 0.5)
    expect(world.stats.inversionRescues).toBeGreaterThan(0)
    const after = bodyMotion(body)
    const spin = Math.hypot(...before.angularMomentum)
    for (let d = 0; d < 3; d++) {
      expect(Math.abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(1e-9 * before.momentumSize)
      expect(Math.abs(after.angularMomentum[d]! - before.angularMomentum[d]!)).toBeLessThan(1e-9 * spin)
    }
  })

  it('leaves pinned particles where they are', () => {
    const { world, body } = mirrored()
    const pins = [0, 1, 2]
    body.pin(pins)
    const before = positionsOf(body)
    run(world, 2)
    const after = positionsOf(body)
    for (const i of pins) expect(after.slice(i * 3, i * 3 + 3)).toEqual(before.slice(i * 3, i * 3 + 3))
    expect(world.stats.inversionRescues).toBeGreaterThan(0)
    expect(outcome(body).inverted).toBe(0)
  })

  it('can be switched off: the body then unfolds alone, more slowly, and that is counted and told as well', () => {
    const steps = [true, false].map((rescue) => {
      const { world, body } = mirrored({ rescue })
      const told = listen(world)
      run(world, 3)
      expect(outcome(body).inverted).toBe(0)
      expect(told.every(({ reason }) => reason === 'inverted')).toBe(true)
      expect(told.length).toBe(world.stats.inversionRescues)
      return told.length
    })
    expect(steps[0]).toBeGreaterThan(0)
    expect(steps[1]).toBeGreaterThan(2 * steps[0]!)
  })

  it('finds nothing in what no tetrahedra hold', () => {
    const { world } = mirrored({ elastic: { neoHookean: false, shape: { rate: 60 } } })
    run(world, 0.5)
    expectHealthy(world)
  })

  it('steps on from a snapshot within it with the same bits', () => {
    const { world, body } = mirrored()
    run(world, 1 / 60)
    const snapshot = world.snapshot()
    run(world, 0.3)
    const first = positionsOf(body)
    world.restore(snapshot)
    run(world, 0.3)
    expect(positionsOf(body)).toEqual(first)
  })

  it('gets a crushed body up from the floor', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(solid, { ...presets.jelly, position: [0, 0.6, 0] })
    putAt(
      world,
      body,
      startPositions(solid, 'random', 3).map((x, p) => (p % 3 === 1 ? 0.05 + 0.02 * x : x)),
    )
    run(world, 4)
    expect(outcome(body)).toMatchObject({ inverted: 0 })
    expect(outcome(body).volume).toBeGreaterThan(0.97) // it sags by its weight
    expect(world.stats.nonFiniteRescues).toBe(0)
  })

  it('draws no body through a press, and gets it back from between the plates', () => {
    const world = new World()
    world.addCollider(plane())
    const top = world.addCollider(box([3, 0.2, 3]), { position: [0, 1.12, 0] })
    const body = world.addBody(cube(1, 6), { ...presets.jelly, position: [0, 0.503, 0] })
    const height = () => body.bounds(new Float64Array(6))[4]!
    run(world, 3, (time) => top.setPose([0, 1.12 - 0.95 * Math.min(1, time), 0], [0, 0, 0, 1]))
    expect(world.stats.inversionRescues).toBeGreaterThan(0)
    expect(height()).toBeLessThan(0.1)
    top.remove()
    run(world, 2)
    expect(outcome(body).inverted).toBe(0)
    expect(height()).toBeGreaterThan(0.8)
    const { inversionRescues } = world.stats
    run(world, 1)
    expect(world.stats.inversionRescues).toBe(inversionRescues)
  })

  it('keeps out of a fall of 3 m, though tetrahedra are inverted by it', async () => {
    const model = await startModels.bunny()
    for (const preset of ['jelly', ...long('balloon')] as const) {
      const world = new World()
      world.addCollider(plane())
      const body = world.addBody(model, { ...presets[preset], position: [0, 3.5, 0] })
      let most = 0
      run(world, 1.5, () => {
        most = Math.max(most, invertedCount(model, positionsOf(body)))
      })
      expect(most).toBeGreaterThan(10)
      expectHealthy(world)
    }
  })

  it('draws nothing out of a press to 30% of the height: what trembles there settles, once', () => {
    for (const preset of ['jelly', 'rubber', 'balloon'] as const) {
      const world = new World()
      world.addCollider(plane())
      const top = world.addCollider(box([3, 0.2, 3]), { position: [0, 1.12, 0] })
      const body = world.addBody(cube(1, 6), { ...presets[preset], position: [0, 0.503, 0] })
      run(world, 2, (time) => top.setPose([0, 1.12 - 0.7 * Math.min(1, time), 0], [0, 0, 0, 1]))
      expect(body.bounds(new Float64Array(6))[4]).toBeLessThan(0.33)
      expect(world.stats.inversionRescues).toBeLessThan(2)
      expect(world.stats).toMatchObject({ speedClamps: 0, contactClamps: 0, nonFiniteRescues: 0 })
    }
  })
})

describe('what is not finite', () => {
  it('a body that a force has driven beyond all numbers is put back, at rest; the rest of the world goes on', () => {
    const world = new World(still)
    const body = world.addBody(solid, { ...presets.jelly })
    const other = world.addBody(solid, { ...presets.jelly, position: [3, 0, 0] })
    other.setVelocity([1, 0, 0])
    run(world, 0.5)
    const told = listen(world)
    const before = positionsOf(body)
    const place = other.centerOfMass([0, 0, 0])[0]
    body.addForce([1e308, 0, 0])
    world.step()
    expect(positionsOf(body)).toEqual(before)
    expect(velocitiesOf(body).every((v) => v === 0)).toBe(true)
    expect(other.centerOfMass([0, 0, 0])[0]).toBeCloseTo(place + 1 / 60, 6)
    expect(world.stats.nonFiniteRescues).toBe(1)
    expect(told.filter(({ reason }) => reason === 'nonFinite')).toEqual([{ body, reason: 'nonFinite', step: 31 }])
    expect(told.every((one) => one.body === body)).toBe(true)
    run(world, 1)
    expect(world.stats.nonFiniteRescues).toBe(1)
  })

  it('a snapshot that is not finite is not taken over', () => {
    const world = new World()
    const body = world.addBody(solid, { ...presets.jelly })
    const other = world.addBody(solid, { ...presets.jelly, position: [3, 0, 0] })
    const snapshot = world.snapshot()
    run(world, 0.2)
    const [before, start] = [positionsOf(body), world.snapshot().bodies[1]!]
    snapshot.bodies[0]!.vectors[0]![4] = Number.NaN
    const told = listen(world)
    world.restore(snapshot)
    expect(positionsOf(body)).toEqual(before)
    expect(positionsOf(other)).not.toEqual(start.vectors[0])
    expect(world.stats.nonFiniteRescues).toBe(1)
    world.step()
    expect(told).toEqual([{ body, reason: 'nonFinite', step: world.stepIndex }])
  })

  it('a pin that is sent beyond what a geometry can hold leaves its body where it was', () => {
    const world = new World(still)
    const body = world.addBody(solid, { ...presets.jelly })
    body.pin([0])
    const before = positionsOf(body)
    body.movePin(0, [1e39, 0, 0])
    run(world, 0.1)
    expect(positionsOf(body)).toEqual(before)
    expect(world.stats.nonFiniteRescues).toBeGreaterThan(0)
  })

  it('a speed beyond maxSpeed is told with its body', () => {
    const world = new World({ ...still, maxSpeed: 10 })
    const body = world.addBody(solid, { ...presets.jelly })
    const told = listen(world)
    body.setVelocity([20, 0, 0])
    world.step()
    expect(told).toEqual([{ body, reason: 'speed', step: 1 }])
    body.setVelocity([9, 0, 0])
    run(world, 0.2)
    expect(told.length).toBe(1)
  })
})

import { describe, expect, it } from 'vitest'
import { type Body, plane, presets, type Region, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { centerOf, expectHealthy, particle, positionsOf, run, substepOf, velocityOf } from '../support/laws.js'

const g = 9.81
const whole: Region = { particles: Uint32Array.of(0), weights: Float64Array.of(1) }
const size = (v: readonly number[]) => Math.hypot(...v)

/** Particles of a cube's face x = side. */
function face(body: Body, x: number): Uint32Array {
  const rest = body.model.positions
  return Uint32Array.from({ length: body.particleCount }, (_, i) => i).filter((i) => Math.abs(rest[i * 3]! - x) < 1e-9)
}

describe('an attachment', () => {
  for (const seed of seeds(4)) {
    it(`stretches by compliance x force, whatever the substeps, seed ${seed}`, () => {
      const random = new Random(seed)
      const mass = random.scale(0.1, 100)
      const compliance = random.uniform(0.02, 0.2) / (mass * g)
      const sags = [compliance, 2 * compliance].map((value) => {
        const world = new World({ substeps: random.integer(1, 20) })
        const body = world.addBody(particle(), { mass, damping: 6 })
        const held = body.attach(whole, { target: [0, 0, 0], compliance: value })
        run(world, 5)
        // Several times the damping's time constant: the swing is gone.
        expect(size(held.force([0, 0, 0])) / (mass * g)).toBeCloseTo(1, 3)
        expectHealthy(world)
        return -centerOf(body)[1]
      })
      expect(sags[0]! / (compliance * mass * g)).toBeCloseTo(1, 3)
      expect(sags[1]! / sags[0]!).toBeCloseTo(2, 3)
    })

    it(`never pulls harder than its limit, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ substeps: random.integer(2, 20), iterations: random.integer(1, 4) })
      const body = world.addBody(cube(0.5, 2), { ...presets.rubber, position: [0, 2, 0] })
      body.pin(face(body, -0.25))
      const maxForce = random.scale(1, 1000)
      const held = body.attach(body.region([0.25, 2, 0], 0.2), { maxForce, compliance: seed % 2 === 0 ? 0 : 1e-5 })
      held.setTarget(3, 4, 1)
      let most = 0
      run(world, 2, () => {
        most = Math.max(most, size(held.force([0, 0, 0])))
      })
      expect(most).toBeLessThan(1.001 * maxForce)
      // The target is out of reach: the limit is what it pulls with.
      expect(size(held.force([0, 0, 0])) / maxForce).toBeCloseTo(1, 3)
      expectHealthy(world)
    })

    it(`gives a free mass the acceleration of its limit, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0] })
      const mass = random.scale(0.1, 100)
      const body = world.addBody(particle(), { mass })
      const held = body.attach(whole, { target: [1000, 0, 0], maxForce: 3 * mass })
      run(world, 1)
      expect(velocityOf(body)[0]).toBeCloseTo(3, 9)
      held.remove()
      run(world, 1)
      expect(velocityOf(body)[0]).toBeCloseTo(3, 9)
    })

    it(`arrives from anywhere without shooting past, where it is damped critically, seed ${seed}`, () => {
      const random = new Random(seed)
      for (const distance of [1, 10, 100, 1000]) {
        const world = new World({ gravity: [0, 0, 0] })
        const mass = random.scale(0.1, 100)
        const omega = random.uniform(20, 60)
        const maxForce = mass * random.uniform(100, 500)
        const body = world.addBody(particle(), { mass })
        const [compliance, damping] = [1 / (mass * omega * omega), 2 * mass * omega]
        body.attach(whole, { target: [distance, 0, 0], compliance, damping, maxForce })
        let farthest = 0
        // Twice what it takes to speed up for half of the way and to brake for the other, and many time constants.
        run(world, 4 * Math.sqrt((distance * mass) / maxForce) + 20 / omega + 1, () => {
          farthest = Math.max(farthest, centerOf(body)[0])
        })
        expect(centerOf(body)[0] / distance).toBeCloseTo(1, 3)
        // The target itself moved, within the first step, and its speed is part of what is damped against.
        expect(farthest / distance).toBeLessThan(1.01)
        expectHealthy(world)
      }
    })

    it(`damps at damping / (2 mass), seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0] })
      const mass = random.scale(0.1, 100)
      const omega = random.uniform(2, 5)
      const rate = random.uniform(0.3, 0.8)
      const body = world.addBody(particle(), { mass })
      body.attach(whole, { target: [1, 0, 0], compliance: 1 / (mass * omega * omega), damping: 2 * mass * rate })
      run(world, 0.5)
      const swing = Math.sqrt(omega * omega - rate * rate)
      const amplitude = () => {
        const x = centerOf(body)[0] - 1
        return Math.hypot(x, (velocityOf(body)[0] + rate * x) / swing)
      }
      const before = amplitude()
      run(world, 3)
      // An implicit step adds omega^2 h / 2 to the rate of decay.
      const expected = rate + (omega * omega * substepOf(world)) / 2
      const measured = Math.log(before / amplitude()) / 3
      expect(Math.abs(measured / expected - 1)).toBeLessThan(0.02)
      expectHealthy(world)
    })

    it(`leads a body to its target's velocity, without a lag, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0] })
      const body = world.addBody(cube(0.4, 2), { ...presets.firm, rotation: random.rotation() })
      // Held by its centre of mass: elsewhere it would go on swinging about the point.
      const all = Uint32Array.from({ length: body.particleCount }, (_, i) => i)
      const held = body.attach(
        { particles: all, weights: body.model.massShares },
        {
          compliance: 0.01 / body.mass,
          damping: 12 * body.mass,
        },
      )
      const velocity = random.vector(2)
      const target = [...held.point([0, 0, 0])]
      world.onBeforeStep((_, dt) => {
        for (let d = 0; d < 3; d++) target[d]! += velocity[d]! * dt
        held.setTarget(target[0]!, target[1]!, target[2]!)
      })
      run(world, 6)
      const now = velocityOf(body)
      for (let d = 0; d < 3; d++) expect(Math.abs(now[d]! - velocity[d]!)).toBeLessThan(0.002 * size(velocity))
      const point = held.point([0, 0, 0])
      for (let d = 0; d < 3; d++) expect(Math.abs(point[d]! - target[d]!)).toBeLessThan(0.002)
      expectHealthy(world)
    })
  }

  for (const seed of seeds(4)) {
    it(`pulls at all of a body alike by what its place is not to bear, seed ${seed}`, () => {
      const random = new Random(seed)
      const maxForce = random.scale(100, 10_000)
      const ends = [0, random.uniform(0.1, 0.9) * maxForce, Number.POSITIVE_INFINITY].map((localForce) => {
        const world = new World({ gravity: [0, 0, 0], iterations: random.integer(1, 3) })
        const body = world.addBody(cube(0.5, 3), { ...presets.jelly })
        const held = body.attach(body.region([0.25, 0.25, 0.25], 0.2), { maxForce, localForce, compliance: 1e-4 })
        held.setTarget(500, 300, 100)
        const given = [0, 0, 0]
        run(world, 0.5, () => {
          const force = held.force([0, 0, 0])
          for (let d = 0; d < 3; d++) given[d] = given[d]! + force[d]! * world.settings.timeStep
        })
        // All that it says to have pulled with has reached the body.
        const v = velocityOf(body)
        for (let d = 0; d < 3; d++) expect(Math.abs(body.mass * v[d]! - given[d]!)).toBeLessThan(1e-9 * size(given))
        expect(size(given) / (0.5 * maxForce)).toBeCloseTo(1, 3)
        expectHealthy(world)
        return body.maxStrain()
      })
      expect(ends[0]).toBeLessThan(1e-9)
      expect(ends[1]).toBeGreaterThan(1e-6)
      expect(ends[1]).toBeLessThan(ends[2]!)
    })
  }

  it('that is rigid holds its point exactly on a target that moves within the frame', () => {
    const world = new World()
    const body = world.addBody(particle(), { mass: 2 })
    const held = body.attach(whole, { target: [0, 0, 0] })
    for (let k = 1; k <= 60; k++) {
      held.setTarget(0.1 * k, Math.sin(k / 10), 0)
      world.advance(2 * world.settings.timeStep)
      const [x, y] = held.point([0, 0, 0])
      expect(x).toBeCloseTo(0.1 * k, 12)
      expect(y).toBeCloseTo(Math.sin(k / 10), 12)
    }
    expectHealthy(world)
  })
})

describe('pins', () => {
  it('hold exactly under load', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(cube(0.5, 2), { ...presets.jelly, position: [0, 2, 0] })
    const pins = face(body, -0.25)
    body.pin(pins)
    const before = positionsOf(body)
    run(world, 2, () => {
      const now = positionsOf(body)
      for (const i of pins) for (let d = 0; d < 3; d++) expect(now[i * 3 + d]).toBe(before[i * 3 + d])
    })
    expect(centerOf(body)[1]).toBeLessThan(2)
    expectHealthy(world)
  })

  it('arrive exactly at the end of the step that they are moved in', () => {
    const world = new World()
    const body = world.addBody(cube(0.5, 2), { ...presets.rubber, position: [0, 1, 0] })
    const pins = face(body, -0.25)
    body.pin(pins)
    const start = positionsOf(body)
    for (let k = 1; k <= 60; k++) {
      const shift = [0.013 * k, Math.sin(k / 7) / 3, 0.1 / k] as const
      for (const i of pins)
        body.movePin(i, [start[i * 3]! + shift[0], start[i * 3 + 1]! + shift[1], start[i * 3 + 2]! + shift[2]])
      world.step()
      const now = positionsOf(body)
      for (const i of pins)
        for (let d = 0; d < 3; d++) expect(now[i * 3 + d]).toBe(start[i * 3 + d]! + shift[d as 0 | 1 | 2])
    }
    expectHealthy(world)
  })

  it('let go where they are told to, and keep what is not told', () => {
    const world = new World()
    const body = world.addBody(cube(0.5, 1), { elastic: { neoHookean: false } })
    body.pin([0, 1, 2])
    body.unpin([1])
    expect([0, 1, 2, 3].map((i) => body.isPinned(i))).toEqual([true, false, true, false])
    run(world, 0.5)
    const y = positionsOf(body)
      .filter((_, k) => k % 3 === 1)
      .map((value, i) => value - body.model.positions[i * 3 + 1]!)
    expect([y[0], y[2]]).toEqual([0, 0])
    expect(y[1]).toBeLessThan(-1)
    body.unpin()
    run(world, 0.5)
    expect(centerOf(body)[1]).toBeLessThan(-2)
  })

  it('on every particle of a body break nothing', () => {
    const world = new World()
    world.addCollider(plane(), { restitution: 0.5 })
    const body = world.addBody(cube(0.5, 2), {
      position: [0, 0.1, 0],
      shapeDamping: 5,
      damping: 1,
      elastic: { edges: { compliance: 0 }, volumes: { compliance: 0 }, shape: { rate: 50 } },
    })
    body.pin(Array.from({ length: body.particleCount }, (_, i) => i))
    body.attach(body.region([0, 0, 0], 0.3), { target: [5, 5, 5] })
    body.applyImpulse([10, 10, 10])
    const before = positionsOf(body)
    run(world, 1)
    expect(positionsOf(body)).toEqual(before)
    expectHealthy(world)
  })
})

import { describe, expect, it } from 'vitest'
import { box, plane, SettingError, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, expectHealthy, particle, run, substepOf, velocityOf } from '../support/laws.js'

const { exp, abs, hypot } = Math

describe('contactDamping', () => {
  for (const seed of seeds(6)) {
    it(`lets a slip decay as exp(-k t) however hard it is pressed, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ substeps: random.integer(4, 20), gravity: [0, -random.uniform(1, 30), 0] })
      world.addCollider(plane(), { position: [0, 0, 0] })
      const k = random.uniform(1, 20)
      const body = world.addBody(particle(), {
        friction: 0,
        contactDamping: k,
        thickness: 0.01,
        position: [0, 0.01, 0],
      })
      const velocity = [random.uniform(-5, 5), 0, random.uniform(-5, 5)] as const
      body.setVelocity(velocity)
      run(world, 0.3)
      const kept = exp(-k * 0.3)
      expect(velocityOf(body)[0]).toBeCloseTo(velocity[0] * kept, 7)
      expect(velocityOf(body)[2]).toBeCloseTo(velocity[2] * kept, 7)
      expectHealthy(world)
    })

    it(`comes on top of friction: m dv/dt = -mu m g - k m v, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      world.addCollider(plane())
      const [k, friction, start] = [random.uniform(1, 10), random.uniform(0.1, 0.5), random.uniform(4, 8)]
      const body = world.addBody(particle(), { friction, contactDamping: k, thickness: 0.01, position: [0, 0.01, 0] })
      body.setVelocity([start, 0, 0])
      const drag = (friction * 9.81) / k
      const time = 0.1
      run(world, time)
      // First order in the substep: k h / 2 of what friction has taken.
      const law = (start + drag) * exp(-k * time) - drag
      expect(abs(velocityOf(body)[0] - law)).toBeLessThan(k * substepOf(world) * friction * 9.81 * time + 1e-6)
    })
  }

  it('does nothing in the air, nor where there is none', () => {
    const world = new World({ gravity: [0, 0, 0] })
    world.addCollider(plane(), { position: [0, -1, 0] })
    const body = world.addBody(particle(), { contactDamping: 1e4 })
    body.setVelocity([1, 0, 0])
    run(world, 0.5)
    expect(velocityOf(body)[0]).toBeCloseTo(1, 9)
  })

  it('is against the surface itself: what lies on a belt or a moving floor is carried along', () => {
    const world = new World()
    world.addCollider(plane(), { surfaceVelocity: [2, 0, 0] })
    const k = 5
    const body = world.addBody(particle(), { friction: 0, contactDamping: k, thickness: 0.01, position: [0, 0.01, 0] })
    run(world, 0.4)
    expect(velocityOf(body)[0]).toBeCloseTo(2 * (1 - exp(-k * 0.4)), 3)
    const floor = world.addCollider(box([5, 0.5, 5]), { position: [100, -0.4, 0] })
    const rider = world.addBody(particle(), {
      friction: 0,
      contactDamping: k,
      thickness: 0.01,
      position: [100, 0.11, 0],
    })
    for (let step = 1; step <= 24; step++) {
      floor.setPose([100, -0.4, step / 60], [0, 0, 0, 1])
      world.advance(1 / 60)
    }
    expect(velocityOf(rider)[2]).toBeCloseTo(1 - exp(-k * 0.4), 2)
  })

  it('of a body acts where it touches: what is above drags on, and spin stays what rolling makes it', () => {
    const world = new World()
    world.addCollider(plane())
    const slow = world.addBody(cube(0.4, 2), { position: [0, 0.201, 0], friction: 0, contactDamping: 8 })
    const free = world.addBody(cube(0.4, 2), { position: [0, 0.201, 3], friction: 0 })
    run(world, 0.5)
    for (const body of [slow, free]) body.setVelocity([1, 0, 0])
    run(world, 0.5)
    expect(velocityOf(free)[0]).toBeGreaterThan(0.98)
    expect(velocityOf(slow)[0]).toBeLessThan(0.6)
    expect(velocityOf(slow)[0]).toBeGreaterThan(0)
    expectHealthy(world)
  })

  it('acts between bodies too, and keeps the momentum of both', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const setting = { friction: 0, shapeDamping: 30 }
    const low = world.addBody(cube(0.5, 3), setting)
    const high = world.addBody(cube(0.5, 3), { ...setting, contactDamping: 200, position: [0, 0.502, 0] })
    low.setVelocity([0, 0.2, 0])
    high.setVelocity([1, -0.2, 0])
    const total = () => bodyMotion(low).momentum.map((p, d) => p + bodyMotion(high).momentum[d]!)
    const before = total()
    run(world, 0.1, () => {
      // Pressed together, so that they go on touching.
      low.addForce([0, 600, 0])
      high.addForce([0, -600, 0])
    })
    expect(velocityOf(high)[0] - velocityOf(low)[0]).toBeLessThan(0.65)
    total().forEach((p, d) => expect(abs(p - before[d]!)).toBeLessThan(1e-8 * hypot(...before)))
  })

  it('refuses what is below zero', () => {
    const world = new World()
    expect(() => world.addBody(particle(), { contactDamping: -1 })).toThrow(SettingError)
  })
})

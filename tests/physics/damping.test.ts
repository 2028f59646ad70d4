import { describe, expect, it } from 'vitest'
import { isHealthy, presets, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, expectHealthy, particle, positionsOf, run, velocitiesOf, velocityOf } from '../support/laws.js'

/** Constraints off, substeps of next to nothing: what happens to velocities is damping alone. */
const loose = { neoHookean: false } as const

describe('shapeDamping', () => {
  for (const seed of seeds(6)) {
    it(`keeps linear and angular momentum in each application, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0], substeps: 1, timeStep: 1e-5 })
      const body = world.addBody(cube(1, 2), { elastic: loose, shapeDamping: 1e4, rotation: random.rotation() })
      body.setVelocity(random.vector(3), random.vector(3))
      for (let i = 0; i < body.particleCount; i++) {
        body.applyImpulse(random.vector(body.mass / 20), { particles: Uint32Array.of(i), weights: Float64Array.of(1) })
      }
      world.flush()
      const before = bodyMotion(body)
      const velocities = velocitiesOf(body)
      world.step()
      const after = bodyMotion(body)
      // x / h loses 1e-16 / 1e-5 of a velocity, which is damping's not: the bound is that plus 1e-12.
      for (let d = 0; d < 3; d++) {
        expect(Math.abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(2e-11 * before.momentumSize)
        expect(Math.abs(after.angularMomentum[d]! - before.angularMomentum[d]!)).toBeLessThan(
          2e-11 * before.angularSize,
        )
      }
      // And it does something: 1 - exp(-0.1) of the wobble goes.
      const change = velocitiesOf(body).map((value, k) => value - velocities[k]!)
      expect(Math.max(...change.map(Math.abs))).toBeGreaterThan(0.01)
    })

    it(`takes wobble away as exp(-k t) and leaves rigid motion alone, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0], timeStep: 1e-3 })
      const rate = random.uniform(20, 60)
      const body = world.addBody(cube(1, 2), { elastic: loose, shapeDamping: rate })
      // A velocity field without momentum or spin: particles part from the centre.
      for (let i = 0; i < body.particleCount; i++) {
        const m = body.mass * body.model.massShares[i]!
        const [x, y, z] = body.model.positions.slice(i * 3, i * 3 + 3) as unknown as [number, number, number]
        body.applyImpulse([0.01 * m * x, -0.02 * m * y, 0.01 * m * z], {
          particles: Uint32Array.of(i),
          weights: Float64Array.of(1),
        })
      }
      world.flush()
      const before = velocitiesOf(body)
      run(world, 0.05)
      const kept = Math.exp(-rate * 0.05)
      velocitiesOf(body).forEach((value, k) => expect(value).toBeCloseTo(before[k]! * kept, 7))
      const rigid = world.addBody(cube(1, 2), {
        ...presets.firm,
        elastic: loose,
        shapeDamping: 50,
        position: [9, 0, 0],
      })
      const velocity = random.vector(2)
      rigid.setVelocity(velocity)
      run(world, 0.1)
      velocityOf(rigid).forEach((value, d) => expect(value).toBeCloseTo(velocity[d]!, 9))
      expectHealthy(world)
    })
  }
})

describe('damping', () => {
  for (const seed of seeds(4)) {
    it(`slows as exp(-k t), whatever the substeps, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0], substeps: random.integer(1, 40) })
      const damping = random.uniform(0.1, 8)
      const bodies = [particle(), cube(0.5, 2)].map((model, k) =>
        world.addBody(model, { damping, position: [5 * k, 0, 0] }),
      )
      const velocity = random.vector(5)
      for (const body of bodies) body.setVelocity(velocity)
      run(world, 1)
      for (const body of bodies) {
        velocityOf(body).forEach((value, d) => expect(value).toBeCloseTo(velocity[d]! * Math.exp(-damping), 8))
      }
      expectHealthy(world)
    })
  }

  it('that is set while the world runs acts from then on', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(particle())
    body.setVelocity([1, 0, 0])
    run(world, 1)
    expect(velocityOf(body)[0]).toBeCloseTo(1, 9)
    body.set({ damping: 2 })
    run(world, 1)
    expect(velocityOf(body)[0]).toBeCloseTo(Math.exp(-2), 9)
  })
})

describe('guards', () => {
  it('the speed cap cuts, and counts', () => {
    const world = new World({ gravity: [0, 0, 0], maxSpeed: 5 })
    const body = world.addBody(particle())
    body.setVelocity([0, 3, 0])
    run(world, 1)
    expect(velocityOf(body)[1]).toBeCloseTo(3, 9)
    expect(world.stats.speedClamps).toBe(0)
    expect(isHealthy(world.stats)).toBe(true)
    body.setVelocity([0, 30, 40])
    world.step()
    expect(velocityOf(body)[1]).toBeCloseTo(3, 9)
    expect(velocityOf(body)[2]).toBeCloseTo(4, 9)
    expect(world.stats.speedClamps).toBeGreaterThan(0)
    expect(isHealthy(world.stats)).toBe(false)
  })

  it('a body that overflows is put back and counted, others go on', () => {
    const world = new World()
    const alone = new World()
    const bodies = [world, alone].map((each) => each.addBody(cube(0.5, 2), { ...presets.jelly, position: [0, 1, 0] }))
    const wild = world.addBody(cube(0.5, 2), { ...presets.jelly, position: [9, 1, 0] })
    run(world, 0.1)
    run(alone, 0.1)
    const before = positionsOf(wild)
    wild.applyImpulse([1e300, 0, 0])
    world.step()
    alone.step()
    expect(isHealthy(world.stats)).toBe(false)
    expect(world.stats.nonFiniteRescues + world.stats.speedClamps).toBeGreaterThan(0)
    expect([...positionsOf(wild)].every(Number.isFinite)).toBe(true)
    expect(positionsOf(wild).length).toBe(before.length)
    expect(positionsOf(bodies[0]!)).toEqual(positionsOf(bodies[1]!))
  })
})

import { describe, expect, it } from 'vitest'
import { type AttractorFalloff, plane, SettingError, sphere, type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { ball } from '../support/lattice.js'
import {
  bodyMotion,
  centerOf,
  expectHealthy,
  particle,
  positionsOf,
  run,
  substepOf,
  velocityOf,
} from '../support/laws.js'

const { hypot, sqrt, abs, PI } = Math
const weightless = { gravity: [0, 0, 0] as Vec3 }

describe('an attractor', () => {
  for (const seed of seeds(4)) {
    it(`that pulls as a / r^2 leads a particle round in T = 2 pi sqrt(r^3 / a), seed ${seed}`, () => {
      const random = new Random(seed)
      const [strength, r] = [random.uniform(5, 20), random.uniform(1, 3)]
      const speed = sqrt(strength / r)
      const period = (2 * PI * r) / speed
      const world = new World({ ...weightless, timeStep: period / 200, substeps: 10 })
      world.addAttractor({ strength, falloff: 'newtonian', position: [1, 2, 3] })
      const body = world.addBody(particle(), { position: [1 + r, 2, 3] })
      body.setVelocity([0, 0, speed])
      for (let k = 0; k < 200; k++) {
        world.step()
        const [x, y, z] = centerOf(body)
        // Symplectic Euler: the radius ripples by h v / 2 r = pi / 2000.
        expect(abs(hypot(x - 1, y - 2, z - 3) / r - 1)).toBeLessThan(PI / 2000 + 1e-4)
      }
      const [x, , z] = centerOf(body)
      expect(hypot(x - 1 - r, z - 3) / r).toBeLessThan(0.002)
      expectHealthy(world)
    })

    it(`that pulls as a r has a body swing through it in T = 2 pi / sqrt(a), as a whole, seed ${seed}`, () => {
      const random = new Random(seed)
      const strength = random.uniform(10, 60)
      const world = new World(weightless)
      world.addAttractor({ strength, falloff: 'linear' })
      const start = random.vector(3)
      const body = world.addBody(ball(0.3, 4), { position: start, sleeping: undefined } as object)
      const quarter = (2 * PI) / sqrt(strength) / 4
      let before = centerOf(body)
      let crossed = Number.NaN
      run(world, 1.5 * quarter, (time) => {
        const now = centerOf(body)
        const along = (p: readonly number[]) => p[0]! * start[0] + p[1]! * start[1] + p[2]! * start[2]
        if (Number.isNaN(crossed) && along(now) <= 0) {
          const share = along(before) / (along(before) - along(now))
          crossed = time - world.settings.timeStep * (1 - share)
        }
        before = now
      })
      // Symplectic Euler is ahead by half a substep at most.
      expect(abs(crossed - quarter)).toBeLessThan(substepOf(world) + 1e-4 * quarter)
    })
  }

  it('pulls evenly whatever the distance, within its range and outside of its radius', () => {
    const world = new World(weightless)
    world.addAttractor({ strength: 4, range: 5, radius: 1 })
    const bodies = [2, 4.9, 5.1].map((x) => world.addBody(particle(), { position: [x, 0, 0] }))
    const inside = world.addBody(particle(), { position: [0, 0.25, 0] })
    world.step()
    const dt = world.settings.timeStep
    expect(velocityOf(bodies[0]!)[0]).toBeCloseTo(-4 * dt, 9)
    expect(velocityOf(bodies[1]!)[0]).toBeCloseTo(-4 * dt, 9)
    expect(velocityOf(bodies[2]!)).toEqual([0, 0, 0])
    // In proportion to the distance within: a quarter.
    expect(velocityOf(inside)[1]).toBeCloseTo(-dt, 4)
  })

  it('pushes away below zero, goes by gravityScale, adds up, and leaves pins alone', () => {
    const world = new World(weightless)
    world.addAttractor({ strength: -3 })
    world.addAttractor({ strength: 1, position: [0, 5, 0] })
    const one = world.addBody(particle(), { position: [1, 0, 0], gravityScale: 2 })
    const none = world.addBody(particle(), { position: [1, 0, 1], gravityScale: 0 })
    const held = world.addBody(particle(), { position: [2, 0, 0] })
    held.pin([0])
    world.step()
    const dt = world.settings.timeStep
    const length = sqrt(26)
    expect(velocityOf(one)[0]).toBeCloseTo(2 * dt * (3 - 1 / length), 3)
    expect(velocityOf(one)[1]).toBeCloseTo((2 * dt * 5) / length, 3)
    expect(velocityOf(none)).toEqual([0, 0, 0])
    expect(velocityOf(held)).toEqual([0, 0, 0])
  })

  it('keeps the angular momentum of a body about it', () => {
    const world = new World(weightless)
    world.addAttractor({ strength: 9, falloff: 'newtonian' })
    const body = world.addBody(ball(0.3, 4), { position: [2, 0, 0] })
    body.setVelocity([0, 2, 0], [0, 1, 2])
    world.step()
    const about = () => {
      const { momentum, angularMomentum } = bodyMotion(body)
      const [x, y, z] = centerOf(body)
      const [px, py, pz] = momentum as [number, number, number]
      return [y * pz - z * py, z * px - x * pz, x * py - y * px].map((part, d) => part + angularMomentum[d]!)
    }
    const before = about()
    run(world, 1)
    const size = hypot(...before)
    about().forEach((value, d) => expect(abs(value - before[d]!) / size).toBeLessThan(1e-9))
  })

  it('moves evenly over a step where it is led, and goes on with the same bits from a snapshot', () => {
    const play = (restored: boolean) => {
      const world = new World({ ...weightless, maxSteps: 10 })
      const attractor = world.addAttractor({ strength: 5 })
      const body = world.addBody(particle(), { position: [0, 1, 0] })
      const path: number[] = []
      for (let k = 0; k < 30; k++) {
        attractor.moveTo([k / 30, 0, 0])
        if (k === 15 && restored) {
          const saved = world.snapshot()
          attractor.set({ strength: 100, position: [9, 9, 9] })
          run(world, 0.1)
          world.restore(saved)
        }
        world.advance(2 / 60)
        path.push(...positionsOf(body))
      }
      return [...path, attractor.settings.strength]
    }
    expect(play(true)).toEqual(play(false))
  })

  it('holds bodies on a planet: they come to rest on it, sleep, and wake when it moves', () => {
    const world = new World(weightless)
    world.addCollider(sphere(1))
    const attractor = world.addAttractor({ strength: 9.81 })
    const body = world.addBody(ball(0.2, 4), { position: [1.5, 0, 0], shapeDamping: 20, restitution: 0.3 })
    run(world, 5)
    expect(body.asleep).toBe(true)
    expect(hypot(...centerOf(body))).toBeGreaterThan(1.1)
    expect(hypot(...centerOf(body))).toBeLessThan(1.25)
    attractor.moveTo([0, 0.5, 0])
    world.step()
    expect(body.asleep).toBe(false)
    run(world, 0.5)
    expect(centerOf(body)[1]).toBeGreaterThan(0.05)
    expectHealthy(world)
  })

  it('wakes what it pulls, and nothing else, when it comes, moves, changes and goes', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(ball(0.2, 4), { position: [0, 0.2, 0], shapeDamping: 20 })
    const aloof = world.addBody(particle(), { position: [0, 1, 3], gravityScale: 0 })
    const wakes = (act: () => void) => {
      for (let k = 0; k < 600 && !(body.asleep && aloof.asleep); k++) world.step()
      expect([body.asleep, aloof.asleep]).toEqual([true, true])
      act()
      world.step()
      expect(aloof.asleep).toBe(true)
      return !body.asleep
    }
    const settings = { strength: 0.1, range: 2 }
    // Its ball reaches to 0.2.
    expect(wakes(() => void world.addAttractor({ ...settings, position: [2.3, 0.2, 0] }))).toBe(false)
    const attractor = world.addAttractor({ ...settings, position: [0, 0.2, 2.3] })
    expect(wakes(() => attractor.set({ strength: 0.2 }))).toBe(false)
    expect(wakes(() => attractor.moveTo([0, 0.2, 2.4]))).toBe(false)
    expect(wakes(() => attractor.set({ position: [0, 0.2, 2.5] }))).toBe(false)
    expect(wakes(() => attractor.set({ range: 3 }))).toBe(true)
    expect(wakes(() => attractor.set({ strength: 0.1 }))).toBe(true)
    expect(wakes(() => attractor.moveTo([0, 0.2, 2.6]))).toBe(true)
    expect(wakes(() => attractor.set({ range: 1 }))).toBe(true) // it lets go
    expect(wakes(() => attractor.set({ position: [0, 0.2, 1] }))).toBe(true)
    expect(wakes(() => attractor.remove())).toBe(true)
    const faint = world.addAttractor({ strength: 0 })
    expect(wakes(() => faint.remove())).toBe(false)
    expect(wakes(() => void world.addAttractor({ ...settings, position: [2.1, 0.2, 0] }))).toBe(true)
  })

  it('bears what it pulls up to nothing: a body at the top of its flight does not sleep', () => {
    const world = new World(weightless)
    world.addAttractor({ strength: 1e-4 })
    const body = world.addBody(ball(0.3, 4), { position: [3, 0, 0] })
    run(world, 2)
    expect(body.asleep).toBe(false)
  })

  it('is gone after remove, and says what is wrong', () => {
    const world = new World(weightless)
    const attractor = world.addAttractor()
    const body = world.addBody(particle(), { position: [1, 0, 0] })
    attractor.remove()
    expect(attractor.alive).toBe(false)
    attractor.set({ strength: 3 })
    attractor.moveTo([1, 1, 1])
    run(world, 0.1)
    expect(velocityOf(body)).toEqual([0, 0, 0])
    for (const wrong of [
      { strength: Number.NaN },
      { range: 0 },
      { radius: -1 },
      { falloff: 'cubic' as AttractorFalloff },
      { position: [0, Number.POSITIVE_INFINITY, 0] as Vec3 },
    ]) {
      expect(() => world.addAttractor({ name: 'Sun', ...wrong })).toThrow(SettingError)
      expect(() => world.addAttractor({ name: 'Sun', ...wrong })).toThrow(
        /<Sun>.*(strength|range|radius|falloff|position)/,
      )
    }
  })

  it('is one gravity among others: with the world’s own a particle on the ground weighs both', () => {
    const world = new World({ gravity: [0, -5, 0] })
    const ground = world.addCollider(plane())
    world.addAttractor({ strength: 3, position: [0, -100, 0] })
    const body = world.addBody(particle(), { mass: 2, position: [0, 0.01, 0], thickness: 0.01 })
    let impulse = 0
    run(world, 1)
    body.wake()
    ground.onContactEnter(() => {
      impulse++
    })
    run(world, 0.2)
    expect(impulse).toBe(0) // it has never left
    expect(centerOf(body)[1]).toBeCloseTo(0.01, 6)
  })
})

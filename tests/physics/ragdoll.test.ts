import { describe, expect, it } from 'vitest'
import {
  type Body,
  box,
  clothModel,
  limbNames,
  plane,
  ragdollModel,
  room,
  SettingError,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { faultsOf, posesIn } from '../support/figures.js'
import { bodyMotion, centerOf, expectHealthy, lowest, positionsOf, run } from '../support/laws.js'

const HEIGHT = 1.75
const doll = ragdollModel()

const posesOf = (body: Body) => posesIn(doll, body)
const faults = (body: Body) => faultsOf(doll, body, HEIGHT)

function stairs(world: World): void {
  world.addCollider(plane())
  for (let k = 0; k < 7; k++) world.addCollider(box([0.2, 0.1, 1]), { position: [0.35 * k, 1.3 - 0.2 * k, 0] })
}

describe('a ragdoll', () => {
  it('has the proportions and the mass of a grown-up, and rests without a force', () => {
    const world = new World({ gravity: [0, 0, 0], sleeping: false })
    const body = world.addBody(doll.model)
    expect(body.mass).toBeCloseTo(70, 6)
    const bounds = body.bounds(new Float64Array(6))
    expect(bounds[4]! + body.model.thickness).toBeCloseTo(HEIGHT, 1)
    expect(bounds[1]! - body.model.thickness).toBeCloseTo(0, 1)
    // Dempster: the centre of mass of a man who stands is at 55 to 57% of his height.
    expect(centerOf(body)[1] / HEIGHT).toBeGreaterThan(0.53)
    expect(centerOf(body)[1] / HEIGHT).toBeLessThan(0.59)
    const before = positionsOf(body)
    run(world, 1)
    for (const [k, x] of positionsOf(body).entries()) expect(Math.abs(x - before[k]!)).toBeLessThan(1e-9)
    expect(faults(body)).toEqual({ beyond: 0, askew: expect.closeTo(0, 3), apart: expect.closeTo(0, 9) })
  })

  for (const seed of seeds(3)) {
    it(`keeps its joints within 5 degrees of their limits in a tumble of ten seconds, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      stairs(world)
      const body = world.addBody(doll.model, {
        position: [-0.2, random.uniform(3.2, 3.5), random.uniform(-0.3, 0.3)],
        rotation: random.rotation(),
        damping: 0.5,
      })
      body.setVelocity([random.uniform(1, 4), random.uniform(-2, 2), random.uniform(-1, 1)], random.vector(6))
      const most = { beyond: 0, askew: 0, apart: 0 }
      for (let step = 0; step < 600; step++) {
        world.step()
        if (body.asleep || step % 3 > 0) continue
        const now = faults(body)
        for (const key of ['beyond', 'askew', 'apart'] as const) most[key] = Math.max(most[key], now[key])
      }
      expect(most.beyond).toBeLessThan(5)
      expect(most.askew).toBeLessThan(5)
      expect(most.apart).toBeLessThan(0.015)
      // It has come down, and lies on something.
      expect(centerOf(body)[1]).toBeLessThan(1.6)
      expect(lowest(body)).toBeGreaterThan(0)
      expectHealthy(world)
    })
  }

  it('keeps them in a drum that turns with it, narrower than it is tall', () => {
    const world = new World()
    const drum = world.addCollider(room([1.575, 1.575, 1.575]))
    const body = world.addBody(doll.model, { position: [0.175, -1.05, 0], damping: 0.5, friction: 0.6 })
    body.setVelocity([0, 0, 0], [0.5, 1, 4])
    const most = { beyond: 0, askew: 0 }
    run(world, 10, (time) => {
      drum.setPose([0, 0, 0], [0, 0, Math.sin(1.1 * time), Math.cos(1.1 * time)])
      const now = faults(body)
      for (const key of ['beyond', 'askew'] as const) most[key] = Math.max(most[key], now[key])
    })
    expect(most.beyond).toBeLessThan(5)
    expect(most.askew).toBeLessThan(5)
    expectHealthy(world)
  })

  it('falls asleep on the floor', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(doll.model, { position: [0, 0.05, 0], damping: 0.5 })
    body.setVelocity([0.4, 0, 0.3])
    run(world, 12)
    expect(body.asleep).toBe(true)
    expect(centerOf(body)[1]).toBeLessThan(0.35)
  })

  for (const seed of seeds(3)) {
    it(`keeps momentum and spin while it writhes in free fall, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0], sleeping: false })
      const body = world.addBody(doll.model)
      body.setVelocity(random.vector(2), random.vector(4))
      const before = bodyMotion(body)
      run(world, 3)
      const after = bodyMotion(body)
      for (let d = 0; d < 3; d++) {
        expect(Math.abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(1e-9 * before.momentumSize)
        expect(Math.abs(after.angularMomentum[d]! - before.angularMomentum[d]!)).toBeLessThan(1e-7 * before.angularSize)
      }
      expect(faults(body).beyond).toBeLessThan(2)
    })
  }

  it('keeps the shape of its limbs while they whip', () => {
    const world = new World({ gravity: [0, 0, 0], sleeping: false, substeps: 4 })
    const body = world.addBody(doll.model)
    body.setVelocity([0, 0, 0], [25, 5, 10])
    const rest = positionsOf(body)
    run(world, 1, () => {
      const x = positionsOf(body)
      const far = (p: Float64Array, i: number, j: number) =>
        Math.hypot(p[i * 3]! - p[j * 3]!, p[i * 3 + 1]! - p[j * 3 + 1]!, p[i * 3 + 2]! - p[j * 3 + 2]!)
      for (const name of limbNames) {
        const [first, ...others] = doll.particles[name]
        for (const i of others) expect(far(x, i, first!) / far(rest, i, first!)).toBeCloseTo(1, 5)
      }
    })
  })

  it('hangs by one hand, straight below it', () => {
    const world = new World({ sleeping: false })
    const body = world.addBody(doll.model, { damping: 2 })
    const hand = Array.from(doll.particles.lowerArmLeft)
    body.pin(hand)
    run(world, 8)
    const now = faults(body)
    expect(now.beyond).toBeLessThan(3)
    expect(now.apart).toBeLessThan(0.01)
    const poses = posesOf(body)
    expect(poses.head.center[1]!).toBeGreaterThan(poses.hips.center[1]!)
    expect(poses.hips.center[1]!).toBeGreaterThan(poses.lowerLegLeft.center[1]!)
  })

  for (const seed of seeds(3)) {
    it(`holds together while it is flung about by a limb, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ sleeping: false })
      const body = world.addBody(doll.model, { damping: 0.5 })
      const limb = limbNames[random.integer(0, limbNames.length - 1)]!
      const point = [...posesOf(body)[limb].center] as [number, number, number]
      // As a pointer takes it: 8 Hz, at most 400 m/s^2.
      const stiffness = body.mass * (16 * Math.PI) ** 2
      const grip = body.attach(body.region(point, 0.15 * HEIGHT), {
        compliance: 1 / stiffness,
        damping: 2 * Math.sqrt(stiffness * body.mass),
        maxForce: 400 * body.mass,
      })
      const rates = random.vector(8)
      run(world, 3, (time) => {
        const [x, y, z] = rates.map((rate) => Math.sin(time * rate)) as [number, number, number]
        grip.setTarget(point[0] + 1.2 * x, point[1] + 1.2 * y, point[2] + z)
        // From head to foot, however it is stretched.
        const bounds = body.bounds(new Float64Array(6))
        for (let d = 0; d < 3; d++) expect(bounds[3 + d]! - bounds[d]!).toBeLessThan(1.5 * HEIGHT)
      })
      expectHealthy(world)
    })
  }

  it('is caught by a curtain that it is thrown at', () => {
    const world = new World({ gravity: [0, 0, 0], sleeping: false })
    const sheet = clothModel({ width: 3, height: 3, segmentsX: 16, segmentsY: 16 }).model
    const cloth = world.addBody(sheet, { position: [0, 0.9, 0.8], density: 0.5 })
    cloth.pin(Array.from({ length: 17 }, (_, k) => [k, 272 + k, 17 * k, 17 * k + 16]).flat())
    const body = world.addBody(doll.model)
    body.setVelocity([0, 0, 3])
    let far = 0
    run(world, 1.2, () => {
      far = Math.max(far, centerOf(body)[2])
    })
    // It bulges the curtain and comes back: no limb is behind.
    expect(far).toBeGreaterThan(0.75)
    expect(body.velocity([0, 0, 0])[2]).toBeLessThan(0.5)
    expect(world.stats.crossings).toBe(0)
  })

  it.each([
    ['height', { height: 0 }],
    ['height', { height: Number.NaN }],
    ['sides', { sides: 3 }],
  ])('is not made with a wrong %s', (prop, options) => {
    expect(() => ragdollModel(options)).toThrow(SettingError)
    expect(() => ragdollModel(options)).toThrow(prop)
  })
})

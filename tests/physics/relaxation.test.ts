import { describe, expect, it } from 'vitest'
import { distance, ModelBuilder, SettingError, shapeMatching, type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, expectHealthy, positionsOf, rmsSpeed, run, velocitiesOf } from '../support/laws.js'

const { hypot, exp, abs } = Math
const weightless = { gravity: [0, 0, 0] as Vec3 }

describe('relaxation of an edge', () => {
  for (const seed of seeds(6)) {
    it(`has the error decay as exp(-k t) within 1%, whatever substeps and sweeps, and gives no velocity, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ ...weightless, substeps: random.integer(1, 20), iterations: random.integer(1, 3) })
      const rate = random.scale(0.5, 50)
      const model = new ModelBuilder(Float64Array.of(0, 0, 0, 1, 0, 0))
        .weights(Float64Array.of(random.scale(0.1, 10), random.scale(0.1, 10)))
        .with({ elastic: { edge: { relaxation: rate } } })
        .constrain('edge', distance, Uint32Array.of(0, 1))
        .build()
      const body = world.addBody(model, { position: [3, 0, 0] })
      stretch(world, body, 1.5)
      const length = () => {
        const x = positionsOf(body)
        return hypot(x[3]! - x[0]!, x[4]! - x[1]!, x[5]! - x[2]!)
      }
      const center = body.centerOfMass([0, 0, 0])
      run(world, 0.4, (time) => {
        expect(abs((length() - 1) / (0.5 * exp(-rate * time)) - 1)).toBeLessThan(0.01)
        expect(rmsSpeed(body)).toBeLessThan(1e-12)
      })
      body.centerOfMass([0, 0, 0]).forEach((c, d) => expect(c).toBeCloseTo(center[d]!, 12))
      expectHealthy(world)
    })
  }
})

describe('relaxation of a shape', () => {
  for (const seed of seeds(4)) {
    it(`has the distance to the goal decay as exp(-k t) within 1%, and gives no velocity, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ ...weightless, substeps: random.integer(2, 20) })
      const rate = random.scale(1, 30)
      const points = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0.5)
      const model = new ModelBuilder(points)
        .with({ elastic: { shape: { relaxation: rate } } })
        .constrain('shape', shapeMatching, Uint32Array.of(0, 1, 2, 3, 4), { offsets: Uint32Array.of(0, 5) })
        .build()
      const body = world.addBody(model)
      // A stretch by 1.3 about the centre: the goal is the rest shape, unturned.
      const c = body.centerOfMass([0, 0, 0])
      const saved = world.snapshot()
      const x = saved.bodies[0]!.vectors[0]!
      const error = () => {
        const now = positionsOf(body)
        let sum = 0
        for (let p = 0; p < now.length; p++) sum += (now[p]! - points[p]!) ** 2
        return Math.sqrt(sum)
      }
      for (let p = 0; p < x.length; p++) x[p] = c[p % 3]! + 1.3 * (x[p]! - c[p % 3]!)
      saved.bodies[0]!.vectors[1]!.set(x)
      world.restore(saved)
      const start = error()
      run(world, 0.3, (time) => {
        expect(abs(error() / (start * exp(-rate * time)) - 1)).toBeLessThan(0.01)
        expect(rmsSpeed(body)).toBeLessThan(1e-12)
      })
      expectHealthy(world)
    })
  }

  it('leaves a fall and a spin as they are, in a solid of many elements', () => {
    const world = new World()
    const body = world.addBody(cube(0.5, 3), {
      elastic: { neoHookean: false, shape: { relaxation: 20 }, edges: { relaxation: 20 } },
    })
    body.setVelocity([1, 2, 3], [0, 0, 0])
    run(world, 0.5)
    const v = velocitiesOf(body)
    for (let p = 0; p < v.length; p += 3) {
      expect(v[p]).toBeCloseTo(1, 9)
      expect(v[p + 1]).toBeCloseTo(2 - 9.81 * 0.5, 9)
    }
    const spins = new World(weightless)
    const wheel = spins.addBody(cube(0.5, 3), { elastic: { neoHookean: false, shape: { relaxation: 200 } } })
    wheel.setVelocity([0, 0, 0], [0, 0, 4])
    spins.step()
    const before = bodyMotion(wheel).angularMomentum[2]!
    run(spins, 1)
    expect(abs(bodyMotion(wheel).angularMomentum[2]! / before - 1)).toBeLessThan(1e-6)
    expectHealthy(world)
  })

  it('is stated alone, and above zero', () => {
    const world = new World()
    expect(() => world.addBody(cube(1, 1), { elastic: { shape: { relaxation: 0 } } })).toThrow(SettingError)
    expect(() => world.addBody(cube(1, 1), { elastic: { shape: { relaxation: 5, rate: 5 } } })).toThrow(SettingError)
    expect(() =>
      world.addBody(cube(1, 1), { elastic: { edges: { relaxation: 5 }, shape: { relaxation: 5, linear: 0.5 } } }),
    ).not.toThrow()
  })
})

/** Puts the two particles of a body along x at `factor` of their distance, at rest. */
function stretch(world: World, body: { particleCount: number }, factor: number): void {
  const saved = world.snapshot()
  const { vectors } = saved.bodies[0]!
  expect(body.particleCount).toBe(2)
  const x = vectors[0]!
  x[3] = x[0]! + factor * (x[3]! - x[0]!)
  vectors[1]!.set(x)
  world.restore(saved)
}

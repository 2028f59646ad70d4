import { IcosahedronGeometry, SphereGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import type { Columns, Rows } from '../../src/core/constraints/kind.js'
import {
  type Elastic,
  type Model,
  ModelBuilder,
  plane,
  pressure,
  softBodyModel,
  tetMeshModel,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { ball, boxLattice, cube } from '../support/lattice.js'
import { bodyMotion, centerOf, expectHealthy, largestSpeed, motionOf, positionsOf, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { fromGeometry } from '../support/meshes.js'
import { sized } from '../support/sized.js'

const off = { edges: false, neoHookean: false, volumes: false, shape: false } as const

const floating = (model: Model, elastic: Elastic, shapeDamping = 5) => {
  const world = new World({ gravity: [0, 0, 0] })
  return { world, body: world.addBody(model, { elastic: { ...off, ...elastic }, shapeDamping }) }
}

/** One row over the surface of a model whose particles are at `x`. */
function surfaceRow(model: Model, x: Float64Array, material: readonly [number, number]): [Rows, Columns] {
  const { indices, offsets, rest } = model.sets.find(({ name }) => name === 'pressure')!
  const masses = model.massShares.map((share) => 10 * share)
  return [
    {
      count: 1,
      indices,
      offsets,
      rest,
      material: Float64Array.from(material),
      lambda: new Float64Array(rest.length),
      iterated: true,
      rotations: new Uint32Array(0),
    },
    {
      positions: x.slice(),
      previous: x.slice(),
      masses,
      inverseMasses: masses.map((mass) => 1 / mass),
      rotations: new Float64Array(0),
    },
  ]
}

describe('the pressure constraint', () => {
  it('measures the enclosed volume wherever the body is, seeds 1 to 10', () => {
    for (const seed of seeds(10)) {
      const random = new Random(seed)
      const { world, body } = floating(cube(1, 3), {})
      body.teleport(random.vector(20), random.rotation())
      world.flush()
      const [rows] = surfaceRow(body.model, body.model.positions, [0, 2])
      const C = new Float64Array(1)
      pressure.evaluate(rows, 0, positionsOf(body), C)
      expect(C[0]! + 2).toBeCloseTo(body.volume(), 10)
    }
  })

  it('moves each particle once, by its whole gradient, though it is a corner of many triangles, seeds 1 to 5', () => {
    for (const seed of seeds(5)) {
      const random = new Random(seed)
      const model = cube(1, 2)
      const x = model.positions.map((value) => value + random.uniform(-0.1, 0.1))
      const [rows, columns] = surfaceRow(model, x, [0.01, 1])
      columns.inverseMasses.forEach((_, i) => {
        if (random.uniform() < 0.2) columns.inverseMasses[i] = 0
      })
      const C = new Float64Array(1)
      const at = (y: Float64Array) => {
        pressure.evaluate(rows, 0, y, C)
        return C[0]!
      }
      rows.material[1] = 1 + at(x) + 0.005 // what is asked for is near, so that the whole step is taken
      // C is linear in each coordinate, so that a central difference is exact but for rounding.
      const gradient = x.map((value, k) => {
        const [above, below] = [x.slice(), x.slice()]
        above[k] = value + 0.1
        below[k] = value - 0.1
        return (at(above) - at(below)) / 0.2
      })
      const w = (k: number) => columns.inverseMasses[Math.floor(k / 3)]!
      const change = -at(x) / (gradient.reduce((sum, g, k) => sum + w(k) * g * g, 0) + 0.01)
      pressure.project(rows, 0, 1, columns)
      columns.positions.forEach((value, k) =>
        expect(Math.abs(value - x[k]! - w(k) * gradient[k]! * change)).toBeLessThan(1e-12),
      )
      expect(Math.abs(rows.lambda[0]! - change)).toBeLessThan(1e-10)
    }
  })

  it('gives no momentum and no spin, for any ratio, seeds 1 to 10', () => {
    for (const seed of seeds(10)) {
      const random = new Random(seed)
      const { model } = tetMeshModel(boxLattice([1, 0.7, 0.5], [4, 3, 2]))
      const shift = random.vector(3)
      const x = model.positions.map((value, k) => value + shift[k % 3]! + random.uniform(-0.05, 0.05))
      for (const ratio of [0.3, 1, 4]) {
        const [rows, columns] = surfaceRow(model, x, [0, ratio])
        pressure.project(rows, 0, 1, columns)
        const moves = columns.positions.map((value, k) => value - x[k]!)
        const { momentum, angularMomentum, momentumSize, angularSize } = motionOf(columns.masses, x, moves)
        for (let d = 0; d < 3; d++) {
          expect(Math.abs(momentum[d]!)).toBeLessThan(1e-12 * momentumSize)
          expect(Math.abs(angularMomentum[d]!)).toBeLessThan(1e-12 * angularSize)
        }
      }
    }
  })

  it('takes whole triangles alone', () => {
    const four = () => new ModelBuilder(new Float64Array(12))
    const indices = Uint32Array.of(0, 1, 2, 3)
    expect(() => four().constrain('air', pressure, indices, { offsets: Uint32Array.of(0, 4) })).toThrow(/multiple of 3/)
  })

  it('leaves what has no volume and no area where it is', () => {
    const model = cube(1, 2)
    const [rows, columns] = surfaceRow(model, new Float64Array(model.positions.length), [0, 1])
    pressure.project(rows, 0, 1, columns)
    expect(columns.positions.every((value) => value === 0)).toBe(true)
    expect(rows.lambda[0]).toBe(0)
  })
})

describe('a body under pressure', () => {
  for (const [ratio, modulus] of [
    [0.5, undefined],
    [1.5, undefined],
    [0.5, 1e5],
    [1, 1e5],
    [3, 1e5],
  ] as const) {
    it(`has ${ratio} times its volume where nothing else holds it, ${modulus ? 'by modulus' : 'rigid'}`, () => {
      const { world, body } = floating(ball(0.5, 6), { pressure: { ratio, modulus } })
      const rest = body.volume()
      run(world, 6)
      expect(Math.abs(body.volume() / rest / ratio - 1)).toBeLessThan(1e-3)
      expectHealthy(world)
    })
  }

  it('follows a ratio that leaps by a hundredth of the rest volume in a substep', () => {
    const { world, body } = floating(ball(0.5, 6), { pressure: { ratio: 1 } })
    const rest = body.volume()
    body.set({ elastic: { pressure: { ratio: 5 } } })
    for (let step = 1; step <= 5; step++) {
      const before = body.volume()
      world.step()
      expect(body.volume() - before).toBeLessThan(0.105 * rest)
      expect(body.volume() - before).toBeGreaterThan(0.09 * rest)
    }
    expectHealthy(world)
  })

  it('is let out to a half of what its shape pulls it to, and not further', () => {
    const { world, body } = floating(ball(0.5, 6), { shape: { rate: 60 }, pressure: { ratio: 0.1 } })
    const rest = body.volume()
    run(world, 3, () => expect(body.volume() / rest).toBeGreaterThan(0.49))
    expect(body.volume() / rest).toBeLessThan(0.6)
  })

  for (const ratio of [0.8, 1.5]) {
    it(`and an elastic volume meet where both press alike, ratio ${ratio}`, () => {
      const [gas, solid] = [2e4, 5e4]
      const { world, body } = floating(cube(1, 3), { pressure: { ratio, modulus: gas }, volumes: { modulus: solid } })
      const rest = body.volume()
      run(world, 6)
      // K (ratio - V / V0) = S (V / V0 - 1): both are pressures [Pa], so the units of the modulus are tried too.
      const expected = (gas * ratio + solid) / (gas + solid)
      expect(Math.abs(body.volume() / rest - expected)).toBeLessThan(1e-3)
      expectHealthy(world)
    })
  }

  it('states its compliance in m^5/N: alpha = V0 / K', () => {
    const volumes = [{ modulus: 3e4 }, { compliance: 0.125 / 3e4 }].map((stiffness) => {
      const { world, body } = floating(cube(0.5, 2), {
        pressure: { ratio: 1.4, ...stiffness },
        volumes: { modulus: 3e4 },
      })
      run(world, 1)
      return body.volume()
    })
    expect(volumes[1]).toBeCloseTo(volumes[0]!, 9)
  })

  it('inflates and deflates live, and neither moves nor turns', () => {
    const { world, body } = floating(ball(0.5, 6), { edges: { modulus: 2e4 }, pressure: { ratio: 1, modulus: 1e6 } })
    const rest = body.volume()
    for (const ratio of [1.5, 0.7, 1]) {
      body.set({ elastic: { pressure: { ratio, modulus: 1e6 } } })
      run(world, 3)
      expect(Math.abs(body.volume() / rest / ratio - 1)).toBeLessThan(0.03)
      const { momentumSize, momentum, angularMomentum } = bodyMotion(body)
      for (let d = 0; d < 3; d++) {
        expect(Math.abs(centerOf(body)[d]!)).toBeLessThan(1e-9)
        expect(Math.abs(momentum[d]!)).toBeLessThan(1e-9 + 1e-9 * momentumSize)
        // Every projection keeps the spin; the step along a chord of the motion does so to first order in h alone.
        expect(Math.abs(angularMomentum[d]!)).toBeLessThan(1e-4 * body.mass * 0.25)
      }
    }
    expectHealthy(world)
  })

  it('stays a ball while it is one', () => {
    const sphere = fromGeometry(new IcosahedronGeometry(0.5, 8))
    const { model } = softBodyModel(sphere, { resolution: 6 })
    const { world, body } = floating(model, { edges: { modulus: 5e4 }, pressure: { ratio: 1.5, modulus: 1e6 } })
    const surface = [...new Set(body.model.triangles)]
    const radii = (x: Float64Array) => surface.map((i) => Math.hypot(x[i * 3]!, x[i * 3 + 1]!, x[i * 3 + 2]!))
    const before = radii(positionsOf(body))
    run(world, 4)
    const now = radii(positionsOf(body))
    const growth = now.map((r, k) => r / before[k]!)
    for (const factor of growth) expect(Math.abs(factor / Math.cbrt(1.5) - 1)).toBeLessThan(0.04)
    expectHealthy(world)
  })

  it('acts with all other models on one body', () => {
    const world = new World()
    const { model } = tetMeshModel(boxLattice([1, 0.4, 0.4], [10, 4, 4]), undefined, { clusters: 3 })
    world.addCollider(plane())
    const body = world.addBody(model, {
      position: [0, 1, 0],
      shapeDamping: 3,
      elastic: {
        edges: { modulus: 1e4 },
        neoHookean: { youngsModulus: 5e4, poissonRatio: 0.3 },
        volumes: { modulus: 1e4 },
        shape: { rate: 40, linear: 0.3 },
        pressure: { ratio: 1.3, modulus: 1e7 },
      },
    })
    run(world, 4)
    expect(body.volume() / model.volume).toBeGreaterThan(1.2)
    expect(body.volume() / model.volume).toBeLessThan(1.3)
    expectHealthy(world)
  })
})

describe('what springs hold and is pumped up or let out at once, however far,', () => {
  const springs = {
    springs: { edges: { modulus: 5e4 } },
    'springs and volumes': { edges: { modulus: 5e4 }, volumes: { modulus: 5e4 } },
  }
  it.each([
    ['springs', 1, 5, 5],
    ['springs', 1, 5, 0.1],
    ['springs and volumes', 1, 5, 5],
    ...long(['springs', 0.3, 9, 2], ['springs and volumes', 0.3, 9, 0.1]),
  ] as const)(
    'is still again on the ground: a ball of %s, %d m, %d cells, ratio %d',
    (material, size, resolution, ratio) => {
      const { model } = softBodyModel(sized(fromGeometry(new SphereGeometry(0.5, 24, 16)), size), { resolution })
      const world = new World({ sleeping: false })
      world.addCollider(plane())
      const body = world.addBody(model, {
        position: [0, size, 0],
        density: 300,
        shapeDamping: 4,
        friction: 0.6,
        rollingFriction: 0.3,
        elastic: { ...off, ...springs[material], pressure: { modulus: 3e5, ratio: 1 } },
      })
      body.set({ elastic: { pressure: { ratio, modulus: 3e5 } } })
      run(world, 3)
      run(world, 1, () => expect(largestSpeed(body)).toBeLessThan(0.05))
      expect((body.volume() / model.volume - 1) * Math.sign(ratio - 1)).toBeGreaterThan(0.06)
      expectHealthy(world)
    },
  )
})

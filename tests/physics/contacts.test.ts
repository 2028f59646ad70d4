import { describe, expect, it } from 'vitest'
import { box, plane, type Quat, sphere, type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { centerOf, expectHealthy, lowest, particle, positionsOf, run, velocityOf } from '../support/laws.js'

const turn = (axis: Vec3, angle: number): Quat => {
  const s = Math.sin(angle / 2)
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)]
}

describe('thickness', () => {
  for (const thickness of [0, 0.01, 0.2]) {
    it(`keeps a particle ${thickness} m off a plane, a box and a ball`, () => {
      const world = new World()
      world.addCollider(plane())
      world.addCollider(box([0.5, 0.5, 0.5]), { position: [5, 0.5, 0] })
      world.addCollider(sphere(0.5), { position: [10, 0.5, 0] })
      const bodies = [0, 5, 10].map((x, k) =>
        world.addBody(particle(), { thickness, position: [x, k === 0 ? 0.7 : 1.7, 0] }),
      )
      run(world, 2)
      bodies.forEach((body, k) => expect(centerOf(body)[1]).toBeCloseTo((k === 0 ? 0 : 1) + thickness, 9))
      expectHealthy(world)
    })
  }

  it('can change while the world runs', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(particle(), { thickness: 0.01, position: [0, 0.01, 0] })
    run(world, 0.1)
    body.set({ thickness: 0.05 })
    run(world, 0.1)
    // Pushed out at once, with the speed of a push: it falls back within a second or so.
    run(world, 5)
    expect(centerOf(body)[1]).toBeCloseTo(0.05, 9)
  })
})

describe('a moving collider', () => {
  for (const seed of seeds(4)) {
    it(`takes along what rubs on it, to its own speed, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      const half: Vec3 = [3, 0.1, 3]
      const plate = world.addCollider(box(half))
      const model = cube(0.3, 2)
      const mu = random.uniform(0.3, 1)
      const speed = random.uniform(0.2, 0.8)
      const [ux, , uz] = random.direction()
      const way = [ux / Math.hypot(ux, uz), uz / Math.hypot(ux, uz)] as const
      const light = world.addBody(particle(), { friction: mu, position: [0, 0.1, 0] })
      const solid = world.addBody(model, { friction: mu, position: [1, 0.25 + model.thickness, 0], shapeDamping: 5 })
      world.onBeforeStep(() => {
        const t = world.time + world.settings.timeStep
        plate.setPose([speed * t * way[0], 0, speed * t * way[1]], [0, 0, 0, 1])
      })
      run(world, 2)
      const before = [light, solid].map((body) => centerOf(body))
      run(world, 1)
      for (const [k, tolerance] of [1e-9, 0.01].entries()) {
        const now = centerOf([light, solid][k]!)
        // One particle sticks exactly; a body still wobbles by some millimetres.
        expect(Math.abs(now[0] - before[k]![0] - speed * way[0])).toBeLessThan(tolerance)
        expect(Math.abs(now[2] - before[k]![2] - speed * way[1])).toBeLessThan(tolerance)
      }
      // Until it sticks a particle lags by v^2 / (2 mu g); a substep's way is the error.
      const lag = speed * 3 - (centerOf(light)[0] * way[0] + centerOf(light)[2] * way[1])
      expect(Math.abs(lag - (speed * speed) / (2 * mu * 9.81))).toBeLessThan(speed / 300)
      expectHealthy(world)
    })
  }

  it('carries a particle round that holds on, and lets slip one too far out', () => {
    const world = new World()
    const table = world.addCollider(box([4, 0.1, 4]))
    const spin = 1.5
    const mu = 0.5
    // Friction gives at most mu g: it holds up to r = mu g / spin^2 = 2.18 m.
    const inner = world.addBody(particle(), { friction: mu, position: [1, 0.1, 0] })
    const outer = world.addBody(particle(), { friction: mu, position: [3, 0.1, 0] })
    world.onBeforeStep(() =>
      table.setPose([0, 0, 0], turn([0, 1, 0], (Math.min(1, world.time) * spin * world.time) / 2)),
    )
    run(world, 3)
    const radius = (body: typeof inner) => Math.hypot(centerOf(body)[0], centerOf(body)[2])
    expect(radius(inner)).toBeGreaterThan(0.99)
    expect(radius(inner)).toBeLessThan(1.02)
    expect(radius(outer)).toBeGreaterThan(3.05)
    expectHealthy(world)
  })

  for (const shape of ['particle', 'cube'] as const) {
    it(`lifts a ${shape} without sinking into it`, () => {
      const world = new World()
      const plate = world.addCollider(box([1, 0.1, 1]))
      const model = shape === 'particle' ? particle() : cube(0.4, 2)
      const top = (y: number) => y + 0.1 + model.thickness
      const body = world.addBody(model, { position: [0, top(0) + (shape === 'cube' ? 0.2 : 0), 0], shapeDamping: 5 })
      let height = 0
      world.onBeforeStep((_, dt) => {
        height += 1.5 * dt
        plate.setPose([0, height, 0], [0, 0, 0, 1])
      })
      // Contacts have the last word in a substep: no particle is left inside.
      run(world, 2, () => expect(lowest(body)).toBeGreaterThan(top(height) - 1e-9))
      expect(velocityOf(body)[1]).toBeCloseTo(1.5, shape === 'particle' ? 9 : 2)
      expectHealthy(world)
    })
  }

  it('sweeps what is in its way, even a step long', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const wall = world.addCollider(box([0.2, 1, 1]), { position: [-1, 0, 0] })
    const body = world.addBody(particle())
    for (let k = 1; k <= 20; k++) {
      wall.setPose([-1 + 0.3 * k, 0, 0], [0, 0, 0, 1])
      world.advance(world.settings.timeStep)
      expect(centerOf(body)[0]).toBeGreaterThanOrEqual(Math.max(0, -1 + 0.3 * k + 0.2 - 1e-9))
    }
    expectHealthy(world)
  })

  it('teleports without taking anything along', () => {
    const world = new World()
    const plate = world.addCollider(box([5, 0.1, 5]))
    const body = world.addBody(particle(), { friction: 1, position: [0, 0.1, 0] })
    run(world, 0.1)
    plate.teleport([1, 0, 0], [0, 0, 0, 1])
    run(world, 0.5)
    expect(Math.abs(centerOf(body)[0])).toBeLessThan(1e-9)
  })
})

describe('between colliders', () => {
  for (const seed of seeds(10)) {
    it(`the deepest is resolved first, whichever was added first, seed ${seed}`, () => {
      const random = new Random(seed)
      // Two planes through the origin, leaning together; the point ends one substep inside both.
      const lean = random.uniform(0.6, 1.2)
      const normals = [
        [Math.sin(lean), Math.cos(lean)],
        [-Math.sin(lean), Math.cos(lean)],
      ] as const
      const start = [random.uniform(-0.02, 0.02), 0.3] as const
      const end = [random.uniform(-0.04, 0.04), -0.1] as const
      const depth = (p: readonly number[], k: 0 | 1) => p[0]! * normals[k][0] + p[1]! * normals[k][1]
      const expected = [...end]
      const first = depth(expected, 0) < depth(expected, 1) ? 0 : 1
      for (const k of [first, first === 0 ? 1 : 0] as const) {
        const d = depth(expected, k)
        if (d < 0) for (const axis of [0, 1] as const) expected[axis]! -= d * normals[k][axis]
      }
      for (const order of [
        [0, 1],
        [1, 0],
      ] as const) {
        const world = new World({ gravity: [0, 0, 0], substeps: 1 })
        for (const k of order) world.addCollider(plane(), { rotation: turn([0, 0, 1], k === 0 ? -lean : lean) })
        const body = world.addBody(particle(), { friction: 0, position: [start[0], start[1], 0] })
        const dt = world.settings.timeStep
        body.setVelocity([(end[0] - start[0]) / dt, (end[1] - start[1]) / dt, 0])
        world.step()
        const [x, y] = centerOf(body)
        expect(x).toBeCloseTo(expected[0]!, 12)
        expect(y).toBeCloseTo(expected[1]!, 12)
      }
    })

    it(`a corner holds a particle that is thrown into it, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      world.addCollider(plane())
      world.addCollider(plane(), { rotation: turn([0, 0, 1], -Math.PI / 2) })
      world.addCollider(plane(), { rotation: turn([1, 0, 0], Math.PI / 2) })
      const body = world.addBody(particle(), {
        thickness: 0.01,
        position: [0.5, 0.5, 0.5],
        friction: random.uniform(0, 1),
      })
      body.setVelocity([random.uniform(-20, -5), random.uniform(-20, 0), random.uniform(-20, -5)])
      run(world, 2, () => expect(Math.min(...positionsOf(body))).toBeGreaterThan(0.01 - 1e-9))
      expectHealthy(world)
    })
  }

  it('stops a body between box faces and on the seams of a tiled floor', () => {
    const world = new World()
    for (let i = -2; i <= 2; i++)
      for (let j = -2; j <= 2; j++) world.addCollider(box([0.5, 0.5, 0.5]), { position: [i, -0.5, j] })
    const model = cube(0.6, 2)
    const body = world.addBody(model, { position: [0.13, 0.8, 0.21] })
    run(world, 3, () => expect(lowest(body)).toBeGreaterThan(model.thickness - 1e-6))
    expect(Math.hypot(centerOf(body)[0] - 0.13, centerOf(body)[2] - 0.21)).toBeLessThan(0.01)
    expectHealthy(world)
  })
})

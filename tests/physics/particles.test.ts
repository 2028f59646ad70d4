import { describe, expect, it } from 'vitest'
import { clothModel, plane, room, SettingError, sphere, type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { ball, cube } from '../support/lattice.js'
import { bodyMotion, expectHealthy, positionsOf, rmsSpeed, run, substepOf, velocitiesOf } from '../support/laws.js'

const { hypot, abs, min } = Math
const radius = 0.05

describe('free particles', () => {
  for (const seed of seeds(4)) {
    it(`fall each by itself, as symplectic Euler has it, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ substeps: random.integer(1, 20) })
      const start = random.array(60, 3)
      const body = world.addParticles(start, { radius, position: [1, 2, 3] })
      run(world, 1)
      const fall = (9.81 / 2) * (1 + substepOf(world))
      const x = positionsOf(body)
      for (let p = 0; p < 60; p++) {
        const at = start[p]! + [1, 2, 3][p % 3]!
        expect(x[p]).toBeCloseTo(p % 3 === 1 ? at - fall : at, 9)
      }
      expectHealthy(world)
    })

    it(`bounce each to e^2 of its own drop, and rest a radius above the ground, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      world.addCollider(plane())
      const heights = [random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)]
      const e = random.uniform(0.3, 0.8)
      const body = world.addParticles(
        heights.flatMap((height, k) => [k, height + radius, 0]),
        { radius, restitution: e },
      )
      const rebound = [0, 0, 0]
      const rises = [false, false, false]
      run(world, 2.5, (time) => {
        const [x, v] = [positionsOf(body), velocitiesOf(body)]
        heights.forEach((height, k) => {
          const fall = Math.sqrt((2 * height) / 9.81)
          if (time > fall + 2 * e * fall) return // the second time that it lands
          if (v[k * 3 + 1]! > 0) rises[k] = true
          if (rises[k]) rebound[k] = Math.max(rebound[k]!, x[k * 3 + 1]! - radius)
        })
      })
      heights.forEach((height, k) => expect(abs(rebound[k]! - e * e * height)).toBeLessThan(0.03 * Math.max(1, height)))
      run(world, 10)
      heights.forEach((_, k) => expect(positionsOf(body)[k * 3 + 1]).toBeCloseTo(radius, 4))
      expect(body.asleep).toBe(true)
      expectHealthy(world)
    })
  }

  it.each(seeds(3))(
    'falls at its terminal speed, sqrt(2 m g / (rho drag pi r^2)), and is blown as fast as the wind, seed %i',
    (seed) => {
      const random = new Random(seed)
      const [r, mass, drag] = [random.uniform(0.02, 0.2), random.uniform(0.002, 0.05), random.uniform(0.3, 1)]
      const still = new World()
      const body = still.addParticles([0, 0, 0, 9, 0, 0], { radius: r, mass: 2 * mass, drag })
      const terminal = Math.sqrt((2 * mass * 9.81) / (1.2 * drag * Math.PI * r * r))
      run(still, 8 * (terminal / 9.81))
      const v = velocitiesOf(body)
      // Half of a substep's fall more, as the speed is seen after it: air comes before gravity.
      for (const speed of [v[1]!, v[4]!])
        expect(abs(-speed / terminal - 1)).toBeLessThan(0.001 + (9.81 * substepOf(still)) / terminal)
      expectHealthy(still)

      const windy = new World({ gravity: [0, 0, 0], wind: [3, 0, 1] })
      const blown = windy.addParticles([0, 0, 0], { radius: r, mass, drag })
      const spared = windy.addParticles([0, 9, 0], { radius: r, mass })
      // u falls as 1 / (1 + k u t), k = rho drag pi r^2 / 2 m.
      const k = (1.2 * drag * Math.PI * r * r) / (2 * mass)
      const size = hypot(3, 1)
      run(windy, 2)
      const after = velocitiesOf(blown)
      const law = 1 - 1 / (1 + k * size * 2)
      expect(abs(after[0]! / (3 * law) - 1)).toBeLessThan(0.001 + k * size * substepOf(windy))
      expect(after[2]! * 3).toBeCloseTo(after[0]!, 9)
      expect(hypot(...velocitiesOf(spared))).toBe(0)
    },
  )

  it('spin nothing: one that is stopped leaves the others as they are', () => {
    const world = new World({ gravity: [0, 0, 0] })
    world.addCollider(plane(), { position: [0, -1, 0] })
    const body = world.addParticles([0, 0, 0, 5, 0, 0, 0, 0, 5], { radius })
    body.applyImpulse([0, -body.mass, 0], { particles: Uint32Array.of(0), weights: Float64Array.of(1) })
    run(world, 1)
    const x = positionsOf(body)
    expect(x[1]).toBeCloseTo(-1 + radius, 6)
    expect(Array.from(x.slice(3))).toEqual([5, 0, 0, 0, 0, 5])
  })

  it('weigh what balls of their density weigh, or what is said of each', () => {
    const world = new World()
    const volume = (4 / 3) * Math.PI * radius ** 3
    expect(world.addParticles(new Float64Array(30), { radius, density: 500 }).mass).toBeCloseTo(10 * 500 * volume, 12)
    expect(world.addParticles(new Float64Array(30), { radius, mass: 3 }).mass).toBe(3)
    const own = world.addParticles(new Float64Array(9), { radius, masses: [1, 2, 5] })
    expect(own.mass).toBeCloseTo(8, 12)
    expect([...own.model.massShares]).toEqual([1 / 8, 2 / 8, 5 / 8])
  })

  it('are stopped by the surface of a soft body and of a cloth, and push it: momentum stays', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const soft = world.addBody(cube(0.6, 3), { shapeDamping: 5 })
    const shots = world.addParticles([0, 1, 0, 0.1, 1.1, 0.1, -0.1, 1.2, 0.1], { radius, mass: 3 })
    shots.setVelocity([0, -4, 0])
    const total = () => bodyMotion(soft).momentum.map((p, d) => p + bodyMotion(shots).momentum[d]!)
    const before = total()
    run(world, 0.6)
    total().forEach((p, d) => expect(abs(p - before[d]!)).toBeLessThan(1e-9 * hypot(...before)))
    const x = positionsOf(shots)
    for (let p = 1; p < 9; p += 3) expect(x[p]).toBeGreaterThan(0.25)
    expect(soft.velocity([0, 0, 0])[1]).toBeLessThan(-0.01)
    expectHealthy(world)

    const net = new World()
    const cloth = net.addBody(clothModel({ width: 2, height: 2, segmentsX: 16, segmentsY: 16 }).model, {
      rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    })
    cloth.pin([0, 16, 16 * 17, 17 * 17 - 1])
    const random = new Random(1)
    const hail = net.addParticles(
      Array.from({ length: 60 }, (_, k) => (k % 3 === 1 ? random.uniform(0.3, 1.5) : random.uniform(-0.5, 0.5))),
      { radius: 0.03, mass: 0.2 },
    )
    run(net, 1.5)
    let lowest = Number.POSITIVE_INFINITY
    const y = positionsOf(hail)
    for (let p = 1; p < y.length; p += 3) lowest = min(lowest, y[p]!)
    expect(lowest).toBeGreaterThan(-1.2) // a fall would have led to -10
  })

  it('sweep their ways: nothing goes through a thin wall, however fast', () => {
    const world = new World({ gravity: [0, 0, 0] })
    world.addCollider(sphere(0.5), { position: [5, 0, 0] })
    const body = world.addParticles([0, 0, 0, 0, 0.1, 0, 0, -0.2, 0.1], { radius: 0.01 })
    body.setVelocity([400, 0, 0])
    run(world, 0.2)
    const x = positionsOf(body)
    for (let p = 0; p < 9; p += 3) expect(x[p]).toBeLessThan(5)
  })

  it('take part in snapshots, resets, teleports, pins, sleep and removal', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addParticles([0, 1, 0, 1, 2, 0], { radius, position: [0, 0.5, 0] })
    body.pin([1])
    const saved = world.snapshot()
    run(world, 0.3)
    const later = positionsOf(body)
    world.restore(saved)
    run(world, 0.3)
    expect(positionsOf(body)).toEqual(later)
    expect(later[4]).toBe(2.5)
    world.reset()
    expect([...positionsOf(body)]).toEqual([0, 1.5, 0, 1, 2.5, 0])
    body.teleport([0, 3, 0])
    expect(positionsOf(body)[1]).toBe(4)
    body.remove()
    expect(body.alive).toBe(false)
    world.step()
    expect(world.bodies.length).toBe(0)
  })

  it('say what is wrong', () => {
    const world = new World()
    const wrongs: [ArrayLike<number>, object, string][] = [
      [[], {}, 'positions'],
      [[1, 2], {}, 'positions'],
      [[1, 2, Number.NaN], {}, 'positions'],
      [[1, 2, 3], { radius: 0 }, 'radius'],
      [[1, 2, 3], { masses: [1, 2] }, 'masses'],
      [[1, 2, 3], { masses: [0] }, 'masses'],
    ]
    for (const [positions, settings, prop] of wrongs) {
      expect(() => world.addParticles(positions, { name: 'Sand', ...settings })).toThrow(SettingError)
      expect(() => world.addParticles(positions, { name: 'Sand', ...settings })).toThrow(`<Sand> ${prop}`)
    }
    expect(world.bodies.length).toBe(0)
  })
})

describe('a room', () => {
  for (const seed of seeds(4)) {
    it(`keeps what is thrown about in it, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      const half: Vec3 = [random.uniform(1, 2), random.uniform(1, 2), random.uniform(1, 2)]
      const rotation = random.rotation()
      world.addCollider(room(half), { rotation, restitution: 0.8 })
      const sand = world.addParticles(random.array(90, 0.5), { radius: 0.02, restitution: 0.5 })
      const bodies = [world.addBody(ball(0.3, 4)), world.addBody(cube(0.3, 2))]
      sand.setVelocity(random.vector(60), random.vector(20))
      for (const body of bodies) body.setVelocity(random.vector(20), random.vector(20))
      const [qx, qy, qz, qw] = rotation
      run(world, 1.5, () => {
        for (const body of [sand, ...bodies]) {
          const x = positionsOf(body)
          for (let p = 0; p < x.length; p += 3) {
            const at = turned([-qx, -qy, -qz, qw], [x[p]!, x[p + 1]!, x[p + 2]!])
            // What another body presses against it may stand a little in the wall for a moment.
            for (let d = 0; d < 3; d++) expect(abs(at[d]!)).toBeLessThan(half[d]! + 0.05)
          }
        }
      })
      expect(world.stats.nonFiniteRescues).toBe(0)
      expect(rmsSpeed(sand)).toBeLessThan(60)
    })
  }

  it('brings what was put outside back in', () => {
    const world = new World({ gravity: [0, 0, 0] })
    world.addCollider(room([1, 1, 1]))
    const body = world.addParticles([3, 0, 0, 2, 2, 2], { radius: 0.1 })
    run(world, 3)
    positionsOf(body).forEach((x) => expect(abs(x)).toBeLessThan(0.9 + 1e-6))
  })

  it('refuses a side of nothing', () => {
    expect(() => room([1, 0, 1])).toThrow(SettingError)
  })
})

function turned([x, y, z, w]: readonly [number, number, number, number], p: Vec3): Vec3 {
  const t = [2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])] as const
  return [
    p[0] + w * t[0] + y * t[2] - z * t[1],
    p[1] + w * t[1] + z * t[0] - x * t[2],
    p[2] + w * t[2] + x * t[1] - y * t[0],
  ]
}

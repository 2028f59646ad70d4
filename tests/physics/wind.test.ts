import { describe, expect, it } from 'vitest'
import {
  type Body,
  type BodySettings,
  clothModel,
  type Elastic,
  SettingError,
  type Vec3,
  type WindRegion,
  type WindSettings,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, expectHealthy, largestSpeed, positionsOf, rmsSpeed, run, velocityOf } from '../support/laws.js'

const none: Vec3 = [0, 0, 0]
const onItsBack = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const
const rigid: Elastic = {
  membrane: { stretchModulus: Number.POSITIVE_INFINITY, shearModulus: Number.POSITIVE_INFINITY },
  bend: { compliance: 0 },
}
const sheet = clothModel({ width: 1, height: 1, segmentsX: 8, segmentsY: 8 }).model
const { hypot, sqrt, max, abs } = Math

describe('a sheet that falls flat', () => {
  for (const seed of seeds(3)) {
    it(`gets to the speed sqrt(2 m g / (rho A drag)), seed ${seed}`, () => {
      const random = new Random(seed)
      const [drag, density, airDensity] = [random.uniform(0.5, 2), random.uniform(0.2, 2), random.uniform(0.5, 2)]
      const world = new World({ airDensity })
      const body = world.addBody(sheet, { drag, lift: 1, density, rotation: onItsBack, elastic: rigid })
      const terminal = sqrt((2 * density * 9.81) / (airDensity * drag))
      run(world, (4 * terminal) / 9.81)
      expect(abs(-velocityOf(body)[1] / terminal - 1)).toBeLessThan(0.01)
      expectHealthy(world)
    })
  }

  it.each([1e-150, 1e-162, 1e-200, 1e-300])('is not pushed at %d m/s, whose square is hardly a number', (speed) => {
    const world = new World({ gravity: none })
    const body = world.addBody(sheet, { drag: 1, lift: 1, rotation: onItsBack })
    body.setVelocity([speed, -speed, 0])
    world.step()
    expect(largestSpeed(body)).toBeLessThan(1e-9)
    expectHealthy(world)
  })

  it('is not held in a vacuum, nor without drag', () => {
    for (const [airDensity, drag] of [
      [0, 1],
      [1.2, 0],
    ] as const) {
      const world = new World({ airDensity, wind: [5, 0, 0] })
      const body = world.addBody(sheet, { drag, rotation: onItsBack })
      run(world, 1)
      expect(velocityOf(body)[0]).toBeCloseTo(0, 9)
      expect(velocityOf(body)[1]).toBeCloseTo(-9.81, 9)
    }
  })
})

describe('a box that falls', () => {
  it('is braked by the side that faces the air alone', () => {
    const side = 0.5
    const [density, drag] = [20, 1.1]
    const world = new World()
    const body = world.addBody(cube(side, 2), { density, drag })
    const terminal = sqrt((2 * density * side * 9.81) / (1.2 * drag))
    run(world, (4 * terminal) / 9.81)
    expect(abs(-velocityOf(body)[1] / terminal - 1)).toBeLessThan(0.02) // the air dents it
  })
})

/** Change of momentum in the first step, over its length: the force [N]. */
function forceOn(body: Body, world: World): number[] {
  world.step()
  return bodyMotion(body).momentum.map((value) => value / world.settings.timeStep)
}

describe('the force on a plate', () => {
  for (const seed of seeds(10)) {
    it(`is rho / 2 A c |u| (drag u + lift (|u| n - c u)), seed ${seed}`, () => {
      const random = new Random(seed)
      const [drag, lift] = [random.uniform(0.1, 2), random.uniform(0.1, 2)]
      const u = random.vector(5)
      const rotation = random.rotation()
      const [qx, qy, qz, qw] = rotation
      const n = [2 * (qx * qz + qw * qy), 2 * (qy * qz - qw * qx), 1 - 2 * (qx * qx + qy * qy)]
      const speed = hypot(...u)
      const through = u[0] * n[0]! + u[1] * n[1]! + u[2] * n[2]!
      const side = Math.sign(through)
      const c = abs(through) / speed
      // Heavy, so that it gains no speed to speak of.
      const world = new World({ gravity: none, wind: u })
      const body = world.addBody(sheet, { density: 1e3, drag, lift, rotation })
      const force = forceOn(body, world)
      force.forEach((value, d) => {
        const expected = 0.6 * c * speed * (drag * u[d]! + lift * (speed * side * n[d]! - c * u[d]!))
        expect(abs(value - expected)).toBeLessThan(1e-3 * 0.6 * (drag + lift) * speed * speed)
      })
    })
  }

  it('is that of the wind less its own velocity', () => {
    const world = new World({ gravity: none, wind: [3, 0, 4] })
    const body = world.addBody(sheet, { drag: 1, lift: 1 })
    body.setVelocity([3, 0, 4])
    run(world, 1)
    velocityOf(body).forEach((value, d) => expect(value).toBeCloseTo([3, 0, 4][d]!, 9))
  })

  it('leaves pinned particles where they are', () => {
    const world = new World({ gravity: none, wind: [0, 0, 30] })
    const body = world.addBody(sheet, { drag: 1 })
    body.pin(Array.from({ length: sheet.particleCount }, (_, i) => i))
    run(world, 0.5)
    expect(positionsOf(body)).toEqual(sheet.positions)
  })
})

describe('any wind', () => {
  for (const speed of [10, 30, 100]) {
    for (const substeps of [2, 10]) {
      it(`of ${speed} m/s makes nothing faster than itself, at ${substeps} substeps`, () => {
        const random = new Random(speed)
        const world = new World({ gravity: none, substeps })
        const direction = random.direction()
        world.addWind({ velocity: direction.map((value) => speed * value) as unknown as Vec3 })
        const body = world.addBody(sheet, { drag: 2, lift: 2, density: 0.05 })
        run(world, 2, () => expect(largestSpeed(body)).toBeLessThan(1.5 * speed))
        // It goes with the wind in the end.
        const v = velocityOf(body)
        expect(hypot(...v.map((value, d) => value - speed * direction[d]!))).toBeLessThan(0.5 * speed)
        expectHealthy(world)
      })
    }
  }

  it('of 100 m/s, full of gusts, leaves a tethered flag whole', () => {
    const world = new World()
    world.addWind({ velocity: [100, 0, 0], turbulence: 1 })
    const body = world.addBody(sheet, { drag: 1, lift: 1, tether: 1, strainLimit: 0.05 })
    body.pin(Array.from({ length: 9 }, (_, j) => 9 * j))
    run(world, 3)
    expectHealthy(world)
    const bounds = body.bounds(new Float64Array(6))
    expect(max(...bounds.map(abs))).toBeLessThan(1.5)
  })

  it('does not drive: in still air a swinging cloth loses what it has', () => {
    const world = new World({ gravity: none })
    const body = world.addBody(sheet, { drag: 1, lift: 1 })
    const random = new Random(1)
    body.setVelocity(random.vector(3), random.vector(10))
    world.flush()
    const first = rmsSpeed(body)
    let last = first
    run(world, 2, () => {
      last = rmsSpeed(body)
      expect(last).toBeLessThan(first)
    })
    expect(last).toBeLessThan(first / 2)
  })
})

describe('winds', () => {
  /** Mean velocity that the air gives a light sheet of its own, in a while. */
  const carried = (winds: Partial<WindSettings>[], position: Vec3 = none, seconds = 1) => {
    const world = new World({ gravity: none })
    for (const wind of winds) world.addWind(wind)
    const body = world.addBody(sheet, { drag: 1, density: 0.01, position })
    run(world, seconds)
    return velocityOf(body)
  }

  it('add up', () => {
    const [x, y, z] = carried([{ velocity: [0, 0, 2] }, { velocity: [0, 0, 1] }])
    expect(hypot(x, y)).toBeLessThan(0.01)
    expect(z).toBeGreaterThan(2.5)
    expect(z).toBeLessThan(3)
    expect(hypot(...carried([{ velocity: [0, 0, 2] }, { velocity: [0, 0, -2] }]))).toBe(0)
  })

  it.each<[string, WindRegion]>([
    ['a box', { min: [-1, -1, -1], max: [1, 1, 1] }],
    ['a ball', { center: [0, 0, 0], radius: 1 }],
  ])('blow in %s alone', (_, region) => {
    const wind = { velocity: [0, 0, 2] as Vec3, region }
    expect(carried([wind], none, 0.1)[2]).toBeGreaterThan(1)
    expect(carried([wind], [2, 0, 0], 0.1)[2]).toBe(0)
  })

  it('change live, and go', () => {
    const world = new World({ gravity: none })
    const wind = world.addWind({ velocity: [0, 0, 2], region: { center: [9, 9, 9], radius: 1 } })
    const body = world.addBody(sheet, { drag: 1, density: 0.01 })
    run(world, 0.5)
    expect(velocityOf(body)[2]).toBe(0)
    wind.set({ region: undefined })
    run(world, 1)
    const fast = velocityOf(body)[2]
    expect(fast).toBeGreaterThan(1)
    wind.set({ velocity: [0, 0, -2] })
    run(world, 1)
    expect(velocityOf(body)[2]).toBeLessThan(0)
    expect(wind.settings.velocity).toEqual([0, 0, -2])
    wind.remove()
    expect(wind.alive).toBe(false)
    body.setVelocity([0, 0, 0])
    run(world, 0.2)
    expect(hypot(...velocityOf(body))).toBeLessThan(1e-3)
    wind.set({ velocity: [1, 1, 1] }) // nobody is there
  })

  it('wake what sleeps when they come, change and go', () => {
    const world = new World()
    const body = world.addBody(sheet, { drag: 1, damping: 10 })
    body.pin(Array.from({ length: 9 }, (_, i) => i))
    const sleep = () => {
      for (let k = 0; k < 600 && !body.asleep; k++) world.step()
      expect(body.asleep).toBe(true)
    }
    sleep()
    const wind = world.addWind({ velocity: [0, 0, 0] })
    expect(body.asleep).toBe(false)
    sleep()
    wind.set({ seed: 2 })
    expect(body.asleep).toBe(false)
    sleep()
    wind.remove()
    expect(body.asleep).toBe(false)
    sleep()
    world.set({ wind: [0, 0, 1] })
    expect(body.asleep).toBe(false)
  })

  it('let what they do not act on sleep: what has no drag or lift, or lies outside their region', () => {
    const world = new World()
    const hang = (x: number, air: Partial<BodySettings>) => {
      const body = world.addBody(sheet, { ...air, damping: 10, position: [x, 0, 0] })
      body.pin(Array.from({ length: 9 }, (_, i) => i))
      return body
    }
    const bodies = [hang(0, { drag: 1 }), hang(-1.5, {}), hang(4, { lift: 1 })]
    const woken = (act: () => void) => {
      for (let k = 0; k < 600 && !bodies.every((body) => body.asleep); k++) world.step()
      expect(bodies.every((body) => body.asleep)).toBe(true)
      act()
      return bodies.map((body) => !body.asleep)
    }
    const [neither, one, other, both] = [
      [false, false, false],
      [true, false, false],
      [false, false, true],
      [true, false, true],
    ]
    expect(woken(() => world.set({ wind: [0, 0, 0.1] }))).toEqual(both)
    expect(woken(() => world.set({ airDensity: 1 }))).toEqual(both)
    expect(woken(() => world.set({ wind: [0, 0, 0.1] }))).toEqual(neither)
    const velocity: Vec3 = [0, 0, 0.1]
    const near = { center: [-0.75, 0, 1] as Vec3, radius: 1.1 }
    const far = { min: [3, -1, -1] as Vec3, max: [5, 1, 1] as Vec3 }
    let wind = world.addWind({ velocity, region: far })
    wind.remove()
    expect(woken(() => (wind = world.addWind({ velocity, region: { ...near, radius: 0.9 } })))).toEqual(neither)
    expect(woken(() => wind.set({ region: near }))).toEqual(one)
    expect(woken(() => wind.set({ seed: 2 }))).toEqual(one)
    expect(woken(() => wind.set({ region: far }))).toEqual(both)
    expect(woken(() => wind.remove())).toEqual(other)
    expect(woken(() => (wind = world.addWind({ velocity })))).toEqual(both)
    expect(woken(() => wind.remove())).toEqual(both)
  })

  it('that have gusts let nothing sleep in them', () => {
    const rests = (settings: Partial<WindSettings>) => {
      const world = new World()
      world.addWind({ velocity: [0, 0, 1e-3], ...settings })
      const body = world.addBody(sheet, { drag: 1, damping: 10 })
      body.pin(Array.from({ length: 9 }, (_, i) => i))
      run(world, 8)
      return body.asleep
    }
    expect(rests({ turbulence: 0 })).toBe(true)
    expect(rests({ turbulence: 0.5 })).toBe(false)
    expect(rests({ turbulence: 0.5, region: { center: [5, 0, 0], radius: 1 } })).toBe(true)
  })

  it('have the same gusts for the same seed, others for another, and go on after a snapshot', () => {
    const blown = (seed: number) => {
      const world = new World()
      world.addWind({ velocity: [4, 0, 1], turbulence: 1, seed })
      const body = world.addBody(sheet, { drag: 1, lift: 1 })
      body.pin([0, 8])
      return { world, body }
    }
    const [a, b, c] = [blown(1), blown(1), blown(2)]
    for (const { world } of [a, b, c]) run(world, 1)
    expect(positionsOf(a.body)).toEqual(positionsOf(b.body))
    expect(positionsOf(a.body)).not.toEqual(positionsOf(c.body))
    const snapshot = a.world.snapshot()
    run(a.world, 0.5)
    const later = positionsOf(a.body)
    a.world.restore(snapshot)
    run(a.world, 0.5)
    expect(positionsOf(a.body)).toEqual(later)
    a.world.reset()
    run(a.world, 1)
    expect(positionsOf(a.body)).toEqual(positionsOf(b.body))
  })

  it('have gusts within turbulence times their speed, on the mean none', () => {
    const world = new World({ gravity: none })
    world.addWind({ velocity: [0, 0, 5], turbulence: 0.5 })
    // So limp and light that every particle has the velocity of the air about it.
    const body = world.addBody(sheet, { drag: 100, density: 0.01, elastic: { membrane: false, bend: false } })
    let sum = 0
    let count = 0
    let spread = 0
    for (let round = 0; round < 60; round++) {
      body.reset()
      body.teleport([round * 0.7, 0, 0])
      world.step()
      const z = velocityOf(body)[2]
      expect(z).toBeGreaterThan(0)
      expect(z).toBeLessThan(7.5)
      sum += z
      spread += (z - 5) ** 2
      count++
    }
    expect(abs(sum / count - 5)).toBeLessThan(1)
    expect(sqrt(spread / count)).toBeGreaterThan(0.2)
  })

  const refusals: [string, object][] = [
    ['velocity', { velocity: [1, Number.NaN, 0] }],
    ['turbulence', { turbulence: -1 }],
    ['turbulenceSize', { turbulenceSize: 0 }],
    ['seed', { seed: 0.5 }],
    ['region', { region: { min: [1, 1, 1], max: [0, 0, 0] } }],
    ['region', { region: { center: [0, 0, 0], radius: 0 } }],
    ['region', { region: null }],
    ['gustiness', { gustiness: 1 }],
  ]
  it.each(refusals)('refuse %s out of range: %o', (prop, settings) => {
    const world = new World()
    expect(() => world.addWind(settings)).toThrow(SettingError)
    expect(() => world.addWind(settings)).toThrow(prop)
  })
})

describe('what a solid and a cloth feel of the air in the engine', () => {
  it('is nothing unless asked for', () => {
    for (const model of [sheet, cube(1, 1)]) {
      const world = new World({ gravity: none, wind: [9, 9, 9] })
      const body = world.addBody(model)
      run(world, 0.5)
      expect(largestSpeed(body)).toBe(0)
    }
  })
})

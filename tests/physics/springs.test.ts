import { describe, expect, it } from 'vitest'
import { box, SettingError, type SpringOptions, type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, centerOf, expectHealthy, particle, positionsOf, run, velocityOf } from '../support/laws.js'

/** What hardly gives way against a spring of some 100 N/m. */
const stiff = { elastic: { neoHookean: { youngsModulus: 3e5, poissonRatio: 0.3 } } }
const { sqrt, exp, abs, hypot, PI, log } = Math
const weightless = { gravity: [0, 0, 0] as Vec3 }

/** Times at which `value` crosses zero upwards, and the largest value of each swing. */
function swings(world: World, seconds: number, value: () => number): { crossings: number[]; peaks: number[] } {
  const crossings: number[] = []
  const peaks: number[] = []
  let before = value()
  let peak = before
  run(world, seconds, (time) => {
    const now = value()
    peak = Math.max(peak, now)
    if (before < 0 && now >= 0) {
      crossings.push(time - (world.settings.timeStep * now) / (now - before))
      if (crossings.length > 1) peaks.push(peak)
      peak = 0
    }
    before = now
  })
  return { crossings, peaks }
}

describe('a spring', () => {
  for (const seed of seeds(5)) {
    it(`between two particles swings with T = 2 pi / w and decays as exp(-c t / 2 mu), within 1%, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World(weightless)
      const [m1, m2] = [random.scale(0.1, 10), random.scale(0.1, 10)]
      const mu = (m1 * m2) / (m1 + m2)
      const frequency = random.uniform(0.7, 3)
      const omega0 = 2 * PI * frequency
      const gamma = random.uniform(0.2, 1.5)
      const [a, b] = [
        world.addBody(particle(), { mass: m1 }),
        world.addBody(particle(), { mass: m2, position: [1.2, 0, 0] }),
      ]
      const spring = a.spring(b, { stiffness: mu * omega0 * omega0, damping: 2 * gamma * mu, restLength: 1 })!
      const omega = sqrt(omega0 * omega0 - gamma * gamma)
      const { crossings, peaks } = swings(world, 5 / frequency, () => spring.length() - 1)
      const period = (crossings.at(-1)! - crossings[0]!) / (crossings.length - 1)
      expect(abs((period * omega) / (2 * PI) - 1)).toBeLessThan(0.01)
      // A peak is met within half a step: (w dt)^2 / 8 of it.
      const rate = -log(peaks.at(-1)! / peaks[0]!) / ((peaks.length - 1) * period)
      expect(abs(rate / gamma - 1)).toBeLessThan(0.01 + (omega / 60) ** 2 / 4)
      expect(hypot(...bodyMotion(a).momentum.map((p, d) => p + bodyMotion(b).momentum[d]!))).toBeLessThan(1e-9)
      expectHealthy(world)
    })

    it(`between two soft bodies does so as well, seed ${seed}`, () => {
      const random = new Random(seed)
      // As many substeps as by default and more, and peaks seen four times as often.
      const world = new World({ ...weightless, timeStep: 1 / 240, substeps: 5 })
      const frequency = random.uniform(0.7, 1.5)
      const omega0 = 2 * PI * frequency
      const bodies = [0, 1.3].map((x) =>
        world.addBody(cube(0.3, 2), { ...stiff, mass: x === 0 ? 2 : random.uniform(1, 5), position: [x, 0, 0] }),
      )
      const [a, b] = [bodies[0]!, bodies[1]!]
      const mu = (a.mass * b.mass) / (a.mass + b.mass)
      const gamma = random.uniform(0.3, 1)
      const spring = a.spring(b, { stiffness: mu * omega0 * omega0, damping: 2 * gamma * mu, restLength: 1.1 })!
      const between = () => centerOf(b)[0] - centerOf(a)[0] - 1.1
      const { crossings, peaks } = swings(world, 5 / frequency, between)
      const omega = sqrt(omega0 * omega0 - gamma * gamma)
      const period = (crossings.at(-1)! - crossings[0]!) / (crossings.length - 1)
      // The cubes give way where the spring pulls: softer by their stiffness, some E l = 1e5 N/m.
      expect(abs((period * omega) / (2 * PI) - 1)).toBeLessThan(0.01)
      const rate = -log(peaks.at(-1)! / peaks[0]!) / ((peaks.length - 1) * period)
      expect(abs(rate / gamma - 1)).toBeLessThan(0.01 + (omega / 240) ** 2 / 4)
      expect(spring.alive).toBe(true)
    })

    it(`moves soft bodies of any resolution as it does particles of their mass, and turns neither, seed ${seed}`, () => {
      const random = new Random(seed)
      const masses = [random.uniform(0.5, 5), random.uniform(0.5, 5)]
      const settings = { stiffness: random.uniform(50, 300), damping: random.uniform(0, 3), restLength: 1.1 }
      const ways = [0, 1, 2, 5].map((cells) => {
        const world = new World(weightless)
        const model = cells === 0 ? particle() : cube(0.3, cells)
        const [a, b] = masses.map((mass, k) => world.addBody(model, { mass, position: [1.3 * k, 0.1 * k, 0] }))
        const spring = a!.spring(b!, settings)!
        run(world, 2)
        for (const body of [a!, b!]) expect(hypot(...bodyMotion(body).angularMomentum)).toBeLessThan(1e-9)
        const ends: [Vec3, Vec3] = [
          [0, 0, 0],
          [0, 0, 0],
        ]
        spring.ends(ends[0] as [number, number, number], ends[1] as [number, number, number])
        expect(hypot(...ends[1].map((x, d) => x - centerOf(b!)[d]!))).toBeLessThan(1e-12)
        return [centerOf(a!), centerOf(b!), [spring.length()]].flat()
      })
      for (const way of ways.slice(1)) way.forEach((x, k) => expect(abs(x - ways[0]![k]!)).toBeLessThan(1e-9))
    })

    it(`bears a weight at its length, m g / k, whatever the damping and the stiffness, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      const mass = random.scale(0.1, 10)
      const stiffness = random.scale(30, 1e8) * mass
      const body = world.addBody(particle(), { mass })
      const critical = 2 * sqrt(stiffness * mass)
      const spring = body.spring(null, {
        to: [0, 1, 0],
        restLength: 1,
        stiffness,
        damping: random.uniform(0.3, 3) * critical,
      })!
      run(world, 12)
      expect(abs(spring.length() - 1 - (mass * 9.81) / stiffness)).toBeLessThan(
        1e-6 + (1e-5 * (mass * 9.81)) / stiffness,
      )
      const force = spring.force([0, 0, 0])
      expect(abs(force[1] / (mass * 9.81) - 1)).toBeLessThan(1e-4)
    })
  }

  it('is stable at any stiffness and damping, far past k h^2 / m = 4 of an explicit step: energy never grows', () => {
    for (const stiffness of [1, 1e3, 1e6, 1e9, 1e12]) {
      for (const damping of [0, 1, 1e3, 1e6, 1e12]) {
        const world = new World(weightless)
        const body = world.addBody(particle(), { mass: 1, position: [1.1, 0, 0] })
        body.spring(null, { to: [0, 0, 0], restLength: 1, stiffness, damping })
        let most = 0
        run(world, 1, () => {
          most = Math.max(most, abs(positionsOf(body)[0]! - 1))
        })
        expect(most).toBeLessThan(0.1 + 1e-9)
        // What is stiff beyond the substep and not held by its damper has come to rest.
        const left = stiffness >= 1e6 && damping < 1e6 ? abs(positionsOf(body)[0]! - 1) : 0
        expect(left).toBeLessThan(1e-3)
        expectHealthy(world)
      }
    }
  })

  it('keeps the energy of an undamped swing: within 1% after fifty', () => {
    const world = new World(weightless)
    const omega = 2 * PI
    const body = world.addBody(particle(), { mass: 1, position: [1.5, 0, 0] })
    body.spring(null, { to: [0, 0, 0], restLength: 1, stiffness: omega * omega })
    const energy = () => 0.5 * velocityOf(body)[0] ** 2 + 0.5 * omega * omega * (positionsOf(body)[0]! - 1) ** 2
    const before = energy()
    run(world, 50)
    // Seen within a substep of the true phase.
    expect(abs(energy() / before - 1)).toBeLessThan(0.01)
  })

  it('damps by exp(-c t / mu) without a stiffness, and never turns around', () => {
    for (const rate of [0.5, 20, 5000]) {
      const world = new World(weightless)
      const body = world.addBody(particle(), { mass: 2, position: [1, 0, 0] })
      body.spring(null, { to: [0, 0, 0], stiffness: 0, damping: 2 * rate })
      body.setVelocity([1, 0, 0])
      run(world, 0.5, () => expect(velocityOf(body)[0]).toBeGreaterThanOrEqual(-1e-15))
      expect(velocityOf(body)[0]).toBeCloseTo(exp(-rate * 0.5), 5)
    }
  })

  it('has no more force than maxForce', () => {
    const world = new World(weightless)
    const body = world.addBody(particle(), { mass: 1, position: [3, 0, 0] })
    const spring = body.spring(null, { to: [0, 0, 0], restLength: 1, stiffness: 1e6, maxForce: 5 })!
    world.step()
    expect(velocityOf(body)[0]).toBeCloseTo(-5 / 60, 9)
    expect(spring.force([0, 0, 0])[0]).toBeCloseTo(-5, 9)
  })

  it('breaks at its load, tells so once, and is whole after a reset', () => {
    const world = new World()
    const body = world.addBody(particle(), { mass: 1 })
    const spring = body.spring(null, { to: [0, 1, 0], stiffness: 1000, damping: 40, breakForce: 15 })!
    const told: unknown[] = []
    spring.onBreak((broken) => told.push(broken))
    run(world, 2)
    expect(spring.broken).toBe(false)
    body.addForce([0, -10, 0])
    run(world, 1, () => body.addForce([0, -10, 0]))
    expect(told).toEqual([spring])
    expect(spring.broken).toBe(true)
    world.reset()
    expect(spring.broken).toBe(false)
    run(world, 2)
    expect(spring.broken).toBe(false)
  })

  it('to a collider moves with it, and goes with it; to a point it is led there', () => {
    const world = new World(weightless)
    const collider = world.addCollider(box([0.1, 0.1, 0.1]), { position: [0, 2, 0] })
    const body = world.addBody(particle(), { mass: 1 })
    const spring = body.spring(collider, { to: [0.1, 2, 0], restLength: 2, stiffness: 200, damping: 30 })!
    for (let k = 0; k < 120; k++) {
      collider.setPose([k / 60, 2, 0], [0, 0, 0, 1])
      world.advance(1 / 60)
    }
    expect(spring.length()).toBeCloseTo(2, 1)
    const [from, to]: [[number, number, number], [number, number, number]] = [
      [0, 0, 0],
      [0, 0, 0],
    ]
    spring.ends(from, to)
    expect(to[0]).toBeCloseTo(0.1 + 119 / 60, 9)
    collider.remove()
    world.step()
    expect(spring.alive).toBe(false)
    const bob = world.addBody(particle(), { mass: 1, position: [0, 9, 0] })
    const led = bob.spring(null, { to: [1, 9, 0], stiffness: 100, damping: 20, restLength: 0.5 })!
    led.setPose([2, 9, 0], [0, 0, 0, 1])
    for (let k = 0; k < 240; k++) world.advance(1 / 60)
    expect(led.length()).toBeCloseTo(0.5, 6)
    // Its end in the world is its own: a body that is put elsewhere leaves it there.
    bob.teleport([4, 9, 0])
    expect(led.length()).toBeCloseTo(2, 6)
    for (let k = 0; k < 240; k++) world.advance(1 / 60)
    expect(positionsOf(bob)[0]).toBeCloseTo(2.5, 6)
    bob.teleport([1.5, 9, 0])
    expect(positionsOf(bob)[0]).toBeCloseTo(1.5, 6)
  })

  it('does not keep what it joins from touching, and wakes and sleeps with it', () => {
    const world = new World(weightless)
    const a = world.addBody(cube(0.4, 2), { shapeDamping: 20 })
    const b = world.addBody(cube(0.4, 2), { position: [1, 0, 0], shapeDamping: 20 })
    a.spring(b, { stiffness: 300, damping: 200, restLength: 0 })
    run(world, 6)
    const gap = centerOf(b)[0] - centerOf(a)[0]
    expect(gap).toBeGreaterThan(0.33)
    expect(gap).toBeLessThan(0.42)
    expect(a.asleep && b.asleep).toBe(true)
    b.applyImpulse([1, 0, 0])
    world.step()
    expect(a.asleep).toBe(false)
  })

  it('changes live, keeps its length when a body is put elsewhere, and goes on with the same bits from a snapshot', () => {
    const world = new World(weightless)
    const a = world.addBody(particle(), { mass: 1 })
    const b = world.addBody(particle(), { mass: 1, position: [1, 0, 0] })
    const spring = a.spring(b, { stiffness: 50 })!
    expect(spring.settings.restLength).toBe(1)
    b.teleport([2, 0, 0])
    world.step()
    expect(spring.settings.restLength).toBe(1)
    expect(velocityOf(b)[0]).toBeLessThan(0)
    const saved = world.snapshot()
    spring.set({ stiffness: 500, restLength: 3 })
    run(world, 0.2)
    world.restore(saved)
    expect(spring.settings).toMatchObject({ stiffness: 50, restLength: 1 })
    run(world, 0.2)
    const later = positionsOf(b)
    world.restore(saved)
    run(world, 0.2)
    expect(positionsOf(b)).toEqual(later)
    spring.remove()
    expect(spring.alive).toBe(false)
    expect(spring.length()).toBe(0)
    spring.set({ stiffness: 1 })
    world.step()
  })

  it('within one body, or to nothing at all', () => {
    const world = new World(weightless)
    const body = world.addBody(cube(1, 2))
    const inner = body.spring(body, {
      from: [-0.5, 0, 0],
      to: [0.5, 0, 0],
      restLength: 0.5,
      stiffness: 2e4,
      damping: 500,
    })!
    run(world, 3)
    expect(inner.length()).toBeLessThan(0.99)
    expect(hypot(...bodyMotion(body).momentum)).toBeLessThan(1e-8)
    const gone = world.addBody(particle())
    gone.remove()
    expect(body.spring(gone)).toBeNull()
    expect(gone.spring(body)).toBeNull()
  })

  it('says what is wrong', () => {
    const world = new World()
    const body = world.addBody(particle(), { name: 'Bob' })
    const wrongs: SpringOptions[] = [
      { stiffness: -1 },
      { damping: Number.NaN },
      { restLength: -1 },
      { maxForce: 0 },
      { from: [0, Number.NaN, 0] },
    ]
    for (const wrong of wrongs) expect(() => body.spring(null, wrong)).toThrow(SettingError)
    expect(() => body.spring(body)).toThrow(/<Bob>.*itself/)
    const spring = body.spring(null)!
    expect(() => spring.set({ stiffness: Number.POSITIVE_INFINITY })).toThrow(SettingError)
  })
})

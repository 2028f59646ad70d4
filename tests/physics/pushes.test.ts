// Impulses and forces: what a body is given is what was asked for, wherever and however it is spread.
import { describe, expect, it } from 'vitest'
import {
  type Body,
  clothModel,
  type Falloff,
  ModelBuilder,
  plane,
  presets,
  type Spread,
  type Vec3,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, centerOf, particle, positionsOf, run, velocitiesOf, velocityOf } from '../support/laws.js'

const still = { gravity: [0, 0, 0] } as const
const size = (v: readonly number[]) => Math.hypot(...v)
const minus = (a: readonly number[], b: readonly number[]) => a.map((x, d) => x - b[d]!)
const falloffs: Falloff[] = ['smooth', 'linear', 'constant']

/** Particles at rest without anything between them: what each is given can be read off. */
function cloud(world: World, points: readonly Vec3[], mass = 2): Body {
  return world.addBody(new ModelBuilder(Float64Array.from(points.flat())).build(), { mass })
}

/** Share of the momentum along x that each particle has. */
function sharesOf(body: Body): number[] {
  const v = velocitiesOf(body)
  const masses = body.model.massShares.map((share) => share * body.mass)
  return Array.from(masses, (m, i) => m * v[3 * i]!)
}

describe('an impulse', () => {
  for (const seed of seeds(5)) {
    it(`at a point is the momentum that the body gains, however it is spread, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World(still)
      const body = world.addBody(
        seed % 2 ? cube(0.5, 3) : clothModel({ width: 1, height: 1, segmentsX: 6, segmentsY: 6 }).model,
        {
          rotation: random.rotation(),
          mass: random.scale(0.01, 100),
        },
      )
      const impulse = random.vector(5)
      const spreads: (Spread | undefined)[] = [
        undefined,
        ...falloffs.map((falloff) => ({ falloff, radius: random.scale(0.01, 2) })),
      ]
      for (const spread of spreads) {
        const before = bodyMotion(body)
        body.applyImpulse(impulse, random.vector(0.4), spread)
        const gained = minus(bodyMotion(body).momentum, before.momentum)
        expect(size(minus(gained, impulse)) / size(impulse)).toBeLessThan(1e-12)
      }
    })

    it(`a force at a point, and forces on each particle, give their size times the step, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ ...still, substeps: 4 })
      const body = world.addBody(cube(0.5, 3), { ...presets.rubber, rotation: random.rotation() })
      const force = random.vector(100)
      const forces = random.array(3 * body.particleCount, 5)
      body.addForce(force, random.vector(0.25), { radius: 0.2, falloff: falloffs[seed % 3]! })
      body.addForces(forces)
      body.addForces(Float32Array.from(forces))
      const total = [0, 1, 2].map(
        (d) => force[d]! + forces.reduce((sum, f, k) => sum + (k % 3 === d ? f + Math.fround(f) : 0), 0),
      )
      world.step()
      const gained = bodyMotion(body).momentum
      expect(
        size(
          minus(
            gained,
            total.map((f) => f / 60),
          ),
        ) / size(gained),
      ).toBeLessThan(1e-10)
      // It is spent with the step.
      world.step()
      expect(size(minus(bodyMotion(body).momentum, gained)) / size(gained)).toBeLessThan(1e-10)
    })
  }

  it.each([
    ['smooth', (s: number) => (1 - s * s) ** 2],
    ['linear', (s: number) => 1 - s],
    ['constant', () => 1],
  ] as [Falloff, (s: number) => number][])(
    'fades %s with the distance, and is nothing beyond the radius',
    (falloff, law) => {
      const world = new World(still)
      const distances = [0, 0.25, 0.5, 0.75, 0.9, 1.01, 3]
      const body = cloud(
        world,
        distances.map((x): Vec3 => [2 * x, 0, 0]),
      )
      body.applyImpulse([7, 0, 0], [0, 0, 0], { radius: 2, falloff })
      const near = distances.map((s) => (s < 1 ? law(s) : 0))
      const total = near.reduce((sum, share) => sum + share)
      sharesOf(body).forEach((share, k) => expect(share / 7).toBeCloseTo(near[k]! / total, 12))
    },
  )

  it('beside a body, or between its particles, is on the four that are nearest', () => {
    const world = new World(still)
    const body = cloud(
      world,
      [1, 2, 3, 4, 5, 6].map((x): Vec3 => [x, 0, 0]),
    )
    body.applyImpulse([1, 0, 0], [0, 0, 0], { radius: 0.1 })
    expect(sharesOf(body).map((share) => share > 0)).toEqual([true, true, true, true, false, false])
    const few = cloud(world, [
      [1, 0, 0],
      [2, 0, 0],
    ])
    few.applyImpulse([1, 0, 0], [0, 0, 0], { radius: 0.1 })
    expect(sharesOf(few).reduce((sum, share) => sum + share)).toBeCloseTo(1, 12)
  })

  it('beside the centre turns the body, one through it does not', () => {
    const spin = (at: Vec3) => {
      const world = new World(still)
      const body = world.addBody(cube(0.5, 4), presets.firm)
      body.applyImpulse([0, 0, body.mass], at, { radius: 0.15 })
      return bodyMotion(body).angularMomentum
    }
    expect(size(spin([0, 0, 0.25]))).toBeLessThan(1e-9)
    // Its arm is that of the particles' mean, which is near the point: L = r x J.
    const turned = spin([0.25, 0, 0.25])
    expect(turned[1]! / -(0.25 * 125)).toBeGreaterThan(0.8)
    expect(turned[1]! / -(0.25 * 125)).toBeLessThan(1.01)
  })

  it('at a hit is on the matter that was hit', () => {
    const world = new World(still)
    const body = world.addBody(cube(0.5, 4), presets.firm)
    const hit = world.raycast([0.2, 3, 0.1], [0, -1, 0])!
    body.applyImpulse([0, -1, 0], hit.region!)
    const v = velocitiesOf(body)
    const moving = Array.from({ length: body.particleCount }, (_, i) => i).filter((i) => v[3 * i + 1] !== 0)
    expect(moving).toEqual(
      [...hit.region!.particles].filter((_, k) => hit.region!.weights[k]! > 1e-15).sort((a, b) => a - b),
    )
    // The angular momentum is that of the impulse at the very point.
    expect(bodyMotion(body).angularMomentum[2]).toBeCloseTo(-hit.point[0], 9)
    expect(bodyMotion(body).angularMomentum[0]).toBeCloseTo(hit.point[2], 9)
  })

  it('that makes no sense is refused, and on a body that is gone does nothing', () => {
    const world = new World(still)
    const body = world.addBody(cube(0.5, 1))
    const at: Vec3 = [0, 0, 0]
    expect(() => body.applyImpulse([0, Number.NaN, 0])).toThrow(/applyImpulse/)
    expect(() => body.applyImpulse([1, 0, 0], [0, Number.NaN, 0])).toThrow(/applyImpulse.point/)
    expect(() => body.applyImpulse([1, 0, 0], at, { radius: 0 })).toThrow(/applyImpulse.radius=\{0\}/)
    expect(() => body.applyImpulse([1, 0, 0], at, { falloff: 'steep' as Falloff })).toThrow(/'smooth'|smooth, linear/)
    expect(() => body.addForce([1, 0, 0], at, { radius: -1 })).toThrow(/addForce.radius=\{-1\}/)
    expect(() => body.addForces([1, 2])).toThrow(/must hold 24 numbers/)
    expect(() => body.addForces(new Float64Array(24).fill(Number.NaN))).toThrow(/addForces\[0\]/)
    expect(() => world.applyRadialImpulse(at, Number.NaN, 1)).toThrow(/strength=\{NaN\}/)
    expect(() => world.applyRadialImpulse(at, 1, 0)).toThrow(/radius=\{0\}/)
    expect(() => world.applyRadialImpulse([0, Number.NaN, 0], 1, 1)).toThrow(/applyRadialImpulse/)
    expect(velocitiesOf(body).every((v) => v === 0)).toBe(true)
    const region = body.region(at, 0.1)
    body.remove()
    body.applyImpulse([1, 0, 0], at)
    body.addForce([1, 0, 0], at)
    body.addForces(new Float64Array(24))
    body.applyRadialImpulse(at, 1, 1)
    expect(body.pointOf(region, [1, 2, 3])).toEqual([1, 2, 3])
    run(world, 0.1)
  })

  it('is no rebound: a body that lies is thrown up at the speed of the impulse', () => {
    const speed = (push: (body: Body) => void) => {
      const world = new World()
      world.addCollider(plane())
      const body = world.addBody(cube(0.5, 2), { ...presets.rubber, restitution: 0.5, position: [0, 0.3, 0] })
      run(world, 2)
      push(body)
      world.step()
      return velocityOf(body)[1] + 9.81 / 60
    }
    expect(
      speed((body) => body.applyImpulse([0, 4 * body.mass, 0], [0, 0.5, 0], { radius: 3, falloff: 'constant' })),
    ).toBeCloseTo(4, 1)
    // From below, as good as straight up, and unfaded.
    expect(speed((body) => body.applyRadialImpulse([0, -1000, 0], 4 * body.mass, 1e4, 'constant'))).toBeCloseTo(4, 1)
  })
})

describe('a blast', () => {
  for (const seed of seeds(4)) {
    it(`gives each particle its share by mass, away from the centre and faded, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World(still)
      const body = world.addBody(cube(0.5, 3), { rotation: random.rotation(), mass: random.scale(0.1, 10) })
      const center = random.vector(0.5)
      const [strength, radius, falloff] = [random.uniform(-5, 5), random.uniform(0.3, 2), falloffs[seed % 3]!]
      const x = positionsOf(body)
      world.applyRadialImpulse(center, strength, radius, falloff)
      const v = velocitiesOf(body)
      const total = [0, 0, 0]
      for (let i = 0; i < body.particleCount; i++) {
        const away = [0, 1, 2].map((d) => x[3 * i + d]! - center[d]!)
        const s = size(away) / radius
        const near = s >= 1 ? 0 : falloff === 'smooth' ? (1 - s * s) ** 2 : falloff === 'linear' ? 1 - s : 1
        const gain = away.map((a) => (strength / body.mass) * near * (a / size(away)))
        const now = [0, 1, 2].map((d) => v[3 * i + d]!)
        expect(size(minus(now, gain))).toBeLessThan(1e-12 * (1 + size(gain)))
        for (let d = 0; d < 3; d++) total[d]! += body.mass * body.model.massShares[i]! * gain[d]!
      }
      expect(size(minus(bodyMotion(body).momentum, total))).toBeLessThan(1e-12 * Math.abs(strength))
    })
  }

  it('throws bodies around it alike, away from it, and leaves out what is beyond', () => {
    const world = new World(still)
    const ring = [0, 1, 2, 3].map((k) => {
      const s = Math.SQRT1_2
      const rotation = [
        [0, 0, 0, 1],
        [0, s, 0, s],
        [0, 1, 0, 0],
        [0, -s, 0, s],
      ][k] as [number, number, number, number]
      const position = [
        [1, 0, 0],
        [0, 0, -1],
        [-1, 0, 0],
        [0, 0, 1],
      ][k] as [number, number, number]
      return world.addBody(cube(0.4, 2), { ...presets.jelly, position, rotation })
    })
    const beyond = world.addBody(cube(0.4, 2), { position: [3, 0, 0] })
    const around = world.addBody(cube(0.4, 2), { ...presets.jelly })
    world.applyRadialImpulse([0, 0, 0], 20, 2)
    const speeds = ring.map((body) => size(velocityOf(body)))
    expect(speeds[0]).toBeGreaterThan(0.1)
    ring.forEach((body, k) => {
      expect(speeds[k]! / speeds[0]!).toBeCloseTo(1, 12)
      const [c, v] = [centerOf(body), velocityOf(body)]
      expect(
        size(
          minus(
            v,
            c.map((x) => x * speeds[k]!),
          ),
        ),
      ).toBeLessThan(1e-12)
    })
    expect(velocityOf(beyond)).toEqual([0, 0, 0])
    // What is about the centre bursts, and goes nowhere.
    expect(size(velocityOf(around))).toBeLessThan(1e-12)
    expect(size([...velocitiesOf(around)])).toBeGreaterThan(0.1)
    // Five bodies after a while: the whole is where it was.
    run(world, 0.5)
    const sum = [...ring, around].map(centerOf).reduce((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]])
    expect(size(sum)).toBeLessThan(1e-9)
  })

  it('is not felt at the very centre, nor by what is pinned', () => {
    const world = new World(still)
    const one = world.addBody(particle(), { position: [0, 1, 0] })
    const pinned = world.addBody(particle(), { position: [0.5, 1, 0] })
    pinned.pin([0])
    world.applyRadialImpulse([0, 1, 0], 5, 1)
    expect([velocityOf(one), velocityOf(pinned)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ])
  })

  it('says that something is disturbed only where it reaches', () => {
    const world = new World(still)
    world.addBody(particle(), { position: [5, 0, 0] })
    let disturbed = 0
    world.onDisturb(() => disturbed++)
    world.applyRadialImpulse([0, 0, 0], 5, 1)
    expect(disturbed).toBe(0)
    world.applyRadialImpulse([0, 0, 0], 5, 6)
    expect(disturbed).toBe(1)
  })
})

import { BoxGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type Body, clothModel, ropeModel, SettingError, softBodyModel, type Vec3, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { bodyMotion, centerOf, expectHealthy, largestSpeed, positionsOf, run, velocityOf } from '../support/laws.js'

const g = 9.81
const density = 0.2
const { abs, hypot, sqrt, max, cosh, sinh, tanh, atanh } = Math

/** A solid box of foam. */
function foam(size: number) {
  const { attributes, index } = new BoxGeometry(size, size, size)
  const mesh = { positions: attributes.position!.array as Float32Array, index: index!.array as Uint16Array }
  return softBodyModel(mesh, { resolution: 3 }).model
}

const pointOf = (body: Body, k: number): Vec3 => body.getPosition(k, [0, 0, 0])

describe('a rope that hangs between two pins', () => {
  for (const seed of seeds(3)) {
    it(`is a catenary, seed ${seed}`, () => {
      const random = new Random(seed)
      const [width, drop] = [random.uniform(0.8, 2), random.uniform(-0.4, 0.4)]
      const length = random.uniform(1.2, 2) * hypot(width, drop)
      const n = 40
      // It starts as a V, which is no catenary.
      const half = length / 2
      const low = sqrt(half ** 2 - (hypot(width, drop) / 2) ** 2)
      const points: Vec3[] = [
        [0, 0, 0],
        [width / 2, drop / 2 - low, 0],
        [width, drop, 0],
      ]
      const world = new World({ sleeping: false })
      const { model } = ropeModel({ points, length, segments: n })
      const body = world.addBody(model, { damping: 3, elastic: { bend: false } })
      body.pin([0, n])
      run(world, 8)
      // y = a + c cosh((x - x0) / c), of the same length through the same ends.
      let [narrow, wide] = [1e-3, 1e3]
      const ratio = sqrt(length ** 2 - drop ** 2)
      for (let k = 0; k < 200; k++) {
        const c = sqrt(narrow * wide)
        if (2 * c * sinh(width / (2 * c)) > ratio) narrow = c
        else wide = c
      }
      const c = narrow
      const x0 = width / 2 - c * atanh(drop / length)
      const height = (x: number) => c * (cosh((x - x0) / c) - cosh(x0 / c))
      const sag = -Math.min(...Array.from({ length: 101 }, (_, k) => height((k / 100) * width)))
      // A chain of n links differs from the curve by some 1 / n^2 of its sag, the strain is below 1e-3.
      for (let k = 0; k <= n; k++) {
        const [x, y, z] = pointOf(body, k)
        expect(abs(y - height(x))).toBeLessThan(0.002 * sag)
        expect(abs(z)).toBeLessThan(1e-9)
      }
      expectHealthy(world)
    })
  }

  it('starts as one where it is longer than the way, and stays', () => {
    const { model } = ropeModel({
      points: [
        [0, 0, 0],
        [2, 0.5, 0],
      ],
      length: 3,
      segments: 40,
    })
    const world = new World({ sleeping: false })
    const body = world.addBody(model, { damping: 1, elastic: { bend: false } })
    body.pin([0, 40])
    const before = positionsOf(body)
    run(world, 3)
    const moved = positionsOf(body).map((x, k) => abs(x - before[k]!))
    expect(max(...moved)).toBeLessThan(0.004)
  })
})

describe('a rope that hangs straight', () => {
  for (const segments of [5, 20, 60]) {
    it(`is longer by (F + m g / 2) L / S, ${segments} segments`, () => {
      const random = new Random(segments)
      const [length, load, stiffness] = [random.uniform(0.5, 3), random.uniform(5, 200), random.scale(2e3, 1e5)]
      const world = new World({ sleeping: false })
      const { model } = ropeModel({ length, segments })
      const body = world.addBody(model, { damping: 6, elastic: { stretch: { modulus: stiffness } } })
      body.pin([0])
      const forces = new Float64Array(3 * (segments + 1))
      forces[3 * segments + 1] = -load
      run(world, 6, () => body.addForces(forces))
      const longer = -pointOf(body, segments)[1] - length
      const expected = ((load + (density * length * g) / 2) * length) / stiffness
      // All segments are solved at once: only what is left of the swing.
      expect(abs(longer / expected - 1)).toBeLessThan(1e-4)
      expectHealthy(world)
    })
  }

  it('passes on the weight of what hangs on it, fifty times as heavy', () => {
    const world = new World({ sleeping: false })
    const rope = world.addBody(ropeModel({ length: 1.5, segments: 30 }).model, { damping: 1 })
    rope.pin([0])
    const box = world.addBody(foam(0.25), { position: [0, -1.6, 0], mass: 15, damping: 1 })
    const joint = rope.join(box, { particles: [30] })!
    run(world, 8)
    expect(abs(joint.force([0, 0, 0])[1] / -(15 * g) - 1)).toBeLessThan(0.02)
    // Its last particle, of 5 g, passes on 147 N in eight turns: 147 h^2 / (8 * 0.005) is a centimetre.
    expect(rope.maxStrain() * (1.5 / 30)).toBeLessThan(0.015)
    expectHealthy(world)
  })
})

describe('a rod clamped at one end', () => {
  /** Drop of the tip of an elastica of length L under its own weight: B theta'' = -q (L - s) cos theta, by shooting. */
  function elastica(length: number, rigidity: number): number {
    const steps = 2000
    const ds = length / steps
    const tip = (curvature: number) => {
      let [theta, slope, drop] = [0, curvature, 0]
      for (let k = 0; k < steps; k++) {
        const turn = (at: number, angle: number) => (-density * g * (length - at) * Math.cos(angle)) / rigidity
        const s = (k + 0.5) * ds
        const middle = theta + (slope * ds) / 2
        drop += Math.sin(middle) * ds
        const next = slope + turn(s, middle) * ds
        theta += ((slope + next) / 2) * ds
        slope = next
      }
      return { slope, drop }
    }
    let [low, high] = [0, (density * g * length ** 2) / rigidity]
    for (let k = 0; k < 60; k++) {
      const middle = (low + high) / 2
      if (tip(middle).slope > 0) high = middle
      else low = middle
    }
    return tip(low).drop
  }

  for (const segments of [10, 40]) {
    it(`sags as the elastica, a little and far, ${segments} segments`, () => {
      for (const rigidity of [5, 0.1]) {
        const world = new World({ sleeping: false })
        const { model } = ropeModel({
          points: [
            [0, 0, 0],
            [1, 0, 0],
          ],
          segments,
        })
        const body = world.addBody(model, { damping: 4, elastic: { bend: { modulus: rigidity } } })
        body.pin([0, 1])
        run(world, 8)
        // Two particles hold it: the second stands for half a segment on either side, and the clamp is where that begins.
        const expected = elastica(1 - 0.5 / segments, rigidity)
        expect(abs(-pointOf(body, segments)[1] / expected - 1)).toBeLessThan(0.08 / segments)
        expectHealthy(world)
      }
    })
  }
})

describe('a free rope', () => {
  for (const seed of seeds(3)) {
    it(`keeps momentum and spin while it writhes, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0], sleeping: false })
      const points: Vec3[] = [[0, 0, 0], random.vector(), random.vector(), random.vector()]
      const { model } = ropeModel({ points, segments: 24 })
      const body = world.addBody(model, { elastic: { bend: { modulus: random.scale(1e-4, 0.1) } } })
      body.setVelocity(random.vector(2), random.vector(5))
      const before = bodyMotion(body)
      run(world, 3)
      const after = bodyMotion(body)
      for (let d = 0; d < 3; d++) {
        expect(abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(1e-10 * before.momentumSize)
        expect(abs(after.angularMomentum[d]! - before.angularMomentum[d]!)).toBeLessThan(1e-9 * before.angularSize)
      }
      expectHealthy(world)
    })
  }

  it('does not shake where it is drawn more taut than a substep resolves', () => {
    for (const stretch of [{ modulus: 1e5 }, { modulus: 1e7 }, { compliance: 0 }]) {
      const world = new World({ sleeping: false })
      const { model } = ropeModel({
        points: [
          [-1, 0, 0],
          [1, 0, 0],
        ],
        length: 1.8,
        segments: 24,
      })
      const body = world.addBody(model, { elastic: { stretch } })
      body.pin([0, 24])
      run(world, 3)
      expect(largestSpeed(body)).toBeLessThan(0.02)
      expectHealthy(world)
    }
  })

  it('falls flat through the air at sqrt(rho g / (rho_air drag r))', () => {
    const [drag, radius] = [1.1, 0.02]
    const world = new World()
    const { model } = ropeModel({
      points: [
        [-1, 0, 0],
        [1, 0, 0],
      ],
      radius,
    })
    const body = world.addBody(model, { drag, elastic: { bend: { compliance: 0 } } })
    const terminal = sqrt((density * g) / (1.2 * drag * radius))
    run(world, (4 * terminal) / g)
    expect(abs(-velocityOf(body)[1] / terminal - 1)).toBeLessThan(0.01)
    expect(abs(velocityOf(body)[1] / terminal + tanh(4))).toBeLessThan(0.01)
  })
})

describe('a rope meets', () => {
  it('a cloth that lies on it, and neither passes the other', () => {
    const world = new World({ sleeping: false })
    const { model } = ropeModel({
      points: [
        [-0.7, 1, 0],
        [0.7, 1, 0],
      ],
      segments: 20,
    })
    const rope = world.addBody(model)
    rope.pin([0, 20])
    const sheet = clothModel({ width: 1, height: 1, segmentsX: 14, segmentsY: 14 })
    const cloth = world.addBody(sheet.model, {
      rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      position: [0, 1.15, 0.01],
      friction: 1,
    })
    run(world, 2, () => expect(world.stats.crossings).toBe(0))
    const box = cloth.bounds(new Float64Array(6))
    // It hangs down on both sides.
    expect(box[4]).toBeGreaterThan(0.99)
    expect(box[1]).toBeLessThan(0.75)
    expect(world.stats.contactClamps).toBe(0)
  })

  it('a box that is thrown at it between its particles, at any speed', () => {
    for (const speed of [2, 20, 80]) {
      const world = new World({ gravity: [0, 0, 0], sleeping: false })
      const { model } = ropeModel({
        points: [
          [0, -1, 0],
          [0, 1, 0],
        ],
        segments: 8,
      })
      const rope = world.addBody(model, { mass: 5 })
      rope.pin([0, 8])
      const box = world.addBody(foam(0.2), { position: [-0.5, 0.125, 0], mass: 1 })
      box.setVelocity([speed, 0, 0])
      run(world, 0.6 + 1 / speed)
      expect(velocityOf(box)[0], `at ${speed} m/s`).toBeLessThan(0)
      expect(centerOf(box)[0], `at ${speed} m/s`).toBeLessThan(pointOf(rope, 4)[0] + 0.1)
    }
  })

  it('itself, where it is told to', () => {
    const least = [false, true].map((selfCollision) => {
      const world = new World({ gravity: [0, 0, 0], sleeping: false })
      // A loop whose ends pass each other when they are pulled.
      const points: Vec3[] = [
        [-0.5, 0, 0.06],
        [0.3, 0, 0.06],
        [0.3, 0.5, 0],
        [0, 0.5, 0],
        [0, -0.5, 0],
      ]
      const { model } = ropeModel({ points, segments: 48 })
      const body = world.addBody(model, { selfCollision, damping: 2 })
      const v = new Float64Array(3 * 49)
      for (let k = 0; k < 16; k++) v[3 * k + 2] = -0.5
      run(world, 1, () => body.addForces(v.map((x) => 0.05 * x)))
      return pointOf(body, 8)[2]
    })
    expect(least[0]).toBeLessThan(-0.2)
    expect(least[1]).toBeGreaterThan(least[0]! + 0.05)
  })

  it('a ray, at its own thickness', () => {
    const world = new World()
    const { model } = ropeModel({
      points: [
        [-1, 0, 0],
        [1, 0, 0],
      ],
      radius: 0.05,
    })
    const body = world.addBody(model)
    const hit = world.raycast([0.3, 2, 0.03], [0, -1, 0])!
    expect(hit.body).toBe(body)
    expect(hit.distance).toBeCloseTo(2 - 0.04, 9)
    expect(hit.normal[1]).toBeCloseTo(0.8, 9)
    expect(body.pointOf(hit.region!, [0, 0, 0])[0]).toBeCloseTo(0.3, 9)
    expect(world.raycast([0.3, 2, 0.0501], [0, -1, 0])).toBeNull()
    // The rounded ends belong to it.
    expect(world.raycast([-2, 0, 0], [1, 0, 0])!.distance).toBeCloseTo(0.95, 9)
  })
})

describe('a rope is not made', () => {
  it.each([
    ['points', { points: [[0, 0, 0]] }],
    [
      'points',
      {
        points: [
          [0, 0, 0],
          [0, 0, 0],
        ],
      },
    ],
    [
      'points',
      {
        points: [
          [0, 0, 0],
          [0, Number.NaN, 0],
        ],
      },
    ],
    ['segments', { segments: 0 }],
    ['radius', { radius: 0 }],
    ['length', { length: -1 }],
    [
      'length',
      {
        points: [
          [0, 0, 0],
          [0, -1, 0],
        ],
        length: 2,
      },
    ],
    ['sides', { sides: 2 }],
  ])('with wrong %s', (prop, options) => {
    const make = () => ropeModel(options as Parameters<typeof ropeModel>[0])
    expect(make).toThrow(SettingError)
    expect(make).toThrow(prop)
  })
})

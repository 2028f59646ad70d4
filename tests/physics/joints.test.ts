// Joints: what hangs on them weighs on them, they break at their load, and two joined bodies keep their momenta.
import { describe, expect, it } from 'vitest'
import { Joints } from '../../src/core/joints.js'
import { State } from '../../src/core/state.js'
import { defaultsOf } from '../../src/core/validation.js'
import {
  type Body,
  type BodySettings,
  bodySettings,
  box,
  clothModel,
  type Joint,
  type JointOptions,
  ModelBuilder,
  type MutableVec3,
  plane,
  presets,
  ropeModel,
  SettingError,
  type Snapshot,
  type Vec3,
  World,
} from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { cube } from '../support/lattice.js'
import {
  bodyMotion,
  centerOf,
  expectHealthy,
  largestSpeed,
  motionOf,
  particle,
  positionsOf,
  run,
  velocityOf,
} from '../support/laws.js'

const g = 9.81
const size = (v: readonly number[]) => Math.hypot(...v)
const forceOf = (joint: Joint): MutableVec3 => joint.force([0, 0, 0])
const add = (a: readonly number[], b: readonly number[]) => a.map((x, d) => x + b[d]!)

/** Two cubes of 0.5 m, one below the other, with a gap; the upper one is held by its top. */
function hanging(world: World, gap = 0): [upper: Body, lower: Body] {
  const settings = { ...presets.rubber, shapeDamping: 8 }
  const upper = world.addBody(cube(0.5, 2), { ...settings, position: [0, 2, 0] })
  const lower = world.addBody(cube(0.5, 2), { ...settings, position: [0, 1.5 - gap, 0] })
  const rest = upper.model.positions
  upper.pin(Array.from({ length: upper.particleCount }, (_, i) => i).filter((i) => rest[3 * i + 1]! > 0.24))
  return [upper, lower]
}

const ways: [string, number, JointOptions][] = [
  ['by the area where they touch', 0, {}],
  ['by a region', 0, { at: [0, 1.75, 0], radius: 0.2 }],
  ['by a region across a gap', 0.3, { radius: 0.4 }],
  ['by a point', 0, { at: [0, 1.75, 0], radius: 0 }],
  ['by points across a gap', 0.2, { radius: 0 }],
  ['by a spring', 0, { compliance: 1e-5, damping: 1000 }],
]

describe('two bodies that hang from each other', () => {
  it.each(ways)('bear the weight of the lower one %s', (_, gap, options) => {
    const world = new World({ substeps: 20 })
    const [upper, lower] = hanging(world, gap)
    lower.set({ damping: 4 })
    const joint = upper.join(lower, options)!
    run(world, 4)
    expect(Math.abs(forceOf(joint)[1] / -(lower.mass * g) - 1)).toBeLessThan(0.02)
    expectHealthy(world)
  })

  it.each(ways)('give what the lower one gains and gravity takes, to the last digits, %s', (_, gap, options) => {
    const world = new World({ substeps: 20 })
    const [upper, lower] = hanging(world, gap)
    const joint = upper.join(lower, options)!
    const [given, before] = [[0, 0, 0], velocityOf(lower)]
    const time = 0.5
    run(world, time, () => forceOf(joint).forEach((f, d) => (given[d]! -= f / 60)))
    // No other force acts on it: the integral of the joint's is m (dv + g t).
    const gained = velocityOf(lower).map((v, d) => lower.mass * (v - before[d]! + (d === 1 ? g * time : 0)))
    expect(size(given.map((p, d) => p - gained[d]!)) / (lower.mass * g * time)).toBeLessThan(1e-9)
  })

  for (const seed of seeds(4)) {
    it(`come to rest across any gap, and break nothing that bears what is let go at once, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ sleeping: false })
      const settings = { ...presets.firm, shapeDamping: 6 }
      const [over, under] = [random.uniform(0.2, 0.5), random.uniform(0.2, 0.5)]
      const gap = random.scale(0.2, 2)
      const beside = random.uniform(0, 0.1)
      const upper = world.addBody(cube(over, 3), settings)
      const lower = world.addBody(cube(under, 3), {
        ...settings,
        position: [beside, -gap - (over + under) / 2, beside / 2],
      })
      upper.pin(Array.from({ length: upper.particleCount }, (_, i) => i))
      // What is let go at once weighs twice as much at its lowest, and swings a little to the side.
      const joint = lower.join(upper, { breakForce: 2.5 * lower.mass * g })!
      let fastest = 0
      run(world, 8, (time) => {
        if (time > 7) fastest = Math.max(fastest, largestSpeed(lower))
      })
      expect(joint.broken).toBe(false)
      expect(fastest).toBeLessThan(0.2)
      expectHealthy(world)
    })
  }

  it('a chain of three bears two weights and one', () => {
    const world = new World({ substeps: 20 })
    const [upper, middle] = hanging(world)
    const lower = world.addBody(cube(0.5, 2), { ...presets.rubber, shapeDamping: 8, damping: 4, position: [0, 1, 0] })
    middle.set({ damping: 4 })
    const [first, second] = [upper.join(middle)!, middle.join(lower)!]
    run(world, 5)
    expect(Math.abs(forceOf(first)[1] / -(2 * lower.mass * g) - 1)).toBeLessThan(0.01)
    expect(Math.abs(forceOf(second)[1] / -(lower.mass * g) - 1)).toBeLessThan(0.01)
  })

  it('a spring gives way by compliance x force', () => {
    const sag = (compliance: number) => {
      const world = new World({ substeps: 20 })
      const upper = world.addBody(particle(), { mass: 1, position: [0, 1, 0] })
      const lower = world.addBody(particle(), { mass: 2, position: [0, 0, 0], damping: 6 })
      upper.pin([0])
      upper.join(lower, { compliance, radius: 0 })
      run(world, 5)
      return -centerOf(lower)[1]
    }
    expect(sag(0.005) / (0.005 * 2 * g)).toBeCloseTo(1, 3)
    expect(sag(0.01) / (0.01 * 2 * g)).toBeCloseTo(1, 3)
  })
})

it.each([
  ['by the area where they touch', 0, {}],
  ['across a gap', 0.3, { radius: 0.4 }],
] as [string, number, JointOptions][])('a compliance is that of a joint as a whole, %s', (_, gap, options) => {
  const height = (compliance: number) => {
    const world = new World({ substeps: 20, sleeping: false })
    const [upper, lower] = hanging(world, gap)
    lower.set({ damping: 8 })
    upper.join(lower, { ...options, compliance })
    run(world, 6)
    return centerOf(lower)[1]
  }
  // Soft against the cubes, which are 600 kPa: their own stretch is the same with either.
  const [weight, compliance] = [125 * 1.1 * g, 2e-5]
  expect((height(compliance) - height(2 * compliance)) / (compliance * weight)).toBeCloseTo(1, 1)
})

/** A rope of 0.5 m and 2 cm that hangs with its end `gap` below 1.75 m [m]. */
function ropeBelow(world: World, gap: number): Body {
  const ends: Vec3[] = [
    [0, 0.25, 0],
    [0, -0.25, 0],
  ]
  const { model } = ropeModel({ points: ends, segments: 8, radius: 0.02 })
  return world.addBody(model, { position: [0, 1.5 - gap, 0], damping: 3 })
}

describe('what hangs from something that does not give way bears its own weight', () => {
  for (const cells of [6, 16]) {
    for (const gap of [0.005, 0.02, 0.1]) {
      it(`a cloth of ${cells} cells from pinned matter, across ${1000 * gap} mm`, () => {
        const world = new World()
        const above = world.addBody(cube(0.5, 2), { ...presets.firm, position: [0, 2, 0] })
        above.pin(Array.from({ length: above.particleCount }, (_, i) => i))
        const model = clothModel({ width: 0.5, height: 0.5, segmentsX: cells, segmentsY: cells }).model
        const cloth = world.addBody(model, { position: [0, 1.5 - gap, 0], damping: 3 })
        const joint = cloth.join(above)!
        let most = 0
        run(world, 4, () => {
          most = Math.max(most, size(forceOf(joint)))
        })
        expectHealthy(world)
        // Let go, it falls on its joint: twice its weight, and as much again as it swings in its own plane.
        expect(most / (cloth.mass * g)).toBeLessThan(4)
        expect(size(forceOf(joint)) / (cloth.mass * g)).toBeCloseTo(1, 1)
      })
    }
  }

  for (const gap of [0, 0.005, 0.015, 0.03]) {
    it(`a rope of 2 cm from a collider, across ${1000 * gap} mm, which does not push its end`, () => {
      const world = new World()
      const rope = ropeBelow(world, gap)
      const joint = rope.join(world.addCollider(box([0.25, 0.25, 0.25]), { position: [0, 2, 0] }))!
      run(world, 3)
      expectHealthy(world)
      expect(size(forceOf(joint)) / (rope.mass * g)).toBeCloseTo(1, 2)
      // Once it has broken its end is pushed out, and falls.
      joint.set({ breakForce: 1e-3 })
      run(world, 0.5)
      expect(joint.broken).toBe(true)
      expect(centerOf(rope)[1]).toBeLessThan(1)
    })
  }

  it('a rope that is joined to two colliders at their seam, of which neither pushes it', () => {
    const world = new World()
    const rope = ropeBelow(world, 0.01)
    const boxes = [-0.25, 0.25].map((x) => world.addCollider(box([0.25, 0.25, 0.25]), { position: [x, 2, 0] }))
    const joints = boxes.map((collider) => rope.join(collider)!)
    run(world, 3)
    expectHealthy(world)
    expect(world.stats.contacts).toBe(0)
    expect(joints.reduce((sum, joint) => sum + forceOf(joint)[1], 0) / (rope.mass * g)).toBeCloseTo(1, 2)
  })
})

describe('a joint of two bodies that have particles in the same places', () => {
  it.each([
    [2e5, 4e4],
    [5e5, 3e5],
  ])('makes one of each two of them, under load too: %d and %d Pa', (...moduli) => {
    const world = new World({ sleeping: false })
    const [a, b] = moduli.map((youngsModulus, k) => {
      const elastic = { neoHookean: { youngsModulus, poissonRatio: 0.4 } }
      return world.addBody(cube(0.4, 4), { elastic, density: 200, position: [0.4 * k, 0, 0] })
    }) as [Body, Body]
    a.join(b, { within: 0.05 })
    const at = (body: Body, i: number) => body.getPosition(i, [0, 0, 0])
    const distance = (i: number, j: number) => Math.hypot(...at(a, i).map((x, d) => x - at(b, j)[d]!))
    const all = Array.from({ length: a.particleCount }, (_, i) => i)
    const pairs = all.flatMap((i) => all.filter((j) => distance(i, j) < 1e-9).map((j) => [i, j] as const))
    expect(pairs).toHaveLength(25)
    a.pin(all.filter((i) => at(a, i)[0] < -0.19))
    run(world, 2, () => {
      for (const [i, j] of pairs) expect(distance(i, j)).toBeLessThan(1e-4)
    })
    expectHealthy(world)
  })
})

describe('a joint that bears too much', () => {
  for (const seed of seeds(3)) {
    it(`breaks at its load within 5%, once, and holds below, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ substeps: random.integer(8, 20) })
      const [upper, lower] = hanging(world)
      const breakForce = lower.mass * g * random.uniform(1.5, 3)
      const joint = upper.join(lower, { breakForce })!
      let told = 0
      joint.onBreak((broken) => {
        expect(broken).toBe(joint)
        told++
      })
      run(world, 2)
      expect(joint.broken).toBe(false)
      // The load grows by a hundredth of the limit a step, slowly against the swings of the cubes.
      let load = lower.mass * g
      let bearing = load
      const stop = world.onBeforeStep(() => {
        if (told > 0) return
        bearing = load
        load += breakForce / 400
        lower.addForce([0, lower.mass * g - load, 0])
      })
      run(world, 12)
      stop()
      expect(told).toBe(1)
      expect(joint.broken).toBe(true)
      expect(joint.alive).toBe(true)
      expect(forceOf(joint)).toEqual([0, 0, 0])
      expect(Math.abs(bearing / breakForce - 1)).toBeLessThan(0.05)
      // And the lower one falls.
      const before = velocityOf(lower)[1]
      run(world, 0.1)
      expect(velocityOf(lower)[1] - before).toBeCloseTo(-g * 0.1, 1)
      expectHealthy(world)
    })
  }

  it('a blow breaks it; a reset makes it whole, at the old offset, and a restore does what the time before was', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const a = world.addBody(cube(0.5, 2), { ...presets.rubber })
    const b = world.addBody(cube(0.5, 2), { ...presets.rubber, position: [0.5, 0, 0] })
    const joint = a.join(b, { breakForce: 50 })!
    run(world, 0.2)
    const whole = world.snapshot()
    b.applyImpulse([b.mass * 3, 0, 0])
    run(world, 0.5)
    expect(joint.broken).toBe(true)
    const apart = () => centerOf(b)[0] - centerOf(a)[0]
    expect(apart()).toBeGreaterThan(1)
    const broken = world.snapshot()
    world.restore(whole)
    expect(joint.broken).toBe(false)
    b.applyImpulse([b.mass * 0.01, 0, 0])
    run(world, 1)
    expect(joint.broken).toBe(false)
    expect(apart()).toBeCloseTo(0.5, 2)
    world.restore(broken)
    expect(joint.broken).toBe(true)
    world.reset()
    expect(joint.broken).toBe(false)
    run(world, 1)
    expect(apart()).toBeCloseTo(0.5, 6)
  })

  it('a change of what it bears is live, and one that is none is refused', () => {
    const world = new World()
    const [upper, lower] = hanging(world)
    const joint = upper.join(lower)!
    run(world, 0.5)
    expect(() => joint.set({ breakForce: 0 })).toThrow(/breakForce=\{0\}/)
    expect(() => joint.set({ compliance: -1 })).toThrow(/compliance=\{-1\}/)
    joint.set({ breakForce: 0.1 * lower.mass * g })
    world.step()
    expect(joint.broken).toBe(true)
    expect(joint.settings).toEqual({ compliance: 0, damping: 0, breakForce: 0.1 * lower.mass * g })
  })
})

describe('two joined bodies in space', () => {
  for (const seed of seeds(4)) {
    it(`keep momentum to the last digits, and angular momentum but for the integrator's decay, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World({ gravity: [0, 0, 0], substeps: 20, iterations: 1 + (seed % 2) })
      const a = world.addBody(cube(0.5, 2), { ...presets.jelly, rotation: random.rotation() })
      const b = world.addBody(cube(0.4, 2), { ...presets.firm, position: [0.6, 0.1, 0], rotation: random.rotation() })
      a.join(b, { compliance: seed % 3 === 0 ? 1e-6 : 0, ...(seed % 2 === 0 && { radius: 0 }) })
      a.setVelocity([random.uniform(-1, 1), 0, 0.3], [0, random.uniform(-1, 1), 0])
      b.setVelocity([0, random.uniform(-1, 1), 0], [random.uniform(-1, 1), 0, 0])
      const total = () => {
        const [p, q] = [bodyMotion(a), bodyMotion(b)]
        const mass = p.mass + q.mass
        const center = p.center.map((x, d) => (p.mass * x + q.mass * q.center[d]!) / mass)
        const orbit = [p, q].map(({ center: c, momentum: m }) => {
          const r = c.map((x, d) => x - center[d]!)
          return [r[1]! * m[2]! - r[2]! * m[1]!, r[2]! * m[0]! - r[0]! * m[2]!, r[0]! * m[1]! - r[1]! * m[0]!]
        })
        return {
          momentum: add(p.momentum, q.momentum),
          angular: add(add(p.angularMomentum, q.angularMomentum), add(orbit[0]!, orbit[1]!)),
          scale: p.momentumSize + q.momentumSize,
        }
      }
      const before = total()
      run(world, 1)
      const after = total()
      for (let d = 0; d < 3; d++) {
        expect(Math.abs(after.momentum[d]! - before.momentum[d]!) / before.scale).toBeLessThan(1e-10)
      }
      // A spin w decays by w^2 h a second; the fastest here is some 3 /s, h is 1 / 1200 s.
      expect(size(after.angular.map((x, d) => x - before.angular[d]!)) / size(before.angular)).toBeLessThan(0.02)
      expectHealthy(world)
    })
  }

  it('turn as one where a region joins them, and freely where a point does', () => {
    const bend = (radius: number) => {
      const world = new World({ gravity: [0, 0, 0], substeps: 20 })
      const a = world.addBody(cube(0.5, 2), { ...presets.firm })
      const b = world.addBody(cube(0.5, 2), { ...presets.firm, position: [0.5, 0, 0] })
      a.pin(Array.from({ length: a.particleCount }, (_, i) => i))
      a.join(b, { at: [0.25, 0, 0], radius })
      b.setVelocity([0, 0, 0], [3, 0, 0]) // about the axis through the joint
      const start = positionsOf(b)
      run(world, 0.5)
      const now = positionsOf(b)
      let most = 0
      for (let k = 0; k < now.length; k += 3) {
        most = Math.max(most, Math.hypot(now[k + 1]! - start[k + 1]!, now[k + 2]! - start[k + 2]!))
      }
      return most
    }
    // Free, its corners go 1.5 rad around the axis, at 0.35 m from it.
    expect(bend(0)).toBeGreaterThan(0.4)
    expect(bend(0.4)).toBeLessThan(0.12)
  })
})

describe('a joint within a distance', () => {
  it('is made where two bodies touch, and where they are apart is not', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const a = world.addBody(cube(0.5, 2))
    const touching = world.addBody(cube(0.5, 2), { position: [0.5, 0, 0] })
    const near = world.addBody(cube(0.5, 2), { position: [0, 0.52, 0] })
    const far = world.addBody(cube(0.5, 2), { position: [0, 0, 0.7] })
    expect(a.join(touching, { within: 0 })).not.toBeNull()
    expect(a.join(near, { within: 0.01 })).toBeNull()
    expect(a.join(near, { within: 0.03 })).not.toBeNull()
    expect(a.join(far, { within: 0.1 })).toBeNull()
    expect(() => a.join(far, { within: -1 })).toThrow(SettingError)
    // Modules of different stiffness that are welded over an area stay together, whatever pulls.
    const gap = () => centerOf(touching)[0] - centerOf(a)[0]
    run(world, 1, () => {
      a.addForce([-300, 0, 0])
      touching.addForce([300, 0, 0])
    })
    expect(gap()).toBeGreaterThan(0.49)
    expect(gap()).toBeLessThan(0.53)
  })
})

describe('the projection of a link', () => {
  for (const seed of seeds(8)) {
    it(`moves neither the centre of mass nor turns about it, sweep after sweep, seed ${seed}`, () => {
      const random = new Random(seed)
      const state = new State()
      const add = (position: Vec3) =>
        state.addBody(new ModelBuilder(random.array(12)).weights(random.array(4).map(Math.abs)).build(), {
          ...(defaultsOf(bodySettings) as BodySettings),
          position,
          mass: random.scale(0.1, 10),
          elastic: {},
        })
      const [body, other] = [add([0, 0, 0]), add([0.5, 0, 0])]
      const shares = () => {
        const weights = random.array(4).map(Math.abs)
        const total = weights.reduce((sum, w) => sum + w)
        return weights.map((w) => w / total)
      }
      const all = Uint32Array.of(0, 1, 2, 3)
      state.joints.add((slot, generation) => ({
        slot,
        generation,
        body,
        other,
        collider: null,
        frame: null,
        spring: false,
        whole: false,
        otherWhole: false,
        count: 1,
        rounds: 0,
        particles: all,
        weights: shares(),
        otherParticles: all,
        otherWeights: shares(),
        locals: new Float64Array(0),
        rest: Float64Array.of(seed % 2 === 0 ? 0 : random.uniform(0, 0.3)),
        parallels: Float64Array.of(1),
        settings: Float64Array.of(seed % 3 === 0 ? 0 : random.scale(1e-5, 1e-2), random.scale(1, 100), Infinity),
        force: new Float64Array(3),
        load: new Float64Array(3),
        broken: new Uint8Array(1),
      }))
      const joints = new Joints()
      const h = Float64Array.of(0.01)
      joints.begin(state)
      joints.beginSubstep(state, 0, 1, h)
      const masses = state.masses.slice(0, 8)
      for (let sweep = 0; sweep < 3; sweep++) {
        // What else acts between two sweeps.
        for (let k = 0; k < 24; k++) state.positions[k]! += random.uniform(-0.02, 0.02)
        const before = state.positions.slice(0, 24)
        joints.project(state, h)
        const moves = state.positions.slice(0, 24).map((x, k) => x - before[k]!)
        const { momentum, momentumSize, angularMomentum, angularSize } = motionOf(masses, before, moves, [0, 0, 0])
        expect(momentumSize).toBeGreaterThan(0)
        // A move is a difference of two places: 1e-15 of these is rounding.
        const rounding = 1e-15 * masses.reduce((sum, m) => sum + m)
        expect(size(momentum)).toBeLessThan(1e-12 * momentumSize + rounding)
        expect(size(angularMomentum)).toBeLessThan(1e-12 * angularSize + rounding)
      }
    })
  }
})

describe('a joint to a frame', () => {
  it('keeps its offset to a frame that moves and turns, and bears the weight', () => {
    const world = new World({ substeps: 20 })
    const body = world.addBody(cube(0.4, 2), { ...presets.firm, shapeDamping: 5, position: [0, 1.2, 0] })
    const joint = body.join(null, { position: [0, 2, 0], at: [0, 1.4, 0], radius: 0.3 })!
    const s = Math.SQRT1_2
    joint.setPose([1, 2, 0], [0, s, 0, s])
    world.advance(1 / 60)
    run(world, 3)
    // A quarter turn about y: what was below is below.
    expect(centerOf(body)[0]).toBeCloseTo(1, 2)
    expect(Math.abs(forceOf(joint)[1] / (body.mass * g) - 1)).toBeLessThan(0.01)
    joint.setPose([Number.NaN, 0, 0], [0, 0, 0, 1])
    joint.setPose([0, 0, 0], [0, 0, 0, 0])
    run(world, 0.1)
    expect(centerOf(body)[0]).toBeCloseTo(1, 2)
    expectHealthy(world)
  })

  it('to a collider moves with it, and goes with it', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 20 })
    const body = world.addBody(cube(0.4, 2), { ...presets.firm, shapeDamping: 5 })
    const plate = world.addCollider(box([0.5, 0.05, 0.5]), { position: [0, 0.26, 0] })
    const joint = body.join(plate, { at: [0, 0.2, 0], radius: 0.3 })!
    for (let k = 1; k <= 30; k++) {
      plate.setPose([0.02 * k, 0.26, 0], [0, 0, 0, 1])
      world.advance(1 / 60)
    }
    run(world, 2)
    expect(centerOf(body)[0]).toBeCloseTo(0.6, 2)
    plate.remove()
    expect(joint.alive).toBe(false)
    run(world, 0.1)
    expectHealthy(world)
  })
})

describe('a joint whose bodies come and go', () => {
  it('ends with either of its bodies, and its calls then do nothing', () => {
    for (const which of [0, 1]) {
      const world = new World()
      const bodies = hanging(world)
      const joint = bodies[0].join(bodies[1], { breakForce: 1 })!
      joint.onBreak(() => {
        throw new Error('told of a break that was none')
      })
      bodies[which]!.remove()
      run(world, 0.1)
      expect(joint.alive).toBe(false)
      expect(joint.broken).toBe(false)
      joint.set({ compliance: 1 })
      joint.setPose([0, 0, 0], [0, 0, 0, 1])
      joint.remove()
      expect(joint.force([1, 2, 3])).toEqual([1, 2, 3])
      // A body in the place of the one that went is not joined.
      const next = world.addBody(cube(0.5, 2), { position: [9, 9, 9] })
      run(world, 0.1)
      expect(joint.alive).toBe(false)
      expect(centerOf(next)[0]).toBeCloseTo(9, 9)
    }
  })

  it('lets go when it is removed, or when no longer listened to says nothing', () => {
    const world = new World()
    const [upper, lower] = hanging(world)
    const joint = upper.join(lower, { breakForce: 1 })!
    let told = 0
    joint.onBreak(() => told++)()
    run(world, 0.2)
    expect([joint.broken, told]).toEqual([true, 0])
    joint.remove()
    expect([joint.broken, joint.alive]).toEqual([false, false])
  })

  it('a teleport takes the new offset and pulls nobody', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const a = world.addBody(cube(0.5, 2), { ...presets.rubber })
    const b = world.addBody(cube(0.5, 2), { ...presets.rubber, position: [0.5, 0, 0] })
    a.join(b)
    run(world, 0.1)
    b.teleport([2, 1, 0])
    run(world, 0.5)
    expect(centerOf(a)[0]).toBeCloseTo(0, 6)
    expect(centerOf(b)[0]).toBeCloseTo(2, 6)
  })

  it('sleep together, and wake together however far along the joints', () => {
    const world = new World({ substeps: 10 })
    const cubes = [0, 1, 2, 3].map((k) =>
      world.addBody(cube(0.3, 1), { ...presets.rubber, damping: 3, shapeDamping: 10, position: [0, 3 - 0.3 * k, 0] }),
    )
    cubes[0]!.pin([0, 1, 2, 3, 4, 5, 6, 7])
    const joints = [1, 2, 3].map((k) => cubes[k - 1]!.join(cubes[k]!)!)
    const asleep = () => cubes.filter((body) => body.asleep).length
    const rest = () => {
      for (let k = 0; k < 600 && asleep() < 4; k++) world.step()
      expect(asleep()).toBe(4)
    }
    rest()
    const before = cubes.map(positionsOf)
    run(world, 0.5)
    expect(cubes.map(positionsOf)).toEqual(before)
    cubes[3]!.applyImpulse([0.01, 0, 0])
    expect(asleep()).toBe(0)
    rest()
    joints[1]!.remove()
    world.flush()
    expect(asleep()).toBeLessThan(4)
    run(world, 0.5)
    expect(centerOf(cubes[3]!)[1]).toBeLessThan(before[3]![1]! - 0.2)
    expect(centerOf(cubes[1]!)[1]).toBeCloseTo(2.7, 1)
  })

  it.each([true, false])('wakes when its frame moves, and sleeps when it has arrived, on a collider: %s', (solid) => {
    const world = new World({ substeps: 10 })
    const body = world.addBody(cube(0.3, 1), { ...presets.rubber, damping: 5, shapeDamping: 10 })
    const collider = solid ? world.addCollider(box([0.1, 0.1, 0.1]), { position: [0, 0.5, 0] }) : null
    const joint = body.join(collider, { at: [0, 0.15, 0], radius: 0.3 })!
    const hook = collider ?? joint
    const rest = () => {
      for (let k = 0; k < 600 && !body.asleep; k++) world.step()
      expect(body.asleep).toBe(true)
    }
    rest()
    hook.setPose(solid ? [0.5, 0.5, 0] : [0.5, 0, 0], [0, 0, 0, 1])
    world.advance(1 / 60)
    expect(body.asleep).toBe(false)
    rest()
    expect(centerOf(body)[0]).toBeCloseTo(0.5, 2)
    hook.remove()
    expect(joint.alive).toBe(false)
    expect(body.asleep).toBe(false)
    run(world, 0.2)
    expect(velocityOf(body)[1]).toBeLessThan(-1)
  })

  it('a removed body joins nothing, and an impossible wish is an error', () => {
    const world = new World()
    const [upper, lower] = hanging(world)
    expect(() => upper.join(upper)).toThrow(/itself/)
    expect(() => upper.join(lower, { radius: -1 })).toThrow(/radius=\{-1\}/)
    expect(() => upper.join(lower, { at: [Number.NaN, 0, 0] })).toThrow(/join.at/)
    expect(() => upper.join(lower, { particles: [] })).toThrow(/no particle/)
    expect(() => upper.join(lower, { particles: [9999] })).toThrow(/9999/)
    expect(() => upper.join(lower, { breakForce: -1 })).toThrow(/breakForce/)
    expect(() => upper.join(null, { rotation: [0, 0, 0, 2] })).toThrow(/rotation/)
    lower.remove()
    expect(upper.join(lower)).toBeNull()
    expect(lower.join(upper)).toBeNull()
  })

  it('goes on with the same bits from a snapshot', () => {
    const world = new World()
    world.addCollider(plane(), { position: [0, 0.2, 0] })
    const [upper, lower] = hanging(world)
    const cloth = world.addBody(clothModel({ width: 0.5, height: 0.5, segmentsX: 4, segmentsY: 4 }).model, {
      position: [0, 1, 0],
    })
    upper.join(lower, { breakForce: 1e4 })
    lower.join(cloth)
    const frame = lower.join(null, { position: [1, 1, 0], compliance: 1e-4, damping: 10 })!
    frame.setPose([1.1, 1.2, 0], [0, 0, 0, 1])
    run(world, 0.2)
    const saved: Snapshot = world.snapshot()
    const go = () => {
      run(world, 0.5)
      return [upper, lower, cloth].map(positionsOf)
    }
    const first = go()
    world.restore(saved)
    expect(go()).toEqual(first)
  })
})

// What holds a cloth or a rope by single points, attachments and joints to what is unmoved, does so as pins do, and tells
// what it bears.
import { describe, expect, it } from 'vitest'
import {
  type Attachment,
  type Body,
  type BodySettings,
  clothModel,
  type Joint,
  type MutableVec3,
  presets,
  ragdollModel,
  ropeModel,
  type Vec3,
  World,
  type WorldSettings,
} from '../../src/headless.js'
import { mechanicalEnergy } from '../support/energy.js'
import { cube } from '../support/lattice.js'
import { expectHealthy, run, velocityOf } from '../support/laws.js'

const { abs, cos, hypot, max, PI, sin } = Math
const g = 9.81
const ROUNDING = 1e-9

/** Holds a particle where it is; null for what has neither force nor target. */
type Hold = (world: World, body: Body, particle: number) => Attachment | Joint | null
type Held = [hold: ReturnType<Hold>, particle: number, at: MutableVec3]

const placeOf = (body: Body, particle: number): MutableVec3 => body.getPosition(particle, [0, 0, 0])
const single = (particle: number) => ({ particles: Uint32Array.of(particle), weights: Float64Array.of(1) })

const holds = {
  'a pin': (_, body, particle) => {
    body.pin([particle])
    return null
  },
  'an attachment': (_, body, particle) => body.attach(single(particle)),
  'a joint to a frame': (_, body, particle) => body.join(null, { at: placeOf(body, particle), radius: 0 }),
  'a joint to pinned matter': (world, body, particle) => {
    const at = placeOf(body, particle)
    const block = world.addBody(cube(0.1, 1), { position: [at[0], at[1] + 0.05, at[2]] })
    block.pin(Array.from({ length: block.particleCount }, (_, i) => i))
    return body.join(block, { at, radius: 0 })
  },
} satisfies Record<string, Hold>
const unlikePins = Object.entries(holds).filter(([name]) => name !== 'a pin')

/** A square metre of cloth of so many cells a side; its corners are particles 0 and `cells`. */
function cloth(cells: number, settings: Partial<BodySettings> = {}, world: Partial<WorldSettings> = {}): [World, Body] {
  const made = new World({ sleeping: false, ...world })
  const { model } = clothModel({ width: 1, height: 1, segmentsX: cells, segmentsY: cells })
  return [made, made.addBody(model, settings)]
}

function rope(segments: number, mass: number, world: Partial<WorldSettings> = {}): [World, Body] {
  const made = new World({ sleeping: false, ...world })
  const points: Vec3[] = [
    [0, 0, 0],
    [1, 0, 0],
  ]
  return [made, made.addBody(ropeModel({ points, radius: 0.01, segments }).model, { mass })]
}

const held = (world: World, body: Body, particles: readonly number[], hold: Hold): Held[] =>
  particles.map((particle) => [hold(world, body, particle), particle, placeOf(body, particle)])

/** Leads what is held by `way` from where it was. */
function lead(all: readonly Held[], way: Vec3): void {
  for (const [hold, , at] of all) {
    if (hold && 'setTarget' in hold) hold.setTarget(at[0] + way[0], at[1] + way[1], at[2] + way[2])
    else hold?.setPose([at[0] + way[0], at[1] + way[1], at[2] + way[2]], [0, 0, 0, 1])
  }
}

/** How far particles are at most from where they are to be [m]. */
const gapOf = (body: Body, all: readonly Held[], way: Vec3 = [0, 0, 0]) =>
  max(...all.map(([, particle, at]) => hypot(...placeOf(body, particle).map((x, d) => x - at[d]! - way[d]!))))

/** Sum of what holds bear [N]. */
function forceOf(all: readonly Held[]): MutableVec3 {
  const sum: MutableVec3 = [0, 0, 0]
  for (const [hold] of all) hold!.force([0, 0, 0]).forEach((force, d) => (sum[d as 0 | 1 | 2] += force))
  return sum
}

const depths = new Map<string, number>()

/** How deep a cloth hangs from two corners so far apart [m]. */
function depthOf(cells: number, width: number, hold: Hold): number {
  const key = `${cells} ${width} ${hold.name}`
  if (!depths.has(key)) {
    const [world, body] = cloth(cells, { damping: 4 })
    // Brought together before it is held: the way there is no part of the law.
    body.pin([0, cells])
    body.movePin(0, [-width / 2, 0.5, 0])
    body.movePin(cells, [width / 2, 0.5, 0])
    world.step()
    body.unpin()
    held(world, body, [0, cells], hold)
    body.applyImpulse([0, 0, 0.001])
    run(world, 2)
    expectHealthy(world)
    depths.set(key, 0.5 - lowest(body))
  }
  return depths.get(key)!
}

const lowest = (body: Body) => body.bounds(new Float64Array(6))[1]!
const reaches: [string, Partial<BodySettings>][] = [
  ['nothing else', {}],
  ['a tether', { tether: 1 }],
  ['a limit of strain', { strainLimit: 0.02 }],
]

describe('a cloth that is held by single points', () => {
  const places: [string, (cells: number) => number[]][] = [
    ['a corner', () => [0]],
    ['two corners', (cells) => [0, cells]],
    ['the middle of the upper edge', (cells) => [cells / 2]],
  ]
  for (const [by, hold] of unlikePins) {
    for (const [where, particlesOf] of places) {
      it(`is there at the end of every step, by ${by}, at ${where}`, () => {
        for (const [cells, iterations] of [
          [12, 1],
          [12, 2],
          [24, 1],
        ] as const) {
          for (const [, settings] of reaches) {
            const [world, body] = cloth(cells, settings, { iterations })
            const all = held(world, body, particlesOf(cells), hold)
            run(world, 0.25, () => expect(gapOf(body, all)).toBeLessThan(ROUNDING))
            expectHealthy(world)
          }
        }
      })
    }

    it(`hangs from two corners as if pinned there, by ${by}`, () => {
      for (const width of [0.8, 1]) {
        const apart = abs(depthOf(12, width, hold) / depthOf(12, width, holds['a pin']) - 1)
        // Next to no inverse mass is not none; what hangs slack may come to lie in other folds by that.
        expect(apart).toBeLessThan(width < 1 ? 0.02 : 1e-4)
      }
    })
  }

  for (const by of ['an attachment', 'a joint to a frame'] as const) {
    it(`follows what is waved at 1 Hz, by ${by}`, () => {
      for (const [, settings] of reaches) {
        const [world, body] = cloth(12, settings)
        const all: Held[] = [0, 12].map((particle) => {
          const at = placeOf(body, particle)
          if (by === 'an attachment') return [body.attach(single(particle)), particle, at]
          return [body.join(null, { at, radius: 0, position: at }), particle, at]
        })
        for (let k = 1; k <= 120; k++) {
          const angle = (2 * PI * k) / 60
          const way: Vec3 = [0, 0.1 * sin(angle), 0.1 * (1 - cos(angle))]
          lead(all, way)
          world.step()
          expect(gapOf(body, all, way)).toBeLessThan(ROUNDING)
        }
        expectHealthy(world)
      }
    })
  }

  it('has no more energy than it was let go with, let fall from the level', () => {
    const rises = Object.values(holds).map((hold) => {
      const [world, body] = cloth(16, { rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] })
      held(world, body, [0, 16], hold)
      const before = mechanicalEnergy(world, body)
      let most = 0
      run(world, 3, () => {
        most = max(most, mechanicalEnergy(world, body) - before)
      })
      expectHealthy(world)
      return most
    })
    // A first step adds g h / 2 to a fall, half a percent of m g over half a metre is far beyond that.
    for (const rise of rises) expect(rise).toBeLessThan(0.005 * 0.2 * g * 0.5)
  })
})

describe('the force of a single point', () => {
  for (const [by, hold] of unlikePins) {
    for (const [name, settings] of reaches) {
      it(`is the momentum that passes there, by ${by}, of a cloth with ${name}`, () => {
        for (const particles of [[0], [0, 3], [0, 1, 2, 16], [8, 9, 26]]) {
          for (const iterations of [1, 2]) {
            const [world, body] = cloth(16, settings, { iterations })
            const all = held(world, body, particles, hold)
            const { timeStep } = world.settings
            let before = velocityOf(body)
            let off = 0
            run(world, 0.5, () => {
              const force = forceOf(all)
              const now = velocityOf(body)
              for (let d = 0; d < 3; d++) {
                const weight = d === 1 ? body.mass * g : 0
                off = max(off, abs(force[d]! - weight - (body.mass * (now[d]! - before[d]!)) / timeStep))
              }
              before = now
            })
            // Rounding of a place of some 1 m, by mass over h^2, ten thousandfold for what is left of inverse masses.
            expect(off).toBeLessThan(1e-5 * body.mass * g)
            expectHealthy(world)
          }
        }
      })
    }

    it(`is by the lever, by ${by}`, () => {
      for (const [, settings] of reaches) {
        const [world, body] = cloth(12, { ...settings, damping: 6 })
        const all = held(world, body, [0, 6], hold)
        const means = [0, 0]
        run(world, 5, (time) => {
          if (time > 4) all.forEach(([one], k) => (means[k]! += one!.force([0, 0, 0])[1] * world.settings.timeStep))
        })
        const [x] = body.centerOfMass([0, 0, 0])
        const share = (x - all[0]![2][0]) / (all[1]![2][0] - all[0]![2][0])
        // The centre of mass still swings a little.
        expect(abs(means[1]! / (body.mass * g) - share)).toBeLessThan(0.01)
        expect(abs(means[0]! / (body.mass * g) - (1 - share))).toBeLessThan(0.01)
      }
    })
  }

  it('is that of the cloth between two that are led apart, whatever limits its strain', () => {
    const forces = reaches.map(([, settings]) => {
      const [world, body] = cloth(12, { ...settings, damping: 4 })
      body.set({ elastic: { membrane: { stretchModulus: 2000, shearModulus: 200 } } })
      const all = held(world, body, [6, 7], holds['an attachment'])
      const [one, two] = all.map(([hold]) => hold as Attachment)
      for (let k = 1; k <= 60; k++) {
        one!.setTarget(all[0]![2][0] - k / 2000, all[0]![2][1], 0)
        two!.setTarget(all[1]![2][0] + k / 2000, all[1]![2][1], 0)
        world.step()
      }
      run(world, 1)
      return two!.force([0, 0, 0])[0]
    })
    expect(forces[0]).toBeGreaterThan(20)
    for (const force of forces) expect(abs(force / forces[0]! - 1)).toBeLessThan(0.1)
  })
})

describe('a rope that is held by its end', () => {
  for (const [by, hold] of unlikePins) {
    it(`bears a load there as if pinned, and tells it, by ${by}`, () => {
      for (const segments of [12, 30]) {
        const [pinned, other] = [holds['a pin'], hold].map((how) => {
          const [world, body] = rope(segments, 0.3)
          const all = held(world, body, [0], how)
          const load = world.addBody(cube(0.1, 1), { ...presets.rubber, mass: 5, position: [1.05, 0, 0], damping: 4 })
          body.join(load, { at: [1, 0, 0], radius: 0 })
          body.set({ damping: 4 })
          run(world, 4, () => expect(gapOf(body, all)).toBeLessThan(ROUNDING))
          expectHealthy(world)
          return { depth: -lowest(body), force: all[0]![0]?.force([0, 0, 0])[1] ?? 0 }
        })
        expect(abs(other!.depth / pinned!.depth - 1)).toBeLessThan(1e-4)
        expect(abs(other!.force / (5.3 * g) - 1)).toBeLessThan(0.005)
      }
    })
  }
})

describe('a soft body that is held rigidly', () => {
  for (const how of ['by a point', 'by a region']) {
    it(`is there at the end of every step, ${how}`, () => {
      for (const iterations of [1, 2]) {
        const world = new World({ sleeping: false, iterations })
        const body = world.addBody(cube(0.5, 4), { ...presets.jelly })
        const attached = body.attach(how === 'by a point' ? single(0) : body.region([0.25, 0.25, 0.25], 0.2))
        const at = attached.point([0, 0, 0])
        const now: MutableVec3 = [0, 0, 0]
        for (let k = 1; k <= 120; k++) {
          const target = [at[0], at[1] + 0.1 * sin((2 * PI * k) / 60), at[2]] as const
          attached.setTarget(...target)
          world.step()
          attached.point(now)
          expect(hypot(...now.map((x, d) => x - target[d]!))).toBeLessThan(ROUNDING)
        }
        expectHealthy(world)
      }
    })
  }
})

describe('a hand of a figure', () => {
  it('is held by its middle, as rigid as it is, and weighs', () => {
    const world = new World({ sleeping: false })
    const { model, particles } = ragdollModel({ height: 1.7 })
    const body = world.addBody(model, { damping: 1 })
    const hand = particles.lowerArmLeft
    const attached = body.attach({ particles: Uint32Array.from(hand), weights: new Float64Array(19).fill(1 / 19) })
    const at = attached.point([0, 0, 0])
    const rest = model.positions
    const now: MutableVec3 = [0, 0, 0]
    let force = 0
    let gap = 0
    run(world, 6, (time) => {
      attached.point(now)
      if (time > 4) gap = max(gap, hypot(...now.map((x, d) => x - at[d]!)))
      for (const i of hand) {
        const [a, b] = [placeOf(body, i), placeOf(body, hand[0]!)]
        const length = hypot(...[0, 1, 2].map((d) => rest[i * 3 + d]! - rest[hand[0]! * 3 + d]!))
        expect(abs(hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) - length)).toBeLessThan(1e-6)
      }
      if (time > 4) force += (attached.force([0, 0, 0])[1] * world.settings.timeStep) / 2
    })
    expect(abs(force / (body.mass * g) - 1)).toBeLessThan(0.02)
    // In place once it hangs, but for what a limb gives up to its joints after it.
    expect(gap).toBeLessThan(0.01)
    expectHealthy(world)
  })
})

describe('a joint of a cloth to a frame', () => {
  it('gives way once it is soft, as one that was soft from the start', () => {
    const depths = [true, false].map((later) => {
      const [world, body] = cloth(12, { damping: 6 })
      const soft = { compliance: 0.1, damping: 1 }
      const joints = [0, 12].map((k) =>
        body.join(null, { at: placeOf(body, k), radius: 0, ...(later ? {} : soft), position: placeOf(body, k) }),
      )
      world.step()
      if (later) for (const joint of joints) joint!.set(soft)
      run(world, 3)
      expectHealthy(world)
      return -lowest(body)
    })
    expect(abs(depths[0]! - depths[1]!)).toBeLessThan(1e-3)
  })
})

describe('two cloths that are joined at a corner', () => {
  for (const [name, settings] of reaches) {
    it(`stay so and keep their momenta, with ${name}`, () => {
      for (const pinned of [true, false]) {
        const [world, upper] = cloth(16, settings)
        const lower = world.addBody(upper.model, { ...settings, position: [0, -1, 0] })
        const joints = [0, 16].map((k) => upper.join(lower, { at: [k / 16 - 0.5, -0.5, 0], radius: 0 })!)
        if (pinned) upper.pin([0, 16])
        else upper.applyImpulse([0.1, 0.2, 0.3])
        const momentum = () => velocityOf(upper).map((v, d) => upper.mass * (v + velocityOf(lower)[d]!))
        const before = momentum()
        run(world, 0.5, (time) => {
          for (const k of [0, 16]) {
            const [a, b] = [placeOf(upper, 17 * 16 + k), placeOf(lower, k)]
            expect(hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeLessThan(ROUNDING)
          }
          if (pinned) return
          const fallen = [0, -g * 2 * upper.mass * time, 0]
          momentum().forEach((p, d) => expect(p).toBeCloseTo(before[d]! + fallen[d]!, 9))
        })
        expect(joints.every((joint) => joint.alive)).toBe(true)
        expectHealthy(world)
      }
    })
  }
})

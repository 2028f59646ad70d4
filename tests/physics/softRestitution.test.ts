// Two solids part by restitution, whatever their shapes store: in free space, on the ground and on top of each other.
import { describe, expect, it } from 'vitest'
import { type Body, type BodySettings, type PresetName, plane, presets, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { kineticEnergy } from '../support/energy.js'
import { ball, cube } from '../support/lattice.js'
import { centerOf, expectHealthy, motionOf, positionsOf, run, velocitiesOf, velocityOf } from '../support/laws.js'

const shapes = { ball: ball(0.3, 4), cube: cube(0.5, 3) }
const fine = ball(0.25, 5)
type Shape = keyof typeof shapes

/** Two that run into each other at 4 m/s in free space: the first comes from -x, and the other is `ratio` as heavy. */
function collide(shape: Shape, settings: Partial<BodySettings>, ratio: number): [World, Body, Body] {
  const world = new World({ gravity: [0, 0, 0] })
  const one = world.addBody(shapes[shape], { ...settings, mass: 60, position: [-0.5, 0, 0] })
  const other = world.addBody(shapes[shape], { ...settings, mass: 60 * ratio, position: [0.5, 0.02, 0.01] })
  one.setVelocity([2, 0, 0])
  other.setVelocity([-2, 0, 0])
  world.flush()
  return [world, one, other]
}

const apart = (one: Body, other: Body): number => velocityOf(other)[0] - velocityOf(one)[0]

describe.each(['jelly', 'rubber', 'firm', 'balloon'] satisfies PresetName[])(
  'two of %s that run into each other',
  (name) => {
    it.each([
      ['ball', 1],
      ['ball', 4],
      ['cube', 1],
      ['cube', 4],
    ] as const)('part at e times that speed: a %s, one %d times as heavy', (shape, ratio) => {
      for (const restitution of [0, 0.5, 0.9]) {
        const [world, one, other] = collide(shape, { ...presets[name], restitution }, ratio)
        run(world, 1.5)
        // A ball of facets is turned a little by where it is hit.
        expect(Math.abs(apart(one, other) / 4 - restitution)).toBeLessThan(0.1)
        expectHealthy(world)
      }
    })
  },
)

it('counts the larger restitution of two', () => {
  const world = new World({ gravity: [0, 0, 0] })
  const one = world.addBody(shapes.cube, { ...presets.firm, restitution: 0.1, position: [-0.5, 0, 0] })
  const other = world.addBody(shapes.cube, { ...presets.firm, restitution: 0.6, position: [0.5, 0, 0] })
  one.setVelocity([4, 0, 0])
  run(world, 1)
  expect(Math.abs(apart(one, other) / 4 - 0.6)).toBeLessThan(0.1)
})

describe.each(seeds(6))('a glancing blow, seed %d', (seed) => {
  it.each([0, 0.4, 1])('keeps momentum and spin, and gains no energy: e = %d', (restitution) => {
    const random = new Random(seed)
    const preset = presets[(['jelly', 'rubber', 'firm'] as const)[seed % 3]!]
    const world = new World({ gravity: [0, 0, 0] })
    const bodies = [-1, 1].map((side) => {
      const [x, y, z] = random.vector(0.15)
      const body = world.addBody(side * random.uniform(-1, 1) > 0 ? shapes.ball : shapes.cube, {
        ...preset,
        shapeDamping: 0,
        restitution,
        mass: random.scale(10, 100),
        position: [0.6 * side + x, y, z],
        rotation: random.rotation(),
      })
      body.setVelocity([-2 * side, 0, 0], random.vector(3))
      return body
    })
    world.flush()
    const motion = () =>
      motionOf(
        bodies.flatMap(({ model, mass }) => Array.from(model.massShares, (share) => share * mass)),
        Float64Array.from(bodies.flatMap((body) => [...positionsOf(body)])),
        Float64Array.from(bodies.flatMap((body) => [...velocitiesOf(body)])),
        [0, 0, 0],
      )
    const before = motion()
    const start = kineticEnergy(bodies)
    let most = 0
    run(world, 1, () => {
      most = Math.max(most, kineticEnergy(bodies))
    })
    const after = motion()
    for (let d = 0; d < 3; d++) {
      expect(Math.abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(1e-10 * before.momentumSize)
      expect(Math.abs(after.angularMomentum[d]! - before.angularMomentum[d]!)).toBeLessThan(1e-6 * before.angularSize)
    }
    // What is still strain when they part, and was paid with, is taken back as it turns into wobble: after 2 of 240 such
    // blows up to 1% is too much, and for a step or two of one 2%.
    expect(most).toBeLessThan(1.025 * start)
    expect(kineticEnergy(bodies)).toBeLessThan(1.01 * start)
    expectHealthy(world)
  })
})

describe('on the ground', () => {
  it.each([0, 0.5, 0.9])(
    'what falls on another one bounces off it by e, and does not lift it: e = %d',
    (restitution) => {
      const world = new World()
      world.addCollider(plane())
      const lower = world.addBody(shapes.cube, { ...presets.firm, restitution, position: [0, 0.252, 0] })
      run(world, 1)
      const rest = centerOf(lower)[1]
      const upper = world.addBody(shapes.ball, {
        ...presets.firm,
        restitution,
        position: [0.02, rest + 0.56 + 0.7, 0.01],
      })
      let [hit, rise, lifted] = [false, 0, 0]
      run(world, 1.1, () => {
        const height = centerOf(upper)[1] - rest - 0.56
        hit ||= height < 0.01
        if (!hit) return
        rise = Math.max(rise, height)
        lifted = Math.max(lifted, centerOf(lower)[1] - rest)
      })
      // The lower one is pressed into the ground, and gives a part of that back.
      expect(Math.abs(rise / 0.7 - restitution * restitution)).toBeLessThan(0.1)
      expect(lifted).toBeLessThan(0.05)
      expectHealthy(world)
    },
  )

  // Of five cells, since balls of fewer are facets, which hit each other at a slant: of those of four 0.36 is missing once.
  it.each(seeds(3))('a ball at rest is pushed on by another one, which stops by as much as e says, seed %d', (seed) => {
    for (const restitution of [0, 0.5, 0.9]) {
      const random = new Random(seed)
      const world = new World()
      world.addCollider(plane(), { friction: 0 })
      const [cue, other] = [-0.6, 0].map((x) => {
        const settings = { ...presets.firm, friction: 0, restitution, rotation: random.rotation() }
        return world.addBody(fine, { ...settings, position: [x, 0.25, 0] })
      }) as [Body, Body]
      cue.setVelocity([2, 0, 0])
      run(world, 0.5)
      expect(Math.abs(apart(cue, other) / 2 - restitution)).toBeLessThan(0.2)
      expect(velocityOf(other)[0]).toBeGreaterThan(0.8)
    }
  })
})

it('takes nothing from an impulse while they touch', () => {
  const [world, one, other] = collide('cube', { ...presets.firm, restitution: 0 }, 1)
  let touched = false
  run(world, 0.5, () => {
    if (touched || world.stats.surfaceContacts === 0) return
    touched = true
    other.applyImpulse([6 * other.mass, 0, 0])
  })
  // They came at 4 m/s, which the impulse has turned round: what is stored by then may add to the rest.
  expect(apart(one, other)).toBeGreaterThan(1.5)
})

it('is the same after a snapshot in its middle', () => {
  const ends = [false, true].map((pause) => {
    const [world, one, other] = collide('ball', { ...presets.jelly, restitution: 0.3 }, 2)
    run(world, 0.16)
    if (pause) {
      const snapshot = world.snapshot()
      run(world, 0.3)
      world.restore(snapshot)
    }
    run(world, 0.5)
    return [velocityOf(one), velocityOf(other)]
  })
  expect(ends[1]).toEqual(ends[0])
})

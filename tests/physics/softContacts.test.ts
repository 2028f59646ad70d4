import { describe, expect, it } from 'vitest'
import { type Body, clothModel, plane, World } from '../../src/headless.js'
import { crossings } from '../support/crossings.js'
import { Random, seeds } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { ball, cube } from '../support/lattice.js'
import {
  bodyMotion,
  centerOf,
  expectHealthy,
  lowest,
  motionOf,
  positionsOf,
  rmsSpeed,
  run,
  velocitiesOf,
  velocityOf,
} from '../support/laws.js'

/** Momentum of several bodies together, about the origin. */
function together(bodies: readonly Body[]) {
  const masses = bodies.flatMap((body) => Array.from(body.model.massShares, (share) => share * body.mass))
  const x = Float64Array.from(bodies.flatMap((body) => [...positionsOf(body)]))
  const v = Float64Array.from(bodies.flatMap((body) => [...velocitiesOf(body)]))
  return motionOf(masses, x, v, [0, 0, 0])
}

describe('two bodies that run into each other in free space', () => {
  for (const speed of [2, 10, 30]) {
    for (const seed of seeds(2)) {
      it(`keep their momentum and angular momentum to 1e-10, ${speed} m/s, seed ${seed}`, () => {
        const random = new Random(seed)
        const world = new World({ gravity: [0, 0, 0] })
        const friction = random.uniform(0.2, 1)
        const restitution = random.uniform(0, 0.8)
        const elastic = material(5e5, 0.4)
        const one = world.addBody(ball(0.3, 4), { elastic, friction, restitution })
        const other = world.addBody(cube(0.5, 3), {
          position: [0.8, random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2)],
          density: 400,
          elastic,
          friction,
        })
        one.setVelocity([speed, 0, 0], random.vector(3))
        other.setVelocity([-speed, 0, 0], random.vector(3))
        const before = together([one, other])
        let touched = 0
        run(world, 0.5, () => {
          touched += world.stats.surfaceContacts
        })
        const after = together([one, other])
        expect(touched).toBeGreaterThan(0)
        expect(velocityOf(one)[0]).toBeLessThan(0.7 * speed)
        for (let d = 0; d < 3; d++) {
          expect(Math.abs(after.momentum[d]! - before.momentum[d]!)).toBeLessThan(1e-10 * before.momentumSize)
          expect(Math.abs(after.angularMomentum[d]! - before.angularMomentum[d]!)).toBeLessThan(
            1e-10 * (before.angularSize + after.angularSize),
          )
        }
        expectHealthy(world)
      })
    }
  }
})

describe('a cube on a cube', () => {
  const build = (friction: number, push: number, seconds = 1) => {
    const world = new World()
    world.addCollider(plane(), { friction: 5 })
    const model = cube(0.5, 3)
    const settings = { elastic: material(1e6, 0.4), shapeDamping: 6, friction }
    const lower = world.addBody(model, { ...settings, position: [0, 0.2525, 0] })
    const upper = world.addBody(model, { ...settings, position: [0.02, 0.756, 0.01] })
    run(world, 3)
    expectHealthy(world)
    // The lower one is pinned from now on, so that it is the upper one alone that slides.
    lower.pin(Array.from({ length: model.particleCount }, (_, i) => i))
    if (push > 0) {
      run(world, seconds, () => {
        upper.addForce([push * upper.mass * 9.81, 0, 0])
      })
    }
    return { world, lower, upper, model }
  }

  it('lies at its thickness, still, and crosses nothing', () => {
    const { world, lower, upper, model } = build(0.6, 0)
    run(world, 5)
    expect(rmsSpeed(upper)).toBeLessThan(2e-3)
    // The faces keep both thicknesses, within 1% and a millimetre.
    const top = lower.bounds(new Float64Array(6))[4]!
    const gap = 2 * model.thickness
    expect(lowest(upper)).toBeGreaterThan(top - 1.5e-3 + 0.99 * gap - 1e-3)
    expect(crossings(lower, upper) + crossings(upper, lower)).toBe(0)
    expectHealthy(world)
  })

  it('stays below the angle of friction', () => {
    const { upper } = build(0.6, 0.45)
    expect(Math.abs(velocityOf(upper)[0])).toBeLessThan(0.02)
  })

  it('slides above it, with (push - friction) g', () => {
    // At 0.3 g for 0.4 s, until its middle comes to the rim of the other; particles of a soft foot rub unevenly.
    const { upper } = build(0.3, 0.6, 0.4)
    expect(velocityOf(upper)[0]).toBeGreaterThan(0.9 * 0.3 * 9.81 * 0.4)
    expect(velocityOf(upper)[0]).toBeLessThan(1.1 * 0.3 * 9.81 * 0.4)
  })
})

describe('surface against surface', () => {
  it('a small ball lies on a cloth whose cells are larger than the ball', () => {
    const world = new World()
    const cells = 2
    const cloth = world.addBody(clothModel({ width: 2, height: 2, segmentsX: cells, segmentsY: cells }).model, {
      rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      elastic: { membrane: { stretchModulus: 2e5, shearModulus: 2e5 } },
    })
    cloth.pin([0, 2, 6, 8])
    const model = ball(0.1, 3)
    const small = world.addBody(model, { position: [0.45, 0.15, 0.3], density: 100, shapeDamping: 5 })
    run(world, 1.5)
    expect(centerOf(small)[1]).toBeGreaterThan(-0.2)
    expect(crossings(cloth, small) + crossings(small, cloth)).toBe(0)
    expectHealthy(world)
  })

  it('bodies of groups that do not meet pass through each other', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const model = cube(0.4, 2)
    const one = world.addBody(model, { collisionGroups: [1, 1] })
    const other = world.addBody(model, { position: [1, 0, 0], collisionGroups: [2, 2] })
    one.setVelocity([4, 0, 0])
    run(world, 0.5)
    expect(centerOf(one)[0]).toBeCloseTo(2, 6)
    expect(bodyMotion(other).momentumSize).toBeLessThan(1e-9)
  })

  it('contacts show both bodies as touching, and the point between them', () => {
    const world = new World()
    world.addCollider(plane())
    const model = cube(0.5, 2)
    world.addBody(model, { position: [0, 0.2525, 0], elastic: material(1e6, 0.4) })
    world.addBody(model, { position: [0.01, 0.757, 0.02], elastic: material(1e6, 0.4) })
    const met: [number, number][] = []
    world.onContactEnter((contact) => {
      met.push([contact.point[1], Math.abs(contact.normal[1])])
    })
    run(world, 1)
    expect(met.some(([height, up]) => Math.abs(height - 0.5) < 0.03 && up > 0.99)).toBe(true)
    const contacts = new Float64Array(6 * 200)
    const count = world.readContacts(contacts)
    expect(count).toBeGreaterThan(world.stats.contacts)
  })
})

import { BoxGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { type BodySettings, box, plane, presets, softBodyModel, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { rebound } from '../support/drop.js'
import { ball, cube } from '../support/lattice.js'
import { expectHealthy, run, velocityOf } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'

const floors: Record<string, (world: World) => void> = {
  one: (world) => world.addCollider(box([2, 0.3, 2]), { position: [0, -0.3, 0] }),
  tiles: (world) => {
    for (const x of [-1, 1]) for (const z of [-1, 1]) world.addCollider(box([1, 0.3, 1]), { position: [x, -0.3, z] })
  },
  'a box let into a plane': (world) => {
    world.addCollider(plane())
    world.addCollider(box([1, 0.3, 1]), { position: [1, -0.3, 0] })
  },
}
const several = Object.keys(floors).slice(1)
const materials = ['firm', 'jelly', 'rubber'] as const

/** A body over the place where the colliders of the floor meet, turned. */
function over(floor: string, random: Random, settings: Partial<BodySettings>, world: World) {
  floors[floor]!(world)
  const shape = random.integer(0, 1) === 0 ? cube(0.4, 4) : ball(0.2, 4)
  return world.addBody(shape, {
    ...presets[materials[random.integer(0, 2)]!],
    rotation: random.rotation(),
    ...settings,
  })
}

describe.each(several)('what strikes a floor of several colliders, %s', (name) => {
  for (const seed of seeds(6)) {
    const e = [0, 0.5, 0.9][seed % 3]!
    it(`leaves it as it leaves one, by impulses of m dv in all, e = ${e}, seed ${seed}`, () => {
      const shot = (floor: string) => {
        const random = new Random(seed)
        const world = new World({ gravity: [0, 0, 0] })
        const place = [random.uniform(-0.1, 0.1), 0.5, random.uniform(-0.1, 0.1)] as const
        const body = over(floor, random, { restitution: e, friction: 0, position: place }, world)
        const speed = random.uniform(1, 6)
        let told = 0
        body.onImpact(({ impulse, normal }) => {
          told += impulse * normal[1]
        })
        body.setVelocity([0, -speed, 0])
        run(world, 1.5)
        expectHealthy(world)
        const gained = velocityOf(body)[1] + speed
        return { gained: gained / speed, told: told / (body.mass * gained) }
      }
      const one = shot('one')
      const many = shot(name)
      // Without restitution it is up to how the wobble goes on how slowly it leaves.
      const expected = e === 0 ? one.gained : 1 + e
      expect(Math.abs(many.gained - expected)).toBeLessThan(e === 0 ? 0.02 : 0.005)
      // What strikes at less than 0.1 m/s is not told.
      expect(many.told).toBeLessThan(1.05)
      expect(many.told).toBeGreaterThan(e === 0 ? 0.8 : 0.95)
    })
  }

  it.each(seeds(4))('from 1 m, bounces to e^2, seed %d', (seed) => {
    const random = new Random(seed)
    const world = new World()
    const e = random.uniform(0.4, 0.9)
    const body = over(name, random, { restitution: e }, world)
    expect(Math.abs(rebound(world, body, random.rotation()) - e * e)).toBeLessThan(0.08)
    expectHealthy(world)
  })
})

describe('under gravity', () => {
  const half = cube(0.8, 5)
  const sum = (count: number, name: 'jelly' | 'rubber', drop: number) => {
    const world = new World()
    const [wide, deep] = [count > 1 ? 1 : 2, count > 2 ? 1 : 2]
    for (const x of wide === 1 ? [-1, 1] : [0])
      for (const z of deep === 1 ? [-1, 1] : [0]) world.addCollider(box([wide, 0.1, deep]), { position: [x, -0.1, z] })
    const body = world.addBody(half, { ...presets[name], restitution: name === 'rubber' ? 0.5 : 0 })
    body.teleport([0, 5, 0])
    body.teleport([0, 5 - body.bounds()[1]! + drop, 0])
    let told = 0
    body.onImpact(({ impulse, normal }) => {
      told += impulse * normal[1]
    })
    run(world, 1.2)
    return told / body.mass
  }

  // Each collider was taken for bearing the whole weight: two told half as much, sixteen nothing.
  it.each([
    ['jelly', 0.2],
    ['jelly', 1],
    ['rubber', 0.5],
  ] as const)('two and four colliders tell what one does: %s, from %f m', (name, drop) => {
    const one = sum(1, name, drop)
    expect(one).toBeGreaterThan(Math.sqrt(2 * 9.81 * drop))
    for (const count of [2, 4]) expect(Math.abs(sum(count, name, drop) / one - 1)).toBeLessThan(0.02)
  })
})

describe('an impact', () => {
  const plate = cube(0.5, 4)

  // Apart for as long as two are taken to touch before all was given that restitution gives, these told nothing.
  it.each([
    [2000, 0.8, 'clay-soft', 0.5],
    [2119, 0.5, 'balloon', 0.6],
    [2121, 0.2, 'rubber', 0.9],
  ] as const)('that is over as the two part is told, seed %i', (seed, size, name, restitution) => {
    const random = new Random(seed)
    random.scale(0.2, 1.2)
    for (const last of [7, 5]) random.integer(0, last)
    const { model } = softBodyModel(fromGeometry(new BoxGeometry(size * 1.4, size * 0.25, size)), {
      resolution: random.integer(4, 5),
    })
    const world = new World({ gravity: [0, 0, 0] })
    world.addCollider(plane())
    const rotation = random.rotation()
    const body = world.addBody(model, { ...presets[name], friction: 0, restitution })
    const speed = random.uniform(1, 6)
    body.teleport([0, 5, 0], rotation)
    body.teleport([0, 5 - body.bounds()[1]! + 0.03, 0], rotation)
    let told = 0
    body.onImpact(({ impulse }) => {
      told += impulse
    })
    body.setVelocity([0, -speed, 0])
    run(world, 1)
    expect(Math.abs(told / (body.mass * (velocityOf(body)[1] + speed)) - 1)).toBeLessThan(0.05)
  })

  it('on what is removed in its middle tells what that has given', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const floor = world.addCollider(plane())
    const body = world.addBody(plate, { ...presets.jelly, position: [0, 0.3, 0] })
    let told = 0
    body.onImpact(({ impulse }) => {
      told += impulse
    })
    body.setVelocity([0, -4, 0])
    while (velocityOf(body)[1] < -1) world.step()
    floor.remove()
    world.step()
    expect(Math.abs(told / (body.mass * (velocityOf(body)[1] + 4)) - 1)).toBeLessThan(0.02)
  })
})

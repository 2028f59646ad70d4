// Stacks that sway: where shapes are damped their slow swings fade too, while what slides is spared.
import { describe, expect, it } from 'vitest'
import { plane, tetMeshModel, type Vec3, World } from '../../src/headless.js'
import { material } from '../support/elastic.js'
import { boxLattice, cube } from '../support/lattice.js'
import { expectHealthy, lowest, rmsSpeed, run, velocityOf } from '../support/laws.js'
import { long } from '../support/long.js'

function ground(): World {
  const world = new World({ sleeping: false })
  world.addCollider(plane(), { friction: 0.8 })
  return world
}

/** `count` boxes of `size` on each other, of a modulus [Pa], dropped by 0.6% of their height each. */
function stack(count: number, size: Vec3, modulus: number, shapeDamping: number): World {
  const world = ground()
  const { model } = tetMeshModel(boxLattice([...size], [2, 2, 2]))
  for (let k = 0; k < count; k++) {
    const position: Vec3 = [0, size[1] * (0.504 + 1.006 * k), 0]
    world.addBody(model, { position, shapeDamping, elastic: material(modulus, 0.45) })
  }
  return world
}

const fastest = ({ bodies }: World): number => Math.max(...bodies.map(rmsSpeed))

/** Runs a stack for 10 s: 2 mm/s at the end is the law. */
function settled(count: number, size: Vec3, modulus: number): World {
  const world = stack(count, size, modulus, 6)
  run(world, 10)
  expect(fastest(world)).toBeLessThan(5e-4)
  expectHealthy(world)
  return world
}

// As many as stand at that modulus: Greenhill's length, in softStacks.
describe('a stack makes no noise after 10 s, without sleeping', () => {
  type Boxes = [count: number, size: Vec3, modulus: number]
  it.each<Boxes>([
    [2, [0.5, 0.5, 0.5], 2e6],
    [3, [0.3, 0.5, 0.3], 2e6],
    ...long<Boxes>([5, [0.8, 0.3, 0.5], 1e6], [5, [0.5, 0.5, 0.5], 1e7]),
  ])('and keeps its thickness: %d boxes of %s m, %d Pa', (count, size, modulus) => {
    const { bodies } = settled(count, size, modulus)
    const thickness = 2 * bodies[0]!.model.thickness
    for (let k = 1; k < count; k++) {
      const top = bodies[k - 1]!.bounds(new Float64Array(6))[4]!
      expect(lowest(bodies[k]!) - top).toBeGreaterThan(0.99 * thickness - 1e-3)
    }
  })

  // Faces of soft boxes are no planes, which the highest and the lowest point would have to be in.
  it.each([[2, 1e5], ...long([4, 5e5])] as const)('%d cubes of half a metre, %d Pa', (count, modulus) => {
    settled(count, [0.5, 0.5, 0.5], modulus)
  })
})

describe('the sway of a tower', () => {
  /** The energy of a tower of three that has been pushed aside, 5 s later, over what it was after the first half second [1]. */
  const left = (shapeDamping: number) => {
    const world = stack(3, [0.4, 0.4, 0.4], 2e6, 6)
    run(world, 5)
    for (const [k, body] of world.bodies.entries()) {
      body.set({ shapeDamping })
      body.setVelocity([0.05 * k, 0, 0])
    }
    const energyOf = () => {
      let most = 0
      run(world, 1, () => {
        most = Math.max(most, ...world.bodies.map(rmsSpeed))
      })
      return most * most
    }
    run(world, 0.5)
    const before = energyOf()
    run(world, 3)
    return energyOf() / before
  }

  it('fades by more than e^-2 in four seconds where shapes are damped, and goes on where they are not', () => {
    expect(left(6)).toBeLessThan(Math.exp(-2))
    expect(left(0)).toBeGreaterThan(0.3)
  }, 20_000)
})

it('what slides on something that it shakes is spared', () => {
  const world = ground()
  const slab = tetMeshModel(boxLattice([4, 0.2, 0.8], [20, 1, 4])).model
  const settings = { friction: 0, shapeDamping: 6, elastic: material(1e6, 0.4) }
  world.addBody(slab, { ...settings, position: [1.5, 0.102, 0] })
  const body = world.addBody(cube(0.4, 2), { ...settings, position: [0, 0.406, 0] })
  run(world, 1)
  body.setVelocity([0.5, 0, 0])
  run(world, 1)
  expect(velocityOf(body)[0] / 0.5).toBeGreaterThan(0.95)
})

import { describe, expect, it } from 'vitest'
import { plane, type Snapshot, World } from '../../src/headless.js'
import { material } from '../support/elastic.js'
import { cube } from '../support/lattice.js'
import { centerOf, driftFrom, expectHealthy, lowest, positionsOf, rmsSpeed, run } from '../support/laws.js'
import { long } from '../support/long.js'
import { turnBy } from '../support/poses.js'

const stiff = material(2e6, 0.45)

function ground(sleeping: boolean): World {
  const world = new World({ sleeping })
  world.addCollider(plane(), { friction: 0.8 })
  return world
}

const fastest = ({ bodies }: World): number => Math.max(...bodies.map(rmsSpeed))

/**
 * How long a column of width `side` [m] is when it buckles under its own weight [m]: where L^3 > 7.84 E a^2 / (12 rho g)
 * (Greenhill 1881).
 */
const buckling = (modulus: number, side: number) => ((7.84 * modulus * side * side) / (12 * 1000 * 9.81)) ** (1 / 3)

describe('stacks stand without sleeping', () => {
  // Near the length at which they buckle, as those of 1 m are, whatever leans is multiplied.
  it.each([[1, 2, 2e6, 0], ...long([1, 5, 2e6, 0], [0.25, 3, 2e6, 0.3], [2, 3, 8e6, 0.3])] as const)(
    'a tower of five cubes, for 20 s, within a twentieth of an edge: %d m, %d cells, %d Pa, turned by %d rad each',
    (...tower) => {
      const [side, cells, modulus, turn] = tower
      expect(5 * side).toBeLessThan(buckling(modulus, side))
      const world = ground(false)
      const model = cube(side, cells)
      for (let k = 0; k < 5; k++) {
        world.addBody(model, {
          position: [0, side * (0.5025 + k * 1.005), 0],
          rotation: turnBy([0, 1, 0], turn * k),
          elastic: material(modulus, 0.45),
        })
      }
      run(world, 20, () => {
        for (const body of world.bodies) {
          const [x, , z] = centerOf(body)
          expect(Math.hypot(x, z)).toBeLessThan(0.05 * side)
        }
      })
      expectHealthy(world)
    },
  )

  it('a pyramid of twenty, for 20 s, within a fiftieth of an edge, and moves by less than 2 mm/s after 10 s', () => {
    const world = ground(false)
    const model = cube(1, 2)
    for (let layer = 0; layer < 4; layer++) {
      for (let i = 0; i < 4 - layer; i++) {
        for (let j = 0; j < 4 - layer - i; j++) {
          const [x, z] = [(i + layer * 0.34) * 1.06, (j + layer * 0.34) * 1.06]
          world.addBody(model, {
            position: [x, 0.5025 + layer * 1.005, z],
            shapeDamping: 6,
            friction: 0.6,
            elastic: stiff,
          })
        }
      }
    }
    expect(world.bodies.length).toBe(20)
    run(world, 1)
    const from = world.bodies.map(centerOf)
    run(world, 9)
    run(world, 10, () => expect(fastest(world)).toBeLessThan(2e-3))
    expect(driftFrom(world, from)).toBeLessThan(0.02)
    expectHealthy(world)
  })

  it('three stiff cubes move by less than 0.5 mm/s after 10 s, and keep their thickness', () => {
    const world = ground(false)
    const model = cube(0.5, 3)
    for (let k = 0; k < 3; k++) {
      world.addBody(model, { position: [0, 0.252 + k * 0.503, 0], shapeDamping: 6, elastic: stiff })
    }
    run(world, 10)
    expect(fastest(world)).toBeLessThan(5e-4)
    for (let k = 1; k < 3; k++) {
      const top = world.bodies[k - 1]!.bounds(new Float64Array(6))[4]!
      expect(lowest(world.bodies[k]!) - top).toBeGreaterThan(0.99 * 2 * model.thickness - 1e-3)
    }
    expectHealthy(world)
  })

  it.each([
    ['falls where it is longer', 3e5, 2],
    ...long(['stands where it is shorter than the length at which a column buckles', 1.2e6, 0.3]),
  ] as const)('a tower of five cubes of 0.4 m %s', (_, modulus, least) => {
    const world = ground(false)
    const model = cube(0.4, 2)
    for (let k = 0; k < 5; k++) {
      const position: [number, number, number] = [k % 2 === 0 ? 0 : 2e-3, 0.201 + k * 0.402, 0]
      world.addBody(model, { position, elastic: material(modulus, 0.45), shapeDamping: 6 })
    }
    const stands = 5 * 0.4 < buckling(modulus, 0.4)
    expect(stands).toBe(least < 1)
    const from = world.bodies.map(centerOf)
    run(world, 8)
    const [low, high] = stands ? [0, 0.4 * 0.3] : [1, Number.POSITIVE_INFINITY]
    const drift = driftFrom(world, from)
    expect(drift).toBeGreaterThanOrEqual(low)
    expect(drift).toBeLessThan(high)
  })
})

describe('the state is all that the contacts of soft bodies keep', () => {
  it('a snapshot within a collision goes on with the same bits', () => {
    const build = () => {
      const world = new World()
      world.addCollider(plane())
      const model = cube(0.4, 2)
      const bodies = [0, 1, 2].map((k) =>
        world.addBody(model, { position: [0.05 * k, 0.25 + k * 0.45, 0.03 * k], elastic: stiff }),
      )
      return { world, bodies }
    }
    const { world, bodies } = build()
    run(world, 0.4)
    const snapshot: Snapshot = world.snapshot()
    run(world, 0.3)
    const once = bodies.map(positionsOf)
    world.restore(snapshot)
    run(world, 0.3)
    expect(bodies.map(positionsOf)).toEqual(once)
    const again = build()
    run(again.world, 0.7)
    expect(again.bodies.map(positionsOf)).toEqual(once)
  })
})

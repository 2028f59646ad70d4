// Chains of solids of very unequal mass: what holds them has no energy to give, also where they knock into each other.
import { describe, expect, it } from 'vitest'
import { type Body, presets, type Vec3, World } from '../../src/headless.js'
import { cube } from '../support/lattice.js'
import { expectHealthy, largestSpeed, positionsOf, run, velocitiesOf } from '../support/laws.js'
import { long } from '../support/long.js'

const g = 9.81
const SIDE = 0.4

/** Cubes in a row that leads away from a hook, joined where they touch; each is let go as it lies. */
function row(masses: readonly number[], way: Vec3, radius?: number, damping = 0): [world: World, bodies: Body[]] {
  const world = new World({ sleeping: false })
  const bodies: Body[] = []
  const along = (k: number): Vec3 => [k * SIDE * way[0], k * SIDE * way[1], k * SIDE * way[2]]
  masses.forEach((mass, k) => {
    const settings = { ...presets.jelly, density: undefined, mass, damping, position: along(k + 0.5) }
    const body = world.addBody(cube(SIDE, 3), settings)
    const options = { at: along(k), ...(radius === undefined ? {} : { radius }) }
    if (k === 0) body.join(null, { at: [0, 0, 0], radius: 0 })
    else bodies[k - 1]!.join(body, options)
    bodies.push(body)
  })
  return [world, bodies]
}

/** What bodies have by their motion and their height [J]; strain, which is never below none, is left out. */
function energyOf(bodies: readonly Body[]): number {
  let sum = 0
  for (const body of bodies) {
    const [x, v] = [positionsOf(body), velocitiesOf(body)]
    for (let i = 0; i < body.particleCount; i++) {
      const speed = Math.hypot(v[3 * i]!, v[3 * i + 1]!, v[3 * i + 2]!)
      sum += body.mass * body.model.massShares[i]! * ((speed * speed) / 2 + g * x[3 * i + 1]!)
    }
  }
  return sum
}

type Chain = [name: string, masses: number[], radius: number | undefined]

const chains: Chain[] = [
  ['0.4, 17 and 43 kg by points', [0.4, 17, 43], 0],
  ...long<Chain>(
    ['148, 95, 2.4 and 228 kg by points', [148, 95, 2.4, 228], 0],
    ['148, 95, 2.4 and 228 kg by areas', [148, 95, 2.4, 228], undefined],
  ),
]

describe.each(chains)('a row of %s that swings down and knocks into itself', (_, masses, radius) => {
  it('never has more energy than it was let go with', () => {
    const [world, bodies] = row(masses, [1, 0, 0], radius)
    const before = energyOf(bodies)
    let most = Number.NEGATIVE_INFINITY
    run(world, 10, () => (most = Math.max(most, energyOf(bodies))))
    // A substep makes what falls faster by g h and lets it fall so all through: the energy falls by m (g h)^2 / 2, never rises.
    const depth = g * SIDE * masses.length * masses.reduce((sum, mass) => sum + mass, 0)
    expect((most - before) / depth).toBeLessThan(1e-9)
    expectHealthy(world)
  })

  it('hangs still where it is damped', () => {
    const [world, bodies] = row(masses, [1, 0, 0], radius, 1)
    run(world, 20)
    for (const body of bodies) expect(largestSpeed(body)).toBeLessThan(0.02)
    expectHealthy(world)
  })
})

import { describe, expect, it } from 'vitest'
import { box, plane, World } from '../../src/headless.js'
import { Random, seeds } from '../support/draw.js'
import { mechanicalEnergy } from '../support/energy.js'
import { ball, cube } from '../support/lattice.js'
import { centerOf, expectHealthy, particle, run, velocityOf } from '../support/laws.js'

describe('a particle that falls', () => {
  for (const seed of seeds(8)) {
    it(`bounces to e^2 of the drop, seed ${seed}`, () => {
      const random = new Random(seed)
      const drop = random.uniform(0.5, 4)
      const e = random.uniform(0.1, 1)
      const world = new World({ substeps: random.integer(5, 20) })
      // The larger of the two counts.
      world.addCollider(plane(), { restitution: seed % 2 === 0 ? e : e / 2 })
      const body = world.addBody(particle(), {
        position: [0, drop, 0],
        restitution: seed % 2 === 0 ? 0 : e,
        mass: random.scale(0.01, 100),
      })
      let rises = false
      let rebound = 0
      // The first apex comes within twice the time of the fall.
      run(world, 2 * Math.sqrt((2 * drop) / 9.81), () => {
        if (velocityOf(body)[1] > 0) rises = true
        if (rises) rebound = Math.max(rebound, centerOf(body)[1])
      })
      // The contact is found within a substep's fall, v h, at most 2 cm a metre at these speeds.
      expect(Math.abs(rebound - e * e * drop)).toBeLessThan(0.02 * Math.max(1, drop))
      expectHealthy(world)
    })
  }

  it('does not bounce without restitution', () => {
    const world = new World()
    world.addCollider(plane())
    const body = world.addBody(particle(), { position: [0, 1, 0] })
    run(world, 1)
    run(world, 0.5, () => expect(centerOf(body)[1]).toBeLessThan(1e-9))
  })
})

describe('a body that bounces', () => {
  for (const seed of seeds(16)) {
    it(`never gains energy, seed ${seed}`, () => {
      const random = new Random(seed)
      const world = new World()
      world.addCollider(plane())
      if (seed % 4 === 0)
        world.addCollider(box([0.3, 0.5, 0.3]), { rotation: random.rotation(), position: [0.2, 0.1, 0] })
      const modulus = random.scale(2e4, 5e6)
      const body = world.addBody(seed % 2 === 0 ? cube(0.5, 3) : ball(0.3, 4), {
        position: [0, random.uniform(0.8, 2), 0],
        rotation: random.rotation(),
        restitution: random.uniform(0.2, 1),
        friction: random.uniform(0, 1),
        density: random.scale(100, 5000),
        elastic: { edges: { modulus }, volumes: { modulus: modulus * random.uniform(1, 10) } },
      })
      body.setVelocity(random.vector(2), random.vector(6))
      world.flush()
      const start = mechanicalEnergy(world, body)
      let most = 0
      run(world, 3, () => {
        most = Math.max(most, mechanicalEnergy(world, body))
      })
      // It starts without elastic energy, so motion and height alone can never hold more than at the start.
      expect(most).toBeLessThan(1.001 * start)
      expectHealthy(world)
    })
  }
})

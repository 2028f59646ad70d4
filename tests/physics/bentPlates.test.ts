// A free plate that is bent: what makes it as stiff as it was set must give it no energy.
import { BoxGeometry } from 'three'
import { describe, expect, it } from 'vitest'
import { presets, softBodyModel, World } from '../../src/headless.js'
import { expectHealthy, rmsSpeed, run } from '../support/laws.js'
import { fromGeometry } from '../support/meshes.js'

const { model } = softBodyModel(fromGeometry(new BoxGeometry(1, 0.05, 1)), { resolution: 8 })

describe('a plate of rubber of 1 m and 5 cm, bent by a blow', () => {
  // The mean stress of what is bent is no even strain's: balanced by one, it drove the plate to 200 times what it was given.
  it.each([
    [0.3, 0],
    [0.5, 3],
    [1, 0],
    [4, 3],
  ])('of up to %f m/s has no more energy than it was given, shape damping %d', (speed, shapeDamping) => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody(model, { ...presets.rubber, shapeDamping })
    const x = model.positions
    const blow = (i: number): number => speed * (4 * x[i * 3]! ** 2 - 1 / 3)
    let given = 0
    model.massShares.forEach((share, i) => {
      given += 0.5 * share * body.mass * blow(i) ** 2
    })
    body.addForces(
      x.map((_, p) =>
        p % 3 === 1 ? (body.mass * model.massShares[(p - 1) / 3]! * blow((p - 1) / 3)) / world.settings.timeStep : 0,
      ),
    )
    let most = 0
    run(world, 3, () => {
      most = Math.max(most, 0.5 * body.mass * rmsSpeed(body) ** 2)
    })
    expect(most).toBeLessThan(given)
    expect(most).toBeGreaterThan(0.5 * given)
    expect(0.5 * body.mass * rmsSpeed(body) ** 2).toBeLessThan(0.5 * given)
    expectHealthy(world)
  })
})

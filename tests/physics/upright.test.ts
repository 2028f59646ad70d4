import { describe, expect, it } from 'vitest'
import { clothModel, plane, ropeModel, World } from '../../src/headless.js'
import { expectHealthy, run } from '../support/laws.js'

const highest = (bounds: Float64Array) => bounds[4]!

describe('what is thin and comes down on its edge, exactly upright', () => {
  it.each([0.5, 1, 3])('falls over where it is a rope of %d m', (length) => {
    const world = new World()
    world.addCollider(plane())
    const { model } = ropeModel({ length })
    const rope = world.addBody(model, { position: [0, length + 0.5, 0] })
    run(world, 4)
    // It lies: no part is higher than three times its thickness.
    expect(highest(rope.bounds(new Float64Array(6)))).toBeLessThan(3 * 0.04)
    expect(rope.maxStrain()).toBeLessThan(0.05)
    expectHealthy(world)
  })

  it.each([6, 12, 20])('falls over where it is a sheet of %d rows', (rows) => {
    const world = new World()
    world.addCollider(plane())
    const { model } = clothModel({ width: 1, height: 0.6, segmentsX: 20, segmentsY: rows })
    const sheet = world.addBody(model, { position: [0, 1, 0] })
    run(world, 4)
    expect(highest(sheet.bounds(new Float64Array(6)))).toBeLessThan(0.3)
    expectHealthy(world)
  })

  it('gets no sideways speed to speak of: it lands where it fell', () => {
    const world = new World()
    world.addCollider(plane())
    const { model } = clothModel({ width: 1, height: 1, segmentsX: 10, segmentsY: 10 })
    const rotation = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const
    const sheet = world.addBody(model, { position: [0, 0.5, 0], rotation })
    run(world, 2)
    const [x, y, z] = sheet.centerOfMass([0, 0, 0])
    expect(Math.hypot(x, z)).toBeLessThan(1e-3)
    expect(y).toBeLessThan(0.02)
    expectHealthy(world)
  })
})

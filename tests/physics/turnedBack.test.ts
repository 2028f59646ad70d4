// What lies with a few tetrahedra inside out is turned back, where its material would take long or finds its rest so.
import { describe, expect, it } from 'vitest'
import { type Body, type Vec3, World } from '../../src/headless.js'
import { putAt } from '../fuzz/starts.js'
import { Random, seeds } from '../support/draw.js'
import { material } from '../support/elastic.js'
import { invertedTets } from '../support/inverted.js'
import { cube } from '../support/lattice.js'
import { bodyMotion, centerOf, expectHealthy, largestSpeed, positionsOf, run } from '../support/laws.js'

/** A cube of next to no stiffness, a corner of which has been pushed through the other side of its tetrahedron. */
function pushedIn(seed: number, rescue: boolean, velocity: Vec3 = [0, 0, 0]): { world: World; body: Body } {
  const random = new Random(seed)
  const world = new World({ gravity: [0, 0, 0], sleeping: false })
  const body = world.addBody(cube(1, 3), { elastic: material(1, 0.3), rescue, rotation: random.rotation() })
  const x = positionsOf(body)
  const model = body.model.positions
  let corner = 0
  const along = (i: number): number => model[i * 3]! + model[i * 3 + 1]! + model[i * 3 + 2]!
  for (let i = 0; i < body.particleCount; i++) if (along(i) > along(corner)) corner = i
  const depth = random.uniform(0.25, 0.32)
  const center = centerOf(body)
  for (let d = 0; d < 3; d++) x[corner * 3 + d] = center[d]! + (1 - depth) * (x[corner * 3 + d]! - center[d]!)
  putAt(world, body, x)
  body.setVelocity(velocity, [0, 0, 0])
  return { world, body }
}

describe('a corner that is left inside out', () => {
  it.each(seeds(3))('is turned back after a quarter of a second, and nothing is thrown, seed %i', (seed) => {
    const [turned, left] = [true, false].map((rescue) => pushedIn(seed, rescue)) as [
      ReturnType<typeof pushedIn>,
      ReturnType<typeof pushedIn>,
    ]
    const told: string[] = []
    for (const { world } of [turned, left])
      world.onUnstable((body, reason) => told.push(`${body === turned.body} ${reason}`))
    for (const { world } of [turned, left]) run(world, 0.2)
    expect(told).toEqual([])
    expect(positionsOf(turned.body)).toEqual(positionsOf(left.body))
    expect(invertedTets(turned.body)).toBeGreaterThan(0)
    const before = centerOf(turned.body)
    for (const { world } of [turned, left]) run(world, 0.8)
    expect(invertedTets(left.body)).toBeGreaterThan(0)
    expect(invertedTets(turned.body)).toBe(0)
    const after = centerOf(turned.body)
    for (let d = 0; d < 3; d++) expect(Math.abs(after[d]! - before[d]!)).toBeLessThan(1e-9)
    // By which each particle moves along the gradient of a volume: neither pushed nor turned as a whole.
    for (const value of bodyMotion(turned.body).angularMomentum) {
      expect(Math.abs(value)).toBeLessThan(1e-6 * turned.body.mass)
    }
    expect(largestSpeed(turned.body)).toBeLessThanOrEqual(largestSpeed(left.body))
    expect(told).toEqual(['true inverted'])
    expect([turned, left].map(({ world }) => world.stats.turnedBack)).toEqual([1, 0])
    expectHealthy(turned.world)
  })

  it('is the material’s to turn back in what moves', () => {
    const [turned, left] = [true, false].map((rescue) => pushedIn(1, rescue, [1, 0, 0]))
    for (const { world } of [turned!, left!]) run(world, 1)
    expect(positionsOf(turned!.body)).toEqual(positionsOf(left!.body))
  })
})
